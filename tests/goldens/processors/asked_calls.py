"""Random calls of the classes for which reference.py has no rules, and hashes of what transformers makes of them.

    python asked_calls.py OUT [--seed N] [--count N] [--classes NAME,...]    without --classes also 300 of each of NEWER
    python asked_calls.py found.json --again     asks anew for the calls of that file

The calls are those of random_calls.py, in the same form. TimmWrapper's settings are random `pretrained_cfg`. Calls
that Python refuses are left out, and those whose last bits follow from the CPU's exponential and sine.
"""

import argparse
import collections
import hashlib
import json
import os
import random
import tempfile

from generate import torch  # sets its threads
from image_cases import call, write_folder
from PIL import Image
from transformers import AutoImageProcessor, AutoVideoProcessor

import random_calls as calls

CLASSES = (
    "AriaImageProcessor DINOv3ViTImageProcessor DepthProImageProcessor Gemma3ImageProcessor Lfm2VlImageProcessor "
    "LlavaImageProcessor LlavaOnevisionImageProcessor MiniMaxM3VLImageProcessor NougatImageProcessor "
    "Owlv2ImageProcessor PromptDepthAnythingImageProcessor RfDetrImageProcessor SuperPointImageProcessor "
    "TimmWrapperImageProcessor UVDocImageProcessor VitMatteImageProcessor ZoeDepthImageProcessor "
    "EmbeddingGemma2VideoProcessor Gemma4ImageProcessor Gemma4UnifiedImageProcessor Gemma4VideoProcessor"
).split()
# Classes that a later release has brought or changed: of each 300 calls, after those of the others.
NEWER = (
    "Apertus1p5ImageProcessor Emu3ImageProcessor HYV4VLImageProcessor HYV4VLVideoProcessor "
    "NemotronH_Omni_Reasoning_V3VideoProcessor"
).split()
MOST = 3_000_000  # elements of a call's outputs: Aria's tiles have 490 pixels a side
PICTURES = ("prompt_images", "prompt_masks", "trimaps")


def pretrained(r):
    side = lambda: r.randint(24, 90)
    n = side()
    given = {
        "crop_pct": r.choice([None, 1.0, 0.5, round(r.uniform(0.6, 1.2), 3)]),
        "crop_mode": r.choice(["center", "squash", "border", "", None]),
        "interpolation": r.choice(["bilinear", "bicubic", "nearest", "lanczos", "box", "hamming", "", None]),
        "mean": r.choice([[0.5, 0.5, 0.5], [0.485, 0.456, 0.406], [round(r.random(), 4) for _ in range(3)], None]),
        "std": r.choice([[0.5, 0.5, 0.5], [1.0, 1.0, 1.0], [round(r.uniform(0.1, 1), 4) for _ in range(3)], None]),
        "test_input_size": r.choice([[3, side(), side()], [3, n, n]]),
        "test_crop_pct": r.choice([1.0, 0.9]),
    }
    size = r.choice([[3, n, n], [3, n, n], [3, side(), side()], [1, n, n]])
    return {"input_size": size, **{key: value for key, value in given.items() if r.random() < 0.5}}


def pictures(given):
    if isinstance(given[0], list):
        return [pictures(one) for one in given]
    made = calls.pixels(given)
    if not isinstance(made, tuple):
        return made.copy()  # a clip
    return Image.fromarray(made[0][..., 0] if made[0].shape[2] == 1 else made[0].copy())


def form(value):
    """A processor's outputs in the form of random_calls.py."""
    if isinstance(value, torch.Tensor):
        if value.dtype == torch.bfloat16:
            return "bfloat16", value.contiguous().view(torch.uint16).numpy()
        return str(value.dtype).removeprefix("torch."), value.contiguous().numpy()
    return [form(one) for one in value] if isinstance(value, (list, tuple)) else calls.form(value, None)


def ask(r, case, configs, others, known, tmp):
    """-> a call and its outputs."""
    name, video, options = case["type"], case["kind"] == "video", dict(case.get("options", {}))
    timm = case.get("timm")
    config = configs[case["config"]]
    config = {**config, "pretrained_cfg": pretrained(r)} if timm else calls.vary(r, name, config, others, known)
    whole = any(key in options for key in calls.NO_CROP)
    given = calls.part(r, case["videos" if video else "images"], whole)
    if "trimaps" in case:  # as large as the picture
        given = given[:1]
        options["trimaps"] = [[case["trimaps"][0], *given[0][1:]]]
    options = {k: calls.part(r, v, True) if k.startswith("prompt_") else v for k, v in options.items()}
    if config.get("size") == [672, 672] and ("min_pixels" in config or "max_pixels" in config):
        raise calls.R.Refused()  # MiniMaxM3VL changes the size of its class, for all calls that follow
    if name == "DINOv3ViTImageProcessor" and config.get("resample") == 1:
        raise calls.R.Refused()  # a sine in Lanczos's weights
    converts = options.get("do_convert_rgb", config.get("do_convert_rgb", known.get("do_convert_rgb")))
    if name in NEWER and converts is False and "_grey." in json.dumps(given):
        raise calls.R.Refused()  # Python keeps one channel
    if not (video or timm or converts) and any(mode in json.dumps(given) for mode in ("_rgba", "_l.", "_la.")):
        raise calls.R.Refused()
    # An exponential is in the weights of Owlv2's blur by torchvision.
    backend = "pil" if name == "Owlv2ImageProcessor" else case.get("numbers", "torchvision")
    made = {"config": config, "backend": backend, "given": given, "options": options}
    outputs, tensors = answer(case["kind"], made, tmp)
    if tensors is None and name[:6] in ("Nougat", "SuperP", "Gemma3", "Prompt", "Apertu"):
        raise calls.R.Refused()  # pictures of several sizes
    return made, outputs


def answer(kind, made, tmp):
    """-> the outputs of a call, and whether they are tensors."""
    video, timm = kind == "video", "pretrained_cfg" in made["config"]
    file = "config.json" if timm else f"{'video_' if video else ''}preprocessor_config.json"
    folder = write_folder(tmp, str(len(os.listdir(tmp))), {file: made["config"]})
    auto = AutoVideoProcessor if video else AutoImageProcessor
    processor = auto.from_pretrained(folder, **({} if video or timm else {"backend": made["backend"]}))
    extra = {key: pictures(value) if key in PICTURES else value for key, value in made["options"].items()}
    outputs, tensors = call(processor, pictures(made["given"]), {}, extra)
    outputs = outputs if hasattr(outputs, "items") else {"pixel_values": outputs}
    return {key: form(outputs[key]) for key in sorted(outputs) if key != "video_metadata"}, tensors


def hash_of(outputs):
    hashed = hashlib.sha256()
    calls.add_outputs(hashed, outputs)
    return hashed


def again(path):
    with open(path) as file, tempfile.TemporaryDirectory() as tmp:
        asked = [calls.line(k, name, made, hash_of(answer(k, made, tmp)[0])) for k, name, made, _ in json.load(file)]
    open(path, "w").write("[\n" + ",\n".join(asked) + "\n]\n")


def draw(names, count, seed, refused):
    """Yields lines of `count` calls of these classes."""
    configs, classes = calls.load("configs.json"), calls.load("classes.json")
    pools, others = collections.defaultdict(list), collections.defaultdict(list)
    for case in calls.load("index.json"):
        if case["kind"] in ("image", "video") and case["type"] in names and "error" not in case:
            pools[case["kind"], case["type"]].append(case)
            others[case["kind"], case["type"]].append(configs[case["config"]])
    r, keys = random.Random(seed), sorted(pools)
    with tempfile.TemporaryDirectory() as tmp:
        while count > 0:
            key = r.choice(keys)
            kind, name = key
            case = r.choice(pools[key])
            try:
                made, outputs = ask(r, case, configs, others[key], classes[kind][name]["settings"], tmp)
            except Exception as error:
                refused[name, f"{type(error).__name__}: {str(error)[:90]}"] += 1
                continue
            if sum(map(calls.size_of, outputs.values())) > MOST:
                refused[name, "too large"] += 1
            else:
                count -= 1
                yield calls.line(kind, name, made, hash_of(outputs))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--count", type=int, default=1_498)
    ap.add_argument("--classes")
    ap.add_argument("--again", action="store_true")
    args = ap.parse_args()
    if args.again:
        return again(args.out)
    refused = collections.Counter()
    lines = list(draw((args.classes or ",".join(CLASSES)).split(","), args.count, args.seed, refused))
    for name in () if args.classes else NEWER:
        lines += draw([name], 300, args.seed, refused)
    calls.write(args.out, lines)
    print(f"{len(lines)} calls; without an answer: {refused.total()}", refused.most_common(30))


if __name__ == "__main__":
    main()
