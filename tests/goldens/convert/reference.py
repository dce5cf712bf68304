"""The rules of README.md in NumPy; onnx serves as the protobuf library alone (no shape inference, no checker, no
helper that converts numbers).

half(x)                          the weights' rule of float16
eight_bits(x, ...)               scale, zero point and codes of dynamic quantization
bnb4(w, block, kind)             codes and absmax of MatMulBnb4
quantize_dynamic(model, ...)     the nodes, names and initializers of onnxruntime's quantize_dynamic
quantize_bnb4(model, ...)        those of its MatMulBnb4Quantizer
to_half(model, ...)              the proposed rules of a float16 conversion, with a report
"""

import json, os
import numpy as np, onnx
from onnx import TensorProto as T, helper as h, numpy_helper as nh

f32, f64, f16 = np.float32, np.float64, np.float16
HERE = os.path.dirname(os.path.abspath(__file__))


# ---------------------------------------------------------------- numbers
def half(x, smallest=5.96e-8, largest=65504.0):
    """float32 to float16: no nonzero number becomes 0, no finite number becomes infinite"""
    lo, hi = f32(smallest), f32(largest)
    x = np.asarray(x, f32)
    a = np.abs(x)
    with np.errstate(invalid='ignore', over='ignore'):
        a = np.where((a > 0) & (a < lo), lo, np.where((a > hi) & (a < np.inf), hi, a)).astype(f32)
        return np.copysign(a, x).astype(f16)


RANGE = {'int8': (-128, 127), 'uint8': (0, 255)}


def scale_and_zero(x, kind, reduce_range=False, symmetric=None):
    """float32 x of at least one element; symmetric unless told: int8 alone"""
    symmetric = kind == 'int8' if symmetric is None else symmetric
    lo, hi = (
        {'int8': (-64, 64), 'uint8': (0, 127)}[kind]
        if reduce_range
        else (-127, 127) if symmetric and kind == 'int8' else RANGE[kind]
    )
    rmin, rmax = f32(min(x.min(), f32(0))), f32(max(x.max(), f32(0)))
    if symmetric:
        rmax = max(abs(rmin), abs(rmax))
        rmin = f32(-rmax)
    scale = (f64(rmax) - f64(rmin)) / f64(hi - lo)  # double
    if scale < f64(np.finfo(f32).tiny):
        return f32(1), 0
    zero = np.rint((lo + hi) / 2.0) if symmetric else np.rint(lo - f64(rmin) / scale)
    return f32(scale), int(zero)


def eight_bits(x, kind, reduce_range=False, symmetric=None):
    """scale, zero point, codes: float32 quotient, half to even, then the zero point; clipped to the whole range of
    the type"""
    if x.size == 0:
        return f32(1), 0, x.astype(kind)
    scale, zero = scale_and_zero(x, kind, reduce_range, symmetric)
    q = np.rint(x.astype(f32) / scale) + f32(zero)
    return scale, zero, np.clip(q, *RANGE[kind]).astype(kind)


# 16 values in the order of their codes; a value is above a code while it is greater than that code's cut
NF4 = np.array(
    [
        -1.0,
        -0.6961928009986877,
        -0.5250730514526367,
        -0.39491748809814453,
        -0.28444138169288635,
        -0.18477343022823334,
        -0.09105003625154495,
        0.0,
        0.07958029955625534,
        0.16093020141124725,
        0.24611230194568634,
        0.33791524171829224,
        0.44070982933044434,
        0.5626170039176941,
        0.7229568362236023,
        1.0,
    ],
    f32,
)
NF4_CUTS = np.array(
    [
        -0.8480964303016663,
        -0.6106328964233398,
        -0.4599952697753906,
        -0.33967941999435425,
        -0.23460739850997925,
        -0.13791173696517944,
        -0.045525018125772476,
        0.03979014977812767,
        0.1202552542090416,
        0.2035212516784668,
        0.2920137643814087,
        0.3893125355243683,
        0.5016633868217468,
        0.6427869200706482,
        0.8614783883094788,
    ],
    f32,
)
FP4 = np.array(
    [0.0, 0.00520833, 0.66666667, 1.0, 0.33333333, 0.5, 0.16666667, 0.25], f32
)  # codes 0..7; 8..15 are negative
FP4_CUTS = [
    (0.00260417, 0),
    (0.0859375, 1),
    (0.20833333, 6),
    (0.29166667, 7),
    (0.4166667, 4),
    (0.583333, 5),
    (0.8333333, 2),
]


def bnb4(w, block, kind):
    """w [K, N] float32 or float16 -> codes uint8 [ceil(K N / 2)], absmax [ceil(K N / block)] of w's type; blocks run
    over the flat transpose"""
    flat = np.ascontiguousarray(w.T).reshape(-1).astype(f32)
    n = flat.size
    blocks = -(-n // block)
    padded = np.zeros(blocks * block, f32)
    padded[:n] = flat
    rows = padded.reshape(blocks, block)
    absmax = np.abs(rows).max(axis=1).astype(f32)
    with np.errstate(divide='ignore', over='ignore'):
        inverse = np.where(absmax == 0, f32(0), f32(1) / absmax).astype(f32)
    v = (rows * inverse[:, None]).astype(f32).reshape(-1)[:n]
    if kind == 'nf4':
        code = (v[:, None] > NF4_CUTS[None]).sum(axis=1).astype(np.uint8)
    else:
        a = np.abs(v)
        code = np.full(n, 3, np.uint8)
        for cut, c in reversed(FP4_CUTS):
            code = np.where(a > f32(cut), code, np.uint8(c))
        code = code + np.where(v < 0, 8, 0).astype(np.uint8)
    if n % 2:
        code = np.append(code, np.uint8(7 if kind == 'nf4' else 0))  # the code of 0
    return ((code[0::2] << 4) | code[1::2]).astype(np.uint8), absmax.astype(w.dtype)


# ---------------------------------------------------------------- types
TYPES = json.load(open(os.path.join(HERE, 'types.json')))


def row_of(op, domain, opset):
    rows = [
        r for since, r in TYPES.get((domain + ':' if domain not in ('', 'ai.onnx') else '') + op, []) if since <= opset
    ]
    return None if not rows else tuple(side.split() for side in rows[-1].split('>'))


def tokens(side, count):
    """one token a place, the last variadic one repeated"""
    out = list(side)
    while len(out) < count and out and '*' in out[-1]:
        out.append(out[-1])
    return [t.rstrip('*~') for t in out[:count]] + ['.'] * (count - len(out))


def attr(node, name, default=None):
    for a in node.attribute:
        if a.name == name:
            return h.get_attribute_value(a)
    return default


GRAPHS = ('If', 'Loop', 'Scan', 'SequenceMap')
BY_ATTRIBUTE = {
    'RandomNormal': 'dtype',
    'RandomUniform': 'dtype',
    'SequenceEmpty': 'dtype',
    'BlackmanWindow': 'output_datatype',
    'HammingWindow': 'output_datatype',
    'HannWindow': 'output_datatype',
    'MelWeightMatrix': 'output_datatype',
}  # default: float32
LIKE_INPUT = {
    'RandomNormalLike': 'dtype',
    'RandomUniformLike': 'dtype',
    'EyeLike': 'dtype',
    'Bernoulli': 'dtype',
    'Cast': 'to',
    'DequantizeLinear': 'output_dtype',
}
SAME = {
    'SequenceAt': 0,
    'SequenceConstruct': 0,
    'SplitToSequence': 0,
    'ConcatFromSequence': 0,
    'OptionalGetElement': 0,
    'Optional': 0,
}


def elem_of(type_proto):
    while not type_proto.HasField('tensor_type'):
        kind = type_proto.WhichOneof('value')
        if kind not in ('sequence_type', 'optional_type'):
            return 0
        type_proto = getattr(type_proto, kind).elem_type
    return type_proto.tensor_type.elem_type


def constant_type(node):
    for a in node.attribute:
        if a.name == 'value':
            return a.t.data_type
        if a.name in ('value_float', 'value_floats'):
            return T.FLOAT
        if a.name == 'sparse_value':
            return a.sparse_tensor.values.data_type
    return T.INT64


def infer(graph, opsets, outer, stated=None):
    """name -> element type, of a graph and (in the same dict, by identity of names) of the graphs inside"""
    types = dict(outer)
    for v in graph.input:
        types[v.name] = elem_of(v.type)
    for t in graph.initializer:
        types[t.name] = t.data_type
    for t in graph.sparse_initializer:
        types[t.values.name] = t.values.data_type
    stated = {v.name: elem_of(v.type) for v in list(graph.value_info) + list(graph.output)}
    for node in graph.node:
        for a in node.attribute:
            if a.type == a.GRAPH:
                a_types = infer(a.g, opsets, body_types(node, a.g, types))
                types.update({k: v for k, v in a_types.items() if k not in types})
        for name, t in zip(node.output, output_types(node, opsets, types, stated)):
            if name:
                types[name] = t
    return types


def body_types(node, body, types):
    if node.op_type == 'If':
        return types
    given = dict(types)
    ins = [types.get(i, 0) for i in node.input]
    names = [v.name for v in body.input]
    if node.op_type == 'Loop':
        given.update(zip(names, [T.INT64, T.BOOL] + ins[2:]))
    else:
        given.update(zip(names, ins))
    return given


def output_types(node, opsets, types, stated):
    op, domain = node.op_type, node.domain
    ins = [types.get(i, 0) for i in node.input]
    n = len(node.output)
    if op == 'Constant':
        return [constant_type(node)]
    if op == 'ConstantOfShape':
        v = attr(node, 'value')
        return [v.data_type if v is not None else T.FLOAT]
    if domain in ('', 'ai.onnx'):
        if op in GRAPHS:
            body = next(a.g for a in node.attribute if a.type == a.GRAPH)
            inner = infer(body, opsets, body_types(node, body, types))
            outs = [inner.get(o.name) or elem_of(o.type) for o in body.output]
            return (outs[1:] if op == 'Loop' else outs)[:n]
        if op in BY_ATTRIBUTE:
            return [attr(node, BY_ATTRIBUTE[op], T.FLOAT)] * n
        if op in LIKE_INPUT:
            return [attr(node, LIKE_INPUT[op], 0) or ins[1 if op == 'DequantizeLinear' else 0]] * n
        if op in SAME:
            return [ins[SAME[op]] if ins else 0] * n
    if (domain, op) in opsets.get('functions', {}):
        f = opsets['functions'][domain, op]
        inner = dict(zip(f.input, ins))
        own = {o.domain: o.version for o in f.opset_import} | {'functions': opsets['functions']}
        for x in f.node:
            inner.update(zip(x.output, output_types(x, own, inner, {})))
        return [inner.get(o, -1) for o in f.output][:n]
    row = row_of(op, domain, opsets.get(domain if domain != 'ai.onnx' else '', 0))
    if row is None:
        return [stated.get(o, -1) for o in node.output]  # -1: not known
    given = tokens(row[0], len(ins))
    out = []
    for token in tokens(row[1], n):
        if token == '.':
            out.append(0)
        elif token == 'F':
            out.append(T.FLOAT)
        else:
            var = token.rstrip('!')
            found = [t for g, t, i in zip(given, ins, node.input) if g.rstrip('!') == var and i]
            out.append(max(found) if found else T.FLOAT)  # else LayerNormalization's Mean: stash_type
    return out


def graphs_in(node):
    for a in node.attribute:
        if a.type == a.GRAPH:
            yield a.g
        elif a.type == a.GRAPHS:
            yield from a.graphs


# ---------------------------------------------------------------- dynamic quantization
class Dynamic:
    """one graph; `parent` where it is inside another and subgraphs are wanted"""

    def __init__(self, graph, opsets, types, o, parent=None):
        self.g, self.opsets, self.types, self.o, self.parent = graph, opsets, types, o, parent
        self.inits = {t.name: t for t in graph.initializer}
        self.added, self.new, self.map = [], [], {}
        self.made = {v.name for v in graph.input} - set(self.inits)
        self.names = {}

    # where a name is an initializer: the graph that holds it
    def holder(self, name):
        return self if name in self.inits else self.parent.holder(name) if self.parent else None

    def array(self, name):
        return nh.to_array(self.inits[name])

    def is_float(self, name):
        return self.types.get(name) == T.FLOAT

    def add(self, tensor):
        if tensor.name not in self.inits:
            self.inits[tensor.name] = tensor
            self.added.append(tensor)

    def emit(self, op, ins, outs, name='', domain='', **attrs):
        self.new.append(h.make_node(op, ins, outs, name=name, domain=domain, **attrs))
        self.made.update(outs)

    def store(self, name, arrays, kind, dims):
        scale, zero, codes = arrays
        self.add(nh.from_array(np.asarray(scale, f32).reshape(dims), name + '_scale'))
        self.add(nh.from_array(np.asarray(zero).astype(kind).reshape(dims), name + '_zero_point'))
        self.add(nh.from_array(codes, name + '_quantized'))

    def weights(self, name, kind, reduce_range=False, axis=None):
        """an initializer as codes, once; axis: a scale a channel"""
        if name in self.map:
            return self.map[name][:3]
        x = self.array(name)
        if axis is None:
            s, z, q = eight_bits(x.reshape(-1), kind, reduce_range)
            self.store(name, (s, z, q.reshape(x.shape)), kind, [])
        else:
            axis %= x.ndim
            parts = [eight_bits(p.reshape(-1), kind, reduce_range) for p in np.moveaxis(x, axis, 0)]
            q = (
                np.stack([p[2].reshape(np.moveaxis(x, axis, 0).shape[1:]) for p in parts], axis)
                if parts
                else x.astype(kind)
            )
            self.store(name, ([p[0] for p in parts], [p[1] for p in parts], q), kind, [len(parts)])
        self.map[name] = (name + '_quantized', name + '_scale', name + '_zero_point', axis)
        return self.map[name][:3]

    def quantized(self, name, kind, reduce_range=False, axis=None):
        """codes, scale, zero point of an input: an initializer, or DynamicQuantizeLinear, where the name belongs"""
        if name in self.map:
            return self.map[name][:3]
        if not name:
            return '', '', ''
        if name in self.inits:
            return self.weights(name, kind, reduce_range, axis)
        if self.parent and not self.owns(name):
            return self.parent.quantized(name, kind, reduce_range, axis)
        outs = (name + '_quantized', name + '_scale', name + '_zero_point')
        self.emit('DynamicQuantizeLinear', [name], outs, name + '_QuantizeLinear')
        self.map[name] = (*outs, None)
        return outs

    def owns(self, name):
        return (
            any(name in n.output for n in self.g.node) or any(v.name == name for v in self.g.input) or name in self.made
        )

    def dequantize(self, name):
        """a DequantizeLinear where a plain node needs what exists as codes alone"""
        if name not in self.map or name in self.made:
            return
        q, s, z, axis = self.map[name]
        self.emit(
            'DequantizeLinear',
            [q, s, z],
            [name],
            name + '_DequantizeLinear',
            **({} if axis is None else {'axis': axis}),
        )

    def plain(self, node):
        for name in node.input:
            self.dequantize(name)
        self.new.append(node)
        self.made.update(node.output)

    def wanted(self, node):
        return (
            node.op_type in self.o['ops']
            and node.name not in self.o['exclude']
            and (not self.o['include'] or node.name in self.o['include'])
        )

    def run(self):
        self.gemms()
        for node in self.g.node:
            if self.o['subgraphs'] and any(True for _ in graphs_in(node)):
                copy = onnx.NodeProto()
                copy.CopyFrom(node)
                for g in graphs_in(copy):
                    Dynamic(g, self.opsets, infer(g, self.opsets, body_types(node, g, self.types)), self.o, self).run()
                node = copy
            op = getattr(self, 'q_' + node.op_type, None)
            if op is None or not self.wanted(node) or not op(node):
                self.plain(node)
        for v in self.g.output:
            self.dequantize(v.name)
        del self.g.node[:]
        self.g.node.extend(self.new)
        self.g.initializer.extend(self.added)
        if not self.parent:
            clean(self.g)

    def gemms(self):
        """Gemm with alpha = beta = 1 and transA = 0 is MatMul and Add, also where it is not quantized afterwards"""
        taken = set(self.types)
        nodes, swapped = [], {}
        for node in self.g.node:
            if (
                node.op_type != 'Gemm'
                or attr(node, 'alpha', 1.0) != 1
                or attr(node, 'beta', 1.0) != 1
                or attr(node, 'transA', 0)
            ):
                nodes.append(node)
                continue
            b = node.input[1]
            bias = len(node.input) > 2
            t = self.types.get(b)
            if attr(node, 'transB', 0) == 1:
                holder = self.holder(b)
                if holder:
                    if b not in swapped:
                        name, k = b + '_Transposed', 0
                        while any(name + s in taken for s in ('', '_quantized', '_scale', '_zero_point')):
                            k += 1
                            name = f'{b}_Transposed_{k}'
                        taken.update(name + s for s in ('', '_quantized', '_scale', '_zero_point'))
                        swapped[b] = name
                        self.add(nh.from_array(np.ascontiguousarray(holder.array(b).T), name))
                    b = swapped[b]
                else:
                    b += '_Transposed'
                    nodes.append(
                        h.make_node(
                            'Transpose', [node.input[1]], [b], name=node.name + '_Transpose' if node.name else ''
                        )
                    )
                self.types[b] = t
            y = node.output[0] + ('_MatMul' if bias else '')
            self.types[y] = self.types.get(node.output[0])
            nodes.append(
                h.make_node('MatMul', [node.input[0], b], [y], name=node.name + '_MatMul' if node.name else '')
            )
            if bias:
                nodes.append(
                    h.make_node(
                        'Add', [y, node.input[2]], list(node.output), name=node.name + '_Add' if node.name else ''
                    )
                )
        kept = [n for n in nodes]
        del self.g.node[:]
        self.g.node.extend(kept)

    def scaled(self, node, op, ins, scales, out, **attrs):
        """integer product, Cast, product of the scales, product"""
        y = node.output[0] + '_output_quantized'
        name = node.name + '_quant' if node.name else ''
        self.emit(op, ins, [y], name, **attrs)
        self.emit('Cast', [y], [y + '_cast_output'], y + '_cast', to=T.FLOAT)
        mul = name + '_scales_mul' if name else f'{scales[0]}_{scales[1]}_mul'
        if not any(n.name == mul for n in self.new):
            self.emit('Mul', scales, [mul + ':0'], mul)
        self.emit('Mul', [y + '_cast_output', mul + ':0'], [out], name + '_output_scale_mul' if name else '')

    def rank(self, name):
        return len(self.holder(name).inits[name].dims)

    def q_MatMul(self, node):
        a, b = node.input
        if not self.holder(b) or not self.is_float(b):
            return False  # so the first is float32 too
        qa, sa, za = self.quantized(a, 'uint8')
        qb, sb, zb = self.quantized(
            b, self.o['kind'], self.o['reduce_range'], -1 if self.o['per_channel'] and self.rank(b) == 2 else None
        )
        self.scaled(node, 'MatMulInteger', [qa, qb, za, zb], [sa, sb], node.output[0])
        return True

    def q_Conv(self, node):
        if not self.is_float(node.input[0]) or not self.holder(node.input[1]):
            return False
        qa, sa, za = self.quantized(node.input[0], 'uint8')
        qb, sb, zb = self.quantized(node.input[1], self.o['kind'], self.o['reduce_range'])
        y = node.output[0]
        bias = len(node.input) == 3
        self.scaled(
            node,
            'ConvInteger',
            [qa, qb, za, zb],
            [sa, sb],
            y + 'quant_scaled_output' if bias else y,
            **{a.name: h.get_attribute_value(a) for a in node.attribute},
        )
        if bias:
            rank = self.rank(node.input[1])
            self.add(nh.from_array(np.array([1, -1] + [1] * (rank - 2), np.int64), y + '_bias_reshape_shape'))
            self.emit('Reshape', [node.input[2], y + '_bias_reshape_shape'], [y + '_bias_reshape_output'])
            self.emit('Add', [y + 'quant_scaled_output', y + '_bias_reshape_output'], [y], y + '_bias_add')
        return True

    def passed(self, node, found):
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        copy.input[0] = found[0]
        copy.output[0] += '_quantized'
        self.map[node.output[0]] = (copy.output[0], found[1], found[2], None)
        self.new.append(copy)
        self.made.update(copy.output)
        return True

    def q_Gather(self, node):
        holder = self.holder(node.input[0])
        return (
            bool(holder) and self.is_float(node.input[0]) and self.passed(node, self.quantized(node.input[0], 'uint8'))
        )

    def q_Transpose(self, node):
        level = self
        while level and node.input[0] not in level.map:
            level = level.parent
        return bool(level) and self.passed(node, level.map[node.input[0]])

    def q_LSTM(self, node):
        w, r = node.input[1], node.input[2]
        if not (w in self.inits and r in self.inits and self.is_float(w) and self.is_float(r)):
            return False
        got = []
        for name in (w, r):
            if name not in self.map:
                x = self.array(name)
                d = x.shape[0]
                rows = x.reshape(-1, x.shape[2]) if self.o['per_channel'] else x.reshape(d, -1)
                parts = [eight_bits(p, 'int8', self.o['reduce_range']) for p in rows]
                dims = [d, x.shape[1]] if self.o['per_channel'] else [d]
                q = np.stack([p[2] for p in parts]).reshape(x.shape).transpose(0, 2, 1)
                self.store(name, ([p[0] for p in parts], [p[1] for p in parts], np.ascontiguousarray(q)), 'int8', dims)
                self.map[name] = (name + '_quantized', name + '_scale', name + '_zero_point', 0)
            got.append(self.map[name])
        rest = [node.input[i] if i < len(node.input) else '' for i in range(3, 8)]
        self.dequantize(node.input[0])
        (qw, sw, zw, _), (qr, sr, zr, _) = got
        self.emit(
            'DynamicQuantizeLSTM',
            [node.input[0], qw, qr, *rest, sw, zw, sr, zr],
            list(node.output),
            node.name + '_quant' if node.name else '',
            'com.microsoft',
            **{a.name: h.get_attribute_value(a) for a in node.attribute if a.name != 'layout'},
        )
        return True

    def q_Attention(self, node):
        if node.domain != 'com.microsoft' or attr(node, 'qkv_hidden_sizes') is not None:
            return False
        qa, sa, za = self.quantized(node.input[0], 'uint8')
        qb, sb, zb = self.quantized(
            node.input[1], self.o['kind'], self.o['reduce_range'], -1 if self.o['per_channel'] else None
        )
        at = lambda i: node.input[i] if len(node.input) > i else ''
        self.emit(
            'QAttention',
            [qa, qb, node.input[2], sa, sb, at(3), za, zb, at(4)],
            list(node.output),
            node.name + '_quant' if node.name else '',
            'com.microsoft',
            **{a.name: h.get_attribute_value(a) for a in node.attribute},
        )
        return True

    def q_EmbedLayerNormalization(self, node):
        if len(node.output) > 2:
            return False
        five = [self.quantized(node.input[i], 'uint8') for i in range(2, 7)]
        self.emit(
            'QEmbedLayerNormalization',
            [
                node.input[0],
                node.input[1],
                *(x[0] for x in five),
                node.input[7] if len(node.input) > 7 else '',
                *(x[1] for x in five),
                *(x[2] for x in five),
            ],
            list(node.output),
            node.name + '_quant' if node.name else '',
            'com.microsoft',
            **{a.name: h.get_attribute_value(a) for a in node.attribute},
        )
        return True


def used(graph):
    names = {i for n in graph.node for i in n.input if i} | {o.name for o in graph.output}
    for n in graph.node:
        for g in graphs_in(n):
            names |= used(g)
    return names


def clean(graph):
    """initializers that nothing uses go, in every graph"""
    need = used(graph) - {o for n in graph.node for o in n.output}
    gone = [t.name for t in graph.initializer if t.name not in need]
    keep = [t for t in graph.initializer if t.name in need]
    del graph.initializer[:]
    graph.initializer.extend(keep)
    ins = [v for v in graph.input if v.name not in gone]
    del graph.input[:]
    graph.input.extend(ins)
    for n in graph.node:
        for g in graphs_in(n):
            clean(g)


def opsets_of(m):
    return {o.domain if o.domain != 'ai.onnx' else '': o.version for o in m.opset_import} | {
        'functions': {(f.domain, f.name): f for f in m.functions}
    }


OPS8 = ('Conv', 'MatMul', 'Attention', 'LSTM', 'Gather', 'Transpose', 'EmbedLayerNormalization')


def quantize_dynamic(
    model, weights='int8', per_channel=False, reduce_range=False, ops=OPS8, include=(), exclude=(), subgraphs=False
):
    m = onnx.ModelProto()
    m.CopyFrom(model)
    opsets = opsets_of(m)
    if opsets.get('', 0) < 11:
        raise ValueError('opset 11 or newer')
    o = {
        'kind': weights,
        'per_channel': per_channel,
        'reduce_range': reduce_range,
        'ops': ops,
        'include': include,
        'exclude': exclude,
        'subgraphs': subgraphs,
    }
    Dynamic(m.graph, opsets, infer(m.graph, opsets, {}), o).run()
    microsoft(m)
    sort(m.graph)
    return m


def all_nodes(graph):
    for n in graph.node:
        yield n
        for g in graphs_in(n):
            yield from all_nodes(g)


def microsoft(m):
    if any(n.domain == 'com.microsoft' for n in all_nodes(m.graph)) and not any(
        o.domain == 'com.microsoft' for o in m.opset_import
    ):
        m.opset_import.add(domain='com.microsoft', version=1)


def sort(graph):
    """stable: a node goes where all that it needs is made"""
    made_here = {o for n in graph.node for o in n.output}
    done, left, out = set(), list(graph.node), []
    needs = {id(n): ({i for i in n.input} | {i for g in graphs_in(n) for i in used(g)}) & made_here for n in left}
    while left:
        rest = []
        for n in left:
            if needs[id(n)] <= done:
                out.append(n)
                done.update(n.output)
            else:
                rest.append(n)
        if len(rest) == len(left):
            raise ValueError('a cycle')
        left = rest
    nodes = [onnx.NodeProto.FromString(n.SerializeToString()) for n in out]
    del graph.node[:]
    graph.node.extend(nodes)


def quantize_bnb4(model, block=64, kind='nf4', exclude=()):
    m = onnx.ModelProto()
    m.CopyFrom(model)

    def walk(graph, stack):
        stack = stack + [graph]
        new = []
        for n in graph.node:
            for g in graphs_in(n):
                walk(g, stack)
            if n.op_type == 'MatMul' and n.name not in exclude:
                where = next((g for g in reversed(stack) if any(t.name == n.input[1] for t in g.initializer)), None)
                w = next((t for t in where.initializer if t.name == n.input[1]), None) if where is not None else None
                if w is not None and len(w.dims) == 2 and w.data_type in (T.FLOAT, T.FLOAT16):
                    a = nh.to_array(w)
                    q, s = bnb4(a, block, kind)
                    if not any(t.name == w.name + '_Bnb4' for t in where.initializer):
                        where.initializer.extend(
                            [nh.from_array(q, w.name + '_Bnb4'), nh.from_array(s, w.name + '_absmax')]
                        )
                    n = h.make_node(
                        'MatMulBnb4',
                        [n.input[0], w.name + '_Bnb4', w.name + '_absmax'],
                        list(n.output),
                        name=n.name + '_Bnb4' if n.name else '',
                        domain='com.microsoft',
                        K=a.shape[0],
                        N=a.shape[1],
                        block_size=block,
                        quant_type=0 if kind == 'fp4' else 1,
                    )
            new.append(n)
        copies = [onnx.NodeProto.FromString(n.SerializeToString()) for n in new]
        del graph.node[:]
        graph.node.extend(copies)

    walk(m.graph, [])
    clean(m.graph)
    if not any(o.domain == 'com.microsoft' for o in m.opset_import):
        m.opset_import.add(domain='com.microsoft', version=1)
    return m
