"""A merged decoder as optimum exports it: one If, whose branches run without a cache and with one.

python merged_decoder.py OUT    writes merged-decoder.json: the model, and inputs and float32 outputs of both branches
"""

import base64
import json
import sys

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper as nh

import models as M

D, V, STEPS, PAST = 64, 96, 3, 4


def attention(prefix, has_past):
    """one head, with the weights of the outermost graph, and an own output projection"""
    nodes = [
        h.make_node('Gather', ['embed', 'input_ids'], [f'{prefix}x']),
        *(h.make_node('MatMul', [f'{prefix}x', f'{p}_proj'], [prefix + p], name=f'{prefix}{p}_proj') for p in 'qkv'),
    ]
    for p, kind in (('k', 'key'), ('v', 'value')):
        if has_past:
            nodes.append(h.make_node('Concat', [f'past.{kind}', f'{prefix}{p}'], [f'{prefix}present.{kind}'], axis=1))
        else:
            nodes.append(h.make_node('Identity', [f'{prefix}{p}'], [f'{prefix}present.{kind}']))
    nodes += [
        h.make_node('Transpose', [f'{prefix}present.key'], [f'{prefix}kt'], perm=[0, 2, 1]),
        h.make_node('MatMul', [f'{prefix}q', f'{prefix}kt'], [f'{prefix}scores']),
        h.make_node('Mul', [f'{prefix}scores', 'scale'], [f'{prefix}scaled']),
        h.make_node('Softmax', [f'{prefix}scaled'], [f'{prefix}weights'], axis=-1),
        h.make_node('MatMul', [f'{prefix}weights', f'{prefix}present.value'], [f'{prefix}mixed']),
        h.make_node('MatMul', [f'{prefix}mixed', f'{prefix}o_proj'], [f'{prefix}out'], name=f'{prefix}o_proj'),
        h.make_node('Add', [f'{prefix}x', f'{prefix}out'], [f'{prefix}sum']),
        h.make_node('MatMul', [f'{prefix}sum', 'lm_head'], [f'{prefix}logits'], name=f'{prefix}lm_head'),
    ]
    return nodes


def branch(rng, prefix, has_past):
    outputs = [
        h.make_tensor_value_info(prefix + name, T.FLOAT, None) for name in ('logits', 'present.key', 'present.value')
    ]
    own = nh.from_array((rng.standard_normal((D, D)) * 0.1).astype(np.float32), f'{prefix}o_proj')
    return h.make_graph(attention(prefix, has_past), f'{prefix}graph', [], outputs, [own])


def build(rng):
    weights = {'embed': (V, D), 'q_proj': (D, D), 'k_proj': (D, D), 'v_proj': (D, D), 'lm_head': (D, V)}
    inits = [nh.from_array((rng.standard_normal(s) * 0.2).astype(np.float32), n) for n, s in weights.items()]
    inits.append(nh.from_array(np.float32(D**-0.5), 'scale'))
    branches = {'then_branch': branch(rng, 'past_', True), 'else_branch': branch(rng, 'first_', False)}
    node = h.make_node('If', ['use_cache_branch'], ['logits', 'present.key', 'present.value'], 'merged', **branches)
    past = [h.make_tensor_value_info(f'past.{kind}', T.FLOAT, [1, 'past', D]) for kind in ('key', 'value')]
    inputs = [
        h.make_tensor_value_info('input_ids', T.INT64, [1, 'steps']),
        *past,
        h.make_tensor_value_info('use_cache_branch', T.BOOL, []),
    ]
    outputs = [
        h.make_tensor_value_info('logits', T.FLOAT, [1, 'steps', V]),
        *(h.make_tensor_value_info(f'present.{kind}', T.FLOAT, [1, 'all', D]) for kind in ('key', 'value')),
    ]
    graph = h.make_graph([node], 'merged_decoder', inputs, outputs, inits)
    model = h.make_model(graph, opset_imports=[h.make_opsetid('', 17)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    return model


def tensor(value):
    value = np.asarray(value)
    return {'dtype': value.dtype.name, 'dims': list(value.shape), 'data': base64.b64encode(value.tobytes()).decode()}


def main(out):
    rng = np.random.default_rng(20261129)
    model = build(rng)
    runs = []
    for has_past in (False, True):
        past = [(rng.standard_normal((1, PAST if has_past else 0, D)) * 0.5).astype(np.float32) for _ in range(2)]
        feeds = {
            'input_ids': rng.integers(0, V, (1, STEPS)),
            'past.key': past[0],
            'past.value': past[1],
            'use_cache_branch': np.array(has_past),
        }
        outputs = M.run(model, feeds)
        runs.append({
            'inputs': {name: tensor(value) for name, value in feeds.items()},
            'outputs': [tensor(value) for value in outputs],
        })
    data = base64.b64encode(model.SerializeToString(deterministic=True)).decode()
    with open(f'{out}/merged-decoder.json', 'w') as file:
        json.dump({'model': data, 'runs': runs}, file, separators=(',', ':'))
        file.write('\n')


if __name__ == '__main__':
    main(sys.argv[1])
