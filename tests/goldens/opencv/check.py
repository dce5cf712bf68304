"""Replays the resize, letterbox and blob goldens with cv_reference.py alone (NumPy, Pillow; no cv2)."""

import hashlib
import json
import os
import sys

import numpy as np
from PIL import Image

import cv_reference as R

root = os.path.dirname(os.path.abspath(__file__))
info, cache, bad, n = json.load(open(os.path.join(root, "inputs.json"))), {}, 0, 0


def image(key):
    if key not in cache:
        i = info[key]
        c = {"L": 1, "RGB": 3, "RGBA": 4}[i["mode"]]
        if "formula" in i:
            k, x, y, z = (
                i["formula"],
                np.arange(i["width"])[None, :, None],
                np.arange(i["height"])[:, None, None],
                np.arange(c),
            )
            a = ((((x * k[0] + y * k[1] + z * k[2]) >> 2) + ((x * y * k[3]) >> 8)) & 255).astype(np.uint8)
        else:
            a = np.asarray(Image.open(os.path.join(root, key))).reshape(i["height"], i["width"], c)
        assert hashlib.sha256(a.tobytes()).hexdigest() == i["sha256"], key
        cache[key] = a
    return cache[key]


for c in json.load(open(os.path.join(root, "index.json"))):
    a, o = image(c["input"]), c.get("options")
    if c["kind"] == "resize":
        y = R.resize(a, c["op"]["size"], c["op"]["filter"])
    elif c["kind"] == "letterbox":
        y = R.letterbox(a, **o)[0]
    elif c["kind"] == "yolo":
        y = R.yolo_tensor(a, c["output"]["dtype"] == "float16", **o)
    elif c["kind"] == "blob":
        y = R.blob(a, o["scalefactor"], (o["width"], o["height"]), o["mean"], o["swapRB"], o["crop"])
    else:
        continue
    n += 1
    if hashlib.sha256(np.ascontiguousarray(y).tobytes()).hexdigest() != c["output"]["sha256"]:
        bad += 1
        print(c["id"], "differs")
print(n, "replayed,", bad, "bad")
sys.exit(bad > 0)
