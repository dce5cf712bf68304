"""Usage: python pictures.py [OUT]. What RapidOCR reads in the pictures of parts.json, and the hashes of
what transformers makes of them for a model that cuts out the background: the answers that tests/models/difference.mjs
compares others with."""

import hashlib
import json
import os
import sys

import numpy as np
from PIL import Image
from rapidocr import RapidOCR
from rapidocr.ch_ppocr_det.utils import DetPreProcess
from transformers import AutoImageProcessor

here = os.path.dirname(os.path.abspath(__file__))
out = sys.argv[1] if len(sys.argv) > 1 else here
root = os.path.join(here, "..", "..", "..")


def pictures(kind):
    with open(os.path.join(here, "parts.json")) as file:
        rows = json.load(file)[kind]
    for row in rows:
        image = Image.open(os.path.join(root, row["file"])).convert("RGB")
        image = image.crop(row["box"]).resize(row["size"], Image.Resampling.BICUBIC)
        for _ in range(row["turns"]):
            image = image.transpose(Image.Transpose.ROTATE_90)
        yield image


def sha256(array):
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def texts():
    engine = RapidOCR(params={"Global.log_level": "error", "Global.use_cls": False, "Global.text_score": 0.0})
    prepare = DetPreProcess(736, "min", [0.5] * 3, [0.5] * 3)
    for image in pictures("text"):
        pixels = np.array(image)
        bgr = pixels[:, :, ::-1]
        detector = sha256(prepare(bgr).astype(np.float32))
        yield {"picture": sha256(pixels), "detector": detector, "texts": list(engine(bgr).txts or [])}


def photos():
    processor = AutoImageProcessor.from_pretrained(os.path.join(root, "tests", "models", "isnet"))
    for image in pictures("photos"):
        values = processor(image, return_tensors="np")["pixel_values"]
        yield {"picture": sha256(np.array(image)), "pixel_values": sha256(values)}


rows = {"text": list(texts()), "photos": list(photos())}
with open(os.path.join(out, "pictures.json"), "w") as file:
    file.write("{\n")
    file.write(",\n".join(
        f' "{kind}": [\n' + ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in list_) + "\n ]"
        for kind, list_ in rows.items()))
    file.write("\n}\n")
