"""Cases of image processors: called by generate.py."""

import copy
import json
import os
import shutil
import tempfile

import numpy as np
import torch
import transformers
from transformers import AutoImageProcessor

IN_MEAN, IN_STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
CM, CS = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]
HALF = [0.5, 0.5, 0.5]
BOTH, TV = ["torchvision", "pil"], ["torchvision"]
R255 = 0.00392156862745098
T = lambda n: n + "ImageProcessor"
sq = lambda n: {"height": n, "width": n}
P, Q, B, G, E, N, TALL, WIDE, STRIP, TINY = (
    "photo_rgb",
    "photo_portrait_rgb",
    "photo_big_rgb",
    "page_rgb",
    "edges_rgb",
    "noise_rgb",
    "tall_rgb",
    "wide_rgb",
    "strip_rgb",
    "tiny_rgb",
)
RGBA, NRGBA, GREY, LA, SQUARE = "photo_rgba", "noise_rgba", "photo_l", "edges_la", "photo_square_rgb"
MODES = [[P], [RGBA], [GREY], [LA]]


def specs(r):
    """-> list of (id, config, groups of inputs, options)."""
    S = lambda lo=36, hi=64: r.randint(lo, hi)
    out = []

    def add(id, cfg, groups, **opt):
        out.append((id, cfg, groups, opt))

    # ---- plain chains: rows of data
    for name, extra in (("PPChart2Table", {}), ("Tipsv2", {}), ("Tipsv2Dpt", {})):
        low, only = name.lower(), dict(backends=TV) if name.startswith("Tips") else {}
        add(low + "_default", {"image_processor_type": T(name)}, [[P]], **only)
        add(
            low,
            {"image_processor_type": T(name), "size": {"height": S(), "width": S()}, "do_convert_rgb": True, **extra},
            MODES,
            **only,
        )
        add(
            low + "_odd",
            {
                "image_processor_type": T(name) + "Fast",
                "size": sq(S()),
                "do_normalize": True,
                "image_mean": IN_MEAN,
                "image_std": IN_STD,
                "resample": 1,
            },
            [[Q], [TINY]],
            **only,
        )
    add("pi0_default", {"image_processor_type": T("PI0")}, [[P], [Q], [RGBA]], backends=TV)
    add(
        "pi0",
        {"image_processor_type": T("PI0"), "size": {"max_height": S(), "max_width": S(60, 80)}, "pad_size": sq(80)},
        [[P], [TALL], [P, Q]],
        backends=TV,
    )
    add(
        "pi0_no_pad",
        {"image_processor_type": T("PI0"), "size": {"max_height": 50, "max_width": 60}, "do_pad": False, "resample": 2},
        [[E]],
        backends=TV,
    )
    add("idefics_default", {"image_processor_type": T("Idefics")}, [[P], [RGBA]])
    add(
        "idefics_hub",
        {
            "image_num_channels": 3,
            "image_mean": CM,
            "image_std": CS,
            "image_processor_type": T("Idefics"),
            "image_size": S(),
            "processor_class": "IdeficsProcessor",
        },
        [[P, Q], [GREY], [LA]],
    )
    add(
        "idefics_odd",
        {
            "image_processor_type": T("Idefics"),
            "size": {"height": S(), "width": S()},
            "resample": 1,
            "do_normalize": False,
        },
        [[TALL]],
    )
    add(
        "layoutlmv2_hub",
        {
            "apply_ocr": False,
            "do_resize": True,
            "feature_extractor_type": "LayoutLMv2FeatureExtractor",
            "resample": 2,
            "size": 224,
        },
        [[G], [P]],
    )
    add(
        "layoutlmv2",
        {
            "image_processor_type": T("LayoutLMv2"),
            "apply_ocr": False,
            "size": {"height": S(), "width": S()},
            "do_convert_rgb": True,
        },
        MODES,
    )
    add(
        "layoutlmv2_odd",
        {
            "image_processor_type": T("LayoutLMv2"),
            "apply_ocr": False,
            "size": sq(S()),
            "resample": 3,
            "do_rescale": True,
            "rescale_factor": R255,
        },
        [[Q, P]],
    )
    add(
        "layoutlmv3_hub",
        {
            "apply_ocr": False,
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "LayoutLMv3FeatureExtractor",
            "image_mean": HALF,
            "image_std": HALF,
            "resample": 2,
            "size": 224,
        },
        [[G]],
    )
    add(
        "layoutlmv3",
        {
            "image_processor_type": T("LayoutLMv3"),
            "apply_ocr": False,
            "size": sq(S()),
            "do_convert_rgb": True,
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
        },
        MODES,
    )
    add(
        "layoutlmv3_odd",
        {"image_processor_type": T("LayoutLMv3"), "apply_ocr": False, "size": sq(60), "do_normalize": False},
        [[TALL], [TINY]],
    )
    add(
        "layoutlmv3_crop",
        {
            "image_processor_type": T("LayoutLMv3"),
            "apply_ocr": False,
            "size": sq(60),
            "do_center_crop": True,
            "crop_size": {"height": 41, "width": 50},
        },
        [[P]],
        backends=TV,
    )
    n = S()
    add("video_llava_default", {"image_processor_type": T("VideoLlava")}, [[P]], backends=[None])
    add(
        "video_llava",
        {"image_processor_type": T("VideoLlava"), "size": {"shortest_edge": n}, "crop_size": sq(n)},
        MODES + [[Q, P]],
        backends=[None],
    )
    add(
        "video_llava_odd",
        {
            "image_processor_type": T("VideoLlava"),
            "size": {"height": 60, "width": 51},
            "crop_size": {"height": 40, "width": 71},
            "resample": 2,
        },
        [[TALL]],
        backends=[None],
    )
    add(
        "video_llava_new",
        {"image_processor_type": T("VideoLlava"), "size": 48, "crop_size": 48},
        [[P]],
        backends=[None],
        call={"return_legacy_image_output": False},
    )
    add("vivit_default", {"image_processor_type": T("Vivit")}, [[P, P]], backends=[None], shape="video")
    add(
        "vivit_hub",
        {
            "crop_size": sq(S()),
            "do_center_crop": True,
            "do_normalize": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": HALF,
            "image_processor_type": T("Vivit"),
            "image_std": HALF,
            "offset": True,
            "resample": 2,
            "rescale_factor": 0.00784313725490196,
            "size": {"shortest_edge": 64},
        },
        [[P, P, P], [Q]],
        backends=[None],
        shape="video",
    )
    add(
        "vivit_no_offset",
        {
            "image_processor_type": T("Vivit"),
            "size": sq(48),
            "crop_size": sq(60),
            "offset": False,
            "rescale_factor": R255,
            "do_normalize": False,
        },
        [[E, E]],
        backends=[None],
        shape="video",
    )
    add("sapiens2_default", {"image_processor_type": T("Sapiens2")}, [[P]], backends=TV)
    add(
        "sapiens2",
        {"image_processor_type": T("Sapiens2"), "size": {"height": 64, "width": 48}},
        [[P], [Q], [TALL]],
        backends=TV,
    )
    add(
        "sapiens2_pad",
        {"image_processor_type": T("Sapiens2"), "size": {"height": S(), "width": S()}, "do_pad": True},
        [[P], [Q], [WIDE]],
        backends=TV,
    )
    add(
        "sapiens2_boxes",
        {"image_processor_type": T("Sapiens2"), "size": {"height": 64, "width": 48}},
        [[P]],
        backends=TV,
        extra={"boxes": [[[20.0, 30.5, 120.0, 90.0], [-8.0, 5.0, 40.0, 60.25]]]},
        tolerance=True,
    )
    add("uvdoc_default", {"image_processor_type": T("UVDoc")}, [[G]], backends=TV, tolerance=True)
    add(
        "uvdoc",
        {"image_processor_type": T("UVDoc"), "size": {"height": S(60, 90), "width": S()}},
        [[G], [P, Q], [TINY]],
        backends=TV,
        tolerance=True,
    )
    add(
        "uvdoc_no_resize",
        {
            "image_processor_type": T("UVDoc"),
            "do_resize": False,
            "do_normalize": True,
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
        },
        [[N]],
        backends=TV,
    )

    # ---- PaddleOCR family
    for v in ("2", "3"):
        k = "PPDocLayoutV" + v
        add(k.lower() + "_default", {"image_processor_type": T(k)}, [[G]], backends=TV)
        add(
            k.lower(),
            {"image_processor_type": T(k) + "Fast", "size": {"height": S(), "width": S()}, "do_convert_rgb": True},
            [[P], [G, Q], [RGBA], [TINY]],
            backends=TV,
        )
        add(
            k.lower() + "_odd",
            {
                "image_processor_type": T(k),
                "size": {"height": S(100, 130), "width": S()},
                "resample": 2,
                "do_pad": True,
                "pad_size": sq(140),
                "image_mean": IN_MEAN,
                "image_std": IN_STD,
            },
            [[E], [TALL]],
            backends=TV,
        )
    add("ppdoclayoutv4_default", {"image_processor_type": T("PPDocLayoutV4")}, [[G]], backends=TV, tolerance=True)
    add(
        "ppdoclayoutv4",
        {"image_processor_type": T("PPDocLayoutV4"), "size": {"height": S(), "width": S()}},
        [[P], [G, Q], [TINY]],
        backends=TV,
        tolerance=True,
    )
    add(
        "ppdoclayoutv4_odd",
        {
            "image_processor_type": T("PPDocLayoutV4"),
            "size": sq(90),
            "resample": 2,
            "do_rescale": False,
            "image_mean": [127.0, 120.0, 110.0],
            "image_std": [58.0, 57.0, 56.0],
        },
        [[E]],
        backends=TV,
    )
    add("ppformulanet_default", {"image_processor_type": T("PPFormulaNet")}, [[G]], backends=TV)
    add(
        "ppformulanet",
        {"image_processor_type": T("PPFormulaNet"), "size": {"height": S(), "width": S(70, 90)}},
        [[G], [P], [STRIP]],
        backends=TV,
    )
    add(
        "ppformulanet_odd",
        {
            "image_processor_type": T("PPFormulaNet"),
            "size": {"height": 90, "width": 60},
            "do_crop_margin": False,
            "resample": 3,
            "do_thumbnail": True,
        },
        [[E], [Q]],
        backends=TV,
    )
    add("pplcnet_default", {"image_processor_type": T("PPLCNet")}, [[P], [Q]], backends=TV)
    add(
        "pplcnet",
        {"image_processor_type": T("PPLCNet"), "resize_short": S(), "crop_size": S(), "size_divisor": 8},
        [[P], [TALL], [TINY]],
        backends=TV,
    )
    add(
        "pplcnet_odd",
        {
            "image_processor_type": T("PPLCNet"),
            "resize_short": None,
            "size": {"height": 50, "width": 70},
            "crop_size": sq(61),
            "resample": 1,
        },
        [[E]],
        backends=TV,
    )
    add("ppocrdet_default", {"image_processor_type": T("PPOCRV5ServerDet")}, [[G], [TINY]], backends=TV, tolerance=True)
    add(
        "ppocrdet",
        {"image_processor_type": T("PPOCRV5ServerDet"), "limit_side_len": 128, "limit_type": "max"},
        [[G], [P, P], [TALL]],
        backends=TV,
        tolerance=True,
    )
    add(
        "ppocrdet_min",
        {
            "image_processor_type": T("PPOCRV5ServerDet"),
            "limit_side_len": 200,
            "limit_type": "min",
            "max_side_limit": 300,
        },
        [[WIDE], [E]],
        backends=TV,
        tolerance=True,
    )
    add(
        "ppocrdet_long",
        {
            "image_processor_type": T("PPOCRV5ServerDet"),
            "limit_side_len": 100,
            "limit_type": "resize_long",
            "resample": 3,
        },
        [[Q]],
        backends=TV,
        tolerance=True,
    )
    for k, tol in (("PPOCRV5ServerRec", True), ("PPOCRV6SmallRec", False)):
        add(
            k.lower() + "_default",
            {"image_processor_type": T(k)},
            [[STRIP], [WIDE], [TINY]],
            backends=TV,
            tolerance=tol,
        )
        add(
            k.lower(),
            {
                "image_processor_type": T(k),
                "size": {"height": 32, "width": 96},
                "pad_size": {"height": 32, "width": 96},
                "character_list": ["a", "b"],
                "max_image_width": 200,
            },
            [[STRIP], [WIDE], [P], [STRIP, Q], [RGBA]],
            backends=TV,
            tolerance=tol,
        )
        add(
            k.lower() + "_odd",
            {
                "image_processor_type": T(k),
                "size": {"height": 40, "width": 100},
                "do_pad": False,
                "resample": 3,
                "image_mean": IN_MEAN,
                "image_std": IN_STD,
            },
            [[P], [TALL]],
            backends=TV,
            tolerance=tol,
        )
    add("slanext_default", {"image_processor_type": T("SLANeXt")}, [[G], [P]], backends=TV)
    add(
        "slanext",
        {"image_processor_type": T("SLANeXt"), "size": sq(96), "pad_size": sq(96)},
        [[P], [Q], [WIDE], [P, Q], [RGBA]],
        backends=TV,
    )
    add(
        "slanext_odd",
        {
            "image_processor_type": T("SLANeXt"),
            "size": {"height": 60, "width": 88},
            "pad_size": {"height": 130, "width": 97},
            "do_normalize": False,
        },
        [[E], [TINY]],
        backends=TV,
    )

    # ---- sizes and masks
    add("bridgetower_default", {"image_processor_type": T("BridgeTower")}, [[P], [Q]])
    add(
        "bridgetower_hub",
        {
            "do_center_crop": True,
            "do_normalize": True,
            "do_pad": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": CM,
            "image_processor_type": T("BridgeTower"),
            "image_std": CS,
            "resample": 3,
            "rescale_factor": R255,
            "size": {"shortest_edge": S(50, 80)},
            "size_divisor": 16,
            "crop_size": {"shortest_edge": 56},
        },
        [[P], [E], [P, Q]],
    )
    add(
        "bridgetower_odd",
        {"image_processor_type": T("BridgeTower"), "size": 70, "do_center_crop": False, "size_divisor": 8},
        [[P, Q, E], [WIDE], [Q]],
    )
    add(
        "bridgetower_no_pad",
        {
            "image_processor_type": T("BridgeTower"),
            "size": {"shortest_edge": 64},
            "do_pad": False,
            "crop_size": {"shortest_edge": 48},
        },
        [[P]],
    )
    add("vilt_default", {"image_processor_type": T("Vilt")}, [[P]])
    add(
        "vilt_hub",
        {
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "ViltFeatureExtractor",
            "image_mean": HALF,
            "image_std": HALF,
            "resample": 3,
            "size": S(60, 90),
            "size_divisor": 32,
        },
        [[P], [SQUARE], [P, Q, E]],
    )
    add(
        "vilt_odd",
        {"image_processor_type": T("Vilt"), "size": {"shortest_edge": 70}, "size_divisor": 8, "resample": 2},
        [[WIDE], [Q]],
    )
    add("vilt_no_pad", {"image_processor_type": T("Vilt"), "size": {"shortest_edge": 64}, "do_pad": False}, [[E]])
    add("oneformer_default", {"image_processor_type": T("OneFormer")}, [[P], [RGBA]])
    add(
        "oneformer_hub",
        {
            "_max_size": 2048,
            "class_info_file": "ade20k_panoptic.json",
            "do_normalize": True,
            "do_rescale": True,
            "do_resize": True,
            "ignore_index": 255,
            "image_mean": IN_MEAN,
            "image_processor_type": T("OneFormer"),
            "image_std": IN_STD,
            "max_size": 2048,
            "metadata": {"0": "wall"},
            "num_text": 234,
            "repo_path": "shi-labs/oneformer_demo",
            "resample": 2,
            "rescale_factor": R255,
            "size": {"longest_edge": S(90, 120), "shortest_edge": S()},
        },
        [[P], [P, Q], [TALL, E]],
        files={"ade20k_panoptic.json": {"0": {"name": "wall", "isthing": False}}},
    )
    add(
        "oneformer_odd",
        {
            "image_processor_type": T("OneFormer"),
            "size": {"height": 50, "width": 61},
            "resample": 3,
            "do_normalize": False,
        },
        [[E, P], [GREY]],
    )
    add("eomt_default", {"image_processor_type": T("Eomt")}, [[P]])
    add(
        "eomt_hub",
        {
            "do_convert_rgb": None,
            "do_normalize": True,
            "do_pad": False,
            "do_rescale": True,
            "do_resize": True,
            "do_split_image": True,
            "ignore_index": None,
            "image_mean": IN_MEAN,
            "image_processor_type": T("Eomt") + "Fast",
            "image_std": IN_STD,
            "resample": 2,
            "rescale_factor": R255,
            "size": {"shortest_edge": S(), "longest_edge": None},
        },
        [[P], [Q], [P, Q], [TALL], [SQUARE]],
    )
    add(
        "eomt_pad",
        {"image_processor_type": T("Eomt"), "do_pad": True, "size": {"shortest_edge": 64, "longest_edge": 64}},
        [[P], [Q, P]],
    )
    add(
        "eomt_odd",
        {
            "image_processor_type": T("Eomt"),
            "do_pad": True,
            "do_split_image": True,
            "size": {"shortest_edge": 40, "longest_edge": 70},
            "resample": 3,
        },
        [[WIDE], [E]],
    )
    for name in ("EfficientLoFTR", "LightGlue", "SuperGlue"):
        k = name.lower()
        add(k + "_default", {"image_processor_type": T(name)}, [[[P, Q]]], shape="pairs")
        add(
            k + "_hub",
            {
                "do_grayscale": True,
                "do_rescale": True,
                "do_resize": True,
                "image_processor_type": T(name),
                "resample": 2,
                "rescale_factor": R255,
                "size": {"height": S(), "width": S(60, 80)},
            },
            [[[P, Q]], [[E, N], [Q, E]], [[TALL, TINY]]],
            shape="pairs",
        )
        add(
            k + "_odd",
            {
                "image_processor_type": T(name),
                "size": {"height": 41, "width": 60},
                "do_grayscale": False,
                "resample": 3,
            },
            [[[P, E]]],
            shape="pairs",
        )
    add("tvp_default", {"image_processor_type": T("Tvp")}, [[P]], shape="video")
    add(
        "tvp_hub",
        {
            "constant_values": 0,
            "crop_size": sq(64),
            "do_center_crop": False,
            "do_flip_channel_order": True,
            "do_normalize": True,
            "do_pad": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": IN_MEAN,
            "image_processor_type": T("Tvp"),
            "image_std": IN_STD,
            "pad_mode": "constant",
            "pad_size": sq(64),
            "resample": 2,
            "rescale_factor": R255,
            "size": {"longest_edge": 64},
        },
        [[P, P], [Q], [TALL]],
        shape="video",
    )
    add(
        "tvp_odd",
        {
            "image_processor_type": T("Tvp"),
            "size": {"height": 50, "width": 61},
            "crop_size": {"height": 40, "width": 45},
            "pad_size": {"height": 60, "width": 48},
            "do_flip_channel_order": False,
            "constant_values": 2,
        },
        [[E, E, E]],
        shape="video",
    )
    add("seggpt_default", {"image_processor_type": T("SegGpt")}, [[P]])
    add(
        "seggpt_prompt",
        {"image_processor_type": T("SegGpt"), "size": {"height": S(), "width": S()}},
        [[P]],
        extra={"prompt_images": [Q], "prompt_masks": ["mask_l"]},
    )
    add(
        "seggpt_palette",
        {"image_processor_type": T("SegGpt"), "size": sq(48)},
        [[P]],
        extra={"prompt_images": [E], "prompt_masks": ["mask_l"], "num_labels": 10},
    )
    add(
        "seggpt_rgb_mask",
        {"image_processor_type": T("SegGpt"), "size": sq(44), "do_normalize": False},
        [[Q]],
        extra={"prompt_images": [P], "prompt_masks": [E], "do_convert_rgb": False},
    )
    add(
        "vitpose_hub",
        {
            "do_affine_transform": True,
            "do_normalize": True,
            "do_rescale": True,
            "image_mean": IN_MEAN,
            "image_processor_type": T("VitPose"),
            "image_std": IN_STD,
            "normalize_factor": 200.0,
            "rescale_factor": R255,
            "size": {"height": 256, "width": 192},
        },
        [[P]],
        extra={"boxes": [[[41.5, 30.25, 100.0, 120.5], [10.0, 20.0, 260.0, 60.0]]]},
    )
    add(
        "vitpose",
        {"image_processor_type": T("VitPose"), "size": {"height": 64, "width": 48}},
        [[P, Q]],
        extra={"boxes": [[[-20.0, -10.0, 90.0, 80.0]], [[60.0, 90.0, 61.0, 44.0], [100.0, 150.0, 200.0, 300.0]]]},
    )
    add(
        "vitpose_odd",
        {"image_processor_type": T("VitPose"), "size": {"height": 50, "width": 61}, "do_normalize": False},
        [[E]],
        extra={"boxes": [[[7.0, 9.0, 1.5, 80.0]]]},
    )
    add(
        "vitpose_no_affine",
        {"image_processor_type": T("VitPose"), "do_affine_transform": False},
        [[N]],
        extra={"boxes": [[[0.0, 0.0, 1.0, 1.0]]]},
    )

    # ---- tiles
    add("got_ocr2_default", {"image_processor_type": T("GotOcr2")}, [[G]])
    add(
        "got_ocr2_hub",
        {
            "crop_to_patches": False,
            "do_convert_rgb": True,
            "do_normalize": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": CM,
            "image_std": CS,
            "image_processor_type": T("GotOcr2"),
            "max_patches": 12,
            "min_patches": 1,
            "patch_size": {"height": 384, "width": 384},
            "processor_class": "GotOcr2Processor",
            "resample": 3,
            "rescale_factor": R255,
            "size": sq(S()),
        },
        [[P, Q], [RGBA]],
    )
    add(
        "internvl",
        {
            "crop_size": None,
            "crop_to_patches": True,
            "data_format": "channels_first",
            "default_to_square": True,
            "device": None,
            "do_center_crop": None,
            "do_convert_rgb": True,
            "do_normalize": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": IN_MEAN,
            "image_processor_type": T("GotOcr2") + "Fast",
            "image_std": IN_STD,
            "max_patches": 12,
            "min_patches": 1,
            "processor_class": "InternVLProcessor",
            "resample": 3,
            "rescale_factor": R255,
            "return_tensors": None,
            "size": sq(S()),
        },
        [[P], [Q], [TALL], [SQUARE], [P, WIDE]],
    )
    add(
        "internvl_few",
        {
            "crop_to_patches": True,
            "image_processor_type": T("GotOcr2"),
            "max_patches": 4,
            "min_patches": 2,
            "size": {"height": 40, "width": 52},
            "resample": 2,
        },
        [[E], [SQUARE], [TINY]],
    )
    add("cohere2_default", {"image_processor_type": T("Cohere2Vision")}, [[P]], backends=TV)
    add(
        "cohere2_hub",
        {
            "crop_to_patches": True,
            "do_convert_rgb": True,
            "do_normalize": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": HALF,
            "image_processor_type": T("Cohere2Vision") + "Fast",
            "image_std": HALF,
            "max_patches": 12,
            "min_patches": 1,
            "patch_size": 16,
            "resample": 3,
            "rescale_factor": R255,
            "size": sq(S(60, 100)),
        },
        [[P], [Q], [TALL], [B], [TINY], [P, E]],
        backends=TV,
    )
    add(
        "cohere2_odd",
        {
            "image_processor_type": T("Cohere2Vision"),
            "size": {"height": 50, "width": 60},
            "max_patches": 5,
            "resample": 2,
        },
        [[P], [WIDE]],
        backends=TV,
    )
    add(
        "cohere2_off",
        {"image_processor_type": T("Cohere2Vision"), "size": sq(70), "crop_to_patches": False},
        [[P, Q]],
        backends=TV,
    )
    add("ovis2_default", {"image_processor_type": T("Ovis2")}, [[P]])
    add(
        "ovis2_hub",
        {
            "crop_to_patches": True,
            "do_convert_rgb": True,
            "do_normalize": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": CM,
            "image_std": CS,
            "image_processor_type": T("Ovis2"),
            "max_patches": 9,
            "min_patches": 1,
            "resample": 3,
            "rescale_factor": R255,
            "size": sq(S(60, 100)),
            "use_covering_area_grid": True,
        },
        [[P], [Q], [TALL], [B], [TINY], [P, WIDE]],
    )
    add(
        "ovis2_odd",
        {
            "crop_to_patches": True,
            "image_processor_type": T("Ovis2"),
            "max_patches": 6,
            "min_patches": 2,
            "size": {"height": 50, "width": 60},
            "use_covering_area_grid": False,
        },
        [[P], [SQUARE]],
    )
    add(
        "ovis2_one",
        {"crop_to_patches": True, "image_processor_type": T("Ovis2"), "max_patches": 1, "size": sq(50)},
        [[P, Q]],
    )
    add("deepseek_ocr2_default", {"image_processor_type": T("DeepseekOcr2")}, [[G]])
    add(
        "deepseek_ocr2",
        {
            "image_processor_type": T("DeepseekOcr2"),
            "size": sq(S(80, 110)),
            "tile_size": S(60, 80),
            "max_patches": 6,
            "min_patches": 2,
        },
        [[G], [P], [TALL], [SQUARE], [P, TINY]],
    )
    add(
        "deepseek_ocr2_off",
        {
            "image_processor_type": T("DeepseekOcr2"),
            "size": sq(90),
            "tile_size": 70,
            "crop_to_patches": False,
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
        },
        [[P], [Q]],
    )
    add(
        "deepseek_ocr2_colour",
        {
            "image_processor_type": T("DeepseekOcr2"),
            "size": sq(81),
            "tile_size": 300,
            "background_color": [10, 200, 255],
        },
        [[P], [RGBA]],
    )
    add("unlimited_ocr_default", {"image_processor_type": T("UnlimitedOcr")}, [[P]], backends=TV)
    add(
        "unlimited_ocr",
        {"image_processor_type": T("UnlimitedOcr"), "size": sq(S(80, 110)), "tile_size": S(60, 80), "max_patches": 9},
        [[G], [P, TINY], [WIDE], [SQUARE]],
        backends=TV,
    )
    add(
        "unlimited_ocr_off",
        {"image_processor_type": T("UnlimitedOcr"), "size": {"height": 90, "width": 70}, "crop_to_patches": False},
        [[P]],
        backends=TV,
    )
    add(
        "unlimited_ocr_padded",
        {"image_processor_type": T("UnlimitedOcr"), "size": sq(90), "crop_to_patches": False, "maximum_pad_value": 64},
        [[Q]],
        backends=TV,
    )
    add("deepseek_vl_default", {"image_processor_type": T("DeepseekVL")}, [[P]])
    add(
        "deepseek_vl_hub",
        {
            "background_color": [127, 127, 127],
            "do_convert_rgb": True,
            "do_normalize": True,
            "do_pad": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": HALF,
            "image_std": HALF,
            "image_processor_type": T("DeepseekVL"),
            "min_size": 14,
            "resample": 3,
            "rescale_factor": R255,
            "size": sq(S()),
        },
        [[P], [Q], [TALL], [RGBA]],
    )
    add(
        "deepseek_vl_odd",
        {
            "image_processor_type": T("DeepseekVL"),
            "size": sq(51),
            "min_size": 20,
            "do_pad": True,
            "resample": 2,
            "do_normalize": False,
        },
        [[WIDE], [SQUARE]],
    )
    add("deepseek_vl_hybrid_default", {"image_processor_type": T("DeepseekVLHybrid")}, [[P]])
    add(
        "deepseek_vl_hybrid_hub",
        {
            "do_normalize": True,
            "do_pad": True,
            "do_rescale": True,
            "do_resize": True,
            "high_res_image_mean": CM,
            "high_res_image_std": CS,
            "high_res_resample": 3,
            "high_res_size": sq(S(80, 110)),
            "image_mean": HALF,
            "image_std": HALF,
            "image_processor_type": T("DeepseekVLHybrid") + "Fast",
            "min_size": 14,
            "resample": 3,
            "rescale_factor": R255,
            "size": sq(S()),
        },
        [[P], [Q], [TALL], [SQUARE]],
    )
    add(
        "deepseek_vl_hybrid_odd",
        {
            "image_processor_type": T("DeepseekVLHybrid"),
            "high_res_size": sq(60),
            "high_res_resample": 2,
            "size": sq(90),
            "resample": 1,
            "do_convert_rgb": True,
        },
        [[RGBA], [E, P]],
    )
    add("mllama_default", {"image_processor_type": T("Mllama")}, [[[P]]], shape="nested")
    add(
        "mllama_hub",
        {
            "do_convert_rgb": True,
            "do_normalize": True,
            "do_pad": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": CM,
            "image_processor_type": T("Mllama"),
            "image_std": CS,
            "max_image_tiles": 4,
            "resample": 2,
            "rescale_factor": R255,
            "size": sq(S(60, 90)),
        },
        [[[P]], [[Q], [P, E]], [[TALL]], [[TINY, RGBA]], [[B], [WIDE]]],
        shape="nested",
    )
    add(
        "mllama_odd",
        {"image_processor_type": T("Mllama"), "size": sq(40), "max_image_tiles": 6, "resample": 3},
        [[[P, Q]]],
        shape="nested",
    )
    add("llama4_default", {"image_processor_type": T("Llama4")}, [[P]], backends=TV)
    add(
        "llama4_hub",
        {
            "crop_size": None,
            "do_center_crop": None,
            "do_convert_rgb": True,
            "do_normalize": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": HALF,
            "image_processor_type": T("Llama4") + "Fast",
            "image_std": HALF,
            "max_patches": 16,
            "processor_class": "Llama4Processor",
            "resample": 2,
            "rescale_factor": R255,
            "resize_to_max_canvas": False,
            "size": sq(S(50, 80)),
        },
        [[P], [Q], [TALL], [TINY], [P, E], [RGBA]],
        backends=TV,
    )
    add(
        "llama4_canvas",
        {
            "image_processor_type": T("Llama4"),
            "size": sq(40),
            "max_patches": 6,
            "resize_to_max_canvas": True,
            "resample": 3,
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
        },
        [[P], [SQUARE]],
        backends=TV,
    )
    add(
        "llama4_rescale",
        {"image_processor_type": T("Llama4"), "size": sq(48), "max_patches": 4, "do_normalize": False},
        [[E]],
        backends=TV,
    )
    add("perception_lm_default", {"image_processor_type": T("PerceptionLM")}, [[P]], backends=TV)
    add(
        "perception_lm_hub",
        {
            "do_convert_rgb": True,
            "do_normalize": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": HALF,
            "image_processor_type": T("PerceptionLM") + "Fast",
            "image_std": HALF,
            "max_num_tiles": 16,
            "resample": 3,
            "rescale_factor": R255,
            "tile_size": S(50, 70),
            "vision_input_type": "thumb+tile",
        },
        [[P], [Q], [TALL], [TINY], [P, Q]],
        backends=TV,
    )
    add(
        "perception_lm_vanilla",
        {"image_processor_type": T("PerceptionLM"), "tile_size": 48, "vision_input_type": "vanilla"},
        [[P, E]],
        backends=TV,
    )
    add(
        "perception_lm_small",
        {"image_processor_type": T("PerceptionLM"), "tile_size": 60, "max_num_tiles": 4},
        [[B], [G], [WIDE]],
        backends=TV,
    )
    add("phi4_default", {"image_processor_type": T("Phi4Multimodal")}, [[P]], backends=TV, tolerance=True)
    add(
        "phi4",
        {"image_processor_type": T("Phi4Multimodal") + "Fast", "size": sq(70), "patch_size": 14, "dynamic_hd": 8},
        [[P], [Q], [B], [P, E]],
        backends=TV,
        tolerance=True,
    )
    add(
        "phi4_odd",
        {
            "image_processor_type": T("Phi4Multimodal"),
            "size": sq(84),
            "dynamic_hd": 3,
            "resample": 2,
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
        },
        [[G], [SQUARE]],
        backends=TV,
        tolerance=True,
    )
    add("aria_default", {"image_processor_type": T("Aria")}, [[P]])
    add(
        "aria_490",
        {"image_processor_type": T("Aria"), "max_image_size": 490, "min_image_size": 336},
        [[TALL, P], [RGBA]],
    )
    add(
        "aria_split",
        {
            "do_normalize": True,
            "image_mean": HALF,
            "image_processor_type": T("Aria"),
            "image_std": HALF,
            "max_image_size": 490,
            "min_image_size": 100,
            "split_image": True,
            "split_resolutions": [[490, 980], [980, 490], [490, 1470], [1470, 490]],
            "processor_class": "AriaProcessor",
        },
        [[P], [Q]],
    )
    add("idefics2_default", {"image_processor_type": T("Idefics2")}, [[[P]]], shape="nested")
    add(
        "idefics2_hub",
        {
            "do_convert_rgb": True,
            "do_image_splitting": True,
            "do_normalize": True,
            "do_pad": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": HALF,
            "image_processor_type": T("Idefics2"),
            "image_std": HALF,
            "processor_class": "Idefics2Processor",
            "resample": 2,
            "rescale_factor": R255,
            "size": {"longest_edge": S(90, 110), "shortest_edge": S()},
        },
        [[[P]], [[Q, E], [P]], [[TALL]], [[TINY], [RGBA]]],
        shape="nested",
    )
    add(
        "idefics2_odd",
        {"image_processor_type": T("Idefics2"), "size": {"height": 50, "width": 60}, "resample": 1},
        [[[P, Q], [E]]],
        shape="nested",
    )
    add(
        "idefics2_no_pad",
        {"image_processor_type": T("Idefics2"), "size": sq(50), "do_pad": False},
        [[[P, Q]]],
        shape="nested",
    )
    add(
        "ultravbert_default",
        {"image_processor_type": T("UltraVBert"), "size": {"longest_edge": 1024}},
        [[[P]]],
        backends=TV,
        shape="nested",
    )
    add(
        "ultravbert",
        {
            "image_processor_type": T("UltraVBert"),
            "size": {"longest_edge": S(190, 240)},
            "max_image_size": {"longest_edge": S(40, 56)},
            "max_image_tiles": 9,
        },
        [[[P]], [[Q, TALL]], [[TINY], [RGBA, E]]],
        backends=TV,
        shape="nested",
    )
    add(
        "ultravbert_whole",
        {
            "image_processor_type": T("UltraVBert"),
            "size": {"longest_edge": 130},
            "max_image_size": {"longest_edge": 50},
            "do_image_splitting": False,
            "resample": 3,
        },
        [[[P]]],
        backends=TV,
        shape="nested",
    )
    add(
        "ultravbert_rows",
        {
            "image_processor_type": T("UltraVBert"),
            "size": {"longest_edge": 160},
            "max_image_size": {"longest_edge": 64},
        },
        [[[P, Q]]],
        backends=TV,
        shape="nested",
        call={"return_row_col_info": True},
    )
    add("granite_docling_default", {"image_processor_type": T("GraniteDocling")}, [[[P]]], shape="nested")
    add(
        "granite_docling",
        {"image_processor_type": T("GraniteDocling"), "size": sq(S(50, 70)), "max_patches": 12},
        [[[G]], [[P, TALL]], [[TINY], [Q, SQUARE]], [[WIDE]]],
        shape="nested",
    )
    add(
        "granite_docling_dense",
        {
            "image_processor_type": T("GraniteDocling"),
            "size": sq(48),
            "max_patches": 6,
            "dense_max_patches": 20,
            "dense_max_scale": 0.9,
            "dense_min_aspect": 0.3,
            "dense_max_aspect": 1.6,
            "fine_route": True,
        },
        [[[B], [G]], [[Q]]],
        shape="nested",
    )
    add(
        "granite_docling_off",
        {"image_processor_type": T("GraniteDocling"), "size": sq(60), "crop_to_patches": False},
        [[[P, Q]]],
        shape="nested",
    )
    add("step3p7_default", {"image_processor_type": T("Step3p7")}, [[P]], backends=TV)
    add(
        "step3p7",
        {"image_processor_type": T("Step3p7"), "size": sq(S(80, 110)), "patch_size": S(50, 70)},
        [[P], [Q], [B], [TALL], [STRIP], [P, SQUARE, WIDE], [TINY]],
        backends=TV,
    )
    add(
        "step3p7_odd",
        {
            "image_processor_type": T("Step3p7"),
            "size": sq(72),
            "patch_size": 40,
            "max_image_size": 200,
            "resample": 3,
            "image_mean": HALF,
            "image_std": HALF,
        },
        [[B], [GREY]],
        backends=TV,
    )
    add("kosmos2_5_default", {"image_processor_type": T("Kosmos2_5"), "max_patches": 1024}, [[P]], tolerance=True)
    add(
        "kosmos2_5_hub",
        {
            "do_convert_rgb": True,
            "do_normalize": True,
            "image_processor_type": T("Kosmos2_5"),
            "max_patches": S(30, 60),
            "patch_size": {"height": 16, "width": 16},
            "processor_class": "Kosmos2_5Processor",
        },
        [[P], [TALL], [P, Q], [GREY]],
        tolerance=True,
    )
    add(
        "kosmos2_5_odd",
        {"image_processor_type": T("Kosmos2_5"), "max_patches": 25, "patch_size": {"height": 10, "width": 14}},
        [[E]],
        tolerance=True,
    )
    add("pix2struct_default", {"image_processor_type": T("Pix2Struct"), "max_patches": 512}, [[G]], tolerance=True)
    add(
        "pix2struct_hub",
        {
            "do_convert_rgb": True,
            "do_normalize": True,
            "image_processor_type": T("Pix2Struct"),
            "is_vqa": False,
            "max_patches": S(30, 60),
            "patch_size": {"height": 16, "width": 16},
            "processor_class": "Pix2StructProcessor",
        },
        [[P], [TALL], [P, Q], [GREY]],
        tolerance=True,
    )
    add(
        "pix2struct_odd",
        {
            "image_processor_type": T("Pix2Struct"),
            "max_patches": 25,
            "patch_size": {"height": 10, "width": 14},
            "do_normalize": False,
        },
        [[E]],
        tolerance=True,
    )
    add("fuyu_default", {"image_processor_type": T("Fuyu")}, [[P]])
    add(
        "fuyu_hub",
        {
            "do_normalize": True,
            "do_pad": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": 0.5,
            "image_processor_type": T("Fuyu"),
            "image_std": 0.5,
            "padding_mode": "constant",
            "padding_value": 1.0,
            "patch_size": {"height": 30, "width": 30},
            "processor_class": "FuyuProcessor",
            "rescale_factor": R255,
            "resample": 2,
            "size": {"height": S(90, 120), "width": S(100, 150)},
        },
        [[P], [Q, TINY], [TALL]],
    )
    add(
        "fuyu_odd",
        {
            "image_processor_type": T("Fuyu"),
            "size": {"height": 100, "width": 90},
            "padding_value": 128,
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
            "resample": 3,
        },
        [[WIDE], [E]],
    )
    add("flava_default", {"image_processor_type": T("Flava")}, [[P]])
    n = S()
    add(
        "flava_hub",
        {
            "codebook_crop_size": 112,
            "codebook_do_center_crop": True,
            "codebook_do_map_pixels": True,
            "codebook_do_normalize": True,
            "codebook_do_resize": True,
            "codebook_image_mean": [0.0, 0.0, 0.0],
            "codebook_image_std": [1.0, 1.0, 1.0],
            "codebook_resample": 1,
            "codebook_size": 112,
            "crop_size": n,
            "do_center_crop": True,
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "FlavaFeatureExtractor",
            "image_mean": CM,
            "image_std": CS,
            "input_size_patches": 14,
            "mask_group_max_aspect_ratio": None,
            "mask_group_max_patches": None,
            "mask_group_min_aspect_ratio": 0.3,
            "mask_group_min_patches": 16,
            "resample": 3,
            "size": n,
            "total_mask_patches": 75,
        },
        [[P], [Q, E]],
    )
    add(
        "flava_codebook",
        {
            "image_processor_type": T("Flava"),
            "size": sq(48),
            "crop_size": sq(40),
            "codebook_size": {"height": 40, "width": 44},
            "codebook_crop_size": sq(36),
        },
        [[P], [Q, E]],
        call={"return_codebook_pixels": True},
    )
    add(
        "flava_codebook_odd",
        {
            "image_processor_type": T("Flava"),
            "size": sq(40),
            "crop_size": sq(51),
            "return_codebook_pixels": True,
            "codebook_size": sq(30),
            "codebook_crop_size": sq(37),
            "codebook_do_map_pixels": False,
            "codebook_resample": 3,
        },
        [[N]],
    )
    clusters = [[round(r.uniform(-1, 1), 6) for _ in range(3)] for _ in range(64)]
    add(
        "imagegpt_hub",
        {
            "clusters": clusters,
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "ImageGPTFeatureExtractor",
            "resample": 2,
            "size": 32,
        },
        [[P], [Q, E]],
    )
    add("imagegpt_pixels", {"image_processor_type": T("ImageGPT"), "size": sq(S()), "do_color_quantize": False}, [[P]])
    add(
        "imagegpt_odd",
        {
            "clusters": clusters[:17],
            "image_processor_type": T("ImageGPT"),
            "size": {"height": 21, "width": 30},
            "resample": 3,
        },
        [[TALL], [TINY]],
    )

    # ---- patches
    for name, extra in (
        ("CohereCompass", {}),
        ("Ernie4_5_VLMoe", {}),
        ("HunYuanVL", {}),
        ("PaddleOCRVL", {}),
        ("VideoLlama3", {}),
        ("MiniMaxM3VL", {}),
    ):
        k, only = name.lower(), dict(backends=TV) if name == "MiniMaxM3VL" else {}
        add(k + "_default", {"image_processor_type": T(name)}, [[P]], **only)
        size = {"size": {"shortest_edge": 3136, "longest_edge": S(9000, 20000)}}
        add(k, {"image_processor_type": T(name), **size}, [[P], [Q, E], [TALL], [RGBA]], **only)
        hub = size if name == "Ernie4_5_VLMoe" else {"min_pixels": 784, "max_pixels": S(9000, 12544)}
        add(
            k + "_hub",
            {
                **hub,
                "patch_size": 14,
                "temporal_patch_size": r.choice([1, 2]),
                "merge_size": 2,
                "image_mean": HALF,
                "image_std": HALF,
                "image_processor_type": T(name),
                "do_convert_rgb": True,
            },
            [[P], [TINY]],
            **only,
        )
        add(
            k + "_odd",
            {
                "image_processor_type": T(name) + "Fast",
                "size": {"shortest_edge": 1000, "longest_edge": 8000},
                "patch_size": 6,
                "merge_size": 3,
                "temporal_patch_size": 2,
                "resample": 2,
            },
            [[E], [WIDE]],
            **only,
        )
    add("minimaxm3vl_672", {"image_processor_type": T("MiniMaxM3VL"), "size": [672, 672]}, [[P]], backends=TV)
    for name in ("Cosmos3Edge", "Glmga"):
        k = name.lower()
        add(k + "_default", {"image_processor_type": T(name)}, [[P]])
        add(
            k,
            {
                "image_processor_type": T(name),
                "size": {"shortest_edge": 3136, "longest_edge": S(9000, 30000)},
                **({"patch_expand_factor": 2} if name == "Glmga" else {}),
            },
            [[P], [Q, E], [TALL], [TINY]],
        )
        add(
            k + "_odd",
            {
                "image_processor_type": T(name),
                "size": {"shortest_edge": 1000, "longest_edge": 16000},
                "patch_size": 6,
                "merge_size": 3,
                "temporal_patch_size": 2,
                "image_mean": IN_MEAN,
                "image_std": IN_STD,
            },
            [[E], [RGBA]],
        )
    add("glm5next_default", {"image_processor_type": T("Glm5Next")}, [[P], [TINY]])
    add(
        "glm5next",
        {"image_processor_type": T("Glm5Next"), "min_image_tokens": 4, "max_image_tokens": S(20, 60)},
        [[P], [Q, E], [TALL], [TINY], [RGBA]],
    )
    add(
        "glm5next_odd",
        {
            "image_processor_type": T("Glm5Next"),
            "min_image_tokens": 30,
            "max_image_tokens": 50,
            "patch_size": 8,
            "temporal_patch_size": 1,
            "merge_size": 3,
            "resample": 2,
        },
        [[E], [WIDE]],
    )
    add(
        "glm5next_expand",
        {
            "image_processor_type": T("Glm5Next"),
            "min_image_tokens": 4,
            "max_image_tokens": 30,
            "patch_expand_factor": 2,
        },
        [[P]],
    )
    add("glm_image_default", {"image_processor_type": T("GlmImage")}, [[P]])
    add(
        "glm_image",
        {"image_processor_type": T("GlmImage"), "size": {"shortest_edge": 96 * 96, "longest_edge": 200 * 200}},
        [[P], [Q, E], [SQUARE], [RGBA]],
    )
    add(
        "glm_image_hub",
        {
            "min_pixels": 262144,
            "max_pixels": 4194304,
            "patch_size": 16,
            "merge_size": 1,
            "temporal_patch_size": 1,
            "image_processor_type": T("GlmImage") + "Fast",
        },
        [[P]],
    )
    add("kimi_k25_default", {"image_processor_type": T("Kimi_K25")}, [[P]], backends=TV)
    add(
        "kimi_k25",
        {"image_processor_type": T("Kimi_K25"), "max_patches": S(40, 80)},
        [[P], [Q, E], [TALL], [TINY], [RGBA]],
        backends=TV,
    )
    add(
        "kimi_k25_odd",
        {
            "image_processor_type": T("Kimi_K25"),
            "size": {"max_height": 10, "max_width": 10},
            "patch_size": 7,
            "merge_size": 3,
            "resample": 2,
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
        },
        [[P], [WIDE]],
        backends=TV,
    )
    add("muse_glimmer_default", {"image_processor_type": T("MuseGlimmer")}, [[P]], backends=TV)
    add(
        "muse_glimmer",
        {"image_processor_type": T("MuseGlimmer"), "max_image_tokens": S(8, 30)},
        [[P], [Q, E], [TALL], [TINY], [RGBA]],
        backends=TV,
    )
    add(
        "muse_glimmer_odd",
        {
            "image_processor_type": T("MuseGlimmer"),
            "max_image_tokens": 12,
            "patch_size": 7,
            "merge_size": 3,
            "temporal_patch_size": 1,
            "resample": 3,
        },
        [[E], [SQUARE]],
        backends=TV,
    )
    add(
        "nemotron_default",
        {"image_processor_type": T("NemotronH_Omni_Reasoning_V3"), "max_num_patches": 1100},
        [[P]],
        backends=TV,
        tolerance=True,
    )
    add(
        "nemotron",
        {
            "image_processor_type": T("NemotronH_Omni_Reasoning_V3"),
            "min_num_patches": 16,
            "max_num_patches": S(60, 120),
            "norm_mean": CM,
            "norm_std": CS,
        },
        [[P], [Q, E], [TALL], [RGBA]],
        backends=TV,
        tolerance=True,
    )
    add(
        "nemotron_odd",
        {
            "image_processor_type": T("NemotronH_Omni_Reasoning_V3"),
            "min_num_patches": 40,
            "max_num_patches": 50,
            "patch_size": 10,
            "downsample_ratio": 0.25,
            "max_model_len": 10,
            "image_mean": HALF,
            "image_std": HALF,
        },
        [[TINY], [WIDE]],
        backends=TV,
        tolerance=True,
    )
    add("neomme_default", {"image_processor_type": T("NeoMME")}, [[P], [RGBA]], backends=TV)
    add(
        "neomme",
        {
            "image_processor_type": T("NeoMME"),
            "size": {"min_pixels": 4000, "max_pixels": S(9000, 12000)},
            "patch_size": 16,
        },
        [[P], [Q, E], [TALL], [TINY]],
        backends=TV,
    )
    add(
        "neomme_side",
        {"image_processor_type": T("NeoMME"), "max_side": 70, "patch_size": 9, "resample": 3},
        [[P], [WIDE, TINY]],
        backends=TV,
    )
    add(
        "neomme_both",
        {
            "image_processor_type": T("NeoMME"),
            "size": {"min_pixels": 30000, "max_pixels": 31000},
            "max_side": 200,
            "patch_size": 20,
        },
        [[E], [TALL], [SQUARE]],
        backends=TV,
    )
    add("inkling_default", {"image_processor_type": T("Inkling")}, [[P]], backends=TV)
    add(
        "inkling",
        {"image_processor_type": T("Inkling"), "size": sq(S(20, 40)), "rescale_image_frac": 0.5},
        [[P], [Q, E], [TINY], [RGBA]],
        backends=TV,
    )
    add(
        "inkling_odd",
        {
            "image_processor_type": T("Inkling"),
            "size": sq(25),
            "rescale_image_frac": 3.0,
            "rescale_image_max_upscaled_long_edge": 150,
            "resample": 3,
        },
        [[N], [TALL], [SQUARE]],
        backends=TV,
    )
    add("inkling2_default", {"image_processor_type": T("Inkling2")}, [[P], [RGBA]], backends=TV)
    add(
        "inkling2",
        {"image_processor_type": T("Inkling2"), "size": {"height": S(20, 40), "width": S(20, 40)}},
        [[P], [Q, E], [TINY], [NRGBA], [LA], [GREY]],
        backends=TV,
    )
    add(
        "inkling2_odd",
        {
            "image_processor_type": T("Inkling2"),
            "size": sq(30),
            "do_rescale": False,
            "image_mean": [127.0, 110.0, 99.0],
            "image_std": [50.0, 60.0, 70.0],
        },
        [[E]],
        backends=TV,
    )
    add("gemma4_unified_default", {"image_processor_type": T("Gemma4Unified")}, [[P]], backends=TV)
    add(
        "gemma4_unified",
        {"image_processor_type": T("Gemma4Unified"), "max_soft_tokens": 70},
        [[P], [Q, E], [TALL], [RGBA], [TINY]],
        backends=TV,
    )
    add(
        "gemma4_unified_odd",
        {
            "image_processor_type": T("Gemma4Unified"),
            "max_soft_tokens": 70,
            "patch_size": 8,
            "pooling_kernel_size": 2,
            "do_normalize": True,
            "image_mean": HALF,
            "image_std": HALF,
            "resample": 2,
        },
        [[WIDE], [SQUARE]],
        backends=TV,
    )
    add("minicpmv4_6_default", {"image_processor_type": T("MiniCPMV4_6")}, [[P], [B]])
    add(
        "minicpmv4_6",
        {"image_processor_type": T("MiniCPMV4_6"), "scale_resolution": S(100, 140), "max_slice_nums": 9},
        [[P], [Q, E], [TALL], [TINY], [RGBA]],
    )
    add(
        "minicpmv4_6_odd",
        {
            "image_processor_type": T("MiniCPMV4_6"),
            "scale_resolution": 112,
            "max_slice_nums": 4,
            "downsample_mode": "4x",
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
        },
        [[B], [WIDE]],
    )
    add(
        "minicpmv4_6_whole",
        {"image_processor_type": T("MiniCPMV4_6"), "scale_resolution": 112, "slice_mode": False},
        [[P, G]],
    )
    add("minicpm_ocr_default", {"image_processor_type": T("MiniCPMOcr")}, [[P], [B]], backends=TV)
    add(
        "minicpm_ocr",
        {"image_processor_type": T("MiniCPMOcr"), "scale_resolution": S(100, 140)},
        [[P], [Q, E], [TALL], [TINY], [RGBA]],
        backends=TV,
    )
    add(
        "minicpm_ocr_never",
        {
            "image_processor_type": T("MiniCPMOcr"),
            "scale_resolution": 112,
            "small_image_upsize": "never",
            "downsample_mode": "16x",
        },
        [[N], [P]],
        backends=TV,
    )
    add(
        "minicpm_ocr_adaptive",
        {"image_processor_type": T("MiniCPMOcr"), "scale_resolution": 112, "small_image_upsize": "adaptive"},
        [[N], [G], [TINY]],
        backends=TV,
        later=True,
    )
    add("molmo2_default", {"image_processor_type": T("Molmo2")}, [[P]], backends=TV)
    add(
        "molmo2",
        {
            "image_processor_type": T("Molmo2"),
            "size": sq(84),
            "patch_size": 7,
            "overlap_margins": [2, 2],
            "max_crops": S(5, 8),
        },
        [[P], [Q, E], [RGBA], [WIDE]],
        backends=TV,
    )
    add(
        "molmo2_odd",
        {
            "image_processor_type": T("Molmo2"),
            "size": sq(70),
            "patch_size": 14,
            "overlap_margins": [1, 0],
            "max_crops": 4,
            "pooling_size": [2, 3],
            "resample": 3,
        },
        [[P], [SQUARE]],
        backends=TV,
    )
    add("emu3_default", {"image_processor_type": T("Emu3")}, [[P]], backends=[None])
    add(
        "emu3",
        {"image_processor_type": T("Emu3"), "min_pixels": 4096, "max_pixels": S(9000, 16000)},
        [[P], [Q, E], [TALL], [RGBA]],
        backends=[None],
    )
    add(
        "emu3_odd",
        {
            "image_processor_type": T("Emu3"),
            "min_pixels": 1000,
            "max_pixels": 5000,
            "spatial_factor": 12,
            "image_mean": HALF,
            "image_std": HALF,
            "resample": 2,
            "do_pad": True,
        },
        [[TINY], [E, P]],
        backends=[None],
    )
    for k, cfg in (
        (
            "resnet",
            {
                "crop_pct": 0.95,
                "interpolation": "bicubic",
                "mean": IN_MEAN,
                "std": IN_STD,
                "input_size": [3, 224, 224],
                "crop_mode": "center",
                "fixed_input_size": False,
            },
        ),
        (
            "vit",
            {
                "crop_pct": 0.9,
                "interpolation": "bicubic",
                "mean": HALF,
                "std": HALF,
                "input_size": [3, 48, 48],
                "fixed_input_size": True,
                "crop_mode": "center",
            },
        ),
        (
            "squash",
            {
                "crop_pct": 1.0,
                "interpolation": "bilinear",
                "mean": CM,
                "std": CS,
                "input_size": [3, 60, 50],
                "crop_mode": "squash",
            },
        ),
        (
            "border",
            {
                "crop_pct": 0.875,
                "interpolation": "bicubic",
                "mean": IN_MEAN,
                "std": IN_STD,
                "input_size": [3, 56, 56],
                "crop_mode": "border",
            },
        ),
        ("tf", {"crop_pct": 0.875, "interpolation": "lanczos", "mean": HALF, "std": HALF, "input_size": [3, 61, 61]}),
    ):
        add(
            "timm_" + k,
            {
                "architecture": "resnet50",
                "num_classes": 1000,
                "pretrained_cfg": {
                    "tag": "x",
                    "hf_hub_id": "timm/x",
                    "custom_load": False,
                    "num_classes": 1000,
                    "classifier": "fc",
                    **cfg,
                },
            },
            [[P], [Q, E], [TALL], [TINY]],
            backends=[None],
            file="config.json",
        )

    add(
        "deepseek_vl_border",
        {"image_processor_type": T("DeepseekVL"), "size": sq(48)},
        [[P]],
        call={"image_mean": [0.2, 0.3, 0.9]},
    )
    add(
        "deepseek_vl_null_mean",
        {"image_processor_type": T("DeepseekVL"), "size": sq(48), "image_mean": None, "do_normalize": False},
        [[Q]],
    )
    add(
        "deepseek_vl_hybrid_border",
        {"image_processor_type": T("DeepseekVLHybrid"), "size": sq(40), "high_res_size": sq(60)},
        [[Q]],
        call={"high_res_image_mean": [0.2, 0.3, 0.9], "image_mean": [0.1, 0.5, 0.6]},
    )

    # ---- what Python refuses
    def no(id, cfg, group, **opt):
        add("refused_" + id, cfg, [group], refused=True, **{"backends": TV, **opt})

    no("bridgetower", {"image_processor_type": T("BridgeTower"), "size": 40, "size_divisor": 16}, [TALL], backends=BOTH)
    no("vilt", {"image_processor_type": T("Vilt"), "size": 40, "size_divisor": 32}, [TALL], backends=BOTH)
    no("mllama_pad", {"image_processor_type": T("Mllama"), "do_pad": False}, [[P]], shape="nested", backends=BOTH)
    no(
        "mllama_size",
        {"image_processor_type": T("Mllama"), "size": {"height": 60, "width": 61}},
        [[P]],
        shape="nested",
        backends=BOTH,
    )
    no("llama4_resize", {"image_processor_type": T("Llama4"), "do_resize": False}, [P])
    no("llama4_size", {"image_processor_type": T("Llama4"), "size": {"height": 60, "width": 61}}, [P])
    no("aria_size", {"image_processor_type": T("Aria"), "max_image_size": 700}, [P], backends=BOTH)
    no("gemma4_unified_tokens", {"image_processor_type": T("Gemma4Unified"), "max_soft_tokens": 100}, [P])
    no("kimi_size", {"image_processor_type": T("Kimi_K25"), "size": {"max_height": 50, "max_width": 60}}, [P])
    no("glm_image_ratio", {"image_processor_type": T("GlmImage")}, [TALL], backends=BOTH)
    no(
        "deepseek_vl_size",
        {"image_processor_type": T("DeepseekVL"), "size": {"height": 60, "width": 61}},
        [P],
        backends=BOTH,
    )
    no("phi4_size", {"image_processor_type": T("Phi4Multimodal"), "size": {"height": 70, "width": 84}}, [P])
    no("molmo2_size", {"image_processor_type": T("Molmo2"), "size": {"height": 70, "width": 84}}, [P])
    no("inkling_size", {"image_processor_type": T("Inkling"), "size": {"height": 30, "width": 40}}, [P])
    no("inkling_resize", {"image_processor_type": T("Inkling"), "do_resize": False}, [P])
    no("minicpm_ocr_resize", {"image_processor_type": T("MiniCPMOcr"), "do_resize": False}, [P])
    no("pairs_of_three", {"image_processor_type": T("LightGlue")}, [P, Q, E], backends=BOTH)
    no("imagegpt_clusters", {"image_processor_type": T("ImageGPT")}, [P], backends=BOTH)
    no("pix2struct_header", {"image_processor_type": T("Pix2Struct"), "is_vqa": True}, [P], backends=BOTH)
    no("ocr_limit", {"image_processor_type": T("PPOCRV5ServerDet"), "limit_type": "mean"}, [P])
    no("bridgetower_crop", {"image_processor_type": T("BridgeTower"), "size": 60, "crop_size": 48}, [P], backends=BOTH)
    no("neomme_size", {"image_processor_type": T("NeoMME"), "size": {"height": 50, "width": 60}}, [P])
    no(
        "cohere_compass_size",
        {"image_processor_type": T("CohereCompass"), "size": {"height": 50, "width": 60}},
        [P],
        backends=BOTH,
    )
    # ---- classes of a later release: at the end, so that what is drawn for the others stays
    add("apertus1p5_default", {"image_processor_type": T("Apertus1p5")}, [[P]], backends=TV)
    apertus = lambda least, most: {
        "image_processor_type": T("Apertus1p5"),
        "size": {"min_pixels": least, "max_pixels": most},
    }
    add("apertus1p5", apertus(4096, S(9000, 16000)), [[P], [Q, E], [TALL], [RGBA], [TINY, WIDE, N]], backends=TV)
    add(
        "apertus1p5_odd",
        {**apertus(1000, 5000), "spatial_factor": 12, "image_mean": IN_MEAN, "image_std": IN_STD, "resample": 2},
        [[TINY], [E, P]],
        backends=TV,
    )
    add("apertus1p5_unpadded", {**apertus(1000, 5000), "do_pad": False}, [[P], [P, P]], backends=TV)
    add("apertus1p5_own", {"image_processor_type": T("Apertus1p5"), "do_resize": False}, [[STRIP, TINY]], backends=TV)
    add("hyv4vl_default", {"image_processor_type": T("HYV4VL")}, [[P]])
    hy = {"shortest_edge": 1000, "longest_edge": S(9000, 20000)}
    add("hyv4vl", {"image_processor_type": T("HYV4VL"), "size": hy}, [[P], [Q, E], [TALL], [RGBA]])
    add(
        "hyv4vl_hub",
        {
            "image_processor_type": T("HYV4VL"),
            "min_pixels": 1024,
            "max_pixels": S(9000, 12544),
            "patch_size": 16,
            "temporal_patch_size": 1,
            "merge_size": 2,
            "image_mean": HALF,
            "image_std": HALF,
            "resample": 1,
        },
        [[P], [TINY]],
    )
    add(
        "hyv4vl_odd",
        {
            "image_processor_type": T("HYV4VL") + "Fast",
            "size": {"shortest_edge": 1000, "longest_edge": 8000},
            "patch_size": 6,
            "merge_size": 3,
            "temporal_patch_size": 2,
        },
        [[E], [WIDE]],
    )
    no("apertus1p5_size", {"image_processor_type": T("Apertus1p5"), "size": sq(60)}, [P])
    no("hyv4vl_size", {"image_processor_type": T("HYV4VL"), "size": sq(60)}, [P], backends=BOTH)
    return out


def structure(out, group, shape):
    """(what Python gets, what the case says)."""
    one = out.pil
    if shape == "video":
        return [[one(n) for n in group]], [group]
    if shape == "frames":  # one video, as a list of its frames
        return [[one(n) for n in group]], group
    if shape == "pairs":
        return [[one(a), one(b)] for a, b in group], group
    if shape == "nested":
        return [[one(n) for n in part] for part in group], group
    return ([one(n) for n in group] if len(group) > 1 else one(group[0])), group


def call(processor, arg, extra, call_kwargs):
    for kwargs in (dict(return_tensors="pt"), {}):
        try:
            res = processor(copy.copy(arg), **extra, **call_kwargs, **kwargs)
            return res, kwargs.get("return_tensors")
        except (ValueError, RuntimeError, TypeError) as e:
            first = e
            if kwargs and (
                "Unable to" in str(e)
                or "batched tensors" in str(e)
                or "return_tensors" in str(e)
                or "stack expects" in str(e)
                or "ragged" in str(e)
            ):
                continue
            raise
    raise first


def write_folder(tmp, name, files):
    d = os.path.join(tmp, name)
    os.makedirs(d)
    for rel, content in files.items():
        with open(os.path.join(d, rel), "w") as f:
            json.dump(content, f)
    return d


def run_images(out, r, more=None, grep="", todo=None, existing=False):
    """existing: configurations that Python does not take are left out."""
    todo = todo or specs(r) + (more(r) if more else [])
    prefix = "existing_" if existing else ""
    assert len({t[0] for t in todo}) == len(todo)
    tmp = tempfile.mkdtemp()
    failed, n = [], 0
    for sid, cfg, groups, opt in todo:
        if grep not in sid:
            continue
        cfg_rel = out.config(prefix + sid, cfg)
        d = write_folder(tmp, sid, {opt.get("file", "preprocessor_config.json"): cfg, **opt.get("files", {})})
        for backend in opt.get("backends", BOTH):
            try:
                kwargs = {"backend": backend} if backend else {}
                if opt.get("files"):
                    kwargs["repo_path"] = d
                proc = AutoImageProcessor.from_pretrained(d, **kwargs)
            except Exception as e:
                if opt.get("refused"):
                    files = lambda v: [files(x) for x in v] if isinstance(v, list) else out.inputs[v]["file"]
                    out.cases.append(
                        dict(
                            id=f"{sid}_{backend}",
                            kind="image",
                            type=cfg["image_processor_type"],
                            backend=backend,
                            config=cfg_rel,
                            images=files(structure(out, groups[0], opt.get("shape"))[1]),
                            error=type(e).__name__,
                        )
                    )
                    n += 1
                    continue
                if not opt.get("may_fail"):
                    failed.append((sid, backend, "load", repr(e)[:300]))
                continue
            actual = getattr(proc, "backend", "pil")
            for gi, group in enumerate(groups):
                cid = f"{prefix}{sid}_{backend or 'auto'}_{gi}"
                arg, said = structure(out, group, opt.get("shape"))
                extra = {}
                for k, v in opt.get("extra", {}).items():
                    extra[k] = [out.pil(x) for x in v] if k in ("prompt_images", "prompt_masks", "trimaps") else v
                try:
                    res, tensors = call(proc, arg, extra, opt.get("call", {}))
                    assert not opt.get("refused"), (sid, backend, "not refused")
                    if existing and (
                        tensors is None or (res["pixel_values"].ndim == 4 and res["pixel_values"].shape[1] > 4)
                    ):
                        raise ValueError("the pictures have different sizes, or Python turned the wrong axes")
                except AssertionError:
                    raise
                except Exception as e:
                    if opt.get("refused"):
                        files = lambda v: [files(x) for x in v] if isinstance(v, list) else out.inputs[v]["file"]
                        out.cases.append(
                            dict(
                                id=f"{sid}_{backend}",
                                kind="image",
                                type=cfg["image_processor_type"],
                                backend=backend,
                                config=cfg_rel,
                                images=files(said),
                                error=type(e).__name__,
                            )
                        )
                        n += 1
                        continue
                    if not opt.get("may_fail") or os.environ.get("VERBOSE"):
                        failed.append((sid, backend, group, repr(e)[:300]))
                    continue
                if isinstance(res, torch.Tensor) or not hasattr(res, "items"):
                    res = {"pixel_values": res}
                files = lambda v: [files(x) for x in v] if isinstance(v, list) else out.inputs[v]["file"]
                case = dict(
                    id=cid,
                    kind="image",
                    type=type(proc).__name__.removesuffix("Pil").removesuffix("Fast"),
                    backend=backend or "default",
                    numbers=actual,
                    config=cfg_rel,
                    images=files(said),
                )
                if opt.get("file") == "config.json":
                    case["timm"] = True
                if existing:
                    case["existing"] = True
                ex = {k: (files(v) if k.startswith("prompt_") else v) for k, v in opt.get("extra", {}).items()}
                if "trimaps" in ex:
                    case["trimaps"] = files(ex.pop("trimaps"))
                ex.update(opt.get("call", {}))
                if ex:
                    case["options"] = ex
                if opt.get("tolerance"):
                    case.update(
                        cpu_dependent=True,
                        tolerance=1e-4 if type(proc).__name__.startswith(("Pix2Struct", "Kosmos2_5")) else 2e-5,
                    )
                if opt.get("later"):
                    case["later"] = True
                case["outputs"] = {k: out.record(v, opt.get("tolerance")) for k, v in res.items()}
                out.cases.append(case)
                n += 1
    shutil.rmtree(tmp)
    print("existing cases" if existing else "image cases", n, f"left out {len(failed)}" if existing else "")
    for f in failed:
        if not existing or os.environ.get("VERBOSE"):
            print("FAILED", f)
