"""Times OpenCV in one thread. Reads requests and writes answers, a line of JSON each."""

import hashlib
import json
import sys
import time

import cv2
import numpy as np

cv2.setNumThreads(1)
# OpenCV's own code: the bytes of Intel's IPP differ from those of all other builds.
cv2.ipp.setUseIPP(False)
filters = {"linear": cv2.INTER_LINEAR, "area": cv2.INTER_AREA, "cubic": cv2.INTER_CUBIC}


def answer(request):
    if "file" in request:
        shape = (request["height"], request["width"], request["channels"])
        pixels = np.fromfile(request["file"], np.uint8).reshape(shape)
        size, code, bars = tuple(request["size"]), filters[request["filter"]], request.get("bars")

        def run():
            resized = cv2.resize(pixels, size, interpolation=code)
            return cv2.copyMakeBorder(resized, *bars, cv2.BORDER_CONSTANT, value=(114,) * 4) if bars else resized

        current["run"] = run
        return {"sha256": hashlib.sha256(run().tobytes()).hexdigest()}
    if "calls" in request:
        start = time.perf_counter()
        for _ in range(request["calls"]):
            current["run"]()
        return {"ms": (time.perf_counter() - start) * 1e3}
    return {"cv2": cv2.__version__}


current = {}
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
