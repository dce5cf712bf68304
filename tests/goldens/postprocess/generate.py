"""Usage: python generate.py OUT [FILE ...]. Asks the packages for every case of the files again, and writes the files
with their answers to the folder OUT. A case without an answer gets one; a tensor that is to be within a tolerance has
`tolerance`, which stays."""

import base64
import gzip
import hashlib
import importlib
import json
import math
import os
import sys

os.environ["ATEN_CPU_CAPABILITY"] = "avx2"
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"

import numpy as np
import torch
import torchvision

import recipes

torch.set_num_threads(2)  # with one thread, torch resizes three channels by another kernel
assert torch.backends.cpu.get_cpu_capability() == "AVX2", "the goldens are those of AVX2"
ops = torchvision.ops
functional = torch.nn.functional

CALLS = {
    "nms": lambda t, o: ops.nms(t["boxes"], t["scores"], **o),
    "batched_nms": lambda t, o: ops.batched_nms(t["boxes"], t["scores"], t["idxs"], **o),
    "box_convert": lambda t, o: ops.box_convert(t["boxes"], **o),
    "box_iou": lambda t, o: ops.box_iou(t["boxes1"], t["boxes2"]),
    "generalized_box_iou": lambda t, o: ops.generalized_box_iou(t["boxes1"], t["boxes2"]),
    "box_area": lambda t, o: ops.box_area(t["boxes"]),
    "clip_boxes_to_image": lambda t, o: ops.clip_boxes_to_image(t["boxes"], o["size"]),
    "remove_small_boxes": lambda t, o: ops.remove_small_boxes(t["boxes"], o["min_size"]),
    "masks_to_boxes": lambda t, o: ops.masks_to_boxes(t["masks"]),
    "interpolate": lambda t, o: functional.interpolate(t["input"], **o),
    "softmax": lambda t, o: torch.softmax(t["input"], -1),
    "sigmoid": lambda t, o: torch.sigmoid(t["input"]),
    "topk": lambda t, o: dict(zip(("values", "indices"), torch.topk(t["input"], o["k"], sorted=o["sorted"]))),
    "argmax": lambda t, o: torch.argmax(t["input"], o["dim"]),
    "argmin": lambda t, o: torch.argmin(t["input"], o["dim"]),
}

MODULES = {
    "processor": "processors",
    "onnx": "operators",
    "yolo": "yolo",
    "opencv": "opencv",
    "text": "rapidocr_text",
}
MOST_SAMPLES = 400


def ask(case, tensors):
    if case["kind"] in MODULES:
        return importlib.import_module(MODULES[case["kind"]]).ask(case, tensors)
    return CALLS[case["method"]](tensors, case["options"])


def raw(value, where):
    """The numbers of a tensor and their type: maps of segments are whole numbers, which count by value, as int32."""
    array = value.detach().contiguous().numpy() if isinstance(value, torch.Tensor) else np.ascontiguousarray(value)
    if array.dtype == bool:
        return "bool", array.astype(np.uint8)
    if array.dtype == np.uint8:
        return "uint8", array
    if array.dtype.kind == "f" and not (where.endswith("segmentation") and array.ndim == 2):
        return "float32", array.astype(np.float32)
    # Operators of ONNX give int64; a label map of Python is int32 here.
    return ("int64", array) if where.startswith(".y") else ("int32", array.astype(np.int32))


def tensor(value, old, where):
    """A hash of the bytes; where there is a tolerance, the numbers, or every so many of them."""
    kind, array = raw(value, where)
    made = {"type": kind, "dims": list(value.shape)}
    tolerance = (old or {}).get("tolerance")
    if not tolerance:
        return {**made, "sha256": hashlib.sha256(array.tobytes()).hexdigest()}
    stride = 1 if "pixels" in tolerance else max(1, array.size // MOST_SAMPLES)
    data = array.reshape(-1)[::stride]
    packed = data.astype(np.int16) if kind == "int32" and "pixels" in tolerance else data
    text = base64.b64encode(gzip.compress(packed.tobytes(), 9, mtime=0)).decode()
    return {**made, "tolerance": tolerance, "stride": stride, "stored": str(packed.dtype), "gzip": text}


def record(value, old, where=""):
    if isinstance(value, torch.Tensor) and value.ndim == 0 and not value.is_floating_point():
        return value.item()
    if isinstance(value, (torch.Tensor, np.ndarray)):
        return tensor(value, old, where)
    if hasattr(value, "segmentation") and hasattr(value, "segmentation_scores"):
        value = {"segmentation": value.segmentation, "segmentation_scores": value.segmentation_scores}
    if isinstance(value, dict):
        return {k: record(part, (old or {}).get(k), f"{where}.{k}") for k, part in value.items()}
    if isinstance(value, (list, tuple)):
        olds = old if isinstance(old, list) else [None] * len(value)
        return [record(part, olds[i] if i < len(olds) else None, where) for i, part in enumerate(value)]
    if isinstance(value, np.generic):
        value = value.item()
    return "NaN" if isinstance(value, float) and math.isnan(value) else value


def torched(value):
    return [torched(one) for one in value] if isinstance(value, list) else torch.from_numpy(value)


here = os.path.dirname(os.path.abspath(__file__))
FILES = ["index.json", "processors.json", "operators.json", "yolo.json", "contours.json", "text.json"]
for name in sys.argv[2:] or FILES:
    with open(os.path.join(here, name)) as file:
        cases = json.load(file)
    for case in cases:
        tensors = {key: torched(array) for key, array in recipes.tensors(case["outputs"]).items()}
        case["expect"] = record(ask(case, tensors), case.get("expect"))
    with open(os.path.join(sys.argv[1], name), "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
