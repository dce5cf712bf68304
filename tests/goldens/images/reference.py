"""Plain NumPy/Python references, written from the formulas in README.md ("Rules").

Nothing here calls Pillow's, torch's or transformers' resizing or normalizing code.
All images are NumPy arrays, height x width x channels (channels kept even when 1).
"""

import math

import numpy as np

f32 = np.float32

# ------------------------------------------------------------------ filters


def box(x):
    return 1.0 if -0.5 < x <= 0.5 else 0.0


def bilinear(x):
    x = abs(x)
    return 1.0 - x if x < 1.0 else 0.0


# The two constants are single precision in Pillow's source.
HAM_A, HAM_B = float(f32(0.54)), float(f32(0.46))


def hamming(x):
    x = abs(x)
    if x == 0.0:
        return 1.0
    if x >= 1.0:
        return 0.0
    x *= math.pi
    return math.sin(x) / x * (HAM_A + HAM_B * math.cos(x))


def cubic(x, a=-0.5):
    x = abs(x)
    if x < 1.0:
        return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    if x < 2.0:
        return (((x - 5.0) * x + 8.0) * x - 4.0) * a
    return 0.0


def cubic_torch(x, a=-0.5):
    """Same polynomial as cubic(), other order of operations (last bits differ)."""
    x = abs(x)
    if x < 1.0:
        return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    if x < 2.0:
        return ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a
    return 0.0


def sinc(x):
    if x == 0.0:
        return 1.0
    x *= math.pi
    return math.sin(x) / x


def lanczos(x):
    return sinc(x) * sinc(x / 3) if -3.0 <= x < 3.0 else 0.0


PIL_FILTERS = {
    "box": (box, 0.5),
    "bilinear": (bilinear, 1.0),
    "hamming": (hamming, 1.0),
    "bicubic": (cubic, 2.0),
    "lanczos": (lanczos, 3.0),
}

# ------------------------------------------------------------------ Pillow


def pil_axis(n, in0, in1, out, filt):
    """-> list of (first source index, list of float64 weights), one per output index."""
    fn, support = PIL_FILTERS[filt]
    in0, in1 = f32(in0), f32(in1)
    scale = float(in1 - in0) / out  # the difference is taken in float32
    fs = max(scale, 1.0)
    support = support * fs
    inv = 1.0 / fs
    in0 = float(in0)
    res = []
    for i in range(out):
        c = in0 + (i + 0.5) * scale
        lo = max(int(c - support + 0.5), 0)  # int() truncates toward zero, as the C cast does
        hi = min(int(c + support + 0.5), n)
        w = [fn((x - c + 0.5) * inv) for x in range(lo, hi)]
        total = 0.0
        for v in w:
            total += v
        if total != 0.0:
            w = [v / total for v in w]
        res.append((lo, w))
    return res


def q22(w):
    return int(-0.5 + w * (1 << 22)) if w < 0 else int(0.5 + w * (1 << 22))


def int_pass(a, taps, axis, shift):
    """a: uint8 HWC. taps: [(first, int weights)]. Sums are integers below 2^53, so float64 dot products are exact."""
    n = a.shape[axis]
    m = np.zeros((len(taps), n))
    for i, (lo, w) in enumerate(taps):
        m[i, lo : lo + len(w)] = w
    x = np.moveaxis(a, axis, 0).astype(np.float64)
    y = m @ x.reshape(n, -1)
    y = (y.astype(np.int64) + (1 << (shift - 1) if shift else 0)) >> shift
    y = np.clip(y, 0, 255).astype(np.uint8).reshape((len(taps),) + x.shape[1:])
    return np.moveaxis(y, 0, axis)


def f_pass(a, taps, axis):
    """a: float32. Sequential float64 sums (product rounded, then sum rounded), result rounded to float32."""
    x = np.moveaxis(a, axis, 0)
    out = np.empty((len(taps),) + x.shape[1:], f32)
    for i, (lo, w) in enumerate(taps):
        s = np.zeros(x.shape[1:])
        for j, v in enumerate(w):
            s = s + x[lo + j].astype(np.float64) * v
        out[i] = s.astype(f32)
    return np.moveaxis(out, 0, axis)


def pil_core(a, size, filt, bx):
    """One Pillow resample call on plain channels (no alpha handling)."""
    h, w = a.shape[:2]
    ow, oh = size
    bx = [f32(v) for v in bx]
    # integer origin and same size: plain crop
    if bx[0] == int(bx[0]) and bx[2] - bx[0] == ow and bx[1] == int(bx[1]) and bx[3] - bx[1] == oh:
        x0, y0 = int(bx[0]), int(bx[1])
        return a[y0 : y0 + oh, x0 : x0 + ow].copy()
    if filt == "nearest":
        idx = []
        for n, o, b0, b1 in ((w, ow, bx[0], bx[2]), (h, oh, bx[1], bx[3])):
            step = float(b1 - b0) / o
            pos = float(b0) + step * 0.5
            t = []
            for _ in range(o):
                t.append(int(pos))
                pos += step  # accumulated, not multiplied
            idx.append(np.array(t))
        out = np.zeros((oh, ow) + a.shape[2:], a.dtype)
        okx, oky = idx[0] < w, idx[1] < h  # indices past the end leave zeros
        out[np.ix_(oky, okx)] = a[np.ix_(idx[1][oky], idx[0][okx])]
        return out
    need_h = ow != w or bx[0] != 0 or bx[2] != ow
    need_v = oh != h or bx[1] != 0 or bx[3] != oh
    hor = pil_axis(w, bx[0], bx[2], ow, filt) if need_h else None
    ver = pil_axis(h, bx[1], bx[3], oh, filt) if need_v else None
    steps = [(hor, 1), (ver, 0)]
    if h - oh > 0 and h - oh > 2 * (w - ow):
        steps.reverse()
    for taps, axis in steps:
        if taps is None:
            continue
        if a.dtype == np.uint8:
            a = int_pass(a, [(lo, [q22(v) for v in ws]) for lo, ws in taps], axis, 22)
        else:
            a = f_pass(a, taps, axis)
    return a


def premultiply(a):
    c, al = a[..., :-1].astype(np.int64), a[..., -1:].astype(np.int64)
    t = c * al + 128
    return np.concatenate([(((t >> 8) + t) >> 8), al], -1).astype(np.uint8)


def unpremultiply(a):
    c, al = a[..., :-1].astype(np.int64), a[..., -1:].astype(np.int64)
    q = np.minimum(255 * c // np.maximum(al, 1), 255)
    return np.concatenate([np.where((al == 0) | (al == 255), c, q), al], -1).astype(np.uint8)


def pil_reduce(a, fx, fy, bx):
    x0, y0, x1, y1 = bx
    a = a[y0:y1, x0:x1]
    h, w, c = a.shape
    oh, ow = -(-h // fy), -(-w // fx)
    out = np.empty((oh, ow, c), a.dtype)
    for y in range(oh):
        for x in range(ow):
            cell = a[y * fy : (y + 1) * fy, x * fx : (x + 1) * fx]
            n = cell.shape[0] * cell.shape[1]
            if a.dtype == np.uint8:
                # multiplier = float32(2^32) / float32(n * 256), truncated
                mult = int(f32(2.0**32) / f32(n * 256))
                s = cell.reshape(n, c).astype(np.int64).sum(0) + n // 2
                full = cell.shape[0] == fy and cell.shape[1] == fx
                if full and (fx, fy) in ((1, 2), (2, 1), (2, 2), (4, 4)):
                    out[y, x] = s // n
                else:
                    out[y, x] = ((s * mult) & 0xFFFFFFFF) >> 24
            else:
                full = cell.shape[0] == fy and cell.shape[1] == fx
                s = np.zeros(c)
                ch, cw = cell.shape[:2]
                if full:
                    # pairs of rows, pairs of columns; each group's inner sum is float32
                    def add(s, vals):
                        t = vals[0]
                        for v in vals[1:]:
                            t = (t + v).astype(f32)
                        return s + t.astype(np.float64)

                    yy = 0
                    while yy < ch - 1:
                        xx = 0
                        while xx < cw - 1:
                            s = add(s, [cell[yy, xx], cell[yy, xx + 1], cell[yy + 1, xx], cell[yy + 1, xx + 1]])
                            xx += 2
                        if cw & 1:
                            s = add(s, [cell[yy, xx], cell[yy + 1, xx]])
                        yy += 2
                    if ch & 1:
                        xx = 0
                        while xx < cw - 1:
                            s = add(s, [cell[yy, xx], cell[yy, xx + 1]])
                            xx += 2
                        if cw & 1:
                            s = add(s, [cell[yy, xx]])
                else:
                    for v in cell.reshape(n, c):
                        s = s + v.astype(np.float64)
                out[y, x] = (s * (1.0 / n)).astype(f32)
    return out


def pil_resize(a, mode, size, filt, bx=None, reducing_gap=None):
    h, w = a.shape[:2]
    size = tuple(size)
    if bx is None:
        bx = (0, 0, w, h)
    bx = tuple(bx)
    if (w, h) == size and bx == (0, 0, w, h):
        return a.copy()
    alpha = mode in ("LA", "RGBA") and filt != "nearest"
    if alpha:
        a = premultiply(a)
    if reducing_gap is not None and filt != "nearest":
        fx = int((bx[2] - bx[0]) / size[0] / reducing_gap) or 1
        fy = int((bx[3] - bx[1]) / size[1] / reducing_gap) or 1
        if fx > 1 or fy > 1:
            sup = PIL_FILTERS[filt][1] - 0.5
            sx, sy = sup * ((bx[2] - bx[0]) / size[0]), sup * ((bx[3] - bx[1]) / size[1])
            rb = (
                max(0, int(bx[0] - sx)),
                max(0, int(bx[1] - sy)),
                min(w, math.ceil(bx[2] + sx)),
                min(h, math.ceil(bx[3] + sy)),
            )
            a = pil_reduce(a, fx, fy, rb)
            bx = ((bx[0] - rb[0]) / fx, (bx[1] - rb[1]) / fy, (bx[2] - rb[0]) / fx, (bx[3] - rb[1]) / fy)
    a = pil_core(a, size, filt, bx)
    return unpremultiply(a) if alpha else a


# ------------------------------------------------------------------ torch / torchvision, uint8

TORCH_TAPS = {"bilinear": (bilinear, 2), "bicubic": (cubic_torch, 4), "lanczos": (lanczos, 6)}


def torch_axis(n, out, filt, antialias):
    fn, size = TORCH_TAPS[filt]
    scale = n / out
    res, wmax = [], 0.0
    if antialias:
        support = size * 0.5 * scale if scale >= 1.0 else size * 0.5
        kmax = math.ceil(support) * 2 + 1
        inv = 1.0 / scale if scale >= 1.0 else 1.0
        for i in range(out):
            c = scale * (i + 0.5)
            lo = max(int(c - support + 0.5), 0)
            k = min(max(min(int(c + support + 0.5), n) - lo, 0), kmax)
            w = [fn((j + lo - c + 0.5) * inv) for j in range(k)]
            total = 0.0
            for v in w:
                total += v
            if total != 0.0:
                w = [v / total for v in w]
                wmax = max(wmax, *w)
            res.append((lo, w))
    else:
        half = size // 2
        for i in range(out):
            c = scale * (i + 0.5) - 0.5
            if filt == "bilinear" and c < 0:
                c = 0.0
            i0 = min(math.floor(f32(c)), n - 1)  # floor of the value rounded to float32
            lam = min(max(c - i0, 0.0), 1.0)
            ulo = i0 - half + 1
            lo = max(ulo, 0)
            k = min(max(min(i0 + half + 1, n) - lo, 0), size)
            w = [0.0] * size
            at = 0
            for j in range(size):
                v = fn(j + 1 - half - lam) if filt == "bilinear" else cubic_torch(j + 1 - half - lam, -0.75)
                if ulo + j <= 0:
                    at = 0
                elif ulo + j >= n - 1:
                    at = k - 1
                w[at] += v
                wmax = max(wmax, w[at])
                at += 1
            res.append((lo, w[:k]))
    p = 0
    while p < 22 and int(0.5 + wmax * (1 << (p + 1))) < (1 << 15):
        p += 1
    q = lambda v: int(-0.5 + v * (1 << p)) if v < 0 else int(0.5 + v * (1 << p))
    return [(lo, [q(v) for v in w]) for lo, w in res], p


def torch_nearest_index(n, out, exact, fused):
    scale = f32(n) / f32(out)
    if not exact:
        return np.array([min(math.floor(f32(f32(i) * scale)), n - 1) for i in range(out)])
    if fused:  # one rounding to float32 for product and difference (a fused multiply-add)
        return np.array(
            [min(math.floor(f32(float(f32(float(scale) * (i + 0.5) - 0.5)) + 0.5)), n - 1) for i in range(out)]
        )
    return np.array([min(math.floor(f32(float(scale) * (i + 0.5))), n - 1) for i in range(out)])


def torch_resize(a, size, filt, antialias=True):
    h, w = a.shape[:2]
    ow, oh = size
    if (w, h) == (ow, oh):
        return a.copy()
    if filt in ("nearest", "nearest_exact"):
        ex, fused = filt == "nearest_exact", oh + ow > 128  # (CHW tensors; HWC with 4 channels is never fused)
        return a[np.ix_(torch_nearest_index(h, oh, ex, fused), torch_nearest_index(w, ow, ex, fused))]
    for axis, n, o in ((1, w, ow), (0, h, oh)):  # width first, always
        if n != o:
            taps, p = torch_axis(n, o, filt, antialias)
            a = int_pass(a, taps, axis, p)
    return a


# ------------------------------------------------------------------ Hugging Face image processors
# Images travel as uint8 HWC arrays until rescale/normalize; results are float32 CHW.

CLIP_MEAN, CLIP_STD = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]
FILTER_BY_ID = {0: "nearest", 1: "lanczos", 2: "bilinear", 3: "bicubic", 4: "box", 5: "hamming"}


def to_rgb(a, mode):
    """do_convert_rgb for an image object: transparency is composited onto white (integer arithmetic)."""
    if mode == "L":
        return a.repeat(3, 2)
    if mode == "RGB":
        return a
    c = a[..., :1].repeat(3, 2) if mode == "LA" else a[..., :3]
    al = a[..., -1:].astype(np.int64)
    t = (c.astype(np.int64) * al + 255 * (255 - al)) * 128 + (128 << 7)
    out = (((t >> 8) + t) >> 8) >> 7
    return np.where(al == 0, 255, out).astype(np.uint8)


def hf_resize(a, hw, resample, backend):
    h, w = hw
    f = FILTER_BY_ID[resample]
    if backend == "pil":
        return pil_resize(a, "RGB", (w, h), f)
    return torch_resize(a, (w, h), "nearest_exact" if f == "nearest" else f)


def hf_center_crop(a, ch, cw, backend):
    """a: HWC."""
    h, w = a.shape[:2]
    if backend == "pil":
        top, left = (h - ch) // 2, (w - cw) // 2  # floor, also for negative numbers
        if top >= 0 and left >= 0:
            return a[top : top + ch, left : left + cw]
        nh, nw = max(h, ch), max(w, cw)
        pt, pl = -(-(nh - h) // 2), -(-(nw - w) // 2)  # the odd row/column goes to the top/left
        b = np.zeros((nh, nw, a.shape[2]), a.dtype)
        b[pt : pt + h, pl : pl + w] = a
        top, left = top + pt, left + pl
        return b[max(0, top) : min(nh, top + ch), max(0, left) : min(nw, left + cw)]
    pt, pl = max(ch - h, 0) // 2, max(cw - w, 0) // 2  # the odd row/column goes to the bottom/right
    if ch > h or cw > w:
        b = np.zeros((max(h, ch), max(w, cw), a.shape[2]), a.dtype)
        b[pt : pt + h, pl : pl + w] = a
        a = b
        h, w = a.shape[:2]
    top, left = int((h - ch) / 2.0), int((w - cw) / 2.0)
    return a[top : top + ch, left : left + cw]


def hf_rescale_normalize(a, cfg, backend):
    """a: uint8 HWC -> float32 CHW (or uint8 CHW if neither step is on)."""
    x = np.moveaxis(a, -1, 0)
    rs, nm = cfg.get("do_rescale", True), cfg.get("do_normalize", True)
    factor = cfg.get("rescale_factor", 1 / 255)
    mean, std = cfg.get("image_mean"), cfg.get("image_std")
    col = lambda v: np.array(v, f32).reshape(-1, 1, 1)
    if backend == "pil":
        if rs:
            x = (x.astype(np.float64) * factor).astype(f32)
        if nm:
            x = (x.astype(f32) - col(mean)) / col(std)
        return x
    if nm:
        m, s = col(mean), col(std)
        if rs:
            k = f32(1.0 / factor)
            m, s = m * k, s * k  # single precision products
        return (x.astype(f32) - m) / s
    if rs:
        return x.astype(f32) * f32(factor)  # the factor is rounded to single precision first
    return x


def size_shortest(h, w, s):
    long = int(s * max(h, w) / min(h, w))
    return (long, s) if w <= h else (s, long)


def size_detr(h, w, s, longest, yolos=False):
    raw = None
    lo, hi = float(min(h, w)), float(max(h, w))
    if hi / lo * s > longest:
        raw = longest * lo / hi
        s = int(round(raw))  # half to even
    k = s if raw is None else raw
    if not yolos and ((h <= w and h == s) or (w <= h and w == s)):
        return h, w
    if w < h:
        r = (int(k * h / w), s)
    elif yolos and ((h <= w and h == s) or (w <= h and w == s)):
        r = (h, w)
    else:
        r = (s, int(k * w / h))
    return (r[0] - r[0] % 16, r[1] - r[1] % 16) if yolos else r


def size_dpt(h, w, th, tw, keep, multiple):
    sh, sw = th / h, tw / w
    if keep:
        if abs(1 - sw) < abs(1 - sh):
            sh = sw
        else:
            sw = sh
    rnd = lambda v: round(v / multiple) * multiple  # half to even; never below 0, no upper bound
    return rnd(sh * h), rnd(sw * w)


def size_sam(h, w, longest):
    k = longest * 1.0 / max(h, w)
    return int(h * k + 0.5), int(w * k + 0.5)


def pad_br(x, hw):
    """x: CHW; zeros at the bottom and right."""
    out = np.zeros((x.shape[0],) + tuple(hw), x.dtype)
    out[:, : x.shape[1], : x.shape[2]] = x
    return out


def hf_donut(a, cfg, backend):
    th, tw = cfg["size"]["height"], cfg["size"]["width"]
    f = cfg["resample"]
    h, w = a.shape[:2]
    if cfg["do_align_long_axis"] and ((tw < th and w > h) or (tw > th and w < h)):
        a = np.rot90(a, 3)  # a quarter turn clockwise
    if cfg["do_resize"]:
        a = hf_resize(a, size_shortest(*a.shape[:2], min(th, tw)), f, backend)
    if cfg["do_thumbnail"]:
        h, w = a.shape[:2]
        nh, nw = min(h, th), min(w, tw)
        if (nh, nw) != (h, w):
            if h > w:
                nw = int(w * nh / h)
            elif w > h:
                nh = int(h * nw / w)
            # PIL back end: filter 0 (nearest) counts as unset here and becomes 3 (bicubic)
            a = hf_resize(a, (nh, nw), (f or 3) if backend == "pil" else f, backend)
    if cfg["do_pad"]:  # before normalize; the odd pixel goes bottom/right
        dh, dw = th - a.shape[0], tw - a.shape[1]
        a = np.pad(a, ((dh // 2, dh - dh // 2), (dw // 2, dw - dw // 2), (0, 0)))
    return a


def hf_siglip2(images, cfg, backend):
    p, n = cfg["patch_size"], cfg["max_num_patches"]
    px, masks, shapes = [], [], []
    for a, mode in images:
        if cfg.get("do_convert_rgb"):
            a = to_rgb(a, mode)
        h, w = a.shape[:2]
        scaled = lambda k, v: max(p, math.ceil(v * k / p) * p)
        lo, hi = 1e-5 / 10, 100.0
        while hi - lo >= 1e-5:  # binary search, in double
            k = (lo + hi) / 2
            if (scaled(k, h) / p) * (scaled(k, w) / p) <= n:
                lo = k
            else:
                hi = k
        a = hf_resize(a, (scaled(lo, h), scaled(lo, w)), cfg["resample"], backend)
        x = hf_rescale_normalize(a, cfg, backend)
        gh, gw = x.shape[1] // p, x.shape[2] // p
        v = x.reshape(3, gh, p, gw, p).transpose(1, 3, 2, 4, 0).reshape(gh * gw, -1)
        px.append(np.concatenate([v, np.zeros((n - gh * gw, v.shape[1]), v.dtype)]))
        masks.append((np.arange(n) < gh * gw).astype(np.int32))
        shapes.append((gh, gw))
    return {
        "pixel_values": np.stack(px),
        "pixel_attention_mask": np.stack(masks),
        "spatial_shapes": np.array(shapes, np.int64),
    }


def hf_llava_next(images, cfg, backend):
    f = cfg["resample"]
    s = cfg["size"]
    sq = (s["height"], s["width"]) if "height" in s else (s["shortest_edge"],) * 2
    p = cfg["crop_size"]["height"]
    assert sq == (p, p)
    all_px, sizes = [], []
    for a, mode in images:
        if cfg.get("do_convert_rgb"):
            a = to_rgb(a, mode)
        h, w = a.shape[:2]
        best, most, least = None, 0, math.inf
        for gh, gw in cfg["image_grid_pinpoints"]:
            k = min(gw / w, gh / h)
            used = min(int(w * k) * int(h * k), w * h)
            waste = gw * gh - used
            if used > most or (used == most and waste < least):
                best, most, least = (gh, gw), used, waste
        gh, gw = best
        kw, kh = gw / w, gh / h
        nh, nw = (min(math.ceil(h * kw), gh), gw) if kw < kh else (gh, min(math.ceil(w * kh), gw))
        b = hf_resize(a, (nh, nw), f, backend)
        py, px = gh - nh, gw - nw  # centered, odd pixel bottom/right, before normalize
        b = np.pad(b, ((py // 2, py - py // 2), (px // 2, px - px // 2), (0, 0)))
        tiles = [hf_resize(a, sq, f, backend)] + [
            b[y : y + p, x : x + p] for y in range(0, gh, p) for x in range(0, gw, p)
        ]
        all_px.append(np.stack([hf_rescale_normalize(t, cfg, backend) for t in tiles]))
        sizes.append((h, w))
    return {"pixel_values": np.stack(all_px), "image_sizes": np.array(sizes, np.int64)}


def hf_idefics3(images, cfg, backend):
    f, m = cfg["resample"], cfg["max_image_size"]["longest_edge"]
    tiles = []
    for a, mode in images:
        if cfg.get("do_convert_rgb"):
            a = to_rgb(a, mode)
        h, w = a.shape[:2]
        r = w / h
        if w >= h:
            w = cfg["size"]["longest_edge"]
            h = int(w / r)
            h += h % 2
        else:
            h = cfg["size"]["longest_edge"]
            w = int(h * r)
            w += w % 2
        h, w = max(h, 1), max(w, 1)
        assert max(h, w) <= 4096
        a = hf_resize(a, (h, w), f, backend)
        if cfg["do_image_splitting"]:
            r = w / h
            if w >= h:
                w = math.ceil(w / m) * m
                h = math.ceil(int(w / r) / m) * m
            else:
                h = math.ceil(h / m) * m
                w = math.ceil(int(h * r) / m) * m
            a = hf_resize(a, (h, w), f, backend)
            if h > m or w > m:
                tiles += [a[y : y + m, x : x + m] for y in range(0, h, m) for x in range(0, w, m)]
                tiles.append(hf_resize(a, (m, m), f, backend))
            else:
                tiles.append(a)
        else:
            tiles.append(hf_resize(a, (m, m), f, backend))
    px = np.stack([hf_rescale_normalize(t, cfg, backend) for t in tiles])[None]
    return {"pixel_values": px, "pixel_attention_mask": np.ones(px.shape[:2] + px.shape[3:], np.int64)}


def hf_process(images, cfg, backend):
    """images: [(array HWC, mode)]; cfg: the processor's full settings (to_dict()). -> dict of arrays, or None if this
    reference does not know the processor."""
    kind = cfg["image_processor_type"]
    size, crop = cfg.get("size") or {}, cfg.get("crop_size") or {}
    simple = {
        "ViT",
        "DeiT",
        "CLIP",
        "Siglip",
        "Blip",
        "Beit",
        "Bit",
        "MobileNetV1",
        "MobileNetV2",
        "Segformer",
        "Pvt",
        "OwlViT",
        "ChineseCLIP",
        "RTDetr",
        "Gemma3",
        "Sam2",
        "Sam3",
        "VideoMAE",
    }
    kind = kind.replace("ImageProcessor", "")
    if kind in ("Idefics3", "SmolVLM"):
        return hf_idefics3(images, cfg, backend)
    if kind == "Siglip2":
        return hf_siglip2(images, cfg, backend)
    if kind == "LlavaNext":
        return hf_llava_next(images, cfg, backend)
    if kind == "VitMatte":  # image + trimap, zeros at the bottom/right after normalize
        (a, _), (t, _) = images
        x = np.concatenate(
            [hf_rescale_normalize(a, cfg, backend), hf_rescale_normalize(t, dict(cfg, do_normalize=False), backend)]
        )
        d = cfg["size_divisor"]
        return {"pixel_values": pad_br(x, (x.shape[1] + -x.shape[1] % d, x.shape[2] + -x.shape[2] % d))[None]}
    if kind not in simple | {
        "ConvNext",
        "Detr",
        "Yolos",
        "Sam",
        "DPT",
        "MobileViT",
        "PoolFormer",
        "Levit",
        "GLPN",
        "EfficientNet",
        "Swin2SR",
        "Qwen2VL",
        "GroundingDino",
        "Pixtral",
        "Donut",
        "Perceiver",
        "CHMv2",
        "TextNet",
    }:
        return None
    resample = cfg.get("resample", 2)
    px, extra = [], {}
    orig, reshaped, grids = [], [], []
    for a, mode in images:
        if cfg.get("do_convert_rgb"):
            a = to_rgb(a, mode)
        h, w = a.shape[:2]
        orig.append((h, w))
        if kind == "Donut":
            a = hf_donut(a, cfg, backend)
        elif kind == "Perceiver":  # crop first, then resize
            if cfg.get("do_center_crop"):
                m = min(h, w)
                ch = int((size["height"] / crop["height"]) * m), int((size["width"] / crop["width"]) * m)
                a = hf_center_crop(a, ch[0], ch[1], backend)
            if cfg.get("do_resize", True):
                a = hf_resize(a, (size["height"], size["width"]), resample, backend)
        elif cfg.get("do_resize", True) and kind != "Swin2SR":
            if kind == "ConvNext":
                s = size["shortest_edge"]
                if s < 384:
                    a = hf_resize(a, size_shortest(h, w, int(s / cfg["crop_pct"])), resample, backend)
                    a = hf_center_crop(a, s, s, backend)
                else:
                    a = hf_resize(a, (s, s), resample, backend)
                target = None
            elif kind in ("Detr", "GroundingDino", "Yolos") and "shortest_edge" in size:
                target = size_detr(h, w, size["shortest_edge"], size["longest_edge"], kind == "Yolos")
            elif kind == "Sam":
                target = size_sam(h, w, size["longest_edge"])
            elif kind in ("DPT", "CHMv2"):
                target = size_dpt(
                    h, w, size["height"], size["width"], cfg["keep_aspect_ratio"], cfg["ensure_multiple_of"]
                )
            elif kind == "TextNet":
                d = cfg["size_divisor"]
                target = tuple(v + -v % d for v in size_shortest(h, w, size["shortest_edge"]))
            elif kind == "GLPN":
                d = cfg["size_divisor"]
                target = (h // d * d, w // d * d)
            elif kind == "Levit" and "shortest_edge" in size:
                target = size_shortest(h, w, int((256 / 224) * size["shortest_edge"]))
            elif kind == "PoolFormer" and cfg.get("crop_pct") is not None:
                if size.get("height") == size.get("width"):
                    s = size.get("shortest_edge") or size["height"]
                    target = size_shortest(h, w, int(s / cfg["crop_pct"]))
                else:
                    target = tuple(int(size[side] / cfg["crop_pct"]) for side in ("height", "width"))
            elif kind == "Qwen2VL":
                f = cfg["patch_size"] * cfg["merge_size"]
                th, tw = round(h / f) * f, round(w / f) * f
                lo, hi = size["shortest_edge"], size["longest_edge"]
                if th * tw > hi:
                    b = math.sqrt((h * w) / hi)
                    th, tw = (max(f, math.floor(v / b / f) * f) for v in (h, w))
                elif th * tw < lo:
                    b = math.sqrt(lo / (h * w))
                    th, tw = (math.ceil(v * b / f) * f for v in (h, w))
                target = (th, tw)
            elif kind == "Pixtral":
                m = (size["longest_edge"],) * 2 if "longest_edge" in size else (size["height"], size["width"])
                ratio = max(h / m[0], w / m[1])
                th, tw = (math.floor(h / ratio), math.floor(w / ratio)) if ratio > 1 else (h, w)
                p = cfg["patch_size"]
                target = (((th - 1) // p["height"] + 1) * p["height"], ((tw - 1) // p["width"] + 1) * p["width"])
            elif "shortest_edge" in size and "longest_edge" in size:
                target = size_detr(h, w, size["shortest_edge"], size["longest_edge"])
            elif "shortest_edge" in size:
                target = size_shortest(h, w, size["shortest_edge"])
            elif "max_height" in size:
                k = min(size["max_height"] / h, size["max_width"] / w)
                target = (int(h * k), int(w * k))
            else:
                target = (size["height"], size["width"])
            if target is not None:
                a = hf_resize(a, target, resample, backend)
        reshaped.append(a.shape[:2])
        if cfg.get("do_center_crop") and kind != "Perceiver":
            a = hf_center_crop(a, crop["height"], crop["width"], backend)
        if kind == "MobileViT":
            x = hf_rescale_normalize(a, dict(cfg, do_normalize=False), backend)
            if cfg["do_flip_channel_order"]:
                x = x[::-1]
        elif kind == "EfficientNet":
            off = cfg.get("rescale_offset") and cfg.get("do_rescale", True)
            if off:  # not fused then
                x = hf_rescale_normalize(a, dict(cfg, do_normalize=False), backend) - f32(1)
                if cfg["do_normalize"]:
                    x = (x - np.array(cfg["image_mean"], f32).reshape(-1, 1, 1)) / np.array(
                        cfg["image_std"], f32
                    ).reshape(-1, 1, 1)
            else:
                x = hf_rescale_normalize(a, cfg, backend)
            if cfg["include_top"]:  # divided by std a second time
                x = (x - f32(0)) / np.array(cfg["image_std"], f32).reshape(-1, 1, 1)
        elif kind in ("GLPN", "Swin2SR"):
            x = hf_rescale_normalize(a, dict(cfg, do_normalize=cfg.get("do_normalize", False)), backend)
        else:
            x = hf_rescale_normalize(a, cfg, backend)
        if kind in ("DPT", "CHMv2") and cfg.get("do_pad"):
            d = cfg["size_divisor"]
            ph, pw = -x.shape[1] % d, -x.shape[2] % d
            x = np.pad(x, ((0, 0), (ph // 2, ph - ph // 2), (pw // 2, pw - pw // 2)))
        if kind == "Swin2SR" and cfg.get("do_pad", True):
            d = cfg["size_divisor"]  # a full extra block when already divisible
            x = np.pad(x, ((0, 0), (0, d - x.shape[1] % d), (0, d - x.shape[2] % d)), mode="symmetric")
        if kind == "Qwen2VL":
            p, m, t = cfg["patch_size"], cfg["merge_size"], cfg["temporal_patch_size"]
            gh, gw = x.shape[1] // p, x.shape[2] // p
            v = np.stack([x] * t).reshape(1, t, 3, gh // m, m, p, gw // m, m, p)
            v = v.transpose(0, 3, 6, 4, 7, 2, 1, 5, 8).reshape(gh * gw, 3 * t * p * p)
            px.append(v)
            grids.append((1, gh, gw))
            continue
        px.append(x)
    if kind == "Qwen2VL":
        return {"pixel_values": np.concatenate(px), "image_grid_thw": np.array(grids, np.int64)}
    if kind in ("Detr", "Yolos", "GroundingDino") and cfg.get("do_pad", True):
        ps = cfg.get("pad_size")
        hw = (ps["height"], ps["width"]) if ps else (max(x.shape[1] for x in px), max(x.shape[2] for x in px))
        mask = np.zeros((len(px),) + hw, np.int64)
        for i, x in enumerate(px):
            mask[i, : x.shape[1], : x.shape[2]] = 1
        px = [pad_br(x, hw) for x in px]
        extra["pixel_mask"] = mask
    if kind in ("Sam2", "Sam3"):
        extra["original_sizes"] = np.array(orig, np.int64)
    if kind == "VideoMAE":
        px = [np.stack(px)]  # one video: frames become the second axis
    if kind == "Sam":
        if cfg.get("do_pad", True):
            px = [pad_br(x, (cfg["pad_size"]["height"], cfg["pad_size"]["width"])) for x in px]
        extra["original_sizes"] = np.array(orig, np.int64)
        extra["reshaped_input_sizes"] = np.array(reshaped, np.int64)
    if kind == "Pixtral":
        if cfg.get("do_pad", True):
            hw = (max(x.shape[1] for x in px), max(x.shape[2] for x in px))
            px = [pad_br(x, hw) for x in px]
        extra["image_sizes"] = np.array(reshaped, np.int64)
    if kind in simple and cfg.get("do_pad") and cfg.get("pad_size"):
        px = [pad_br(x, (cfg["pad_size"]["height"], cfg["pad_size"]["width"])) for x in px]
    return dict(extra, pixel_values=np.ascontiguousarray(np.stack(px)))
