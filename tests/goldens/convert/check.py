"""Replays the goldens with the references alone: python check.py DIR

Every after-model is made again from its before-model and compared: `half` and `combined` byte for byte, `q8` and
`bnb4` by what counts of a graph.
"""

import gzip, hashlib, json, sys
import numpy as np, onnx
from onnx import TensorProto as T, numpy_helper as nh
import reference as R, reference_half as RH


def read(path):
    return onnx.load_model_from_string(gzip.decompress(open(path, 'rb').read()))


def counts(g):
    """what counts of a graph, whatever its order"""
    plain = lambda a: counts(a.g) if a.type == a.GRAPH else a.SerializeToString(deterministic=True)
    node = lambda n: (
        n.op_type,
        n.domain,
        n.name,
        list(n.input),
        list(n.output),
        sorted((a.name, repr(plain(a))) for a in n.attribute),
    )
    return sorted(map(node, g.node)), sorted(
        (t.name, t.data_type, tuple(t.dims), nh.to_array(t).tobytes()) for t in g.initializer
    )


d = sys.argv[1]
index = json.loads(gzip.open(f'{d}/index.json.gz').read())
models = {m['name']: read(f"{d}/{m['before']}") for m in index['models']}
bad = done = 0


def say(ok, name):
    global bad, done
    done += 1
    if not ok:
        bad += 1
        print('differs:', name)


for c in index['half']:
    before, after = models[c['model']], read(f"{d}/{c['after']}")
    say(
        RH.to_half(before, c['keepIo'])[0].SerializeToString(deterministic=True)
        == after.SerializeToString(deterministic=True),
        c['name'],
    )
    inits = {t.name: t for t in before.graph.initializer}
    say(
        all(
            hashlib.sha256(R.half(nh.to_array(inits[n])).tobytes()).hexdigest()[:16] == h
            for n, h in c['weights'].items()
        ),
        c['name'] + ' weights',
    )
for c in index['q8']:
    m = R.quantize_dynamic(
        models[c['model']],
        c['weights'],
        c['perChannel'],
        c['reduceRange'],
        c.get('ops') or R.OPS8,
        (),
        c.get('exclude') or (),
        c['subgraphs'],
    )
    say(counts(m.graph) == counts(read(f"{d}/{c['after']}").graph), c['name'])
for c in index['bnb4']:
    say(
        counts(R.quantize_bnb4(models[c['model']], c['block'], c['kind']).graph)
        == counts(read(f"{d}/{c['after']}").graph),
        c['name'],
    )
print(f'{done - bad} of {done} equal')
sys.exit(bad > 0)
