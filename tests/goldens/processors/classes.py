"""Writes classes.json: every class of both auto classes, its backends, its settings when a file
names nothing but the class, and the model types
that lead to it. python classes.py OUT_FILE"""

import json
import os
import sys
import tempfile
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "critical"
warnings.filterwarnings("ignore")
from transformers import AutoImageProcessor, AutoVideoProcessor
from transformers.models.auto.image_processing_auto import IMAGE_PROCESSOR_MAPPING_NAMES as I
from transformers.models.auto.video_processing_auto import VIDEO_PROCESSOR_MAPPING_NAMES as V

NEEDS = {"TimmWrapperImageProcessor": {"architecture": "resnet50", "pretrained_cfg": {"tag": "x"}}}


def settings(auto, key, name, **kwargs):
    with tempfile.TemporaryDirectory() as d:
        file = {"image": "preprocessor_config.json", "video": "video_preprocessor_config.json"}[key]
        cfg = {
            f"{key}_processor_type": name,
            **NEEDS.get(name, {}),
            **({"draw_on_frames": False} if name.startswith("Ernie") and key == "video" else {}),
        }
        if name.startswith("Timm"):
            file = "config.json"
        with open(os.path.join(d, file), "w") as f:
            json.dump(cfg, f)
        p = auto.from_pretrained(d, **kwargs)
    full = json.loads(json.dumps(p.to_dict(), default=str))
    for k in (
        "image_processor_type",
        "video_processor_type",
        "train_transforms",
        "val_transforms",
        "data_config",
        "dict",
        "character",
        "_not_supports_tensor_input",
        "fused_mean_std_and_rescale_factor",
    ):
        full.pop(k, None)
    for k in p.valid_kwargs.__annotations__:  # what may be set, also where it is off
        full.setdefault(k, json.loads(json.dumps(getattr(p, k, None), default=str)))
    if name in ("VideoLlavaImageProcessor", "VivitImageProcessor"):
        full["default_to_square"] = False  # written into their code, not into an attribute
    only = {}  # what a file may set and a call may not
    for c in type(p).__mro__:
        if c.__name__ in ("TorchvisionBackend", "PilBackend", "BaseVideoProcessor", "BaseImageProcessor"):
            break
        for k, v in vars(c).items():
            if (
                not k.startswith("_")
                and k not in full
                and k
                not in (
                    "model_input_names",
                    "valid_kwargs",
                    "main_input_name",
                    "skip_tensor_conversion",
                    "character",
                    "dict",
                )
                and isinstance(v, (bool, int, float, str, list, tuple, dict, type(None)))
            ):
                only[k] = v
    full.update(only)
    if only:
        full["_file_only"] = sorted(only)
    return {
        k: v
        for k, v in sorted(full.items())
        if k
        not in (
            "device",
            "disable_grouping",
            "input_data_format",
            "data_format",
            "return_tensors",
            "video_metadata",
            "return_metadata",
            "image_seq_length",
        )
    }


def main():
    image, types = {}, {}
    for model, backends in I.items():
        types[model] = {b: n for b, n in backends.items()}
        for b, n in backends.items():
            base = n.removesuffix("Pil")
            e = image.setdefault(base, {"backends": {}, "model_types": []})
            e["backends"][b] = n
            if model not in e["model_types"]:
                e["model_types"].append(model)
    for base, e in image.items():
        own = {}
        for b in e["backends"]:
            try:
                own[b] = settings(AutoImageProcessor, "image", base, backend=b)
            except Exception as error:
                own[b] = {"error": repr(error)[:200]}
        e["settings"] = own["torchvision"] if "torchvision" in own else own["pil"]
        if "pil" in own and "torchvision" in own:
            differ = {
                k: own["pil"].get(k)
                for k in own["pil"].keys() | own["torchvision"].keys()
                if own["pil"].get(k) != own["torchvision"].get(k)
            }
            if differ:
                e["settings_pil"] = differ
    video, vtypes = {}, {}
    for model, backends in V.items():
        n = backends["torchvision"]
        vtypes[model] = n
        video.setdefault(n, {"model_types": []})["model_types"].append(model)
    for n, e in video.items():
        e["settings"] = settings(AutoVideoProcessor, "video", n)
    with open(sys.argv[1], "w") as f:
        f.write("{\n")
        for name, table, end in (("image", image, ","), ("video", video, ",")):
            rows = ",\n".join(
                f"{json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in sorted(table.items())
            )
            f.write(f'"{name}": {{\n{rows}\n}}{end}\n')
        f.write(
            '"image_model_types": '
            + json.dumps(types, separators=(",", ":"))
            + ',\n"video_model_types": '
            + json.dumps(vtypes, separators=(",", ":"))
            + "\n}\n"
        )
    print(len(image), "image classes,", len(video), "video classes,", len(types), len(vtypes), "model types")
    print("differ by backend:", {k: v["settings_pil"] for k, v in image.items() if v.get("settings_pil")})


main()
