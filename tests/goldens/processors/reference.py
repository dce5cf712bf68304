"""The rules of the README in plain NumPy: one function a processor.

Resizing, cropping, rescaling and normalizing are those of ../images/reference.py, called R here. Images are (array HWC
uint8, mode); results are dicts of arrays under Python's names.
"""

import importlib.util
import itertools
import json
import math
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
_spec = importlib.util.spec_from_file_location("older_reference", os.path.join(HERE, "../images/reference.py"))
R = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(R)
f32, i64 = np.float32, np.int64
CLASSES = json.load(open(os.path.join(HERE, "classes.json")))


# ------------------------------------------------------------------ settings


def size_dict(v, square=True):
    if v is None or isinstance(v, dict):
        return None if v is None else {k: x for k, x in v.items() if x is not None}
    if isinstance(v, int):
        return {"height": v, "width": v} if square else {"shortest_edge": v}
    return {"height": v[0], "width": v[1]}


def settings_of(kind, name, config, options=()):
    """The class's own settings, those of the file (null stays null: off), those of the call; sizes as dicts."""
    own = dict(CLASSES[kind][name]["settings"])
    cfg = {k: v for k, v in config.items() if k in own or k in ALIASES.get(name, {})}
    if name in PIXEL_SIZED:  # min_pixels, max_pixels of the file are edges of the size
        size = dict(cfg.get("size") if isinstance(cfg.get("size"), dict) else own["size"])
        for key, edge in (("min_pixels", "shortest_edge"), ("max_pixels", "longest_edge")):
            if cfg.get(key) is not None:
                size[edge] = cfg.pop(key)
        cfg["size"] = size
    for old, new in ALIASES.get(name, {}).items():
        if cfg.get(old) is not None:
            value = cfg.pop(old)
            cfg[new] = cfg.get(new, value) if old.startswith("norm") else value
    s = {**own, **cfg}
    borders = {
        "border_" + k: s[k] for k in ("image_mean", "high_res_image_mean") if k in s
    }  # colors follow the file's means, not the call's
    s.update(borders, **{k: v for k, v in dict(options).items() if k in own})
    if name in PIXEL_SIZED and kind == "image":
        s["size"] = {
            **s["size"],
            **{
                e: options[k]
                for k, e in (("min_pixels", "shortest_edge"), ("max_pixels", "longest_edge"))
                if k in dict(options)
            },
        }
    if name == "VJEPA2VideoProcessor":  # the size follows from the crop, whatever the file says
        crop = s["crop_size"] if isinstance(s["crop_size"], int) else s["crop_size"]["height"]
        s["size"] = {"shortest_edge": int(crop * 256 / 224)}
    if name in ("MaskFormerImageProcessor", "Mask2FormerImageProcessor") and isinstance(s["size"], int):
        s["size"] = {"shortest_edge": s["size"], "longest_edge": config.get("max_size") or 1333}
    if name == "SmolVLMVideoProcessor" and config.get("video_sampling"):
        v = config["video_sampling"]
        s.update(num_frames=v["max_frames"], fps=v["fps"], size=dict(config.get("size") or v["video_size"]))
    for key in ("size", "crop_size", "pad_size", "codebook_size", "codebook_crop_size", "high_res_size"):
        if s.get(key) is not None:
            s[key] = size_dict(
                s[key], s.get("default_to_square", True) if key in ("size", "codebook_size", "high_res_size") else True
            )
    if name in ("FuyuImageProcessor", "Pix2StructImageProcessor", "Kosmos2_5ImageProcessor"):
        s["patch_size"] = size_dict(s["patch_size"])
    return s


PIXEL_SIZED = {
    n + "ImageProcessor"
    for n in ("Qwen2VL", "CohereCompass", "HunYuanVL", "PaddleOCRVL", "VideoLlama3", "MiniMaxM3VL", "GlmImage")
} | {"Qwen2VLVideoProcessor", "VideoLlama3VideoProcessor"}
ALIASES = {
    "IdeficsImageProcessor": {"image_size": "size"},
    "NemotronH_Omni_Reasoning_V3ImageProcessor": {"norm_mean": "image_mean", "norm_std": "image_std"},
}


# ------------------------------------------------------------------ shared steps


def rgb(image, s):
    a, mode = image
    if s.get("do_convert_rgb"):
        return R.to_rgb(a, mode)
    return a


def resize(a, hw, s, b, f=None, antialias=True):
    f = s["resample"] if f is None else f
    if antialias or b == "pil":
        return R.hf_resize(a, hw, f, b)
    return R.torch_resize(a, (hw[1], hw[0]), R.FILTER_BY_ID[f], False)


def by_size(a, s, b, size=None, f=None):
    """To `size`, whichever keys it has."""
    size = size or s["size"]
    h, w = a.shape[:2]
    if "shortest_edge" in size and "longest_edge" in size:
        hw = R.size_detr(h, w, size["shortest_edge"], size["longest_edge"])
    elif "shortest_edge" in size:
        hw = R.size_shortest(h, w, size["shortest_edge"])
    elif "max_height" in size:
        k = min(size["max_height"] / h, size["max_width"] / w)
        hw = int(h * k), int(w * k)
    else:
        hw = size["height"], size["width"]
    return resize(a, hw, s, b, f)


def numbers(a, s, b):
    return R.hf_rescale_normalize(a, s, b)


def crop(a, s, b):
    return R.hf_center_crop(a, s["crop_size"]["height"], s["crop_size"]["width"], b) if s.get("do_center_crop") else a


def stack(xs):
    """One array; a list where the sizes differ."""
    return np.stack(xs) if len({np.shape(x) for x in xs}) == 1 else list(xs)


def pad_br(x, hw, value=0):
    """x: CHW, to the bottom and right."""
    out = np.full((x.shape[0],) + tuple(hw), value, x.dtype)
    out[:, : x.shape[1], : x.shape[2]] = x
    return out


def pad_hwc(a, hw, value=0):
    return np.moveaxis(pad_br(np.moveaxis(a, -1, 0), hw, value), 0, -1)


def masked(xs, hw=None):
    """To the largest height and width of the batch, with a mask of what is picture."""
    hw = hw or (max(x.shape[1] for x in xs), max(x.shape[2] for x in xs))
    mask = np.zeros((len(xs),) + tuple(hw), i64)
    for m, x in zip(mask, xs):
        m[: x.shape[1], : x.shape[2]] = 1
    return np.stack([pad_br(x, hw) for x in xs]), mask


def tiles_of(a, th, tw):
    return [a[y : y + th, x : x + tw] for y in range(0, a.shape[0], th) for x in range(0, a.shape[1], tw)]


def centered(a, side, color):
    """On a square canvas of one color; the odd pixel at the bottom and right."""
    h, w = a.shape[:2]
    out = np.empty((side, side, a.shape[2]), a.dtype)
    out[:] = color
    y, x = (side - h) // 2, (side - w) // 2
    out[y : y + h, x : x + w] = a
    return out


def patches(x, p, m=1, t=1, order="ctyx", grouped=True):
    """x: CHW -> rows of patches.

    grouped: m x m neighbors follow one another. order: of channel, time, row, column within a patch.
    """
    c, gh, gw = x.shape[0], x.shape[1] // p, x.shape[2] // p
    v = np.stack([x] * t).reshape(t, c, gh // m, m, p, gw // m, m, p)
    axes = {"t": 0, "c": 1, "y": 4, "x": 7}
    outer = (2, 5, 3, 6) if grouped else (2, 3, 5, 6)
    return v.transpose(outer + tuple(axes[o] for o in (order if "t" in order else order + "t"))).reshape(gh * gw, -1), (
        gh,
        gw,
    )


def video_patches(x, p, m, t, order="ctyx", grouped=True):
    """x: TCHW -> rows; the last frame repeated up to a multiple of t."""
    x = np.concatenate([x] + [x[-1:]] * (-len(x) % t))
    gt, c, gh, gw = len(x) // t, x.shape[1], x.shape[2] // p, x.shape[3] // p
    v = x.reshape(gt, t, c, gh // m, m, p, gw // m, m, p)
    axes = {"t": 1, "c": 2, "y": 5, "x": 8}
    outer = (0, 3, 6, 4, 7) if grouped else (0, 3, 4, 6, 7)
    return v.transpose(outer + tuple(axes[o] for o in order)).reshape(gt * gh * gw, -1), (gt, gh, gw)


# ------------------------------------------------------------------ sizes


def area_size(h, w, factor, least, most):
    assert max(h, w) / min(h, w) <= 200
    hb, wb = round(h / factor) * factor, round(w / factor) * factor  # half to even
    if hb * wb > most:
        k = math.sqrt(h * w / most)
        hb, wb = (max(factor, math.floor(v / k / factor) * factor) for v in (h, w))
    elif hb * wb < least:
        k = math.sqrt(least / (h * w))
        hb, wb = (math.ceil(v * k / factor) * factor for v in (h, w))
    return hb, wb


def paddle_size(h, w, factor, least, most):
    if h < factor:
        w, h = round(w * factor / h), factor
    if w < factor:
        h, w = round(h * factor / w), factor
    return area_size(h, w, factor, least, most)


def volume_size(t, h, w, factor, least, most, tf):
    """Frames count beside height and width."""
    assert t >= tf
    if h < factor or w < factor:
        k = max(factor / h, factor / w)
        h, w = int(h * k), int(w * k)
    assert max(h, w) / min(h, w) <= 200
    hb, wb, tb = round(h / factor) * factor, round(w / factor) * factor, round(t / tf) * tf
    if tb * hb * wb > most:
        k = math.sqrt(t * h * w / most)
        hb, wb = (max(factor, math.floor(v / k / factor) * factor) for v in (h, w))
    elif tb * hb * wb < least:
        k = math.sqrt(least / (t * h * w))
        hb, wb = (math.ceil(v * k / factor) * factor for v in (h, w))
    return hb, wb


def glm_image_size(h, w, factor, least, most):
    assert min(h, w) >= factor and max(h, w) / min(h, w) <= 4
    short, long = int(round(math.sqrt(least))), int(round(math.sqrt(most)))
    k = short / min(h, w) if min(h, w) < short else 1.0
    if max(h, w) * k > long:
        k = long / max(h, w)
    h, w = h // 2, w // 2
    hb, wb = (max(factor, int(round(v * k / factor)) * factor) for v in (h, w))
    if max(hb, wb) > long:
        k = max(hb, wb) / long
        hb, wb = (max(factor, int(math.floor(v / k / factor)) * factor) for v in (hb, wb))
    return hb, wb


def glm5_sizes(t, h, w, factor, tf, least, most):
    """-> the canvas and the picture on it."""
    unit = tf * factor**2
    lo, hi = least * unit, most * unit
    up = lambda v: math.ceil(v / factor) * factor
    tb = max(tf, round(t / tf) * tf)
    hb, wb = up(h), up(w)
    if tb * hb * wb < lo:
        k = math.sqrt(lo / (t * h * w))
        hb, wb = up(max(1, math.ceil(h * k))), up(max(1, math.ceil(w * k)))
    if tb * hb * wb > hi:
        assert hi >= tb * factor**2
        a, z, hb, wb = 1, h, factor, factor
        while a <= z:  # the greatest content height that fits
            c = (a + z) // 2
            ch, cw = up(c), up(max(1, math.floor(w * c / h)))
            if tb * ch * cw <= hi:
                hb, wb, a = ch, cw, c + 1
            else:
                z = c - 1
    k = min(hb / h, wb / w)
    if t * h * w >= lo:
        k = min(1.0, k)
    return (hb, wb), (max(1, min(hb, math.floor(h * k))), max(1, min(wb, math.floor(w * k))))


def navit_sizes(h, w, p, m, most, side):
    count = max(1.0, h // p) * max(1.0, w // p)
    k = min(1.0, math.sqrt(most / count), side * p / h, side * p / w)
    nh, nw = (min(max(1, int(v * k)), side * p) for v in (h, w))
    return (nh, nw), tuple(v + -v % (m * p) for v in (nh, nw))


def muse_size(h, w, unit, most):
    ih, iw = h / unit, w / unit
    ratio = iw / ih
    if ih * iw > most:
        ih = (most / ratio) ** 0.5
        iw = ih * ratio
    grids = set_order([(a, b) for a in (math.floor(ih), math.ceil(ih)) for b in (math.floor(iw), math.ceil(iw))])
    grids = [(a, b) for a, b in grids if a >= 1 and b >= 1 and a * b <= most]
    if not grids:
        grids = [(max(1, round(ih)), max(1, round(iw)))]
    a, b = min(grids, key=lambda g: abs(g[0] / g[1] - h / w))
    return a * unit, b * unit


def set_order(pairs):
    """The order in which CPython 3.11 walks a set of up to four pairs of small whole numbers."""
    full, table = (1 << 64) - 1, [None] * 8
    for pair in pairs:
        k = 2870177450012600261
        for v in pair:
            k = (k + v * 14029467366897019727) & full
            k = ((k << 31) | (k >> 33)) & full
            k = k * 11400714785074694791 & full
        k = (k + (2 ^ 2870177450012600261 ^ 3527539)) & full
        i = k & 7
        while table[i] not in (None, pair):
            k >>= 5
            i = (i * 5 + 1 + k) & 7
        table[i] = pair
    return [pair for pair in table if pair]


def neomme_size(h, w, most_side, size):
    lo, hi = (size["min_pixels"], size["max_pixels"]) if size else (None, None)
    k = (lo / (h * w)) ** 0.5 if lo is not None and h * w < lo else 1.0
    if most_side is not None:
        k = min(k, most_side / max(h, w))
    if hi is not None:
        k = min(k, (hi / (h * w)) ** 0.5)
    if k == 1.0:
        return h, w
    over = lambda a, b: (most_side is not None and max(a, b) > most_side) or (hi is not None and a * b > hi)
    nh, nw = max(1, round(h * k)), max(1, round(w * k))
    if over(nh, nw):
        nh, nw = max(1, math.floor(h * k)), max(1, math.floor(w * k))
        if hi is not None and nh * nw > hi:
            if nh >= nw:
                nh = max(1, hi // nw)
            else:
                nw = max(1, hi // nh)
        return nh, nw
    if lo is not None and h * w < lo and nh * nw < lo:
        ch, cw = max(1, math.ceil(h * k)), max(1, math.ceil(w * k))
        if not over(ch, cw):
            return ch, cw
    return nh, nw


def gemma4_size(h, w, p, most, k):
    unit, px = k * p, most * p**2
    f = math.sqrt(px / (h * w))
    th, tw = (int(math.floor(f * v / unit)) * unit for v in (h, w))
    assert th or tw
    longest = most // k**2 * unit
    if th == 0:
        th, tw = unit, min(int(math.floor(w / h)) * unit, longest)
    elif tw == 0:
        th, tw = min(int(math.floor(h / w)) * unit, longest), unit
    assert th * tw <= px
    return th, tw


def vilt_size(h, w, short, divisor, torch=False):
    long = int(1333 / 800 * short)
    if torch:  # ViLT's torchvision class divides by the side that it compares
        nh, nw = (short, w * (short / h)) if h < w else (h * (short / w), short)
    else:
        k = short / min(h, w)
        nh, nw = (short, k * w) if h < w else (k * h, short)
    if max(nh, nw) > long:
        k = long / max(nh, nw)
        nh, nw = k * nh, k * nw
    return int(nh + 0.5) // divisor * divisor, int(nw + 0.5) // divisor * divisor


def ratio_grid(h, w, th, tw, least, most, side=None):
    """(columns, rows) whose ratio is nearest; of equals the later one if the picture fills more than half of it."""
    n = most if side is None else min(most, side)
    grids = sorted(
        [(a, b) for a in range(1, n + 1) for b in range(1, n + 1) if least <= a * b <= most], key=lambda g: g[0] * g[1]
    )
    best, diff = (1, 1), math.inf
    for g in grids:
        d = abs(w / h - g[0] / g[1])
        if d < diff:
            best, diff = g, d
        elif d == diff and w * h > 0.5 * th * tw * g[0] * g[1]:
            best = g
    return best


def scale_grid(h, w, tile, most):
    """Cohere2: (columns, rows), the smallest enlargement, or else the least reduction."""
    grids = sorted(
        [(a, b) for a in range(1, most + 1) for b in range(1, most + 1) if a * b <= most], key=lambda g: g[0] * g[1]
    )
    k = [min(g[0] * tile / w, g[1] * tile / h) for g in grids]
    if max(k) < 1:
        return grids[int(np.argmax(k))]
    return grids[int(np.argmin([v if v >= 1 else 1e10 for v in k]))]


def covering_grid(h, w, side, most, enough=0.9):
    """Ovis2: (columns, rows). The regions have grid[0] rows and grid[1] columns, but the result is read otherwise."""
    grids = sorted(
        [(a, b) for a in range(1, most + 1) for b in range(1, most + 1) if a * b <= most], key=lambda g: g[0] * g[1]
    )

    def covered(g):
        rows, cols, rh, cw = g[0], g[1], h // g[0], w // g[1]
        total = 0
        for r, c in itertools.product(range(rows), range(cols)):
            pw = (w if c == cols - 1 else (c + 1) * cw) - c * cw
            ph = (h if r == rows - 1 else (r + 1) * rh) - r * rh
            pw, ph = max(pw, ph), min(pw, ph)
            total += side * (ph / pw * side) if pw > side else pw * ph
        return total / (w * h)

    all_ = [(g, covered(g)) for g in grids]
    good = [e for e in all_ if e[1] > enough]
    if good:
        return min(good, key=lambda e: (e[0][0] * e[0][1], -e[1]))[0]
    return min(all_, key=lambda e: (-e[1], e[0][0] * e[0][1]))[0]


def chunk_resolutions(most):
    """Llama4, PerceptionLM: (a, b) with a * b <= most, in the order of first ratio, from the most chunks down."""
    ratios = {}
    for n in range(most, 0, -1):
        for a in (d for d in range(1, n + 1) if n % d == 0):
            ratios.setdefault(a / (n // a), []).append((a, n // a))
    return ratios


def minicpm_sizes(h, w, s, resolution, allow, p, mode):
    if h * w > resolution * resolution or allow:
        r = w / h
        h = int(resolution / math.sqrt(r))
        w = int(h * r)
    d = p * (2 if mode == "4x" else 4)
    return tuple(max(round(v / d) * d, d) for v in (h, w))


def minicpm_grid(h, w, most, resolution):
    n = min(math.ceil(w * h / (resolution * resolution)), most)
    if n <= 1:
        return None
    best, least = [1, 1], math.inf
    for k in (n - 1, n, n + 1):
        if k == 1 or k > most:
            continue
        for rows in (d for d in range(1, k + 1) if k % d == 0):
            e = abs(math.log(w / h) - math.log((k // rows) / rows))
            if e < least or (e == least and rows > best[0]):
                best, least = [rows, k // rows], e
    return best


def nemotron_grid(h, w, p, m, least, most):
    gh, gw = round(h / p + 0.5), round(w / p + 0.5)
    k = min(math.sqrt(most / (gh * gw)), 1.0)
    gh, gw = math.floor(k * gh), math.floor(k * gw)
    if most > least and gh * gw < least:
        k = math.sqrt(least / (gh * gw))
        gh, gw = math.ceil(k * gh), math.ceil(k * gw)
    if gh % m:
        gh = gh + m - gh % m if (gh + m - gh % m) * gw <= most else max(m, gh - gh % m)
    if gw % m:
        gw = gw + m - gw % m if gh * (gw + m - gw % m) <= most else max(m, gw - gw % m)
    return gh, gw


def fused(a, b, c):
    """a * b + c with one rounding to float32 (a multiply-add instruction)."""
    return (np.asarray(a, np.float64) * np.asarray(b, np.float64) + np.asarray(c, np.float64)).astype(f32)


def cubic32(x, a, inner, last=True):
    """One half of the cubic, in float32 with multiply-adds; the last one only in the antialiased kernel."""
    if inner:
        p = fused(f32(a + 2), x, -f32(a + 3)) * x
        return fused(p, x, 1.0) if last else p * x + f32(1)
    q = fused(fused(f32(a), x, -f32(5 * a)), x, f32(8 * a))
    return fused(q, x, -f32(4 * a)) if last else q * x - f32(4 * a)


def float_taps(n, out, filt):
    """torch's antialiased taps of float32: the scale, centres and weights are float32, their sum too."""
    scale, size = f32(n) / f32(out), {"bilinear": 2, "bicubic": 4}[filt]
    support = f32(size * 0.5 * float(scale)) if scale >= 1 else f32(size * 0.5)
    inv = f32(1.0 / scale) if scale >= 1 else f32(1)
    for i in range(out):
        c = f32(float(scale) * (i + 0.5))
        lo, hi = max(int(float(f32(c - support)) + 0.5), 0), min(int(float(f32(c + support)) + 0.5), n)
        x = np.abs(((((np.arange(lo, hi).astype(f32) - c).astype(np.float64)) + 0.5) * float(inv)).astype(f32))
        if filt == "bilinear":
            w = np.where(x < 1, f32(1) - x, f32(0))
        else:
            w = np.where(x < 1, cubic32(x, -0.5, True), np.where(x < 2, cubic32(x, -0.5, False), f32(0)))
        total = f32(0)
        for v in w:
            total = f32(total + v)
        yield lo, (w / total).astype(f32)


def float_resize(x, hw, filt, antialias=True, corners=False):
    """x: CHW -> float32 CHW, with torch's own bits on AVX2 and AVX512.
    Antialiased: width first; the first product, then four taps at a time rounded twice each, the rest of them fused.
    Otherwise both axes at once. Bicubic: tap 1, then 0, 2, 3 fused, along rows, then along columns. Bilinear: in small
    results (height + width up to 128) the four products of two weights each, in the order 01, 00, 10, 11; else the
    second product, the first one fused, twice."""
    x = np.asarray(x, f32)
    if antialias:
        for axis, out in ((2, hw[1]), (1, hw[0])):
            if x.shape[axis] == out:
                continue
            v = np.moveaxis(x, axis, 0)
            y = np.empty((out,) + v.shape[1:], f32)
            for i, (lo, w) in enumerate(float_taps(v.shape[0], out, filt)):
                t, fours = v[lo] * w[0], 1 + (len(w) - 1) // 4 * 4
                for k in range(1, len(w)):
                    t = t + v[lo + k] * w[k] if k < fours else fused(v[lo + k], w[k], t)
                y[i] = t
            x = np.moveaxis(y, 0, axis)
        return x
    small = hw[0] + hw[1] <= 128
    (iy, wy), (ix, wx) = (
        plain_taps(n, out, filt, corners, small) for n, out in ((x.shape[1], hw[0]), (x.shape[2], hw[1]))
    )
    wy = [w[None, :, None] for w in wy]
    at = lambda j, i: x[:, iy[j]][:, :, ix[i]]
    if filt == "bilinear" and small:
        t = at(0, 1) * (wy[0] * wx[1])
        for j, i in ((0, 0), (1, 0), (1, 1)):
            t = fused(at(j, i), wy[j] * wx[i], t)
        return t
    order = [1, 0] if filt == "bilinear" else [1, 0, 2, 3]
    rows = {}
    for j in order:
        t = at(j, 1) * wx[1]
        for i in order[1:]:
            t = fused(at(j, i), wx[i], t)
        rows[j] = t
    t = rows[1] * wy[1]
    for j in order[1:]:
        t = fused(rows[j], wy[j], t)
    return t


def plain_taps(n, out, filt, corners=False, small=True):
    """Without antialias: 2 or 4 neighbors (a = -.75), clamped to the edge.

    Positions are a multiply-add, but in large bilinear results.
    """
    at = np.arange(out).astype(f32)
    if corners:
        at = f32(n - 1) / f32(max(out - 1, 1)) * at
    elif filt == "bilinear" and not small:
        at = f32(n) / f32(out) * (at + f32(0.5)) - f32(0.5)
    else:
        at = fused(f32(n) / f32(out), at + f32(0.5), f32(-0.5))
    if filt == "bilinear" and not corners:
        at = np.maximum(at, f32(0))
    j = np.minimum(np.floor(at).astype(int), n - 1)
    t = np.clip(at - j.astype(f32), 0, 1).astype(f32)
    u = f32(1) - t
    if filt == "bilinear":
        return [j, np.minimum(j + 1, n - 1)], [u, t]
    half = lambda v, inner: cubic32(v, -0.75, inner, False)
    return [np.clip(j + k, 0, n - 1) for k in (-1, 0, 1, 2)], [
        half(t + f32(1), False),
        half(t, True),
        half(u, True),
        half(u + f32(1), False),
    ]


def float_numbers(x, s):
    """CHW float32 -> numbers, as torchvision's class does."""
    return R.hf_rescale_normalize(np.moveaxis(x, 0, -1), s, "torchvision")


chw = lambda a: np.moveaxis(a, -1, 0)


# ------------------------------------------------------------------ processors


def plain(images, s, b, o):
    xs = []
    for im in images:
        a = rgb(im, s)
        a = by_size(a, s, b) if s.get("do_resize") else a
        xs.append(numbers(crop(a, s, b), s, b))
    if s.get("do_pad"):
        xs = [pad_br(x, (s["pad_size"]["height"], s["pad_size"]["width"])) for x in xs]
    return {"pixel_values": stack(xs)}


def layoutlmv2(images, s, b, o):
    return {"pixel_values": stack([chw(by_size(rgb(im, s), s, b))[::-1] for im in images])}


def video_llava(images, s, b, o):
    s = dict(s)
    if s["size"].get("longest_edge"):
        s["size"] = {"shortest_edge": s["size"]["shortest_edge"]}
    return {
        "pixel_values" if o.get("return_legacy_image_output") is False else "pixel_values_images": plain(
            images, s, "pil", o
        )["pixel_values"]
    }


def vivit(videos, s, b, o):
    out = []
    for frames in videos:
        for im in frames:
            a = crop(by_size(im[0], s, "pil"), s, "pil")
            x = numbers(a, dict(s, do_normalize=False), "pil")
            if s["offset"]:
                x = x - f32(1)
            if s["do_normalize"]:
                x = (x - np.array(s["image_mean"], f32).reshape(-1, 1, 1)) / np.array(s["image_std"], f32).reshape(
                    -1, 1, 1
                )
            out.append(x)
    return {"pixel_values": np.stack(out).reshape((len(videos), -1) + out[0].shape)}


def sapiens2(images, s, b, o):
    if o.get("boxes"):
        return None
    th, tw = s["size"]["height"], s["size"]["width"]
    xs = []
    for im in images:
        a = rgb(im, s)
        if s["do_pad"]:
            a = R.hf_center_crop(by_size(a, s, b, {"max_height": th, "max_width": tw}), th, tw, b)
        else:
            a = by_size(a, s, b)
        xs.append(numbers(crop(a, s, b), s, b))
    return {"pixel_values": stack(xs)}


def uvdoc(images, s, b, o):
    whole = [numbers(rgb(im, s), s, b)[[2, 1, 0]] for im in images]
    xs = []
    for x in whole:
        if not s["do_resize"]:
            xs.append(x)
            continue
        y = float_resize(x, (s["size"]["height"], s["size"]["width"]), "bilinear", False, True)
        xs.append(y)
    return {"pixel_values": stack(xs), "original_images": whole}


def doclayout(images, s, b, o):
    xs = [
        numbers(resize(rgb(im, s), (s["size"]["height"], s["size"]["width"]), s, b, antialias=False), s, b)
        for im in images
    ]
    if s.get("do_pad"):
        xs = [pad_br(x, (s["pad_size"]["height"], s["pad_size"]["width"])) for x in xs]
    return {"pixel_values": stack(xs)}


def doclayout4(images, s, b, o):
    hw = s["size"]["height"], s["size"]["width"]
    if not s["do_rescale"]:
        return doclayout(images, s, b, o)
    xs = []
    for im in images:
        x = float_resize(
            chw(rgb(im, s)).astype(f32) * f32(s["rescale_factor"]), hw, R.FILTER_BY_ID[s["resample"]], False
        )
        xs.append(float_numbers(np.clip(x, f32(0), f32(255 * s["rescale_factor"])), dict(s, do_rescale=False)))
    return {"pixel_values": stack(xs)}


def luma_torch(a):
    """torchvision's gray of uint8: float32 sums, truncated."""
    g = a[..., 0].astype(f32) * f32(0.2989)
    g = g + a[..., 1].astype(f32) * f32(0.587)
    g = g + a[..., 2].astype(f32) * f32(0.114)
    return g.astype(np.uint8)


def formulanet(images, s, b, o):
    xs = []
    th, tw = s["size"]["height"], s["size"]["width"]
    for im in images:
        a = rgb(im, s)
        if s["do_crop_margin"]:
            g = luma_torch(a)
            lo, hi = int(g.min()), int(g.max())
            if lo != hi:
                dark = ((g - lo).astype(f32) / f32(hi - lo)) * f32(255) < 200
                y, x = np.nonzero(dark)
                a = a[y.min() : y.max() + 1, x.min() : x.max() + 1]
        if s["do_resize"]:
            a = resize(a, R.size_shortest(*a.shape[:2], min(th, tw)), s, b)
        if s["do_thumbnail"]:  # always bicubic
            h, w = a.shape[:2]
            nh, nw = min(h, th), min(w, tw)
            if (nh, nw) != (h, w):
                if h > w:
                    nw = int(w * nh / h)
                elif w > h:
                    nh = int(h * nw / w)
                a = resize(a, (nh, nw), s, b, 3)
        if s["do_pad"]:
            dh, dw = th - a.shape[0], tw - a.shape[1]
            a = np.pad(a, ((dh // 2, dh - dh // 2), (dw // 2, dw - dw // 2), (0, 0)))
        xs.append(numbers(a, s, b))
    return {"pixel_values": stack(xs)}


def lcnet(images, s, b, o):
    xs = []
    for im in images:
        a = rgb(im, s)
        if s["resize_short"] is None:
            a = by_size(a, s, b)
        else:
            k, d = s["resize_short"] / min(a.shape[:2]), s["size_divisor"] or 1
            a = resize(a, tuple(math.ceil(round(v * k) / d) * d for v in a.shape[:2]), s, b)
        xs.append(numbers(crop(a, s, b), s, b)[::-1])
    return {"pixel_values": stack(xs)}


def ocr_det(images, s, b, o):
    xs, sizes = [], []
    limit = s["limit_side_len"]
    for im in images:
        a = rgb(im, s)
        h, w = a.shape[:2]
        sizes.append((h, w))
        k = {
            "max": limit / max(h, w) if max(h, w) > limit else 1.0,
            "min": limit / min(h, w) if min(h, w) < limit else 1.0,
            "resize_long": limit / max(h, w),
        }[s["limit_type"]]
        nh, nw = int(h * k), int(w * k)
        most = s["max_side_limit"]
        if most is not None and max(nh, nw) > most:
            k = most / max(nh, nw)
            nh, nw = int(nh * k), int(nw * k)
        hw = tuple(max(int(round(v / 32) * 32), 32) for v in (nh, nw))
        xs.append(float_numbers(float_resize(chw(a), hw, R.FILTER_BY_ID[s["resample"]]), s)[::-1])
    return {"pixel_values": stack(xs), "target_sizes": np.array(sizes, f32)}


def ocr_rec(images, s, b, o, small=False):
    arrays = [rgb(im, s) for im in images]
    wide, high = -1, -1
    for a in arrays:
        if a.shape[1] > wide:
            high, wide = a.shape[:2]
    th, tw = s["size"]["height"], s["size"]["width"]
    width = int(th * max(wide / high, tw / th))
    if width > s["max_image_width"]:
        width = s["max_image_width"]
    elif width >= math.ceil(th * (wide / high)):
        width = int(math.ceil(th * (wide / high)))
    xs = []
    for a in arrays:
        if small:  # uint8 without antialias, BGR
            xs.append(numbers(resize(a, (th, width), s, b, antialias=False)[..., ::-1], s, b))
        else:  # float32 with antialias, RGB
            xs.append(float_numbers(float_resize(chw(a), (th, width), R.FILTER_BY_ID[s["resample"]]), s))
    if s["do_pad"] and width < s["pad_size"]["width"]:
        xs = [pad_br(x, (s["pad_size"]["height"], s["pad_size"]["width"])) for x in xs]
    return {"pixel_values": stack(xs)}


def slanext(images, s, b, o):
    """A fixed point bilinear of its own: 11 bits a weight, one rounding; float32 positions."""
    xs = []
    for im in images:
        a = rgb(im, s).astype(i64)
        h, w = a.shape[:2]
        k = max(s["size"]["height"], s["size"]["width"]) / max(h, w)

        def axis(n, out):
            at = (np.arange(out, dtype=f32) + f32(0.5)) * f32(n / out) - f32(0.5)
            i = np.floor(at)
            t = at - i
            t, i = np.where(i < 0, f32(0), t), np.maximum(i, 0)
            t, i = np.where(i >= n - 1, f32(1), t), np.where(i >= n - 1, n - 2, i)
            q = np.floor(t * f32(2048) + f32(0.5)).astype(i64)
            return i.astype(i64), q

        (y, qy), (x, qx) = axis(h, round(h * k)), axis(w, round(w * k))
        qy, qx = qy[:, None, None], qx[None, :, None]
        p = lambda dy, dx: a[(y + dy)[:, None], (x + dx)[None]]
        v = (2048 - qy) * ((2048 - qx) * p(0, 0) + qx * p(0, 1)) + qy * ((2048 - qx) * p(1, 0) + qx * p(1, 1))
        xs.append(numbers(np.clip((v + (1 << 21)) >> 22, 0, 255).astype(np.uint8), s, b))
    if s["do_pad"]:
        xs = [pad_br(x, (s["pad_size"]["height"], s["pad_size"]["width"])) for x in xs]
    return {"pixel_values": stack(xs)}


def bridgetower(images, s, b, o):
    xs = []
    for im in images:
        a = rgb(im, s)
        a = resize(a, vilt_size(*a.shape[:2], s["size"]["shortest_edge"], s["size_divisor"]), s, b)
        if s["do_center_crop"]:
            a = R.hf_center_crop(a, *[s["crop_size"]["shortest_edge"]] * 2, b)
        xs.append(numbers(a, s, b))
    if not s["do_pad"]:
        return {"pixel_values": stack(xs)}
    x, mask = masked(xs)
    return {"pixel_values": x, "pixel_mask": mask}


def vilt(images, s, b, o):
    xs = []
    for im in images:
        a = rgb(im, s)
        xs.append(
            numbers(
                resize(a, vilt_size(*a.shape[:2], s["size"]["shortest_edge"], s["size_divisor"], b != "pil"), s, b),
                s,
                b,
            )
        )
    if not s["do_pad"]:
        return {"pixel_values": stack(xs)}
    x, mask = masked(xs)
    return {"pixel_values": x, "pixel_mask": mask}


def maskformer(images, s, b, o):
    xs = []
    for im in images:
        a = rgb(im, s)
        if s["do_resize"]:
            h, w = by_size(np.zeros_like(a), s, b, f=0).shape[:2]
            d = s["size_divisor"] or 1
            a = resize(a, (-(-h // d) * d, -(-w // d) * d), s, b)
        xs.append(numbers(a, s, b))
    x, mask = masked(xs, s["pad_size"] and (s["pad_size"]["height"], s["pad_size"]["width"]))
    return {"pixel_values": x, "pixel_mask": mask}


def oneformer(images, s, b, o):
    x, mask = masked([numbers(by_size(rgb(im, s), s, b), s, b) for im in images])
    return {"pixel_values": x, "pixel_mask": mask, "task_inputs": ["the task is panoptic"]}


def eomt(images, s, b, o):
    short = s["size"]["shortest_edge"]
    parts, offsets = [], []
    for i, im in enumerate(images):
        a = by_size(rgb(im, s), s, b)
        if not s["do_split_image"]:
            parts.append(a)
            continue
        h, w = a.shape[:2]
        long = max(h, w)
        n = math.ceil(long / short)
        over = (n * short - long) / (n - 1) if n > 1 else 0
        for k in range(n):
            y = int(k * (short - over))
            parts.append(a[y : y + short] if h > w else a[:, y : y + short])
            offsets.append(np.array([i, y, y + short], i64))
    if s["do_pad"]:
        hw = short, s["size"].get("longest_edge") or short
        parts = [pad_hwc(a, tuple(max(v, n) for v, n in zip(hw, a.shape))) for a in parts]
    return {"pixel_values": stack([numbers(a, s, b) for a in parts]), "patch_offsets": offsets}


def pairs(images, s, b, o):
    """LightGlue, SuperGlue, EfficientLoFTR: gray after rescaling, in float32."""
    out = []
    for im in itertools.chain(*images):
        x = numbers(by_size(rgb(im, s), s, b), dict(s, do_normalize=False), b)
        if s["do_grayscale"] and not (np.array_equal(x[0], x[1]) and np.array_equal(x[1], x[2])):
            if b == "pil":
                g = x[0] * f32(0.2989) + x[1] * f32(0.587) + x[2] * f32(0.114)
            else:
                g = fused(x[2], f32(0.114), fused(x[1], f32(0.587), x[0] * f32(0.2989)))
            x = np.stack([g] * 3)
        out.append(x)
    x = np.stack(out)
    return {"pixel_values": x.reshape((-1, 2) + x.shape[1:])}


def tvp(videos, s, b, o):
    out = []
    for frames in videos:
        for im in frames:
            a = rgb(im, s)
            h, w = a.shape[:2]
            if "longest_edge" in s["size"]:
                long = s["size"]["longest_edge"]
                a = resize(a, (long, int(long * (w * 1.0 / h))) if h >= w else (int(long * (h * 1.0 / w)), long), s, b)
            else:
                a = by_size(a, s, b)
            x = numbers(crop(a, s, b), s, b)
            x = pad_br(x, (s["pad_size"]["height"], s["pad_size"]["width"]), s["constant_values"]) if s["do_pad"] else x
            out.append(x[::-1] if s["do_flip_channel_order"] else x)
    return {"pixel_values": np.stack(out).reshape((len(videos), -1) + out[0].shape)}


def seggpt(images, s, b, o):
    def numbers_of(ims, f=None, masks=False):
        xs = []
        for a, mode in ims:
            if masks and o.get("do_convert_rgb", s["do_convert_rgb"]):
                m = a[..., 0]
                n = o.get("num_labels", s["num_labels"])
                if n is not None:  # a color a class
                    base = int(n ** (1 / 3)) + 1
                    step = 256 // base
                    colors = np.array(
                        [(0, 0, 0)]
                        + [
                            (255 - i // base**2 * step, 255 - i % base**2 // base * step, 255 - i % base * step)
                            for i in range(n)
                        ],
                        np.uint8,
                    )
                    a = colors[m]
                else:
                    a = np.repeat(a, 3, 2)
                if b != "pil":  # float32 there: nearest_exact of floats picks the same
                    a = resize(a, (s["size"]["height"], s["size"]["width"]), s, b, 0)
                    xs.append(numbers(a, s, b).astype(f32))
                    continue
            xs.append(numbers(by_size(a, s, b, None, f), s, b))
        return np.stack(xs)

    out = {"pixel_values": numbers_of(images)}
    if o.get("prompt_images"):
        out["prompt_pixel_values"] = numbers_of(o["prompt_images"])
    if o.get("prompt_masks"):
        out["prompt_masks"] = numbers_of(o["prompt_masks"], 0, True)
    return out


def vitpose(images, s, b, o):
    th, tw = s["size"]["height"], s["size"]["width"]
    xs = []
    for im, boxes in zip(images, o["boxes"]):
        a = rgb(im, s)
        if not s["do_affine_transform"]:
            xs.append(numbers(a, s, b))
            continue
        for x0, y0, w, h in boxes:
            centre = np.array([x0 + w * 0.5, y0 + h * 0.5], f32)
            r = tw / th
            if w > r * h:
                h = w * 1.0 / r
            elif w < r * h:
                w = h * r
            scale = np.array([w / s["normalize_factor"], h / s["normalize_factor"]], f32) * f32(1.25)
            m = np.zeros((2, 2), f32)  # per axis: factor and shift, float32
            for k, side in ((0, tw), (1, th)):
                target = scale[k] * f32(200)
                factor = (side - 1.0) / float(target)
                m[k] = factor, factor * float(f32(-0.5) * (centre[k] * f32(2)) + f32(0.5) * target)
            inv = [(1 / float(f), -float(t) / float(f)) for f, t in m]  # back to the picture
            fx, tx = inv[0]
            fy, ty = inv[1]
            xs.append(numbers(affine(a, [fy * i + ty for i in range(th)], [fx * i + tx for i in range(tw)]), s, b))
    return {"pixel_values": stack(xs)}


def affine(a, ys, xs):
    """Linear samples at positions; 0 where a position lies outside; halves up."""
    h, w = a.shape[:2]
    out = np.zeros((len(ys), len(xs), a.shape[2]))
    yi, xi = np.array(ys), np.array(xs)
    oky, okx = (yi >= 0) & (yi <= h - 1), (xi >= 0) & (xi <= w - 1)
    fy, fx = np.floor(yi), np.floor(xi)
    ty, tx = (yi - fy)[:, None, None], (xi - fx)[None, :, None]
    y0, x0 = np.clip(fy, 0, h - 1).astype(int), np.clip(fx, 0, w - 1).astype(int)
    y1, x1 = np.minimum(y0 + 1, h - 1), np.minimum(x0 + 1, w - 1)
    p = lambda y, x: a[y[:, None], x[None]].astype(np.float64)
    out = (1 - ty) * (1 - tx) * p(y0, x0) + (1 - ty) * tx * p(y0, x1) + ty * (1 - tx) * p(y1, x0) + ty * tx * p(y1, x1)
    out[~oky] = 0
    out[:, ~okx] = 0
    return np.clip(np.floor(out + 0.5), 0, 255).astype(np.uint8)


def grid_tiles(a, cols, rows, s, b, thumbnail):
    th, tw = s["size"]["height"], s["size"]["width"]
    parts = tiles_of(resize(a, (th * rows, tw * cols), s, b), th, tw)
    if len(parts) != 1:
        small = resize(a, (th, tw), s, b)
        parts = [small] + parts if thumbnail == "first" else parts + [small]
    return parts


def got_ocr2(images, s, b, o, grid=None):
    xs, counts = [], []
    for im in images:
        a = rgb(im, s)
        h, w = a.shape[:2]
        th, tw = s["size"]["height"], s["size"]["width"]
        if s["crop_to_patches"] and (b != "pil" or s["max_patches"] > 1):
            cols, rows = grid(h, w) if grid else ratio_grid(h, w, th, tw, s["min_patches"], s["max_patches"])
            parts = grid_tiles(a, cols, rows, s, b, "last")
        else:
            parts = [by_size(a, s, b)]
        counts.append(len(parts))
        xs += [numbers(p, s, b) for p in parts]
    return {"pixel_values": stack(xs), "num_patches": np.array(counts, i64)}


def cohere2(images, s, b, o):
    return got_ocr2(images, s, b, o, lambda h, w: scale_grid(h, w, s["size"]["height"], s["max_patches"]))


def ovis2(images, s, b, o):
    xs, grids = [], []
    for im in images:
        a = rgb(im, s)
        h, w = a.shape[:2]
        if s["crop_to_patches"] and s["max_patches"] > 1:
            th, tw = s["size"]["height"], s["size"]["width"]
            cols, rows = (
                covering_grid(h, w, th, s["max_patches"])
                if s["use_covering_area_grid"]
                else ratio_grid(h, w, th, tw, s["min_patches"], s["max_patches"])
            )
            parts = grid_tiles(a, cols, rows, s, b, "first")
        else:
            cols = rows = 1
            parts = [by_size(a, s, b)]
        grids.append((rows, cols))
        xs += [numbers(p, s, b) for p in parts]
    return {"pixel_values": stack(xs), "grids": np.array(grids, i64)}


def deepseek_ocr2(images, s, b, o, unlimited=False):
    whole, local, counts, grids = [], [], [], []
    t = s["tile_size"]
    for im in images:
        a = rgb(im, s)
        h, w = a.shape[:2]
        cols = rows = 1
        n = 0
        if s["crop_to_patches"] and max(h, w) > t:
            cols, rows = ratio_grid(h, w, t, t, s["min_patches"], s["max_patches"])
            n = cols * rows
            local += [numbers(p, s, b) for p in tiles_of(resize(a, (t * rows, t * cols), s, b), t, t)]
        counts.append(n)
        grids.append([cols, rows])
        side = max(s["size"].values()) if unlimited else s["size"]["height"] if s["crop_to_patches"] else t
        if unlimited and not s["crop_to_patches"] and side <= s["maximum_pad_value"]:
            a = resize(a, (side, side), s, b)
        else:
            k = side / max(h, w)
            a = resize(a, (round(h * k), round(w * k)), s, b)
            if a.shape[0] != a.shape[1]:
                a = centered(a, max(a.shape[:2]), s["background_color"])
        whole.append(numbers(a, s, b))
    out = {"pixel_values": stack(whole), "num_local_patches": counts if unlimited else np.array(counts, i64)}
    if unlimited:
        out["patches_grid"] = grids
    if local:
        out["pixel_values_local"] = np.stack(local)
    return out


def deepseek_square(a, side, s, b, f, mean):
    h, w = a.shape[:2]
    k = side / max(h, w)
    a = resize(a, (max(round(h * k), s["min_size"]), max(round(w * k), s["min_size"])), s, b, f)
    if s["do_pad"] and a.shape[0] != a.shape[1]:
        a = centered(a, max(a.shape[:2]), [127] * 3 if mean is None else [int(v * 255) for v in mean])
    return a


def deepseek_vl(images, s, b, o):
    side = s["size"]["height"]
    return {
        "pixel_values": stack(
            [
                numbers(deepseek_square(rgb(im, s), side, s, b, s["resample"], s["border_image_mean"]), s, b)
                for im in images
            ]
        )
    }


def deepseek_hybrid(images, s, b, o):
    low, high = [], []
    for im in images:
        a = deepseek_square(
            rgb(im, s), s["high_res_size"]["height"], s, b, s["high_res_resample"], s["border_high_res_image_mean"]
        )
        high.append(numbers(a, dict(s, image_mean=s["high_res_image_mean"], image_std=s["high_res_image_std"]), b))
        low.append(numbers(deepseek_square(a, s["size"]["height"], s, b, s["resample"], s["border_image_mean"]), s, b))
    return {"pixel_values": stack(low), "high_res_pixel_values": stack(high)}


def mllama(batch, s, b, o):
    t, most = s["size"]["height"], s["max_image_tiles"]
    grids = [
        (a, c) for a in range(1, most + 1) for c in range(1, most + 1) if a * c <= most
    ]  # (rows, columns), by rows
    n = max(len(x) for x in batch)
    px = np.zeros((len(batch), n, most, 3, t, t), f32)
    ids, mask, counts = np.zeros((len(batch), n), i64), np.zeros((len(batch), n, most), i64), []
    mask[:, :, 0] = 1
    for i, sample in enumerate(batch):
        counts.append([])
        for j, im in enumerate(sample):
            a = rgb(im, s)
            h, w = a.shape[:2]
            k = [min(g[0] * t / h, g[1] * t / w) for g in grids]
            want = min(v for v in k if v >= 1) if max(k) >= 1 else max(k)
            rows, cols = min((g for g, v in zip(grids, k) if v == want), key=lambda g: g[0] * g[1])
            tw, th = min(max(w, t), cols * t), min(max(h, t), rows * t)
            kh, kw = th / h, tw / w
            hw = (min(math.floor(h * kw) or 1, th), tw) if kw < kh else (th, min(math.floor(w * kh) or 1, tw))
            parts = tiles_of(pad_hwc(resize(a, hw, s, b), (rows * t, cols * t)), t, t)
            px[i, j, : len(parts)] = [numbers(p, s, b) for p in parts]
            ids[i, j] = grids.index((rows, cols)) + 1
            mask[i, j, : len(parts)] = 1
            counts[-1].append(len(parts))
    return {"pixel_values": px, "aspect_ratio_ids": ids, "aspect_ratio_mask": mask, "num_tiles": counts}


def bf16(x):
    """float32 -> the nearest bfloat16, ties to even, as float32."""
    u = np.ascontiguousarray(x, f32).view(np.uint32)
    return ((u + 0x7FFF + ((u >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(f32)


def llama4_numbers(a, s):
    x = chw(a)
    if s["do_rescale"] and s["do_normalize"]:  # bfloat16 after every operation
        col = lambda v: bf16(np.array(v, f32)).reshape(-1, 1, 1)
        x = bf16(x.astype(f32) * f32(s["rescale_factor"]))
        return bf16(bf16(x - col(s["image_mean"])) / col(s["image_std"]))
    return numbers(a, s, "torchvision")


def llama4(images, s, b, o):
    t, out, ratios = s["size"]["height"], [], []
    grids = list(itertools.chain(*chunk_resolutions(s["max_patches"]).values()))
    for im in images:
        a = rgb(im, s)
        h, w = a.shape[:2]
        # torch: int64 / int in float32
        k = [min(f32(g[0] * t) / f32(h), f32(g[1] * t) / f32(w)) for g in grids]
        up = [v for v in k if v >= 1]
        want = (max(up) if s["resize_to_max_canvas"] else min(up)) if up else max(k)
        rows, cols = min((g for g, v in zip(grids, k) if v == want), key=lambda g: g[0] * g[1])
        hw = (rows * t, cols * t) if s["resize_to_max_canvas"] else (min(max(h, t), rows * t), min(max(w, t), cols * t))
        kw, kh = hw[1] / w, hw[0] / h
        hw = (min(math.floor(h * kw), hw[0]), hw[1]) if kw < kh else (hw[0], min(math.floor(w * kh), hw[1]))
        parts = tiles_of(pad_hwc(resize(a, (max(hw[0], 1), max(hw[1], 1)), s, b), (rows * t, cols * t)), t, t)
        if len(parts) > 1:
            parts.append(by_size(a, s, b))
        out += [llama4_numbers(p, s) for p in parts]
        ratios.append((rows, cols))
    return {"pixel_values": stack(out), "aspect_ratios": np.array(ratios, i64)}


def perception_lm(images, s, b, o):
    t, most = s["tile_size"], s["max_num_tiles"]
    table = chunk_resolutions(
        CLASSES["image"]["PerceptionLMImageProcessor"]["settings"]["max_num_tiles"]
        if "max_num_tiles" not in s
        else most
    )
    out = []
    for im in images:
        a = rgb(im, s)
        h, w = a.shape[:2]
        parts = [resize(a, (t, t), s, b)]
        if s["vision_input_type"] == "thumb+tile":
            cols = rows = 1
            if most > 1:
                best = None
                for gw, gh in itertools.chain(*table.values()):
                    if gw * t >= w and gh * t >= h:
                        r = w / h
                        k = min(gw * t / w, gh * t / h)
                        fit = (k * w, math.floor(k * w / r)) if r > 1.0 else (math.floor(k * h * r), k * h)
                        if best is None or (r < 1.0 and fit[0] >= best[1][0]) or (r >= 1.0 and fit[1] >= best[1][1]):
                            best = (gw, gh), fit
                if best:
                    cols, rows = best[0]
                else:
                    r = w / h
                    if r >= 1:
                        near = min((k for k in table if k <= r), key=lambda k: abs(k - r))
                        cols, rows = max(table[near], key=lambda g: g[0])
                    else:
                        near = min((k for k in table if k > r), key=lambda k: abs(1 / k - 1 / r))
                        cols, rows = max(table[near], key=lambda g: g[1])
            parts += tiles_of(resize(a, (rows * t, cols * t), s, b), t, t)
        out.append(np.stack([numbers(p, s, b) for p in parts]))
    return {"pixel_values": stack(out) if len({x.shape for x in out}) == 1 else out}


def phi4(images, s, b, o):
    side, p, most = s["size"]["height"], s["patch_size"], s["dynamic_hd"]
    m = side // p
    xs, masks, tokens, sizes = [], [], [], []
    for im in images:
        a = rgb(im, s)
        h, w = a.shape[:2]
        cols, rows = math.ceil(w / side), math.ceil(h / side)
        if cols * rows > most:
            cols, rows = ratio_grid(h, w, side, side, 1, most)
        tw, th = side * cols, side * rows
        kw, kh = tw / w, th / h
        nw, nh = (tw, int(h * kw)) if kw < kh else (int(w * kh), th)
        if min(nw, nh) < 10:
            raise Refused  # "the aspect ratio is very extreme"
        mask = np.ones((m * rows, m * cols), f32)
        if tw - nw >= p:
            mask[:, -math.floor((tw - nw) / p) :] = 0
        if th - nh >= p:
            mask[-math.floor((th - nh) / p) :] = 0
        a = pad_hwc(resize(a, (nh, nw), s, b, 2), (th, tw), 255)  # always bilinear, white around
        x = numbers(a, s, b)
        whole = float_resize(x, (side, side), R.FILTER_BY_ID[s["resample"]], False).astype(f32)
        parts = [whole] + [x[:, y : y + side, q : q + side] for y in range(0, th, side) for q in range(0, tw, side)]
        cells = [mask[y : y + m, q : q + m] for y in range(0, m * rows, m) for q in range(0, m * cols, m)]
        half = np.block([[cells[r * cols + c][::2, ::2] for c in range(cols)] for r in range(rows)])
        tokens.append(256 + 1 + int(half.sum()) + int(half[:, 0].sum()) + 16)
        xs.append(np.stack(parts))
        masks.append(np.stack([np.ones((m, m), f32)] + cells))
        sizes.append((th, tw))
    n = max(len(x) for x in xs)
    xs = [np.concatenate([x, np.zeros((n - len(x),) + x.shape[1:], f32)]) for x in xs]
    masks = [np.concatenate([x, np.ones((n - len(x),) + x.shape[1:], f32)]) for x in masks]
    return {
        "image_pixel_values": np.stack(xs),
        "image_sizes": np.array(sizes, i64),
        "image_attention_mask": np.stack(masks),
        "num_img_tokens": np.array(tokens, i64),
    }


def aria(images, s, b, o):
    side, least = s["max_image_size"], s["min_image_size"]
    xs, masks, most = [], [], 0
    for im in images:
        a = rgb(im, s)
        parts = [a]
        if s["split_image"]:
            h, w = a.shape[:2]
            best, used, waste = None, 0, math.inf
            for gh, gw in s["split_resolutions"]:
                k = min(gw / w, gh / h)
                u = min(int(w * k) * int(h * k), w * h)
                if u > used or (u == used and gh * gw - u < waste):
                    best, used, waste = (gh, gw), u, gh * gw - u
            gh, gw = best
            fit = lambda h, w: (
                (min(math.ceil(h * (gw / w)), gh), gw) if gw / w < gh / h else (gh, min(math.ceil(w * (gh / h)), gw))
            )
            c = resize(a, fit(h, w), s, b)
            ch, cw = fit(*c.shape[:2])  # the border is counted from a second fit, of the fitted size
            dy, dx = gh - ch, gw - cw
            c = np.pad(c, ((dy // 2, dy - dy // 2), (dx // 2, dx - dx // 2), (0, 0)))
            parts = tiles_of(c, side, side)
        most = max(most, len(parts))
        for p in parts:
            h, w = p.shape[:2]
            k = side / max(h, w)
            hw = (max(int(h * k), least), side) if w >= h else (side, max(int(w * k), least))
            mask = np.zeros((side, side), bool)
            mask[: hw[0], : hw[1]] = True
            masks.append(mask)
            xs.append(numbers(pad_hwc(resize(p, hw, s, b), (side, side)), s, b))
    return {"pixel_values": stack(xs), "pixel_mask": np.stack(masks), "num_crops": np.array([most], i64)[0:1]}


def nested_batch(rows, pad=True):
    """Rows of CHW arrays -> zeros where pictures end, int64 masks."""
    n = max(len(r) for r in rows)
    hw = max(x.shape[1] for r in rows for x in r), max(x.shape[2] for r in rows for x in r)
    px, mask = np.zeros((len(rows), n, rows[0][0].shape[0]) + hw, f32), np.zeros((len(rows), n) + hw, i64)
    for i, r in enumerate(rows):
        for j, x in enumerate(r):
            px[i, j] = pad_br(x, hw)
            mask[i, j, : x.shape[1], : x.shape[2]] = 1
    return px, mask


def idefics2(batch, s, b, o):
    rows = []
    for sample in batch:
        row = []
        for im in sample:
            a = rgb(im, s)
            h, w = a.shape[:2]
            parts = (
                [a[: h // 2, : w // 2], a[: h // 2, w // 2 :], a[h // 2 :, : w // 2], a[h // 2 :, w // 2 :], a]
                if s["do_image_splitting"]
                else [a]
            )
            for p in parts:
                h, w = p.shape[:2]
                if "shortest_edge" in s["size"]:
                    lo, hi = s["size"]["shortest_edge"], s["size"]["longest_edge"]
                    r = w / h
                    if w >= h and w > hi:
                        h, w = int(hi / r), hi
                    elif h > w and h > hi:
                        h, w = hi, int(hi * r)
                    hw = max(h, lo), max(w, lo)
                else:
                    hw = s["size"]["height"], s["size"]["width"]
                row.append(numbers(resize(p, hw, s, b), s, b))
        rows.append(row)
    if not s["do_pad"]:
        return {"pixel_values": np.stack([np.stack(r) for r in rows])}
    px, mask = nested_batch(rows)
    return {"pixel_values": px, "pixel_attention_mask": mask}


def even_size(h, w, longest):
    r = w / h
    if w >= h:
        w, h = longest, int(longest / r)
        h += h % 2
    else:
        h, w = longest, int(longest * r)
        w += w % 2
    h, w = max(h, 1), max(w, 1)
    r = w / h
    if w >= h and w > 4096:
        w, h = 4096, int(4096 / r)
    elif h > w and h > 4096:
        h, w = 4096, int(4096 * r)
    return max(h, 1), max(w, 1)


def ultravbert(batch, s, b, o):
    """Idefics3 with a longest edge that falls by tiles until the tiles are few enough."""
    t = s["max_image_size"]["longest_edge"]
    rows, nr, nc = [], [], []

    def grid(h, w, longest):
        h, w = even_size(h, w, longest)
        r = w / h
        if w >= h:
            c = math.ceil(w / t)
            return math.ceil(int(c * t / r) / t), c
        n = math.ceil(h / t)
        return n, math.ceil(int(n * t * r) / t)

    for sample in batch:
        row, rr, cc = [], [], []
        for im in sample:
            a = rgb(im, s)
            h, w = a.shape[:2]
            longest = s["size"]["longest_edge"]
            if s["do_image_splitting"]:
                while longest > t and math.prod(grid(h, w, longest)) > s["max_image_tiles"]:
                    longest -= t
            a = resize(a, even_size(h, w, longest), s, b)
            n = (0, 0)
            if s["do_image_splitting"]:
                h, w = a.shape[:2]
                r = w / h
                if w >= h:
                    w = math.ceil(w / t) * t
                    h = math.ceil(int(w / r) / t) * t
                else:
                    h = math.ceil(h / t) * t
                    w = math.ceil(int(h * r) / t) * t
                a = resize(a, (h, w), s, b)
                parts = [a]
                if h > t or w > t:
                    n = math.ceil(h / t), math.ceil(w / t)
                    parts = tiles_of(a, t, t) + [resize(a, (t, t), s, b)]
            else:
                parts = [resize(a, (t, t), s, b)]
            row += [numbers(p, s, b) for p in parts]
            rr.append(n[0])
            cc.append(n[1])
        rows.append(row)
        nr.append(rr)
        nc.append(cc)
    px, mask = nested_batch(rows)
    out = {"pixel_values": px, "pixel_attention_mask": mask}
    if o.get("return_row_col_info"):
        out.update(rows=nr, cols=nc)
    return out


def granite(batch, s, b, o):
    th, tw = s["size"]["height"], s["size"]["width"]
    rows, nr, nc = [], [], []
    for sample in batch:
        row, rr, cc = [], [], []
        for im in sample:
            a = rgb(im, s)
            h, w = a.shape[:2]
            most = 1
            if s["crop_to_patches"] and s["max_patches"] > 1:
                most = s["max_patches"]
                dense, scale, lo, hi = (
                    s[k] for k in ("dense_max_patches", "dense_max_scale", "dense_min_aspect", "dense_max_aspect")
                )
                r = w / h
                if dense and (scale > 0 or lo > 0) and not (lo > 0 and not r > lo) and not (hi > 0 and r > hi):
                    if not scale > 0 or ratio_grid(h, w, th, tw, s["min_patches"], most, 16)[0] * tw / w < scale:
                        most = dense
            cols, rws = ratio_grid(h, w, th, tw, min(s["min_patches"], most), most, 16)
            row += [numbers(p, s, b) for p in grid_tiles(a, cols, rws, s, b, "last")]
            rr.append(rws if most > 1 else 1)
            cc.append(cols if most > 1 else 1)
        rows.append(row)
        nr.append(rr)
        nc.append(cc)
    n = max(map(len, rows))
    px, mask = (
        np.zeros((len(rows), n, 3, th, tw), f32 if b == "pil" else rows[0][0].dtype),
        np.zeros((len(rows), n), bool),
    )
    for i, r in enumerate(rows):
        px[i, : len(r)] = r
        mask[i, : len(r)] = True
    out = {"pixel_values": px, "pixel_attention_mask": mask, "rows": nr, "cols": nc}
    if s["fine_route"]:
        out["tile_fine_mask"] = np.ones(len(rows), bool)
    return out


def step3p7(images, s, b, o):
    side, p = s["size"]["height"], s["patch_size"]
    whole, local, counts, newlines = [], [], [], []
    for im in images:
        a = rgb(im, s)
        h, w = a.shape[:2]
        if min(w, h) < 32 and max(w / h, h / w) > 4:
            a = pad_hwc(a, (max(h, w),) * 2)
            h = w = max(h, w)
        if max(h, w) > s["max_image_size"]:
            k = s["max_image_size"] / max(h, w)
            w, h = int(w * k), int(h * k)
        short, long = min(h, w), max(h, w)
        if long <= side:
            win = short if long / short > 1.5 else 0
        elif long / short > 4:
            win = min(short, p)
        else:
            win = p
        g = resize(resize(a, (h, w), s, b), (side, side), s, b)
        whole.append(numbers(g, s, b))
        if win == 0:
            counts.append(0)
            newlines.append([])
            continue
        ch, cw = (win * (d // win + (d % win > 0.2 * win)) if d >= win else d for d in (h, w))
        nx, ny = max(1, cw // win), max(1, ch // win)
        parts = tiles_of(resize(a, (ch, cw), s, b), win, win)
        local += [numbers(resize(q, (p, p), s, b), s, b) for q in parts]
        counts.append(len(parts))
        newlines.append([c == nx - 1 and r < ny - 1 for r in range(ny) for c in range(nx)])
    out = {"pixel_values": stack(whole), "num_local_patches": np.array(counts, i64)}
    if local:
        n = max(counts)
        out["pixel_values_local"] = np.stack(local)
        out["patch_newline_masks"] = [m + [False] * (n - len(m)) for m in newlines]
    return out


def flattened(images, s, b, o, kosmos=False):
    """Pix2Struct, Kosmos-2.5: the picture's own mean and deviation, a float resize, rows of (row, column, patch)."""
    ph, pw, most = s["patch_size"]["height"], s["patch_size"]["width"], s["max_patches"]
    xs, masks, ws, hs, rs, cs = [], [], [], [], [], []
    for im in images:
        x = chw(rgb(im, s)).astype(f32)
        h, w = x.shape[1:]
        if s["do_normalize"]:  # mean and deviation in double here, in float32 in Python
            sd = x.astype(np.float64).std(ddof=0 if b == "pil" else 1)
            x = (x - f32(x.astype(np.float64).mean())) / f32(max(sd, 1 / math.sqrt(x.size)))
        k = math.sqrt(most * (ph / h) * (pw / w))
        rows = max(min(math.floor(k * h / ph), most), 1)
        cols = max(min(math.floor(k * w / pw), most), 1)
        x = float_resize(x, (rows * ph, cols * pw), "bilinear")
        v = x.reshape(3, rows, ph, cols, pw).transpose(1, 3, 2, 4, 0).reshape(rows * cols, -1)
        ids = np.stack([np.repeat(np.arange(rows) + 1, cols), np.tile(np.arange(cols) + 1, rows)], 1)
        v = np.concatenate([ids, v], 1).astype(f32)
        xs.append(np.concatenate([v, np.zeros((most - len(v), v.shape[1]), f32)]))
        masks.append((np.arange(most) < len(v)).astype(f32))
        ws.append(cols * pw)
        hs.append(rows * ph)
        rs.append(rows)
        cs.append(cols)
    out = {"flattened_patches": np.stack(xs), "attention_mask": np.stack(masks)}
    if kosmos:
        out.update(width=np.array(ws, i64), height=np.array(hs, i64), rows=np.array(rs, i64), cols=np.array(cs, i64))
    return out


def fuyu(images, s, b, o):
    th, tw = s["size"]["height"], s["size"]["width"]
    xs, hs, ws, ks, sizes = [], [], [], [], []
    for im in images:
        a = rgb(im, s)
        h, w = a.shape[:2]
        sizes.append((h, w))
        if not (w <= tw and h <= th):
            k = min(th / h, tw / w)
            a = resize(a, (int(h * k), int(w * k)), s, b)
        hs.append([a.shape[0]])
        ws.append([a.shape[1]])
        ks.append([a.shape[0] / h])
        xs.append(numbers(pad_hwc(a, (th, tw), int(s["padding_value"])), s, b)[None])
    return {
        "images": np.stack(xs),
        "image_unpadded_heights": np.array(hs, i64),
        "image_unpadded_widths": np.array(ws, i64),
        "image_scale_factors": np.array(ks, f32),
        "image_sizes": np.array(sizes, i64),
    }


def flava(images, s, b, o):
    out = {"pixel_values": plain(images, dict(s, do_pad=False), b, o)["pixel_values"]}
    if s["return_codebook_pixels"]:
        c = {k[9:]: v for k, v in s.items() if k.startswith("codebook_")}
        x = plain(images, dict(c, do_convert_rgb=s.get("do_convert_rgb")), b, o)["pixel_values"]
        out["codebook_pixel_values"] = f32(1 - 2 * 0.1) * x + f32(0.1) if c["do_map_pixels"] else x
    return out


def imagegpt(images, s, b, o):
    x = plain(images, s, b, o)["pixel_values"]
    if not s["do_color_quantize"]:
        return {"pixel_values": x}
    c = np.array(s["clusters"], np.float64)
    v = x.transpose(0, 2, 3, 1).reshape(-1, 3).astype(np.float64)
    d = (v**2).sum(1)[:, None] - 2 * v @ c.T + (c**2).sum(1)[None]
    return {"input_ids": d.argmin(1).reshape(len(x), -1).astype(i64)}


def qwen_like(images, s, b, o, rule=area_size, grouped=True, order="ctyx", cut=False):
    p, m, t = s["patch_size"], s["merge_size"], s["temporal_patch_size"]
    px, grids = [], []
    for im in images:
        a = rgb(im, s)
        lo, hi = s["size"]["shortest_edge"], s["size"]["longest_edge"]
        a = resize(a, rule(*a.shape[:2], p * m, lo, hi), s, b, 3 if rule is area_size and not grouped else None)
        v, g = patches(numbers(a, s, b), p, m, t, order, grouped)
        px.append(v.astype(f32) if b == "pil" else v)  # the PIL classes always make floats
        grids.append((1,) + g)
    px = np.concatenate(px)
    return {"pixel_values": px.reshape(len(px), 3 * t, p, p) if cut else px, "image_grid_thw": np.array(grids, i64)}


def hunyuan(images, s, b, o):
    return qwen_like(images, s, b, o, grouped=False)  # always bicubic


def paddle(images, s, b, o):
    return qwen_like(images, s, b, o, paddle_size, False, "ctyx", True)


def videollama3(images, s, b, o):
    out = qwen_like(images, s, b, o)
    return {**out, "image_merge_sizes": np.full(len(images), s["merge_size"], i64)}


def cosmos(images, s, b, o):
    t = s["temporal_patch_size"]
    return qwen_like(images, s, b, o, lambda h, w, f, lo, hi: volume_size(t, h, w, f, lo, hi, t), True, "yxct")


def glm(images, s, b, o):
    t = s["temporal_patch_size"]
    return qwen_like(images, s, b, o, lambda h, w, f, lo, hi: volume_size(t, h, w, f, lo, hi, t))


def glmga(images, s, b, o):
    t, e = s["temporal_patch_size"], s["patch_expand_factor"] if b != "pil" else 1  # the PIL class forgets the factor
    return qwen_like(images, s, b, o, lambda h, w, f, lo, hi: volume_size(t, h, w, f * e, lo, hi, t))


def glm5(images, s, b, o):
    p, m, t = s["patch_size"], s["merge_size"], s["temporal_patch_size"]
    e = s["patch_expand_factor"] if b != "pil" else 1
    px, grids = [], []
    for im in images:
        a = rgb(im, s)
        canvas, hw = glm5_sizes(t, *a.shape[:2], p * m * e, t, s["min_image_tokens"], s["max_image_tokens"])
        v, g = patches(numbers(pad_hwc(resize(a, hw, s, b), canvas), s, b), p, m, t)
        px.append(v.astype(f32) if b == "pil" else v)
        grids.append((1,) + g)
    return {"pixel_values": np.concatenate(px), "image_grid_thw": np.array(grids, i64)}


def glm_image(images, s, b, o):
    return qwen_like(images, s, b, o, glm_image_size)


def kimi(images, s, b, o):
    p = s["patch_size"]
    px, grids = [], []
    for im in images:
        a = rgb(im, s)
        hw, canvas = navit_sizes(*a.shape[:2], p, s["merge_size"], s["max_patches"], s["size"]["max_height"])
        v, g = patches(numbers(pad_hwc(resize(a, hw, s, b), canvas), s, b), p, grouped=False)
        px.append(v.reshape(-1, 3, p, p))
        grids.append((1,) + g)
    return {"pixel_values": np.concatenate(px), "image_grid_thw": np.array(grids, i64)}


def muse(images, s, b, o):
    p = s["patch_size"]
    px, grids = [], []
    for im in images:
        a = rgb(im, s)
        a = resize(a, muse_size(*a.shape[:2], p * s["merge_size"], s["max_image_tokens"]), s, b)
        v, g = patches(numbers(a, s, b), p, 1, s["temporal_patch_size"], "tcyx")
        px.append(v)
        grids.append((1,) + g)
    return {"pixel_values": np.concatenate(px), "image_grid_thw": np.array(grids, i64)}


def nemotron(images, s, b, o):
    p, m = s["patch_size"], round(1 / s["downsample_ratio"])
    n = max((s["max_model_len"] - 4) * m**2, s["min_num_patches"] * len(images))
    n = max(min(n, s["max_num_patches"]) if s["max_num_patches"] else n, s["min_num_patches"])
    px, grids = [], []
    for im in images:
        a = rgb(im, s)
        gh, gw = nemotron_grid(*a.shape[:2], p, m, s["min_num_patches"], n)
        x = float_numbers(float_resize(chw(a), (gh * p, gw * p), R.FILTER_BY_ID[s["resample"]]), s)
        v, g = patches(x, p, grouped=False)
        px.append(v)
        grids.append(g)
    return {"pixel_values": np.concatenate(px), "image_grid_hw": np.array(grids, i64)}


def neomme(images, s, b, o):
    p = s["patch_size"]
    px, grids = [], []
    for im in images:
        a = rgb(im, s)
        a = resize(a, neomme_size(*a.shape[:2], s["max_side"], s["size"]), s, b)
        a = pad_hwc(a, tuple(v + -v % p for v in a.shape[:2]))
        v, g = patches(numbers(a, s, b), p, 1, 1, "yxc")
        px.append(v)
        grids.append(g)
    return {"pixel_values": np.concatenate(px), "image_grid_hw": np.array(grids, i64)}


def inkling(images, s, b, o):
    t = s["size"]["height"]
    px, counts = [], []
    for im in images:
        a = rgb(im, s)
        h, w = a.shape[:2]
        if s["rescale_image_frac"] is not None:
            long = max(h, w)
            want = long * s["rescale_image_frac"]
            if s["rescale_image_max_upscaled_long_edge"] is not None:
                want = min(want, max(s["rescale_image_max_upscaled_long_edge"], long))
            k = want / long
            if k != 1.0:
                a = resize(a, (math.floor(h * k + 0.5), math.floor(w * k + 0.5)), s, b)
                h, w = a.shape[:2]
        rows, cols = (h + t - 1) // t, w // t + 1  # one more column of nothing where w is a multiple
        for y, x in itertools.product(range(rows), range(cols)):
            part = np.full((t, t, 3), -1, np.int16)  # -1 where there is no picture, before rescaling
            c = a[y * t : y * t + t, x * t : x * t + t]
            part[: c.shape[0], : c.shape[1]] = c
            v = numbers(part, s, "torchvision").astype(f32)
            px.append(np.stack([v.transpose(1, 2, 0)] * 2))
        counts.append(rows * cols)
    return {"pixel_values": np.stack(px), "num_patches": np.array(counts, i64)}


def inkling2(images, s, b, o):
    th, tw = s["size"]["height"], s["size"]["width"]
    px, grids = [], []
    for a, mode in images:
        if mode in ("RGBA", "LA"):  # on a chessboard of 8 pixels, 204 and 153
            a = np.concatenate([a[..., :1].repeat(3, 2), a[..., 1:]], 2) if mode == "LA" else a
            y, x = np.indices(a.shape[:2]) // 8
            board = np.where((y + x) % 2 == 0, 204, 153)[..., None]
            al = a[..., 3:].astype(i64)
            a = ((a[..., :3] * al + board * (255 - al) + 127) // 255).astype(np.uint8)
        else:
            a = R.to_rgb(a, mode)
        rows, cols = math.ceil(a.shape[0] / th), math.ceil(a.shape[1] / tw)
        a = pad_hwc(a.astype(np.int16), (rows * th, cols * tw), -1)
        px.append(
            numbers(a, s, "torchvision")
            .astype(f32)
            .reshape(3, rows, th, cols, tw)
            .transpose(1, 3, 2, 4, 0)
            .reshape(-1, th, tw, 3)
        )
        grids.append((1, rows, cols))
    return {"pixel_values": np.concatenate(px), "image_grid_thw": np.array(grids, i64)}


def gemma_resize(a, hw, s, b):
    """The nearest pixel of torchvision by torch's older rule."""
    older = s["resample"] == 0 and b != "pil"
    return R.torch_resize(a, (hw[1], hw[0]), "nearest") if older else resize(a, hw, s, b)


def gemma4(images, s, b, o):
    p, k, n = s["patch_size"], s["pooling_kernel_size"], s["max_soft_tokens"]
    most = n * k * k
    px, at, counts = [], [], []
    for im in images:
        a = rgb(im, s)
        a = gemma_resize(a, gemma4_size(*a.shape[:2], p, most, k), s, b)
        v, (gh, gw) = patches(numbers(a, s, b), p, 1, 1, "yxc")
        ids = np.stack([np.tile(np.arange(gw), gh), np.repeat(np.arange(gh), gw)], 1)
        px.append(np.concatenate([v, np.zeros((most - len(v), v.shape[1]), v.dtype)]))
        at.append(np.concatenate([ids, np.full((most - len(v), 2), -1)]).astype(i64))
        counts.append(len(v) // k**2)
    return {
        "pixel_values": np.stack(px),
        "image_position_ids": np.stack(at),
        "num_soft_tokens_per_image": np.array(counts, i64),
    }


def gemma4_unified(images, s, b, o):
    p, k, n = s["patch_size"], s["pooling_kernel_size"], s["max_soft_tokens"]
    px, at, counts = [], [], []
    for im in images:
        a = rgb(im, s)
        a = gemma_resize(a, gemma4_size(*a.shape[:2], p, n * k * k, k), s, b)
        v, (gh, gw) = patches(numbers(a, s, b), p * k, 1, 1, "yxc")
        ids = np.stack([np.tile(np.arange(gw), gh), np.repeat(np.arange(gh), gw)], 1)
        px.append(np.concatenate([v, np.zeros((n - len(v), v.shape[1]), v.dtype)]))
        at.append(np.concatenate([ids, np.full((n - len(v), 2), -1)]).astype(i64))
        counts.append(len(v))
    return {
        "pixel_values": np.stack(px),
        "image_position_ids": np.stack(at),
        "num_soft_tokens_per_image": np.array(counts, i64),
    }


def strips(x, p):
    """x: CHW -> [C, p, patches * p]: the patches side by side."""
    c, h, w = x.shape
    return x.reshape(c, h // p, p, w // p, p).transpose(0, 2, 1, 3, 4).reshape(c, p, -1)


def minicpm_parts(a, s, b, p, mode, upsize="always"):
    h, w = a.shape[:2]
    res = s["scale_resolution"]
    grid = minicpm_grid(h, w, s["max_slice_nums"], res) if s["slice_mode"] else None
    parts = [resize(a, minicpm_sizes(h, w, s, res, grid is None and upsize == "always", p, mode), s, b)]
    if grid:
        gy, gx = grid
        rh, rw = max(round(h / gy) * gy, gy), max(round(w / gx) * gx, gx)
        bh, bw = minicpm_sizes(rh / gy, rw / gx, s, res, True, p, mode)
        parts += tiles_of(resize(a, (bh * gy, bw * gx), s, b), bh, bw)
    return parts, grid or [0, 0]


def minicpm(images, s, b, o):
    p = s["patch_size"]
    if s.get("small_image_upsize") == "adaptive":
        return None
    px, sizes, grids, counts = [], [], [], []
    for im in images:
        parts, grid = minicpm_parts(rgb(im, s), s, b, p, s["downsample_mode"], s.get("small_image_upsize", "always"))
        px += [
            strips(numbers(q, s, b), p).astype(f32 if b != "pil" or s["do_rescale"] or s["do_normalize"] else np.uint8)
            for q in parts
        ]
        sizes += [(q.shape[0] // p, q.shape[1] // p) for q in parts]
        grids.append(grid)
        counts.append(len(parts))
    return {
        "pixel_values": np.concatenate(px, 2)[None],
        "target_sizes": np.array(sizes, np.int32),
        "grids": grids,
        "num_patches_per_image": counts,
    }


def molmo_resize(a, hw, s):
    """float32 without antialias, then rounded half to even and clamped."""
    x = float_resize(chw(a), hw, R.FILTER_BY_ID[s["resample"]], False)
    return np.clip(np.rint(x), 0, 255).astype(np.uint8).transpose(1, 2, 0)


def pooling(grid, ph, pw):
    h, w = grid.shape
    dy, dx = -h % ph, -w % pw
    g = np.pad(grid, ((dy // 2, (dy + 1) // 2), (dx // 2, (dx + 1) // 2)), constant_values=-1)
    r, c = g.shape[0] // ph, g.shape[1] // pw
    return g.reshape(r, ph, c, pw).transpose(0, 2, 1, 3).reshape(r * c, ph * pw), r, c


def molmo_patches(a, s):
    return patches(numbers(a, s, "torchvision"), s["patch_size"], 1, 1, "yxc")[0]


def molmo2(images, s, b, o):
    side, p, (left, right), (ph, pw) = s["size"]["height"], s["patch_size"], s["overlap_margins"], s["pooling_size"]
    n = side // p
    win = (n - left - right) * p
    if win <= 0:
        raise Refused
    px, pool, grids, counts, offset = [], [], [], [], 0
    for im in images:
        a = rgb(im, s)
        h, w = a.shape[:2]
        margin = (left + right) * p
        tilings = sorted(
            [
                (y, x)
                for y in range(1, s["max_crops"] + 1)
                for x in range(1, s["max_crops"] + 1)
                if y * x <= s["max_crops"]
            ],
            key=lambda t: (t[0] * t[1], t[0]),
        )
        k = [min(f32(y * win) / f32(h - margin), f32(x * win) / f32(w - margin)) for y, x in tilings]
        ty, tx = (
            tilings[int(np.argmax(k))] if max(k) < 1 else tilings[int(np.argmin([v if v >= 1 else 1e10 for v in k]))]
        )
        canvas = molmo_resize(a, (ty * win + margin, tx * win + margin), s)
        crops = [molmo_resize(a, (side, side), s)] + [
            canvas[y * win : y * win + side, x * win : x * win + side] for y in range(ty) for x in range(tx)
        ]
        ids = np.arange(ty * tx * n * n).reshape(ty, tx, n, n)
        if left:
            ids[1:, :, :left] = -1
            ids[:, 1:, :, :left] = -1
        if right:
            ids[:-1, :, -right:] = -1
            ids[:, :-1, :, -right:] = -1
        ids = ids.transpose(0, 2, 1, 3).reshape(-1)
        ids = ids[ids >= 0].reshape(canvas.shape[0] // p, canvas.shape[1] // p)
        low, lr, lc = pooling(np.arange(n * n).reshape(n, n), ph, pw)
        high, hr, hc = pooling(ids, ph, pw)
        both = np.concatenate([low, np.where(high >= 0, high + n * n, -1)])
        pool.append(np.where(both >= 0, both + offset, both))
        grids.append((lr, lc, hr, hc))
        px += [molmo_patches(c, s) for c in crops]
        counts.append(len(crops))
        offset += len(crops) * n * n
    return {
        "pixel_values": np.stack(px),
        "image_token_pooling": np.concatenate(pool).astype(np.int32),
        "image_grids": np.array(grids, i64),
        "image_num_crops": np.array(counts, i64),
    }


def emu3(images, s, b, o):
    xs, sizes = [], []
    for im in images:
        a = rgb(im, s)
        a = resize(a, area_size(*a.shape[:2], s["spatial_factor"], s["min_pixels"], s["max_pixels"]), s, "pil")
        xs.append(numbers(a, s, "pil"))
        sizes.append(a.shape[:2])
    return {"pixel_values": masked(xs)[0], "image_sizes": np.array(sizes, i64)}


def timm(images, cfg):
    """cfg: pretrained_cfg. Pillow resizes; then x / 255, (x - mean) / std in float32."""
    c = {
        "input_size": [3, 224, 224],
        "interpolation": "bicubic",
        "mean": [0.485, 0.456, 0.406],
        "std": [0.229, 0.224, 0.225],
        "crop_pct": 0.875,
        "crop_mode": "center",
        **{k: v for k, v in cfg.items() if v},
    }
    th, tw = c["input_size"][-2:]
    sh, sw = (math.floor(v / c["crop_pct"]) for v in (th, tw))
    filt = c["interpolation"]
    xs = []
    for a, mode in images:
        h, w = a.shape[:2]
        if c["crop_mode"] == "squash":
            hw = sh, sw
        elif c["crop_mode"] == "border":
            k = max(h / sh, w / sw)
            hw = round(h / k), round(w / k)
        elif sh == sw:
            hw = R.size_shortest(h, w, sh)
        else:
            k = min(h / sh, w / sw)
            hw = round(h / k), round(w / k)
        a = R.pil_resize(a, "RGB", (hw[1], hw[0]), filt)
        h, w = a.shape[:2]
        fill = [round(255 * v) for v in c["mean"]] if c["crop_mode"] == "border" else 0
        py, px = max(th - h, 0), max(tw - w, 0)  # the odd pixel at the bottom and right
        big = np.empty((h + py, w + px, 3), np.uint8)
        big[:] = fill
        big[py // 2 : py // 2 + h, px // 2 : px // 2 + w] = a
        y, x = round((big.shape[0] - th) / 2.0), round((big.shape[1] - tw) / 2.0)  # half to even
        a = big[y : y + th, x : x + tw]
        col = lambda v: np.array(v, f32).reshape(-1, 1, 1)
        xs.append((chw(a).astype(f32) / f32(255) - col(c["mean"])) / col(c["std"]))
    return {"pixel_values": stack(xs)}


IMAGE = {
    "PPChart2Table": plain,
    "Tipsv2": plain,
    "Tipsv2Dpt": plain,
    "PI0": plain,
    "Idefics": plain,
    "LayoutLMv2": layoutlmv2,
    "LayoutLMv3": plain,
    "VideoLlava": video_llava,
    "Vivit": vivit,
    "Sapiens2": sapiens2,
    "UVDoc": uvdoc,
    "PPDocLayoutV2": doclayout,
    "PPDocLayoutV3": doclayout,
    "PPDocLayoutV4": doclayout4,
    "PPFormulaNet": formulanet,
    "PPLCNet": lcnet,
    "PPOCRV5ServerDet": ocr_det,
    "PPOCRV5ServerRec": ocr_rec,
    "PPOCRV6SmallRec": lambda i, s, b, o: ocr_rec(i, s, b, o, True),
    "SLANeXt": slanext,
    "BridgeTower": bridgetower,
    "Vilt": vilt,
    "OneFormer": oneformer,
    "Eomt": eomt,
    "EfficientLoFTR": pairs,
    "LightGlue": pairs,
    "SuperGlue": pairs,
    "Tvp": tvp,
    "SegGpt": seggpt,
    "VitPose": vitpose,
    "GotOcr2": got_ocr2,
    "Cohere2Vision": cohere2,
    "Ovis2": ovis2,
    "DeepseekOcr2": deepseek_ocr2,
    "UnlimitedOcr": lambda i, s, b, o: deepseek_ocr2(i, s, b, o, True),
    "DeepseekVL": deepseek_vl,
    "DeepseekVLHybrid": deepseek_hybrid,
    "Mllama": mllama,
    "Llama4": llama4,
    "PerceptionLM": perception_lm,
    "Phi4Multimodal": phi4,
    "Aria": aria,
    "Idefics2": idefics2,
    "UltraVBert": ultravbert,
    "GraniteDocling": granite,
    "Step3p7": step3p7,
    "Pix2Struct": flattened,
    "Kosmos2_5": lambda i, s, b, o: flattened(i, s, b, o, True),
    "Fuyu": fuyu,
    "Flava": flava,
    "ImageGPT": imagegpt,
    "CohereCompass": qwen_like,
    "Ernie4_5_VLMoe": qwen_like,
    "MiniMaxM3VL": qwen_like,
    "HunYuanVL": hunyuan,
    "PaddleOCRVL": paddle,
    "VideoLlama3": videollama3,
    "Cosmos3Edge": cosmos,
    "Glmga": glmga,
    "Glm5Next": glm5,
    "GlmImage": glm_image,
    "Kimi_K25": kimi,
    "MuseGlimmer": muse,
    "NemotronH_Omni_Reasoning_V3": nemotron,
    "NeoMME": neomme,
    "Inkling": inkling,
    "Inkling2": inkling2,
    "Gemma4Unified": gemma4_unified,
    "MiniCPMV4_6": minicpm,
    "MiniCPMOcr": minicpm,
    "Molmo2": molmo2,
    "Emu3": emu3,
    "Chameleon": plain,
    "Janus": deepseek_vl,
    "Mask2Former": maskformer,
    "MaskFormer": maskformer,
    "Glm4v": glm,
    "Glm46V": glm,
    "Gemma4": gemma4,
}


def process_images(name, images, config, numbers_of, options):
    """-> dict, or None where this reference has no rule."""
    if name == "TimmWrapperImageProcessor":
        return timm(images, config["pretrained_cfg"])
    make = IMAGE.get(name.removesuffix("ImageProcessor"))
    if make is None:
        return None
    s = settings_of("image", name, config, options)
    if name == "MiniMaxM3VLImageProcessor" and config.get("size") == [672, 672]:
        s["size"] = CLASSES["image"][name]["settings"]["size"]
    return make(images, s, numbers_of, options)


def older(name, images, config, numbers_of, options=()):
    """The classes of ../images, as far as its reference goes; else None."""
    s = settings_of("image", name, config, options)
    kind = name.removesuffix("ImageProcessor")
    if kind == "Gemma3" or kind == "Siglip2" and not s["do_resize"]:
        return None
    if kind in ("Detr", "Yolos", "ConditionalDetr", "DeformableDetr"):
        if config.get("max_size") is not None and isinstance(config.get("size"), int):
            s["size"] = {"shortest_edge": config["size"], "longest_edge": config["max_size"]}
    if kind == "Pixtral":
        s["patch_size"] = size_dict(s["patch_size"])
    if kind == "Donut" and isinstance(config.get("size"), list):
        s["size"] = size_dict(config["size"][::-1])
    if kind == "Swin2SR" and isinstance(config.get("pad_size"), int) and "size_divisor" not in config:
        s["size_divisor"] = config["pad_size"]
    if kind == "DPT" and numbers_of == "pil":
        s["do_center_crop"] = False
    made = R.hf_process(
        images, {**s, "image_processor_type": name.replace("ConditionalD", "D").replace("DeformableD", "D")}, numbers_of
    )
    if kind in ("Idefics3", "SmolVLM") and numbers_of != "pil" or kind == "Qwen2VL" and numbers_of == "pil":
        made["pixel_values"] = made["pixel_values"].astype(f32)
    return made


# ------------------------------------------------------------------ which class a folder of files is for


class Refused(Exception):
    pass


def of_type(kind, name):
    """-> the class's name without Pil and Fast, or None. Video classes have no other names."""
    if name is None:
        return None
    if kind == "video":
        return name if name in CLASSES["video"] else None
    name = {"Ernie4_5_VL_MoeImageProcessor": "Ernie4_5_VLMoeImageProcessor"}.get(name, name)
    for end in ("", "Fast", "Pil"):
        if name.endswith(end) and name.removesuffix(end) in CLASSES["image"]:
            return name.removesuffix(end)
    return None


def resolve(files, kind, backend=None):
    """files: {name: content} -> (class, settings of the file, numbers: torchvision or pil; None for videos)"""
    conf, key = files.get("config.json", {}), kind + "_processor"
    nested = files.get("processor_config.json", {}).get(key)
    timm = kind == "image" and "architecture" in conf and "pretrained_cfg" in conf
    if nested is not None:
        cfg = nested
    elif timm:
        cfg = {"image_processor_type": "TimmWrapperImageProcessor", **conf}
    elif kind == "video" and "video_preprocessor_config.json" in files:
        cfg = files["video_preprocessor_config.json"]
    elif "preprocessor_config.json" in files:
        cfg = files["preprocessor_config.json"]
    else:
        raise Refused  # a flat processor_config.json and config.json alone are not enough
    said = cfg.get(key + "_type")
    if said is None and kind == "image" and cfg.get("feature_extractor_type"):
        said = cfg["feature_extractor_type"].replace("FeatureExtractor", "ImageProcessor")
    if said is None and kind == "video" and cfg.get("image_processor_type"):
        guess = cfg["image_processor_type"].replace("ImageProcessor", "VideoProcessor")
        said = guess if of_type("video", guess) else None
    said = conf.get(key + "_type") if said is None else said
    if said is not None:
        name = of_type(kind, said)
    else:
        of_model = CLASSES[kind + "_model_types"].get(conf.get("model_type"))
        name = (
            of_model
            if isinstance(of_model, str) or of_model is None
            else next(iter(of_model.values())).removesuffix("Pil")
        )
    if name is None:
        raise Refused
    if kind == "video":
        return name, cfg, None
    there = CLASSES["image"][name]["backends"]
    got = backend if backend in there else "torchvision" if "torchvision" in there else "pil"
    return name, cfg, got


# ------------------------------------------------------------------ choosing frames


def arange(total, step, start=0.0):
    """torch.arange(start, total, step).int().

    The values are float32, in runs of 8 (as long as 16 remain): the first of a run is rounded, the others are counted
    from it in double and rounded. One index too many (= total) now and then.
    """
    n = math.ceil((total - start) / step)
    at = [start + step * i for i in range(n)]
    for i in range(n - n % 16):
        at[i] = float(f32(start + step * (i - i % 8))) + i % 8 * step
    return [int(f32(v)) for v in at]


def linspace(a, z, n):
    """np.linspace in double."""
    if n == 1:
        return np.array([float(a)])
    y = np.arange(n) * ((z - a) / (n - 1)) + a
    if n > 1:
        y[-1] = z
    return y


def linspace_int(a, z, n):
    return [int(v) for v in np.floor(linspace(a, z, n))]


def linspace_torch(z, n):
    """torch.linspace(0, z, n).long(): float32 step, from both ends, each one rounding."""
    if n == 1:
        return [0]
    step = float(f32(f32(z) / f32(n - 1)))
    return [int(f32(step * i)) if i < n // 2 else int(f32(float(f32(z)) - step * (n - 1 - i))) for i in range(n)]


def unique_even(idx):
    out = list(dict.fromkeys(idx))
    return out + out[-1:] if len(out) % 2 else out


def sample_frames(name, s, m, options=()):
    """name without VideoProcessor; m: total_num_frames, fps, duration. -> indices."""
    o = dict(options)
    total, vfps, duration = m["total_num_frames"], m.get("fps"), m.get("duration")
    n = o["num_frames"] if "num_frames" in o else s.get("num_frames")
    fps = o["fps"] if "fps" in o else s.get("fps")
    if name in ("Qwen2VL", "VideoLlama3"):
        t = s["temporal_patch_size"]
        if fps is not None and n is not None:
            raise Refused
        if n is not None:
            n = round(n / t) * t
        elif fps is not None:
            if vfps is None:
                raise Refused
            most = math.floor(min(s["max_frames"], total) / t) * t
            n = total / vfps * fps
            n = min(max(n, s["min_frames"]), most, total)
            n = math.floor(n / t) * t
        if n is None or n > total or n == 0:  # neither is given: Python compares None and fails
            raise Refused
        return arange(total, total / n)
    if name in ("Qwen3VL", "CohereCompass", "Cosmos3Edge"):
        if fps is not None and n is not None:
            raise Refused
        fps = s.get("fps") if fps is None else fps  # an fps of null is the class's again, but num_frames wins
        if n is None and fps is not None:
            n = int(total / (vfps or 24) * fps)
            n = min(max(n, s["min_frames"]), s["max_frames"], total)
        if n is None:
            n = min(max(total, s["min_frames"]), s["max_frames"])
        return [int(v) for v in np.rint(linspace(0, total - 1, n))]
    if name == "Ernie4_5_VLMoe":
        if fps is not None and n is not None:
            raise Refused
        if n is not None:
            if not s["min_frames"] <= n <= s["max_frames"]:
                raise Refused
        else:
            if fps is not None and vfps is None:
                raise Refused
            n = total / vfps * fps if fps is not None else total
            n = min(max(n, s["min_frames"]), s["max_frames"], total)
        if n > total:
            raise Refused
        return arange(total, total / n)
    if name == "InternVL":
        if n is None and fps is not None:
            if vfps is None:
                raise Refused
            n = int(total / vfps * fps)
        shift = o.get("initial_shift", s["initial_shift"])
        if n is None or n == 0 or n > total:
            raise Refused
        return arange(total, total / n, total / n / 2 if shift is True else float(shift))
    if name == "Molmo2":
        if fps is not None and n is not None:
            raise Refused
        most = s["max_fps"]
        vfps = (fps if fps is not None else most) if vfps is None else vfps
        duration = total / vfps if duration is None else duration
        if fps is not None:
            want = int(duration * fps)
        else:
            want = n if n is not None else s["num_frames"]
            if most is not None and vfps > most:
                want = min(want, int(duration * most))
        return arange(total, total / max(min(want, total), 1))
    if name == "MuseGlimmer":
        t, vfps = s["temporal_patch_size"], vfps or 24
        n = min(int(total * fps / vfps), n, total)
        n = min(max(t, n // t * t), total)
        return linspace_torch(total - 1, n)
    if name == "Glm4v":
        if vfps is None:
            raise Refused
        last = total - 1
        duration = duration or round(last / vfps) + 1
        if duration <= s["max_duration"]:
            k = max(int(math.floor(duration * fps)), 1)
            idx = [min(last, int(math.ceil(i * vfps / fps))) for i in range(k)]
        else:
            k = int(s["max_duration"] * fps)
            idx = (
                list(range(total))
                if k >= total
                else [min(last, int(math.ceil(v * vfps))) for v in linspace(0, duration, k)]
            )
        return unique_even(idx)
    if name in ("Glm46V", "Glmga", "Glm5Next"):
        if vfps is None:
            raise Refused
        duration = duration or round((total - 1) / vfps) + 1
        if name == "Glm46V":  # no setting is read but temporal_patch_size
            d = min(duration, 2400)
            want = 3 if d <= 30 else 1 if d <= 300 else 0.5
            count = min(int(d * want * s["temporal_patch_size"]), 640)
            step, end = 1 / (s["temporal_patch_size"] * want), int(duration)
        else:
            want, end = fps, duration
            if name == "Glm5Next":
                end = int(duration)
                duration = duration if s["max_duration"] <= 0 else min(duration, s["max_duration"])
            count = min(int(duration * want), s["max_frames"])
            step = 1 / want
            if name == "Glmga":
                end = duration - step
        if total < count:
            idx = (
                [math.floor(i * total / count) for i in range(count)]
                if name == "Glmga"
                else linspace_int(0, total - 1, count)
            )
        else:
            idx, now, each = [], 0, 1 / vfps
            for i in range(total):
                if i * each >= now:
                    now += step
                    idx.append(i)
                    if now >= end:
                        break
        if len(idx) < count:
            a, z = (idx[0], idx[-1]) if idx else (0, max(total - 1, 0))
            idx = linspace_int(a, z, count)
        elif len(idx) > count:
            idx = linspace_int(0, total - 1, count)
        return unique_even(idx)
    if name == "EmbeddingGemma2":
        if n is not None:
            raise Refused
        if fps is not None and (vfps is None or duration is None):
            fps = None
        if fps is None:
            idx = list(range(total))
        else:
            step = vfps / fps
            idx = [min(total - 1, int(i * step)) for i in range(max(1, int(duration * fps)))]
        most, how = s["max_frames"], s["overflow_strategy"]
        if how is not None and len(idx) > most:
            idx = idx[:most] if how == "truncate" else [idx[i] for i in linspace_int(0, len(idx) - 1, most)]
        return idx
    if name in ("MiniCPMV4_6", "MiniCPMOcr"):
        if vfps is None or duration is None:
            raise Refused
        most, stack = s["max_num_frames"], s["stack_frames"]
        seconds = math.ceil(duration)
        if duration > most:
            idx = [min(int(py_round(i * 0.1) * vfps), total - 1) for i in range(int(duration / 0.1))]
            if len(idx) > most:
                idx = [idx[i] for i in linspace_int(0, len(idx) - 1, most)]
        else:
            idx = [int(i * vfps) for i in range(seconds)]
        if stack and stack > 1:
            sub = [min(int(v * vfps), total - 1) for v in sub_times(duration, stack)]
            if len(sub) > most * (stack - 1):
                sub = [sub[i] for i in linspace_int(0, len(sub) - 1, most * (stack - 1))]
            idx = idx + sub
        return idx
    if name == "SmolVLM":
        if vfps is None or duration is None or n is None or fps is None:
            raise Refused
        want = max(min(int(round(fps * duration)), n), 1)
        a, z = 0, total - 1
        if duration - 2 > n * fps:
            a, z = int(vfps), int(total - vfps)
        a, z = max(0, a), min(z, total - 1)
        if a >= z:
            a, z = 0, total - 1
        return sorted(set(linspace_int(a, z, want)))
    if name == "PeVideo" and n:
        if n == 1:
            raise Refused
        return [int(i * (total - 1) / (n - 1)) for i in range(n)]
    # the rule of the base class
    if fps is not None and n is not None:
        raise Refused
    if n is None and fps is not None:
        if vfps is None:
            raise Refused
        n = max(1, int(total / vfps * fps))
    if n is not None:
        if n > total:
            raise Refused
        return [i * total // n for i in range(n)]
    return list(range(total))


def py_round(v):
    return round(v, 1)


def sub_times(duration, stack):
    return [
        sec + j / stack for sec in range(math.ceil(duration)) for j in range(1, stack) if sec + j / stack < duration
    ]


# ------------------------------------------------------------------ videos


def frames_of(video, s):
    """THWC uint8 -> frames HWC with three channels."""
    return [f.repeat(3, 2) if f.shape[2] == 1 else f for f in video]


def video_plain(videos, s, o, key="pixel_values_videos"):
    out = []
    for v in videos:
        xs = []
        for a in frames_of(v, s):
            a = by_size(a, s, "torchvision") if s.get("do_resize") else a
            xs.append(numbers(crop(a, s, "torchvision"), s, "torchvision"))
        out.append(np.stack(xs))
    return {key: out if len({x.shape for x in out}) > 1 else np.stack(out)}


def video_vivit(videos, s, o):
    out = []
    for v in videos:
        xs = []
        for a in frames_of(v, s):
            x = chw(crop(by_size(a, s, "torchvision"), s, "torchvision"))
            if s["do_rescale"]:
                x = x.astype(f32) * f32(s["rescale_factor"]) - f32(1)
            if s["do_normalize"]:
                x = (x - np.array(s["image_mean"], f32).reshape(-1, 1, 1)) / np.array(s["image_std"], f32).reshape(
                    -1, 1, 1
                )
            xs.append(x)
        out.append(np.stack(xs))
    return {"pixel_values": stack(out)}


def video_sam2(videos, s, o):
    return {
        "original_sizes": np.array([v.shape[1:3] for v in videos], i64),
        "reshaped_input_sizes": np.array([(s["size"]["height"], s["size"]["width"])] * len(videos), i64),
        **video_plain(videos, s, o),
    }


def video_pe(videos, s, o):
    out = video_plain(videos, s, o)["pixel_values_videos"]
    out = list(out)
    n = max(len(x) for x in out)
    res = {
        "pixel_values_videos": np.stack(
            [np.concatenate([x, np.zeros((n - len(x),) + x.shape[1:], x.dtype)]) for x in out]
        )
    }
    if len({len(x) for x in out}) > 1:
        res["padding_mask_videos"] = np.array([[j < len(x) for j in range(n)] for x in out])
    return res


def video_nemotron(videos, s, o):
    p, d, goal = s["patch_size"], int(round(1.0 / s["downsample_ratio"])), s["video_target_num_patches"]
    out, t = [], o.get("temporal_patch_size") or s["temporal_patch_size"]
    for v in videos:
        h, w = v.shape[1:3]
        if s["video_maintain_aspect_ratio"]:
            r = w / max(h, 1)
            ph, pw = max(round(math.sqrt(goal / r)), 1), max(round(math.sqrt(goal * r)), 1)
            if d > 1:
                up = lambda n: n + (d - n % d if n % d else 0)
                ph, pw = (up(ph), up(pw)) if up(ph) * up(pw) <= goal else (max(d, ph - ph % d), max(d, pw - pw % d))
        else:
            ph = pw = max(d, int(math.sqrt(goal)) // d * d)
        xs = [float_resize(chw(a), (ph * p, pw * p), "bicubic") / f32(255) for a in frames_of(v, s)]
        mean, std = (np.array(s[key], f32).reshape(-1, 1, 1) for key in ("norm_mean", "norm_std"))
        xs = [(x - mean) / std for x in xs]
        xs += xs[-1:] * (-len(xs) % t)
        out.append(stack(xs).reshape(-1, 3 * t, ph * p, pw * p))
    if len({x.shape for x in out}) > 1:
        return None
    return {"pixel_values_videos": stack(out), "num_frames": np.array([len(v) for v in videos], i64)}


def video_smolvlm(videos, s, o):
    t = s["max_image_size"]["longest_edge"]
    n = max(len(v) for v in videos)
    px, mask = (
        np.zeros((len(videos), n, 3, t, t), f32 if s["do_rescale"] or s["do_normalize"] else np.uint8),
        np.ones((len(videos), n, t, t), i64),
    )
    for k, v in enumerate(videos):
        for i, a in enumerate(frames_of(v, s)):
            size = s["size"]
            if "longest_edge" in size:
                h, w = a.shape[:2]
                long = min(4096, size["longest_edge"])
                r = w / h
                h, w = (int(long / r), long) if w >= h else (long, int(long * r))
                hw = (max(h + h % 2, 1), w) if w == long and h <= w else (h, max(w + w % 2, 1))
                if w >= h and w == long:
                    hw = max(h + h % 2, 1), w
            else:
                hw = size["height"], size["width"]
            a = resize(resize(a, hw, s, "torchvision"), (t, t), s, "torchvision")
            px[k, i] = numbers(a, s, "torchvision")
    return {"pixel_values": px, "pixel_attention_mask": mask}  # the mask is 1 for the added frames too


def video_qwen(videos, s, o, name):
    p, m, t, b = s["patch_size"], s["merge_size"], s["temporal_patch_size"], "torchvision"
    f, lo, hi0 = p * m, s["size"]["shortest_edge"], s["size"]["longest_edge"]
    px, grids, masks = [], [], []
    for v in videos:
        n, (h, w), hi = len(v), v.shape[1:3], hi0
        if name == "Qwen2VL":
            if s["cap_pixels_per_frame"]:
                hi = max(min(hi, int(o.get("class_max_video_tokens", 128000) * f * f * 0.9) * t // n), int(lo * 1.05))
            hw = area_size(h, w, f, lo, hi)
        elif name == "VideoLlama3":
            hw = area_size(h, w, f, lo, hi // n)
        else:
            if name in ("Qwen3VL", "CohereCompass") and s["cap_pixels_per_frame"]:
                hi = max(min(s["max_video_tokens"] * f * f, hi // n), int(lo * 1.05)) * n
            hw = volume_size(n, h, w, f * (s.get("patch_expand_factor") or 1), lo, hi, t)
        x = np.stack([numbers(resize(a, hw, s, b), s, b) for a in frames_of(v, s)])
        rows, g = video_patches(x, p, m, t, "yxct" if name == "Cosmos3Edge" else "ctyx")
        px.append(rows)
        grids.append(g)
        if name == "VideoLlama3":
            cells = rows.reshape(g[0], g[1] * g[2] // m**2, -1)
            mask = np.ones(cells.shape[:2], bool)
            if s["use_token_compression"] and g[0] > 1:  # a token that is like the frame before is dropped
                mask[1:] = np.abs(cells[1:] - cells[:-1]).mean(-1) * 255 > 0.1
                for i in range(1, g[0]):
                    if not mask[i].any():
                        mask[i, 0] = True
            masks.append(mask.reshape(-1))
    out = {"pixel_values_videos": np.concatenate(px), "video_grid_thw": np.array(grids, i64)}
    if name == "VideoLlama3":
        out["video_merge_sizes"] = np.full(len(videos), m, i64)
        out["video_compression_mask"] = (
            np.concatenate(masks) if s["use_token_compression"] else np.ones(sum(len(k) for k in masks), bool)
        )
    return out


def video_ernie(videos, s, o):
    p, m, b = s["patch_size"], s["merge_size"], "torchvision"
    px, grids = [], []
    for v in videos:
        fr = frames_of(v, s)
        fr = fr + fr[-1:] if len(fr) % 2 else fr
        hw = area_size(*v.shape[1:3], p * m, s["size"]["shortest_edge"], s["size"]["longest_edge"])
        rows, g = video_patches(np.stack([numbers(resize(a, hw, s, b), s, b) for a in fr]), p, m, 1)
        px.append(rows)
        grids.append(g)
    return {"pixel_values_videos": np.concatenate(px), "video_grid_thw": np.array(grids, i64)}


def video_glm5(videos, s, o):
    p, m, t, b = s["patch_size"], s["merge_size"], s["temporal_patch_size"], "torchvision"
    px, grids = [], []
    for v in videos:
        canvas, hw = glm5_sizes(
            len(v), *v.shape[1:3], p * m * s["patch_expand_factor"], t, s["min_image_tokens"], s["max_image_tokens"]
        )
        rows, g = video_patches(
            np.stack([numbers(pad_hwc(resize(a, hw, s, b), canvas), s, b) for a in frames_of(v, s)]), p, m, t
        )
        px.append(rows)
        grids.append(g)
    return {"pixel_values_videos": np.concatenate(px), "video_grid_thw": np.array(grids, i64)}


def video_kimi(videos, s, o):
    p, t, b = s["patch_size"], s["temporal_patch_size"], "torchvision"
    px, grids, counts = [], [], []
    for v in videos:
        hw, canvas = navit_sizes(*v.shape[1:3], p, s["merge_size"], s["max_patches"], s["size"]["max_height"])
        fr = [numbers(pad_hwc(resize(a, hw, s, b), canvas), s, b) for a in frames_of(v, s)]
        for k in range(0, len(fr), t):
            rows, g = video_patches(np.stack(fr[k : k + t]), p, 1, 1, grouped=False)
            px.append(rows.reshape(-1, 3, p, p))
            grids.append(g)
        counts.append(math.ceil(len(fr) / t))
    return {
        "pixel_values_videos": np.concatenate(px),
        "video_grid_thw": np.array(grids, i64),
        "num_chunks_per_video": np.array(counts, i64),
    }


def video_minimax(videos, s, o):
    p, m, t, b = s["patch_size"], s["merge_size"], s["temporal_patch_size"], "torchvision"
    px, grids, counts = [], [], []
    for v in videos:
        hw = area_size(*v.shape[1:3], p * m, s["min_pixels"], s["max_pixels"])
        rows, (gt, gh, gw) = video_patches(
            np.stack([numbers(resize(a, hw, s, b), s, b) for a in frames_of(v, s)]), p, m, t
        )
        px.append(rows)
        most = gt if s["vision_segment_max_frames"] is None else s["vision_segment_max_frames"]
        parts = [(min(most, gt - k), gh, gw) for k in range(0, gt, most)]
        grids += parts
        counts.append(len(parts))
    return {
        "pixel_values_videos": np.concatenate(px),
        "video_grid_thw": np.array(grids, i64),
        "num_chunks_per_video": np.array(counts, i64),
    }


def video_muse(videos, s, o):
    p, b = s["patch_size"], "torchvision"
    px, grids = [], []
    for v in videos:
        hw = muse_size(*v.shape[1:3], p * s["merge_size"], s["max_video_frame_tokens"])
        rows, g = video_patches(
            np.stack([numbers(resize(a, hw, s, b), s, b) for a in frames_of(v, s)]),
            p,
            1,
            s["temporal_patch_size"],
            "tcyx",
        )
        px.append(rows)
        grids.append(g)
    return {"pixel_values_videos": np.concatenate(px), "video_grid_thw": np.array(grids, i64)}


def video_gemma4(videos, s, o, unified=False):
    p, k, n, b = s["patch_size"], s["pooling_kernel_size"], s["max_soft_tokens"], "torchvision"
    most = n if unified else n * k * k
    px, at, frames, tokens = [], [], [], []
    for v in videos:
        hw = gemma4_size(*v.shape[1:3], p, n * k * k, k)
        for a in frames_of(v, s):
            rows, (gh, gw) = patches(numbers(gemma_resize(a, hw, s, b), s, b), p * k if unified else p, 1, 1, "yxc")
            ids = np.stack([np.tile(np.arange(gw), gh), np.repeat(np.arange(gh), gw)], 1)
            px.append(np.concatenate([rows, np.zeros((most - len(rows), rows.shape[1]), rows.dtype)]))
            at.append(np.concatenate([ids, np.full((most - len(rows), 2), -1)]).astype(i64))
        frames.append(len(v))
        tokens.append(len(rows) if unified else len(rows) // k**2)
    return {
        "pixel_values_videos": np.stack(px),
        "video_position_ids": np.stack(at),
        "num_frames_per_video": np.array(frames, i64),
        "num_soft_tokens_per_video": np.array(tokens, i64),
    }


def video_molmo2(videos, s, o):
    side, p, (ph, pw) = s["size"]["height"], s["patch_size"], s["pooling_size"]
    n = side // p
    px, pool, grids, offset = [], [], [], 0
    low, r, c = pooling(np.arange(n * n).reshape(n, n), ph, pw)
    for v in videos:
        for a in frames_of(v, s):
            px.append(molmo_patches(molmo_resize(a, (side, side), s), s))
            pool.append(np.where(low >= 0, low + offset, low))
            offset += n * n
        grids.append((len(v), r, c))
    return {
        "pixel_values_videos": np.stack(px),
        "video_token_pooling": np.concatenate(pool).astype(i64),
        "video_grids": np.array(grids, i64),
    }


def contact_sheet(frames):
    """MiniCPM: frames side by side, 6 black pixels between them."""
    n, (h, w) = len(frames), frames[0].shape[:2]
    shape = lambda r, c: (r * h + (r - 1) * 6, c * w + (c - 1) * 6)
    off = lambda g: abs(shape(*g)[1] / max(1, shape(*g)[0]) - 1.0)
    if n == 4:
        rows, cols = 2, 2
    elif n == 3:
        rows, cols = min([(1, 3), (3, 1)], key=off)
    elif n == 2:
        g = [(1, 2), (2, 1)]
        rows, cols = ((1, 2) if w / h >= 1.0 else (2, 1)) if off(g[0]) == off(g[1]) else min(g, key=off)
    else:
        rows, cols = 1, n
    out = np.zeros(shape(rows, cols) + (3,), np.uint8)
    for k, f in enumerate(frames):
        y, x = k // cols * (h + 6), k % cols * (w + 6)
        out[y : y + h, x : x + w] = f
    return out


def video_minicpm(videos, s, o, meta):
    p, b = s["patch_size"], "torchvision"
    px, sizes, grids, per_frame, per_video = [], [], [], [], []
    for v, m in zip(videos, meta):
        units, stack = list(v), s["stack_frames"]
        if stack > 1:
            times = sub_times(m["duration"], stack)
            most = s["max_num_frames"] * (stack - 1)
            if len(times) > most:
                times = [times[i] for i in linspace_int(0, len(times) - 1, most)]
            main, sub = (list(v[: -len(times)]), list(v[-len(times) :])) if times else (list(v), [])
            units, at = [], 0
            sheets = []
            for sec in range(math.ceil(m["duration"])):
                first = at
                while at < len(times) and times[at] < sec + 1:
                    at += 1
                sheets.append(contact_sheet(sub[first:at]) if at > first else None)
            for i, f in enumerate(main):
                units.append(f)
                if i < len(sheets) and sheets[i] is not None:
                    units.append(sheets[i])
        for a in units:
            parts, grid = minicpm_parts(a, s, b, p, s["downsample_mode"])
            px += [strips(numbers(q, s, b), p) for q in parts]
            sizes += [(q.shape[0] // p, q.shape[1] // p) for q in parts]
            grids.append(grid)
            per_frame.append(len(parts))
        per_video.append(len(units))
    return {
        "pixel_values_videos": np.concatenate(px, 2)[None],
        "target_sizes_videos": np.array(sizes, np.int32),
        "grids_videos": np.array(grids, np.int32),
        "num_patches_per_frame": np.array(per_frame, np.int32),
        "num_frames_per_video": per_video,
    }


def process_videos(name, videos, config, options):
    """videos: THWC uint8."""
    s = settings_of("video", name, config, options)
    kind = name.removesuffix("VideoProcessor")
    meta = options.get("video_metadata") or [
        {"total_num_frames": len(v), "fps": None, "duration": None} for v in videos
    ]
    if options.get("do_sample_frames", s["do_sample_frames"]):
        videos = [v[sample_frames(kind, s, m, options)] for v, m in zip(videos, meta)]
    o = options
    if kind in ("VideoMAE", "Timesformer", "InstructBlipVideo"):
        return video_plain(videos, s, o, "pixel_values")
    if kind in ("LlavaOnevision", "LlavaNextVideo", "VideoLlava", "InternVL", "PerceptionLM", "Videomt", "VJEPA2"):
        return video_plain(videos, s, o)
    if kind in ("Qwen2VL", "Qwen3VL", "CohereCompass", "VideoLlama3", "Glm4v", "Glm46V", "Glmga", "Cosmos3Edge"):
        return video_qwen(videos, s, o, kind)
    if kind in ("MiniCPMV4_6", "MiniCPMOcr"):
        return video_minicpm(videos, s, o, meta)
    if kind in ("Gemma4", "EmbeddingGemma2", "Gemma4Unified"):
        return video_gemma4(videos, s, o, kind == "Gemma4Unified")
    return {
        "Vivit": video_vivit,
        "Sam2Video": video_sam2,
        "PeVideo": video_pe,
        "NemotronH_Omni_Reasoning_V3": video_nemotron,
        "SmolVLM": video_smolvlm,
        "Ernie4_5_VLMoe": video_ernie,
        "Glm5Next": video_glm5,
        "Kimi_K25": video_kimi,
        "MiniMaxM3VL": video_minimax,
        "MuseGlimmer": video_muse,
        "Molmo2": video_molmo2,
    }[kind](videos, s, o)
