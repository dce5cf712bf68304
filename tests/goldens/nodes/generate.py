"""Writes ONNX's own node tests of the operators: python generate.py OUT.

A row of index.json is a test: its name, its model, and its inputs and outputs as TensorProtos, or as a SequenceProto
where a value is a sequence; all in base64.
"""

import argparse
import base64
import json
import os
import warnings

import onnx
from onnx import numpy_helper

warnings.simplefilter("ignore")  # before the tests are made: some divide by zero on purpose
from onnx.backend.test.case.node import collect_testcases

OPERATORS = [
    *["Cast", "CenterCropPad", "Concat", "DepthToSpace", "DequantizeLinear", "DynamicQuantizeLinear", "Expand"],
    *["Flatten", "Gather", "GatherElements", "GatherND", "Identity", "Pad", "QuantizeLinear", "Reshape"],
    *["ReverseSequence", "SequenceInsert", "Shape", "Size", "Slice", "SpaceToDepth", "Split", "SplitToSequence"],
    *["Squeeze", "Tile", "Transpose", "Unsqueeze", "Where"],
]


def proto_of(value):
    if isinstance(value, (onnx.TensorProto, onnx.SequenceProto)):
        return value
    return numpy_helper.from_list(value) if isinstance(value, list) else numpy_helper.from_array(value)


def encoded(proto):
    return base64.b64encode(proto.SerializeToString()).decode()


def row_of(case):
    inputs, outputs = case.data_sets[0]
    values = {
        kind: [encoded(proto_of(value)) for value in values]
        for kind, values in zip(("inputs", "outputs"), (inputs, outputs))
    }
    return {"name": case.name, "model": encoded(case.model), **values}


def is_ours(case):
    nodes = case.model.graph.node
    if len(nodes) != 1 or nodes[0].op_type not in OPERATORS:
        return False
    # Cast again, and an optional value.
    return not case.name.startswith("test_castlike") and case.name != "test_identity_opt"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("out")
    out = p.parse_args().out
    rows = [row_of(case) for case in sorted(collect_testcases(None), key=lambda case: case.name) if is_ours(case)]
    with open(os.path.join(out, "index.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]\n")
    print(len(rows), "node tests of onnx", onnx.__version__)


if __name__ == "__main__":
    main()
