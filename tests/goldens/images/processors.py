"""The goldens of image processors, for generate.py."""

import gzip
import io
import json
import os
import random
import shutil
import tempfile

import numpy as np
import torch
from PIL import Image

import reference as R
from record import record

import transformers
from transformers import AutoImageProcessor

IN_MEAN, IN_STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
HALF = [0.5, 0.5, 0.5]


def specs(r):
    """-> list of (id, config as written to preprocessor_config.json, list of input groups, options)."""
    RGB = ["photo_portrait_rgb", "edges_rgb", "noise_rgb", "text_rgb", "lines_rgb", "tall_rgb2", "photo_rgb"]
    two = lambda: [[n] for n in r.sample(RGB, 2)]
    three = lambda: [[n] for n in r.sample(RGB, 3)]
    modes = lambda: [
        [r.choice(RGB)],
        ["photo_rgba"],
        [r.choice(["noise_la", "edges_la"])],
        [r.choice(["text_l", "photo_l"])],
        [r.choice(["edges_rgba", "noise_rgba", "lines_rgba"])],
    ]
    S = lambda lo=36, hi=64: r.randint(lo, hi)
    sq = lambda n: {"height": n, "width": n}
    T = lambda n: n + "ImageProcessor"
    out = []

    def add(id, cfg, groups=None, **opt):
        out.append((id, cfg, groups or two(), opt))

    # ViT and the shared base class
    add("vit", {"image_processor_type": T("ViT"), "size": sq(S())}, three())
    add(
        "vit_rect",
        {
            "image_processor_type": T("ViT"),
            "size": {"height": S(), "width": S()},
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
        },
    )
    add("vit_default", {"image_processor_type": T("ViT")})
    for f in (0, 1, 3):
        add(f"vit_resample{f}", {"image_processor_type": T("ViT"), "size": sq(S()), "resample": f})
    for f in (4, 5):
        add(f"vit_resample{f}", {"image_processor_type": T("ViT"), "size": sq(S()), "resample": f}, backends=["pil"])
    add("vit_no_normalize", {"image_processor_type": T("ViT"), "size": sq(S()), "do_normalize": False})
    add(
        "vit_no_rescale",
        {
            "image_processor_type": T("ViT"),
            "size": sq(S()),
            "do_rescale": False,
            "image_mean": [127.5, 120.0, 110.25],
            "image_std": [58.4, 57.1, 57.4],
        },
    )
    add("vit_uint8", {"image_processor_type": T("ViT"), "size": sq(S()), "do_rescale": False, "do_normalize": False})
    add("vit_no_resize", {"image_processor_type": T("ViT"), "do_resize": False}, [["noise_rgb"], ["const_rgb"]])
    add(
        "vit_factor",
        {
            "image_processor_type": T("ViT"),
            "size": sq(S()),
            "rescale_factor": 1 / 127.5,
            "image_mean": [1.0, 1.0, 1.0],
            "image_std": [1.0, 1.0, 1.0],
        },
    )
    add("vit_convert_rgb_null", {"image_processor_type": T("ViT"), "size": sq(S()), "do_convert_rgb": None})
    add("vit_convert_rgb", {"image_processor_type": T("ViT"), "size": sq(S()), "do_convert_rgb": True}, modes())
    add(
        "vit_fast_name",
        {
            "image_processor_type": "ViTImageProcessorFast",
            "size": sq(S()),
            "do_center_crop": None,
            "crop_size": None,
            "data_format": "channels_first",
            "input_data_format": None,
            "device": None,
            "default_to_square": True,
            "return_tensors": None,
            "size_divisor": None,
            "processor_class": "ViTProcessor",
            "_valid_processor_keys": ["images", "do_resize", "size", "resample"],
        },
    )
    n = S()
    add(
        "clip_both_types",
        {
            "crop_size": sq(n),
            "do_center_crop": True,
            "do_convert_rgb": True,
            "do_normalize": True,
            "do_rescale": True,
            "do_resize": True,
            "feature_extractor_type": "CLIPFeatureExtractor",
            "image_mean": R.CLIP_MEAN,
            "image_processor_type": "CLIPImageProcessor",
            "image_std": R.CLIP_STD,
            "processor_class": "CLIPProcessor",
            "resample": 3,
            "rescale_factor": 0.00392156862745098,
            "size": {"shortest_edge": n},
            "use_square_size": False,
        },
    )
    add("siglip_int_size", {"image_processor_type": T("Siglip"), "size": S(), "do_convert_rgb": None})
    # legacy files, as feature extractors wrote them
    add(
        "vit_legacy",
        {
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "ViTFeatureExtractor",
            "image_mean": HALF,
            "image_std": HALF,
            "resample": 2,
            "size": S(),
        },
    )
    add(
        "swin_legacy",
        {
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "ViTFeatureExtractor",
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
            "resample": 3,
            "size": S(),
        },
    )
    n = S()
    add(
        "deit_legacy",
        {
            "crop_size": n,
            "do_center_crop": True,
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "DeiTFeatureExtractor",
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
            "resample": 3,
            "size": n + 8,
        },
    )
    n = S()
    add(
        "clip_legacy",
        {
            "crop_size": n,
            "do_center_crop": True,
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "CLIPFeatureExtractor",
            "image_mean": R.CLIP_MEAN,
            "image_std": R.CLIP_STD,
            "resample": 3,
            "size": n,
        },
        three(),
    )
    add(
        "convnext_legacy",
        {
            "crop_pct": 0.875,
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "ConvNextFeatureExtractor",
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
            "resample": 3,
            "size": S(),
        },
    )
    add(
        "segformer_legacy",
        {
            "align": False,
            "do_normalize": True,
            "do_random_crop": True,
            "do_resize": True,
            "feature_extractor_type": "SegformerFeatureExtractor",
            "image_mean": IN_MEAN,
            "image_scale": [2048, 512],
            "image_std": IN_STD,
            "resample": 2,
            "reduce_labels": True,
            "size": S(),
        },
    )
    add(
        "detr_legacy",
        {
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "DetrFeatureExtractor",
            "format": "coco_detection",
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
            "max_size": S(70, 100),
            "size": S(44, 60),
        },
        [["photo_portrait_rgb"], ["photo_rgb"], ["photo_rgb", "photo_portrait_rgb"]],
    )
    add(
        "yolos_legacy",
        {
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "YolosFeatureExtractor",
            "format": "coco_detection",
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
            "max_size": S(80, 120),
            "size": S(48, 64),
        },
        [["photo_portrait_rgb"], ["edges_rgb"]],
    )
    add(
        "beit_legacy",
        {
            "crop_size": 48,
            "do_center_crop": False,
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "BeitFeatureExtractor",
            "image_mean": HALF,
            "image_std": HALF,
            "resample": 2,
            "size": S(),
        },
    )
    add(
        "dpt_legacy",
        {
            "do_normalize": True,
            "do_resize": True,
            "ensure_multiple_of": 1,
            "feature_extractor_type": "DPTFeatureExtractor",
            "image_mean": HALF,
            "image_std": HALF,
            "keep_aspect_ratio": False,
            "resample": 2,
            "size": S(),
        },
    )
    add(
        "glpn_legacy",
        {
            "do_rescale": True,
            "do_resize": True,
            "feature_extractor_type": "GLPNFeatureExtractor",
            "resample": 2,
            "size_divisor": 32,
        },
        [["edges_rgb"], ["lines_rgb"]],
    )
    add(
        "mobilevit_legacy",
        {
            "crop_size": 44,
            "do_center_crop": True,
            "do_flip_channel_order": True,
            "do_resize": True,
            "feature_extractor_type": "MobileViTFeatureExtractor",
            "resample": 2,
            "size": 50,
        },
    )
    add(
        "owlvit_legacy",
        {
            "crop_size": 48,
            "do_center_crop": False,
            "do_normalize": True,
            "do_resize": True,
            "feature_extractor_type": "OwlViTFeatureExtractor",
            "image_mean": R.CLIP_MEAN,
            "image_std": R.CLIP_STD,
            "resample": 3,
            "rescale": False,
            "size": [S(), S()],
        },
    )
    add(
        "donut_legacy",
        {
            "do_align_long_axis": False,
            "do_normalize": True,
            "do_pad": True,
            "do_resize": True,
            "do_thumbnail": True,
            "feature_extractor_type": "DonutFeatureExtractor",
            "image_mean": HALF,
            "image_std": HALF,
            "resample": 2,
            "size": [64, 80],
        },
    )
    # current processors
    n = S()
    add("deit", {"image_processor_type": T("DeiT"), "size": sq(n + r.randint(4, 12)), "crop_size": sq(n)})
    n = S()
    add(
        "clip",
        {"image_processor_type": T("CLIP"), "size": {"shortest_edge": n}, "crop_size": sq(n)},
        modes() + [["tall_rgb2"], ["photo_rgb"]],
    )
    add("clip_default", {"image_processor_type": T("CLIP")}, [["photo_rgb"], ["photo_rgba"]])
    add(
        "clip_pad",
        {"image_processor_type": T("CLIP"), "do_resize": False, "crop_size": {"height": 151, "width": 70}},
        [["noise_rgb"], ["edges_rgb"], ["const_rgb"]],
    )
    add(
        "clip_pad_odd",
        {"image_processor_type": T("CLIP"), "size": {"shortest_edge": 40}, "crop_size": {"height": 61, "width": 47}},
        [["photo_rgb"], ["photo_portrait_rgb"]],
    )
    add("siglip", {"image_processor_type": T("Siglip"), "size": sq(S())}, modes())
    add("siglip_default", {"image_processor_type": T("Siglip")}, [["photo_rgb"]])
    add("siglip_null", {"image_processor_type": T("Siglip"), "size": sq(S()), "do_convert_rgb": None})
    add("siglip2", {"image_processor_type": T("Siglip2"), "patch_size": 8, "max_num_patches": r.randint(20, 64)})
    add("blip", {"image_processor_type": T("Blip"), "size": sq(S())}, modes()[:3])
    add(
        "convnext",
        {
            "image_processor_type": T("ConvNext"),
            "size": {"shortest_edge": S()},
            "crop_pct": r.choice([0.875, 0.95, 0.9]),
        },
        three(),
    )
    add("convnext_224", {"image_processor_type": T("ConvNext"), "size": {"shortest_edge": 224}})
    add(
        "convnext_default",
        {"image_processor_type": T("ConvNext"), "image_mean": IN_MEAN, "image_std": IN_STD},
        [["photo_rgb"]],
    )
    add(
        "clip_short_long",
        {
            "image_processor_type": T("CLIP"),
            "size": {"shortest_edge": S(44, 60), "longest_edge": S(62, 90)},
            "do_center_crop": False,
        },
        [["photo_rgb"], ["tall_rgb2"]],
    )
    add(
        "vit_max_hw",
        {"image_processor_type": T("ViT"), "size": {"max_height": S(), "max_width": S()}},
        [["photo_rgb"], ["photo_portrait_rgb"]],
    )
    add(
        "vit_pad",
        {"image_processor_type": T("ViT"), "size": sq(40), "do_pad": True, "pad_size": {"height": 47, "width": 44}},
    )
    add(
        "vit_lanczos_tall",
        {"image_processor_type": T("ViT"), "size": {"height": 40, "width": 60}, "resample": 1},
        [["tall_rgb2"]],
    )
    n = S()
    add(
        "mobilenet_v1", {"image_processor_type": T("MobileNetV1"), "size": {"shortest_edge": n + 7}, "crop_size": sq(n)}
    )
    n = S()
    add(
        "mobilenet_v2", {"image_processor_type": T("MobileNetV2"), "size": {"shortest_edge": n + 8}, "crop_size": sq(n)}
    )
    n = S()
    add(
        "mobilevit",
        {"image_processor_type": T("MobileViT"), "size": {"shortest_edge": n}, "crop_size": sq(n + r.choice([5, 6]))},
        three(),
    )
    add(
        "mobilevit_no_flip",
        {
            "image_processor_type": T("MobileViT"),
            "size": {"shortest_edge": 50},
            "crop_size": sq(44),
            "do_flip_channel_order": False,
        },
    )
    add("segformer", {"image_processor_type": T("Segformer"), "size": sq(S())})
    add(
        "detr",
        {"image_processor_type": T("Detr"), "size": {"shortest_edge": S(44, 60), "longest_edge": S(70, 100)}},
        [["photo_rgb"], ["tall_rgb2"], ["photo_rgb", "photo_portrait_rgb", "edges_rgb"]],
    )
    add("detr_default", {"image_processor_type": T("Detr")}, [["photo_rgb"]])
    add(
        "detr_no_pad",
        {"image_processor_type": T("Detr"), "size": {"shortest_edge": S(44, 60), "longest_edge": 90}, "do_pad": False},
        [["photo_portrait_rgb"]],
    )
    add(
        "detr_pad_size",
        {"image_processor_type": T("Detr"), "size": {"shortest_edge": 48, "longest_edge": 72}, "pad_size": sq(80)},
        [["photo_portrait_rgb", "photo_rgb"]],
    )
    add("rt_detr", {"image_processor_type": T("RTDetr"), "size": sq(S()), "do_normalize": False})
    add("rt_detr_normalize", {"image_processor_type": T("RTDetr"), "size": sq(S())})
    add(
        "grounding_dino",
        {"image_processor_type": T("GroundingDino"), "size": {"shortest_edge": S(44, 56), "longest_edge": S(70, 90)}},
        [["photo_rgb"], ["lines_rgb", "photo_portrait_rgb"]],
    )
    add(
        "yolos",
        {"image_processor_type": T("Yolos"), "size": {"shortest_edge": S(48, 70), "longest_edge": S(80, 120)}},
        [["photo_rgb"], ["photo_portrait_rgb"], ["photo_rgb", "lines_rgb"]],
    )
    add("sam", {"image_processor_type": T("Sam"), "size": {"longest_edge": 68}, "pad_size": sq(68)}, three())
    add("sam_default", {"image_processor_type": T("Sam")}, [["photo_rgb"], ["photo_portrait_rgb"]])
    add(
        "sam_rgba",
        {"image_processor_type": T("Sam"), "size": {"longest_edge": 60}, "pad_size": sq(64)},
        [["photo_rgba"], ["photo_l"]],
    )
    add("sam2", {"image_processor_type": T("Sam2"), "size": sq(64), "mask_size": sq(16)}, backends=["torchvision"])
    add("sam3", {"image_processor_type": T("Sam3"), "size": sq(56), "mask_size": sq(16)}, backends=["torchvision"])
    add("dpt", {"image_processor_type": T("DPT"), "size": sq(S())})
    add(
        "dpt_multiple",
        {
            "image_processor_type": T("DPT"),
            "size": {"height": S(), "width": S()},
            "keep_aspect_ratio": True,
            "ensure_multiple_of": 32,
        },
    )
    add(
        "dpt_pad",
        {"image_processor_type": T("DPT"), "size": {"height": S(), "width": S()}, "do_pad": True, "size_divisor": 14},
    )
    add(
        "depth_anything",
        {
            "image_processor_type": T("DPT"),
            "do_pad": False,
            "ensure_multiple_of": 14,
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
            "keep_aspect_ratio": True,
            "resample": 3,
            "size": sq(r.choice([56, 60, 70])),
            "size_divisor": None,
        },
        [["photo_portrait_rgb"], ["photo_rgb"], ["edges_rgb"], ["noise_rgb"]],
    )
    add(
        "depth_anything_518",
        {
            "image_processor_type": T("DPT"),
            "do_pad": False,
            "ensure_multiple_of": 14,
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
            "keep_aspect_ratio": True,
            "resample": 3,
            "size": sq(518),
            "size_divisor": None,
        },
        [["photo_rgb"]],
    )
    add("beit", {"image_processor_type": T("Beit"), "size": sq(S()), "do_center_crop": True, "crop_size": sq(40)})
    add(
        "poolformer",
        {
            "image_processor_type": T("PoolFormer"),
            "size": {"shortest_edge": S()},
            "crop_size": sq(40),
            "crop_pct": r.choice([0.9, 0.95]),
        },
    )
    add(
        "poolformer_hw",
        {"image_processor_type": T("PoolFormer"), "size": sq(S()), "crop_size": sq(40), "crop_pct": 0.9},
    )
    add(
        "efficientnet",
        {
            "image_processor_type": T("EfficientNet"),
            "size": sq(S()),
            "resample": 0,
            "image_mean": IN_MEAN,
            "image_std": [0.47853944, 0.4732864, 0.47434163],
        },
    )
    add(
        "efficientnet_offset",
        {
            "image_processor_type": T("EfficientNet"),
            "size": sq(S()),
            "rescale_offset": True,
            "rescale_factor": 1 / 127.5,
            "do_normalize": False,
            "include_top": False,
        },
    )
    add(
        "efficientnet_offset_norm",
        {
            "image_processor_type": T("EfficientNet"),
            "size": sq(S()),
            "rescale_offset": True,
            "rescale_factor": 1 / 127.5,
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
        },
    )
    add(
        "levit",
        {
            "image_processor_type": T("Levit"),
            "size": {"shortest_edge": S()},
            "crop_size": sq(40),
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
        },
    )
    n = S()
    add(
        "dinov2",
        {
            "image_processor_type": T("Bit"),
            "size": {"shortest_edge": n + 8},
            "crop_size": sq(n),
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
        },
        modes()[:3],
    )
    add(
        "dinov2_default",
        {
            "image_processor_type": T("Bit"),
            "size": {"shortest_edge": 256},
            "crop_size": sq(224),
            "image_mean": IN_MEAN,
            "image_std": IN_STD,
            "resample": 3,
            "do_convert_rgb": True,
        },
        [["photo_rgb"]],
    )
    add(
        "dinov3", {"image_processor_type": T("DINOv3ViT"), "size": sq(S())}, backends=["torchvision"], float_resize=True
    )
    add("swin2sr", {"image_processor_type": T("Swin2SR")}, [["noise_rgb"], ["const_rgb"]])
    add(
        "donut",
        {"image_processor_type": T("Donut"), "size": {"height": S(60, 80), "width": S(50, 60)}},
        [["photo_rgb"], ["photo_portrait_rgb"], ["edges_rgb"]],
    )
    add(
        "donut_align",
        {"image_processor_type": T("Donut"), "size": {"height": 80, "width": 48}, "do_align_long_axis": True},
        [["edges_rgb"]],
    )
    add(
        "nougat",
        {"image_processor_type": T("Nougat"), "size": {"height": 72, "width": 54}},
        [["text_rgb"], ["photo_portrait_rgb"]],
    )
    add("owlvit", {"image_processor_type": T("OwlViT"), "size": sq(S())})
    add("owlv2", {"image_processor_type": T("Owlv2"), "size": sq(S())}, backends=["torchvision"], float_resize=True)
    add("glpn", {"image_processor_type": T("GLPN"), "size_divisor": 32}, [["edges_rgb"], ["lines_rgb"]])
    add("chmv2", {"image_processor_type": T("CHMv2"), "size": sq(64)}, backends=["torchvision"])
    n = S()
    add(
        "videomae",
        {"image_processor_type": T("VideoMAE"), "size": {"shortest_edge": n}, "crop_size": sq(n)},
        [["photo_rgb", "photo_rgb"]],
        video=True,
    )
    for nm in ("Idefics3", "SmolVLM"):
        add(
            nm.lower(),
            {"image_processor_type": T(nm), "size": {"longest_edge": 96}, "max_image_size": {"longest_edge": 48}},
            [["photo_rgb"], ["photo_portrait_rgb"]],
        )
        add(
            nm.lower() + "_no_split",
            {
                "image_processor_type": T(nm),
                "size": {"longest_edge": 96},
                "max_image_size": {"longest_edge": 48},
                "do_image_splitting": False,
            },
            [["photo_rgb"]],
        )
    add(
        "qwen2_vl",
        {"image_processor_type": T("Qwen2VL"), "size": {"shortest_edge": 1024, "longest_edge": 4096}, "patch_size": 8},
        [["photo_rgb"], ["edges_rgb"], ["photo_rgb", "photo_portrait_rgb"], ["photo_rgba"]],
    )
    add(
        "qwen2_vl_pixels",
        {
            "min_pixels": 784,
            "max_pixels": 6272,
            "patch_size": 14,
            "temporal_patch_size": 2,
            "merge_size": 2,
            "image_mean": R.CLIP_MEAN,
            "image_std": R.CLIP_STD,
            "image_processor_type": T("Qwen2VL"),
        },
        [["photo_portrait_rgb"]],
    )
    add("qwen2_vl_default", {"image_processor_type": T("Qwen2VL")}, [["photo_rgb"]])
    add(
        "pixtral",
        {"image_processor_type": T("Pixtral"), "size": {"longest_edge": S(60, 90)}},
        [["photo_rgb"], ["photo_rgb", "photo_portrait_rgb"]],
    )
    add(
        "llava_next",
        {
            "image_processor_type": T("LlavaNext"),
            "size": {"shortest_edge": 32},
            "crop_size": sq(32),
            "image_grid_pinpoints": [[32, 64], [64, 32], [64, 64]],
        },
        [["photo_rgb"], ["photo_portrait_rgb"]],
    )
    add(
        "llava_onevision",
        {
            "image_processor_type": T("LlavaOnevision"),
            "size": sq(32),
            "image_grid_pinpoints": [[32, 32], [32, 64], [64, 32], [64, 64]],
        },
        [["photo_rgb"]],
    )
    add(
        "depth_pro",
        {"image_processor_type": T("DepthPro"), "size": sq(S())},
        backends=["torchvision"],
        float_resize=True,
    )
    add("pvt", {"image_processor_type": T("Pvt"), "size": sq(S())})
    add(
        "zoedepth",
        {"image_processor_type": T("ZoeDepth"), "size": {"height": 48, "width": 64}, "ensure_multiple_of": 16},
        [["photo_rgb"], ["edges_rgb"]],
        float_resize=True,
    )
    add("superpoint", {"image_processor_type": T("SuperPoint"), "size": {"height": 48, "width": 64}}, [["photo_rgb"]])
    add(
        "superpoint_gray",
        {"image_processor_type": T("SuperPoint"), "size": {"height": 48, "width": 64}, "do_grayscale": True},
        [["photo_rgb"]],
    )
    add(
        "maskformer",
        {
            "image_processor_type": T("MaskFormer"),
            "size": {"shortest_edge": 48, "longest_edge": 80},
            "size_divisor": 32,
        },
        [["photo_rgb"], ["edges_rgb"]],
    )
    add(
        "mask2former",
        {
            "image_processor_type": T("Mask2Former"),
            "size": {"shortest_edge": 48, "longest_edge": 80},
            "size_divisor": 32,
        },
        [["photo_portrait_rgb"]],
    )
    add("chinese_clip", {"image_processor_type": T("ChineseCLIP"), "size": {"shortest_edge": 44}, "crop_size": sq(44)})
    add("gemma3", {"image_processor_type": T("Gemma3"), "size": sq(S())})
    add("janus", {"image_processor_type": T("Janus"), "size": sq(S())})
    add("textnet", {"image_processor_type": T("TextNet"), "size": {"shortest_edge": 48}})
    add(
        "perceiver",
        {"image_processor_type": T("Perceiver"), "size": sq(48), "crop_size": sq(56)},
        [["photo_rgb"], ["photo_portrait_rgb"]],
    )
    add(
        "vitmatte",
        {"image_processor_type": T("VitMatte"), "size_divisor": 32},
        [["vitmatte_image", "vitmatte_trimap"]],
        trimap=True,
    )
    add(
        "rf_detr",
        {"image_processor_type": T("RfDetr"), "size": {"shortest_edge": 48, "longest_edge": 80}},
        [["photo_rgb"]],
        backends=["torchvision"],
        float_resize=True,
    )
    add(
        "lfm2_vl",
        {
            "image_processor_type": T("Lfm2Vl"),
            "tile_size": 64,
            "min_image_tokens": 4,
            "max_image_tokens": 16,
            "min_tiles": 2,
            "max_tiles": 4,
        },
        [["photo_rgb"], ["edges_rgb"]],
        backends=["torchvision"],
    )
    return out


def as_arrays(v):
    """Processor outputs come as tensors, arrays or (nested) lists -> numpy array, or list of arrays if ragged."""
    if isinstance(v, torch.Tensor):
        return v.detach().contiguous().numpy()
    if isinstance(v, np.ndarray):
        return v
    if isinstance(v, (list, tuple)):
        items = [as_arrays(x) for x in v]
        if all(isinstance(x, np.ndarray) for x in items):
            if len({x.shape for x in items}) == 1:
                a = np.stack(items)
                return a.astype(np.int64) if a.dtype.kind in "iub" and a.ndim <= 2 and a.dtype != np.uint8 else a
            return items
        return items
    return np.asarray(v)


def save_float32(out, rel, a):
    """The numbers of a result whose last bits depend on the CPU: a hash would not do."""
    assert a.dtype == np.float32
    b = io.BytesIO()
    np.save(b, np.ascontiguousarray(a))
    with open(out.path(rel), "wb") as f:
        with gzip.GzipFile("", "wb", 9, f, mtime=0) as g:
            g.write(b.getvalue())
    return rel


def run(out, seed):
    r = random.Random(seed * 13 + 5)
    todo = specs(r)
    assert len({t[0] for t in todo}) == len(todo)
    tmp = tempfile.mkdtemp()
    checked, failed, n_cases = {}, [], 0
    for sid, cfg, groups, opt in todo:
        out.configs[sid] = cfg
        d = os.path.join(tmp, sid)
        os.makedirs(d)
        with open(os.path.join(d, "preprocessor_config.json"), "w") as f:
            json.dump(cfg, f)
        for backend in opt.get("backends", ["torchvision", "pil"]):
            try:
                proc = AutoImageProcessor.from_pretrained(d, backend=backend)
                assert proc.backend == backend, (sid, proc.backend)
            except Exception as e:
                failed.append((sid, backend, "load", repr(e)[:200]))
                continue
            full = json.loads(json.dumps(proc.to_dict(), default=str))
            full["image_processor_type"] = full["image_processor_type"].removesuffix("Fast").removesuffix("Pil")
            for gi, names in enumerate(groups):
                ims = []
                for nme in names:
                    im = Image.open(out.path(out.inputs[nme]["file"]))
                    im.load()
                    ims.append(im)
                cid = f"{sid}_{backend}_{gi}"
                try:
                    arg = [ims] if opt.get("video") else (ims if len(ims) > 1 else ims[0])
                    extra = {}
                    if opt.get("trimap"):
                        arg, extra = ims[0], {"trimaps": ims[1]}
                    try:
                        res = proc(arg, return_tensors="pt", **extra)
                    except ValueError:
                        res = proc(arg)
                    tensors = {}
                    for k, v in res.items():
                        a = as_arrays(v)
                        tensors[k] = [record(x) for x in a] if isinstance(a, list) else record(a)
                        if opt.get("float_resize") and k == "pixel_values":
                            tensors[k]["file"] = save_float32(out, f"float32/{cid}.npy.gz", a)
                except Exception as e:
                    failed.append((sid, backend, names, repr(e)[:200]))
                    continue
                case = dict(
                    id=cid,
                    kind="processor",
                    backend=backend,
                    processor=full["image_processor_type"],
                    config=sid,
                    settings=full,
                    inputs=[out.inputs[x]["file"] for x in names],
                    outputs=tensors,
                )
                if opt.get("video"):
                    case["video"] = True
                if opt.get("trimap"):
                    case["trimap"] = True  # the second input is the trimap
                if opt.get("float_resize"):
                    case["cpu_dependent"] = True
                ref = R.hf_process([(out.inputs[x]["array"], out.inputs[x]["mode"]) for x in names], full, backend)
                if ref is not None:
                    for k, want in ref.items():
                        got = as_arrays(res[k])
                        assert got.dtype == want.dtype and got.shape == want.shape, (
                            cid,
                            k,
                            got.dtype,
                            got.shape,
                            want.dtype,
                            want.shape,
                        )
                        bad = int((got != want).sum())
                        if bad:
                            msg = (
                                cid,
                                k,
                                "differs from reference",
                                bad,
                                got.size,
                                float(np.abs(got.astype(np.float64) - want).max()),
                            )
                            raise AssertionError(msg)
                    case["referenced"] = True
                    checked[full["image_processor_type"]] = checked.get(full["image_processor_type"], 0) + 1
                out.cases.append(case)
                n_cases += 1
    shutil.rmtree(tmp)
    print("processor cases", n_cases, "checked by reference:", sum(checked.values()), checked)
    for f in failed:
        print("FAILED", f)
