"""Plain NumPy reference for cv2 5.0.0's warpAffine and warpPerspective of bytes (x86-64 wheel, AVX2); no call into cv2.

A map goes from pixels of the result to places in the picture, in float32. Nearest and linear: products and sums of a
row are fused but for the last columns, fewer than 16, whose row is summed in another order. Cubic: plain float32 for
an affine map, double for a perspective, cut to [-n, 2 n] with n = max(16, side).
"""

import numpy as np

f32 = np.float32


def fma(a, b, c):
    return (np.float64(a) * np.float64(b) + np.float64(c)).astype(f32)


def inverse_affine(m):
    factor = 1 / (m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0])
    a, b, c, d = m[1, 1] * factor, -m[0, 1] * factor, -m[1, 0] * factor, m[0, 0] * factor
    return np.array([[a, b, -a * m[0, 2] - b * m[1, 2]], [c, d, -c * m[0, 2] - d * m[1, 2]]])


def inverse_perspective(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    factor = 1 / (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
    minors = [[e * i - f * h, c * h - b * i, b * f - c * e]]
    minors += [[f * g - d * i, a * i - c * g, c * d - a * f], [d * h - e * g, b * g - a * h, a * e - b * d]]
    return np.array(minors) * factor


def to_int(v):
    v = v.astype(np.float64)
    return np.where(np.abs(v) < 2.0**31, v, -(2.0**31)).astype(np.int64)


def places(m, size, kind, source):
    w, h = size
    x = np.arange(w, dtype=f32)[None, :] + np.zeros((h, 1), f32)
    y = np.arange(h, dtype=f32)[:, None] + np.zeros((1, w), f32)
    m = m.astype(f32)
    starts = [y * q[1] + q[2] for q in m]
    if kind != "cubic":
        sums = []
        for q, start in zip(m, starts):
            v = fma(x, q[0], start)
            v[:, w // 16 * 16 :] = (fma(x, q[0], y * q[1]) + q[2])[:, w // 16 * 16 :]
            sums.append(v)
        return sums if len(m) == 2 else [sums[0] / sums[2], sums[1] / sums[2]]
    if len(m) == 2:
        both = [x * q[0] + start for q, start in zip(m, starts)]
    else:
        n = [x.astype(np.float64) * np.float64(q[0]) + start for q, start in zip(m, starts)]
        both = [(n[i] / n[2]).astype(f32) for i in (0, 1)]
    sides = [f32(max(16, side)) for side in source]
    return [np.where(v > -n, np.minimum(v, 2 * n), -n) for v, n in zip(both, sides)]


def weights(t):
    a, one = f32(-0.75), f32(1)
    back = one - t
    first, last = a * (t * (back * back)), a * (t * t * back)
    second = fma(fma(a + f32(2), t, -(a + f32(3))), t * t, one)
    return [v[..., None] for v in (first, second, one - first - second - last, last)]


def warp(a, m, size, kind, border, value, inverse):
    m = np.array(m, np.float64)
    if not inverse:
        m = (inverse_affine if len(m) == 2 else inverse_perspective)(m)
    h, w, channels = a.shape

    def fetch(x, y):
        pixels = a[np.clip(y, 0, h - 1), np.clip(x, 0, w - 1)].astype(f32)
        if border == "constant":
            pixels[(x < 0) | (x >= w) | (y < 0) | (y >= h)] = value[:channels]
        return pixels

    with np.errstate(all="ignore"):
        sx, sy = places(m, size, kind, (w, h))
        if kind == "nearest":
            return fetch(to_int(np.rint(sx)), to_int(np.rint(sy))).astype(np.uint8)
        x, y = to_int(np.floor(sx)), to_int(np.floor(sy))
        tx, ty = sx - x.astype(f32), sy - y.astype(f32)
        if kind == "linear":
            tx, ty = tx[..., None], ty[..., None]
            rows = [fma(tx, fetch(x + 1, y + i) - fetch(x, y + i), fetch(x, y + i)) for i in (0, 1)]
            total = fma(ty, rows[1] - rows[0], rows[0])
        else:
            wx, wy, total = weights(tx), weights(ty), f32(0)
            for i in range(4):
                row = f32(0)
                for j in range(4):
                    row = fma(fetch(x - 1 + j, y - 1 + i), wx[j], row)
                total = fma(row, wy[i], total)
        return np.clip(np.rint(total), 0, 255).astype(np.uint8)
