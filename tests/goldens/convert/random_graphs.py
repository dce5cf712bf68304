"""Random graphs to float16: each loads and stays within tolerance, with and without onnxruntime's optimizations.

python random_graphs.py FROM TO    seeds FROM to TO - 1; prints what fails, and exits with 1 then
"""

import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx

import models as M
import reference_half as RH

LEVELS = ('ORT_ENABLE_ALL', 'ORT_DISABLE_ALL')


def worst(after, feeds, want):
    """the largest distance of each output at both levels; NaN is infinitely far"""
    rows = []
    for level in LEVELS:
        pairs = zip(want, M.run(after, feeds, level))
        rows.append([np.nan_to_num(np.abs(np.float64(a) - b), nan=np.inf).max() for a, b in pairs])
    return [max(pair) for pair in zip(*rows)]


def main(first, last):
    folder = tempfile.mkdtemp()
    cases = {}
    for seed in range(first, last):
        rng = np.random.default_rng(seed)
        model, feeds = M.anything(rng, int(rng.integers(4, 40)))
        want = M.run(model, feeds)
        if not all(np.isfinite(w).all() for w in want):
            continue
        onnx.save(model, f'{folder}/{seed}.onnx')
        cases[seed] = (model, feeds, want)
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run(['node', f'{here}/convert_folder.mjs', folder, 'fp16'], check=True)
    failed = 0
    for seed, (model, feeds, want) in cases.items():
        try:
            got = worst(onnx.load(f'{folder}/{seed}.fp16.onnx'), feeds, want)
            known = worst(RH.to_half(model, True)[0], feeds, want)
        except Exception as error:
            got, known = str(error).split('\n')[0], None
        limits = [max(3 * d, np.abs(w).max() * 2**-9) for d, w in zip(known or [], want)]
        if known is None or any(d > limit for d, limit in zip(got, limits)):
            failed += 1
            print('seed', seed, got, limits)
    print(f'{len(cases)} graphs, {failed} failed')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
