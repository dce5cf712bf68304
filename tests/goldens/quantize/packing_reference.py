import numpy as np

f32 = np.float32


def roundaway(x):
    # C roundf: half away from zero, exact
    t = np.trunc(x)
    d = np.abs(x - t)
    return np.where(d >= f32(0.5), t + np.sign(x).astype(f32), t).astype(f32)


def scale_sym(mn, mx, half, dt):
    m = np.where(np.abs(mx) > np.abs(mn), mx, mn).astype(f32)
    return (-m / f32(half)).astype(f32).astype(dt)


def scale_asym(mn, mx, kmin, kmax, dt):
    mn = np.minimum(mn, f32(0)).astype(f32)
    mx = np.maximum(mx, f32(0)).astype(f32)
    with np.errstate(all="ignore"):
        s = ((mx - mn) / f32(kmax - kmin)).astype(f32)
        z = np.where(s != 0, f32(kmin) - mn / s, mn).astype(f32)
    zp = np.where(z < kmin, kmin, np.where(z > kmax, kmax, roundaway(z))).astype(np.int32)
    return s.astype(dt), zp


def pack(v, bits, axis=-1):
    """values 0..2^bits-1 along the last axis to bytes, first in the low bits, padded with 0"""
    k = 8 // bits
    n = v.shape[-1]
    p = -n % k
    v = np.pad(v.astype(np.uint8), [(0, 0)] * (v.ndim - 1) + [(0, p)])
    v = v.reshape(*v.shape[:-1], -1, k)
    out = np.zeros(v.shape[:-1], np.uint8)
    for i in range(k):
        out |= (v[..., i] << (bits * i)).astype(np.uint8)
    return out


def firstmin(b):
    return np.take_along_axis(b, np.argmin(b, 0)[None], 0)[0]


def firstmax(b):
    return np.take_along_axis(b, np.argmax(b, 0)[None], 0)[0]


def matmulnbits(w, bits, block, sym, ort_padding=False):
    """w [K,N] -> B [N,nb,blob] uint8, scales [N,nb], zp [N,ceil(nb*bits/8)] or None"""
    K, N = w.shape
    nb = -(-K // block)
    dt = w.dtype
    x = w.astype(f32)
    q = np.zeros((N, nb * block), np.int32)
    sc = np.zeros((N, nb), dt)
    zps = np.full((N, nb), 1 << (bits - 1), np.int32)
    for b in range(nb):
        blk = x[b * block : min(K, (b + 1) * block)]
        mn, mx = firstmin(blk), firstmax(blk)
        if sym:
            s = scale_sym(mn, mx, 1 << (bits - 1), dt)
            zp = zps[:, b]
        else:
            s, zp = scale_asym(mn, mx, 0, (1 << bits) - 1, dt)
            zps[:, b] = zp
        sc[:, b] = s
        sf = s.astype(f32)
        with np.errstate(all="ignore"):
            r = np.where(sf != 0, f32(1) / sf, f32(0)).astype(f32)
        with np.errstate(all="ignore"):
            v = roundaway((blk * r).astype(f32) + zp.astype(f32))
        v = np.clip(v, 0, (1 << bits) - 1)
        q[:, b * block : b * block + blk.shape[0]] = v.T.astype(np.int32)
    k = 8 // bits
    if ort_padding:
        # onnxruntime: unused fields of the last, partly filled byte keep the fields of the byte before it
        # (of the same group of 8/bits blocks)
        if K % k and block % k == 0:
            base = K - K % k
            for l in range(K % k, k):
                q[:, base + l] = q[:, base - k + l] if base % (block * k) != 0 else 0
        if not sym:
            zps = np.pad(zps, [(0, 0), (0, -nb % k)], constant_values=1 << (bits - 1))
    B = pack(q.reshape(N, nb, block), bits)
    return B, sc, (None if sym else pack(zps, bits))


def qdq(w, block, sym, bits=4):
    """w [K,N] -> packed flat [K*N] int4/uint4, scales [nb,N], zp flat [nb*N] packed or None"""
    K, N = w.shape
    nb = -(-K // block)
    dt = w.dtype
    x = w.astype(f32)
    q = np.zeros((K, N), np.int32)
    sc = np.zeros((nb, N), dt)
    zps = np.zeros((nb, N), np.int32)
    lo, hi = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if sym else (0, (1 << bits) - 1)
    for b in range(nb):
        blk = x[b * block : min(K, (b + 1) * block)]
        mn, mx = firstmin(blk), firstmax(blk)
        if sym:
            s = scale_sym(mn, mx, 1 << (bits - 1), dt)
            zp = np.zeros(N, np.int32)
        else:
            s, zp = scale_asym(mn, mx, lo, hi, dt)
            zps[b] = zp
        sc[b] = s
        sf = s.astype(f32)
        with np.errstate(all="ignore"):
            r = np.where(sf != 0, f32(1) / sf, f32(0)).astype(f32)
            v = roundaway((blk * r).astype(f32)).astype(np.float64) + zp
        q[b * block : b * block + blk.shape[0]] = np.clip(v, lo, hi).astype(np.int32)
    m = (1 << bits) - 1
    return pack((q & m).reshape(-1), bits), sc, (None if sym else pack(zps.reshape(-1), bits))


def gather(w, block, sym):
    """GatherBlockQuantized data [R,C] in blocks along the last axis: NumPy's arithmetic in w's type.

    A division, halves to even"""
    R, C = w.shape
    nb = -(-C // block)
    dt = w.dtype
    q = np.zeros((R, C), np.int32)
    sc = np.zeros((R, nb), dt)
    zps = np.zeros((R, nb), np.int32)
    with np.errstate(all="ignore"):
        for b in range(nb):
            x = w[:, b * block : (b + 1) * block]
            mx = x.max(1, keepdims=True)
            mn = x.min(1, keepdims=True)
            if sym:
                s = (np.where(np.abs(mx) > np.abs(mn), mx, mn) / dt.type(-8)).astype(dt)
                v = np.clip(np.round(np.where(s == 0, dt.type(0), x / s)), -8, 7)
            else:
                mn = np.minimum(mn, dt.type(0))
                mx = np.maximum(mx, dt.type(0))
                s = ((mx - mn) / dt.type(15)).astype(dt)
                z = np.clip(np.round(np.where(s == 0, dt.type(8), -mn / s)), 0, 15)
                zps[:, b : b + 1] = z
                v = np.clip(np.round(np.where(s == 0, dt.type(8), (x / s + z.astype(dt)).astype(dt))), 0, 15)
            q[:, b * block : (b + 1) * block] = v
            sc[:, b : b + 1] = s
    return pack((q & 15).reshape(-1), 4), sc, (None if sym else pack(zps.reshape(-1), 4))
