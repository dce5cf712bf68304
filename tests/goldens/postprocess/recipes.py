"""Inputs from a seed: the twin of tests/postprocess/recipes.js. Every value is computed in float64 by + - * / in the
written order and rounded once, so both give the same bytes."""

import numpy as np

LOW = np.uint64(0xFFFFFFFF)


def mix(x):
    x = np.asarray(x, np.uint64) & LOW
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = x ^ (x >> np.uint64(shift))
        x = (x * np.uint64(factor)) & LOW
    return x ^ (x >> np.uint64(16))


def u(seed, i):
    """Uniform in [0, 1), a multiple of 2^-24."""
    return (mix(mix(i) ^ mix(seed)) >> np.uint64(8)).astype(np.float64) * 2.0**-24


def n(seed, i):
    """Nearly normal, mean 0, deviation 1."""
    i = np.asarray(i, np.uint64) * np.uint64(4)
    parts = [u(seed, i + np.uint64(j)) for j in range(4)]
    return (parts[0] + parts[1] + parts[2] + parts[3] - 2.0) * 1.7320508075688772


def index(dims):
    return np.arange(int(np.prod(dims)), dtype=np.uint64).reshape(dims)


def boxes(g):
    """Corners. Every third box lies near its predecessor if `near` is given."""
    s, rows = g["seed"], int(np.prod(g["dims"][:-1]))
    k = np.arange(rows, dtype=np.uint64) * np.uint64(4)
    x, y = (0.05 + 0.9 * u(s, k + np.uint64(j)) for j in (0, 1))
    w, h = (0.03 + 0.4 * u(s, k + np.uint64(j)) for j in (2, 3))
    if g.get("near"):
        d = [g["near"] * (u(s + 1, k + np.uint64(j)) - 0.5) for j in range(4)]
        for r in (r for r in range(1, rows) if r % 3):
            x[r], y[r] = x[r - 1] + d[0][r], y[r - 1] + d[1][r]
            w[r], h[r] = w[r - 1] * (1.0 + d[2][r]), h[r - 1] * (1.0 + d[3][r])
    v = [x - w * 0.5, y - h * 0.5, x + w * 0.5, y + h * 0.5] if g.get("corners") else [x, y, w, h]
    return (np.stack(v, -1) * g.get("scale", 1.0)).reshape(g["dims"])


KINDS = {
    "uniform": lambda g: u(g["seed"], index(g["dims"])),
    "normal": lambda g: g.get("mean", 0.0) + g.get("std", 1.0) * n(g["seed"], index(g["dims"])),
    "ints": lambda g: g["lo"] + np.floor(u(g["seed"], index(g["dims"])) * (g["hi"] - g["lo"])),
    "boxes": boxes,
}


def make(g):
    return np.ascontiguousarray(KINDS[g["kind"]](g).astype(np.dtype(g.get("type", "float32"))))
