"""Usage: ATEN_CPU_CAPABILITY=avx2 python generate.py. Asks torch and torchvision for every case of index.json
again, and writes the file with their answers."""

import hashlib
import json
import os

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


def record(value):
    """A hash of the bytes; whole numbers count by value, as int32."""
    if isinstance(value, dict):
        return {name: record(part) for name, part in value.items()}
    is_float = value.is_floating_point()
    data = value.contiguous().to(torch.float32 if is_float else torch.int32).numpy().tobytes()
    kind = "float32" if is_float else "int32"
    return {"type": kind, "dims": list(value.shape), "sha256": hashlib.sha256(data).hexdigest()}


path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "index.json")
with open(path) as file:
    cases = json.load(file)
for case in cases:
    tensors = {name: torch.from_numpy(recipes.make(g)) for name, g in case["outputs"].items()}
    case["expect"] = record(CALLS[case["method"]](tensors, case["options"]))
with open(path, "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
