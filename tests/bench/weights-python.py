"""Times onnxruntime's tool that packs weights for MatMulNBits.

Reads requests and writes answers, a line of JSON each.
"""

import hashlib
import json
import os
import sys
import time

import numpy as np
import onnxruntime
from onnxruntime.capi._pybind_state import quantize_matmul_4bits

# The tool starts as many threads as there are cores.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
current = {}


def prepare(request):
    rows, columns, block = request["rows"], request["columns"], request["block"]
    weights = np.fromfile(request["file"], np.float32).reshape(rows, columns)
    blocks = (rows + block - 1) // block
    codes = np.zeros((columns, blocks, block // 2), np.uint8)
    scales = np.zeros(columns * blocks, np.float32)
    zeros = np.zeros(columns * ((blocks + 1) // 2), np.uint8)

    def run():
        quantize_matmul_4bits(codes, weights, scales, zeros, block, columns, rows, request["symmetric"])

    run()
    current["run"] = run
    return {name: hashlib.sha256(array.tobytes()).hexdigest() for name, array in
            {"codes": codes, "scales": scales, "zeros": zeros}.items()}


def answer(request):
    if "file" in request:
        return prepare(request)
    if "calls" in request:
        start = time.perf_counter()
        for _ in range(request["calls"]):
            current["run"]()
        return {"ms": (time.perf_counter() - start) * 1e3}
    return {"onnxruntime": onnxruntime.__version__}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
