"""Prints what ONNX's own shape inference gives for small cases of tensor surgery, as JSON: one line each.

infer-goldens.json is its output:

    pip install -c tests/goldens/constraints.txt onnx
    python3 tests/operators/infer-goldens.py > tests/operators/infer-goldens.json

Inference is strict and propagates data. An extent is a number, a symbol, or null; dims are null where there is no
rank. A value with a symbol or a null is the Shape of a tensor of such dims. Cases are left out in which inference
accepts what the operator's text forbids, or gives more or less than the text says. A row is [operator, options, inputs,
result]; the result is "refused", or { type, dims }, or a list of these for Split.
"""

import json
import sys

import onnx
from onnx import TensorProto, helper

codes = {
    "float32": TensorProto.FLOAT,
    "float16": TensorProto.FLOAT16,
    "int32": TensorProto.INT32,
    "int64": TensorProto.INT64,
    "bool": TensorProto.BOOL,
    "string": TensorProto.STRING,
    "uint8": TensorProto.UINT8,
}
names = {code: name for name, code in codes.items()}
# The names of ONNX's inputs, in order, where inputs of a case may be left out between others.
formal = {
    "Slice": ["data", "starts", "ends", "axes", "steps"],
    "Pad": ["data", "pads", "constant_value", "axes"],
    "SequenceInsert": ["input_sequence", "tensor", "position"],
}
rows = []


def t(dims, type="float32"):
    """What is known of a tensor."""
    return {"type": type, "dims": dims}


def v(values, type="int64"):
    """A list whose value is known, or one number."""
    dims = [len(values)] if isinstance(values, list) else []
    return {"type": type, "dims": dims, "value": values}


def q(dims, type="float32"):
    """What is known of a sequence."""
    return {"sequence": True, "type": type, "dims": dims}


def is_open(value):
    return isinstance(value, list) and any(not isinstance(entry, int) for entry in value)


def is_symbolic(dims):
    return any(isinstance(extent, str) for extent in dims)


class Graph:
    """A graph of one node and what feeds it."""

    def __init__(self):
        self.inputs, self.initializers, self.nodes = [], [], []

    def add(self, name, known):
        code, dims = codes[known["type"]], known["dims"]
        if known.get("sequence"):
            tensor = helper.make_tensor_type_proto(code, dims)
            self.inputs.append(helper.make_value_info(name, helper.make_sequence_type_proto(tensor)))
        elif is_open(known.get("value")):
            self.inputs.append(helper.make_tensor_value_info(f"{name}_of", TensorProto.FLOAT, known["value"]))
            self.nodes.append(helper.make_node("Shape", [f"{name}_of"], [name]))
        elif "value" in known:
            values = known["value"] if isinstance(known["value"], list) else [known["value"]]
            self.initializers.append(helper.make_tensor(name, code, dims, values))
        else:
            self.inputs.append(helper.make_tensor_value_info(name, code, dims))
        return name


def dims_of(tensor):
    if not tensor.HasField("shape"):
        return None
    return [
        dim.dim_value if dim.HasField("dim_value") else dim.dim_param if is_ours(dim.dim_param) else None
        for dim in tensor.shape.dim
    ]


def is_ours(symbol):
    return symbol != "" and not symbol.startswith("unk__")


def result_of(value):
    if value.type.HasField("sequence_type"):
        tensor = value.type.sequence_type.elem_type.tensor_type
        return {"type": names[tensor.elem_type], "dims": dims_of(tensor), "sequence": True}
    tensor = value.type.tensor_type
    if tensor.elem_type == 0:
        return None
    return {"type": names[tensor.elem_type], "dims": dims_of(tensor)}


def case(op, opset, inputs, outputs=None, **attributes):
    graph = Graph()
    if "inputs" in inputs:
        given = [graph.add(f"inputs{i}", known) for i, known in enumerate(inputs["inputs"])]
    else:
        order = [name for name in formal.get(op, inputs) if name in inputs or op in formal]
        given = [graph.add(name, inputs[name]) if name in inputs else "" for name in order]
        while given and given[-1] == "":
            given.pop()
    made = [f"y{i}" for i in range(outputs or 1)]
    told = {key: codes[value] if key == "dtype" else value for key, value in attributes.items()}
    graph.nodes.append(helper.make_node(op, given, made, **told))
    sequences = op in ("SequenceConstruct", "SequenceEmpty", "SequenceInsert", "SequenceErase")
    type_proto = onnx.TypeProto()
    if sequences:
        type_proto.sequence_type.elem_type.tensor_type.elem_type = 0
    infos = [helper.make_value_info(name, type_proto) if sequences else onnx.ValueInfoProto(name=name) for name in made]
    proto = helper.make_graph(graph.nodes, "g", graph.inputs, infos, graph.initializers)
    model = helper.make_model(proto, opset_imports=[helper.make_opsetid("", opset)])
    try:
        inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
        found = [result_of(value) for value in inferred.graph.output]
        # Some old versions infer nothing, not even a type: then the text says what holds.
        if None in found:
            return
        result = found if outputs else found[0]
    except onnx.shape_inference.InferenceError:
        result = "refused"
    options = {"opset": opset, **attributes} | ({"outputs": outputs} if outputs else {})
    rows.append([op, options, inputs, result])


shapes = [[2, 3, 4], ["N", 3, 4], [2, "M", 4], ["N", None, 4], [None, None, None], [0, 3, 1]]

# Concat: off the axis dims merge.
for axis in (0, 1, 2):
    for first, second in [
        ([2, 3, 4], [2, 3, 4]),
        (["N", 3, 4], ["N", 3, 4]),
        (["N", 3, 4], ["M", 3, 4]),
        ([None, 3, 4], ["N", 3, 4]),
        (["N", "M", 4], [2, 3, 4]),
    ]:
        if len([d for d in range(3) if d != axis and first[d] != second[d]]) <= 2:
            case("Concat", 13, {"inputs": [t(first), t(second)]}, axis=axis)
case("Concat", 13, {"inputs": [t(["N", 3])]}, axis=0)
case("Concat", 13, {"inputs": [t([2, "N"])]}, axis=-1)
case("Concat", 13, {"inputs": [t([2, 3]), t([2, 5]), t([2, 0])]}, axis=-1)
case("Concat", 13, {"inputs": [t([2, 3]), t([3, 3])]}, axis=1)
case("Concat", 13, {"inputs": [t([2, 3]), t([2, 3, 1])]}, axis=1)
case("Concat", 13, {"inputs": [t([2, 3]), t([2, 3])]}, axis=2)
case("Concat", 13, {"inputs": [t([2, 3]), t([2, 3])]}, axis=-3)
case("Concat", 13, {"inputs": [t([2, 3]), t(None)]}, axis=1)
case("Concat", 4, {"inputs": [t([2, 3]), t([2, "N"])]}, axis=1)
case("Concat", 11, {"inputs": [t([2, 3]), t([2, 4])]}, axis=-1)
case("Concat", 1, {"inputs": [t([2, 3]), t([2, 4])]})
case("Concat", 1, {"inputs": [t([2, 3]), t([2, 3])]}, axis=0)

# Split.
for dims in shapes[:4] + [None]:
    case("Split", 13, {"input": t(dims), "split": v([1, 1])}, outputs=2)
    case("Split", 18, {"input": t(dims), "split": v([1, 3])}, outputs=2, axis=2)
    case("Split", 18, {"input": t(dims)}, outputs=2, axis=-1, num_outputs=2)
for extent, count in [(6, 3), (7, 3), (3, 4), (6, 1), (0, 2), ("N", 2)]:
    case("Split", 18, {"input": t([extent, 2])}, outputs=count, num_outputs=count)
for opset in (2, 11):
    case("Split", opset, {"input": t([6, "N"])}, outputs=3)
    case("Split", opset, {"input": t([6, "N"])}, outputs=2, split=[2, 4])
    case("Split", opset, {"input": t([2, 6])}, outputs=2, split=[2, 4], axis=1)
    case("Split", opset, {"input": t([6, "N"])}, outputs=2, split=[2, 3])
case("Split", 13, {"input": t([6, 2])}, outputs=3)
case("Split", 13, {"input": t([7, 2])}, outputs=3)
case("Split", 13, {"input": t(["N", 2])}, outputs=3)
case("Split", 13, {"input": t([6, 2]), "split": v([2, 3])}, outputs=2)
case("Split", 13, {"input": t([6, 2]), "split": t([2], "int64")}, outputs=2)
case("Split", 18, {"input": t([6, "N"]), "split": t([2], "int64")}, outputs=2)
case("Split", 18, {"input": t([6, 2])}, outputs=2, num_outputs=2, axis=2)
case("Split", 18, {"input": t([6, 2]), "split": v([3, 3])}, outputs=2, num_outputs=2)

# Slice.
for dims in shapes + [None]:
    for opset in (11, 13):
        case("Slice", opset, {"data": t(dims), "starts": v([1]), "ends": v([3])})
        case("Slice", opset, {"data": t(dims), "starts": v([0]), "ends": v([-1]), "axes": v([-1])})
    backwards = {"starts": v([-1, 0]), "ends": v([-9, 9]), "axes": v([2, 1]), "steps": v([-1, 2])}
    case("Slice", 13, {"data": t(dims)} | backwards)
    case("Slice", 13, {"data": t(dims), "starts": t([1], "int64"), "ends": v([3])})
    case("Slice", 13, {"data": t(dims), "starts": t([1], "int64"), "ends": t([1], "int64"), "axes": v([0])})
    # Slice-1 infers less of an empty axis, and nothing of axes out of order.
    if dims and 0 not in dims:
        case("Slice", 1, {"data": t(dims)}, starts=[1], ends=[3])
        case("Slice", 1, {"data": t(dims)}, starts=[0, 1], ends=[2, 3], axes=[0, 2])
ranges = [(0, 10, 3), (5, 0, -1), (5, -7, -1), (-1, -7, -2), (2, 2, 1), (4, 2, 1), (9, 0, -2), (-9, 4, 1)]
for start, end, step in ranges:
    case("Slice", 13, {"data": t([6]), "starts": v([start]), "ends": v([end]), "axes": v([0]), "steps": v([step])})
case("Slice", 10, {"data": t([6, 4]), "starts": v([1], "int32"), "ends": v([3], "int32"), "axes": v([1], "int32")})
case("Slice", 13, {"data": t([6]), "starts": v([0]), "ends": v([3]), "axes": v([0]), "steps": v([0])})
case("Slice", 13, {"data": t([6]), "starts": v([0]), "ends": v([3]), "axes": v([1])})
case("Slice", 13, {"data": t([6, 2]), "starts": v([0, 0]), "ends": v([3, 1]), "axes": v([0, 0])})
case("Slice", 13, {"data": t([6]), "starts": v([0]), "ends": v([3, 4])})

# Pad.
for dims in shapes + [None]:
    case("Pad", 13, {"data": t(dims), "pads": v([0, 1, 0, 0, 2, 0])})
    case("Pad", 18, {"data": t(dims), "pads": t([6], "int64")})
    # Beside axes, Pad loses the symbols of all others.
    if not dims or not is_symbolic(dims):
        case("Pad", 25, {"data": t(dims), "pads": v([1, 2]), "axes": v([-1])})
        case("Pad", 18, {"data": t(dims), "pads": v([0, 0]), "axes": v([1])})
    case("Pad", 2, {"data": t(dims)}, pads=[0, 0, 1, 0, 0, 1])
    case("Pad", 1, {"data": t(dims)}, paddings=[1, 0, 0, 1, 0, 0])
case("Pad", 13, {"data": t([4, 5]), "pads": v([-1, 0, 0, -2])})
case("Pad", 13, {"data": t([4, 5]), "pads": v([1, 0, 0])})
case("Pad", 19, {"data": t([4, 5]), "pads": v([1, 1]), "axes": v([2])})
case("Pad", 19, {"data": t([4, 5]), "pads": v([1, 1]), "axes": v([0])}, mode="wrap")
case("Pad", 18, {"data": t([4, 5]), "pads": t([None], "int64"), "axes": v([0])})

# Gather, GatherElements, GatherND.
for dims in shapes + [None]:
    for shape in ([], [5], ["K", 2], [None], None):
        case("Gather", 13, {"data": t(dims), "indices": t(shape, "int64")}, axis=1)
    case("Gather", 1, {"data": t(dims), "indices": t([2], "int32")}, axis=-1)
case("Gather", 13, {"data": t([2, 3]), "indices": t([1], "int64")}, axis=2)
for shape in ([2, 3, 5], ["K", 3, 4], [None, 3, 4]):
    case("GatherElements", 13, {"data": t(["N", 3, 5]), "indices": t(shape, "int64")}, axis=0)
for dims, shape, batch in [
    ([2, 3, 4], [5, 2], 0),
    ([2, 3, 4], [5, 3], 0),
    (["N", 3, "M"], ["K", 2], 0),
    (["N", 3, "M"], ["K", 1], 0),
    ([2, 3, 4], [2, 5, 1], 1),
    (["N", 3, 4], ["N", 5, 1], 1),
    ([2, 3, 4], [5, "K"], 0),
    ([2, 3, 4], [5, None], 0),
    ([2, 3, 4], None, 0),
    (None, [5, 2], 0),
    ([2, 3, 4], [5, 4], 0),
]:
    case("GatherND", 13, {"data": t(dims), "indices": t(shape, "int64")}, batch_dims=batch)
case("GatherND", 11, {"data": t([2, 3, 4]), "indices": t([5, 2], "int64")})

# Squeeze and Unsqueeze.
for dims in ([1, 3, 1], ["N", 1, 3], [1, None, 1], [2, 3], None):
    case("Squeeze", 13, {"data": t(dims)})
    case("Squeeze", 11, {"data": t(dims)})
    case("Squeeze", 1, {"data": t(dims)})
for dims in ([2, 1, 3], ["N", 1, "M"], [None, 1, None], [2, "N", 3], None):
    for opset in (1, 11):
        case("Squeeze", opset, {"data": t(dims)}, axes=[1])
    case("Squeeze", 25, {"data": t(dims), "axes": v([1])})
    case("Squeeze", 13, {"data": t(dims), "axes": v([-2])})
    case("Squeeze", 13, {"data": t(dims), "axes": v([])})
    case("Squeeze", 13, {"data": t(dims), "axes": t([1], "int64")})
    case("Unsqueeze", 13, {"data": t(dims), "axes": v([0, -1])})
    case("Unsqueeze", 25, {"data": t(dims), "axes": t([1], "int64")})
    case("Unsqueeze", 11, {"data": t(dims)}, axes=[2, 0])
    case("Unsqueeze", 1, {"data": t(dims)}, axes=[0, 4])
case("Squeeze", 13, {"data": t([2, 3]), "axes": v([0])})
case("Squeeze", 13, {"data": t([1, 3]), "axes": v([2])})
case("Unsqueeze", 13, {"data": t([2, 3]), "axes": v([3])})
case("Unsqueeze", 13, {"data": t([2, 3]), "axes": v([-4])})
case("Unsqueeze", 13, {"data": t([2, 3]), "axes": v([0, 0])})
case("Unsqueeze", 13, {"data": t([2, 3]), "axes": v([])})

# Expand and Tile.
for dims in ([3, 1], ["N", 1], ["N", 3], [None, 1], [1], [], None):
    for values in ([2, 1, 6], [1], [3, 4], [], [0, 1], [3, "M"], ["N", 5], [1, None]):
        case("Expand", 13, {"input": t(dims), "shape": v(values)})
    for length in (1, 3):
        case("Expand", 8, {"input": t(dims), "shape": t([length], "int64")})
    case("Expand", 13, {"input": t(dims), "shape": t([None], "int64")})
for dims in ([3, 1], ["N", 4], [None, 0], None):
    case("Tile", 13, {"input": t(dims), "repeats": v([2, 1])})
    case("Tile", 6, {"input": t(dims), "repeats": v([0, 3])})
    case("Tile", 13, {"input": t(dims), "repeats": t([2], "int64")})
case("Tile", 13, {"input": t([3, 1]), "repeats": v([2])})

# DepthToSpace and SpaceToDepth.
for dims in ([1, 8, 2, 3], ["N", 8, "H", 3], [None, "C", 2, None], None, [1, 8, 2]):
    for opset in (1, 13, 28):
        case("DepthToSpace", opset, {"input": t(dims)}, blocksize=2)
for dims in ([1, 2, 4, 6], ["N", 2, "H", 6], [None, "C", 4, None], None, [1, 8, 2]):
    for opset in (1, 13, 28):
        case("SpaceToDepth", opset, {"input": t(dims)}, blocksize=2)
case("DepthToSpace", 13, {"input": t([1, 8, 2, 3])}, blocksize=2, mode="CRD")
case("DepthToSpace", 13, {"input": t([1, 8, 2, 3])}, blocksize=0)

# Shape and Size.
for dims in ([2, 3, 4], ["N", None], [], None):
    case("Shape", 13, {"data": t(dims)})
    case("Size", 13, {"data": t(dims)})
    for start, end in [(1, 3), (-2, -1), (0, 99), (-99, 1), (2, 1)]:
        case("Shape", 15, {"data": t(dims)}, start=start, end=end)
    case("Shape", 25, {"data": t(dims)}, start=1)

# Where: three shapes broadcast.
for condition, x, y in [
    ([2, 3], [2, 3], [2, 3]),
    ([2, 1], [1, 3], [3]),
    (["N", 1], [1, 3], []),
    (["N", 3], ["N", 3], ["N", 1]),
    (["N"], ["M"], [1]),
    (["N"], [4], [1]),
    ([None], [4], [1]),
    ([None], [1], [1]),
    (["N"], [None], [1]),
    ([0], [1], [1]),
    ([2], [3], [1]),
    (None, [3], [1]),
]:
    for opset in (9, 16):
        case("Where", opset, {"condition": t(condition, "bool"), "X": t(x), "Y": t(y)})

# CenterCropPad and ReverseSequence.
for dims in ([5, 4, 3], ["N", 4, "C"], [None, 4, 3], None):
    case("CenterCropPad", 18, {"input_data": t(dims), "shape": v([2, 7])}, axes=[0, -2])
    case("CenterCropPad", 18, {"input_data": t(dims), "shape": v([2, 7, 1])})
    case("CenterCropPad", 18, {"input_data": t(dims), "shape": t([1], "int64")}, axes=[1])
    case("CenterCropPad", 18, {"input_data": t(dims), "shape": t([3], "int64")})
    for opset in (10, 28):
        case("ReverseSequence", opset, {"input": t(dims), "sequence_lens": t([4], "int64")}, batch_axis=1, time_axis=0)
case("CenterCropPad", 18, {"input_data": t([5, 4]), "shape": v([2])})
case("ReverseSequence", 10, {"input": t([5]), "sequence_lens": t([5], "int64")})
case("ReverseSequence", 10, {"input": t([5, 4]), "sequence_lens": t([4, 1], "int64")})

# Sequences.
for dims in ([2, 3], ["N", 3], [None, None], None):
    case("SequenceAt", 11, {"input_sequence": q(dims), "position": v(0)})
    case("SequenceErase", 11, {"input_sequence": q(dims), "position": v(0)})
    case("SequenceErase", 11, {"input_sequence": q(dims)})
    case("SequenceLength", 11, {"input_sequence": q(dims)})
    case("SequenceConstruct", 11, {"inputs": [t(dims)]})
    for other in ([2, 3], [2, 4], ["N", 3], ["M", 3], [2], None):
        case("SequenceInsert", 11, {"input_sequence": q(dims), "tensor": t(other)})
        case("SequenceConstruct", 11, {"inputs": [t(dims), t(other)]})
    for axis in (0, -1):
        for new_axis in (0, 1):
            case("ConcatFromSequence", 11, {"input_sequence": q(dims)}, axis=axis, new_axis=new_axis)
case("ConcatFromSequence", 11, {"input_sequence": q([2, 3])}, axis=2)
case("ConcatFromSequence", 11, {"input_sequence": q([2, 3])}, axis=2, new_axis=1)
case("ConcatFromSequence", 11, {"input_sequence": q([2, 3])}, axis=3, new_axis=1)
case("SequenceEmpty", 11, {}, dtype="string")
case("SequenceEmpty", 11, {})

# One line a row.
head = json.dumps({"onnx": onnx.__version__})[1:-1]
lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
sys.stdout.write("{" + head + ', "rows": [\n' + lines + "\n]}\n")
