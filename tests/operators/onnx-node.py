"""Writes ONNX's node tests of some operators as JSON, one line each: inputs, attributes and outputs, data in base64.

onnx-node.json is its output:

    pip install -c tests/goldens/constraints.txt onnx
    python3 tests/operators/onnx-node.py > tests/operators/onnx-node.json

A test is { name, opset, operator, attributes, inputs, outputs }; a tensor is [type, dims, data], with ONNX's names of
types in lower case.
"""

import base64
import json

import onnx
from onnx.backend.test.case.node import collect_testcases

operators = ["Compress", "Trilu", "EyeLike", "Range", "OneHot", "ScatterElements", "ScatterND"]


def tensor_of(value):
    tensor = onnx.numpy_helper.from_array(value)
    kind = onnx.TensorProto.DataType.Name(tensor.data_type).lower()
    data = base64.b64encode(tensor.raw_data).decode()
    return [{"float": "float32", "double": "float64"}.get(kind, kind), list(tensor.dims), data]


def value_of(attribute):
    value = onnx.helper.get_attribute_value(attribute)
    return value.decode() if isinstance(value, bytes) else value


rows = []
for case in sorted(collect_testcases(None), key=lambda case: case.name):
    graph = case.model.graph
    if len(graph.node) != 1 or graph.node[0].op_type not in operators:
        continue
    inputs, outputs = case.data_sets[0]
    rows.append(
        {
            "name": case.name,
            "opset": case.model.opset_import[0].version,
            "operator": graph.node[0].op_type,
            "attributes": {a.name: value_of(a) for a in graph.node[0].attribute},
            "inputs": [tensor_of(value) for value in inputs],
            "outputs": [tensor_of(value) for value in outputs],
        }
    )
print("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]")
