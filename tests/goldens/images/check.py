"""Replays the stored goldens with reference.py alone (NumPy; Pillow only reads the PNG files)."""

import hashlib
import json
import os

import numpy as np
from PIL import Image

import reference as R

root = os.path.dirname(os.path.abspath(__file__))
at = lambda p: os.path.join(root, p)
sha = lambda a: hashlib.sha256(np.ascontiguousarray(a).tobytes()).hexdigest()
inputs = {s["file"]: s for s in json.load(open(at("inputs.json")))}
cache = {}


def load(rel):
    if rel not in cache:
        a = np.load(at(rel)) if rel.endswith(".npy") else np.array(Image.open(at(rel)))
        a = a[..., None] if a.ndim == 2 else a
        assert sha(a) == inputs[rel]["sha256"], rel
        cache[rel] = a
    return cache[rel]


n = dict(resize=0, processor=0, skipped=0)
for c in json.load(open(at("index.json"))):
    if c["kind"] == "resize":
        a, op = load(c["input"]), c["op"]
        if c["mode"] == "pillow":
            o = R.pil_resize(a, c["image_mode"], op["size"], op["filter"], op.get("box"), op.get("reducing_gap"))
        else:
            o = R.torch_resize(a, op["size"], op["filter"], op["antialias"])
        assert sha(o) == c["output"]["sha256"], c["id"]
        n["resize"] += 1
    else:
        ref = R.hf_process([(load(f), inputs[f]["mode"]) for f in c["inputs"]], c["settings"], c["backend"])
        if ref is None:
            n["skipped"] += 1
            continue
        for k, a in ref.items():
            assert sha(a) == c["outputs"][k]["sha256"] and list(a.shape) == c["outputs"][k]["dims"], (c["id"], k)
        n["processor"] += 1
print("equal:", n)
