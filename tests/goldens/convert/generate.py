"""Makes the goldens: python generate.py OUT --seed N [--half other]

Every after-model of `q8` and `bnb4` is what onnxruntime's tool makes, in a valid order, where that model runs; the
generator stops if
reference.py makes another. The after-models of `half` and `combined` come from reference_half.py, load in onnxruntime
with and without its
optimizations, and are within the stated distance of float32. What the Python tools make of the same models is
recorded: valid or not,
loaded or not, how far from float32.
"""

import argparse, base64, gzip, json, logging, os, tempfile, warnings
import numpy as np, onnx
from onnx import TensorProto as T, helper as h, numpy_helper as nh
import models as M, reference as R, reference_half as RH
from graph_facts import canonical, sha
from onnxconverter_common import float16 as common
from onnxruntime.transformers import float16 as ortf
from onnxruntime.quantization import quantize_dynamic, QuantType
from onnxruntime.quantization.matmul_bnb4_quantizer import MatMulBnb4Quantizer
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer, DefaultWeightOnlyQuantConfig

warnings.simplefilter('ignore')
logging.disable(logging.CRITICAL)
f32, f16 = np.float32, np.float16

# name -> (builder, options); the second half has other seeds, sizes and more of them
SHARED = {
    'mlp': ('mlp', {}),
    'mlp-unnamed': ('mlp', {'names': False}),
    'bert': ('bert', {}),
    'bert-13-mul': ('bert', {'opset': 13, 'square': 'Mul', 'mask': -10000.0, 'eps': 1e-5}),
    'gpt': ('gpt', {}),
    'layernorm': ('layernorm_op', {}),
    'conv': ('convnet', {}),
    'conv-grouped': ('convnet', {'groups': 2, 'opset': 17}),
    'resize': ('resizes', {}),
    'upsample-9': ('old_resize', {'opset': 9}),
    'if': ('branches', {}),
    'loop': ('loops', {}),
    'timestep': ('timesteps', {}),
    'nms': ('detector', {}),
    'constants': ('constants', {'opset': 15}),
    'values': ('values', {}),
    'random': ('randoms', {}),
    'lstm': ('recurrent', {}),
    'large': ('large', {}),
    'shared': ('shared_weights', {}),
    'sequence': ('sequences', {}),
    'function': ('function_calls', {}),
    'contrib': ('contrib', {}),
    'mixed': ('mixed', {}),
    'quantized': ('quantized', {}),
    'pool': ('pools', {}),
    'vit': ('vit', {}),
    'matmuls': ('matmuls', {}),
    'embeddings': ('embeddings', {}),
    'attention': ('contrib_bert', {}),
}
OTHER = {
    'mlp-16': ('mlp', {'opset': 16}),
    'bert-18': ('bert', {'opset': 18, 'eps': 1e-6, 'S': 9}),
    'bert-11-big-mask': ('bert', {'opset': 13, 'mask': -1e9, 'S': 5}),
    'gpt-untied-18': ('gpt', {'opset': 18, 'tied': False, 'form': 'Mul', 'S': 5}),
    'gpt-form': ('gpt', {'form': 'Mul'}),
    'layernorm-20': ('layernorm_op', {'opset': 20}),
    'conv-1d': ('convnet', {'one': True}),
    'conv-grouped-nobias': ('convnet', {'groups': 2, 'bias': False}),
    'resize-18': ('resizes', {'opset': 17}),
    'resize-10': ('old_resize', {'opset': 10}),
    'if-16': ('branches', {'opset': 16}),
    'loop-19': ('loops', {'opset': 19}),
    'scan': ('scans', {}),
    'timestep-17': ('timesteps', {'opset': 17}),
    'nms-17': ('detector', {'opset': 17}),
    'constants-20': ('constants', {'opset': 20}),
    'values': ('values', {'opset': 17}),
    'random-15': ('randoms', {'opset': 15}),
    'gru': ('recurrent', {'op': 'GRU'}),
    'lstm-two': ('recurrent', {'directions': 2}),
    'rnn': ('recurrent', {'op': 'RNN'}),
    'large-2000': ('large', {'scale': 2000.0, 'form': 'Mul'}),
    'large-18': ('large', {'opset': 18, 'scale': 500.0}),
    'shared-18': ('shared_weights', {'opset': 17}),
    'sequence-17': ('sequences', {'opset': 17}),
    'function-18': ('function_calls', {'opset': 18}),
    'contrib-14': ('contrib', {'opset': 14}),
    'mixed-13': ('mixed', {'opset': 13}),
    'quantized-23': ('quantized', {'opset': 22}),
    'pool-17': ('pools', {'opset': 17, 'side': 56}),
    'vit-20': ('vit', {'opset': 20}),
    'matmuls-unnamed': ('matmuls', {'names': False}),
    'embeddings-square': ('embeddings', {'tied': 'gather'}),
    'attention-17': ('contrib_bert', {'opset': 17}),
}
SHARED |= {f'any-{i}': ('anything', {}) for i in range(20)}
OTHER |= {f'any-{i}': ('anything', {}) for i in range(40)}
HALF_SKIP = {'values': 'run'}
Q8 = {
    'shared': [
        'mlp',
        'mlp-unnamed',
        'bert',
        'gpt',
        'conv',
        'conv-grouped',
        'if',
        'loop',
        'lstm',
        'shared',
        'function',
        'vit',
        'matmuls',
        'embeddings',
        'attention',
        'nms',
        'mixed',
    ],
    'other': [
        'mlp-16',
        'bert-18',
        'gpt-untied-18',
        'gpt-form',
        'conv-1d',
        'conv-grouped-nobias',
        'if-16',
        'loop-19',
        'scan',
        'lstm-two',
        'gru',
        'timestep-17',
        'function-18',
        'vit-20',
        'matmuls-unnamed',
        'embeddings-square',
        'attention-17',
        'mixed-13',
    ],
}
BNB = {
    'shared': ['mlp', 'bert', 'gpt', 'matmuls', 'if'],
    'other': ['bert-18', 'gpt-untied-18', 'matmuls-unnamed', 'loop-19', 'vit-20'],
}
COMBINED = {'shared': ['bert', 'gpt', 'vit'], 'other': ['bert-18', 'gpt-untied-18', 'gpt-form', 'vit-20']}

b64 = lambda a: base64.b64encode(np.ascontiguousarray(a).tobytes()).decode()
tensor = lambda a: {'dtype': str(a.dtype), 'dims': list(a.shape), 'data': b64(a)}


def clone(m):
    c = onnx.ModelProto()
    c.CopyFrom(m)
    return c


def largest(w):
    return float(np.abs(np.float64(w)).max()) if np.size(w) else 0


def save(path, m):
    data = m if isinstance(m, bytes) else m.SerializeToString(deterministic=True)
    open(path, 'wb').write(gzip.compress(data, 9, mtime=0) if path.endswith('.gz') else data)


def distance(want, got):
    """largest absolute distance of each output, or a word"""
    out = []
    for a, b in zip(want, got):
        a, b = np.asarray(a), np.asarray(b)
        if a.shape != b.shape:
            out.append('shape')
        elif a.dtype.kind != 'f':
            out.append(0.0 if np.array_equal(a, b) else 'differs')
        else:
            d = np.abs(a.astype(np.float64) - b.astype(np.float64))
            out.append('nan' if np.isnan(d).any() else float(d.max()) if d.size else 0.0)
    return out


def status(make, want, feeds):
    """what a tool makes of a model"""
    try:
        m = make()
    except Exception as e:
        return {'made': False, 'error': clean(e)}
    got = {'made': True}
    try:
        onnx.checker.check_model(m)
        got['checked'] = True
    except Exception as e:
        got.update(checked=False, error=clean(e))
    try:
        got['distance'] = [round(d, 9) if isinstance(d, float) else d for d in distance(want, M.run(m, feeds))]
        got['loaded'] = True
    except Exception as e:
        got.update(loaded=False, error=clean(e))
    return got


def clean(e):
    return ' '.join(str(e).split())[:200].replace('[ONNXRuntimeError] : ', '')


def cast_feeds(feeds, keep, m):
    return {
        k: v.astype(f16) if v.dtype == f32 and not (keep if isinstance(keep, bool) else k in keep) else v
        for k, v in feeds.items()
    }


def tool8(m, c):
    with tempfile.TemporaryDirectory() as d:
        p = os.path.join(d, 'o.onnx')
        quantize_dynamic(
            clone(m),
            p,
            weight_type=QuantType.QInt8 if c['weights'] == 'int8' else QuantType.QUInt8,
            per_channel=c['perChannel'],
            reduce_range=c['reduceRange'],
            op_types_to_quantize=c.get('ops'),
            nodes_to_exclude=c.get('exclude'),
            extra_options={'EnableSubgraph': c['subgraphs']},
        )
        return onnx.load(p)


def islands(m, keep):
    """names of nodes that must run in float32, by what they compute: sums and means of many, squares for them, what
    integers became; of the top graph"""
    _, report = RH.to_half(m, keep)
    nodes = {n.name: n for n in m.graph.node if n.name}
    uses = {}
    for n in m.graph.node:
        for i in n.input:
            uses.setdefault(i, []).append(n)
    centres = lambda n: n.op_type == 'ReduceMean' and all(
        u.op_type == 'Sub' and list(u.input) == [n.input[0], n.output[0]] for u in uses.get(n.output[0], [])
    )
    return sorted(
        n
        for n, op, why, exact in report['kept']
        if n in nodes
        and (
            op in RH.REDUCE
            and not centres(nodes[n])
            or exact
            or op == 'Pow'
            and why in ('feeds float32', 'follows float32')
        )
    )


def half_cases(out, names, built, log):
    cases = []
    for name in names:
        m, feeds, want = built[name]
        modes = [True, False] + ([[next(iter(feeds))]] if name in ('gpt', 'gpt-form', 'bert', 'vit-20') else [])
        for k, keep in enumerate(modes):
            after, report = RH.to_half(m, keep)
            onnx.checker.check_model(after)
            label = f'{name}-' + ('kept' if keep is True else 'bare' if keep is False else 'some')
            again, _ = RH.to_half(after, keep)
            assert (
                again.SerializeToString(deterministic=True) == after.SerializeToString(deterministic=True)
                or keep is not True
            ), (
                'not the same twice',
                label,
            )
            run_feeds = cast_feeds(feeds, keep, m)
            got = M.run(after, run_feeds)
            d = distance(want, got)
            assert all(isinstance(x, float) for x in d), (label, d)
            plain = distance(want, M.run(after, run_feeds, 'ORT_DISABLE_ALL'))
            assert all(isinstance(x, float) for x in plain), (label, plain)
            inits = {t.name: t for t in m.graph.initializer if t.data_type == T.FLOAT}
            halves = {t.name: t for t in after.graph.initializer if t.data_type == T.FLOAT16}
            weights = {n: sha(R.half(nh.to_array(t)).tobytes())[:16] for n, t in inits.items()}
            must = sorted(n for n in inits if n in halves and int(np.prod(inits[n].dims)) >= 16)
            for n in must:
                assert nh.to_array(halves[n]).tobytes() == R.half(nh.to_array(inits[n])).tobytes()
            case = {
                'name': label,
                'model': name,
                'keepIo': keep,
                'after': f'after/half-{label}.onnx.gz',
                'weights': weights,
                'mustHalf': must,
                'float32': islands(m, keep),
                'bytes': sum(t.ByteSize() for t in after.graph.initializer),
                'saturated': report['weights'],
                'distance': [float(f'{max(a, b):.3g}') for a, b in zip(d, plain)],
                'tolerance': [
                    (
                        float(f'{max(3 * max(a, b), largest(w) * 2 ** -9):.3g}')
                        if np.asarray(w).dtype.kind == 'f'
                        else 0
                    )
                    for a, b, w in zip(d, plain, want)
                ],
                'run': HALF_SKIP.get(name) != 'run',
            }
            case['tools'] = {
                'onnxruntime': status(
                    lambda: ortf.convert_float_to_float16(clone(m), keep_io_types=keep), want, run_feeds
                ),
                'onnxconverter-common': status(
                    lambda: common.convert_float_to_float16(clone(m), keep_io_types=bool(keep)),
                    want,
                    cast_feeds(feeds, bool(keep), m),
                ),
            }
            save(f'{out}/{case["after"]}', after)
            cases.append(case)
            log['half'] += 1
    return cases


def q8_cases(out, half, built, rng, log):
    cases = []
    for i, name in enumerate(Q8[half]):
        m, feeds, want = built[name]
        square = (
            [('int8', 0, 0, 1), ('uint8', 1, 1, 1), ('int8', 1, 0, 0), ('uint8', 0, 1, 0)]
            if half == 'shared'
            else [('uint8', 0, 0, 1), ('int8', 1, 1, 1), ('uint8', 1, 0, 0), ('int8', 0, 1, 0), ('int8', 0, 0, 0)]
        )
        configs = [
            dict(zip(('weights', 'perChannel', 'reduceRange', 'subgraphs'), (w, bool(a), bool(b), bool(c))))
            for w, a, b, c in square
        ]
        nodes = [n.name for n in m.graph.node if n.op_type in ('MatMul', 'Gemm', 'Conv') and n.name]
        if nodes and name in ('bert', 'gpt', 'conv', 'bert-18', 'gpt-form', 'conv-1d', 'vit-20'):
            configs += [dict(configs[0], ops=['MatMul']), dict(configs[0], exclude=nodes[1:3])]
        for k, c in enumerate(configs):
            ref = R.quantize_dynamic(
                m,
                c['weights'],
                c['perChannel'],
                c['reduceRange'],
                c.get('ops') or R.OPS8,
                (),
                c.get('exclude') or (),
                c['subgraphs'],
            )
            tool, after = 'ok', ref
            try:
                t = tool8(m, c)
                if canonical(t.graph) == canonical(ref.graph):
                    log['q8 equal'] += 1  # ref: the same in a valid order
                else:
                    tool = status(lambda: t, want, feeds)
                    tool = tool.get('error', 'made, another model')
                    log['q8 own'] += 1
                    assert isinstance(tool, str) and tool != 'made, another model', (name, c, tool)
            except AssertionError:
                raise
            except Exception as e:
                tool = clean(e)
                log['q8 tool fails'] += 1
            case = {
                'name': f'{name}-{k}',
                'model': name,
                **c,
                'after': f'after/q8-{name}-{k}.onnx.gz',
                'canonical': sha(json.dumps(canonical(after.graph)).encode()),
                'tool': tool,
            }
            try:
                got = M.run(after, feeds)
                case['distance'] = [float(f'{x:.3g}') if isinstance(x, float) else x for x in distance(want, got)]
                case['outputs'] = [tensor(np.asarray(g)) for g in got]
            except Exception as e:
                case['runs'] = clean(e)
                log['q8 does not run'] += 1
            save(f'{out}/{case["after"]}', after)
            cases.append(case)
            log['q8'] += 1
    return cases


def bnb_cases(out, half, built, log):
    cases = []
    for name in BNB[half]:
        m, feeds, want = built[name]
        for kind, block in (
            (('nf4', 64), ('fp4', 64), ('nf4', 16))
            if half == 'shared'
            else (('nf4', 64), ('fp4', 32), ('nf4', 128), ('fp4', 16))
        ):
            q = MatMulBnb4Quantizer(clone(m), 0 if kind == 'fp4' else 1, block)
            q.process()
            t = q.model.model
            ref = R.quantize_bnb4(m, block, kind)
            assert canonical(t.graph) == canonical(ref.graph), (name, kind, block)
            log['bnb4 equal'] += 1
            case = {
                'name': f'{name}-{kind}-{block}',
                'model': name,
                'kind': kind,
                'block': block,
                'after': f'after/bnb4-{name}-{kind}-{block}.onnx.gz',
                'canonical': sha(json.dumps(canonical(t.graph)).encode()),
            }
            got = M.run(t, feeds)
            case['outputs'] = [tensor(np.asarray(g)) for g in got]
            save(f'{out}/{case["after"]}', t)
            cases.append(case)
            log['bnb4'] += 1
    return cases


def combined_cases(out, half, built, log):
    """bits of weights first, float16 afterwards: q4f16, q2f16, and 8 bits; from float32 weights"""
    cases = []
    for name in COMBINED[half]:
        m, feeds, want = built[name]
        for bits, block, sym in (
            ((4, 32, True), (4, 16, False), (2, 32, True))
            if half == 'shared'
            else ((4, 32, True), (4, 64, False), (2, 16, False), (8, 32, True))
        ):
            q = MatMulNBitsQuantizer(
                clone(m), algo_config=DefaultWeightOnlyQuantConfig(block_size=block, is_symmetric=sym, bits=bits)
            )
            q.process()
            t = q.model.model
            after, _ = RH.to_half(t, True)
            base = M.run(t, feeds)
            run = M.run(after, feeds)
            d = distance(base, run)
            inits = {x.name: x for x in t.graph.initializer}
            case = {
                'name': f'{name}-q{bits}f16-{block}-{"sym" if sym else "asym"}',
                'model': name,
                'bits': bits,
                'block': block,
                'symmetric': sym,
                'after': f'after/combined-{name}-{bits}-{block}-{int(sym)}.onnx.gz',
                'codes': {
                    x.name: sha(nh.to_array(x).tobytes())[:16]
                    for x in after.graph.initializer
                    if x.data_type == T.UINT8
                },
                'scales': {
                    x.name: sha(R.half(nh.to_array(x)).tobytes())[:16]
                    for x in inits.values()
                    if x.name.endswith('_scales')
                },
                'outputs': [tensor(np.asarray(b)) for b in base],
                'tolerance': [float(f'{max(3 * x, float(np.abs(b).max()) * 2 ** -8):.3g}') for x, b in zip(d, base)],
            }
            save(f'{out}/{case["after"]}', after)
            cases.append(case)
            log['combined'] += 1
    return cases


def refusals(rng):
    """models and options that must throw a TypeError or RangeError"""
    out = []
    vi = h.make_tensor_value_info

    def bad(name, m, options):
        out.append({'name': name, 'model': b64(np.frombuffer(m.SerializeToString(), np.uint8)), 'options': options})

    ok, _ = M.mlp(rng, 3)
    for name, o in (
        ('no dtype', {}),
        ('unknown dtype', {'dtype': 'fp8'}),
        ('dtype is no word', {'dtype': 16}),
        ('1 bit', {'dtype': 'q1'}),
        ('1 bit, float16', {'dtype': 'q1f16'}),
        ('keepIo is a word', {'dtype': 'fp16', 'keepIo': 'yes'}),
        ('keepIo names no input', {'dtype': 'fp16', 'keepIo': ['nothing']}),
        ('float32 is no list', {'dtype': 'fp16', 'float32': 'Add'}),
        ('block of 20', {'dtype': 'q4', 'blockSize': 20}),
        ('bnb4 kind', {'dtype': 'bnb4', 'bnb4': 'int4'}),
        ('perChannel is a word', {'dtype': 'q8', 'perChannel': 'no'}),
        ('an empty file', {'dtype': 'fp16'}),
    ):
        bad(name, onnx.ModelProto() if name == 'an empty file' else ok, o)
    old, _ = M.old_resize(rng, 3)
    bad('q8 below opset 11', old, {'dtype': 'q8'})
    g = h.make_graph(
        [h.make_node('Strange', ['x'], ['s'], domain='unknown'), h.make_node('MatMul', ['s', 'w'], ['y'])],
        'g',
        [vi('x', T.FLOAT, [2, 3])],
        [vi('y', T.FLOAT, [2, 3])],
        [nh.from_array(np.eye(3, dtype=f32), 'w')],
    )
    bad(
        'outputs of an operator whose types nothing states',
        h.make_model(g, opset_imports=[h.make_opsetid('', 17), h.make_opsetid('unknown', 1)], ir_version=8),
        {'dtype': 'fp16'},
    )
    for name, w in (('NaN', np.nan), ('infinite', np.inf)):
        x = np.eye(3, dtype=f32)
        x[1, 1] = w
        g = h.make_graph(
            [h.make_node('MatMul', ['x', 'w'], ['y'])],
            'g',
            [vi('x', T.FLOAT, [2, 3])],
            [vi('y', T.FLOAT, [2, 3])],
            [nh.from_array(x, 'w')],
        )
        n = h.make_model(g, opset_imports=[h.make_opsetid('', 17)], ir_version=8)
        bad(f'q8 of {name} weights', n, {'dtype': 'q8'})
        bad(f'bnb4 of {name} weights', n, {'dtype': 'bnb4'})
    return out


def extra_cases(out, half, built):
    """models under default options, and one that a tool makes wrongly, for trying the harness"""
    cases = []
    first = lambda start: next(n for n in built if n.startswith(start))

    def add(name, options, m):
        path = f'after/extra-{len(cases)}.onnx.gz'
        save(f'{out}/{path}', m)
        cases.append({'model': name, 'options': options, 'after': path})

    def nbits(m, bits):
        q = MatMulNBitsQuantizer(
            clone(m), algo_config=DefaultWeightOnlyQuantConfig(block_size=32, is_symmetric=True, bits=bits)
        )
        q.process()
        return q.model.model

    add(
        first('mlp'),
        {'dtype': 'fp16', 'float32': ['Softmax']},
        RH.to_half(built[first('mlp')][0], True, ('Softmax',))[0],
    )
    add(first('mlp'), {'dtype': 'q4'}, nbits(built[first('mlp')][0], 4))
    for name in built:
        m = built[name][0]
        if (
            name.startswith(('mlp', 'bert', 'gpt', 'vit'))
            and name == first(name.split('-')[0])
            or name.startswith(('bert', 'gpt', 'vit', 'conv'))
        ):
            conv = any(n.op_type == 'Conv' for n in m.graph.node)
            for d in ('int8', 'q8'):
                add(
                    name, {'dtype': d}, R.quantize_dynamic(m, 'uint8' if d == 'q8' and conv else 'int8', subgraphs=True)
                )
            add(name, {'dtype': 'q4f16'}, RH.to_half(nbits(m, 4), True)[0])
        if name.startswith(('mlp', 'bert')):
            add(name, {'dtype': 'bnb4'}, R.quantize_bnb4(m))
    name = first('gpt')
    wrong = ortf.convert_float_to_float16(clone(built[name][0]), keep_io_types=True)
    R.sort(wrong.graph)
    add(name, {'wrong': 'onnxruntime'}, wrong)
    return cases


SUFFIX = {
    'fp32': '',
    'fp16': '_fp16',
    'q8': '_quantized',
    'int8': '_int8',
    'uint8': '_uint8',
    'q4': '_q4',
    'q4f16': '_q4f16',
    'q2': '_q2',
    'q2f16': '_q2f16',
    'q1': '_q1',
    'q1f16': '_q1f16',
    'bnb4': '_bnb4',
}

if __name__ == '__main__':
    p = argparse.ArgumentParser()
    p.add_argument('out')
    p.add_argument('--seed', type=int, default=20261124)
    p.add_argument('--half', default='shared')
    o = p.parse_args()
    os.makedirs(f'{o.out}/before', exist_ok=True)
    os.makedirs(f'{o.out}/after', exist_ok=True)
    from collections import Counter

    log, built, listed = Counter(), {}, []
    for i, (name, (builder, options)) in enumerate((SHARED if o.half == 'shared' else OTHER).items()):
        rng = np.random.default_rng([o.seed, i])
        m, feeds = getattr(M, builder)(
            rng, 6 if o.half == 'shared' else (8, 5, 7)[i % 3] if builder != 'shared_weights' else 5, **options
        )
        want = M.run(m, feeds)
        built[name] = (m, feeds, want)
        save(f'{o.out}/before/{name}.onnx.gz', m)
        listed.append(
            {
                'name': name,
                'before': f'before/{name}.onnx.gz',
                'inputs': {k: tensor(v) for k, v in feeds.items()},
                'outputs': {v.name: tensor(np.asarray(x)) for v, x in zip(m.graph.output, want)},
            }
        )
    index = {
        'seed': o.seed,
        'models': listed,
        'half': half_cases(o.out, built, built, log),
        'q8': q8_cases(o.out, o.half, built, None, log),
        'bnb4': bnb_cases(o.out, o.half, built, log),
        'combined': combined_cases(o.out, o.half, built, log),
        'refuse': refusals(np.random.default_rng(o.seed)),
        'suffix': SUFFIX,
        'extra': extra_cases(o.out, o.half, built),
    }
    open(f'{o.out}/index.json.gz', 'wb').write(gzip.compress(json.dumps(index, indent=0).encode(), 9, mtime=0))
    print(dict(log), len(index['refuse']), 'refusals')
