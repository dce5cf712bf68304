"""Makes the goldens of Pillow, torchvision and transformers: python generate.py OUT [--seed N] [--photo FILE].

Everything except the photograph is synthetic. The same program with another seed gives another, disjoint set.
"""

import argparse
import io
import json
import os
import random

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"

import numpy as np
import torch
from PIL import Image

import processors
import reference as R
from record import record, sha

torch.set_num_threads(1)
from torchvision.transforms import InterpolationMode as IM
from torchvision.transforms.v2 import functional as tvF

CH = {"L": 1, "LA": 2, "RGB": 3, "RGBA": 4, "F": 1}
PIL_ID = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "box": 4, "hamming": 5}
TV_ID = {
    "nearest": IM.NEAREST,
    "nearest_exact": IM.NEAREST_EXACT,
    "bilinear": IM.BILINEAR,
    "bicubic": IM.BICUBIC,
    "lanczos": IM.LANCZOS,
}


def hwc(im):
    a = np.asarray(im)
    return a[..., None] if a.ndim == 2 else a


def to_pil(a):
    return Image.fromarray(np.ascontiguousarray(a[..., 0] if a.shape[2] == 1 else a))


class Out:
    def __init__(self, root):
        self.root, self.cases, self.inputs = root, [], {}
        self.configs = {}
        for d in ("inputs", "float32"):
            os.makedirs(os.path.join(root, d), exist_ok=True)

    def path(self, rel):
        return os.path.join(self.root, rel)

    def add_input(self, name, mode, a):
        if mode == "F":
            rel = f"inputs/{name}.npy"
            np.save(self.path(rel), a[..., 0])
        else:
            rel = f"inputs/{name}.png"
            to_pil(a).save(self.path(rel), optimize=True)
            back = Image.open(self.path(rel))
            assert back.mode == mode, (name, back.mode)
            assert np.array_equal(hwc(back), a)
        self.inputs[name] = dict(
            file=rel, mode=mode, width=int(a.shape[1]), height=int(a.shape[0]), sha256=sha(a.tobytes()), array=a
        )


# ------------------------------------------------------------------ inputs


def with_channels(rng, rgb, mode, alpha=None):
    h, w = rgb.shape[:2]
    luma = rgb.astype(np.uint16).sum(2, keepdims=True) // 3
    luma = luma.astype(np.uint8)
    if mode == "L":
        return luma
    if mode == "RGB":
        return rgb
    if alpha is None:
        alpha = rng.integers(0, 256, (h, w, 1), dtype=np.uint8)
        pick = rng.random((h, w, 1))
        alpha[pick < 0.2] = 0
        alpha[pick > 0.8] = 255
    return np.concatenate([luma if mode == "LA" else rgb, alpha], 2)


def noise(rng, w, h):
    a = rng.integers(0, 256, (h, w, 3), dtype=np.uint8)
    y, x = h // 3, w // 3  # one corner saturated: overshoot must be clamped
    a[:y, :x] = np.where(a[:y, :x] > 127, 255, 0)
    return a


def edges(rng, w, h):
    x, y = np.meshgrid(np.arange(w), np.arange(h))
    a = np.zeros((h, w, 3))
    p = rng.random(6)
    a[..., 0] = 255 * x / max(w - 1, 1)
    a[..., 1] = 255 * y / max(h - 1, 1)
    a[..., 2] = 127.5 + 127.5 * np.sin(x * (0.05 + 0.3 * p[0]) + y * (0.05 + 0.3 * p[1]))
    for _ in range(6):
        x0, y0 = rng.integers(0, w), rng.integers(0, h)
        x1, y1 = x0 + rng.integers(1, max(2, w // 3)), y0 + rng.integers(1, max(2, h // 3))
        a[y0:y1, x0:x1] = rng.integers(0, 2, 3) * 255
    return a.astype(np.uint8)


def lines(rng, w, h):
    a = np.full((h, w, 3), 255, np.uint8)
    for _ in range(max(3, (w + h) // 20)):
        c = rng.integers(0, 256, 3, dtype=np.uint8)
        if rng.random() < 0.5:
            a[rng.integers(0, h), :] = c
        else:
            a[:, rng.integers(0, w)] = c
    k = rng.integers(2, 5)
    i = np.arange(min(w, h))
    a[i, i] = 0
    a[::k, : w // 4] = 0
    return a


def text(rng, w, h):
    a = np.full((h, w, 3), 250, np.uint8)
    y = 3
    while y < h - 8:
        x = 3
        while x < w - 6:
            if rng.random() < 0.85:
                g = rng.random((7, 5)) < 0.45
                part = a[y : y + 7, x : x + 5]
                part[g[: part.shape[0], : part.shape[1]]] = rng.integers(0, 60)
            x += 6
        y += 11
    return a


def ramp(w, h):
    """Alpha from 0 to 255 left to right, first and last columns exact; top rows all 0, bottom rows all 255."""
    a = np.round(np.linspace(0, 255, w))[None, :, None].repeat(h, 0).astype(np.uint8)
    a[: h // 8] = 0
    a[h - h // 8 :] = 255
    return a


def make_inputs(out, seed, photo):
    rng = np.random.default_rng(seed)
    r = random.Random(seed)
    j = lambda v: v + r.randint(-v // 8, v // 8)  # jitter sizes by seed
    for mode, w, h in (("RGB", 97, 61), ("RGBA", 73, 55), ("LA", 59, 83), ("L", 101, 67)):
        w, h = j(w), j(h)
        out.add_input(f"noise_{mode.lower()}", mode, with_channels(rng, noise(rng, w, h), mode))
    for mode, w, h in (("RGB", 160, 120), ("RGBA", 128, 96), ("LA", 90, 70), ("L", 140, 90)):
        w, h = j(w), j(h)
        out.add_input(f"edges_{mode.lower()}", mode, with_channels(rng, edges(rng, w, h), mode, ramp(w, h)))
    out.add_input("lines_rgb", "RGB", lines(rng, j(201), j(143)))
    out.add_input("lines_rgba", "RGBA", with_channels(rng, lines(rng, j(101), j(77)), "RGBA"))
    out.add_input("text_l", "L", with_channels(rng, text(rng, j(180), j(96)), "L"))
    out.add_input("text_rgb", "RGB", text(rng, j(220), j(300)))
    out.add_input("const_rgb", "RGB", np.full((j(48), j(64), 3), rng.integers(1, 255, 3, dtype=np.uint8), np.uint8))
    out.add_input("const_la", "LA", np.full((j(30), j(40), 2), [rng.integers(1, 255), rng.integers(1, 255)], np.uint8))
    out.add_input("tall_rgb", "RGB", edges(rng, 3, 1000 + r.randint(0, 99)))
    out.add_input("tall_l", "L", with_channels(rng, noise(rng, 7, 500 + r.randint(0, 300)), "L"))
    out.add_input(
        "tall_rgba", "RGBA", with_channels(rng, noise(rng, 40 + r.randint(0, 9), 301 + r.randint(0, 60)), "RGBA")
    )
    out.add_input("tall_rgb2", "RGB", noise(rng, 60 + r.randint(0, 9), 181 + r.randint(0, 60)))
    out.add_input("wide_rgb", "RGB", edges(rng, 1000 + r.randint(0, 99), 3))
    out.add_input("wide_la", "LA", with_channels(rng, noise(rng, 400 + r.randint(0, 99), 9), "LA"))
    out.add_input("col_rgb", "RGB", noise(rng, 1, j(57)))
    out.add_input("col_l", "L", with_channels(rng, noise(rng, 1, j(33)), "L"))
    out.add_input("row_rgba", "RGBA", with_channels(rng, noise(rng, j(83), 1), "RGBA"))
    out.add_input("row_rgb", "RGB", noise(rng, j(71), 1))
    out.add_input("dot_rgb", "RGB", noise(rng, 1, 1))
    for k, (mode, w, h) in enumerate((("RGB", 4, 6), ("LA", 2, 8), ("L", 6, 4), ("RGBA", 8, 2))):
        out.add_input(
            f"tie{k}_{mode.lower()}",
            mode,
            with_channels(rng, rng.permuted(np.arange(1, 3 * w * h + 1)).astype(np.uint8).reshape(h, w, 3), mode),
        )
    im = Image.open(photo).convert("RGB")
    W, H = im.size
    x0, y0 = r.randint(0, W // 12), r.randint(0, H // 12)
    crop = im.crop((x0, y0, W - r.randint(0, W // 12), H - r.randint(0, H // 12)))
    small = crop.resize((480, 320), Image.Resampling.LANCZOS)
    out.add_input("photo_rgb", "RGB", hwc(small))
    pr = crop.resize((j(200), j(260)), Image.Resampling.BOX)
    out.add_input("photo_portrait_rgb", "RGB", hwc(pr))
    q = crop.resize((150, 100), Image.Resampling.BOX)
    out.add_input("photo_rgba", "RGBA", np.concatenate([hwc(q), ramp(150, 100)], 2))
    out.add_input("photo_l", "L", hwc(crop.resize((j(210), j(150)), Image.Resampling.BOX).convert("L")))
    big = crop.resize((1280, 853), Image.Resampling.BICUBIC)
    buf = io.BytesIO()
    big.save(buf, "PNG", optimize=True)
    if len(buf.getvalue()) >= 1_600_000:
        big = crop.resize((960, 640), Image.Resampling.BICUBIC)
    out.add_input("photo_big_rgb", "RGB", hwc(big))
    vm = crop.resize((j(60), j(50)), Image.Resampling.BOX)
    out.add_input("vitmatte_image", "RGB", hwc(vm))
    tri = (edges(rng, vm.width, vm.height)[..., :1] // 86 * 127).astype(np.uint8)
    out.add_input("vitmatte_trimap", "L", tri)
    f = lambda a: a.astype(np.float32)[..., None]
    out.add_input("noise_f", "F", f(rng.standard_normal((j(50), j(64))) * 100))
    out.add_input("edges_f", "F", f(edges(rng, j(60), j(44))[..., 2] / 255.0 - 0.5))
    out.add_input("photo_f", "F", f(np.asarray(q.convert("L")) * (1 / 255)))
    out.add_input("tall_f", "F", f(rng.random((400, 9)) * 1e6))
    out.add_input("tiny_f", "F", f(rng.standard_normal((5, 1)) * 1e-3))


# ------------------------------------------------------------------ resize cases


def sizes_for(r, w, h):
    """name -> (w, h) targets for one input."""
    even = lambda v, k: max(1, v // k)
    near = lambda v, a, b: max(1, int(v * r.uniform(a, b)))
    return {
        "down_int": (even(w, 2), even(h, 2)) if w % 2 == 0 and h % 2 == 0 else (even(w, 3), even(h, 3)),
        "down_odd": (near(w, 0.35, 0.9), near(h, 0.35, 0.9)),
        "down_strong": (max(1, w // 20), max(1, h // 20)),
        "up": (near(w, 1.1, 2.4), near(h, 1.1, 2.4)),
        "up_down": (near(w, 1.1, 1.8), near(h, 0.2, 0.8)),
        "down_up": (near(w, 0.2, 0.8), near(h, 1.1, 1.8)),
        "same_w": (w, near(h, 0.3, 0.9)),
        "same_h": (near(w, 0.3, 0.9), h),
        "minus_one": (max(1, w - 1), max(1, h - 1)),
        "identity": (w, h),
    }


def pil_case(out, cid, name, filt, size, box=None, gap=None, **extra):
    src = out.inputs[name]
    a, mode = src["array"], src["mode"]
    size = (int(size[0]), int(size[1]))
    got = hwc(to_pil(a).resize(size, PIL_ID[filt], box=box, reducing_gap=gap))
    assert to_pil(a).mode == mode
    want = R.pil_resize(a, mode, size, filt, box, gap)
    assert got.dtype == want.dtype and np.array_equal(got, want), ("pillow", cid, name, filt, size, box, gap)
    op = dict(filter=filt, size=list(size))
    if box is not None:
        op["box"] = list(box)
    if gap is not None:
        op["reducing_gap"] = gap
    out.cases.append(
        dict(
            id=cid, kind="resize", mode="pillow", image_mode=mode, input=src["file"], op=op, output=record(got), **extra
        )
    )


def torch_case(out, cid, name, filt, size, antialias=True, **extra):
    src = out.inputs[name]
    a, mode = src["array"], src["mode"]
    x = torch.from_numpy(a.copy()).permute(2, 0, 1).contiguous()
    size = (int(size[0]), int(size[1]))
    got = tvF.resize(x, [size[1], size[0]], interpolation=TV_ID[filt], antialias=antialias)
    got = np.ascontiguousarray(got.permute(1, 2, 0).numpy())
    want = R.torch_resize(a, size, filt, antialias)
    assert np.array_equal(got, want), ("torch", cid, name, filt, size, antialias)
    out.cases.append(
        dict(
            id=cid,
            kind="resize",
            mode="torch",
            image_mode=mode,
            input=src["file"],
            op=dict(filter=filt, size=list(size), antialias=antialias),
            output=record(got),
            **extra,
        )
    )


def resize_cases(out, seed):
    r = random.Random(seed * 7 + 1)
    by_mode = {}
    for n, s in out.inputs.items():
        if (
            s["width"] > 8
            and s["height"] > 8
            and n not in ("photo_big_rgb", "photo_rgb", "vitmatte_image", "vitmatte_trimap")
        ):
            by_mode.setdefault(s["mode"], []).append(n)
    n = 0

    def nid(tag):
        nonlocal n
        n += 1
        return f"{tag}_{n:03d}"

    for mode in ("L", "LA", "RGB", "RGBA", "F"):
        for filt in ("nearest", "box", "bilinear", "hamming", "bicubic", "lanczos"):
            cats = ["down_odd", "down_strong", "up", "up_down", "down_up"]
            cats += r.sample(["down_int", "same_w", "same_h", "minus_one"], 2)
            for c in cats:
                name = r.choice(by_mode[mode])
                s = out.inputs[name]
                pil_case(out, nid("pil"), name, filt, sizes_for(r, s["width"], s["height"])[c], shape=c)
    for mode in by_mode:  # identity: an exact copy, also with alpha
        name = r.choice(by_mode[mode])
        s = out.inputs[name]
        pil_case(out, nid("pil_identity"), name, "bicubic", (s["width"], s["height"]))
    # order of the passes, extreme shapes
    for name in (
        "tall_rgb",
        "tall_l",
        "tall_rgba",
        "tall_rgb2",
        "tall_f",
        "wide_rgb",
        "wide_la",
        "col_rgb",
        "col_l",
        "row_rgba",
        "row_rgb",
        "dot_rgb",
        "tiny_f",
    ):
        s = out.inputs[name]
        w, h = s["width"], s["height"]
        for filt in r.sample(["box", "bilinear", "hamming", "bicubic", "lanczos", "nearest"], 3):
            pil_case(out, nid("pil_extreme"), name, filt, (r.randint(1, 24), r.randint(1, 60)), shape="extreme")
    for name in ("tall_rgb2", "tall_rgba", "photo_portrait_rgb"):
        s = out.inputs[name]
        w, h = s["width"], s["height"]
        d = r.randint(3, w // 4)
        for dh in (2 * d - 1, 2 * d, 2 * d + 1):  # just around the order rule
            if h - dh > 0:
                pil_case(out, nid("pil_order"), name, "lanczos", (w - d, h - dh), shape="order_rule")
        pil_case(out, nid("pil_order"), name, "bicubic", (w + 9, h - 1), shape="order_rule")
    # boxes
    for k in range(40):
        mode = ("RGB", "L", "RGBA", "LA", "F")[k % 5]
        name = r.choice(by_mode[mode])
        s = out.inputs[name]
        w, h = s["width"], s["height"]
        filt = ("bilinear", "bicubic", "lanczos", "box", "hamming", "nearest")[k % 6]
        x0, y0 = r.uniform(0, w * 0.5), r.uniform(0, h * 0.5)
        x1, y1 = r.uniform(x0 + 1, w), r.uniform(y0 + 1, h)
        kind = k % 4
        if kind == 0:
            box = (x0, y0, x1, y1)
            size = (r.randint(4, 90), r.randint(4, 90))
        elif kind == 1:  # integer box
            box = (int(x0), int(y0), int(x0) + max(1, int(x1 - x0)), int(y0) + max(1, int(y1 - y0)))
            size = (r.randint(4, 90), r.randint(4, 90))
        elif kind == 2:  # same size, shifted by a fraction (in float32, exact)
            box = (
                int(x0) + 0.5,
                int(y0) + 0.25,
                int(x0) + 0.5 + max(1, int(x1 - x0) - 1),
                int(y0) + 0.25 + max(1, int(y1 - y0) - 1),
            )
            size = (int(box[2] - box[0]), int(box[3] - box[1]))
        else:  # pure crop, or whole width with a part of the height
            if k % 8 == 3:
                box = (int(x0), int(y0), int(x0) + max(1, int(x1 - x0)), int(y0) + max(1, int(y1 - y0)))
                size = (box[2] - box[0], box[3] - box[1])
            else:
                box = (0, y0, w, y1)
                size = (w, r.randint(4, 60))
        pil_case(out, nid("pil_box"), name, filt, size, box=box, shape="box")
    # reducing_gap
    for k in range(30):
        mode = ("RGB", "L", "RGBA", "LA", "F")[k % 5]
        name = r.choice(by_mode[mode])
        s = out.inputs[name]
        w, h = s["width"], s["height"]
        filt = ("bilinear", "bicubic", "lanczos", "box", "hamming")[k % 5 if k < 15 else r.randint(0, 4)]
        gap = (1.0, 1.5, 2.0, 3.0)[k % 4]
        div = r.choice([(3, 3), (5, 5), (7, 4), (4, 7), (2.5, 9), (1, 6), (6, 1.3)])
        size = (max(1, int(w / div[0])), max(1, int(h / div[1])))
        box = None
        if k % 3 == 2:
            box = (r.uniform(0, w * 0.2), r.uniform(0, h * 0.2), r.uniform(w * 0.7, w), r.uniform(h * 0.7, h))
        pil_case(out, nid("pil_gap"), name, filt, size, box=box, gap=gap, shape="reducing_gap")
    # big ones
    B = out.inputs["photo_big_rgb"]
    for filt in ("nearest", "box", "bilinear", "hamming", "bicubic", "lanczos"):
        pil_case(out, nid("pil_big"), "photo_big_rgb", filt, (224, 224), shape="big")
    for filt, size in (
        ("bilinear", (640, 427)),
        ("bicubic", (r.randint(300, 700), r.randint(300, 700))),
        ("lanczos", (512, 384)),
        ("bicubic", (B["width"] + 100, 50)),
        ("bilinear", (1, 1)),
    ):
        pil_case(out, nid("pil_big"), "photo_big_rgb", filt, size, shape="big")
    pil_case(out, nid("pil_big"), "photo_big_rgb", "bicubic", (224, 149), gap=2.0, shape="big")
    for filt in ("bilinear", "bicubic", "lanczos"):
        pil_case(out, nid("pil_big"), "photo_rgb", filt, (r.randint(100, 1200), r.randint(60, 800)), shape="big")
    # Two more filters have gone from here. The cases below still take their numbers and their random choices.
    for _ in range(2):
        for mode in ("RGB", "RGBA", "F"):
            name = r.choice(by_mode[mode])
            s = out.inputs[name]
            for _ in range(2):
                sizes_for(r, s["width"], s["height"])

    # torch
    n = 0
    tv = [
        ("nearest", True),
        ("nearest_exact", True),
        ("bilinear", True),
        ("bicubic", True),
        ("lanczos", True),
        ("bilinear", False),
        ("bicubic", False),
    ]
    for mode in ("RGB", "L", "RGBA", "LA"):
        for filt, aa in tv:
            cats = ["down_odd", "up", "up_down", "down_strong"] + r.sample(
                ["down_up", "down_int", "same_w", "same_h", "minus_one"], 2
            )
            for c in cats:
                name = r.choice(by_mode[mode])
                s = out.inputs[name]
                size = sizes_for(r, s["width"], s["height"])[c]
                if size == (1, 1):
                    size = (2, 1)
                torch_case(out, nid("torch"), name, filt, size, aa, shape=c)
    for name in (
        "tall_rgb",
        "tall_l",
        "tall_rgba",
        "tall_rgb2",
        "wide_rgb",
        "wide_la",
        "col_rgb",
        "col_l",
        "row_rgba",
        "row_rgb",
        "dot_rgb",
    ):
        for filt, aa in r.sample(tv[2:], 2):
            torch_case(out, nid("torch_extreme"), name, filt, (r.randint(2, 24), r.randint(2, 60)), aa, shape="extreme")
        torch_case(
            out,
            nid("torch_extreme"),
            name,
            r.choice(["nearest", "nearest_exact"]),
            (r.randint(2, 90), r.randint(2, 90)),
            shape="extreme",
        )
    # nearest_exact at exact ties: the index depends on whether the two output sides together exceed 128
    ties = {2: (41, 47, 55, 83, 97, 107, 109, 121), 4: (82, 94, 110), 6: (123, 141, 165), 8: (164, 188)}
    for name in [n for n in out.inputs if n.startswith("tie")]:
        s = out.inputs[name]
        tw, th = r.choice(ties[s["width"]]), r.choice(ties[s["height"]])
        torch_case(out, nid("torch_tie"), name, "nearest_exact", (tw, th), shape="tie")
        torch_case(
            out, nid("torch_tie"), name, "nearest_exact", (min(tw, 120), max(1, 128 - min(tw, 120))), shape="tie"
        )
    for mode in ("RGB", "LA"):
        name = r.choice(by_mode[mode])
        s = out.inputs[name]
        torch_case(out, nid("torch_identity"), name, "bicubic", (s["width"], s["height"]))
    for filt, aa in tv:
        torch_case(out, nid("torch_big"), "photo_big_rgb", filt, (224, 224), aa, shape="big")
    for filt in ("bilinear", "bicubic", "lanczos"):
        torch_case(out, nid("torch_big"), "photo_rgb", filt, (r.randint(100, 1200), r.randint(60, 800)), shape="big")
        torch_case(
            out, nid("torch_big"), "photo_big_rgb", filt, (r.randint(300, 700), r.randint(300, 700)), shape="big"
        )


# ------------------------------------------------------------------ main


def write_lines(path, rows):
    with open(path, "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--seed", type=int, default=20261)
    ap.add_argument("--photo", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../demo/photo.jpg"))
    args = ap.parse_args()
    cap = torch.backends.cpu.get_cpu_capability()
    assert cap in ("AVX2", "AVX512"), f"CPU capability {cap}: torch would take another path for bilinear"
    out = Out(args.out)
    make_inputs(out, args.seed, args.photo)
    resize_cases(out, args.seed)
    processors.run(out, args.seed)
    ids = [c["id"] for c in out.cases]
    assert len(set(ids)) == len(ids)
    write_lines(out.path("index.json"), out.cases)
    write_lines(out.path("inputs.json"), [{k: v for k, v in s.items() if k != "array"} for s in out.inputs.values()])
    with open(out.path("configs.json"), "w") as f:
        f.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in out.configs.items()) + "\n}\n")
    kinds = {}
    for c in out.cases:
        k = (c["kind"], c.get("mode") or c["backend"])
        kinds[k] = kinds.get(k, 0) + 1
    print(cap, kinds)


if __name__ == "__main__":
    main()
