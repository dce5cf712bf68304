"""Golden data of prompts for segmenters and of counts of patches.

python generate.py OUT --seed N: the same bytes again; another seed: a disjoint set.
"""

import argparse
import copy
import glob
import importlib
import inspect
import json
import os
import random
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "critical"
warnings.filterwarnings("ignore")
import numpy as np
import torch
import transformers

torch.set_num_threads(2)
NAMES = ("input_points", "input_labels", "input_boxes", "input_boxes_labels")
IMAGE = {
    "Sam": "Sam",
    "SamHQ": "Sam",
    "Sam2": "Sam2",
    "Sam2Video": "Sam2",
    "Sam3Tracker": "Sam3",
    "Sam3TrackerVideo": "Sam3",
    "Sam3": "Sam3",
}


# ---- prompts ----
def processor(name, config):
    """The processor that a folder with this file gives.

    The file is processor_config.json if it holds `image_processor`, else preprocessor_config.json.
    """
    own = config.get("image_processor", config)
    ip = getattr(transformers, IMAGE[name] + "ImageProcessor")(
        **{k: v for k, v in own.items() if k not in ("image_processor_type", "processor_class")}
    )
    more = {k: config[k] for k in ("point_pad_value", "target_size") if "image_processor" in config and k in config}
    cls = getattr(transformers, name + "Processor")
    if name in ("Sam", "SamHQ"):
        return cls(ip)
    if name in ("Sam2", "Sam3Tracker"):
        return cls(ip, **more)
    p = object.__new__(cls)  # those need a tokenizer or a video processor too, which the prompts do not
    p.image_processor, p.point_pad_value = ip, more.get("point_pad_value", -10)
    p.target_size = more.get("target_size", ip.size["height"])
    if name == "Sam3":
        p.tokenizer = lambda *a, **k: {}
    return p


def ask(case):
    p = processor(case["class"].removesuffix("Processor"), case["config"])
    images = [np.zeros((h, w, 3), np.uint8) for h, w in case["images"]]
    try:
        r = p(images=images, return_tensors="pt", **copy.deepcopy({**case["inputs"], **case["options"]}))
    except Exception as error:
        case["error"] = type(error).__name__
        case["python"] = str(error).split("\n")[0][:140]
        return
    case["outputs"] = {k: tensor(r[k]) for k in NAMES if k in r}
    assert set(case["outputs"]) >= set(case["inputs"])


def tensor(t):
    assert isinstance(t, torch.Tensor)
    v = t.numpy()
    return {"dtype": str(v.dtype), "dims": list(v.shape), "values": [x.item() for x in v.reshape(-1)]}


def prompts(rng):
    out = []
    odd = lambda: [rng.randrange(31, 700), rng.randrange(31, 700)]
    num = lambda hi, whole: rng.randrange(0, hi) if whole else round(rng.uniform(0, hi), rng.choice([1, 2, 3, 6]))
    point = lambda size, whole=False: [num(size[1], whole), num(size[0], whole)]
    label = lambda: rng.choice([0, 1])

    def box(size, whole=False):
        a, b = sorted(num(size[1], whole) for _ in "ab")
        c, d = sorted(num(size[0], whole) for _ in "ab")
        return [a, c, b, d]

    def add(name, label_, images, inputs, options=None, config=None, top=None):
        own = {"image_processor_type": IMAGE[name] + "ImageProcessor", **(config or {})}
        case = {
            "id": f"{name}_{label_}",
            "kind": "prompts",
            "class": name + "Processor",
            "config": (
                {"image_processor": own, "processor_class": name + "Processor", **top}
                if top is not None
                else {**own, "processor_class": name + "Processor"}
            ),
            "images": images,
            "inputs": inputs,
            "options": options or {},
        }
        ask(case)
        out.append(case)

    for name in ("Sam", "SamHQ"):
        s, t, u = odd(), odd(), odd()
        pts = lambda n, size=None, whole=False: [point(size or s, whole) for _ in range(n)]
        add(name, "point", [s], {"input_points": [pts(1)], "input_labels": [[1]]})
        add(name, "whole", [s], {"input_points": [pts(3, whole=True)], "input_labels": [[label() for _ in range(3)]]})
        add(name, "points_alone", [s], {"input_points": [pts(2)]})
        add(name, "labels_alone", [s], {"input_labels": [[0, 1]]})
        add(name, "two_images", [s, t], {"input_points": [pts(2), pts(2, t)], "input_labels": [[1, 0], [0, 1]]})
        add(
            name,
            "objects",
            [s],
            {"input_points": [[pts(2), pts(2), pts(2)]], "input_labels": [[[1, 0], [1, 1], [0, 1]]]},
        )
        add(
            name,
            "objects_two",
            [s, t],
            {"input_points": [[pts(1), pts(1)], [pts(1, t), pts(1, t)]], "input_labels": [[[1], [0]], [[1], [1]]]},
        )
        uneven = {"input_points": [pts(3), pts(2, t)], "input_labels": [[1, 0, 1], [0, 1]]}
        add(name, "uneven", [s, t], uneven, {"point_pad_value": -10})
        add(
            name,
            "uneven_first",
            [t, s],
            {"input_points": [pts(1, t), pts(2)], "input_labels": [[1], [0, 1]]},
            {"point_pad_value": -1},
        )
        add(name, "uneven_zero", [s, t], uneven, {"point_pad_value": 0})
        add(name, "uneven_default", [s, t], uneven)
        add(
            name,
            "uneven_by_two",
            [s, t],
            {"input_points": [pts(4), pts(2, t)], "input_labels": [[1, 0, 1, 1], [0, 1]]},
            {"point_pad_value": -10},
        )
        add(name, "uneven_alone", [s, t], {"input_points": [pts(3), pts(2, t)]}, {"point_pad_value": -10})
        add(name, "box", [s], {"input_boxes": [[box(s)]]})
        add(name, "boxes", [s], {"input_boxes": [[box(s), box(s, True), box(s)]]})
        add(name, "boxes_two", [s, t], {"input_boxes": [[box(s), box(s)], [box(t), box(t, True)]]})
        add(name, "boxes_uneven", [s, t], {"input_boxes": [[box(s), box(s)], [box(t)]]})
        add(name, "all", [s], {"input_points": [pts(2)], "input_labels": [[1, 0]], "input_boxes": [[box(s)]]})
        add(
            name,
            "one_image",
            [s],
            {"input_points": [pts(2), pts(2)], "input_labels": [[1, 0], [0, 1]], "input_boxes": [[box(s)], [box(s)]]},
        )
        add(name, "three_images", [s, t, u], {"input_points": [pts(1), pts(1)], "input_labels": [[1], [0]]})
        add(
            name,
            "size",
            [s, t],
            {"input_points": [pts(1), pts(1, t)], "input_labels": [[1], [1]], "input_boxes": [[box(s)], [box(t)]]},
            None,
            {"size": {"longest_edge": 512 + rng.randrange(100)}, "pad_size": {"height": 640, "width": 640}},
        )
        add(
            name,
            "narrow",
            [[rng.randrange(90, 400), 1]],
            {"input_points": [[[0, 5.5]]], "input_labels": [[1]], "input_boxes": [[[0, 1, 1, 7.25]]]},
        )
        add(name, "bare_point", [s], {"input_points": [point(s)], "input_labels": [[1]]})
        add(name, "flat_points", [s], {"input_points": point(s), "input_labels": [[1]]})
        add(name, "flat_labels", [s], {"input_points": [pts(1)], "input_labels": [1]})
        add(name, "flat_box", [s], {"input_boxes": [box(s)]})
        add(
            name,
            "outside",
            [s],
            {"input_points": [[[-3.5, 2.25], [s[1] + 10.125, s[0] + 0.5]]], "input_labels": [[1, -1]]},
        )
    for name in ("Sam2", "Sam3Tracker", "Sam2Video", "Sam3TrackerVideo"):
        s, t, u = odd(), odd(), odd()
        pts = lambda n, size=None, whole=False: [point(size or s, whole) for _ in range(n)]
        add(name, "point", [s], {"input_points": [[pts(1)]], "input_labels": [[[1]]]})
        add(
            name,
            "uneven",
            [s, t],
            {"input_points": [[pts(3), pts(1)], [pts(2, t)]], "input_labels": [[[1, 0, 1], [1]], [[0, 1]]]},
        )
        add(name, "boxes_two", [s, t], {"input_boxes": [[box(s), box(s)], [box(t), box(t, True)]]})
        if name.endswith("Video"):
            continue
        add(
            name,
            "whole",
            [s],
            {"input_points": [[pts(3, whole=True)]], "input_labels": [[[label() for _ in range(3)]]]},
        )
        add(name, "points_alone", [s], {"input_points": [[pts(2), pts(1)]]})
        add(name, "labels_alone", [s], {"input_labels": [[[0, 1], [1]]]})
        add(
            name,
            "objects",
            [s, t, u],
            {
                "input_points": [[pts(1)], [pts(2, t), pts(3, t), pts(1, t)], [pts(1, u), pts(1, u)]],
                "input_labels": [[[1]], [[1, 0], [1, 1, 0], [0]], [[1], [1]]],
            },
        )
        add(
            name,
            "pad_value",
            [s, t],
            {"input_points": [[pts(2)], [pts(1, t)]], "input_labels": [[[1, 0]], [[1]]]},
            None,
            None,
            {"point_pad_value": -1},
        )
        add(
            name,
            "target_size",
            [s, t],
            {
                "input_points": [[pts(1)], [pts(1, t)]],
                "input_labels": [[[1]], [[0]]],
                "input_boxes": [[box(s)], [box(t)]],
            },
            None,
            None,
            {"target_size": 500 + rng.randrange(300)},
        )
        k = 256 + rng.randrange(300)
        add(
            name,
            "size",
            [s],
            {"input_points": [[pts(2)]], "input_labels": [[[1, 0]]]},
            None,
            {"size": {"height": k, "width": k}},
        )
        add(
            name,
            "like_padding",
            [s],
            {"input_points": [[[[-10, 7.5], [12.25, -10], [-10, -10], [-9.5, 3]]]], "input_labels": [[[1, 1, -10, 0]]]},
        )
        add(name, "box", [s], {"input_boxes": [[box(s)]]})
        add(name, "boxes_uneven", [s, t], {"input_boxes": [[box(s), box(s)], [box(t)]]})
        add(name, "all", [s], {"input_points": [[pts(2)]], "input_labels": [[[1, 0]]], "input_boxes": [[box(s)]]})
        add(
            name,
            "one_image",
            [s],
            {"input_points": [[pts(1)], [pts(1)]], "input_labels": [[[1]], [[0]]], "input_boxes": [[box(s)], [box(s)]]},
        )
        add(name, "three_images", [s, t, u], {"input_points": [[pts(1)], [pts(1, t)]], "input_labels": [[[1]], [[0]]]})
        add(name, "shallow_points", [s], {"input_points": [pts(2)], "input_labels": [[[1, 0]]]})
        add(name, "shallow_labels", [s], {"input_points": [[pts(2)]], "input_labels": [[1, 0]]})
        add(name, "shallow_box", [s], {"input_boxes": [box(s)]})
        add(name, "deep_box", [s], {"input_boxes": [[[box(s)]]]})
        add(name, "unlike_labels", [s], {"input_points": [[pts(2)]], "input_labels": [[[1]]]})
        add(
            name,
            "outside",
            [s],
            {"input_points": [[[[-3.5, 2.25], [s[1] + 10.125, s[0] + 0.5]]]], "input_labels": [[[1, -1]]]},
        )
    s, t = odd(), odd()
    add("Sam3", "box", [s], {"input_boxes": [[box(s)]]})
    add("Sam3", "boxes", [s, t], {"input_boxes": [[box(s), box(s, True)], [box(t), box(t)]]})
    add("Sam3", "labels", [s], {"input_boxes": [[box(s), box(s)]], "input_boxes_labels": [[1, 0]]})
    add("Sam3", "uneven", [s, t], {"input_boxes": [[box(s)], [box(t), box(t), box(t)]]})
    add(
        "Sam3",
        "uneven_labels",
        [s, t],
        {"input_boxes": [[box(s)], [box(t), box(t)]], "input_boxes_labels": [[0], [1, 0]]},
    )
    add("Sam3", "none", [s, t], {"input_boxes": [[box(s), box(s)], None]})
    add("Sam3", "pad_value", [s, t], {"input_boxes": [[box(s)], [box(t), box(t)]]}, None, None, {"point_pad_value": -1})
    add("Sam3", "shallow", [s], {"input_boxes": [box(s)]})
    add("Sam3", "unlike_labels", [s], {"input_boxes": [[box(s), box(s)]], "input_boxes_labels": [[1]]})
    one = [[1, 2, 30, 40]]
    add("Sam3", "none_first", [s, t], {"input_boxes": [None, one]})
    add("Sam3", "pad_fraction", [s, t], {"input_boxes": [one, one + one]}, None, None, {"point_pad_value": -5.5})
    lists = {"input_points": [[[[3, 4]]], [[[5, 6], [7, 8]]]], "input_labels": [[[1]], [[0, 1]]]}
    add("Sam2", "pad_fraction", [s, t], lists, None, None, {"point_pad_value": -5.5})
    return out


# ---- counts of patches ----
def classes():
    found = {}
    for path in sorted(glob.glob(os.path.join(os.path.dirname(transformers.__file__), "models/*/*_processing_*.py"))):
        name = f"transformers.models.{os.path.basename(os.path.dirname(path))}.{os.path.basename(path)[:-3]}"
        for n, c in vars(importlib.import_module(name)).items():
            if (
                inspect.isclass(c)
                and c.__module__ == name
                and n.removesuffix("Pil").endswith(("ImageProcessor", "VideoProcessor"))
            ):
                for m in ("get_number_of_image_patches", "get_num_of_video_patches"):
                    if hasattr(c, m):
                        found[n] = (c, m)
    return found


# Classes of a later release come last, so that what is drawn for the others stays.
NEWER = ("Apertus1p5ImageProcessor", "HYV4VLImageProcessor", "HYV4VLVideoProcessor")


def settings(n, p, m, rng):
    """Two other settings of a class, the first for a call and the second for its file: whatever it has of these."""
    out, reads = [], inspect.getsource(getattr(type(p), m))
    for k in range(2):
        o = {}
        size = dict(p.size) if getattr(p, "size", None) else {}
        side = rng.choice([224, 336, 400])
        low, high = rng.choice([4, 8, 20, 64]) * 1024, rng.choice([256, 300, 500, 1000]) * 1024
        if not k and '"min_pixels"' in reads:
            o.update(min_pixels=low, max_pixels=high)
        elif size.get("shortest_edge") and size.get("longest_edge"):
            o["size"] = {"shortest_edge": low, "longest_edge": high}
        elif "min_pixels" in size:
            o["size"] = {"min_pixels": low, "max_pixels": high}
        elif "max_height" in size:
            o["size"] = {"max_height": rng.choice([300, 700, 1500]), "max_width": rng.choice([300, 700, 1500])}
        elif {"height", "width"} <= set(size) and hasattr(p, "crop_to_patches"):
            o["patch_size" if not k and '"patch_size", self.size' in reads else "size"] = {
                "height": side,
                "width": side,
            }
        elif "longest_edge" in size and isinstance(getattr(p, "max_image_size", None), dict):
            o["size"] = {"longest_edge": rng.choice([728, 1000, 1092, 2000])}
            o["max_image_size"] = {"longest_edge": rng.choice([364, 512, 300])}
        for key, values in (
            ("patch_size", (8, 14, 16, 20)),
            ("merge_size", (1, 2, 3)),
            ("temporal_patch_size", (1, 2, 3)),
            ("min_patches", (1, 2)),
            ("max_patches", (3, 6, 9, 12) if hasattr(p, "crop_to_patches") else (64, 500, 2000)),
            ("tile_size", (300, 512, 640)),
            ("max_image_tokens", (400, 1024, 3000)),
            ("min_image_tokens", (4, 16, 64)),
            ("max_crops", (2, 4, 6)),
            ("patch_expand_factor", (1, 2)),
            ("split_image", (True,)),
            ("do_image_splitting", (not k,)),
            ("max_image_size", (490, 980)),
            ("spatial_factor", (8, 16, 28)),
            ("crop_to_patches", (True,)),
        ):
            if key == "temporal_patch_size" and n in ("Cosmos3EdgeVideoProcessor", "Ernie4_5_VLMoeVideoProcessor"):
                continue  # they take one value alone
            if key == "patch_size" and hasattr(p, "crop_to_patches"):
                continue
            if isinstance(getattr(p, key, None), (bool, int)) and key not in o:
                o[key] = rng.choice(values)
        if n == "HYV4VLVideoProcessor":
            o["max_image_size"] = {"longest_edge": rng.choice([40_000, 200_000, 10**6])}
        if isinstance(getattr(p, "cap_pixels_per_frame", None), bool):
            o["cap_pixels_per_frame"] = bool(k)
        out.append(o)
    return out


def counts(rng):
    out, twins = [], [0, 0, {}]
    found = classes()
    for n, (c, m) in sorted(found.items(), key=lambda item: (item[0] in NEWER, item[0])):
        if n.endswith("Pil") or n == "Ernie4_5_VL_MoeImageProcessor":  # an old name
            continue
        video = m.startswith("get_num_of")
        plain = c()
        first, second = settings(n, plain, m, rng)
        for label, config, options in (("", {}, {}), ("options", {}, first), ("config", second, {})):
            try:
                p = c(**config)
            except Exception as error:
                print("no such setting", n, config, error)
                continue
            rows, results = [], []
            for _ in range(12):
                h, w = (round(28 * 2 ** rng.uniform(0, 6.5)) for _ in "hw")
                row = [rng.randrange(1, 40), h, w] if video else [h, w]
                rows.append(row)
                results.append(count(p, m, row, options))
                twin = found.get(n + "Pil")
                if twin and not isinstance(results[-1], dict):
                    twins[0] += 1
                    if count(twin[0](**config), m, row, options) != results[-1]:
                        twins[1] += 1
                        twins[2][n] = twins[2].get(n, 0) + 1
            out.append(
                {
                    "id": f"{n.replace('Processor', '')}_{label or 'defaults'}",
                    "kind": "video_patches" if video else "image_patches",
                    "class": n,
                    "method": m,
                    "config": {("video" if video else "image") + "_processor_type": n, **config},
                    "options": options,
                    "calls": rows,
                    "results": results,
                }
            )
    print("Pil twins:", twins[1], "of", twins[0], "calls differ", twins[2])
    return out


def count(p, m, row, options):
    try:
        r = getattr(p, m)(*row, copy.deepcopy(options))
    except Exception as error:
        return {"error": type(error).__name__, "python": str(error).split("\n")[0][:100]}
    flat = [int(x) for x in r] if isinstance(r, (tuple, list)) else int(r)
    assert flat == (list(r) if isinstance(r, tuple) else r), r
    return flat


def main():
    a = argparse.ArgumentParser()
    a.add_argument("out")
    a.add_argument("--seed", type=int, required=True)
    a = a.parse_args()
    rng = random.Random(a.seed)
    cases = prompts(rng) + counts(rng)
    os.makedirs(a.out, exist_ok=True)
    with open(os.path.join(a.out, "index.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
    p = [c for c in cases if c["kind"] == "prompts"]
    print(
        len(p),
        "prompts,",
        sum("error" in c for c in p),
        "refused;",
        len(cases) - len(p),
        "tables of counts,",
        len({c.get("class") for c in cases if "calls" in c}),
        "classes,",
        sum(isinstance(r, dict) for c in cases for r in c.get("results", [])),
        "calls refused",
    )


if __name__ == "__main__":
    main()
