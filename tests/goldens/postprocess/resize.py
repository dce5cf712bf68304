"""ONNX's node tests of Resize, and onnxruntime's answers to random ones: python resize.py OUT [SEED]

A case has a model of one node, in base64, and its tensors, with their bytes in base64. Left out: calls whose result has
the dims of the input though a scale is not 1, and regions along an axis of scale 1. onnxruntime copies these; ONNX's
own tests resize them.
"""

import base64
import json
import os
import random
import sys
import warnings

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

warnings.simplefilter("ignore")  # before the tests are made
from onnx.backend.test.case.node import collect_testcases

TYPES = {"float32": TensorProto.FLOAT, "uint8": TensorProto.UINT8, "int64": TensorProto.INT64}
COORDINATES = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"]
NEAREST = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]


def text(data):
    return base64.b64encode(data).decode()


def record(value):
    array = value if isinstance(value, np.ndarray) else numpy_helper.to_array(value)
    return {"type": str(array.dtype), "dims": list(array.shape), "data": text(np.ascontiguousarray(array).tobytes())}


def node_tests():
    for case in sorted(collect_testcases(None), key=lambda one: one.name):
        if [node.op_type for node in case.model.graph.node] != ["Resize"]:
            continue
        values, results = case.data_sets[0]
        names = [value.name for value in case.model.graph.input]
        inputs = {name: record(value) for name, value in zip(names, values)}
        model = text(case.model.SerializeToString())
        yield {"id": case.name, "model": model, "inputs": inputs, "y": record(results[0])}


def attributes_of(opset, rank):
    mode = random.choice(["nearest", "linear"] + (["cubic"] if opset >= 11 and rank == 4 else []))
    found = {"mode": mode}
    if opset < 11:
        return found
    coordinates = COORDINATES + (["tf_half_pixel_for_nn"] if opset < 13 and mode == "nearest" else [])
    found["coordinate_transformation_mode"] = random.choice(coordinates + ["half_pixel_symmetric"] * (opset >= 19))
    if mode == "nearest":
        found["nearest_mode"] = random.choice(NEAREST)
    if mode == "cubic":
        found |= {"cubic_coeff_a": random.choice([-0.75, -0.5]), "exclude_outside": random.choice([0, 1])}
    if found["coordinate_transformation_mode"] == "tf_crop_and_resize":
        found["extrapolation_value"] = random.choice([0.0, 7.0])
    elif opset >= 18 and mode != "nearest" and rank == 4:
        found["antialias"] = random.choice([0, 1])
    return found


def call(kind, opset):
    rank = random.choice([2, 3, 4, 4])
    dims = [random.randint(1, 2) for _ in range(rank - 2)] + [random.randint(2, 7) for _ in range(2)]
    found = attributes_of(opset, rank)
    is_float = kind == "float32"
    x = np.random.standard_normal(dims).astype(kind) if is_float else np.random.randint(0, 256, dims).astype(kind)
    takes_axes = opset >= 18 and random.random() < 0.4
    if takes_axes:
        found["axes"] = [rank - 2, rank - 1]
    front = 0 if takes_axes else rank - 2
    inputs = {"X": x}
    if opset >= 11:
        crops = found["coordinate_transformation_mode"] == "tf_crop_and_resize"
        starts = [random.choice([0.0, 0.25, -0.125]) for _ in range(2)]
        ends = [random.choice([1.0, 0.5, 1.25]) for _ in range(2)]
        roi = [0.0] * front + starts + [1.0] * front + ends if crops else []
        inputs["roi"] = np.array(roi, "float32")
    if opset < 11 or random.random() < 0.5:
        scales = [random.choice([0.5, 0.7, 1.7, 2.0, 3.0]) for _ in range(2)]
        inputs["scales"] = np.array([1.0] * front + scales, "float32")
    else:
        # Below opset 13, scales must be there, and empty.
        if opset < 13:
            inputs["scales"] = np.array([], "float32")
        sizes = [extent + random.choice([-1, 1, 2, 5]) for extent in dims[-2:]]
        inputs["sizes"] = np.array(dims[: rank - 2][:front] + sizes, "int64")
        if takes_axes:
            found["keep_aspect_ratio_policy"] = random.choice(["stretch", "not_larger", "not_smaller"])
    return found, inputs


def answers(count):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    while count > 0:
        kind, opset = random.choice(["float32", "uint8"]), random.choice([10, 11, 13, 18, 19])
        attributes, inputs = call(kind, opset)
        if kind == "uint8" and attributes["mode"] == "cubic" and not attributes.get("antialias"):
            continue  # onnxruntime has none
        names = ["X", "scales"] if opset < 11 else ["X", "roi", "scales", "sizes"]
        names = [name if name in inputs else "" for name in names]
        names = names if names[-1] else names[:-1]
        given = [helper.make_tensor_value_info(name, TYPES[str(a.dtype)], a.shape) for name, a in inputs.items()]
        made = [helper.make_tensor_value_info("Y", TYPES[kind], None)]
        graph = helper.make_graph([helper.make_node("Resize", names, ["Y"], **attributes)], "g", given, made)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
        data = model.SerializeToString()
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        y = session.run(None, inputs)[0]
        if any(a == b for a, b in zip(y.shape[-2:], inputs["X"].shape[-2:])):
            continue
        count -= 1
        tensors = {name: record(a) for name, a in inputs.items()}
        words = " ".join(str(value) for value in attributes.values())
        yield {"id": f"{opset} {kind} {words} {count}", "model": text(data), "inputs": tensors, "y": record(y)}


if __name__ == "__main__":
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 31
    random.seed(seed)
    np.random.seed(seed)
    rows = [*node_tests(), *answers(160)]
    with open(os.path.join(sys.argv[1], "resize.json"), "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
