"""Small models for the goldens: every builder gives (model, inputs). `rng` and `n` (sizes) differ between the two
halves."""

import numpy as np, onnx, onnxruntime as ort
from onnx import TensorProto as T, helper as h, numpy_helper as nh

f32, i64 = np.float32, np.int64
ort.set_default_logger_severity(4)
IR = {7: 3, 9: 4, 10: 5, 11: 6, 12: 7, 13: 7, 14: 7, 15: 8, 16: 8, 17: 8, 18: 8, 19: 9, 20: 9, 21: 10, 22: 10, 23: 11}


class Graph:
    """Collects nodes, initializers, inputs and outputs."""

    def __init__(self, rng, name='graph'):
        self.rng, self.name, self.nodes, self.inits, self.ins, self.outs, self.feeds, self.count = (
            rng,
            name,
            [],
            [],
            [],
            [],
            {},
            0,
        )

    def w(self, name, *shape, scale=0.2, like=None):
        value = (self.rng.standard_normal(shape) * scale).astype(f32) if like is None else np.asarray(like)
        self.inits.append(nh.from_array(np.array(value, order='C'), name))
        return name

    def c(self, value, name=None, dtype=f32):
        name = name or f'const_{len(self.inits)}'
        return self.w(name, like=np.array(value, dtype))

    def n(self, op, ins, outs=1, name=None, domain='', **attrs):
        k = self.count
        self.count += 1
        outs = (
            [f'{op.lower()}_{k}']
            if outs == 1
            else [f'{op.lower()}_{k}_{i}' for i in range(outs)] if isinstance(outs, int) else list(outs)
        )
        self.nodes.append(
            h.make_node(op, list(ins), outs, name=f'{op}_{k}' if name is None else name, domain=domain, **attrs)
        )
        return outs[0] if len(outs) == 1 else outs

    def input(self, name, dtype, shape, value=None, dims=None):
        self.ins.append(h.make_tensor_value_info(name, dtype, dims or list(shape)))
        if value is None:
            value = self.rng.standard_normal(shape).astype(f32)
        self.feeds[name] = np.array(value, order='C')
        return name

    def output(self, value, dtype=T.FLOAT, shape=None, name=None):
        """makes `value` an output under a name of its own: the last node that made it is renamed"""
        if name:
            for node in self.nodes:
                for i, o in enumerate(node.output):
                    if o == value:
                        node.output[i] = name
                for i, o in enumerate(node.input):
                    if o == value:
                        node.input[i] = name
        self.outs.append(h.make_tensor_value_info(name or value, dtype, shape))

    def graph(self):
        return h.make_graph(self.nodes, self.name, self.ins, self.outs, self.inits)

    def model(self, opset=17, domains=(), functions=(), ir=None):
        ops = [h.make_opsetid('', opset)] + [h.make_opsetid(d, 1) for d in domains]
        m = h.make_model(
            self.graph(),
            opset_imports=ops,
            ir_version=ir or IR[opset],
            producer_name='goldens',
            functions=list(functions),
        )
        return with_shapes(m, self.feeds), self.feeds


def with_shapes(model, feeds):
    """outputs without a shape get that of a run"""
    if all(o.type.tensor_type.HasField('shape') for o in model.graph.output):
        return model
    for o, got in zip(model.graph.output, run(model, feeds)):
        del o.type.tensor_type.shape.dim[:]
        o.type.tensor_type.shape.SetInParent()
        for d in got.shape:
            o.type.tensor_type.shape.dim.add().dim_value = d
    return model


def run(model, feeds, level='ORT_ENABLE_ALL'):
    o = ort.SessionOptions()
    o.graph_optimization_level = getattr(ort.GraphOptimizationLevel, level)
    o.intra_op_num_threads = 1
    data = model if isinstance(model, (bytes, str)) else model.SerializeToString()
    return ort.InferenceSession(data, o, providers=['CPUExecutionProvider']).run(None, feeds)


def sub(name, nodes, ins, outs, inits=()):
    return h.make_graph(nodes, name, ins, outs, list(inits))


vi = h.make_tensor_value_info


# ---------- pieces ----------
def layer_norm(g, x, d, opset=17, eps=1e-12, square='Pow', axes='attr'):
    """the decomposed form that exporters write"""
    red = lambda v: g.n('ReduceMean', [v], axes=[-1]) if opset < 18 else g.n('ReduceMean', [v, g.c([-1], dtype=i64)])
    mean = red(x)
    diff = g.n('Sub', [x, mean])
    sq = g.n('Pow', [diff, g.c(2.0)]) if square == 'Pow' else g.n('Mul', [diff, diff])
    std = g.n('Sqrt', [g.n('Add', [red(sq), g.c(eps)])])
    y = g.n(
        'Mul',
        [g.n('Div', [diff, std]), g.w(f'ln{g.count}.weight', like=(1 + 0.1 * g.rng.standard_normal(d)).astype(f32))],
    )
    return g.n('Add', [y, g.w(f'ln{g.count}.bias', d)])


def rms_norm(g, x, d, opset=17, eps=1e-6, form='Div'):
    sq = g.n('Pow', [x, g.c(2.0)])
    mean = g.n('ReduceMean', [sq], axes=[-1]) if opset < 18 else g.n('ReduceMean', [sq, g.c([-1], dtype=i64)])
    root = g.n('Sqrt', [g.n('Add', [mean, g.c(eps)])])
    y = g.n('Div', [x, root]) if form == 'Div' else g.n('Mul', [x, g.n('Reciprocal', [root])])
    return g.n('Mul', [g.w(f'rms{g.count}.weight', like=(1 + 0.1 * g.rng.standard_normal(d)).astype(f32)), y])


def gelu(g, x):
    e = g.n('Erf', [g.n('Div', [x, g.c(1.4142135381698608)])])
    return g.n('Mul', [g.n('Mul', [x, g.n('Add', [e, g.c(1.0)])]), g.c(0.5)])


def linear(g, x, i, o, name, bias=True):
    y = g.n('MatMul', [x, g.w(f'{name}.weight', i, o, scale=i**-0.5)])
    return g.n('Add', [g.w(f'{name}.bias', o, scale=0.1), y]) if bias else y


def heads(g, x, H, dh, key=False):
    y = g.n('Reshape', [x, g.c([0, 0, H, dh], dtype=i64)])
    return g.n('Transpose', [y], perm=[0, 2, 3, 1] if key else [0, 2, 1, 3])


def attention(g, x, d, H, mask, name):
    q, k, v = (heads(g, linear(g, x, d, d, f'{name}.{p}'), H, d // H, p == 'key') for p in ('query', 'key', 'value'))
    s = g.n('Div', [g.n('MatMul', [q, k]), g.c(np.sqrt(d // H))])
    if mask:
        s = g.n('Add', [s, mask])
    y = g.n('MatMul', [g.n('Softmax', [s], axis=-1), v])
    y = g.n('Reshape', [g.n('Transpose', [y], perm=[0, 2, 1, 3]), g.c([0, 0, d], dtype=i64)])
    return linear(g, y, d, d, f'{name}.output')


def mask_of(g, ids_mask, fill=-3.4028234663852886e38):
    m = g.n('Unsqueeze', [ids_mask, g.c([1, 2], dtype=i64)])
    m = g.n('Sub', [g.c(1.0), g.n('Cast', [m], to=T.FLOAT)])
    return g.n('Mul', [m, g.c(fill)])


# ---------- models ----------
def mlp(rng, n, opset=13, names=True):
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [3, n])
    y = g.n('Gemm', [x, g.w('fc1.weight', 2 * n, n), g.w('fc1.bias', 2 * n)], transB=1, name=None if names else '')
    y = g.n('Gemm', [g.n('Relu', [y]), g.w('fc2.weight', 2 * n, n)], name=None if names else '')
    y = g.n('Gemm', [y, g.w('fc3.weight', 5, n), g.w('fc3.bias', 5)], transB=1, alpha=0.5, name=None if names else '')
    g.output(g.n('Softmax', [y], axis=-1), shape=[3, 5], name='probabilities')
    return g.model(opset)


def bert(rng, n, opset=17, mask=-3.4028234663852886e38, square='Pow', eps=1e-12, S=7):
    d, H, V = 4 * n, 4, 5 * n
    g = Graph(rng)
    ids = g.input('input_ids', T.INT64, [2, S], rng.integers(0, V, (2, S)), ['batch', 'sequence'])
    m = np.ones((2, S), i64)
    m[1, S - 3 :] = 0
    am = g.input('attention_mask', T.INT64, [2, S], m, ['batch', 'sequence'])
    e = g.n('Gather', [g.w('word_embeddings.weight', V, d, scale=0.05), ids], axis=0)
    e = g.n('Add', [e, g.w('position_embeddings.weight', S, d, scale=0.05)])
    x = layer_norm(g, e, d, opset, eps, square)
    mm = mask_of(g, am, mask)
    x = layer_norm(g, g.n('Add', [attention(g, x, d, H, mm, 'attention'), x]), d, opset, eps, square)
    y = linear(g, gelu(g, linear(g, x, d, 2 * d, 'intermediate')), 2 * d, d, 'output')
    x = layer_norm(g, g.n('Add', [y, x]), d, opset, eps, square)
    first = g.n('Gather', [x, g.c(0, dtype=i64)], axis=1)
    p = g.n('Tanh', [g.n('Gemm', [first, g.w('pooler.weight', d, d), g.w('pooler.bias', d)], transB=1)])
    g.output(x, shape=['batch', 'sequence', d], name='last_hidden_state')
    g.output(p, shape=['batch', d], name='pooler_output')
    return g.model(opset)


def gpt(rng, n, opset=17, tied=True, S=6, form='Div'):
    """decoder block: RMSNorm, rotary embedding by Cast + MatMul + Sin/Cos at large positions, causal mask by Trilu,
    past in, present out, logits"""
    d, H, V, P = 4 * n, 2, 6 * n, 2
    dh = d // H
    g = Graph(rng)
    ids = g.input('input_ids', T.INT64, [1, S], rng.integers(0, V, (1, S)), [1, 'sequence'])
    pos = g.input('position_ids', T.INT64, [1, S], np.arange(S)[None] + 5001, [1, 'sequence'])
    past = g.input('past_key_values.0.key', T.FLOAT, [1, H, P, dh], None, [1, H, 'past', dh])
    x = g.n('Gather', [g.w('embed_tokens.weight', V, d, scale=0.5), ids])
    inv = g.w('inv_freq', like=(10000.0 ** (-np.arange(0, dh, 2) / dh)).astype(f32)[None, :, None])
    pf = g.n('Cast', [g.n('Unsqueeze', [pos, g.c([1], dtype=i64)])], to=T.FLOAT)
    fr = g.n('Transpose', [g.n('MatMul', [inv, pf])], perm=[0, 2, 1])
    em = g.n('Concat', [fr, fr], axis=-1)
    cos, sin = (g.n('Unsqueeze', [g.n(f, [em]), g.c([1], dtype=i64)]) for f in ('Cos', 'Sin'))
    y = rms_norm(g, x, d, opset, form=form)
    q, k, v = (heads(g, linear(g, y, d, d, f'self_attn.{p}_proj', bias=False), H, dh) for p in 'qkv')

    def rotate(t):
        a, b = g.n('Split', [t, g.c([dh // 2, dh // 2], dtype=i64)], 2, axis=-1)
        r = g.n('Concat', [g.n('Neg', [b]), a], axis=-1)
        return g.n('Add', [g.n('Mul', [t, cos]), g.n('Mul', [r, sin])])

    q, k = rotate(q), rotate(k)
    k = g.n('Concat', [past, k], axis=2)
    s = g.n(
        'Mul',
        [
            g.n(
                'MatMul',
                [
                    q,
                    g.n(
                        'Transpose',
                        [g.n('Slice', [k, g.c([P], dtype=i64), g.c([10**6], dtype=i64), g.c([2], dtype=i64)])],
                        perm=[0, 1, 3, 2],
                    ),
                ],
            ),
            g.c(dh**-0.5),
        ],
    )
    ones = g.n(
        'ConstantOfShape',
        [g.n('Concat', [g.n('Slice', [g.n('Shape', [ids]), g.c([1], dtype=i64), g.c([2], dtype=i64)])] * 2, axis=0)],
        value=nh.from_array(np.array([-3.4028234663852886e38], f32)),
    )
    mask = g.n('Trilu', [ones, g.c(1, dtype=i64)], upper=1)
    a = g.n('MatMul', [g.n('Softmax', [g.n('Add', [s, mask])], axis=-1), v])
    a = g.n('Reshape', [g.n('Transpose', [a], perm=[0, 2, 1, 3]), g.c([0, 0, d], dtype=i64)])
    x = g.n('Add', [x, linear(g, a, d, d, 'self_attn.o_proj', bias=False)])
    y = rms_norm(g, x, d, opset, form=form)
    u = linear(g, y, d, 2 * d, 'mlp.gate_proj', bias=False)
    y = g.n('Mul', [g.n('Mul', [u, g.n('Sigmoid', [u])]), linear(g, y, d, 2 * d, 'mlp.up_proj', bias=False)])
    x = g.n('Add', [x, linear(g, y, 2 * d, d, 'mlp.down_proj', bias=False)])
    head = (
        g.n('Transpose', ['embed_tokens.weight'], perm=[1, 0]) if tied else g.w('lm_head.weight', d, V, scale=d**-0.5)
    )
    g.output(g.n('MatMul', [rms_norm(g, x, d, opset, form=form), head]), shape=[1, 'sequence', V], name='logits')
    g.output(k, shape=[1, H, 'total', dh], name='present.0.key')
    return g.model(opset)


def layernorm_op(rng, n, opset=17):
    d = 3 * n
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [2, 5, d])
    y = g.n('LayerNormalization', [x, g.w('norm.weight', d, scale=1), g.w('norm.bias', d)], axis=-1, epsilon=1e-5)
    y = linear(g, y, d, d, 'proj')
    y = g.n('Softmax', [y], axis=-1)
    z, mean, inv = g.n('LayerNormalization', [y, 'norm.weight'], 3, axis=-1)
    g.output(z, shape=[2, 5, d], name='y')
    g.output(mean, shape=[2, 5, 1], name='mean')
    return g.model(opset)


def convnet(rng, n, opset=13, groups=1, one=False, bias=True):
    g = Graph(rng)
    c = 2 * n
    sp = [24] if one else [11, 9]
    x = g.input('pixel_values', T.FLOAT, [2, 2] + sp)
    k = [3] * len(sp)
    pads = [1] * (2 * len(sp))
    y = g.n(
        'Conv',
        [x, g.w('conv1.weight', c, 2, *k)] + ([g.w('conv1.bias', c)] if bias else []),
        kernel_shape=k,
        pads=pads,
        strides=[2] * len(sp),
    )
    y = g.n(
        'Relu',
        [
            g.n(
                'BatchNormalization',
                [
                    y,
                    g.w('bn.scale', like=(1 + 0.2 * rng.standard_normal(c)).astype(f32)),
                    g.w('bn.bias', c),
                    g.w('bn.mean', c),
                    g.w('bn.var', like=rng.uniform(0.5, 2, c).astype(f32)),
                ],
                epsilon=1e-5,
            )
        ],
    )
    y = g.n(
        'Conv',
        [y, g.w('conv2.weight', c, c // groups, *k), g.w('conv2.bias', c)],
        kernel_shape=k,
        pads=pads,
        group=groups,
    )
    y = g.n('MaxPool', [g.n('HardSigmoid', [y])], kernel_shape=[2] * len(sp), strides=[2] * len(sp))
    y = g.n('Flatten', [g.n('GlobalAveragePool', [y])])
    g.output(g.n('Gemm', [y, g.w('head.weight', 5, c), g.w('head.bias', 5)], transB=1), shape=[2, 5], name='logits')
    return g.model(opset)


def resizes(rng, n, opset=13):
    """Resize by constant scales, by sizes, and by scales computed from shapes; ConvTranspose"""
    g = Graph(rng)
    x = g.input('image', T.FLOAT, [1, 3, 10, n + 7], None, [1, 3, 'height', 'width'])
    y = g.n('Conv', [x, g.w('conv.weight', 4, 3, 3, 3), g.w('conv.bias', 4)], kernel_shape=[3, 3], pads=[1] * 4)
    roi = g.c(np.zeros(0), 'roi')
    a = g.n(
        'Resize', [y, roi, g.c([1, 1, 1.7, 2.3], 'scales')], mode='linear', coordinate_transformation_mode='half_pixel'
    )
    b = g.n(
        'Resize',
        [y, '', '', g.c([1, 4, 13, 15], 'sizes', i64)],
        mode='nearest',
        coordinate_transformation_mode='asymmetric',
    )
    shape = g.n('Cast', [g.n('Shape', [x])], to=T.FLOAT)
    twice = g.n('Floor', [g.n('Mul', [shape, g.c([1, 1, 333.1, 2.5])])])
    s = g.n('Div', [twice, shape])
    s = g.n(
        'Concat',
        [g.c([1, 1]), g.n('Div', [g.n('Slice', [s, g.c([2], dtype=i64), g.c([4], dtype=i64)]), g.c([100.0, 1])])],
        axis=0,
    )
    d = g.n('Resize', [y, roi, s], mode='linear')
    e = g.n('ConvTranspose', [y, g.w('up.weight', 4, 2, 2, 2)], strides=[2, 2])
    for name, v in (('by_scales', a), ('by_sizes', b), ('by_shape', d), ('transposed', e)):
        g.output(v, shape=None, name=name)
    return g.model(opset)


def old_resize(rng, n, opset=10):
    g = Graph(rng)
    x = g.input('image', T.FLOAT, [1, 2, 5, n])
    y = g.n('Relu', [g.n('Conv', [x, g.w('conv.weight', 3, 2, 1, 1)], kernel_shape=[1, 1])])
    op = 'Resize' if opset == 10 else 'Upsample'
    g.output(g.n(op, [y, g.c([1, 1, 2, 3], 'scales')], mode='nearest'), shape=None, name='y')
    return g.model(opset)


def branches(rng, n, opset=13):
    """If: initializers and Constants inside, captured values, a branch that is only a captured value's Identity"""
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [2, n])
    g.input('flag', T.BOOL, [], np.array(True))
    y = g.n('MatMul', [x, g.w('outer.weight', n, n)])
    then = sub(
        'then',
        [
            h.make_node('MatMul', [y, 'then.weight'], ['then_0'], name='then_matmul'),
            h.make_node('Constant', [], ['then_c'], name='then_const', value=nh.from_array(np.array([0.3], f32))),
            h.make_node('Add', ['then_0', 'then_c'], ['then_out'], name='then_add'),
        ],
        [],
        [vi('then_out', T.FLOAT, None)],
        [nh.from_array((rng.standard_normal((n, n)) * 0.3).astype(f32), 'then.weight')],
    )
    other = sub(
        'else',
        [
            h.make_node('ReduceMean', [y], ['else_m'], name='else_mean', axes=[-1], keepdims=1),
            h.make_node('Sub', [y, 'else_m'], ['else_0'], name='else_sub'),
            h.make_node('Mul', ['else_0', 'outer.scale'], ['else_out'], name='else_mul'),
        ],
        [],
        [vi('else_out', T.FLOAT, None)],
    )
    g.w('outer.scale', n, scale=1)
    z = g.n('If', ['flag'], then_branch=then, else_branch=other)
    k = g.n(
        'If',
        ['flag'],
        then_branch=sub(
            'same', [h.make_node('Identity', [y], ['same_out'], name='same_id')], [], [vi('same_out', T.FLOAT, None)]
        ),
        else_branch=sub('neg', [h.make_node('Neg', [y], ['neg_out'], name='neg')], [], [vi('neg_out', T.FLOAT, None)]),
    )
    g.output(g.n('Add', [z, k]), shape=[2, n], name='y')
    return g.model(opset)


def loops(rng, n, opset=13):
    """Loop: carried float, carried int, scan output, captured weight, a float counter made from the iteration number"""
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [2, n])
    g.w('step.weight', n, n, scale=n**-0.5)
    body = sub(
        'body',
        [
            h.make_node('MatMul', ['state', 'step.weight'], ['b0'], name='b_matmul'),
            h.make_node('Cast', ['i'], ['b1'], name='b_cast', to=T.FLOAT),
            h.make_node('Mul', ['b1', 'b_step'], ['b2'], name='b_mul'),
            h.make_node('Add', ['b0', 'b2'], ['b3'], name='b_add'),
            h.make_node('Tanh', ['b3'], ['state_out'], name='b_tanh'),
            h.make_node('ReduceMax', ['state_out'], ['peak'], name='b_max', keepdims=0),
            h.make_node('Identity', ['go'], ['go_out'], name='b_go'),
        ],
        [vi('i', T.INT64, []), vi('go', T.BOOL, []), vi('state', T.FLOAT, None)],
        [vi('go_out', T.BOOL, []), vi('state_out', T.FLOAT, None), vi('peak', T.FLOAT, [])],
        [nh.from_array(np.array(0.01, f32), 'b_step')],
    )
    last, peaks = g.n('Loop', [g.c(4, dtype=i64), g.c(True, dtype=bool), g.n('Mul', [x, g.c(0.5)])], 2, body=body)
    g.output(last, shape=[2, n], name='state_last')
    g.output(peaks, shape=[4], name='peaks')
    return g.model(opset)


def scans(rng, n, opset=13):
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [5, n])
    body = sub(
        'body',
        [
            h.make_node('Mul', ['s', 's_decay'], ['s0'], name='s_mul'),
            h.make_node('Add', ['s0', 'e'], ['s_out'], name='s_add'),
            h.make_node('Sigmoid', ['s_out'], ['e_out'], name='s_sig'),
        ],
        [vi('s', T.FLOAT, [n]), vi('e', T.FLOAT, [n])],
        [vi('s_out', T.FLOAT, [n]), vi('e_out', T.FLOAT, [n])],
        [nh.from_array(np.array(0.9, f32), 's_decay')],
    )
    s, e = g.n('Scan', [g.w('start', n), x], 2, body=body, num_scan_inputs=1)
    g.output(s, shape=[n], name='final')
    g.output(e, shape=[5, n], name='all')
    return g.model(opset)


def timesteps(rng, n, opset=13):
    """sinusoidal timestep embedding: int -> float, a float Range, large phases"""
    g = Graph(rng)
    t = g.input('timestep', T.INT64, [2], np.array([999, 3517]))
    x = g.input('x', T.FLOAT, [2, 2 * n])
    r = g.n('Cast', [g.n('Range', [g.c(0.0), g.c(float(n)), g.c(1.0)])], to=T.FLOAT)
    f = g.n('Exp', [g.n('Mul', [r, g.c(-np.log(10000.0) / n)])])
    a = g.n(
        'Mul',
        [
            g.n('Unsqueeze', [g.n('Cast', [t], to=T.FLOAT), g.c([1], dtype=i64)]),
            g.n('Unsqueeze', [f, g.c([0], dtype=i64)]),
        ],
    )
    e = g.n('Concat', [g.n('Sin', [a]), g.n('Cos', [a])], axis=-1)
    y = g.n('Gemm', [e, g.w('time.weight', 2 * n, 2 * n, scale=0.2), g.w('time.bias', 2 * n)], transB=1)
    g.output(g.n('Add', [x, g.n('Mul', [y, g.n('Sigmoid', [y])])]), shape=[2, 2 * n], name='y')
    return g.model(opset)


def detector(rng, n, opset=13):
    """boxes and scores, NonMaxSuppression with float thresholds, TopK, GatherND"""
    g = Graph(rng)
    b = 12 + n
    x = g.input('features', T.FLOAT, [1, b, n])
    xy = g.n('Sigmoid', [g.n('MatMul', [x, g.w('box.weight', n, 4)])])
    s = g.n('Sigmoid', [g.n('MatMul', [x, g.w('score.weight', n, 3, scale=1)])])
    a, c = g.n('Split', [xy, g.c([2, 2], dtype=i64)], 2, axis=2)
    boxes = g.n('Concat', [a, g.n('Add', [a, c])], axis=2)
    st = g.n('Transpose', [s], perm=[0, 2, 1])
    g.n('NonMaxSuppression', [boxes, st, g.c([4], dtype=i64), g.c([0.5]), g.c([0.1])], ['selected'])
    v, i = g.n('TopK', [g.n('ReduceMax', [s], axes=[2], keepdims=0), g.c([5], dtype=i64)], 2, axis=1)
    g.output('selected', T.INT64, [None, 3])
    g.output(v, shape=[1, 5], name='best')
    g.output(boxes, shape=[1, b, 4], name='boxes')
    return g.model(opset)


def constants(rng, n, opset=13):
    """constants in all forms, Where with the lowest float, Clip, Min, Max, CumSum, Equal, IsNaN, Cast to double and
    back and to the same, CastLike"""
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [2, n])
    a = g.n('Constant', [], value_float=0.25)
    b = g.n('Constant', [], value_floats=[float(v) for v in rng.standard_normal(n).astype(f32)])
    t = onnx.TensorProto()
    t.data_type = T.FLOAT
    t.dims.extend([n])
    t.float_data.extend([float(v) for v in rng.standard_normal(n).astype(f32)])
    c = g.n('Constant', [], value=t)
    z = g.n('ConstantOfShape', [g.c([n], dtype=i64)])
    o = g.n('ConstantOfShape', [g.c([n], dtype=i64)], value=nh.from_array(np.array([1.5], f32)))
    y = g.n('Add', [g.n('Mul', [x, a]), g.n('Add', [b, g.n('Mul', [c, o])])])
    y = g.n('Add', [y, z])
    y = g.n('Cast', [y], to=T.FLOAT)
    d = g.n('Cast', [g.n('Mul', [g.n('Cast', [y], to=T.DOUBLE), g.c(1.25, dtype=np.float64)])], to=T.FLOAT)
    w = g.n('Where', [g.n('Greater', [d, g.c(0.0)]), d, g.c(-3.4028234663852886e38)])
    w = g.n('Clip', [w, g.c(-3.0), g.c(3.0)])
    w = g.n('Min', [w, g.n('Max', [y, g.w('floor', n)])])
    q = g.n('Where', [g.n('Or', [g.n('Equal', [y, d]), g.n('IsNaN', [y])]), y, d])
    q = g.n('Add', [q, 'floor'])
    g.output(w, shape=[2, n], name='w')
    g.output(g.n('CumSum', [q, g.c(1, dtype=i64)]), shape=[2, n], name='q')
    if opset >= 15:
        g.output(g.n('CastLike', [g.n('Shape', [x]), y]), shape=[2], name='like')
    return g.model(opset)


def values(rng, n, opset=13):
    """weights at the limits of float16, in raw_data and float_data, a scalar, an empty one, an initializer that is an
    output, and one that is an input"""
    g = Graph(rng)
    hard = [
        0,
        -0.0,
        1e-45,
        -1e-30,
        2.9e-8,
        5.9e-8,
        5.96e-8,
        5.97e-8,
        8.9e-8,
        8.95e-8,
        1e-7,
        6.1e-5,
        1 / 3,
        1 + 2**-11,
        1 + 3 * 2**-11,
        2048.5,
        9999,
        10001,
        -10000.5,
        65503,
        65504,
        65519,
        65520,
        1e5,
        -7e4,
        3.4e38,
        -3.4028234663852886e38,
    ]
    v = np.array(hard, f32)
    k = len(v)
    x = g.input('x', T.FLOAT, [k], np.ones(k, f32))
    g.w('hard', like=v)
    t = onnx.TensorProto()
    t.name = 'hard_typed'
    t.data_type = T.FLOAT
    t.dims.extend([k])
    t.float_data.extend([float(e) for e in v[::-1]])
    g.inits.append(t)
    m = (rng.standard_normal(64 * n) * 10.0 ** rng.uniform(-9, 6, 64 * n)).astype(f32)
    g.w('many', like=m)
    g.w('none', like=np.zeros((0, k), f32))
    g.c(np.float32(7e-9), 'scalar')
    y = g.n('Mul', [x, 'hard'])
    y = g.n('Add', [g.n('Clip', [y, g.c(-1.0), g.c(1.0)]), g.n('Clip', [g.n('Mul', [x, 'hard_typed']), '', 'one'])])
    g.c(1.0, 'one')
    y = g.n('Concat', [g.n('Reshape', [y, g.c([1, k], dtype=i64)]), 'none'], axis=0)
    y = g.n('Add', [y, 'scalar'])
    g.output(y, shape=[1, k], name='y')
    g.output(g.n('ReduceMax', [g.n('Tanh', ['many'])], keepdims=1), shape=[1], name='top')
    g.w('table', 4, n)
    g.output('table', shape=[4, n])
    return g.model(opset)


def randoms(rng, n, opset=13):
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [2, n])
    z = g.c(0.0, 'zero')
    parts = [
        g.n('RandomNormalLike', [x], seed=1.0),
        g.n('RandomUniformLike', [x], dtype=T.FLOAT),
        g.n('RandomNormal', [], shape=[2, n]),
        g.n('RandomUniform', [], shape=[2, n], dtype=T.FLOAT),
    ]
    y = x
    for p in parts:
        y = g.n('Add', [y, g.n('Mul', [p, z])])
    e = g.n('EyeLike', [g.n('MatMul', [g.n('Transpose', [y]), y])])
    y = g.n('MatMul', [y, e])
    g.output(g.n('Dropout', [y, g.c(0.5), g.c(False, dtype=bool)]), shape=[2, n], name='y')
    return g.model(opset)


def recurrent(rng, n, opset=14, op='LSTM', directions=1, layout=0):
    g = Graph(rng)
    gates = {'LSTM': 4, 'GRU': 3, 'RNN': 1}[op]
    hid = n + 1
    x = g.input('x', T.FLOAT, [4, 2, n])
    ins = [
        x,
        g.w('rnn.W', directions, gates * hid, n),
        g.w('rnn.R', directions, gates * hid, hid),
        g.w('rnn.B', directions, 2 * gates * hid),
    ]
    outs = g.n(
        op,
        ins,
        3 if op == 'LSTM' else 2,
        hidden_size=hid,
        **({'direction': 'bidirectional'} if directions == 2 else {}),
    )
    y = g.n('Transpose', [outs[0]], perm=[2, 0, 1, 3])
    y = g.n('Reshape', [y, g.c([2, 4, directions * hid], dtype=i64)])
    g.output(linear(g, y, directions * hid, 3, 'out'), shape=[2, 4, 3], name='y')
    g.output(outs[1], shape=None, name='h')
    return g.model(opset)


def large(rng, n, opset=17, scale=300.0, form='Div'):
    """activations whose squares and sums pass 65504: RMSNorm, LayerNorm, L2 norm, mean of many"""
    d = 16 * n
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [3, d], (rng.standard_normal((3, d)) * scale).astype(f32))
    y = rms_norm(g, x, d, opset, form=form)
    z = layer_norm(g, x, d, opset, 1e-5, 'Pow')
    l2 = g.n('ReduceL2', [x], axes=[-1]) if opset < 18 else g.n('ReduceL2', [x, g.c([-1], dtype=i64)])
    u = g.n('Div', [x, g.n('Clip', [l2, g.c(1e-12), ''])])
    big = g.n('ReduceSum', [g.n('Abs', [x]), g.c([-1], dtype=i64)], keepdims=1)
    r = g.n('Div', [g.n('Abs', [x]), big])
    for name, v in (('rms', y), ('layer', z), ('unit', u), ('share', r)):
        g.output(v, shape=[3, d], name=name)
    return g.model(opset)


def shared_weights(rng, n, opset=13):
    """one initializer for nodes of many kinds; an input used twice, an input that is an output, outputs used inside"""
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [2, n])
    g.input('pass', T.FLOAT, [3])
    g.w('shared', n)
    a = g.n('Add', [x, 'shared'])
    b = g.n('Mul', [x, g.n('ReduceSum', ['shared', g.c([0], dtype=i64)], keepdims=1)])
    c = g.n('Max', ['shared', a])
    d = g.n('Resize', [g.n('Reshape', [c, g.c([1, 1, 2, n], dtype=i64)]), '', g.c([1, 1, 2, 1])], mode='nearest')
    g.output(a, shape=[2, n], name='a')
    g.output(g.n('Relu', ['a']), shape=[2, n], name='a2')
    g.output(b, shape=[2, n], name='b')
    g.output(d, shape=None, name='d')
    g.output(g.n('Identity', ['pass']), shape=[3], name='passed')
    g.output(g.n('Identity', ['shared']), shape=[n], name='weights')
    return g.model(opset)


def sequences(rng, n, opset=13):
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [4, n])
    y = g.n('MatMul', [x, g.w('w', n, n)])
    s = g.n('SplitToSequence', [y], axis=0, keepdims=1)
    s = g.n('SequenceInsert', [s, g.n('Neg', [g.n('SequenceAt', [s, g.c(0, dtype=i64)])])])
    e = g.n('SequenceInsert', [g.n('SequenceEmpty', []), x])
    g.output(g.n('ConcatFromSequence', [s], axis=0), shape=[5, n], name='y')
    g.output(g.n('SequenceAt', [e, g.c(0, dtype=i64)]), shape=[4, n], name='z')
    return g.model(opset)


def function_calls(rng, n, opset=17):
    """a function of the model, called twice, with a float constant and a Cast to float inside"""
    d = 'local'
    f = h.make_function(
        d,
        'Swish',
        ['X', 'B'],
        ['Y'],
        [
            h.make_node('Constant', [], ['k'], value=nh.from_array(np.array(1.5, f32))),
            h.make_node('Mul', ['X', 'k'], ['a']),
            h.make_node('Sigmoid', ['a'], ['s']),
            h.make_node('Mul', ['X', 's'], ['p']),
            h.make_node('Cast', ['p'], ['q'], to=T.FLOAT),
            h.make_node('Add', ['q', 'B'], ['Y']),
        ],
        [h.make_opsetid('', opset)],
    )
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [2, n])
    y = g.n('Swish', [linear(g, x, n, n, 'one'), g.w('f.bias', n)], domain=d)
    y = g.n('Swish', [linear(g, y, n, n, 'two'), 'f.bias'], domain=d)
    g.output(linear(g, y, n, 3, 'three'), shape=[2, 3], name='y')
    return g.model(opset, domains=[d], functions=[f])


def contrib(rng, n, opset=17):
    """com.microsoft: SkipLayerNormalization, BiasGelu, FastGelu, FusedMatMul, QuickGelu, Attention"""
    d = 4 * n
    m = 'com.microsoft'
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [2, 5, d])
    y = g.n('FusedMatMul', [x, g.w('fused.weight', d, d, scale=d**-0.5)], domain=m, alpha=0.5, transB=1)
    y = g.n('SkipLayerNormalization', [x, y, g.w('sln.gamma', d, scale=1), g.w('sln.beta', d)], domain=m, epsilon=1e-5)
    y = g.n('BiasGelu', [y, g.w('bg.bias', d)], domain=m)
    y = g.n('FastGelu', [y], domain=m)
    y = g.n('QuickGelu', [y], domain=m, alpha=1.702)
    y = g.n(
        'Attention', [y, g.w('attn.weight', d, 3 * d, scale=d**-0.5), g.w('attn.bias', 3 * d)], domain=m, num_heads=4
    )
    g.output(y, shape=[2, 5, d], name='y')
    return g.model(opset, domains=[m])


def mixed(rng, n, opset=17):
    """a model that is float16 already, with float32 parts between Casts, as exporters write them"""
    g = Graph(rng)
    f16 = np.float16
    x = g.input('x', T.FLOAT16, [2, n], rng.standard_normal((2, n)).astype(f16))
    y = g.n('MatMul', [x, g.w('w', like=(rng.standard_normal((n, n)) * 0.3).astype(f16))])
    y = g.n('Cast', [y], to=T.FLOAT)
    y = g.n('Mul', [y, g.n('Sigmoid', [y])])
    y = g.n('Add', [y, g.w('b', n)])
    y = g.n('Cast', [y], to=T.FLOAT16)
    g.output(g.n('MatMul', [y, 'w']), T.FLOAT16, [2, n], name='y')
    return g.model(opset)


def quantized(rng, n, opset=21):
    """weights in DequantizeLinear, DynamicQuantizeLinear with MatMulInteger whose sums pass 65504, QuantizeLinear and
    DequantizeLinear of activations"""
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [2, 8 * n])
    k = 8 * n
    w = g.n(
        'DequantizeLinear',
        [
            g.w('w.q', like=rng.integers(-127, 128, (k, n)).astype(np.int8)),
            g.w('w.scale', like=rng.uniform(1e-3, 2e-3, n).astype(f32)),
        ],
        axis=1,
    )
    y = g.n('MatMul', [x, w])
    q, s, z = g.n('DynamicQuantizeLinear', [x], 3)
    i = g.n('MatMulInteger', [q, g.w('v.q', like=rng.integers(-127, 128, (k, n)).astype(np.int8)), z])
    f = g.n('Mul', [g.n('Cast', [i], to=T.FLOAT), g.n('Mul', [s, g.c(0.01)])])
    y = g.n('Add', [y, f])
    a = g.n('QuantizeLinear', [y, g.c(0.04), g.c(3, dtype=np.int8)])
    y = g.n('DequantizeLinear', [a, g.c(0.04), g.c(3, dtype=np.int8)])
    g.output(g.n('Relu', [y]), shape=[2, n], name='y')
    return g.model(opset)


def pools(rng, n, opset=13, side=40):
    """squeeze-and-excite with a mean over many positions, InstanceNormalization, Softplus and Mish, PRelu, a spatial
    softmax over large logits"""
    g = Graph(rng)
    x = g.input('x', T.FLOAT, [1, n, side, side], (40 + 5 * rng.standard_normal((1, n, side, side))).astype(f32))
    m = g.n('ReduceMean', [x], axes=[2, 3], keepdims=1)
    s = g.n(
        'Sigmoid', [g.n('Conv', [m, g.w('se.weight', n, n, 1, 1, scale=0.05), g.w('se.bias', n)], kernel_shape=[1, 1])]
    )
    y = g.n('Mul', [x, s])
    y = g.n('InstanceNormalization', [y, g.w('in.scale', n, scale=1), g.w('in.bias', n)], epsilon=1e-5)
    y = g.n('Mul', [y, g.n('Tanh', [g.n('Softplus', [y])])])
    y = g.n('PRelu', [y, g.w('prelu', n, 1, 1)])
    p = g.n('Softmax', [g.n('Reshape', [x, g.c([1, n, -1], dtype=i64)])], axis=-1)
    g.output(g.n('GlobalAveragePool', [y]), shape=None, name='pooled')
    g.output(g.n('ReduceMax', [p], axes=[2], keepdims=0), shape=None, name='peak')
    return g.model(opset)


def vit(rng, n, opset=17):
    """patches by Conv, class token by Expand, position embedding, LayerNormalization, attention, tanh Gelu"""
    d = 4 * n
    g = Graph(rng)
    x = g.input('pixel_values', T.FLOAT, [2, 3, 16, 16], None, ['batch', 3, 16, 16])
    y = g.n(
        'Conv',
        [x, g.w('patch.weight', d, 3, 8, 8, scale=0.05), g.w('patch.bias', d)],
        kernel_shape=[8, 8],
        strides=[8, 8],
    )
    y = g.n('Transpose', [g.n('Reshape', [y, g.c([0, 0, -1], dtype=i64)])], perm=[0, 2, 1])
    b = g.n(
        'Concat',
        [g.n('Slice', [g.n('Shape', [x]), g.c([0], dtype=i64), g.c([1], dtype=i64)]), g.c([1, d], dtype=i64)],
        axis=0,
    )
    y = g.n('Concat', [g.n('Expand', [g.w('cls', 1, 1, d), b]), y], axis=1)
    y = g.n('Add', [y, g.w('pos', 1, 5, d)])
    z = g.n('LayerNormalization', [y, g.w('n1.weight', d, scale=1), g.w('n1.bias', d)], epsilon=1e-6)
    y = g.n('Add', [y, attention(g, z, d, 2, None, 'attn')])
    z = g.n('LayerNormalization', [y, g.w('n2.weight', d, scale=1), g.w('n2.bias', d)], epsilon=1e-6)
    z = linear(g, z, d, 2 * d, 'fc1')
    t = g.n('Mul', [g.n('Add', [z, g.n('Mul', [g.n('Pow', [z, g.c(3.0)]), g.c(0.044715)])]), g.c(0.7978845608028654)])
    z = g.n('Mul', [g.n('Mul', [z, g.c(0.5)]), g.n('Add', [g.n('Tanh', [t]), g.c(1.0)])])
    y = g.n('Add', [y, linear(g, z, 2 * d, d, 'fc2')])
    g.output(y, shape=['batch', 5, d], name='last_hidden_state')
    return g.model(opset)


def anything(rng, n, opset=None):
    """a random graph of norms in many forms, sums, products, sines of positions"""
    d = n + 2
    opset = opset or int(rng.choice([13, 14, 17, 18, 20]))
    g = Graph(rng)
    vals = [g.input('x', T.FLOAT, [2, 3, d])]
    if rng.random() < 0.5:
        vals.append(g.input('z', T.FLOAT, [2, 3, d]))
    ids = g.input('ids', T.INT64, [2, 3], rng.integers(0, 9, (2, 3)))
    if rng.random() < 0.7:
        vals.append(g.n('Gather', [g.w('emb', 9, d), ids]))
    red = lambda op, v: (
        g.n(op, [v], axes=[-1]) if opset < 18 and op != 'ReduceSum' else g.n(op, [v, g.c([-1], dtype=i64)])
    )
    pick = lambda: vals[int(rng.integers(max(0, len(vals) - 4), len(vals)))]
    square = lambda v: g.n('Pow', [v, g.c(2.0)])
    std = lambda v: g.n('Sqrt', [g.n('Add', [red('ReduceMean', v), g.c(1e-5)])])
    kinds = [
        'ln',
        'lnmul',
        'lnrsqrt',
        'bare',
        'rms',
        'rmsmul',
        'linear',
        'gelu',
        'add',
        'mul',
        'softmaxd',
        'softmax',
        'pool',
        'l2',
        'phase',
        'lnop',
        'whiten',
        'std',
        'exp',
        'id',
        'castf',
        'relu',
        'mean2',
    ]
    for _ in range(int(rng.integers(3, 12))):
        x, y, op = pick(), pick(), rng.choice(kinds)
        if op == 'ln':
            v = layer_norm(g, x, d, opset, 1e-5)
        elif op == 'lnmul':
            v = layer_norm(g, x, d, opset, 1e-5, 'Mul')
        elif op in ('lnrsqrt', 'bare'):
            c = g.n('Sub', [x, red('ReduceMean', x)])
            s = std(square(c))
            v = g.n('Div', [c, s]) if op == 'bare' else g.n('Mul', [c, g.n('Reciprocal', [s])])
            if op == 'lnrsqrt':
                v = g.n('Add', [g.n('Mul', [v, g.w(f'g{g.count}', d, scale=1)]), g.w(f'b{g.count}', d)])
        elif op in ('rms', 'rmsmul'):
            v = rms_norm(g, x, d, opset, form='Div' if op == 'rms' else 'Mul')
        elif op == 'linear':
            v = linear(g, x, d, d, f'l{g.count}')
        elif op == 'gelu':
            v = gelu(g, x)
        elif op == 'add':
            v = g.n('Add', [x, y])
        elif op == 'mul':
            v = g.n('Mul', [g.n('Tanh', [x]), y])
        elif op == 'softmaxd':
            e = g.n('Exp', [g.n('Sub', [x, red('ReduceMax', x)])])
            v = g.n('Div', [e, red('ReduceSum', e)])
        elif op == 'softmax':
            v = g.n('Softmax', [x], axis=-1)
        elif op == 'pool':
            v = g.n('Mul', [x, g.n('Sigmoid', [red('ReduceMean', x)])])
        elif op == 'l2':
            v = g.n('Div', [x, g.n('Add', [red('ReduceL2', x), g.c(1e-6)])])
        elif op == 'phase':
            v = g.n(
                'Mul',
                [
                    x,
                    g.n(
                        'Unsqueeze',
                        [g.n('Cos', [g.n('Mul', [g.n('Cast', [ids], to=T.FLOAT), g.c(0.37)])]), g.c([2], dtype=i64)],
                    ),
                ],
            )
        elif op == 'lnop':
            v = (
                g.n('LayerNormalization', [x, g.w(f'g{g.count}', d, scale=1)], axis=-1)
                if opset >= 17
                else g.n('Tanh', [x])
            )
        elif op == 'whiten':
            v = g.n('Sub', [y, red('ReduceMean', x)])
        elif op == 'std':
            v = g.n('Div', [x, g.n('Add', [g.n('Sqrt', [red('ReduceMean', g.n('Mul', [x, x]))]), g.c(0.1)])])
        elif op == 'exp':
            v = g.n('Log', [g.n('Add', [g.n('Exp', [g.n('Neg', [g.n('Abs', [x])])]), g.c(1.0)])])
        elif op == 'mean2':
            v = g.n('Add', [x, red('ReduceMean', g.n('Abs', [y]))])
        else:
            v = g.n(
                {'id': 'Identity', 'castf': 'Cast', 'relu': 'Relu'}[op],
                [x],
                **({'to': T.FLOAT} if op == 'castf' else {}),
            )
        vals.append(v)
    for k, v in enumerate(sorted({vals[-1], pick()} - {i.name for i in g.ins})):
        g.output(v, shape=None, name=f'out{k}')
    return g.model(opset)


# ---------- for dynamic quantization ----------
def matmuls(rng, n, opset=13, names=True, dtype=f32):
    """MatMul with constant second, constant first and no constant; three dims; a shared input; a shared weight; zero
    and tiny and one-sided columns"""
    g = Graph(rng)
    t = T.FLOAT if dtype == f32 else T.FLOAT16
    N = None if names else ''
    x = g.input('x', t, [2, 3, n], rng.standard_normal((2, 3, n)).astype(dtype))
    w = rng.standard_normal((n, n + 1)) * 0.2
    w[:, 0] = 0
    w[:, 1] *= 1e-39 if dtype == f32 else 1e-7
    w[:, 2] = np.abs(w[:, 2]) + 0.1
    w[:, 3] = -np.abs(w[:, 3])
    W = g.w('w', like=w.astype(dtype))
    a, b = g.n('MatMul', [x, W], name=N), g.n(
        'MatMul', [x, g.w('v', like=(rng.standard_normal((n, n + 1)) * 0.2).astype(dtype))], name=N
    )
    c = g.n('MatMul', [g.w('first', like=(rng.standard_normal((4, 3)) * 0.3).astype(dtype)), x], name=N)
    d = g.n('MatMul', [a, g.n('Transpose', [b], perm=[0, 2, 1])], name=N)
    e = g.n('MatMul', [g.n('Sub', [x, g.c(1, dtype=dtype)]), W], name=N)
    f = g.n('MatMul', [x, g.w('batched', like=(rng.standard_normal((2, n, 2)) * 0.2).astype(dtype))], name=N)
    for name, v in zip('abcdef', (a, b, c, d, e, f)):
        g.output(v, t, None, name=f'out_{name}')
    return g.model(opset)


def embeddings(rng, n, opset=13, tied='transpose'):
    """Gather of weights: into Add, into MatMul at once, through Transpose; a weight for Gather and MatMul both;
    Gather of int64"""
    g = Graph(rng)
    V = 3 * n
    ids = g.input('ids', T.INT64, [2, 4], rng.integers(0, V, (2, 4)))
    e = g.n('Gather', [g.w('emb', V, n), ids])
    a = g.n('Add', [e, g.w('pos', 4, n)])
    b = g.n('MatMul', [e, g.w('proj', n, n)])
    t = g.n('Transpose', [e], perm=[0, 2, 1])
    c = g.n('Relu', [t])
    d = (
        g.n('MatMul', [a, g.n('Transpose', ['emb'], perm=[1, 0])])
        if tied == 'transpose'
        else g.n('MatMul', [a, g.n('Gather', [g.w('square', n, n), g.c(list(range(n)), dtype=i64)])])
    )
    k = g.n('Gather', [g.c(np.arange(V) * 7, 'table', i64), ids])
    s = g.n('Gather', ['square2', g.c([0, 1], dtype=i64)], axis=1)
    g.w('square2', n, n)
    m = g.n('MatMul', [b, 'square2'])
    for name, v in (('a', a), ('b', b), ('c', c), ('d', d), ('m', m), ('e', e), ('s', s)):
        g.output(v, shape=None, name=f'out_{name}')
    g.output(k, T.INT64, None, name='out_k')
    return g.model(opset)


def contrib_bert(rng, n, opset=13):
    """com.microsoft Attention and EmbedLayerNormalization, as onnxruntime's optimizer makes them"""
    d, V, m = 4 * n, 3 * n, 'com.microsoft'
    g = Graph(rng)
    ids = g.input('ids', T.INT32, [1, 5], rng.integers(0, V, (1, 5)).astype(np.int32))
    seg = g.input('seg', T.INT32, [1, 5], np.zeros((1, 5), np.int32))
    mask = g.input('mask', T.INT32, [1, 5], np.ones((1, 5), np.int32))
    y, mi = g.n(
        'EmbedLayerNormalization',
        [
            ids,
            seg,
            g.w('word', V, d),
            g.w('position', 8, d),
            g.w('segment', 2, d),
            g.w('gamma', d, scale=1),
            g.w('beta', d),
            mask,
        ],
        2,
        domain=m,
    )
    y = g.n('Attention', [y, g.w('qkv', d, 3 * d, scale=d**-0.5), g.w('qkv.bias', 3 * d), mi], domain=m, num_heads=2)
    y = linear(g, y, d, 3, 'out')
    g.output(y, shape=[1, 5, 3], name='y')
    return g.model(opset, domains=[m])
