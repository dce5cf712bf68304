"""Writes ultralytics-goldens.json: boxes, points and masks that Ultralytics takes from a letterbox back to its picture.

Ultralytics has the AGPL: it is run here, and nothing of it is copied.

    python3 -m venv build/ultralytics
    build/ultralytics/bin/pip install -c tests/goldens/constraints.txt ultralytics torch torchvision numpy
    build/ultralytics/bin/python tests/image/ultralytics-goldens.py
    npx prettier --write tests/image/ultralytics-goldens.json
"""

import json
import pathlib

import numpy as np
import torch
import ultralytics
from ultralytics.utils import ops

torch.set_num_threads(1)
RANDOM = np.random.default_rng(36)
LETTERBOXES = [(640, 640), (640, 640), (640, 480), (320, 512), (64, 64), (1280, 96)]
MASKS = [(160, 160), (160, 160), (160, 120), (80, 128), (16, 16), (320, 24)]


def pick(options):
    return tuple(options[int(RANDOM.integers(len(options)))])


def picture(least, most):
    return tuple(int(side) for side in RANDOM.integers(least, most, 2))


def numbers(count):
    """Eighths, within and beyond a letterbox."""
    return torch.from_numpy((RANDOM.integers(-800, 8000, count) / 8).astype(np.float32))


def plain(values):
    """The shortest decimals that float32 reads as these numbers."""
    return [float(str(value)) for value in values.numpy().ravel()]


def boxes(letterbox, source, center, form):
    width, height = letterbox
    given = numbers(8)
    shapes = ((height, width), (source[1], source[0]))
    if form == "points":
        made = ops.scale_coords(shapes[0], given.clone().reshape(1, 4, 2), shapes[1], padding=center)
    else:
        made = ops.scale_boxes(
            shapes[0], given.clone().reshape(2, 4), shapes[1], padding=center, xywh=form == "xywh"
        )
    return {
        "letterbox": letterbox,
        "source": source,
        "center": center,
        "format": form,
        "given": plain(given),
        "made": plain(made),
    }


def mask(size, source, center):
    """The pixels of a mask that are seen in the picture: it is larger, so nearest shows each of them."""
    (width, height), (wide, high) = size, source
    assert min(width / wide, height / high) <= 1
    rows, columns = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    places = torch.stack([columns, rows])[None].float()
    seen = ops.scale_masks(places, (high, wide), padding=center, mode="nearest")[0]
    (left, top), (right, bottom) = seen.amin((1, 2)).int().tolist(), seen.amax((1, 2)).int().tolist()
    return {
        "size": size,
        "source": source,
        "center": center,
        "window": [left, top, right - left + 1, bottom - top + 1],
    }


def main():
    goldens = {"boxes": [boxes((640, 640), (1333, 800), True, "xyxy")], "masks": []}
    for i in range(90):
        form = ("xyxy", "xywh", "points")[i % 3]
        source = picture(1, 100) if i % 4 == 0 else picture(100, 3000)
        goldens["boxes"].append(boxes(pick(LETTERBOXES), source, i % 5 > 0, form))
    goldens["masks"].append(mask((160, 160), (1677, 2012), True))
    # One side of a long picture is less than half a pixel of the mask.
    for source in ((2, 670), (2000, 3), (1, 400)):
        goldens["masks"].append(mask((160, 160), source, True))
    for i in range(120):
        goldens["masks"].append(mask(pick(MASKS), picture(330, 3000), i % 5 > 0))
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(goldens))


main()
