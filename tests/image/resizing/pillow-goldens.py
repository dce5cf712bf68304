"""Writes pillow-goldens.json: what Pillow itself makes of pictures that pillow-goldens.js makes again, as hashes.

    python3 -m venv build/pillow
    build/pillow/bin/pip install -c tests/goldens/constraints.txt pillow numpy
    build/pillow/bin/python tests/image/resizing/pillow-goldens.py
    npx prettier --write tests/image/resizing/pillow-goldens.json
"""

import hashlib
import json
import pathlib

import numpy as np
import PIL
from PIL import Image

assert PIL.__version__ == "13.0.0", PIL.__version__
CHANNELS = {"L": 1, "LA": 2, "RGB": 3, "RGBA": 4, "F": 1}


def noise(seed, count):
    """The bytes of mulberry32, as tests/support/samples.js has it."""
    with np.errstate(over="ignore"):
        state = np.uint32(seed) + np.arange(1, (count + 3) // 4 + 1, dtype=np.uint32) * np.uint32(0x6D2B79F5)
        t = (state ^ (state >> 15)) * (state | 1)
        t = (t + (t ^ (t >> 7)) * (t | 61)) ^ t
        return (t ^ (t >> 14)).astype("<u4").view(np.uint8)[:count]


def picture(mode, width, height, seed):
    """Noise, 0 and 255 alone, or ramps, as the seed is 1, 2 or 0 modulo 3. Mode F has negative numbers too."""
    channels = CHANNELS[mode]
    data = noise(seed, width * height * channels)
    if seed % 3 == 2:
        data = np.where(data < 128, 0, 255)
    if seed % 3 == 0:
        data = np.arange(width * height * channels) * seed // 64 % 256
    data = data.astype(np.uint8).reshape(height, width, channels)
    if mode == "F":
        return ((data[..., 0].astype(np.float64) - 128) * 1.37).astype(np.float32)
    return data


def image(pixels, mode):
    return Image.fromarray(pixels if mode == "F" else np.squeeze(pixels, 2) if mode == "L" else pixels)


def resample(options):
    return Image.Resampling[options.get("filter", "bicubic").upper()]


def thumbnail(pixels, mode, options):
    result = image(pixels, mode)
    gap = {"reducing_gap": options["reducingGap"]} if "reducingGap" in options else {}
    result.thumbnail((options["width"], options["height"]), resample(options), **gap)
    return np.asarray(result)


def resize(pixels, mode, options):
    size = (options["width"], options["height"])
    more = {"box": options.get("box"), "reducing_gap": options.get("reducingGap")}
    if options.get("premultiply", True):
        return np.asarray(image(pixels, mode).resize(size, resample(options), **more))
    # Pillow weights colors by alpha unless it gets each channel as a picture of its own.
    channels = np.moveaxis(pixels, 2, 0)
    return np.stack([np.asarray(Image.fromarray(c).resize(size, resample(options), **more)) for c in channels], 2)


def crop(pixels, mode, options):
    return np.asarray(image(pixels, mode).crop(options["box"]))


def cases():
    modes = list(CHANNELS)
    filters = ["nearest", "box", "bilinear", "hamming", "bicubic", "lanczos"]
    # Thumbnails: sides that round up, down and to a tie, sides that would be 0, pictures that fit as they are.
    sizes = [
        (300, 200, 100, 100), (200, 300, 100, 100), (333, 500, 64, 64), (97, 31, 20, 20), (31, 97, 20, 20),
        (300, 200, 40, 33), (640, 360, 128, 128), (1000, 3, 100, 100), (3, 1000, 100, 100), (64, 64, 64, 63),
        (100, 50, 3, 3), (50, 100, 3, 3), (40, 30, 40, 30), (40, 30, 50, 60), (40, 30, 41, 12), (257, 129, 16, 99),
        (7, 5, 1, 1), (1, 9, 1, 4), (120, 80, 119, 80), (500, 333, 250, 7),
    ]
    for i, (width, height, *size) in enumerate(sizes):
        for filter in (None, filters[i % 6]):
            options = {"width": size[0], "height": size[1]}
            if filter:
                options["filter"] = filter
                options["reducingGap"] = [1, 1.5, 3, 7.25][i % 4]
            yield "thumbnail", modes[(i + bool(filter)) % 5], width, height, options
    # Alpha as one more channel.
    for i, filter in enumerate(filters):
        mode = ["LA", "RGBA"][i % 2]
        yield "resize", mode, 61, 47, {"width": 30, "height": 20, "filter": filter, "premultiply": False}
        yield "resize", mode, 33, 90, {
            "width": 50, "height": 11, "filter": filter, "premultiply": False, "box": [2.5, 1.25, 31, 88.5],
        }
        yield "resize", mode, 150, 190, {
            "width": 20, "height": 10, "filter": filter, "premultiply": False, "reducingGap": 1.5,
        }
    # A crop weights colors by alpha and back. A box without an extent is one pixel, as long as it lies inside.
    for mode in modes:
        yield "resize", mode, 40, 30, {"width": 17, "height": 13, "filter": "lanczos", "box": [11, 9, 28, 22]}
        yield "resize", mode, 40, 30, {"width": 40, "height": 30, "filter": "box", "box": [0.25, 0, 40, 29.5]}
        yield "resize", mode, 40, 30, {"width": 39, "height": 29, "filter": "bicubic", "box": [0.5, 0.25, 39.5, 29.25]}
        yield "resize", mode, 40, 30, {"width": 9, "height": 7, "filter": "bilinear", "box": [12.5, 3, 12.5, 30]}
    # Both sides of the rule that decides which axis goes first.
    for i, (height, mode) in enumerate((h, m) for h in (119, 120, 121, 300) for m in modes):
        yield "resize", mode, 50, height, {"width": 20, "height": 60, "filter": filters[1 + i % 5]}
    # Strong reduction, strong enlargement, cells of all factors.
    for filter in filters:
        yield "resize", "RGB", 30000, 200, {"width": 1, "height": 1, "filter": filter}
        yield "resize", "L", 200, 30000, {"width": 2, "height": 3, "filter": filter}
        yield "resize", "RGBA", 5, 4, {"width": 16384, "height": 2, "filter": filter}
        yield "resize", "F", 3, 5, {"width": 4, "height": 9000, "filter": filter}
    for i, (fx, fy) in enumerate((x, y) for x in range(1, 8) for y in range(1, 8) if x * y > 1):
        options = {"width": 7, "height": 6, "filter": filters[1 + i % 5], "reducingGap": 1.25}
        yield "resize", modes[i % 5], int(7 * fx * 1.25) + 3, int(6 * fy * 1.25) + 2, options
    # Nearest weights nothing by alpha, not even in a crop.
    for mode in modes:
        yield "resize", mode, 40, 30, {"width": 17, "height": 13, "filter": "nearest", "box": [11, 9, 28, 22]}
    # Crops: inside, beyond each edge and all of them, beside the picture, and fractions that round, half to even.
    boxes = [
        (3, 2, 9, 11), (0, 0, 13, 17), (-2, -3, 5, 4), (7, 9, 20, 30), (-4, -5, 18, 21), (13, 0, 15, 17),
        (-3, -9, 0, 0), (100, 200, 103, 201), (0.5, 1.5, 2.5, 3.5), (-0.5, -1.5, 12.51, 17.49), (2.49, 3.51, 4, 5),
    ]
    for box in boxes:
        for mode in modes:
            yield "crop", mode, 13, 17, {"box": list(box)}


found = []
for seed, (call, mode, width, height, options) in enumerate(cases(), 1):
    run = {"thumbnail": thumbnail, "resize": resize, "crop": crop}[call]
    result = run(picture(mode, width, height, seed), mode, options)
    found.append({
        "call": call, "mode": mode, "from": [width, height], "seed": seed, "options": options,
        "size": [result.shape[1], result.shape[0]], "sha256": hashlib.sha256(result.tobytes()).hexdigest(),
    })
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(found))
print(len(found), "cases")
