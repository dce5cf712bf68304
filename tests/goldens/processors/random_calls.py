"""Random calls of processors, and hashes of what the rules of reference.py make of them. Needs NumPy and Pillow.

    python random_calls.py OUT [--seed N] [--count N]

A call starts at a golden's. It takes some settings of other files of its class, other sizes, filters and numbers, and
parts of the inputs' pictures and clips. OUT is a gzipped file of JSON, a call a line.
"""

import argparse
import collections
import gzip
import hashlib
import io
import json
import os
import random

import numpy as np
from PIL import Image

import reference as R

HERE = os.path.dirname(os.path.abspath(__file__))
NO_CROP = ("prompt_images", "video_metadata")  # options that belong to whole pictures
SIZES = ("size", "crop_size", "pad_size", "high_res_size", "codebook_size")
MOST = 300_000  # elements of a call's outputs
# Classes that resize without antialiasing have no rules for the other filters.
SMOOTH = ("PPDocLayout", "PPOCRV6", "Molmo2", "Phi4Multimodal")
cache = {}


def load(name):
    return json.load(open(os.path.join(HERE, name)))


def read(file):
    """-> array and mode; a clip has none."""
    if file not in cache:
        path = os.path.join(HERE, file)
        if file.endswith(".gz"):
            cache[file] = np.load(io.BytesIO(gzip.open(path).read())), None
        else:
            image = Image.open(path)
            a = np.array(image)
            cache[file] = a[..., None] if a.ndim == 2 else a, image.mode
    return cache[file]


def part(r, file, whole=False):
    """A random part of a picture or a clip: file, top, left, height, width."""
    if isinstance(file, list):
        return [part(r, one, whole) for one in file]
    h, w = read(file)[0].shape[-3:-1]
    if whole:
        return [file, 0, 0, h, w]
    height, width = min(h, r.randint(4, 120)), min(w, r.randint(4, 120))
    return [file, r.randint(0, h - height), r.randint(0, w - width), height, width]


def pixels(given):
    if isinstance(given[0], list):
        return [pixels(one) for one in given]
    file, top, left, height, width = given
    a, mode = read(file)
    a = a[..., top : top + height, left : left + width, :]
    return a if mode is None else (a, mode)


def scaled(value, factor):
    """Squares stay squares."""
    if isinstance(value, dict):
        return {k: scaled(v, factor) for k, v in value.items()}
    return max(4, round(value * factor)) if isinstance(value, int) and value <= 4000 else value


def vary(r, name, config, others, known):
    """Another file of the class."""
    config = dict(config)
    for key, value in r.choice(others).items():
        if key in known and r.random() < 0.35:
            config[key] = value
    for key in SIZES:
        if config.get(key) is not None and r.random() < 0.5:
            config[key] = scaled(config[key], r.choice((0.5, 0.7, 0.9, 1.15, 1.4)))
    if "resample" in known and r.random() < 0.3:
        config["resample"] = r.randint(2 if name.startswith(SMOOTH) else 0, 3)
    for key in ("do_rescale", "do_normalize", "do_convert_rgb"):
        if known.get(key) is not None and r.random() < 0.1:
            config[key] = r.random() < 0.5
    if isinstance(known.get("image_mean"), list) and r.random() < 0.2:
        config["image_mean"] = [round(r.uniform(0, 1), 4) for _ in range(3)]
        config["image_std"] = [round(r.uniform(0.1, 1), 4) for _ in range(3)]
    if known.get("do_rescale") and r.random() < 0.1:
        config["rescale_factor"] = r.choice((1 / 127.5, 1 / 256, 0.01))
    if "image_size" in config and "size" in config:
        raise R.Refused()  # Python fails
    own = {**known, **config}
    for flag, keys in (("do_center_crop", ["crop_size"]), ("do_normalize", ["image_mean", "image_std"])):
        if own.get(flag) and any(key in known and own[key] is None for key in keys):
            raise R.Refused()
    return config


def form(value, golden):
    """As transformers returns it: some lists of numbers are tensors."""
    golden = golden or {}
    if isinstance(value, list) and "dtype" in golden and not any(np.ndim(one) for one in value):
        value = np.asarray(value, golden["dtype"])
    if isinstance(value, np.ndarray):
        value = np.ascontiguousarray(value)
        if (
            golden.get("dtype") == "bfloat16"
            and value.dtype == np.float32
            and not (value.view(np.uint32) & 0xFFFF).any()
        ):
            return "bfloat16", (value.view(np.uint32) >> 16).astype(np.uint16)
        return str(value.dtype), value
    if isinstance(value, (list, tuple)):
        if "dtype" in golden and len({np.shape(one) for one in value}) > 1:
            raise R.Refused()  # pictures of several sizes
        return [form(one, golden.get("list", [golden])[0]) for one in value]
    return value.item() if hasattr(value, "item") else value


def size_of(value):
    return sum(map(size_of, value)) if isinstance(value, list) else value[1].size if isinstance(value, tuple) else 0


def add(hashed, value):
    if isinstance(value, list):
        hashed.update(f"[{len(value)}".encode())
        for one in value:
            add(hashed, one)
    elif isinstance(value, tuple):
        dtype, data = value
        hashed.update(f"{dtype} {list(data.shape)}".replace(", ", ",").encode())
        hashed.update(data.tobytes())
    else:
        hashed.update(json.dumps(value).encode())


def add_outputs(hashed, made):
    for name, value in made.items():
        hashed.update(name.encode())
        add(hashed, value)


def line(kind, name, made, hashed):
    return json.dumps([kind, name, made, hashed.hexdigest()[:16]], separators=(",", ":"))


def write(out, lines):
    with open(out, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write("\n".join(lines).encode())


def outputs_of(case, config, backend, options, given):
    kind, name = case["kind"], case["type"]
    if kind == "video":
        return R.process_videos(name, pixels(given), config, options)
    images = pixels(given)
    options = {k: pixels(v) if k in ("prompt_images", "prompt_masks") else v for k, v in options.items()}
    made = R.process_images(name, images, config, backend, options)
    return R.older(name, images, config, backend, options) if made is None else made


def frames_of(r, case):
    """A random choice of frames: -> metadata, indices."""
    metadata = dict(case["metadata"])
    total = r.randint(1, 400)
    for key, value in metadata.items():
        if value is not None:
            metadata[key] = total if key == "total_num_frames" else round(r.choice((1, 10, 24, 25, 29.97, 60)), 2)
    if metadata.get("duration") is not None:
        metadata["duration"] = total / (metadata.get("fps") or 25)
    settings = R.settings_of("video", case["type"], case["settings"], {})
    name = case["type"].removesuffix("VideoProcessor")
    indices = R.sample_frames(name, settings, metadata, case["options"])
    if indices is None or not indices or max(indices) >= total:
        raise R.Refused()
    return metadata, indices


def call(r, case, configs, others, classes):
    """-> a call and the hash of its outputs."""
    hashed = hashlib.sha256()
    if case["kind"] == "sample":
        metadata, indices = frames_of(r, case)
        hashed.update(json.dumps([int(i) for i in indices], separators=(",", ":")).encode())
        return {"settings": case["settings"], "metadata": metadata, "options": case["options"]}, hashed
    known = classes[case["kind"]][case["type"]]["settings"]
    config = vary(r, case["type"], configs[case["config"]], others[case["kind"], case["type"]], known)
    if case["type"] == "UVDocImageProcessor" and config.get("do_rescale") is False:
        raise R.Refused()  # reference.py has no bytes between aligned corners
    options = case.get("options", {})
    whole = any(key in options for key in NO_CROP)
    given = part(r, case["videos" if case["kind"] == "video" else "images"], whole)
    if "prompt_images" in options:
        options = {k: part(r, v, True) if k.startswith("prompt_") else v for k, v in options.items()}
    converts = options.get("do_convert_rgb", config.get("do_convert_rgb", known.get("do_convert_rgb")))
    if case["kind"] == "image" and not converts and any(mode in json.dumps(given) for mode in ("_rgba", "_l.", "_la.")):
        raise R.Refused()  # Python keeps one channel or four of a picture in memory
    backend = case.get("numbers", "torchvision")
    made = outputs_of(case, config, backend, options, given)
    if made is None or any(value is None for value in made.values()):
        raise R.Refused()
    made = {name: form(made[name], case["outputs"].get(name)) for name in sorted(made)}
    if sum(map(size_of, made.values())) > MOST:
        raise R.Refused()
    add_outputs(hashed, made)
    return {"config": config, "backend": backend, "given": given, "options": options}, hashed


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--count", type=int, default=10_000)
    args = ap.parse_args()
    configs, classes = load("configs.json"), load("classes.json")
    pools, others = collections.defaultdict(list), collections.defaultdict(list)
    for case in load("index.json"):
        if case["kind"] == "load" or "error" in case or "timm" in case or "trimaps" in case:
            continue
        pools[case["kind"], case["type"]].append(case)
        if "config" in case:
            others[case["kind"], case["type"]].append(configs[case["config"]])
    r, keys, lines = random.Random(args.seed), sorted(pools), []
    refused = collections.Counter()
    while len(lines) < args.count:
        key = r.choice(keys)
        try:
            made, hashed = call(r, r.choice(pools[key]), configs, others, classes)
        except Exception:  # the rules have no answer: settings that do not fit together
            refused[key] += 1
            continue
        kind, name = key
        lines.append(line(kind, name, made, hashed))
    write(args.out, lines)
    names = {(kind, name) for kind, name in keys if not any(line.startswith(f'["{kind}","{name}"') for line in lines)}
    print(f"{len(lines)} calls; without an answer: {refused.total()}; kinds without one: {sorted(names)}")


if __name__ == "__main__":
    main()
