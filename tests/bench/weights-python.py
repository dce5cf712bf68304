"""Times onnxruntime's tool that packs weights for MatMulNBits."""

import os

import numpy as np
import onnxruntime
from onnxruntime.capi._pybind_state import quantize_matmul_4bits

from serve import serve, sha256

# The tool starts as many threads as there are cores.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def prepare(request):
    rows, columns, block = request["rows"], request["columns"], request["block"]
    weights = np.fromfile(request["files"][0], np.float32).reshape(rows, columns)
    blocks = (rows + block - 1) // block
    codes = np.zeros((columns, blocks, block // 2), np.uint8)
    scales = np.zeros(columns * blocks, np.float32)
    zeros = np.zeros(columns * ((blocks + 1) // 2), np.uint8)

    def run():
        quantize_matmul_4bits(codes, weights, scales, zeros, block, columns, rows, request["symmetric"])

    run()
    results = [codes, scales] if request["symmetric"] else [codes, scales, zeros]
    return {"onnxruntime.quantization": run}, sha256(*results)


serve({"onnxruntime": onnxruntime.__version__}, prepare)
