"""Writes types.json: where each operator takes float32, and whether it takes float16 in the same place.

    python make_types.py OUT.json

From the registered schemas of onnx (ai.onnx, ai.onnx.ml) and of onnxruntime (com.microsoft).
"""

import json, re, sys
from onnx import defs
import onnxruntime.capi.onnxruntime_pybind11_state as state

F, H = 'float', 'float16'


def element(t):
    m = re.fullmatch(r'(?:(?:seq|optional)\()*tensor\((\w+)\)\)*', t)
    return m.group(1) if m else t


def token(param, constraints, heterogeneous):
    types = {element(t) for t in constraints.get(param[1], [param[1]])}
    literal = param[1] not in constraints
    if F not in types:
        word = '.'
    elif literal or types == {F}:
        word = 'F'
    elif H not in types:
        word = param[1] + '!'
    else:
        word = param[1]
    return word + ('*' if param[2] == 'Variadic' else '') + ('~' if heterogeneous else '')


def row(schema, variadic):
    tc = {t.type_param_str: list(t.allowed_type_strs) for t in schema.type_constraints}
    side = lambda ps: ' '.join(
        token((p.name, getattr(p, 'type_str', None) or getattr(p, 'typeStr'), variadic(p)[0]), tc, variadic(p)[1])
        for p in ps
    )
    return side(schema.inputs) + ' > ' + side(schema.outputs)


out = {}
for s in sorted(defs.get_all_schemas_with_history(), key=lambda s: (s.domain, s.name, s.since_version)):
    if s.deprecated or s.domain not in ('', 'ai.onnx.ml'):
        continue
    text = row(s, lambda p: (str(p.option).split('.')[-1], not p.is_homogeneous))
    rows = out.setdefault(f'{s.domain}:{s.name}' if s.domain else s.name, [])
    if not rows or rows[-1][1] != text:
        rows.append([s.since_version, text])
for s in sorted(state.get_all_operator_schema(), key=lambda s: (s.name, s.since_version)):
    if s.domain != 'com.microsoft' or s.deprecated:
        continue
    text = row(s, lambda p: (str(p.option).split('.')[-1], not p.isHomogeneous))
    rows = out.setdefault(f'com.microsoft:{s.name}', [])
    if not rows or rows[-1][1] != text:
        rows.append([s.since_version, text])
with open(sys.argv[1], 'w') as f:
    f.write('{\n' + ',\n'.join(f'{json.dumps(k)}: {json.dumps(v)}' for k, v in out.items()) + '\n}\n')
print(len(out), 'operators')
