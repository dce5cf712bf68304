"""Models of one node, asked of onnxruntime for a case {operator, opset, attributes, inputs, outputs}."""

import base64

import onnxruntime
from onnx import TensorProto, helper

TYPES = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64}
RESULTS = {"ArgMax": ["int64"], "ArgMin": ["int64"], "TopK": ["float32", "int64"], "NonMaxSuppression": ["int64"]}


def ask(case, tensors):
    arrays = {name: tensor.numpy() for name, tensor in tensors.items()}
    types = RESULTS.get(case["operator"], ["float32"])
    names = [f"y{i}" for i in range(len(types))]
    node = helper.make_node(case["operator"], case["inputs"], names, **case["attributes"])
    given = [helper.make_tensor_value_info(k, TYPES[str(a.dtype)], a.shape) for k, a in arrays.items()]
    made = [helper.make_tensor_value_info(name, TYPES[kind], None) for name, kind in zip(names, types)]
    graph = helper.make_graph([node], "g", given, made)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", case["opset"])])
    model.ir_version = 8
    data = model.SerializeToString()
    case["model"] = base64.b64encode(data).decode()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    return dict(zip(names, session.run(None, arrays)))
