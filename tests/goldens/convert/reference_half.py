"""The proposed rules of a float16 conversion (README.md, "float16"), in NumPy: to_half(model, keep_io=True, keep=())
-> model, report"""

import numpy as np, onnx
from onnx import TensorProto as T, helper as h, numpy_helper as nh
from reference import (
    half,
    infer,
    opsets_of,
    body_types,
    row_of,
    tokens,
    attr,
    graphs_in,
    elem_of,
    GRAPHS,
    BY_ATTRIBUTE,
    LIKE_INPUT,
)

SUMS = {'ReduceSum', 'ReduceL1', 'ReduceL2', 'ReduceSumSquare', 'ReduceProd', 'CumSum', 'CumProd'}
FLOAT_OPS = SUMS | {
    'ReduceMean',
    'ReduceLogSum',
    'ReduceLogSumExp',
    'GlobalAveragePool',
    'GlobalLpPool',
    'LpNormalization',
    'MeanVarianceNormalization',
    'QuantizeLinear',
    'DynamicQuantizeLinear',
    'DFT',
    'STFT',
    'Bernoulli',
    'EyeLike',
    'RandomNormal',
    'RandomUniform',
    'RandomNormalLike',
    'RandomUniformLike',
    'BlackmanWindow',
    'HammingWindow',
    'HannWindow',
    'MelWeightMatrix',
}
FOLLOW = (
    set(
        '''Abs Neg Sign Floor Ceil Round Sqrt Reciprocal Exp Log Sin Cos Tan Atan Tanh Sigmoid Erf Relu Softplus Add
        Sub Mul Div
    Mod Pow Sum Mean Min Max Clip Where Identity Cast Reshape Flatten Squeeze Unsqueeze Transpose Expand Tile Slice
    Split Concat
    Gather GatherElements GatherND Pad Trilu Range ReduceMax ReduceMin'''.split()
    )
    | SUMS
)
PRODUCTS = {'MatMul', 'Gemm', 'Einsum'}
REDUCE = SUMS | {'ReduceMean', 'ReduceLogSum', 'ReduceLogSumExp'}
JOIN = {'Sub', 'Div', 'Mul'}
ARITHMETIC = (
    set('Add Sub Mul Div Pow Abs Neg Sqrt Reciprocal Exp Log Clip Min Max Cast Identity'.split())
    | REDUCE
    | {'ReduceMax', 'ReduceMin'}
)
SHAPES = {
    'Expand': 1,
    'ConstantOfShape': 0,
    'Reshape': 1,
    'Tile': 1,
}  # the place of a shape, which may change from run to run
PULL = {'Pow', 'Mul', 'Abs', 'Exp'}
SMALL, TWICE, TOP = 4096, 256, 65504.0


class Value:
    def __init__(self, name, scope, natural, kind, tensor=None):
        self.name, self.scope, self.natural, self.kind, self.tensor = (
            name,
            scope,
            natural,
            kind,
            tensor,
        )  # kind: input, weight, node
        self.told, self.exact, self.fixed, self.centred = False, False, False, False
        self.consumers, self.stat, self.full, self.big, self.out, self.needs, self.names, self.maker = (
            [],
            False,
            False,
            False,
            False,
            set(),
            {},
            None,
        )


class Record:
    def __init__(self, node, scope, kind, ins, outs, row, why=''):
        self.node, self.scope, self.kind, self.ins, self.outs, self.row, self.why = (
            node,
            scope,
            kind,
            ins,
            outs,
            row,
            why,
        )


def to_half(model, keep_io=True, keep=(), smallest=5.96e-8, largest=65504.0):
    m = onnx.ModelProto()
    m.CopyFrom(model)
    return Half(m, keep_io, set(keep), smallest, largest).run()


class Half:
    def __init__(self, m, keep_io, keep, smallest, largest):
        self.m, self.keep_io, self.keep, self.limits = m, keep_io, keep, (smallest, largest)
        self.opsets = opsets_of(m)
        self.functions = self.opsets['functions']
        self.records, self.report, self.saturated = [], [], []

    def kept(self, name):
        return self.keep_io if isinstance(self.keep_io, bool) else name in self.keep_io

    def run(self):
        types = infer(self.m.graph, self.opsets, {})
        self.taken = set(types)
        scope = self.classify(self.m.graph, types, None, True)
        self.settle()
        self.name()
        self.rewrite(scope)
        return self.m, {'kept': self.report, 'weights': self.saturated}

    # ---- pass 1: what each node is, in order
    def classify(self, graph, types, parent, top):
        scope = {'graph': graph, 'values': {}, 'parent': parent, 'top': top, 'recs': [], 'subs': {}}
        v = scope['values']
        inits = {t.name: t for t in graph.initializer}
        inputs = {i.name for i in graph.input}
        scope['constants'] = set(inits) - inputs
        for i in graph.input:
            if types.get(i.name) == T.FLOAT:
                v[i.name] = Value(i.name, scope, 'F' if top and self.kept(i.name) else 'H', 'input', inits.get(i.name))
        for t in graph.initializer:
            if t.data_type == T.FLOAT and t.name not in inputs:
                v[t.name] = Value(t.name, scope, 'C', 'weight', t)
        for t in graph.sparse_initializer:
            if t.values.data_type == T.FLOAT:
                v[t.values.name] = Value(t.values.name, scope, 'F', 'sparse')
        outs = {o.name for o in graph.output}
        scope['uses'] = {}
        scope['outs'] = outs
        for node in graph.node:
            for n in node.input:
                scope['uses'].setdefault(n, []).append(node)
        for node in graph.node:
            rec = self.record(node, scope, types)
            scope['recs'].append(rec)
            self.records.append(rec)
            if (
                self.constant(node, scope)
                and not any(True for _ in graphs_in(node))
                and not node.op_type.startswith('Random')
            ):
                scope['constants'].update(node.output)
            for idx, name in enumerate(node.output):
                if name and types.get(name) == T.FLOAT:
                    val = Value(name, scope, rec.outs[idx], 'node')
                    val.maker, val.fixed = rec, rec.kind == 'C'
                    v[name] = val
                    self.flags(rec, val)
            for idx, name in rec.ins:
                self.find(scope, name).consumers.append((rec, idx))
            if node.op_type in GRAPHS and node.domain in ('', 'ai.onnx'):
                scope['subs'][id(rec)] = [
                    self.classify(g, infer(g, self.opsets, body_types(node, g, types)), scope, False)
                    for g in graphs_in(node)
                ]
        for name in outs:
            val = self.find(scope, name)
            if val:
                val.out = True
                val.outs = getattr(val, 'outs', []) + [scope]
        return scope

    def find(self, scope, name):
        while scope:
            if name in scope['values']:
                return scope['values'][name]
            scope = scope['parent']

    def record(self, node, scope, types):
        op, domain = node.op_type, node.domain if node.domain != 'ai.onnx' else ''
        onnx_op = domain == ''
        ins = [(i, n) for i, n in enumerate(node.input) if n and types.get(n) == T.FLOAT]
        has = [types.get(o) == T.FLOAT and bool(o) for o in node.output]
        if any(types.get(o) == -1 for o in node.output if o):
            raise ValueError(f'the model must state the types of the outputs of {node.name or op}')
        row = row_of(op, domain, self.opsets.get(domain, 0))
        if not ins and not any(has):
            return Record(node, scope, 'N', [], [None] * len(has), row)
        if onnx_op and op in GRAPHS:
            return Record(node, scope, 'H', ins, ['H' if f else None for f in has], row)
        whole = lambda kind, why='': Record(node, scope, kind, ins, ['F' if f else None for f in has], row, why)
        if op in self.keep or node.name in self.keep and node.name:
            return whole('F', 'asked for')
        if row is None or (domain, op) in self.functions:
            return whole('F', 'a function' if (domain, op) in self.functions else 'not known')
        if onnx_op and op == 'Cast' and not ins:
            rec = whole('F', 'made of another type')
            rec.half = types.get(node.input[0]) in (T.FLOAT16, T.BFLOAT16)
            return rec
        if onnx_op and op in FLOAT_OPS and not self.centres(node, scope):
            return whole('F', 'sums')
        vals = [self.find(scope, n) for _, n in ins]
        moving = [x for x in vals if x.natural != 'C']
        outs = tokens(row[1], len(has))
        typed = lambda kind: Record(
            node,
            scope,
            kind,
            ins,
            [None if not f else 'F' if t == 'F' or t.endswith('!') else kind for f, t in zip(has, outs)],
            row,
        )
        if not moving:
            return typed('C' if self.constant(node, scope) else 'H')
        constants = [x for x in vals if x.natural == 'C']
        if onnx_op and all(x.natural == 'F' for x in moving):
            if any(x.full for x in moving):
                affine = op in ('Mul', 'Add') and any(
                    x.centred for x in moving
                )  # weight and bias of a LayerNormalization that is float32 from its source on
                follows = op in ARITHMETIC and all(
                    size(x.tensor) == 1 or affine and vector(x.tensor) for x in constants
                )
            else:
                follows = (
                    op in FOLLOW
                    or op in PRODUCTS
                    and (
                        any(x.told for x in moving)
                        or any(x.exact for x in moving)
                        and all(size(x.tensor) <= SMALL for x in constants)
                    )
                )
            if follows:
                return whole('F', 'follows float32')
        if onnx_op and op in JOIN and len(moving) == 2 and any(x.natural == 'F' and x.stat for x in moving):
            return whole('F', 'meets a sum or a mean')
        return typed('H')

    def centres(self, node, scope):
        """a mean that is only subtracted from what it is the mean of: onnxruntime fuses LayerNormalization, and takes
        no Cast there"""
        if node.op_type != 'ReduceMean':
            return False
        mean = node.output[0]
        uses = scope['uses'].get(mean, [])
        x = self.find(scope, node.input[0])
        return (
            x.natural == 'H'
            and bool(uses)
            and mean not in scope['outs']
            and all(u.op_type == 'Sub' and list(u.input) == [node.input[0], mean] for u in uses)
        )

    def constant(self, node, scope):
        """all that it is made of is constant, but for shapes"""
        return all(
            not n or i == SHAPES.get(node.op_type) or self.is_constant(n, scope) for i, n in enumerate(node.input)
        )

    def is_constant(self, name, scope):
        while scope:
            if name in scope['constants']:
                return True
            scope = scope['parent']
        return False

    def flags(self, rec, val):
        node = rec.node
        vals = [self.find(rec.scope, n) for _, n in rec.ins]
        if rec.kind == 'F':
            val.told = (
                node.op_type == 'Cast' and rec.why == 'made of another type' and rec.half or any(x.told for x in vals)
            )
            val.exact = rec.why == 'made of another type' and not rec.half or any(x.exact for x in vals)
            joins = node.op_type in JOIN and any(x.natural == 'H' for x in vals)
            after = any(x.full for x in vals)
            val.stat = (
                node.op_type in REDUCE
                or not joins
                and not after
                and node.op_type in FOLLOW
                and any(x.stat for x in vals)
            )
            val.full = node.op_type not in REDUCE and (joins or after)
            mean = vals[1].maker if node.op_type == 'Sub' and len(vals) == 2 else None
            val.centred = (
                mean is not None
                and mean.node.op_type == 'ReduceMean'
                and mean.node.input[0] == node.input[0]
                and not joins
            )
            val.centred |= node.op_type in ('Div', 'Mul') and any(x.centred for x in vals)
        val.big = (
            any(x.big for x in vals if x.kind == 'node')
            or any(huge(x.tensor) for x in vals if x.kind == 'weight')
            or any(a.type == a.TENSOR and a.t.data_type == T.FLOAT and huge(a.t) for a in node.attribute)
        )

    # ---- pass 2: constants become what is needed; what only feeds float32 becomes float32; then every value's needs
    def need(self, rec, idx):
        if rec.kind == 'F':
            return 'F'
        if rec.node.op_type in GRAPHS and rec.node.domain in ('', 'ai.onnx'):
            return 'H'
        given = tokens(rec.row[0], len(rec.node.input))
        t = given[idx]
        if t == 'F' or t.endswith('!'):
            return 'F'
        alone = (
            'Sequence' not in rec.node.op_type
            and sum(g == t for g in given) == 1
            and '*' not in ''.join(rec.row[0][idx : idx + 1])
            and t not in tokens(rec.row[1], len(rec.node.output))
        )
        return None if alone else 'H'

    def needs_of(self, val):
        out = {self.need(r, i) for r, i in val.consumers} - {None}
        for scope in getattr(val, 'outs', []):
            out.add('F' if scope['top'] and self.kept(val.name) else 'H')
        return out

    def settle(self):
        for rec in reversed(self.records):
            vals = [rec.scope['values'][o] for o in rec.node.output if o in rec.scope['values']]
            if rec.kind == 'C':
                every = set().union(*[self.needs_of(x) for x in vals if x.natural == 'C']) if vals else set()
                rec.kind = 'F' if every == {'F'} else 'H'
                for x in vals:
                    if x.natural == 'C':
                        x.natural = rec.kind
            elif (
                rec.kind == 'H'
                and rec.node.op_type in PULL
                and rec.node.domain == ''
                and vals
                and all(x.consumers and not x.out and all(self.need(r, i) == 'F' for r, i in x.consumers) for x in vals)
            ):
                if len({n for _, n in rec.ins if self.find(rec.scope, n).kind != 'weight'}) == 1:
                    rec.kind, rec.why = 'F', 'feeds float32'
                    for x in vals:
                        x.natural = 'F'
        for rec in self.records:
            if rec.kind == 'F' and rec.ins:
                exact = all(
                    x.exact for x in (self.find(rec.scope, n) for _, n in rec.ins) if x.kind == 'node' and not x.fixed
                )
                self.report.append(
                    (
                        rec.node.name or rec.node.output[0],
                        rec.node.op_type,
                        rec.why,
                        exact and rec.why == 'follows float32',
                    )
                )

    def fresh(self, name):
        k = 0
        out = name
        while out in self.taken:
            k += 1
            out = f'{name}_{k}'
        self.taken.add(out)
        return out

    def name(self):
        def walk(scope):
            for val in scope['values'].values():
                val.needs = self.needs_of(val)
                s = {'H': '_fp16', 'F': '_fp32'}
                other = {'H': 'F', 'F': 'H'}
                if val.kind == 'weight':
                    both = val.needs == {'H', 'F'}
                    val.natural = (
                        'H'
                        if val.needs == {'H'}
                        or both
                        and not (val.out and self.kept(val.name))
                        and (int(np.prod(val.tensor.dims)) > TWICE or (val.out and val.scope['top']))
                        else 'F'
                    )
                mine = val.natural
                if val.kind == 'input':
                    mine = val.natural
                elif val.out and val.scope['top']:
                    mine = 'F' if self.kept(val.name) else 'H'
                val.names = {mine: val.name}
                if other[mine] in val.needs | {val.natural}:
                    val.names[other[mine]] = self.fresh(val.name + s[other[mine]])
                val.physical = mine if val.kind == 'input' else val.natural
            for rec in scope['recs']:
                for sub in scope['subs'].get(id(rec), []):
                    walk(sub)

        root = self.records[0].scope if self.records else None
        while root and root['parent']:
            root = root['parent']
        if root:
            walk(root)

    # ---- pass 3: the new graph
    def casts(self, val, nodes, scope):
        other = {'H': 'F', 'F': 'H'}[val.physical]
        if other not in val.names or val.names[other] == val.names.get(val.physical):
            return
        source = val.names[val.physical]
        if other == 'H' and val.big and val.kind == 'node':
            clipped = self.fresh(val.name + '_clipped')
            if self.opsets.get('', 0) >= 11:
                for n, v in (('fp16_lowest', -TOP), ('fp16_highest', TOP)):
                    if n not in self.taken:
                        self.taken.add(n)
                        self.m.graph.initializer.append(nh.from_array(np.array(v, np.float32), n))
                nodes.append(h.make_node('Clip', [source, 'fp16_lowest', 'fp16_highest'], [clipped], name=clipped))
            else:
                nodes.append(h.make_node('Clip', [source], [clipped], name=clipped, min=-TOP, max=TOP))
            source = clipped
        nodes.append(
            h.make_node(
                'Cast', [source], [val.names[other]], name=val.names[other], to=T.FLOAT16 if other == 'H' else T.FLOAT
            )
        )

    def rewrite(self, scope):
        g, nodes = scope['graph'], []
        for val in list(scope['values'].values()):
            if val.kind in ('input', 'sparse'):
                self.casts(val, nodes, scope)
            if val.kind == 'weight' or val.kind == 'input' and val.tensor is not None:
                self.weight(val, g, nodes, scope)
        for rec in scope['recs']:
            node = rec.node
            places = dict(rec.ins)
            for idx, name in places.items():
                val = self.find(rec.scope, name)
                want = self.need(rec, idx) or val.physical
                node.input[idx] = val.names.get(want) or val.name
            if rec.kind == 'H':
                self.attributes(rec)
            for sub in scope['subs'].get(id(rec), []):
                self.rewrite(sub)
            made = [scope['values'][o] for o in node.output if o in scope['values']]
            for i, o in enumerate(node.output):
                if o in scope['values']:
                    node.output[i] = scope['values'][o].names[scope['values'][o].natural]
            nodes.append(node)
            for val in made:
                self.casts(val, nodes, scope)
        copies = [onnx.NodeProto.FromString(n.SerializeToString()) for n in nodes]
        del g.node[:]
        g.node.extend(copies)
        for v in g.input:
            self.retype(v, scope, scope['top'])
        for v in g.output:
            val = self.find(scope, v.name)
            if scope['top']:
                self.retype(v, scope, True)
            elif val:
                v.name = val.names.get('H', val.name)
                set_elem(v.type, T.FLOAT16)
        for v in g.value_info:
            val = scope['values'].get(v.name)
            if val and val.names.get('H') == val.name:
                set_elem(v.type, T.FLOAT16)

    def retype(self, v, scope, top):
        if elem_of(v.type) == T.FLOAT and not (top and self.kept(v.name)):
            set_elem(v.type, T.FLOAT16)

    def weight(self, val, g, nodes, scope):
        t = val.tensor
        target = val.physical if val.kind == 'input' else val.natural
        name = t.name
        if target == 'H':
            self.convert(t, name)
        other = {'H': 'F', 'F': 'H'}[target]
        if val.kind == 'weight' and other in val.names and val.names[other] != val.name:
            if target == 'F':
                new = onnx.TensorProto()
                new.CopyFrom(t)
                new.name = val.names['H']
                self.convert(new, name)
                g.initializer.append(new)
            else:
                nodes.append(h.make_node('Cast', [val.names['H']], [val.names['F']], name=val.names['F'], to=T.FLOAT))

    def convert(self, t, name):
        x = nh.to_array(t)
        y = half(x, *self.limits)
        a = np.abs(x)
        high, low = int(((a > TOP) & np.isfinite(a)).sum()), int(((a > 0) & (a < np.float32(self.limits[0]))).sum())
        if high or low:
            self.saturated.append((name, high, low))
        doc = t.name
        t.CopyFrom(nh.from_array(y, doc))

    def attributes(self, rec):
        node, op = rec.node, rec.node.op_type
        made = [rec.scope['values'][o] for o in rec.node.output if o in rec.scope['values']]
        if not any(x.natural == 'H' for x in made):
            return
        if op == 'Constant':
            a = node.attribute[0]
            value = nh.to_array(a.t) if a.name == 'value' else np.array(h.get_attribute_value(a), np.float32)
            t = nh.from_array(value.astype(np.float32), '')
            self.convert(t, node.output[0])
            t.name = a.t.name
            del node.attribute[:]
            node.attribute.append(h.make_attribute('value', t))
        elif op == 'ConstantOfShape':
            v = attr(node, 'value')
            t = nh.from_array(nh.to_array(v) if v is not None else np.zeros(1, np.float32), '')
            self.convert(t, node.output[0])
            del node.attribute[:]
            node.attribute.append(h.make_attribute('value', t))
        key = BY_ATTRIBUTE.get(op) or LIKE_INPUT.get(op)
        if key and not (op == 'DequantizeLinear' and attr(node, key, 0) == 0):
            rest = [a for a in node.attribute if a.name != key]
            copies = [onnx.AttributeProto.FromString(a.SerializeToString()) for a in rest]
            del node.attribute[:]
            node.attribute.extend(copies)
            node.attribute.append(h.make_attribute(key, T.FLOAT16))


def vector(t):
    return t is not None and sum(d != 1 for d in t.dims) <= 1


def size(t):
    return 0 if t is None else int(np.prod(t.dims))


def huge(t):
    if t is None:
        return False
    a = np.abs(nh.to_array(t))
    return bool(((a > TOP) & np.isfinite(a)).any())


def set_elem(type_proto, code):
    while not type_proto.HasField('tensor_type'):
        kind = type_proto.WhichOneof('value')
        if kind is None:
            return
        type_proto = getattr(type_proto, kind).elem_type
    if type_proto.tensor_type.elem_type == T.FLOAT:
        type_proto.tensor_type.elem_type = code
