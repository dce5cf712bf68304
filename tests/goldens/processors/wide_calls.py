"""Random calls with steps turned off, and hashes of what transformers makes of them.

    python wide_calls.py OUT [--seed N] [--count N] [--classes NAME,...] [--each]

A call of random_calls.py gets flags, sizes, numbers and filters by name that no file has, in its file or as options.
`--each` asks `count` calls of each class. Calls that Python refuses are left out.
"""

import argparse
import collections
import random
import tempfile

import asked_calls as asked
import random_calls as calls

FILTERS = ("nearest", "lanczos", "bilinear", "bicubic", "box", "hamming")
SHARE = 0.25  # of the settings that change
TRIES = 12
FLOATS = "PPOCRV5ServerRec"


def side(r):
    return r.choice((r.randint(1, 12), r.randint(13, 120)))


def size(r):
    return r.choice(
        (
            {"height": side(r), "width": side(r)},
            {"shortest_edge": side(r)},
            {"shortest_edge": side(r), "longest_edge": side(r)},
            {"longest_edge": side(r)},
            {"max_height": side(r), "max_width": side(r)},
            side(r),
        )
    )


def number(r, low):
    return r.choice(([round(r.uniform(low, 1), 4) for _ in range(3)], [0.5] * 3, 0.5, [round(r.uniform(low, 1), 4)]))


def setting(r, key, known):
    """-> a random value of a setting, or None."""
    if key.startswith("do_") or key.startswith("codebook_do_"):
        return r.random() < 0.4
    rare = {
        "image_mean": lambda: number(r, 0),
        "image_std": lambda: number(r, 0.1),
        "rescale_factor": lambda: r.choice((1 / 127.5, 1 / 256, 0.01)),
        "resample": lambda: r.choice((*range(6), *FILTERS)),
        "size": lambda: size(r),
        "crop_size": lambda: r.choice(({"height": side(r), "width": side(r)}, side(r))),
        "pad_size": lambda: {"height": r.randint(20, 160), "width": r.randint(20, 160)},
        "size_divisor": lambda: r.choice((1, 7, 16, 32)),
        "background_color": lambda: [r.randint(0, 255) for _ in range(3)],
        "padding_value": lambda: r.choice((0, 1, 7)),
        "keep_aspect_ratio": lambda: r.random() < 0.5,
        "ensure_multiple_of": lambda: r.choice((1, 14, 32)),
        "crop_pct": lambda: round(r.uniform(0.5, 1), 3),
    }
    return rare[key]() if key in rare and r.random() < 0.3 else None


def widen(r, name, known, config, options):
    for key in sorted(known):
        if r.random() < SHARE:
            value = setting(r, key, known)
            if value is not None:
                (options if r.random() < 0.4 else config)[key] = value


def ask(r, case, configs, others, known, tmp):
    """-> a call and its outputs."""
    name, video = case["type"], case["kind"] == "video"
    options = dict(case.get("options", {}))
    config = configs[case["config"]]
    if "pretrained_cfg" not in config:
        config = calls.vary(r, name, config, others, known) if r.random() < 0.6 else dict(config)
        widen(r, name, known, config, options)
    whole = any(key in options for key in calls.NO_CROP)
    given = calls.part(r, case["videos" if video else "images"], whole)
    if "trimaps" in case:
        given = given[:1]
        options["trimaps"] = [[case["trimaps"][0], *given[0][1:]]]
    options = {k: calls.part(r, v, True) if k.startswith("prompt_") else v for k, v in options.items()}
    own = {**known, **config, **options}
    keeps = not (video or own.get("do_convert_rgb"))
    if keeps and any(mode in calls.json.dumps(given) for mode in ("_rgba", "_l.", "_la.")):
        raise calls.R.Refused()  # pictures in memory keep their channels in Python
    is_sine = own.get("resample") in (1, "lanczos") and FLOATS in name
    if is_sine or name.startswith(("Owlv2", "Pix2Struct", "Kosmos2_5")):
        raise calls.R.Refused()  # last bits of the CPU's exponential, sine and sums
    if config.get("small_image_upsize") == "adaptive":
        raise calls.R.Refused()  # sizes that follow from pixels
    if config.get("size") == [672, 672]:
        raise calls.R.Refused()  # MiniMaxM3VL changes the size of its class, for all calls that follow
    backend = case.get("numbers", "torchvision")
    made = {"config": config, "backend": backend, "given": given, "options": options}
    outputs, tensors = asked.answer(case["kind"], made, tmp)
    if tensors is None:
        raise calls.R.Refused()  # pictures of several sizes
    return made, outputs


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--count", type=int, default=1_000)
    ap.add_argument("--classes", default="")
    ap.add_argument("--each", action="store_true")
    args = ap.parse_args()
    names = set(filter(None, args.classes.split(",")))
    configs, classes = calls.load("configs.json"), calls.load("classes.json")
    pools, others = collections.defaultdict(list), collections.defaultdict(list)
    for case in calls.load("index.json"):
        if case["kind"] not in ("image", "video") or "error" in case or names and case["type"] not in names:
            continue
        key = case["kind"], case["type"]
        pools[(*key, case.get("numbers"))].append(case)
        others[key].append(configs[case["config"]])
    r, keys, lines, refused = random.Random(args.seed), sorted(pools, key=str), [], collections.Counter()
    # A class that refuses every call is given up.
    wanted = [key for key in keys for _ in range(args.count)] if args.each else [None] * args.count
    with tempfile.TemporaryDirectory() as tmp:
        for key in wanted:
            for _ in range(TRIES):
                kind, name, _ = chosen = key or r.choice(keys)
                case, known = r.choice(pools[chosen]), classes[kind][name]["settings"]
                try:
                    made, outputs = ask(r, case, configs, others[kind, name], known, tmp)
                except Exception as error:
                    refused[name, f"{type(error).__name__}: {str(error)[:90]}"] += 1
                    continue
                if sum(map(calls.size_of, outputs.values())) > calls.MOST:
                    refused[name, "too large"] += 1
                    continue
                lines.append(calls.line(kind, name, made, asked.hash_of(outputs)))
                break
    calls.write(args.out, lines)
    print(f"{len(lines)} calls; without an answer: {refused.total()}", refused.most_common(30))


if __name__ == "__main__":
    main()
