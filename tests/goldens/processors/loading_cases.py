"""Which class and settings a folder of files leads to: called by generate.py."""

import json
import shutil
import tempfile

import numpy as np
import torch
from transformers import AutoImageProcessor, AutoVideoProcessor

from image_cases import CM, CS, HALF, IN_MEAN, IN_STD, R255, sq, write_folder

PRE, PROC, CONF, VID = (
    "preprocessor_config.json",
    "processor_config.json",
    "config.json",
    "video_preprocessor_config.json",
)
T = lambda n: n + "ImageProcessor"


def specs(r):
    """-> list of (id, 'image' or 'video', {file: content}, backend or None)."""
    S = lambda lo=36, hi=64: r.randint(lo, hi)
    out = []

    def add(id, kind, files, backend=None):
        out.append((id, kind, files, backend))

    vit = lambda **m: {"image_processor_type": T("ViT"), "size": sq(S()), **m}
    clip = lambda n, **m: {"image_processor_type": T("CLIP"), "size": {"shortest_edge": n}, "crop_size": sq(n), **m}
    # one file
    add("type", "image", {PRE: vit()})
    add("type_pil", "image", {PRE: vit()}, "pil")
    add("type_fast", "image", {PRE: {**vit(), "image_processor_type": T("ViT") + "Fast"}})
    add("type_fast_pil", "image", {PRE: {**vit(), "image_processor_type": T("ViT") + "Fast"}}, "pil")
    add("type_with_pil_name", "image", {PRE: {**vit(), "image_processor_type": T("ViT") + "Pil"}})
    add("type_with_pil_name_pil", "image", {PRE: {**vit(), "image_processor_type": T("ViT") + "Pil"}}, "pil")
    add(
        "feature_extractor",
        "image",
        {
            PRE: {
                "feature_extractor_type": "ViTFeatureExtractor",
                "size": S(),
                "image_mean": IN_MEAN,
                "image_std": IN_STD,
            }
        },
    )
    add("both_types", "image", {PRE: clip(S(), feature_extractor_type="ViTFeatureExtractor")})
    add(
        "null_type",
        "image",
        {
            PRE: {
                "image_processor_type": None,
                "feature_extractor_type": "DeiTFeatureExtractor",
                "size": S(60, 64),
                "crop_size": S(40, 50),
            }
        },
    )
    add("unknown_type", "image", {PRE: {"image_processor_type": "FooImageProcessor", "size": 40}})
    add(
        "unknown_type_known_model",
        "image",
        {PRE: {"image_processor_type": "FooImageProcessor", "size": 40}, CONF: {"model_type": "vit"}},
    )
    add("no_type", "image", {PRE: {"size": 40, "do_resize": True}})
    add("only_processor_class", "image", {PRE: {"processor_class": "CLIPProcessor", "size": 40}})
    add(
        "alias",
        "image",
        {
            PRE: {
                "image_processor_type": "Ernie4_5_VL_MoeImageProcessor",
                "size": {"shortest_edge": 784, "longest_edge": 9000},
            }
        },
    )
    add("torchvision_alone_pil", "image", {PRE: {"image_processor_type": T("Sam2"), "size": sq(S())}}, "pil")
    add("pil_alone", "image", {PRE: {"image_processor_type": T("Emu3"), "min_pixels": 1000, "max_pixels": 5000}})
    add(
        "pil_alone_torchvision",
        "image",
        {PRE: {"image_processor_type": T("VideoLlava"), "size": 40, "crop_size": 40}},
        "torchvision",
    )
    add(
        "numpy_in_torchvision_pil",
        "image",
        {PRE: {"image_processor_type": T("Chameleon"), "size": {"shortest_edge": 44}, "crop_size": sq(44)}},
        "pil",
    )
    add("auto_map_known", "image", {PRE: vit(auto_map={"AutoImageProcessor": "processing_x.XImageProcessor"})})
    add(
        "base_fast",
        "image",
        {
            PRE: {
                "image_processor_type": "BaseImageProcessorFast",
                "size": sq(40),
                "do_resize": True,
                "resample": 2,
                "do_rescale": True,
            }
        },
    )
    # processor_config.json
    add("nested", "image", {PROC: {"image_processor": vit(), "processor_class": "XProcessor"}})
    add("nested_pil", "image", {PROC: {"image_processor": vit(), "processor_class": "XProcessor"}}, "pil")
    add("nested_wins", "image", {PROC: {"image_processor": vit(), "tokenizer": {"x": 1}}, PRE: clip(48)})
    add(
        "nested_qwen",
        "image",
        {
            PROC: {
                "image_processor": {
                    "data_format": "channels_first",
                    "do_convert_rgb": True,
                    "do_normalize": True,
                    "do_rescale": True,
                    "do_resize": True,
                    "image_mean": HALF,
                    "image_processor_type": T("Qwen2VL") + "Fast",
                    "image_std": HALF,
                    "merge_size": 2,
                    "patch_size": 16,
                    "resample": 3,
                    "rescale_factor": R255,
                    "size": {"longest_edge": 16777216, "shortest_edge": 4096},
                    "temporal_patch_size": 2,
                },
                "processor_class": "Qwen3VLProcessor",
                "video_processor": {
                    "video_processor_type": "Qwen3VLVideoProcessor",
                    "size": {"longest_edge": 60000, "shortest_edge": 4096},
                },
            }
        },
    )
    add(
        "nested_qwen",
        "video",
        {
            PROC: {
                "image_processor": {
                    "image_processor_type": T("Qwen2VL") + "Fast",
                    "size": {"longest_edge": 16777216, "shortest_edge": 4096},
                },
                "processor_class": "Qwen3VLProcessor",
                "video_processor": {
                    "video_processor_type": "Qwen3VLVideoProcessor",
                    "do_sample_frames": False,
                    "size": {"longest_edge": 60000, "shortest_edge": 4096},
                },
            }
        },
    )
    add("flat", "image", {PROC: {"processor_class": "CLIPProcessor"}, PRE: clip(S())})
    add("flat_alone", "image", {PROC: {"processor_class": "CLIPProcessor", **clip(40)}})
    add("nested_null", "image", {PROC: {"image_processor": None}, PRE: clip(S())})
    add(
        "nested_untyped",
        "image",
        {PROC: {"image_processor": {"size": sq(S())}}, PRE: clip(S()), CONF: {"model_type": "swin"}},
    )
    add(
        "nested_feature_extractor",
        "image",
        {PROC: {"feature_extractor": vit(), "processor_class": "X"}, PRE: clip(S())},
    )
    # the model type of config.json
    for model in (
        "vit",
        "swin",
        "resnet",
        "detr",
        "clip",
        "blip-2",
        "dinov2",
        "segformer",
        "siglip",
        "beit",
        "depth_anything",
        "table-transformer",
        "mobilevitv2",
        "data2vec-vision",
        "qwen2_5_vl",
        "internvl",
        "groupvit",
        "timesformer",
    ):
        cfg = {
            "resnet": {"size": {"shortest_edge": S()}},
            "detr": {"size": {"shortest_edge": 40, "longest_edge": 60}},
            "table-transformer": {"size": {"shortest_edge": 40, "longest_edge": 60}},
            "clip": {"size": 40, "crop_size": 40},
            "groupvit": {"size": 40, "crop_size": 40},
            "dinov2": {"size": {"shortest_edge": 44}, "crop_size": sq(40)},
            "qwen2_5_vl": {"min_pixels": 784, "max_pixels": 9000},
            "mobilevitv2": {"size": 44, "crop_size": 40},
            "timesformer": {"size": {"shortest_edge": 44}, "crop_size": sq(40)},
        }.get(model, {"size": sq(S())})
        add("model_" + model, "image", {PRE: {**cfg, "do_resize": True}, CONF: {"model_type": model}})
    add("model_unknown", "image", {PRE: {"size": 40}, CONF: {"model_type": "no_such_model"}})
    add("model_without_images", "image", {PRE: {"size": 40}, CONF: {"model_type": "bert"}})
    add("model_alone", "image", {CONF: {"model_type": "vit"}})
    add(
        "model_type_in_file",
        "image",
        {PRE: {"size": sq(S())}, CONF: {"model_type": "swinv2", "image_processor_type": T("CLIP")}},
    )
    # timm
    timm = {
        "architecture": "resnet18",
        "num_classes": 10,
        "pretrained_cfg": {
            "crop_pct": 0.9,
            "input_size": [3, 48, 48],
            "interpolation": "bilinear",
            "mean": IN_MEAN,
            "std": IN_STD,
        },
    }
    add("timm", "image", {CONF: timm})
    add("timm_model_type", "image", {CONF: {**timm, "model_type": "timm_wrapper"}})
    add("timm_and_preprocessor", "image", {CONF: timm, PRE: vit()})
    # videos
    qv = lambda **m: {
        "size": {"shortest_edge": 784, "longest_edge": r.randint(6000, 20000)},
        "do_sample_frames": False,
        **m,
    }
    add("video_type", "video", {VID: qv(video_processor_type="Qwen2VLVideoProcessor")})
    add("video_type_fast", "video", {VID: qv(video_processor_type="Qwen2VLVideoProcessorFast")})
    add(
        "video_from_image_file",
        "video",
        {PRE: {"image_processor_type": T("Qwen2VL"), "min_pixels": 784, "max_pixels": r.randint(6000, 9000)}},
    )
    add(
        "video_from_fast_image_file",
        "video",
        {PRE: {"image_processor_type": T("Qwen2VL") + "Fast", "min_pixels": 784, "max_pixels": 9000}},
    )
    add(
        "video_file_wins",
        "video",
        {
            VID: qv(video_processor_type="Qwen2VLVideoProcessor"),
            PRE: {"image_processor_type": T("LlavaOnevision"), "size": sq(40)},
        },
    )
    add(
        "video_nested_wins",
        "video",
        {
            PROC: {"video_processor": {"video_processor_type": "LlavaOnevisionVideoProcessor", "size": sq(S())}},
            VID: qv(video_processor_type="Qwen2VLVideoProcessor"),
        },
    )
    add(
        "video_flat",
        "video",
        {
            PROC: {"processor_class": "X"},
            VID: {"video_processor_type": "VideoMAEVideoProcessor", "size": {"shortest_edge": 44}, "crop_size": sq(40)},
        },
    )
    add(
        "video_inferred_wrong",
        "video",
        {PRE: {"image_processor_type": T("GotOcr2"), "size": sq(S())}, CONF: {"model_type": "internvl"}},
    )
    add("video_inferred_none", "video", {PRE: {"image_processor_type": T("GotOcr2"), "size": sq(S())}})
    add(
        "video_videomae_image",
        "video",
        {PRE: {"image_processor_type": T("VideoMAE"), "size": {"shortest_edge": 44}, "crop_size": sq(40)}},
    )
    add(
        "video_feature_extractor",
        "video",
        {PRE: {"feature_extractor_type": "VideoMAEFeatureExtractor", "size": 44, "crop_size": 40}},
    )
    for model in ("qwen2_5_vl", "vjepa2", "llava_next_video", "timesformer", "video_llava"):
        cfg = {
            "qwen2_5_vl": qv(),
            "vjepa2": {"crop_size": S()},
            "llava_next_video": {"size": 44, "crop_size": 40},
            "timesformer": {"size": {"shortest_edge": 44}, "crop_size": sq(40)},
            "video_llava": {"size": 44, "crop_size": 40},
        }[model]
        add("video_model_" + model, "video", {VID: cfg, CONF: {"model_type": model}})
    # model types of a later release
    bounds = {"size": {"shortest_edge": 1024, "longest_edge": 8000}}
    add("model_hy_v4_vl", "image", {PRE: bounds, CONF: {"model_type": "hy_v4_vl"}})
    pixels = {"size": {"min_pixels": 1024, "max_pixels": 8000}}
    add("model_apertus1p5", "image", {PRE: pixels, CONF: {"model_type": "apertus1p5"}})
    add("model_inkling2_loop", "image", {PRE: {"patch_size": 8}, CONF: {"model_type": "inkling2_loop"}})
    add("video_model_hy_v4_vl", "video", {VID: bounds, CONF: {"model_type": "hy_v4_vl"}})
    return out


def run_loading(out, r, more=None, grep=""):
    todo = specs(r) + (more(r) if more else [])
    tmp, n, refused = tempfile.mkdtemp(), 0, 0
    for i, (sid, kind, files, backend) in enumerate(todo):
        if grep not in sid:
            continue
        d = write_folder(tmp, str(i), files)
        case = dict(id=f"load_{kind}_{sid}", kind="load", of=kind, files=files)
        if backend:
            case["backend"] = backend
        try:
            if kind == "image":
                p = AutoImageProcessor.from_pretrained(d, **({"backend": backend} if backend else {}))
                case.update(
                    type=type(p).__name__.removesuffix("Pil"),
                    numbers=getattr(p, "backend", "pil"),
                    images=[out.inputs["photo_square_rgb"]["file"]],
                )
                res = p(out.pil("photo_square_rgb"), return_tensors="pt")
            else:
                p = AutoVideoProcessor.from_pretrained(d)
                case.update(
                    type=type(p).__name__, videos=[out.inputs["clip"]["file"]], options={"do_sample_frames": False}
                )
                res = p(out.inputs["clip"]["array"], return_tensors="pt", do_sample_frames=False)
            if isinstance(res, torch.Tensor) or not hasattr(res, "items"):
                res = {"pixel_values": res}
            case["outputs"] = {k: out.record(v, None) for k, v in res.items() if k != "video_metadata"}
        except Exception as e:
            case["error"] = type(e).__name__
            case["why"] = str(e)[:160].replace(d, "FOLDER")
            refused += 1
        out.cases.append(case)
        n += 1
    shutil.rmtree(tmp)
    print("loading cases", n, "of which refused", refused)
