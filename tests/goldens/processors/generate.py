"""Golden data for the image and video processors beside those of the older goldens.

Also for the loading rules of both auto classes.

    python generate.py OUT --seed N --photo FILE [--more FILE]
        [--only images,videos,samples,loading,existing] [--grep TEXT]

The same arguments give the same bytes; another seed gives other inputs and other sizes in the configurations.
"""

import argparse
import copy
import gzip
import hashlib
import importlib
import io
import json
import os
import random
import shutil
import sys
import tempfile
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "critical"
warnings.filterwarnings("ignore")

import numpy as np
import torch
from PIL import Image

torch.set_num_threads(2)  # as users have it: with one thread bilinear without antialias differs
TOLERANCE_SAMPLES, HASH_SAMPLES = 1500, 24


def sha(b):
    return hashlib.sha256(b).hexdigest()


class Out:
    def __init__(self, root):
        self.root, self.cases, self.inputs, self.samples = root, [], {}, io.BytesIO()
        self.configs = {}
        os.makedirs(os.path.join(root, "inputs"), exist_ok=True)

    def path(self, rel):
        return os.path.join(self.root, rel)

    def image(self, name, mode, a):
        """a: HWC uint8."""
        rel = f"inputs/{name}.png"
        im = Image.fromarray(np.ascontiguousarray(a[..., 0] if a.shape[2] == 1 else a))
        im.save(self.path(rel), optimize=True)
        back = Image.open(self.path(rel))
        assert back.mode == mode, (name, back.mode)
        self.inputs[name] = dict(
            file=rel,
            kind="image",
            mode=mode,
            width=int(a.shape[1]),
            height=int(a.shape[0]),
            sha256=sha(np.ascontiguousarray(a).tobytes()),
        )

    def video(self, name, a):
        """a: THWC uint8, stored as gzipped .npy."""
        rel = f"inputs/{name}.npy.gz"
        b = io.BytesIO()
        np.save(b, np.ascontiguousarray(a))
        with open(self.path(rel), "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as g:
            g.write(b.getvalue())
        self.inputs[name] = dict(
            file=rel, kind="video", dims=list(a.shape), sha256=sha(np.ascontiguousarray(a).tobytes())
        )
        self.inputs[name]["array"] = a

    def pil(self, name):
        im = Image.open(self.path(self.inputs[name]["file"]))
        im.load()
        return im

    # -------------------------------------------------------------- outputs

    def record(self, value, tolerance):
        """A processor's output -> JSON: a tensor, a list of tensors, or plain nested values."""
        if isinstance(value, torch.Tensor):
            value = value.detach().contiguous()
            if value.dtype == torch.bfloat16:
                return self.tensor(
                    value.view(torch.int16).numpy().view(np.uint16), "bfloat16", tolerance, value.float().numpy()
                )
            return self.tensor(value.numpy(), str(value.numpy().dtype), tolerance)
        if isinstance(value, np.ndarray):
            return self.tensor(value, str(value.dtype), tolerance)
        if isinstance(value, (bool, int, float, str, np.integer, np.floating, np.bool_)):
            return dict(values=value.item() if hasattr(value, "item") else value)
        if isinstance(value, (list, tuple)):
            if (
                value
                and isinstance(value[0], (list, tuple))
                and value[0]
                and isinstance(value[0][0], (torch.Tensor, np.ndarray))
            ):
                return dict(list=[self.record(v, tolerance) for v in value])
            if any(isinstance(v, (torch.Tensor, np.ndarray)) and (v.ndim > 0) for v in value):
                big = [self.record(v, tolerance) for v in value]
                return dict(list=big)
            plain = json.loads(json.dumps(value, default=lambda v: v.tolist() if hasattr(v, "tolist") else list(v)))
            return dict(values=plain)
        raise TypeError(type(value))

    def tensor(self, a, dtype, tolerance, as_float=None):
        a = np.asarray(a, order="C")
        assert a.dtype != object
        rec = dict(dtype=dtype, dims=list(a.shape), sha256=sha(a.tobytes()))
        if a.size <= 48 and a.dtype.kind in "iub" and dtype != "bfloat16":
            rec["values"] = a.reshape(-1).tolist()
            return rec
        if a.size == 0:
            return rec
        flat = (a if as_float is None else as_float).reshape(-1)
        n = TOLERANCE_SAMPLES if tolerance and flat.dtype.kind == "f" else HASH_SAMPLES
        stride = max(1, flat.size // n)
        if stride > 1 and stride % 2 == 0:
            stride += 1  # an odd stride meets all channels and columns
        picked = flat[::stride].astype("<f4")
        rec["sample"] = dict(offset=self.samples.tell() // 4, count=int(picked.size), stride=stride)
        self.samples.write(picked.tobytes())
        return rec

    def config(self, name, cfg):
        self.configs[name] = cfg
        return name

    def close(self):
        ids = [c["id"] for c in self.cases]
        assert len(set(ids)) == len(ids), sorted(i for i in ids if ids.count(i) > 1)[:9]
        with open(self.path("index.json"), "w") as f:
            f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in self.cases) + "\n]\n")
        with open(self.path("configs.json"), "w") as f:
            lines = (
                f"{json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in sorted(self.configs.items())
            )
            f.write("{\n" + ",\n".join(lines) + "\n}\n")
        with open(self.path("inputs.json"), "w") as f:
            f.write(
                "[\n"
                + ",\n".join(json.dumps({k: v for k, v in s.items() if k != "array"}) for s in self.inputs.values())
                + "\n]\n"
            )
        with open(self.path("samples.f32"), "wb") as f:
            f.write(self.samples.getvalue())


# ------------------------------------------------------------------ inputs


def noise(rng, w, h):
    a = rng.integers(0, 256, (h, w, 3), dtype=np.uint8)
    a[: h // 3, : w // 3] = np.where(a[: h // 3, : w // 3] > 127, 255, 0)
    return a


def edges(rng, w, h):
    x, y = np.meshgrid(np.arange(w), np.arange(h))
    a = np.zeros((h, w, 3))
    p = rng.random(4)
    a[..., 0] = 255 * x / max(w - 1, 1)
    a[..., 1] = 255 * y / max(h - 1, 1)
    a[..., 2] = 127.5 + 127.5 * np.sin(x * (0.05 + 0.3 * p[0]) + y * (0.05 + 0.3 * p[1]))
    for _ in range(6):
        x0, y0 = rng.integers(0, w), rng.integers(0, h)
        a[y0 : y0 + rng.integers(1, max(2, h // 3)), x0 : x0 + rng.integers(1, max(2, w // 3))] = (
            rng.integers(0, 2, 3) * 255
        )
    return a.astype(np.uint8)


def page(rng, w, h):
    """A page of text-like blocks with a white margin."""
    a = np.full((h, w, 3), 252, np.uint8)
    y = h // 9
    while y < h - h // 9:
        x = w // 8
        while x < w - w // 7:
            if rng.random() < 0.8:
                g = rng.random((7, 5)) < 0.5
                part = a[y : y + 7, x : x + 5]
                part[g[: part.shape[0], : part.shape[1]]] = rng.integers(0, 60)
            x += 6
        y += 11
    return a


def ramp(w, h):
    a = np.round(np.linspace(0, 255, w))[None, :, None].repeat(h, 0).astype(np.uint8)
    a[: h // 8] = 0
    a[h - h // 8 :] = 255
    return a


def moving(rng, t, w, h):
    """t frames of a window that moves over a bigger picture; some frames equal the one before."""
    big = edges(rng, w + 3 * t, h + 2 * t)
    big[::7, ::5] = rng.integers(0, 256, big[::7, ::5].shape)
    out, x, y = [], 0, 0
    for i in range(t):
        out.append(big[y : y + h, x : x + w])
        if i % 4 != 2:
            x, y = x + int(rng.integers(0, 4)), y + int(rng.integers(0, 3))
            x, y = min(x, 3 * t), min(y, 2 * t)
    return np.stack(out)


def make_inputs(out, seed, photo):
    rng, r = np.random.default_rng(seed), random.Random(seed)
    j = lambda v: v + r.randint(-v // 9, v // 9)
    im = Image.open(photo).convert("RGB")
    W, H = im.size
    x0, y0 = r.randint(0, W // 12), r.randint(0, H // 12)
    crop = im.crop((x0, y0, W - r.randint(0, W // 12), H - r.randint(0, H // 12)))
    pic = lambda w, h: np.asarray(crop.resize((w, h), Image.Resampling.BOX))
    out.image("photo_rgb", "RGB", pic(j(300), j(200)))
    out.image("photo_portrait_rgb", "RGB", pic(j(170), j(250)))
    out.image("photo_big_rgb", "RGB", pic(j(720), j(480)))
    out.image("photo_square_rgb", "RGB", pic(*[j(128)] * 2))
    out.image("page_rgb", "RGB", page(rng, j(420), j(590)))
    out.image("edges_rgb", "RGB", edges(rng, j(160), j(120)))
    out.image("noise_rgb", "RGB", noise(rng, j(97), j(61)))
    out.image("tall_rgb", "RGB", edges(rng, j(40), j(420)))
    out.image("wide_rgb", "RGB", edges(rng, j(500), j(36)))
    out.image("strip_rgb", "RGB", edges(rng, j(150), r.randint(24, 30)))
    out.image("tiny_rgb", "RGB", noise(rng, r.randint(8, 11), r.randint(5, 7)))
    q = pic(j(150), j(100))
    out.image("photo_rgba", "RGBA", np.concatenate([q, ramp(q.shape[1], q.shape[0])], 2))
    n = noise(rng, j(70), j(54))
    alpha = rng.integers(0, 256, n.shape[:2] + (1,), dtype=np.uint8)
    alpha[rng.random(alpha.shape) < 0.2] = 0
    out.image("noise_rgba", "RGBA", np.concatenate([n, alpha], 2))
    g = pic(j(210), j(150)).astype(np.uint16).sum(2, keepdims=True) // 3
    out.image("photo_l", "L", g.astype(np.uint8))
    e = edges(rng, j(90), j(70))
    out.image("edges_la", "LA", np.concatenate([e[..., 1:2], ramp(e.shape[1], e.shape[0])], 2))
    m = (edges(rng, j(110), j(84))[..., :1] // 26).astype(np.uint8)
    out.image("mask_l", "L", m)
    out.video("clip", moving(rng, 8, j(96), j(64)))
    out.video("clip_odd", moving(rng, 7, j(60), j(90)))
    out.video("clip_small", moving(rng, 5, 31, 22))
    out.video("clip_long", moving(rng, 48, r.randint(30, 40), r.randint(24, 30)))
    out.video("clip_many", moving(rng, 96 + r.randint(0, 9), 16, 12))
    v = np.stack(
        [
            np.asarray(
                crop.crop((k * 6, k * 4, W - 90 + k * 6, H - 60 + k * 4)).resize(
                    (150 + 2 * (seed % 5), 104), Image.Resampling.BOX
                )
            )
            for k in range(4)
        ]
    )
    out.video("clip_photo", v)
    out.video("clip_grey", moving(rng, 4, 50, 40)[..., :1])
    a = moving(rng, 3, 44, 36)
    out.video("clip_rgba", np.concatenate([a, rng.integers(0, 256, a.shape[:3] + (1,), dtype=np.uint8)], 3))
    out.video("clip_one", moving(rng, 1, 70, 50))
    w, h = out.inputs["edges_rgb"]["width"], out.inputs["edges_rgb"]["height"]
    out.image(
        "trimap_l",
        "L",
        np.repeat(np.repeat(rng.choice([0, 128, 255], (h // 9 + 1, w // 9 + 1)), 9, 0), 9, 1)[:h, :w, None].astype(
            np.uint8
        ),
    )


# ------------------------------------------------------------------ main


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--seed", type=int, required=True)
    ap.add_argument("--photo", required=True)
    ap.add_argument(
        "--more", help="file with further cases: functions images(r), videos(r), samples(r), loading(r), existing(r)"
    )
    ap.add_argument("--only", default="images,videos,samples,loading,existing")
    ap.add_argument("--grep", default="")
    args = ap.parse_args()
    cap = torch.backends.cpu.get_cpu_capability()
    assert cap in ("AVX2", "AVX512") or os.environ.get("ANY_CPU"), (
        f"CPU capability {cap}: torch would take another path for bilinear"
    )
    out = Out(args.out)
    make_inputs(out, args.seed, args.photo)
    more = {}
    if args.more:
        exec(compile(open(args.more).read(), args.more, "exec"), more)
    only = args.only.split(",")
    for name, module in (
        ("images", "image_cases"),
        ("videos", "video_cases"),
        ("samples", "video_cases"),
        ("loading", "loading_cases"),
        ("existing", "existing_cases"),
    ):
        if name in only:
            getattr(importlib.import_module(module), "run_" + name)(
                out, random.Random(args.seed * 13 + len(name)), more.get(name), args.grep
            )
    out.close()
    kinds = {}
    for c in out.cases:
        k = (c["kind"], c.get("backend", ""))
        kinds[k] = kinds.get(k, 0) + 1
    print(cap, kinds)


if __name__ == "__main__":
    main()
