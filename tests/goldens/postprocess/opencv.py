"""Contours and polygons, asked of OpenCV 5 for a case {method, options, outputs}."""

import cv2
import numpy as np

MODES = {"list": cv2.RETR_LIST, "external": cv2.RETR_EXTERNAL, "ccomp": cv2.RETR_CCOMP, "tree": cv2.RETR_TREE}
METHODS = {"simple": cv2.CHAIN_APPROX_SIMPLE, "none": cv2.CHAIN_APPROX_NONE}


def points(array):
    return np.asarray(array).reshape(-1, 2)


def contours(mask, options):
    method = METHODS[options.get("method", "simple")]
    found, hierarchy = cv2.findContours(mask, MODES[options.get("mode", "list")], method)
    joined = np.concatenate([points(one) for one in found]) if found else np.zeros((0, 2), np.int32)
    levels = hierarchy[0] if found else np.zeros((0, 4), np.int32)
    return {"lengths": [len(one) for one in found], "points": joined, "hierarchy": levels}


def rect(array):
    (x, y), (width, height), angle = cv2.minAreaRect(array)
    return {"center": [x, y], "size": [width, height], "angle": angle}


CALLS = {
    "findContours": lambda t, o: contours(t["mask"], o),
    "convexHull": lambda t, o: points(cv2.convexHull(t["points"], **o)).astype(np.float32),
    "minAreaRect": lambda t, o: rect(t["points"]),
    "boxPoints": lambda t, o: cv2.boxPoints((o["center"], o["size"], o["angle"])),
    "contourArea": lambda t, o: cv2.contourArea(t["contour"], **o),
    "approxPolyDP": lambda t, o: points(cv2.approxPolyDP(t["curve"], o["epsilon"], o["closed"])),
    "fillPoly": lambda t, o: cv2.fillPoly(t["mask"].copy(), [t["points"]], o["value"]),
}


def ask(case, tensors):
    return CALLS[case["method"]]({name: tensor.numpy() for name, tensor in tensors.items()}, case["options"])
