"""Inputs from a seed: the twin of tests/postprocess/recipes.js. Every value is computed in float64 by + - * / in the
written order and rounded once, so both give the same bytes."""

import numpy as np

LOW = np.uint64(0xFFFFFFFF)


def mix(x):
    x = np.asarray(x, np.uint64) & LOW
    x = x ^ (x >> np.uint64(16))
    x = (x * np.uint64(0x7FEB352D)) & LOW
    x = x ^ (x >> np.uint64(15))
    x = (x * np.uint64(0x846CA68B)) & LOW
    return x ^ (x >> np.uint64(16))


def u(seed, i):
    """Uniform in [0, 1), a multiple of 2^-24."""
    return (mix(mix(i) ^ mix(seed)) >> np.uint64(8)).astype(np.float64) * 2.0**-24


def n(seed, i):
    """Nearly normal, mean 0, deviation 1: four uniforms."""
    i = np.asarray(i, np.uint64) * np.uint64(4)
    one = np.uint64(1)
    return (
        u(seed, i) + u(seed, i + one) + u(seed, i + one + one) + u(seed, i + np.uint64(3)) - 2.0
    ) * 1.7320508075688772


def index(dims):
    return np.arange(int(np.prod(dims)), dtype=np.uint64).reshape(dims)


def uniform(g):
    return g.get("lo", 0.0) + (g.get("hi", 1.0) - g.get("lo", 0.0)) * u(g["seed"], index(g["dims"]))


def normal(g):
    return g.get("mean", 0.0) + g.get("std", 1.0) * n(g["seed"], index(g["dims"]))


def ints(g):
    lo, hi = g["lo"], g["hi"]
    return lo + np.floor(u(g["seed"], index(g["dims"])) * (hi - lo))


def smooth(g):
    """Bilinear value noise on a lattice of `cell` pixels, times amp, plus mean and fine noise."""
    dims, s, c = g["dims"], g["seed"], g["cell"]
    h, w = dims[-2:]
    planes = int(np.prod(dims[:-2]))
    gy, gx = (h - 1) // c + 2, (w - 1) // c + 2
    lattice = n(s, index([planes, gy, gx]))
    y, x = np.arange(h), np.arange(w)
    iy, ix = y // c, x // c
    ty, tx = ((y - iy * c) / c)[:, None], (x - ix * c) / c
    top, bottom = lattice[:, iy], lattice[:, iy + 1]
    a = top[:, :, ix] + (top[:, :, ix + 1] - top[:, :, ix]) * tx
    b = bottom[:, :, ix] + (bottom[:, :, ix + 1] - bottom[:, :, ix]) * tx
    v = (a + (b - a) * ty) * g.get("amp", 1.0) + g.get("mean", 0.0)
    v = v.reshape(dims)
    return v + g["noise"] * n(s + 1, index(dims)) if g.get("noise") else v


def blobs(g):
    """One soft ellipse a plane: positive inside, about -limit far outside."""
    dims, s = g["dims"], g["seed"]
    h, w = dims[-2:]
    planes = int(np.prod(dims[:-2]))
    k = np.arange(planes, dtype=np.uint64) * np.uint64(4)
    p = [u(s, k + np.uint64(j))[:, None, None] for j in range(4)]
    cx, cy, rx, ry = 0.1 + 0.8 * p[0], 0.1 + 0.8 * p[1], 0.06 + 0.3 * p[2], 0.06 + 0.3 * p[3]
    dx = ((np.arange(w) + 0.5) / w - cx) / rx
    dy = ((np.arange(h) + 0.5) / h)[:, None] - cy
    dy = dy / ry
    v = g.get("amp", 4.0) * (1.0 - dx * dx - dy * dy)
    lim = g.get("limit", 10.0)
    v = np.minimum(np.maximum(v, -lim), lim).reshape(dims)
    return v + g["noise"] * n(s + 1, index(dims)) if g.get("noise") else v


def classes(g):
    """Logits [..., C]: noise, and one class raised in a share p of the rows; `none`: in the others the last one."""
    dims, s = g["dims"], g["seed"]
    c = dims[-1]
    rows = int(np.prod(dims[:-1]))
    v = (g.get("mean", 0.0) + g.get("std", 1.0) * n(s, index(dims))).reshape(rows, c)
    none = 1 if g.get("none") else 0
    k = np.arange(rows, dtype=np.uint64) * np.uint64(3)
    hit = u(s + 1, k) < g.get("p", 0.2)
    which = np.floor(u(s + 1, k + np.uint64(1)) * (c - none)).astype(int)
    boost = g.get("boost", 6.0) * (0.4 + 0.6 * u(s + 1, k + np.uint64(2)))
    for r in range(rows):
        if hit[r]:
            v[r, which[r]] += boost[r]
        elif none:
            v[r, c - 1] += boost[r]
    return v.reshape(dims)


def boxes(g):
    """Boxes [..., 4] in 0 to 1: cx, cy, w, h; `corners`: x1, y1, x2, y2. Two of three lie near their predecessor with
    `near`."""
    dims, s = g["dims"], g["seed"]
    rows = int(np.prod(dims[:-1]))
    k = np.arange(rows, dtype=np.uint64) * np.uint64(4)
    cx, cy = 0.05 + 0.9 * u(s, k), 0.05 + 0.9 * u(s, k + np.uint64(1))
    w, h = 0.03 + 0.4 * u(s, k + np.uint64(2)), 0.03 + 0.4 * u(s, k + np.uint64(3))
    if g.get("near"):
        d = [g["near"] * (u(s + 1, k + np.uint64(j)) - 0.5) for j in range(4)]
        for r in range(1, rows):
            if r % 3:
                cx[r], cy[r], w[r], h[r] = (
                    cx[r - 1] + d[0][r],
                    cy[r - 1] + d[1][r],
                    w[r - 1] * (1.0 + d[2][r]),
                    h[r - 1] * (1.0 + d[3][r]),
                )
    v = np.stack([cx - w * 0.5, cy - h * 0.5, cx + w * 0.5, cy + h * 0.5] if g.get("corners") else [cx, cy, w, h], -1)
    return (v * g.get("scale", 1.0)).reshape(dims)


def yolo(g):
    """A YOLO head [1, 4 + nc + extra, anchors] for a square input of `size`: strides 8, 16, 32; `objects` clusters. The
    first two extra rows of a keypoint (x, y, visibility) lie in the box, `angle` makes the last extra row radians,
    other extras are noise."""
    s, nc, size, extra = g["seed"], g["nc"], g["size"], g.get("extra", 0)
    cells = [(st, y, x) for st in (8, 16, 32) for y in range(size // st) for x in range(size // st)]
    a = len(cells)
    st, gy, gx = (np.array(t, np.float64) for t in zip(*cells))
    k = g["objects"]
    q = np.arange(k, dtype=np.uint64) * np.uint64(6)
    ox, oy = size * (0.1 + 0.8 * u(s, q)), size * (0.1 + 0.8 * u(s, q + np.uint64(1)))
    ow, oh = size * (0.05 + 0.35 * u(s, q + np.uint64(2))), size * (0.05 + 0.35 * u(s, q + np.uint64(3)))
    oc = np.floor(u(s, q + np.uint64(4)) * nc).astype(int)
    top = 0.3 + 0.65 * u(s, q + np.uint64(5))
    px, py = (gx + 0.5) * st, (gy + 0.5) * st
    dist = np.maximum(np.abs(px[:, None] - ox) / ow, np.abs(py[:, None] - oy) / oh)
    best = dist.argmin(1)
    d = dist[np.arange(a), best]
    near = d < 0.5
    i = np.arange(a, dtype=np.uint64) * np.uint64(4)
    j = [u(s + 1, i + np.uint64(t)) - 0.5 for t in range(4)]
    out = np.zeros((4 + nc + extra, a))
    out[0] = np.where(near, ox[best] + j[0] * ow[best] * 0.15, px + j[0] * st)
    out[1] = np.where(near, oy[best] + j[1] * oh[best] * 0.15, py + j[1] * st)
    out[2] = np.where(near, ow[best] * (1.0 + 0.2 * j[2]), st * (1.0 + 4.0 * (j[2] + 0.5)))
    out[3] = np.where(near, oh[best] * (1.0 + 0.2 * j[3]), st * (1.0 + 4.0 * (j[3] + 0.5)))
    f = u(s + 2, index([nc, a]))
    out[4 : 4 + nc] = f * f * f * f * 0.05
    e = u(s + 3, np.arange(a, dtype=np.uint64))
    for t in np.flatnonzero(near):
        out[4 + oc[best[t]], t] = top[best[t]] * (1.0 - 1.2 * d[t]) * (0.9 + 0.1 * e[t])
        if g.get("second"):
            c2 = (oc[best[t]] + 1) % nc
            out[4 + c2, t] = top[best[t]] * (1.0 - 1.3 * d[t]) * 0.8
    if extra:
        z = u(s + 4, index([extra, a]))
        if g.get("keypoints"):
            for t in range(extra):
                out[4 + nc + t] = (out[0] + (z[t] - 0.5) * out[2], out[1] + (z[t] - 0.5) * out[3], z[t])[t % 3]
        else:
            out[4 + nc :] = 2.0 * z - 1.0
            if g.get("angle"):
                out[-1] = (z[-1] - 0.25) * 3.0
    return out.reshape(g["dims"])


def text(g):
    """A DB probability map [..., H, W]: `lines` soft rotated rectangles on a low background."""
    dims, s = g["dims"], g["seed"]
    h, w = dims[-2:]
    y, x = np.arange(h)[:, None] + 0.5, np.arange(w) + 0.5
    v = np.zeros((h, w))
    turns = [(1.0, 0.0), (1.0, 0.0), (0.96, 0.28), (0.96, -0.28), (0.8, 0.6), (0.6, -0.8), (0.0, 1.0)]
    for k in range(g["lines"]):
        p = [float(u(s, 8 * k + t)) for t in range(6)]
        cx, cy = w * (0.08 + 0.84 * p[0]), h * (0.08 + 0.84 * p[1])
        a, b = w * (0.015 + 0.14 * p[2]), g.get("thin", 3.0) + h * 0.02 * p[3]
        c, sn = turns[int(p[4] * len(turns))]
        peak = 0.45 + 0.55 * p[5]
        du = np.abs((x - cx) * c + (y - cy) * sn) - a
        dv = np.abs((y - cy) * c - (x - cx) * sn) - b
        v = np.maximum(v, np.minimum(np.maximum(0.5 - np.maximum(du, dv) / 6.0, 0.0), 1.0) * peak)
    return (v * (0.9 + 0.1 * u(s + 1, index([h, w]))) + 0.02 * u(s + 2, index([h, w]))).reshape(dims)


def ctc(g):
    """Probabilities [B, T, C], not normalized: low noise, a peak a step, with repeats and blanks (class 0) between."""
    b, t, c = g["dims"]
    s = g["seed"]
    v = 0.001 * u(s, index([b, t, c]))
    k = np.arange(b * t, dtype=np.uint64) * np.uint64(3)
    r, q, p = u(s + 1, k), u(s + 1, k + np.uint64(1)), u(s + 1, k + np.uint64(2))
    last = 0
    for j in range(b * t):
        cls = last if r[j] < 0.3 else 0 if r[j] < 0.55 else int(np.floor(q[j] * c))
        v.reshape(b * t, c)[j, cls] = 0.35 + 0.65 * p[j]
        last = cls
    return v


def heat(g):
    """Heat maps [N, K, H, W]: a round peak each, `empty` of them flat."""
    dims, s = g["dims"], g["seed"]
    h, w = dims[-2:]
    planes = int(np.prod(dims[:-2]))
    k = np.arange(planes, dtype=np.uint64) * np.uint64(4)
    cx, cy, pk = (
        w * (0.02 + 0.96 * u(s, k)),
        h * (0.02 + 0.96 * u(s, k + np.uint64(1))),
        0.15 + 0.85 * u(s, k + np.uint64(2)),
    )
    pk = np.where(u(s, k + np.uint64(3)) < g.get("empty", 0.0), -1.0, pk)
    dx, dy = np.arange(w) - cx[:, None, None], np.arange(h)[:, None] - cy[:, None, None]
    v = pk[:, None, None] / (1.0 + (dx * dx + dy * dy) / 6.0)
    return v.reshape(dims) + g.get("noise", 0.003) * u(s + 1, index(dims))


KINDS = dict(
    uniform=uniform,
    normal=normal,
    ints=ints,
    smooth=smooth,
    blobs=blobs,
    classes=classes,
    boxes=boxes,
    yolo=yolo,
    text=text,
    ctc=ctc,
    heat=heat,
)


def make(g):
    """The NumPy array of a recipe: {kind, dims, type?, seed, ...} or {values, dims, type}."""
    t = np.dtype(g.get("type", "float32"))
    v = np.asarray(g["values"], np.float64).reshape(g["dims"]) if "values" in g else KINDS[g["kind"]](g)
    return np.ascontiguousarray(v.astype(t)).reshape(g["dims"])


def e2e(g):
    """[1, n, 6 + extras]: corners, score, class, best first, then noise."""
    count, width, s = g["dims"][1], g["dims"][2], g["seed"]
    b = make(dict(kind="boxes", dims=[count, 4], seed=s, corners=1, scale=640.0)).astype(np.float64)
    score = np.sort(u(s + 3, np.arange(count, dtype=np.uint64)))[::-1]
    label = np.floor(u(s + 4, np.arange(count, dtype=np.uint64)) * 80)
    rest = 2.0 * u(s + 5, index([count, width - 6])) - 1.0
    return np.concatenate([b, (score * score * score)[:, None], label[:, None], rest], 1)[None]


KINDS["e2e"] = e2e


def tensors(outputs):
    """The arrays of a case's recipes. A list is a list of arrays."""
    return {k: [make(x) for x in g] if isinstance(g, list) else make(g) for k, g in outputs.items()}
