"""Replays the goldens with the references alone: python check.py DIR

The after-models of `half`, `q8` and `bnb4` are made again from their before-models and compared: `half` byte for byte,
the others by what graph_facts.py reads of a graph.
"""

import gzip, json, sys
import onnx
from onnx import numpy_helper as nh
import reference as R, reference_half as RH
from graph_facts import canonical, sha


def read(path):
    return onnx.load_model_from_string(gzip.decompress(open(path, 'rb').read()))


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
            sha(R.half(nh.to_array(inits[n])).tobytes())[:16] == h
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
    say(canonical(m.graph) == canonical(read(f"{d}/{c['after']}").graph), c['name'])
for c in index['bnb4']:
    say(
        canonical(R.quantize_bnb4(models[c['model']], c['block'], c['kind']).graph)
        == canonical(read(f"{d}/{c['after']}").graph),
        c['name'],
    )
print(f'{done - bad} of {done} equal')
sys.exit(bad > 0)
