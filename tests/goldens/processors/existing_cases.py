"""Random but realistic configurations of the 61 classes that the product already has: called by generate.py."""

import json
import os

from image_cases import BOTH, CM, CS, HALF, IN_MEAN, IN_STD, R255, T, TV, run_images, sq

RGB = [
    "photo_rgb",
    "photo_portrait_rgb",
    "photo_square_rgb",
    "edges_rgb",
    "noise_rgb",
    "tall_rgb",
    "wide_rgb",
    "strip_rgb",
    "tiny_rgb",
    "page_rgb",
    "photo_big_rgb",
]
GENTLE = ["photo_rgb", "photo_portrait_rgb", "photo_square_rgb", "edges_rgb", "noise_rgb", "page_rgb"]
OTHER = ["photo_rgba", "noise_rgba", "photo_l", "edges_la"]
PER_CLASS = 5


def some(r, options, chance=0.5):
    """A random part of a dict."""
    return {k: v for k, v in options.items() if r.random() < chance}


def numbers(r):
    return dict(
        r.choice(
            [
                {},
                {},
                {"image_mean": IN_MEAN, "image_std": IN_STD},
                {"image_mean": CM, "image_std": CS},
                {"image_mean": HALF, "image_std": HALF},
                {"image_mean": 0.5, "image_std": 0.25},
                {"do_normalize": False},
                {
                    "do_rescale": False,
                    "image_mean": [127.5, 120.0, 110.25],
                    "image_std": [58.4, 57.1, 57.4],
                    "do_normalize": True,
                },
                {"do_rescale": False, "do_normalize": False},
                {
                    "rescale_factor": 1 / 127.5,
                    "image_mean": [1.0, 1.0, 1.0],
                    "image_std": [1.0, 1.0, 1.0],
                    "do_normalize": True,
                },
                {
                    "rescale_factor": R255,
                    "image_mean": [0.0, 0.0, 0.0],
                    "image_std": [1.0, 1.0, 1.0],
                    "do_normalize": True,
                },
                {
                    "do_rescale": True,
                    "rescale_factor": R255,
                    "do_normalize": True,
                    "image_mean": [0.4914, 0.4822, 0.4465],
                    "image_std": [0.2471, 0.2435, 0.2616],
                },
            ]
        )
    )


def chores(r):
    """What files say beside the settings."""
    return some(
        r,
        {
            "data_format": "channels_first",
            "input_data_format": None,
            "device": None,
            "return_tensors": None,
            "disable_grouping": None,
            "processor_class": "XProcessor",
            "_valid_processor_keys": ["images"],
            "do_convert_rgb": None,
            "image_seq_length": None,
            "auto_map": {"AutoProcessor": "x.Y"},
            "_processor_class": None,
        },
        0.25,
    )


def size(r, S):
    return r.choice(
        [
            sq(S()),
            sq(S()),
            {"height": S(), "width": S()},
            S(),
            {"shortest_edge": S()},
            {"shortest_edge": S(40, 50), "longest_edge": S(52, 80)},
            {"max_height": S(), "max_width": S()},
            [S(), S()],
        ]
    )


def crop(r, S):
    return dict(
        r.choice(
            [
                {},
                {"do_center_crop": True, "crop_size": sq(S())},
                {"do_center_crop": True, "crop_size": S()},
                {"do_center_crop": True, "crop_size": {"height": S(), "width": S()}},
                {"do_center_crop": False},
                {"do_center_crop": None, "crop_size": None},
                {"do_center_crop": True, "crop_size": {"height": S(90, 110), "width": S(80, 130)}},
            ]
        )
    )


def plain(r, S):
    c = {"size": size(r, S), "resample": r.choice([0, 1, 2, 2, 3, 3]), **crop(r, S)}
    if "crop_size" not in c:
        c["crop_size"] = sq(S())
    return c | some(r, {"do_pad": True, "pad_size": sq(140)}, 0.1)


def same_size(r, S):
    return {
        "size": r.choice([sq(S()), {"height": S(), "width": S()}, S()]),
        **some(r, {"resample": r.choice([0, 1, 2, 3])}),
    }


def short(r, S):
    n = S()
    return {
        "size": r.choice([{"shortest_edge": n}, n]),
        "crop_size": r.choice([sq(n), n, sq(S()), {"height": S(), "width": S()}]),
        **some(r, {"resample": r.choice([1, 2, 3]), "do_center_crop": r.random() < 0.7}),
    }


def detr(r, S):
    return {
        **r.choice(
            [
                {"size": {"shortest_edge": S(44, 60), "longest_edge": S(62, 120)}},
                {"size": S(44, 60), "max_size": S(70, 120)},
                {"size": {"height": S(), "width": S()}},
                {"size": {"max_height": S(), "max_width": S()}},
            ]
        ),
        **some(
            r,
            {
                "format": "coco_detection",
                "do_convert_annotations": True,
                "pad_size": r.choice([None, sq(150)]),
                "resample": r.choice([2, 3]),
            },
        ),
        **r.choice([{}, {}, {"do_pad": True}, {"do_pad": False}, {"pad_and_return_pixel_mask": r.random() < 0.5}]),
    }


def mask(r, S):
    return {
        **r.choice(
            [
                {"size": {"shortest_edge": S(44, 60), "longest_edge": S(70, 120)}},
                {"size": S(44, 60), "max_size": S(70, 120)},
                {"size": {"height": S(), "width": S()}},
            ]
        ),
        **some(
            r,
            {
                "size_divisor": r.choice([0, 8, 16, 32]),
                "resample": r.choice([2, 3]),
                "ignore_index": 255,
                "num_labels": 150,
                "pad_size": sq(160),
            },
        ),
    }


def dpt(r, S):
    return {
        "size": r.choice([sq(S()), {"height": S(), "width": S()}, S()]),
        **some(
            r,
            {
                "keep_aspect_ratio": r.random() < 0.7,
                "ensure_multiple_of": r.choice([1, 14, 32, 8]),
                "resample": r.choice([2, 3]),
                "do_pad": r.random() < 0.5,
                "size_divisor": r.choice([14, 16, 32]),
            },
        ),
        **r.choice([{}, {}, {"do_center_crop": True, "crop_size": sq(S())}]),
    }


def tokens(r, S):
    return {
        **r.choice(
            [
                {"size": {"shortest_edge": 784, "longest_edge": S(6000, 20000)}},
                {"min_pixels": 784, "max_pixels": S(6000, 20000)},
                {"size": {"shortest_edge": S(3000, 9000), "longest_edge": 12544}},
            ]
        ),
        **some(
            r,
            {
                "patch_size": r.choice([14, 16, 8]),
                "merge_size": r.choice([1, 2, 4]),
                "temporal_patch_size": r.choice([1, 2]),
                "resample": r.choice([2, 3]),
                "min_pixels": 1000,
            },
            0.35,
        ),
    }


def patches(r, S):
    return some(
        r, {"patch_size": r.choice([14, 16, 8]), "max_num_patches": S(20, 90), "resample": r.choice([2, 3])}, 0.8
    )


def tiles(r, S):
    n = S(30, 60)
    return {
        "size": {"longest_edge": n * r.choice([2, 3, 4])},
        "max_image_size": {"longest_edge": n},
        **some(
            r,
            {
                "do_image_splitting": r.random() < 0.7,
                "resample": r.choice([1, 2, 3]),
                "do_pad": True,
                "return_row_col_info": False,
            },
        ),
    }


def grid(r, S):
    n = S(28, 50)
    return {
        "size": r.choice([{"shortest_edge": n}, sq(n)]),
        "crop_size": sq(n),
        "image_grid_pinpoints": r.sample(
            [[n, 2 * n], [2 * n, n], [2 * n, 2 * n], [3 * n, n], [n, 3 * n], [n, n]], r.randint(1, 6)
        ),
        **some(
            r, {"do_pad": True, "do_center_crop": True, "resample": r.choice([2, 3]), "aspect_ratio_setting": "anyres"}
        ),
    }


def onevision(r, S):
    n = S(28, 50)
    return {
        "size": sq(n),
        "image_grid_pinpoints": [[n * a, n * b] for a in range(1, r.randint(2, 4)) for b in range(1, r.randint(2, 4))],
        **some(r, {"do_pad": True, "resample": r.choice([2, 3])}),
    }


def sam(r, S):
    n = S()
    return {
        "size": r.choice([{"longest_edge": n}, n if False else {"longest_edge": n}]),
        "pad_size": r.choice([sq(n), sq(80), {"height": 70, "width": 90}]),
        **some(
            r,
            {"do_pad": True, "mask_size": {"longest_edge": 32}, "mask_pad_size": sq(32), "resample": r.choice([2, 3])},
        ),
    }


def papers(r, S):
    return {
        "size": r.choice([{"height": S(60, 90), "width": S()}, sq(S()), [S(50, 60), S(60, 90)]]),
        **some(
            r,
            {
                "do_align_long_axis": r.random() < 0.5,
                "do_thumbnail": r.random() < 0.6,
                "do_pad": r.random() < 0.7,
                "resample": r.choice([2, 3]),
                "random_padding": False,
            },
        ),
    }


def lfm(r, S):
    return {
        "tile_size": r.choice([64, 96]),
        "encoder_patch_size": r.choice([8, 16]),
        "min_image_tokens": r.choice([4, 9]),
        "max_image_tokens": r.choice([12, 16, 36]),
        "max_num_patches": r.choice([64, 256]),
        **some(
            r,
            {
                "do_image_splitting": r.random() < 0.7,
                "use_thumbnail": r.random() < 0.6,
                "max_tiles": r.choice([4, 6, 10]),
                "min_tiles": 2,
                "resample": r.choice([2, 3]),
                "downsample_factor": 2,
            },
        ),
    }


RULES = {
    "Beit": (plain, BOTH, RGB),
    "Bit": (short, BOTH, RGB),
    "Blip": (same_size, BOTH, RGB),
    "Chameleon": (short, BOTH, RGB),
    "ChineseCLIP": (short, BOTH, RGB),
    "CHMv2": (dpt, TV, GENTLE),
    "CLIP": (plain, BOTH, RGB),
    "ConditionalDetr": (detr, BOTH, GENTLE),
    "ConvNext": (
        lambda r, S: {
            "size": r.choice([{"shortest_edge": S()}, {"shortest_edge": 400}, S()]),
            **some(r, {"crop_pct": r.choice([0.875, 0.95, 0.9, 1.0]), "resample": r.choice([2, 3])}),
        },
        BOTH,
        RGB,
    ),
    "DeformableDetr": (detr, BOTH, GENTLE),
    "DeiT": (plain, BOTH, RGB),
    "DepthPro": (same_size, TV, GENTLE),
    "Detr": (detr, BOTH, GENTLE),
    "DINOv3ViT": (same_size, TV, GENTLE),
    "DPT": (dpt, BOTH, GENTLE),
    "EfficientNet": (
        lambda r, S: {
            **same_size(r, S),
            **crop(r, S),
            **some(r, {"rescale_offset": r.random() < 0.5, "include_top": r.random() < 0.5}),
        },
        BOTH,
        RGB,
    ),
    "Gemma3": (
        lambda r, S: {
            **same_size(r, S),
            **some(
                r,
                {
                    "do_pan_and_scan": r.random() < 0.6,
                    "pan_and_scan_min_crop_size": r.choice([20, 40]),
                    "pan_and_scan_max_num_crops": r.choice([2, 4]),
                    "pan_and_scan_min_ratio_to_activate": r.choice([1.1, 1.2, 1.5]),
                },
                0.7,
            ),
        },
        BOTH,
        GENTLE,
    ),
    "Gemma4": (
        lambda r, S: {
            "max_soft_tokens": r.choice([70, 140]),
            **some(
                r,
                {
                    "patch_size": r.choice([8, 16]),
                    "pooling_kernel_size": r.choice([2, 3]),
                    "resample": r.choice([2, 3]),
                },
            ),
        },
        BOTH,
        GENTLE,
    ),
    "Glm46V": (tokens, BOTH, GENTLE),
    "Glm4v": (tokens, BOTH, GENTLE),
    "GLPN": (
        lambda r, S: some(
            r,
            {
                "size_divisor": r.choice([8, 16, 32]),
                "resample": r.choice([2, 3]),
                "do_rescale": True,
                "do_resize": True,
            },
        ),
        BOTH,
        GENTLE,
    ),
    "GroundingDino": (detr, BOTH, GENTLE),
    "Idefics3": (tiles, BOTH, GENTLE),
    "Janus": (
        lambda r, S: {
            "size": r.choice([sq(S()), S()]),
            **some(
                r,
                {
                    "min_size": r.choice([1, 14, 30]),
                    "background_color": r.choice([[127, 127, 127], 0, [0, 100, 255]]),
                    "resample": r.choice([2, 3]),
                    "do_pad": r.random() < 0.8,
                },
            ),
        },
        BOTH,
        GENTLE,
    ),
    "Levit": (short, BOTH, RGB),
    "Lfm2Vl": (lfm, TV, GENTLE),
    "Llava": (lambda r, S: {**short(r, S), **some(r, {"do_pad": r.random() < 0.7})}, BOTH, RGB),
    "LlavaNext": (grid, BOTH, GENTLE),
    "LlavaOnevision": (onevision, BOTH, GENTLE),
    "Mask2Former": (mask, BOTH, GENTLE),
    "MaskFormer": (mask, BOTH, GENTLE),
    "MobileNetV1": (short, BOTH, RGB),
    "MobileNetV2": (plain, BOTH, RGB),
    "MobileViT": (lambda r, S: {**short(r, S), **some(r, {"do_flip_channel_order": r.random() < 0.5})}, BOTH, RGB),
    "Nougat": (papers, BOTH, GENTLE),
    "Owlv2": (same_size, TV, GENTLE),
    "OwlViT": (plain, BOTH, RGB),
    "Perceiver": (
        lambda r, S: {
            "size": sq(S()),
            "crop_size": sq(S()),
            **some(r, {"resample": r.choice([2, 3]), "do_center_crop": r.random() < 0.6}),
        },
        BOTH,
        GENTLE,
    ),
    "Pixtral": (
        lambda r, S: {
            "size": r.choice([{"longest_edge": S()}, {"longest_edge": S(90, 160)}]),
            "patch_size": r.choice([sq(14), 16, sq(8)]),
            **some(r, {"resample": r.choice([2, 3])}),
        },
        BOTH,
        GENTLE,
    ),
    "PoolFormer": (
        lambda r, S: {
            "size": r.choice([{"shortest_edge": S()}, sq(S()), S()]),
            "crop_size": r.choice([sq(S()), {"height": S(), "width": S()}]),
            **some(r, {"crop_pct": r.choice([None, 0.9, 0.95, 1.0]), "resample": r.choice([2, 3])}),
        },
        BOTH,
        GENTLE,
    ),
    "PromptDepthAnything": (dpt, BOTH, GENTLE),
    "Pvt": (same_size, BOTH, RGB),
    "Qwen2VL": (tokens, BOTH, GENTLE),
    "RfDetr": (detr, TV, GENTLE),
    "RTDetr": (detr, BOTH, GENTLE),
    "Sam": (sam, BOTH, GENTLE),
    "Sam2": (lambda r, S: {**same_size(r, S), **some(r, {"mask_size": sq(16)})}, TV, GENTLE),
    "Sam3": (lambda r, S: {**same_size(r, S), **some(r, {"mask_size": sq(16)})}, TV, GENTLE),
    "Segformer": (
        lambda r, S: {**same_size(r, S), **some(r, {"do_reduce_labels": True, "reduce_labels": True})},
        BOTH,
        RGB,
    ),
    "Siglip": (same_size, BOTH, RGB),
    "Siglip2": (patches, BOTH, GENTLE),
    "SmolVLM": (tiles, BOTH, GENTLE),
    "SuperPoint": (
        lambda r, S: {
            "size": {"height": S(), "width": S()},
            **some(r, {"do_grayscale": r.random() < 0.6, "resample": r.choice([2, 3])}),
        },
        BOTH,
        GENTLE,
    ),
    "Swin2SR": (
        lambda r, S: some(
            r,
            {
                "size_divisor": r.choice([4, 8, 16]),
                "pad_size": r.choice([8, 16]),
                "do_pad": True,
                "do_rescale": True,
                "rescale_factor": R255,
            },
        ),
        BOTH,
        GENTLE,
    ),
    "TextNet": (
        lambda r, S: {
            "size": {"shortest_edge": S(60, 90)},
            **some(
                r,
                {
                    "size_divisor": r.choice([16, 32]),
                    "do_center_crop": r.random() < 0.5,
                    "crop_size": sq(S()),
                    "resample": r.choice([2, 3]),
                },
            ),
        },
        BOTH,
        GENTLE,
    ),
    "VideoMAE": (short, BOTH, GENTLE),
    "ViT": (plain, BOTH, RGB),
    "VitMatte": (
        lambda r, S: some(r, {"size_divisor": r.choice([8, 16, 32]), "do_pad": r.random() < 0.8}),
        BOTH,
        ["edges_rgb"],
    ),
    "Yolos": (detr, BOTH, GENTLE),
    "ZoeDepth": (
        lambda r, S: {
            "size": {"height": S(60, 90), "width": S(60, 100)},
            **some(
                r,
                {
                    "keep_aspect_ratio": r.random() < 0.7,
                    "ensure_multiple_of": r.choice([32, 16, 0.5]),
                    "do_pad": r.random() < 0.8,
                    "resample": r.choice([2, 3]),
                },
            ),
        },
        BOTH,
        GENTLE,
    ),
    "Donut": (papers, BOTH, GENTLE),
}
OWN_NUMBERS = {"GLPN", "Swin2SR", "SuperPoint"}  # no normalization in these classes
FLOATS = {"DepthPro", "DINOv3ViT", "Owlv2", "RfDetr", "ZoeDepth"}
NESTED = {"Idefics3", "SmolVLM"}


def found():
    """What the random configurations below found to differ from the product, at its smallest.

    The ids say which rule of README.md."""
    P, Q, SQUARE = "photo_rgb", "photo_portrait_rgb", "photo_square_rgb"
    t = lambda n, **more: {"image_processor_type": T(n), **more}
    raw = dict(do_rescale=False, do_normalize=False)
    E = dict(existing=True)
    return [
        ("found_dpt_crop", t("DPT", size=sq(48), do_center_crop=True, crop_size=sq(40)), [[P]], E),
        (
            "found_prompt_depth_crop",
            t("PromptDepthAnything", size=sq(48), do_center_crop=True, crop_size=sq(40)),
            [[P]],
            E,
        ),
        (
            "found_prompt_depth_modes",
            t("PromptDepthAnything", size=sq(48), do_convert_rgb=True, do_normalize=False),
            [["photo_rgba"], ["photo_l"]],
            E,
        ),
        (
            "found_mask2former_divisor",
            t("Mask2Former", size={"shortest_edge": 45, "longest_edge": 90}, size_divisor=0),
            [[P], [P, Q]],
            E,
        ),
        (
            "found_maskformer_divisor",
            t("MaskFormer", size={"shortest_edge": 45, "longest_edge": 90}, size_divisor=0),
            [[P]],
            E,
        ),
        (
            "found_janus_border",
            t("Janus", size=sq(40)),
            [[P]],
            dict(call={"image_mean": [0.3, 0.4, 0.5]}, existing=True),
        ),
        (
            "found_gemma3_null",
            t(
                "Gemma3",
                size=sq(40),
                do_pan_and_scan=True,
                pan_and_scan_min_crop_size=20,
                pan_and_scan_max_num_crops=None,
                pan_and_scan_min_ratio_to_activate=1.2,
            ),
            [[SQUARE]],
            E,
        ),
        (
            "found_gemma3_no_resize",
            t(
                "Gemma3",
                size=sq(40),
                do_resize=False,
                do_pan_and_scan=True,
                pan_and_scan_min_crop_size=20,
                pan_and_scan_max_num_crops=4,
                pan_and_scan_min_ratio_to_activate=1.2,
            ),
            [[SQUARE]],
            E,
        ),
        (
            "found_qwen2vl_call_size",
            t("Qwen2VL", min_pixels=784, max_pixels=5000),
            [[P]],
            dict(call={"size": {"shortest_edge": 1000, "longest_edge": 12000}}, existing=True),
        ),
        (
            "found_idefics3_raw",
            t("Idefics3", size={"longest_edge": 80}, max_image_size={"longest_edge": 40}, **raw),
            [[P]],
            E,
        ),
        (
            "found_smolvlm_raw",
            t("SmolVLM", size={"longest_edge": 80}, max_image_size={"longest_edge": 40}, **raw),
            [[P]],
            E,
        ),
        ("found_qwen2vl_raw", t("Qwen2VL", min_pixels=784, max_pixels=9000, **raw), [[P]], E),
        ("found_glm4v_raw", t("Glm4v", size={"shortest_edge": 784, "longest_edge": 9000}, **raw), [[P]], E),
        ("found_glm46v_raw", t("Glm46V", size={"shortest_edge": 784, "longest_edge": 9000}, **raw), [[P]], E),
        ("found_dinov3_raw", t("DINOv3ViT", size=sq(40), **raw), [[P]], dict(backends=TV, existing=True)),
        (
            "found_dinov3_bytes",
            t(
                "DINOv3ViT",
                size=sq(40),
                do_rescale=False,
                image_mean=[127.0, 120.0, 110.0],
                image_std=[58.0, 57.0, 56.0],
            ),
            [[P]],
            dict(backends=TV, existing=True),
        ),
        ("found_owlv2_raw", t("Owlv2", size=sq(40), **raw), [[P]], dict(backends=TV, existing=True)),
        ("found_rfdetr_raw", t("RfDetr", size=sq(40), **raw), [[P]], dict(backends=TV, existing=True)),
        ("found_depthpro_raw", t("DepthPro", size=sq(40), **raw), [[P]], dict(backends=TV, existing=True)),
        (
            "found_depthpro_resample",
            t("DepthPro", do_resize=False, resample=1),
            [[SQUARE]],
            dict(backends=TV, existing=True),
        ),
        ("found_zoedepth_raw", t("ZoeDepth", size={"height": 60, "width": 70}, **raw), [[P]], E),
        (
            "found_zoedepth_bytes",
            t(
                "ZoeDepth",
                size={"height": 60, "width": 70},
                do_rescale=False,
                image_mean=[127.0, 120.0, 110.0],
                image_std=[58.0, 57.0, 56.0],
            ),
            [[P]],
            E,
        ),
    ]


def calls():
    """Settings that the call changes."""
    t = lambda n, **more: {"image_processor_type": T(n), **more}
    E = lambda **c: dict(call=c, existing=True)
    P = "photo_rgb"
    L = []
    for n in ("Qwen2VL", "Glm4v", "Glm46V"):
        L += [
            (f"call_{n}_max", t(n), [[P]], E(max_pixels=9000)),
            (f"call_{n}_both", t(n, min_pixels=784), [[P]], E(min_pixels=3000, max_pixels=9000)),
            (
                f"call_{n}_size",
                t(n, min_pixels=784, max_pixels=5000),
                [[P]],
                E(size={"shortest_edge": 1000, "longest_edge": 12000}),
            ),
        ]
    L += [
        ("call_sam", t("Sam", size={"longest_edge": 60}, pad_size=sq(60)), [[P]], E(size={"longest_edge": 50})),
        ("call_sam_pad", t("Sam", size={"longest_edge": 60}, pad_size=sq(60)), [[P]], E(pad_size=sq(80))),
        (
            "call_detr",
            t("Detr", size={"shortest_edge": 50, "longest_edge": 90}),
            [[P]],
            E(size={"shortest_edge": 40, "longest_edge": 70}),
        ),
        ("call_convnext", t("ConvNext", size={"shortest_edge": 50}), [[P]], E(crop_pct=0.9)),
        ("call_pool", t("PoolFormer", size={"shortest_edge": 50}, crop_size=sq(40)), [[P]], E(crop_pct=0.95)),
        ("call_siglip2", t("Siglip2"), [[P]], E(max_num_patches=40)),
        ("call_siglip2p", t("Siglip2"), [[P]], E(patch_size=14)),
        ("call_gemma4", t("Gemma4"), [[P]], E(max_soft_tokens=70)),
        (
            "call_idefics3",
            t("Idefics3", size={"longest_edge": 100}, max_image_size={"longest_edge": 50}),
            [[P]],
            E(do_image_splitting=False),
        ),
        (
            "call_idefics3s",
            t("Idefics3", size={"longest_edge": 100}, max_image_size={"longest_edge": 50}),
            [[P]],
            E(size={"longest_edge": 150}),
        ),
        (
            "call_idefics3m",
            t("Idefics3", size={"longest_edge": 100}, max_image_size={"longest_edge": 50}),
            [[P]],
            E(max_image_size={"longest_edge": 40}),
        ),
        (
            "call_llavanext",
            t("LlavaNext", size={"shortest_edge": 40}, crop_size=sq(40), image_grid_pinpoints=[[40, 80], [80, 40]]),
            [[P]],
            E(image_grid_pinpoints=[[80, 80]]),
        ),
        (
            "call_onevision",
            t("LlavaOnevision", size=sq(40), image_grid_pinpoints=[[40, 80], [80, 40]]),
            [[P]],
            E(size=sq(30), image_grid_pinpoints=[[60, 60]]),
        ),
        ("call_pixtral", t("Pixtral", size={"longest_edge": 60}), [[P]], E(size={"longest_edge": 80})),
        ("call_pixtralp", t("Pixtral", size={"longest_edge": 60}), [[P]], E(patch_size=sq(8))),
        ("call_mask2", t("Mask2Former", size={"shortest_edge": 40, "longest_edge": 90}), [[P]], E(size_divisor=8)),
        ("call_dpt", t("DPT", size=sq(50)), [[P]], E(keep_aspect_ratio=True, ensure_multiple_of=14)),
        ("call_dptpad", t("DPT", size=sq(50)), [[P]], E(do_pad=True, size_divisor=16)),
        ("call_glpn", t("GLPN"), [["edges_rgb"]], E(size_divisor=16)),
        ("call_swin", t("Swin2SR"), [["noise_rgb"]], E(size_divisor=16)),
        ("call_swinp", t("Swin2SR"), [["noise_rgb"]], E(pad_size=16)),
        (
            "call_lfm",
            t("Lfm2Vl", tile_size=64, min_image_tokens=4, max_image_tokens=16),
            [[P]],
            {**E(do_image_splitting=False), "backends": TV},
        ),
        (
            "call_lfmt",
            t("Lfm2Vl", tile_size=64, min_image_tokens=4, max_image_tokens=16),
            [[P]],
            {**E(max_tiles=4, use_thumbnail=False), "backends": TV},
        ),
        (
            "call_gemma3",
            t("Gemma3", size=sq(40)),
            [["wide_rgb"]],
            E(
                do_pan_and_scan=True,
                pan_and_scan_min_crop_size=10,
                pan_and_scan_max_num_crops=3,
                pan_and_scan_min_ratio_to_activate=1.2,
            ),
        ),
        ("call_nougat", t("Nougat", size={"height": 70, "width": 60}), [["page_rgb"]], E(do_crop_margin=False)),
        ("call_donut", t("Donut", size={"height": 70, "width": 60}), [[P]], E(do_align_long_axis=True)),
        ("call_donut2", t("Donut", size={"height": 70, "width": 60}), [[P]], E(do_thumbnail=False)),
        ("call_vitcrop", t("ViT", size=sq(50)), [[P]], E(do_center_crop=True, crop_size=sq(40))),
        (
            "call_clip",
            t("CLIP", size={"shortest_edge": 50}, crop_size=sq(40)),
            [[P]],
            E(size={"shortest_edge": 60}, crop_size=sq(50)),
        ),
        ("call_clipint", t("CLIP", size={"shortest_edge": 50}, crop_size=sq(40)), [[P]], E(size=60, crop_size=50)),
        ("call_effi", t("EfficientNet", size=sq(50)), [[P]], E(include_top=False)),
        ("call_effi2", t("EfficientNet", size=sq(50), rescale_factor=1 / 127.5), [[P]], E(rescale_offset=True)),
        (
            "call_mvit",
            t("MobileViT", size={"shortest_edge": 50}, crop_size=sq(40)),
            [[P]],
            E(do_flip_channel_order=False),
        ),
        ("call_sp", t("SuperPoint", size={"height": 40, "width": 60}), [[P]], E(do_grayscale=True)),
        ("call_rt", t("RTDetr", size=sq(50)), [[P]], E(do_normalize=True)),
        ("call_textnet", t("TextNet", size={"shortest_edge": 60}), [[P]], E(size_divisor=16)),
        ("call_perc", t("Perceiver", size=sq(50), crop_size=sq(60)), [[P]], E(crop_size=sq(70))),
        ("call_blipna", t("Blip", size=sq(50)), [[P]], E(do_pad=True, pad_size=sq(60))),
        ("call_sam2", t("Sam2", size=sq(50)), [[P]], {**E(size=sq(40)), "backends": TV}),
        ("call_levit", t("Levit", size={"shortest_edge": 50}, crop_size=sq(40)), [[P]], E(do_center_crop=False)),
        ("call_chmv2", t("CHMv2", size=sq(48)), [[P]], {**E(do_resize=True), "backends": TV}),
        ("call_zoe", t("ZoeDepth", size={"height": 60, "width": 70}), [[P]], {**E(do_pad=False), "tolerance": True}),
        (
            "call_zoe2",
            t("ZoeDepth", size={"height": 60, "width": 70}),
            [[P]],
            {**E(keep_aspect_ratio=False, ensure_multiple_of=16), "tolerance": True},
        ),
        ("call_llavap", t("Llava", size={"shortest_edge": 50}, crop_size=sq(50)), [[P]], E(do_pad=True)),
        (
            "call_llavam",
            t("Llava", size={"shortest_edge": 50}, crop_size=sq(50), do_pad=True),
            [[P]],
            E(image_mean=[0.2, 0.3, 0.8]),
        ),
    ]
    return L


def specs(r):
    S = lambda lo=36, hi=64: r.randint(lo, hi)
    out = found() + calls()
    for name in sorted(RULES):
        rule, backends, inputs = RULES[name]
        for k in range(PER_CLASS):
            cfg = {
                **r.choice([{"image_processor_type": T(name)}, {"image_processor_type": T(name) + "Fast"}]),
                **rule(r, S),
                **({} if name in OWN_NUMBERS else numbers(r)),
                **chores(r),
            }
            groups = [[n] for n in r.sample(inputs, min(2, len(inputs)))]
            if len(inputs) > 1 and k % 2:
                groups.append(r.sample(GENTLE, 2))
            if k % 3 == 0 and cfg.get("do_convert_rgb", True) is not None and name != "VitMatte":
                cfg["do_convert_rgb"] = True
                groups.append([r.choice(OTHER)])
            if r.random() < 0.1 and name not in NESTED:
                cfg["do_resize"] = False
            if name == "Llava" and isinstance(cfg.get("image_mean"), list) and cfg["image_mean"][0] >= 1:
                cfg["do_pad"] = False  # Python's border, 255 * mean, then wraps in its byte
            opt = dict(backends=backends, existing=True, tolerance=name in FLOATS)
            if r.random() < 0.3:
                opt["call"] = r.choice(
                    [
                        {"do_normalize": False},
                        {"resample": 2},
                        {"resample": 3},
                        {"do_rescale": False, "do_normalize": False},
                        {"image_mean": [0.3, 0.4, 0.5], "image_std": [0.2, 0.3, 0.4]},
                        {"do_resize": False},
                        {"do_center_crop": False},
                        {"size": sq(40)}
                        if rule in (plain, same_size, short, detr, mask, dpt)
                        else {"do_rescale": True},
                    ]
                )
            if name == "VideoMAE":
                opt["shape"] = "frames"
                groups = [g * 2 if len(g) == 1 and i == 0 else g[:1] for i, g in enumerate(groups)]
            if name == "VitMatte":
                opt["extra"] = {"trimaps": ["trimap_l"]}
            out.append((f"{name.lower()}_{k}", cfg, groups, opt))
    return out


def run_existing(out, r, more=None, grep=""):
    run_images(out, r, None, grep, todo=specs(r) + (more(r) if more else []), existing=True)
