"""Plain NumPy reference for what cv2 5.0.0 (x86-64 wheel) does. Written from the rules in README.md; no call into cv2.

Images are uint8 or float32 arrays, height x width x channels (channels kept even when 1). Sizes are (width, height).
"""

import math

import numpy as np

f32, f64, i64 = np.float32, np.float64, np.int64
EPS = 2.220446049250313e-16


def rne(x):
    """round half to even, to int64"""
    return np.rint(x).astype(i64)


def scales(n, o, f=None):
    """-> (inverse scale, scale). The scale is the reciprocal of the rounded quotient o/n, not n/o.

    f: given factor (fx, fy)."""
    inv = o / n if f is None else f
    return inv, 1.0 / inv


# ------------------------------------------------------------------ weights


def cubic_weights(t):
    """t: float32 array -> [n,4] float32; a = -.75, every step rounded to float32, the last weight is the rest"""
    a, one = f32(-0.75), f32(1)
    u = t + one
    c0 = ((a * u - f32(-3.75)) * u + f32(-6)) * u - f32(-3)
    c1 = (f32(1.25) * t - f32(2.25)) * t * t + one
    v = one - t
    c2 = (f32(1.25) * v - f32(2.25)) * v * v + one
    c3 = one - c0 - c1 - c2
    return np.stack([c0, c1, c2, c3], 1)


S45 = 0.70710678118654752440084436210485
LANCZOS_CS = [(1, 0), (-S45, -S45), (0, 1), (S45, -S45), (-1, 0), (S45, S45), (0, -1), (-S45, S45)]


def lanczos4_weights(t):
    out = np.empty((len(t), 8), f32)
    for j, x in enumerate(t):
        y0 = -float(f32(x + f32(3))) * math.pi * 0.25
        s0, c0 = math.sin(y0), math.cos(y0)
        total = f32(0)
        w = []
        for i, (cs, cc) in enumerate(LANCZOS_CS):
            d = f32(f32(x + f32(3)) - f32(i))
            if abs(d) >= 1e-6:
                y = -float(d) * math.pi * 0.25
                v = f32((cs * s0 + cc * c0) / (y * y))
            else:
                v = f32(1e30)
            w.append(v)
            total = f32(total + v)
        total = f32(f32(1) / total)
        out[j] = [f32(v * total) for v in w]
    return out


def q11(w):
    return np.clip(rne(w.astype(f32) * f32(2048)), -32768, 32767)


def positions(n, o, taps, area, f=None, horizontal=False):
    """-> first index (of the tap left of the centre), float32 fraction"""
    inv, scale = scales(n, o, f)
    d = np.arange(o, dtype=f64)
    if not area:
        p = ((d + 0.5) * scale - 0.5).astype(f32)
        i = np.floor(p).astype(i64)
        t = (p - i.astype(f32)).astype(f32)
    else:
        i = np.floor(d * scale).astype(i64)
        t = ((d + 1) - (i + 1) * inv).astype(f32)
        t = np.where(t <= 0, f32(0), t - np.floor(t)).astype(f32)
    if horizontal and taps == 2:
        edge = (i < 0) | (i >= n - 1)
        t = np.where(edge, f32(0), t).astype(f32)
        i = np.clip(i, 0, n - 1)
    return i, t


def weights(t, taps):
    if taps == 2:
        return np.stack([(f32(1) - t).astype(f32), t], 1)
    return cubic_weights(t) if taps == 4 else lanczos4_weights(t)


def taps_resize(a, size, taps, area=False, fx=None, fy=None, lanes=8):
    """LINEAR, CUBIC, LANCZOS4 (and AREA when it enlarges an axis)"""
    h, w, c = a.shape
    ow, oh = size
    ix, tx = positions(w, ow, taps, area, fx, True)
    iy, ty = positions(h, oh, taps, area, fy)
    wx, wy = weights(tx, taps), weights(ty, taps)
    first = 1 - taps // 2
    cols = [np.clip(ix + first + k, 0, w - 1) for k in range(taps)]
    rows = [np.clip(iy + first + k, 0, h - 1) for k in range(taps)]
    if a.dtype == np.uint8:
        kx, ky = q11(wx), q11(wy)
        s = sum(a[:, cols[k]].astype(i64) * kx[:, k][None, :, None] for k in range(taps))  # int32 is enough
        r = [s[rows[k]] for k in range(taps)]
        kv = [ky[:, k][:, None, None] for k in range(taps)]
        if taps == 2:
            y = (((kv[0] * (r[0] >> 4)) >> 16) + ((kv[1] * (r[1] >> 4)) >> 16) + 2) >> 2
            return np.clip(y, 0, 255).astype(np.uint8)
        y = (sum(k * v for k, v in zip(kv, r)) + (1 << 21)) >> 22
        if taps == 4:  # whole groups of `lanes` values of a row: float32; the rest: integers
            m = ow * c // lanes * lanes
            b = [(k.astype(f32) * f32(1 / 4194304)) for k in kv]
            g = r[3].astype(f32) * b[3]
            for k in (2, 1, 0):
                g = r[k].astype(f32) * b[k] + g
            g = rne(g).reshape(oh, -1)
            y = y.reshape(oh, -1).copy()
            y[:, :m] = g[:, :m]
            y = y.reshape(oh, ow, c)
        return np.clip(y, 0, 255).astype(np.uint8)
    wxk = [wx[:, k][None, :, None] for k in range(taps)]
    wyk = [wy[:, k][:, None, None] for k in range(taps)]
    s = a[:, cols[0]] * wxk[0]
    for k in range(1, taps):
        s = s + a[:, cols[k]] * wxk[k]
    g = s[rows[0]] * wyk[0]
    for k in range(1, taps):
        g = g + s[rows[k]] * wyk[k]
    if taps > 2:  # whole groups of 4 values of a row: summed from the last tap
        m = ow * c // 4 * 4
        r = s[rows[taps - 1]] * wyk[taps - 1]
        for k in range(taps - 2, -1, -1):
            r = s[rows[k]] * wyk[k] + r
        g = g.reshape(oh, -1).copy()
        g[:, :m] = r.reshape(oh, -1)[:, :m]
        g = g.reshape(oh, ow, c)
    return g.astype(f32)


# ------------------------------------------------------------------ area


def area_table(n, o, scale):
    """-> per output: list of (index, float32 weight), in order"""
    res = []
    for d in range(o):
        a = d * scale
        b = a + scale
        cell = min(scale, n - a)
        i1, i2 = math.ceil(a), math.floor(b)
        i2 = min(i2, n - 1)
        i1 = min(i1, i2)
        t = []
        if i1 - a > 1e-3:
            t.append((i1 - 1, f32((i1 - a) / cell)))
        for i in range(i1, i2):
            t.append((i, f32(1.0 / cell)))
        if b - i2 > 1e-3:
            t.append((i2, f32(min(min(b - i2, 1.0), cell) / cell)))
        res.append(t)
    return res


def area_sum(x, table):
    """x: float32, first axis is summed with the table; products and sums rounded to float32, in order"""
    out = np.zeros((len(table),) + x.shape[1:], f32)
    k = 0
    while True:
        sel = [d for d in range(len(table)) if len(table[d]) > k]
        if not sel:
            return out
        idx = np.array([table[d][k][0] for d in sel])
        w = np.array([table[d][k][1] for d in sel], f32).reshape((-1,) + (1,) * (x.ndim - 1))
        out[sel] = out[sel] + x[idx] * w
        k += 1


def area_cells(a, size, jx, jy):
    """integer factors. Cells cut by the edge exist only when the size came from factors (fx, fy)"""
    h, w, c = a.shape
    ow, oh = size
    out = np.zeros((oh, ow, c), a.dtype)
    fw, fh = min(ow, w // jx), min(oh, h // jy)  # whole cells
    cells = a[: fh * jy, : fw * jx].reshape(fh, jy, fw, jx, c)
    if a.dtype == np.uint8:
        s = cells.astype(i64).sum((1, 3))
        if jx == 2 and jy == 2 and c != 2:
            y = (s + 2) >> 2
        else:
            y = rne(s.astype(f32) * f32(f32(1) / f32(jx * jy)))
        out[:fh, :fw] = np.clip(y, 0, 255)
    else:
        vals = [cells[:, y, :, x] for y in range(jy) for x in range(jx)]
        n = len(vals)
        s = np.zeros_like(vals[0])
        k = 0
        while k <= n - 4:
            s = s + (((vals[k] + vals[k + 1]) + vals[k + 2]) + vals[k + 3])
            k += 4
        while k < n:
            s = s + vals[k]
            k += 1
        if jx == 2 and jy == 2 and c in (1, 4):  # c = 1: whole groups of 4
            m = fw // 4 * 4 if c == 1 else fw
            s[:, :m] = ((vals[0] + vals[1]) + (vals[2] + vals[3]))[:, :m]
        out[:fh, :fw] = s * f32(f32(1) / f32(n))
    for y in range(oh):
        for x in range(fw if y < fh else 0, ow):
            cell = a[y * jy : (y + 1) * jy, x * jx : (x + 1) * jx].reshape(-1, c)
            if len(cell):
                s = np.zeros(c, f32)
                for v in cell:
                    s = s + v.astype(f32)
                s = (s / f32(len(cell))).astype(f32)
                out[y, x] = np.clip(rne(s), 0, 255) if a.dtype == np.uint8 else s
    return out


def area_resize(a, size, fx=None, fy=None):
    h, w, c = a.shape
    ow, oh = size
    sx, sy = scales(w, ow, fx)[1], scales(h, oh, fy)[1]
    if sx < 1 or sy < 1:
        return taps_resize(a, size, 2, True, fx, fy)
    jx, jy = round(sx), round(sy)
    if abs(sx - jx) < EPS and abs(sy - jy) < EPS:
        return area_cells(a, size, jx, jy)
    x = np.moveaxis(a, 1, 0).astype(f32)
    x = np.moveaxis(area_sum(x, area_table(w, ow, sx)), 0, 1)
    y = area_sum(x, area_table(h, oh, sy))
    return np.clip(rne(y), 0, 255).astype(np.uint8) if a.dtype == np.uint8 else y


# ------------------------------------------------------------------ nearest, exact linear


def nearest(a, size, fx=None, fy=None):
    h, w = a.shape[:2]
    ix = np.minimum(np.floor(np.arange(size[0]) * scales(w, size[0], fx)[1]).astype(i64), w - 1)
    iy = np.minimum(np.floor(np.arange(size[1]) * scales(h, size[1], fy)[1]).astype(i64), h - 1)
    return a[np.ix_(iy, ix)]


def nearest_exact(a, size):
    """OpenCV 5: the same as Pillow's nearest; the position is accumulated in double"""
    h, w = a.shape[:2]

    def index(n, o):
        step, res = n / o, []
        p = step * 0.5
        for _ in range(o):
            res.append(min(math.floor(p), n - 1))
            p += step
        return np.array(res)

    return a[np.ix_(index(h, size[1]), index(w, size[0]))]


def nearest_exact_4(a, size):
    """OpenCV 4.6 to 4.12: 16-bit fixed point"""
    h, w = a.shape[:2]

    def index(n, o):
        step = ((n << 16) + o // 2) // o
        start = step // 2 - n % 2
        return np.minimum((step * np.arange(o, dtype=i64) + start) >> 16, n - 1)

    return a[np.ix_(index(h, size[1]), index(w, size[0]))]


def linear_exact(a, size, fx=None, fy=None):
    h, w, c = a.shape
    ow, oh = size
    sx, sy = scales(w, ow, fx)[1], scales(h, oh, fy)[1]
    if abs(sx - 2) < EPS and abs(sy - 2) < EPS and c != 2:
        return area_resize(a, size, fx, fy)

    def axis(n, o, scale):
        i0, k = [], []
        for d in range(o):
            p = scale * (d + 0.5) - 0.5
            i = math.floor(p)
            if i < 0 or n == 1:
                i, q = 0, 0
            elif i >= n - 1:
                i, q = n - 1, 0
            else:
                q = int(np.rint((p - i) * 256))
            i0.append(i)
            k.append(q)
        i0 = np.array(i0)
        return i0, np.minimum(i0 + 1, n - 1), np.array(k, i64)

    i, j, k = axis(w, ow, sx)
    k = k[None, :, None]
    x = a[:, i].astype(i64) * (256 - k) + a[:, j].astype(i64) * k
    i, j, k = axis(h, oh, sy)
    k = k[:, None, None]
    y = x[i] * (256 - k) + x[j] * k
    return np.clip((y + 32768) >> 16, 0, 255).astype(np.uint8)


def resize(a, size, filter="linear", fx=None, fy=None):
    h, w = a.shape[:2]
    size = tuple(size)
    if size == (w, h):
        return a.copy()
    if filter == "nearest":
        return nearest(a, size, fx, fy)
    if filter == "nearest_exact":
        return nearest_exact(a, size)
    if filter == "linear_exact":
        if a.dtype == np.uint8:
            return linear_exact(a, size, fx, fy)
        filter = "linear"
    if filter == "linear":
        sx, sy = scales(w, size[0], fx)[1], scales(h, size[1], fy)[1]
        if abs(sx - 2) < EPS and abs(sy - 2) < EPS:
            return area_resize(a, size, fx, fy)
        return taps_resize(a, size, 2, False, fx, fy)
    if filter == "area":
        return area_resize(a, size, fx, fy)
    return taps_resize(a, size, {"cubic": 4, "lanczos4": 8}[filter], False, fx, fy)


def gray(rgb):
    """RGB2GRAY; alpha is ignored"""
    v = rgb.astype(i64)
    return ((v[..., 0] * 9798 + v[..., 1] * 19235 + v[..., 2] * 3735 + 16384) >> 15).astype(np.uint8)[..., None]


def border(a, top, bottom, left, right, kind="constant", value=0):
    if kind == "constant":
        out = np.empty((a.shape[0] + top + bottom, a.shape[1] + left + right, a.shape[2]), a.dtype)
        out[...] = value
        out[top : top + a.shape[0], left : left + a.shape[1]] = a
        return out

    def index(n, before, after):
        res = []
        for i in range(-before, n + after):
            if kind == "replicate":
                i = min(max(i, 0), n - 1)
            elif kind == "wrap":
                i %= n
            elif n == 1:
                i = 0
            else:
                while not 0 <= i < n:  # reflect repeats the edge, reflect101 does not
                    d = 1 if kind == "reflect101" else 0
                    i = -i - 1 + d if i < 0 else 2 * n - 1 - i - d
            res.append(i)
        return res

    return a[np.ix_(index(a.shape[0], top, bottom), index(a.shape[1], left, right))]


def letterbox(
    a,
    height=640,
    width=640,
    auto=False,
    stride=32,
    scaleFill=False,
    scaleup=True,
    center=True,
    color=114,
    filter="linear",
):
    """Ultralytics. -> image, scale, left, top"""
    h, w = a.shape[:2]
    r = min(height / h, width / w)
    if not scaleup:
        r = min(r, 1.0)
    nw, nh = max(round(w * r), 1), max(round(h * r), 1)  # half to even
    dw, dh = width - nw, height - nh
    if auto:
        dw, dh = dw % stride, dh % stride
    elif scaleFill:
        dw, dh, nw, nh = 0.0, 0.0, width, height
    if center:
        dw, dh = dw / 2, dh / 2
    top, left = (round(dh - 0.1), round(dw - 0.1)) if center else (0, 0)
    bottom, right = round(dh + 0.1), round(dw + 0.1)
    if (nw, nh) != (w, h):
        a = resize(a, (nw, nh), filter)
    return border(a, top, bottom, left, right, "constant", color), r, left, top


def yolo_tensor(rgb, half=False, **kw):
    v = letterbox(rgb, **kw)[0].transpose(2, 0, 1)[None].astype(f32) / f32(255)
    return v.astype(np.float16) if half else v


def yolox_tensor(rgb, height, width):
    """BGR, not divided, top left"""
    h, w = rgb.shape[:2]
    r = min(height / h, width / w)
    nw, nh = int(w * r), int(h * r)  # truncated
    a = border(resize(rgb, (nw, nh)), 0, height - nh, 0, width - nw, "constant", 114)
    return a[..., ::-1].transpose(2, 0, 1)[None].astype(f32), r


def blob(a, scalefactor=1.0, size=None, mean=(0, 0, 0), swapRB=False, crop=False):
    """cv2.dnn.blobFromImage; channels of a, mean as given (mean belongs to the channels of the result)"""
    h, w = a.shape[:2]
    size = tuple(size) if size else (w, h)
    if size != (w, h):
        if crop:
            f = float(max(f32(size[0]) / f32(w), f32(size[1]) / f32(h)))
            a = resize(a, (round(w * f), round(h * f)), "linear", f, f)
            y, x = int(0.5 * (a.shape[0] - size[1])), int(0.5 * (a.shape[1] - size[0]))
            a = a[y : y + size[1], x : x + size[0]]
        else:
            a = resize(a, size)
    v = a.astype(f32)
    if swapRB and a.shape[2] >= 3:
        order = [2, 1, 0] + list(range(3, a.shape[2]))
        v = v[..., order]
    m = (list(np.atleast_1d(np.asarray(mean, f64))) + [0, 0, 0, 0])[: a.shape[2]]
    v = (v - np.array(m, f32)) * f32(scalefactor)
    return v.transpose(2, 0, 1)[None]


def scrfd_tensor(rgb, height=640, width=640):
    """InsightFace's detector: black below and right, (x - 127.5) / 128, RGB. -> tensor, scale"""
    h, w = rgb.shape[:2]
    if h / w > height / width:
        nh = height
        nw = int(nh / (h / w))
    else:
        nw = width
        nh = int(nw * (h / w))
    a = border(resize(rgb, (nw, nh)), 0, height - nh, 0, width - nw, "constant", 0)
    return blob(a, 1.0 / 128, None, (127.5, 127.5, 127.5)), nh / h


def rapid_det_size(h, w, limit, limit_type):
    r = 1.0
    if limit_type == "max":
        if max(h, w) > limit:
            r = float(limit) / (h if h > w else w)
    elif min(h, w) < limit:
        r = float(limit) / (h if h < w else w)
    return int(round(int(w * r) / 32) * 32), int(round(int(h * r) / 32) * 32)


def rapid_det(bgr, limit=736, limit_type="min", mean=(0.5, 0.5, 0.5), std=(0.5, 0.5, 0.5)):
    a = resize(bgr, rapid_det_size(*bgr.shape[:2], limit, limit_type))
    v = (a.astype(f32) * f32(1 / 255.0)).astype(f64)  # the product is float32, the rest double
    return ((v - np.array(mean, f64)) / np.array(std, f64)).transpose(2, 0, 1)[None].astype(f32)


def rapid_text(bgr, height=48, width=320):
    """cls (width 192) and rec (width = int(48 * max(320/48, the batch's largest w/h)))"""
    h, w = bgr.shape[:2]
    nw = min(math.ceil(height * (w / float(h))), width)
    v = resize(bgr, (nw, height)).astype(f32).transpose(2, 0, 1) / f32(255)
    out = np.zeros((1, bgr.shape[2], height, width), f32)
    out[0, :, :, :nw] = (v - f32(0.5)) / f32(0.5)
    return out
