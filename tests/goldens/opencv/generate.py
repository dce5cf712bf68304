"""Makes the goldens of OpenCV's resizing and of the preprocessing built on it: python generate.py OUT [--seed N].

Every case is also computed by cv_reference.py and compared; what is stored is the package's output.
Images are RGB in the files; code that expects cv2's BGR gets the channels reversed.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import random
import types

os.environ.update(YOLO_OFFLINE="true", YOLO_AUTOINSTALL="false", YOLO_VERBOSE="false")
import cv2
import numpy as np
from PIL import Image

import cv_reference as R
import warp_reference

cv2.setNumThreads(1)
cv2.ipp.setUseIPP(False)
FLAG = dict(
    nearest=cv2.INTER_NEAREST,
    nearest_exact=cv2.INTER_NEAREST_EXACT,
    linear=cv2.INTER_LINEAR,
    area=cv2.INTER_AREA,
    cubic=cv2.INTER_CUBIC,
    lanczos4=cv2.INTER_LANCZOS4,
    linear_exact=cv2.INTER_LINEAR_EXACT,
)
FILTERS = list(FLAG)
sha = lambda b: hashlib.sha256(b).hexdigest()


def formula(w, h, c, k):
    x, y, z = np.arange(w)[None, :, None], np.arange(h)[:, None, None], np.arange(c)[None, None, :]
    return ((((x * k[0] + y * k[1] + z * k[2]) >> 2) + ((x * y * k[3]) >> 8)) & 255).astype(np.uint8)


class Set:
    def __init__(self, root, seed):
        self.root, self.cases, self.inputs, self.seed = root, [], {}, seed
        self.r, self.rng = random.Random(seed), np.random.default_rng(seed)
        os.makedirs(os.path.join(root, "inputs"), exist_ok=True)

    def add(self, name, a, k=None):
        mode = {1: "L", 3: "RGB", 4: "RGBA"}[a.shape[2]]
        rec = dict(mode=mode, width=a.shape[1], height=a.shape[0], sha256=sha(a.tobytes()))
        if k is not None:
            key, rec["formula"] = name, list(k)
        else:
            key = f"inputs/{name}.png"
            Image.fromarray(a[..., 0] if mode == "L" else a).save(os.path.join(self.root, key), optimize=True)
        self.inputs[key] = (rec, a)
        return key

    def formula(self, w, h, c):
        k = [self.r.randint(3, 23) for _ in range(4)]
        return self.add(f"formula_{w}x{h}x{c}_{'_'.join(map(str, k))}", formula(w, h, c, k), k)

    def arr(self, key):
        return self.inputs[key][1]

    def case(self, kind, **kw):
        n = sum(c["kind"] == kind for c in self.cases)
        c = dict(id=f"{kind}_{n:03d}", kind=kind, **kw)
        self.cases.append(c)
        return c


def record(a):
    """What is stored of a result: its hash, and its first values, which show what is wrong."""
    a = np.ascontiguousarray(a)
    return dict(dtype=str(a.dtype), dims=list(a.shape), sha256=sha(a.tobytes()), first=a.reshape(-1)[:4].tolist())


def same(a, b, what):
    assert a.shape == b.shape and a.dtype == b.dtype and np.array_equal(a, b), what


# ------------------------------------------------------------------ inputs


def make_inputs(s, photo):
    r, rng, I = s.r, s.rng, {}
    pw, ph = photo.size

    def crop(w, h, factor):
        x, y = r.randint(0, pw - w * factor), r.randint(0, ph - h * factor)
        return np.asarray(photo.crop((x, y, x + w * factor, y + h * factor)).resize((w, h), Image.BOX).convert("RGB"))

    f = max(1, min(pw // 170, ph // 130, 4))
    I["photo"] = s.add("photo_rgb", crop(144, 96, f))
    I["photo2"] = s.add("photo_odd_rgb", crop(133, 101, f))
    I["photo_l"] = s.add("photo_l", np.asarray(Image.fromarray(crop(120, 84, f)).convert("L"))[..., None])
    a = crop(96, 72, f)
    I["photo_rgba"] = s.add("photo_rgba", np.concatenate([a, rng.integers(0, 256, (72, 96, 1), dtype=np.uint8)], 2))
    for c, n in ((1, "l"), (3, "rgb"), (4, "rgba")):
        w, h = r.randint(40, 71), r.randint(40, 71)
        I["noise_" + n] = s.add("noise_" + n, rng.integers(0, 256, (h, w, c), dtype=np.uint8))
        w, h = 12 * r.randint(3, 6), 12 * r.randint(3, 6)
        I["bw_" + n] = s.add("bw_" + n, (rng.integers(0, 2, (h, w, c)) * 255).astype(np.uint8))
    I["half_rgb"] = s.add(
        "half_rgb", rng.integers(0, 256, (2 * r.randint(20, 40), 2 * r.randint(20, 40), 3), dtype=np.uint8)
    )
    for n, w, h, c in (
        ("row_rgb", r.randint(30, 60), 1, 3),
        ("col_rgb", 1, r.randint(30, 60), 3),
        ("row_l", r.randint(30, 60), 1, 1),
        ("col_rgba", 1, r.randint(30, 60), 4),
        ("dot_rgb", 1, 1, 3),
        ("two_rgb", 2, 2, 3),
        ("thin_rgb", 3, r.randint(60, 90), 3),
    ):
        I[n] = s.add(n, rng.integers(0, 256, (h, w, c), dtype=np.uint8))
    return I


def resize_case(s, key, size, f, shape):
    a = s.arr(key)
    got = cv2.resize(a, tuple(size), interpolation=FLAG[f]).reshape(size[1], size[0], a.shape[2])
    same(got, R.resize(a, size, f), (key, size, f))
    c = s.case(
        "resize",
        input=key,
        image_mode=s.inputs[key][0]["mode"],
        shape=shape,
        op=dict(filter=f, size=list(size)),
        output=record(got),
    )
    if f == "cubic":
        cv2.ipp.setUseIPP(True)
        d = cv2.resize(a, tuple(size), interpolation=FLAG[f]).reshape(got.shape)
        cv2.ipp.setUseIPP(False)
        diff = np.abs(d.astype(int) - got)
        sc = R.taps_resize(a, tuple(size), 4, lanes=1 << 40) if a.shape[1::-1] != tuple(size) else a
        if not np.array_equal(sc, got):
            c["scalar"] = dict(sha256=sha(np.ascontiguousarray(sc).tobytes()), differing=int((sc != got).sum()))
        c["x86_default"] = dict(sha256=sha(d.tobytes()), differing=int((diff > 0).sum()), largest=int(diff.max()))
    if f == "nearest_exact":
        old = R.nearest_exact_4(a, size)
        if not np.array_equal(old, got):
            c["opencv_4"] = dict(sha256=sha(np.ascontiguousarray(old).tobytes()))


def resizes(s, I):
    r = s.r
    src = [k for k in I if min(s.arr(I[k]).shape[:2]) > 20]
    byw = lambda n: [k for k in src if n in (1, 3, 4) and s.arr(I[k]).shape[2] == n]
    turn = [3, 1, 3, 4]

    def pick(i, need=None):
        c = [k for k in byw(turn[i % 4]) if need is None or need(*s.arr(I[k]).shape[1::-1])]
        return I[r.choice(c or [k for k in src if need is None or need(*s.arr(I[k]).shape[1::-1])])]

    i = 0
    for f in FILTERS:
        plan = []
        for _ in range(3):
            fx, fy = r.choice([(2, 2), (3, 3), (4, 4), (2, 3), (4, 2), (6, 4), (1, 2), (3, 1), (12, 12)])
            k = pick(i, lambda w, h: w % fx == 0 and h % fy == 0)
            w, h = s.arr(k).shape[1::-1]
            plan.append((k, (w // fx, h // fy), "integer down"))
            i += 1
        for k in (I["half_rgb"], I["bw_rgba"], I["photo_l"]):
            w, h = s.arr(k).shape[1::-1]
            plan.append((k, (w // 2, h // 2), "exact half"))
        for shape, n in (
            ("down", 5),
            ("strong down", 3),
            ("up", 4),
            ("mixed", 3),
            ("one axis", 2),
            ("whole up", 2),
            ("one pixel", 2),
        ):
            for j in range(n):
                k = pick(i)
                i += 1
                w, h = s.arr(k).shape[1::-1]
                size = {
                    "down": lambda: (r.randint(w // 2 + 1, w - 1), r.randint(h // 2 + 1, h - 1)),
                    "strong down": lambda: (r.randint(2, w // 4), r.randint(2, h // 4)),
                    "up": lambda: (r.randint(w + 1, 2 * w), r.randint(h + 1, 2 * h)),
                    "mixed": lambda: (
                        (r.randint(w + 1, 2 * w), r.randint(3, h - 1))
                        if j % 2
                        else (r.randint(3, w - 1), r.randint(h + 1, 2 * h))
                    ),
                    "one axis": lambda: (w, r.randint(3, 2 * h)) if j else (r.randint(3, 2 * w), h),
                    "whole up": lambda: (w * (2 + j), h * 2),
                    "one pixel": lambda: r.choice([(1, 1), (1, r.randint(2, 90)), (r.randint(2, 90), 1)]),
                }[shape]()
                plan.append((k, size, shape))
        for k in r.sample(["row_rgb", "col_rgb", "row_l", "col_rgba", "dot_rgb", "two_rgb", "thin_rgb"], 5):
            w, h = s.arr(I[k]).shape[1::-1]
            plan.append((I[k], (r.randint(1, 80), r.randint(1, 80)), "thin input"))
        plan.append((I["noise_rgb"], tuple(s.arr(I["noise_rgb"]).shape[1::-1]), "same size"))
        for k, size, shape in plan:
            resize_case(s, k, size, f, shape)
        for (w, h, c), size in zip(
            [(1920, 1080, 3), (1280, 720, 4), (810, 1080, 3), (224, 224, 3), (1281, 721, 1)],
            [(640, 360), (640, 360), (480, 640), (1024, 1024), (640, 360)],
        ):
            k = next((k for k in s.inputs if k.startswith(f"formula_{w}x{h}x{c}_")), None) or s.formula(w, h, c)
            resize_case(s, k, size, f, "large")
    # 1/(1/49) is not 49 in double: not an integer factor for OpenCV
    k = s.add("ties_l", s.rng.integers(0, 256, (4, 98, 1), dtype=np.uint8))
    for size in ((2, 4), (2, 2), (49, 2), (14, 1)):
        for f in ("area", "linear", "nearest"):
            resize_case(s, k, size, f, "49 and half-way cases")
    for n in range(12):  # Cases of float32 have gone from here. The cases below still take their random choices.
        r.choice([1, 3, 4]), r.randint(5, 40), r.randint(5, 40), r.choice([1, 255])
        if n > 1:
            r.randint(1, 60), r.randint(1, 60)


# ------------------------------------------------------------------ pipelines


def letterboxes(s, I):
    from ultralytics.data.augment import LetterBox
    from ultralytics.engine.predictor import BasePredictor

    r = s.r
    big = [
        s.formula(w, h, 3)
        for w, h in (
            (1080, 810),
            (1280, 720),
            (640, 480),
            (500, 375),
            (427, 640),
            (1000, 333),
            (r.randint(200, 900), r.randint(200, 900)),
            (r.randint(30, 300), r.randint(30, 300)),
            (640, 640),
            (640, 359),
            (1279, 719),
            (3000, 4),
            (r.randint(600, 700), r.randint(900, 1400)),
        )
    ]
    small = [I[k] for k in ("photo", "photo2", "noise_rgb", "thin_rgb", "two_rgb", "row_rgb")] + [
        I["noise_l"],
        I["bw_rgba"],
    ]
    ties = [
        s.formula(w, h, 3) for w, h in ((641, 1280), (1280, 721), (1280, 723), (2 * r.randint(100, 300) + 1, 1280))
    ]  # a side of exactly x.5
    for n in range(76):
        k = ties[n - 72] if n >= 72 else big[n % len(big)] if n % 3 else r.choice(small)
        a = s.arr(k)
        o = dict(height=640, width=640, auto=False, stride=32, scaleFill=False, scaleup=True, center=True, color=114)
        if k in small:
            o["height"], o["width"] = r.choice([(64, 64), (96, 64), (33, 47), (80, 128), (50, 50), (57, 31)])
        elif n % 5 == 0 and n < 72:
            o["height"], o["width"] = r.choice(
                [(480, 640), (320, 320), (384, 672), (1280, 1280), (641, 639), (256, 511)]
            )
        if n % 4 == 1 and n < 72:
            o["auto"], o["stride"] = True, r.choice([32, 32, 32, 64, 16])
        elif n % 8 == 3 and n < 72:
            o["scaleFill"] = True
        if n % 6 == 2:
            o["scaleup"] = False
        if n % 7 == 4:
            o["center"] = False
        if n % 11 == 5:
            o["color"] = r.choice([0, 127, 255])
        box = LetterBox(
            (o["height"], o["width"]),
            auto=o["auto"],
            scale_fill=o["scaleFill"],
            scaleup=o["scaleup"],
            center=o["center"],
            stride=o["stride"],
            padding_value=o["color"],
        )
        bgr = np.ascontiguousarray(a[..., ::-1] if a.shape[2] == 3 else a)
        p = box.get_params({"img": bgr})
        got = box(image=bgr.copy())
        got = got[..., ::-1] if a.shape[2] == 3 else got
        ref, scale, left, top = R.letterbox(a, **o)
        same(np.ascontiguousarray(got), ref, (k, o))
        assert (p["left"], p["top"]) == (left, top)
        s.case(
            "letterbox",
            input=k,
            image_mode=s.inputs[k][0]["mode"],
            options=o,
            resized=list(map(int, p["new_unpad"])),
            scale=scale,
            left=int(left),
            top=int(top),
            output=record(got),
        )
    for n in range(16):  # the predictor's whole preprocess
        k = big[n % len(big)] if n % 4 else r.choice(small[:3])
        a = s.arr(k)
        half = n % 2 == 1
        size = [640, 640] if k in big else [64, 96]
        rect = n % 3 != 2
        ns = types.SimpleNamespace(
            imgsz=size,
            args=types.SimpleNamespace(rect=rect),
            scale_fill=False,
            device="cpu",
            model=types.SimpleNamespace(format="pt", dynamic=False, stride=32, fp16=half),
        )
        ns.pre_transform = lambda im: BasePredictor.pre_transform(ns, im)
        got = BasePredictor.preprocess(ns, [np.ascontiguousarray(a[..., ::-1])]).numpy()
        same(got, R.yolo_tensor(a, half, height=size[0], width=size[1], auto=rect), k)
        s.case("yolo", input=k, options=dict(height=size[0], width=size[1], auto=rect, stride=32), output=record(got))
    for n in range(8):  # YOLOX and SCRFD: the projects' code, from knowledge, around cv2
        k = big[(n * 5 + 1) % len(big)]
        a = s.arr(k)
        h, w = a.shape[:2]
        H, W = r.choice([(640, 640), (416, 416), (320, 640)])
        q = min(H / h, W / w)
        if int(h * q) < 1 or int(w * q) < 1:  # 3000x4
            k = big[0]
            a = s.arr(k)
            h, w = a.shape[:2]
            q = min(H / h, W / w)
        bgr = np.ascontiguousarray(a[..., ::-1])
        pad = np.ones((H, W, 3), np.uint8) * 114
        pad[: int(h * q), : int(w * q)] = cv2.resize(
            bgr, (int(w * q), int(h * q)), interpolation=cv2.INTER_LINEAR
        ).astype(np.uint8)
        got = np.ascontiguousarray(pad.transpose(2, 0, 1), dtype=np.float32)[None]
        same(got, R.yolox_tensor(a, H, W)[0], k)
        s.case(
            "yolox",
            input=k,
            options=dict(height=H, width=W),
            resized=[int(w * q), int(h * q)],
            scale=q,
            output=record(got),
        )
        if h / w > H / W:
            nh = H
            nw = int(nh / (h / w))
        else:
            nw = W
            nh = int(nw * (h / w))
        det = np.zeros((H, W, 3), np.uint8)
        det[:nh, :nw] = cv2.resize(bgr, (nw, nh))
        got = cv2.dnn.blobFromImage(det, 1.0 / 128, (W, H), (127.5, 127.5, 127.5), swapRB=True)
        same(got, R.scrfd_tensor(a, H, W)[0], k)
        s.case("scrfd", input=k, options=dict(height=H, width=W), resized=[nw, nh], scale=nh / h, output=record(got))


def blobs(s, I):
    r = s.r
    keys = [I[k] for k in ("photo", "photo2", "noise_rgb", "photo_rgba", "noise_l", "two_rgb", "half_rgb")]
    for n in range(40):
        k = keys[n % len(keys)]
        a = s.arr(k)
        h, w = a.shape[:2]
        size = [None, (112, 112), (r.randint(4, 130), r.randint(4, 130)), (w // 2, h // 2)][n % 4]
        o = dict(
            scalefactor=r.choice([1 / 255, 1 / 128, 1 / 127.5, 1.0, 0.007843, 0.017]),
            width=size[0] if size else w,
            height=size[1] if size else h,
            mean=list(r.choice([(0, 0, 0), (127.5,) * 3, (104, 117, 123), (103.939, 116.779, 123.68)])),
            swapRB=n % 2 == 1 and a.shape[2] > 1,
            crop=n % 5 < 2,
        )
        if a.shape[2] == 1:
            o["mean"] = o["mean"][:1]
        got = cv2.dnn.blobFromImage(a, o["scalefactor"], (o["width"], o["height"]), o["mean"], o["swapRB"], o["crop"])
        same(got, R.blob(a, o["scalefactor"], (o["width"], o["height"]), o["mean"], o["swapRB"], o["crop"]), (k, o))
        s.case("blob", input=k, options=o, output=record(got))


def ocr(s, I):
    from rapidocr_onnxruntime import RapidOCR
    from rapidocr_onnxruntime.ch_ppocr_det.utils import DetPreProcess

    engine, r = RapidOCR(), s.r
    keys = [
        s.formula(w, h, 3)
        for w, h in ((1000, 700), (r.randint(300, 1200), r.randint(300, 1200)), (2100, 300), (400, 1500))
    ] + [I["photo"], I["photo2"]]
    for n in range(12):
        k = keys[n % len(keys)]
        bgr = np.ascontiguousarray(s.arr(k)[..., ::-1])
        o = dict(limit_side_len=736, limit_type="min", mean=[0.5, 0.5, 0.5], std=[0.5, 0.5, 0.5])
        if n % 2:
            o.update(limit_side_len=r.choice([960, 1500, 320]), limit_type="max")
        if n % 3 == 2:
            o.update(mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225])
        if n >= 4 and k in keys[4:]:
            o["limit_side_len"] = r.choice([96, 200, 130])
        got = DetPreProcess(**o)(bgr)
        ref = R.rapid_det(bgr, o["limit_side_len"], o["limit_type"], o["mean"], o["std"])
        same(got, ref, (k, o))
        s.case("ocr_det", input=k, options=o, resized=[got.shape[3], got.shape[2]], output=record(got))
    for n in range(16):
        w, h = r.randint(10, 700), r.randint(8, 80)
        k = s.formula(w, h, 3) if n % 4 else r.choice([I["photo"], I["noise_rgb"], I["row_rgb"]])
        bgr = np.ascontiguousarray(s.arr(k)[..., ::-1])
        h, w = bgr.shape[:2]
        if n % 2:
            got, width = engine.text_cls.resize_norm_img(bgr), 192
        else:
            ratio = max(320 / 48, w / h, r.choice([0, 0, 9.7]))
            got, width = engine.text_rec.resize_norm_img(bgr, ratio), int(48 * ratio)
        got = got[None]
        same(got, R.rapid_text(bgr, 48, width), k)
        s.case("ocr_cls" if n % 2 else "ocr_rec", input=k, options=dict(height=48, width=width), output=record(got))


def others(s, I):
    r = s.r
    for k in ("photo", "noise_rgb", "noise_rgba"):
        a = s.arr(I[k])
        got = cv2.cvtColor(a, cv2.COLOR_RGB2GRAY if a.shape[2] == 3 else cv2.COLOR_RGBA2GRAY)[..., None]
        same(got, R.gray(a), k)
        s.case("gray", input=I[k], output=record(got))
    for n in range(8):
        k = I[r.choice(["photo", "noise_rgba", "two_rgb", "row_rgb", "noise_rgb"])]
        t, b, l, q = [r.randint(0, 40) for _ in range(4)]
        kind = ["constant", "replicate", "reflect", "reflect101"][n % 4]
        got = cv2.copyMakeBorder(
            s.arr(k),
            t,
            b,
            l,
            q,
            dict(
                constant=cv2.BORDER_CONSTANT,
                replicate=cv2.BORDER_REPLICATE,
                reflect=cv2.BORDER_REFLECT,
                reflect101=cv2.BORDER_REFLECT_101,
            )[kind],
            value=(114,) * 4,
        )
        same(got, R.border(s.arr(k), t, b, l, q, kind, 114), kind)
        s.case(
            "border",
            input=k,
            options=dict(top=t, bottom=b, left=l, right=q, kind=kind, value=114),
            output=record(got),
        )


def warps(s, I):
    r = random.Random(f"{s.seed} warps")  # its own: the cases above keep theirs
    keys = [I[k] for k in ("photo", "photo_l", "photo_rgba", "noise_rgb", "bw_l", "row_rgb", "col_rgba", "dot_rgb")]
    flag = dict(nearest=cv2.INTER_NEAREST, linear=cv2.INTER_LINEAR, cubic=cv2.INTER_CUBIC)
    border = dict(constant=cv2.BORDER_CONSTANT, replicate=cv2.BORDER_REPLICATE)
    for n in range(96):
        k = keys[n // 12 % len(keys)]
        a, kind, edge, inverse = s.arr(k), list(flag)[n % 3], list(border)[n // 3 % 2], n // 6 % 2 == 1
        h, w, c = a.shape
        size = (r.randint(1, 150), r.randint(1, 120)) if n % 5 else (w, h)
        turn = r.uniform(-3.2, 3.2)
        scale = r.choice([1, 0.4, 2.5]) * r.uniform(0.8, 1.2)
        m = np.array([[np.cos(turn), np.sin(turn), 0], [-np.sin(turn), np.cos(turn), 0]]) * scale
        m[:, 2] = [w / 2, h / 2] - m[:, :2] @ [size[0] / 2, size[1] / 2] + [r.uniform(-5, 5), r.uniform(-5, 5)]
        if n % 7 == 0:
            m = np.array([[1.0, 0, r.choice([0, 0.5, -3])], [0, 1, r.choice([0, 0.25, 2])]])
        if n % 2:
            m = np.vstack([m, [r.uniform(-0.004, 0.004), r.uniform(-0.004, 0.004), 1]])
        value = [r.randint(0, 255) for _ in range(c)]
        op = cv2.warpPerspective if n % 2 else cv2.warpAffine
        flags = flag[kind] | (cv2.WARP_INVERSE_MAP if inverse else 0)
        got = op(a, m, size, flags=flags, borderMode=border[edge], borderValue=value).reshape(size[1], size[0], c)
        same(got, warp_reference.warp(a, m, size, kind, edge, value, inverse), (n, k, m))
        o = dict(width=size[0], height=size[1], filter=kind, border=edge, background=value, inverse=inverse)
        s.case("warp", input=k, matrix=m.reshape(-1).tolist(), options=o, output=record(got))


def classify(s, I):
    from ultralytics.data.augment import classify_transforms

    r = random.Random(f"{s.seed} classify")
    keys = [I[k] for k in ("photo", "photo2", "noise_rgb", "bw_rgb", "two_rgb", "thin_rgb", "row_rgb", "col_rgb")]
    keys += [k for k, (rec, _) in s.inputs.items() if "formula" in rec and rec["mode"] == "RGB" and rec["width"] < 1300]
    for n in range(40):
        k, size = keys[n % len(keys)], [224, r.randint(1, 300), 64][n % 3]
        if max(s.arr(k).shape) / min(s.arr(k).shape[:2]) * size > 4000:
            size = 17
        got = classify_transforms(size)(Image.fromarray(s.arr(k))).numpy()[None]
        s.case("yolo_cls", input=k, options=dict(size=size), output=record(got))


def faces(s, I):
    # The module alone: the package asks for onnxruntime.
    folder = importlib.util.find_spec("insightface").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("face_align", os.path.join(folder, "utils/face_align.py"))
    align = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(align)
    r = random.Random(f"{s.seed} faces")
    keys = [I[k] for k in ("photo", "photo_l", "photo_rgba", "noise_rgb")]
    for n in range(24):
        k, size = keys[n % len(keys)], [112, 128, 224, 256][n // len(keys) % 4]
        h, w = s.arr(k).shape[:2]
        turn, scale = r.uniform(-3.2, 3.2), r.uniform(0.3, 1.5)
        m = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * scale
        marks = (align.arcface_dst - 56).astype(np.float64) @ m.T + [r.uniform(0, w), r.uniform(0, h)]
        marks = marks + np.array([[r.gauss(0, 2), r.gauss(0, 2)] for _ in range(5)])
        got = align.norm_crop(s.arr(k), marks, size)
        o = dict(landmarks=marks.tolist(), size=size)
        s.case("norm_crop", input=k, options=o, output=record(got.reshape(size, size, -1)))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("out")
    p.add_argument("--seed", type=int, default=50931)
    p.add_argument("--photo", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../demo/photo.jpg"))
    o = p.parse_args()
    assert cv2.__version__ == "5.0.0", cv2.__version__
    s = Set(o.out, o.seed)
    I = make_inputs(s, Image.open(o.photo).convert("RGB"))
    resizes(s, I)
    letterboxes(s, I)
    blobs(s, I)
    ocr(s, I)
    others(s, I)
    warps(s, I)
    classify(s, I)
    faces(s, I)
    with open(os.path.join(o.out, "index.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in s.cases) + "\n]\n")
    with open(os.path.join(o.out, "inputs.json"), "w") as f:
        f.write(
            "{\n"
            + ",\n".join(json.dumps(k) + ":" + json.dumps(v[0], separators=(",", ":")) for k, v in s.inputs.items())
            + "\n}\n"
        )
    kinds = {}
    for c in s.cases:
        kinds[c["kind"]] = kinds.get(c["kind"], 0) + 1
    print(kinds)


if __name__ == "__main__":
    main()
