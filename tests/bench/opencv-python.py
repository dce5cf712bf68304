"""Times OpenCV in one thread."""

import cv2
import numpy as np

from serve import serve, sha256

cv2.setNumThreads(1)
# OpenCV's own code: the bytes of Intel's IPP differ from those of all other builds.
cv2.ipp.setUseIPP(False)
filters = {"linear": cv2.INTER_LINEAR, "area": cv2.INTER_AREA, "cubic": cv2.INTER_CUBIC}


def prepare(request):
    shape = (request["height"], request["width"], request["channels"])
    pixels = np.fromfile(request["files"][0], np.uint8).reshape(shape)
    size, code, bars = tuple(request["size"]), filters[request["filter"]], request.get("bars")

    def run():
        resized = cv2.resize(pixels, size, interpolation=code)
        return cv2.copyMakeBorder(resized, *bars, cv2.BORDER_CONSTANT, value=(114,) * 4) if bars else resized

    return {"cv2": run}, sha256(run())


serve({"cv2": cv2.__version__}, prepare)
