"""What has to be equal of two graphs whose nodes may stand in different orders."""

import hashlib, json
from onnx import helper as h, numpy_helper as nh

sha = lambda b: hashlib.sha256(b).hexdigest()


def value(a):
    if a.type == a.GRAPH:
        return canonical(a.g)
    if a.type == a.TENSOR:
        return [a.t.data_type, list(a.t.dims), nh.to_array(a.t).tobytes().hex()]
    v = h.get_attribute_value(a)
    return (
        v.decode()
        if isinstance(v, bytes)
        else [x for x in v] if hasattr(v, '__len__') and not isinstance(v, str) else v
    )


def canonical(g):
    """all that counts of a graph, whatever its order: nodes, initializers, inputs, outputs"""
    nodes = sorted(
        json.dumps(
            [
                n.op_type,
                n.domain if n.domain != 'ai.onnx' else '',
                n.name,
                list(n.input),
                list(n.output),
                sorted((a.name, str(value(a))) for a in n.attribute),
            ]
        )
        for n in g.node
    )
    inits = sorted(
        json.dumps([t.name, t.data_type, list(t.dims), sha(nh.to_array(t).tobytes())]) for t in g.initializer
    )
    return [nodes, inits, [v.name for v in g.input], [v.name for v in g.output]]
