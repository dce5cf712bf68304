"""Cases of video processors and of their choice of frames: called by generate.py."""

import copy
import hashlib
import json
import math
import os
import shutil
import tempfile

import numpy as np
import torch
from PIL import Image
from transformers import AutoVideoProcessor
from transformers.video_utils import VideoMetadata

from image_cases import CM, CS, HALF, IN_MEAN, IN_STD, R255, sq, write_folder

T = lambda n: n + "VideoProcessor"
V = lambda n, **more: {"video_processor_type": T(n), **more}
A, ODD, SMALL, LONG, MANY, PHOTO, GREY, RGBA, ONE = (
    "clip",
    "clip_odd",
    "clip_small",
    "clip_long",
    "clip_many",
    "clip_photo",
    "clip_grey",
    "clip_rgba",
    "clip_one",
)
NO = dict(do_sample_frames=False)


def meta(total, fps=None, duration=None):
    return dict(total_num_frames=total, fps=fps, duration=duration)


def specs(r):
    """-> list of (id, config, [batches of clips], options of the call, more).

    metadata: (fps, with duration?) for every clip."""
    S = lambda lo=36, hi=64: r.randint(lo, hi)
    out = []

    def add(id, cfg, groups, options=None, **more):
        out.append((id, cfg, groups, options or {}, more))

    # ---- plain chains
    plain = {
        "LlavaOnevision": dict(size=sq(S())),
        "LlavaNextVideo": dict(size={"shortest_edge": 44}, crop_size=sq(S(40, 44))),
        "VideoLlava": dict(size=44, crop_size=sq(S(40, 44))),
        "InstructBlipVideo": dict(size=sq(S())),
        "InternVL": dict(size=sq(S())),
        "PerceptionLM": dict(size={"height": S(), "width": S()}),
        "Timesformer": dict(size={"shortest_edge": 50}, crop_size=sq(S(40, 50))),
        "VideoMAE": dict(size={"shortest_edge": 50}, crop_size=sq(S(40, 50))),
        "Videomt": dict(size=sq(S())),
        "Vivit": dict(size={"shortest_edge": 50}, crop_size=sq(S(40, 50))),
        "Sam2Video": dict(size=sq(S(60, 80))),
    }
    for name, small in plain.items():
        k = name.lower()
        add(k + "_default", V(name), [[A]], NO)
        add(k, V(name, **small), [[ODD], [A, A], [GREY], [PHOTO]], NO)
        add(
            k + "_odd",
            V(
                name,
                **{
                    **small,
                    "resample": r.choice([1, 2, 3]),
                    "image_mean": IN_MEAN,
                    "image_std": IN_STD,
                    "do_normalize": r.choice([True, False]),
                },
            ),
            [[SMALL], [ONE]],
            NO,
        )
    add(
        "llavaonevision_hub",
        {
            "do_convert_rgb": True,
            "do_normalize": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": HALF,
            "image_std": HALF,
            "image_processor_type": "LlavaOnevisionImageProcessor",
            "processor_class": "LlavaOnevisionProcessor",
            "resample": 3,
            "rescale_factor": R255,
            "size": {"height": 48, "width": 48},
            "image_grid_pinpoints": [[384, 768]],
        },
        [[A]],
        NO,
        file="preprocessor_config.json",
    )
    add(
        "llavaonevision_sampled",
        V("LlavaOnevision", size=sq(40), num_frames=5),
        [[A, ODD], [LONG]],
        dict(do_sample_frames=True),
    )
    add("internvl_sampled", V("InternVL", size=sq(40), num_frames=6), [[A], [LONG]], dict(do_sample_frames=True))
    n = S(40, 50)
    add("vjepa2_default", V("VJEPA2"), [[SMALL]], NO)
    add(
        "vjepa2_hub",
        V(
            "VJEPA2",
            crop_size=sq(n),
            size={"shortest_edge": 292},
            do_center_crop=True,
            image_mean=IN_MEAN,
            image_std=IN_STD,
            patch_size=16,
            tubelet_size=2,
        ),
        [[A], [ODD]],
        NO,
    )
    add("vjepa2_int", V("VJEPA2", crop_size=n), [[PHOTO, ONE]], NO)
    add("pevideo_default", V("PeVideo"), [[A]], NO, lists=True)
    add(
        "pevideo",
        V("PeVideo", do_resize=True, size=sq(S()), do_rescale=True, do_normalize=True, image_mean=HALF, image_std=HALF),
        [[A], [A, PHOTO, ONE]],
        NO,
    )
    add(
        "pevideo_sampled",
        V("PeVideo", do_resize=True, size=sq(40), do_rescale=True, num_frames=4),
        [[A, LONG]],
        dict(do_sample_frames=True),
    )
    add(
        "nemotron_hub",
        V("NemotronH_Omni_Reasoning_V3", norm_mean=CM, norm_std=CS, video_target_num_patches=S(20, 40)),
        [[A], [ODD, ODD]],
        NO,
        tolerance=True,
    )
    add(
        "nemotron_square",
        V(
            "NemotronH_Omni_Reasoning_V3",
            norm_mean=HALF,
            norm_std=HALF,
            video_target_num_patches=30,
            video_maintain_aspect_ratio=False,
            patch_size=8,
        ),
        [[A]],
        NO,
        tolerance=True,
    )
    add("smolvlm_default", V("SmolVLM"), [[SMALL]], NO)
    add(
        "smolvlm",
        V("SmolVLM", size={"longest_edge": S(80, 120)}, max_image_size={"longest_edge": S()}),
        [[A], [A, ODD, ONE]],
        NO,
    )
    add(
        "smolvlm_hub",
        V(
            "SmolVLM",
            size={"longest_edge": 96},
            max_image_size={"longest_edge": 48},
            video_sampling={"fps": 1, "max_frames": 8, "video_size": {"longest_edge": 48}},
        ),
        [[A]],
        NO,
    )
    add(
        "smolvlm_sampled",
        V("SmolVLM", size={"longest_edge": 60}, max_image_size={"longest_edge": 40}, fps=2, num_frames=6),
        [[LONG], [MANY]],
        dict(do_sample_frames=True),
        metadata=(8.0, True),
    )

    # ---- patches
    small = lambda: {"shortest_edge": 784, "longest_edge": r.randint(6000, 30000)}
    for name, cfg in (
        ("Qwen2VL", {}),
        ("Qwen3VL", {}),
        ("CohereCompass", {}),
        ("VideoLlama3", {}),
        ("Glm4v", {}),
        ("Glm46V", {}),
        ("Glmga", {}),
        ("Cosmos3Edge", {}),
    ):
        k = name.lower()
        add(k + "_default", V(name), [[SMALL]], NO)
        add(
            k,
            V(name, size=small()),
            [[A], [ODD, PHOTO], [ONE] if name in ("Qwen2VL", "VideoLlama3", "Cosmos3Edge") else [SMALL]],
            NO,
        )
        add(
            k + "_odd",
            V(name, size=small(), patch_size=6, merge_size=3, resample=2, image_mean=IN_MEAN, image_std=IN_STD),
            [[A], [GREY]],
            NO,
        )
        add(
            k + "_sampled",
            V(name, size=small()),
            [[LONG], [MANY]],
            dict(do_sample_frames=True, fps=2.0),
            metadata=(8.0, True),
        )
    add(
        "qwen2vl_hub",
        {
            "min_pixels": 784,
            "max_pixels": r.randint(6000, 12544),
            "patch_size": 14,
            "temporal_patch_size": 2,
            "merge_size": 2,
            "image_mean": CM,
            "image_std": CS,
            "image_processor_type": "Qwen2VLImageProcessor",
            "processor_class": "Qwen2VLProcessor",
        },
        [[A], [ODD]],
        NO,
        file="preprocessor_config.json",
    )
    add("qwen2vl_temporal", V("Qwen2VL", size=small(), temporal_patch_size=3), [[A], [ODD]], NO)
    add(
        "qwen2vl_cap",
        V("Qwen2VL", size={"shortest_edge": 784, "longest_edge": 60000}),
        [[PHOTO]],
        dict(do_sample_frames=False, cap_pixels_per_frame=True, max_video_tokens=20),
    )
    add(
        "qwen3vl_cap",
        V("Qwen3VL", size={"shortest_edge": 784, "longest_edge": 200000}, max_video_tokens=3),
        [[PHOTO]],
        dict(do_sample_frames=False, cap_pixels_per_frame=True),
    )
    add("videollama3_compression", V("VideoLlama3", size=small(), use_token_compression=False), [[A, PHOTO]], NO)
    add("ernie_default", V("Ernie4_5_VLMoe", draw_on_frames=False), [[SMALL]], NO)
    add("ernie", V("Ernie4_5_VLMoe", draw_on_frames=False, size=small()), [[A], [ODD, PHOTO]], NO)
    add(
        "ernie_odd",
        V("Ernie4_5_VLMoe", draw_on_frames=False, size=small(), patch_size=6, merge_size=3),
        [[A], [ONE]],
        NO,
    )
    add("glm5next_default", V("Glm5Next"), [[SMALL]], NO)
    add("glm5next", V("Glm5Next", min_image_tokens=4, max_image_tokens=r.randint(40, 90)), [[A], [ODD, PHOTO]], NO)
    add(
        "glm5next_odd",
        V("Glm5Next", min_image_tokens=60, max_image_tokens=80, patch_size=8, merge_size=2, resample=2),
        [[A], [SMALL]],
        NO,
    )
    add("kimi_default", V("Kimi_K25"), [[SMALL]], NO)
    add("kimi", V("Kimi_K25", max_patches=r.randint(8, 20)), [[A], [ODD, PHOTO]], NO)
    add(
        "kimi_odd",
        V("Kimi_K25", size={"max_height": 5, "max_width": 5}, patch_size=7, temporal_patch_size=3),
        [[A], [ONE, A]],
        NO,
    )
    add("minimax_default", V("MiniMaxM3VL"), [[SMALL]], NO)
    add("minimax", V("MiniMaxM3VL", min_pixels=784, max_pixels=r.randint(4000, 9000)), [[A], [ODD, PHOTO]], NO)
    add(
        "minimax_odd",
        V(
            "MiniMaxM3VL",
            min_pixels=784,
            max_pixels=4000,
            vision_segment_max_frames=3,
            temporal_patch_size=1,
            merge_size=1,
        ),
        [[A, ODD]],
        NO,
    )
    add("muse_default", V("MuseGlimmer"), [[SMALL]], NO)
    add("muse", V("MuseGlimmer", max_video_frame_tokens=r.randint(6, 14)), [[A], [ODD, PHOTO]], NO)
    add(
        "muse_odd",
        V("MuseGlimmer", max_video_frame_tokens=9, patch_size=7, merge_size=3, temporal_patch_size=3, resample=3),
        [[A]],
        NO,
    )
    add("gemma4_default", V("Gemma4"), [[SMALL]], NO)
    add("gemma4", V("Gemma4", max_soft_tokens=70, patch_size=8), [[A], [ODD, PHOTO]], NO)
    add(
        "gemma4_odd",
        V("Gemma4", patch_size=6, pooling_kernel_size=2, do_normalize=True, image_mean=HALF, image_std=HALF),
        [[A]],
        NO,
    )
    add("gemma4_unified_default", V("Gemma4Unified"), [[SMALL]], NO)
    add("gemma4_unified", V("Gemma4Unified", max_soft_tokens=70, patch_size=8), [[A], [ODD, PHOTO]], NO)
    add("gemma4_unified_odd", V("Gemma4Unified", patch_size=6, pooling_kernel_size=2, resample=2), [[A]], NO)
    add("embedding_gemma2_default", V("EmbeddingGemma2"), [[SMALL]], NO)
    add("embedding_gemma2", V("EmbeddingGemma2", patch_size=8), [[A, ODD]], NO)
    add(
        "embedding_gemma2_sampled",
        V("EmbeddingGemma2", patch_size=6, max_frames=5),
        [[LONG]],
        dict(do_sample_frames=True),
        metadata=(8.0, True),
    )
    add("molmo2_default", V("Molmo2"), [[SMALL]], NO)
    add("molmo2", V("Molmo2", size=sq(56), patch_size=7), [[A], [ODD, PHOTO]], NO)
    add(
        "molmo2_odd",
        V("Molmo2", size=sq(70), patch_size=14, pooling_size=[2, 3], resample=3, do_rescale=True, do_normalize=True),
        [[A]],
        NO,
    )
    for name, k in (("MiniCPMV4_6", "minicpmv"), ("MiniCPMOcr", "minicpm_ocr")):
        add(k + "_default", V(name), [[SMALL]], NO)
        add(k, V(name, scale_resolution=S(56, 80), max_slice_nums=4), [[A], [ODD, PHOTO]], NO)
        add(k + "_odd", V(name, scale_resolution=112, slice_mode=False, downsample_mode="4x"), [[A]], NO)
        add(
            k + "_stack",
            V(name, scale_resolution=112, stack_frames=r.choice([2, 3, 4, 5]), max_num_frames=12),
            [[LONG]],
            dict(do_sample_frames=True),
            metadata=(12.0, True),
        )
    # a later release: at the end, so that what is drawn for the others stays
    add(
        "nemotron_tubelets",
        V("NemotronH_Omni_Reasoning_V3", norm_mean=CM, norm_std=CS, video_target_num_patches=24, temporal_patch_size=3),
        [[A], [ODD, ODD], [ONE]],
        NO,
        tolerance=True,
    )
    add("hyv4vl_default", V("HYV4VL"), [[SMALL]], NO)
    hy = dict(size={"longest_edge": r.randint(20000, 40000)}, max_image_size={"longest_edge": 4000}, patch_size=8)
    add("hyv4vl", V("HYV4VL", **hy), [[A], [ODD, PHOTO], [ONE]], NO)
    add(
        "hyv4vl_odd",
        V("HYV4VL", patch_size=6, merge_size=3, temporal_patch_size=3, resample=2, image_mean=IN_MEAN),
        [[A], [GREY], [ODD]],
        NO,
    )
    add("hyv4vl_narrow", V("HYV4VL", size={"longest_edge": 700}, patch_size=4), [[A], [ODD]], NO)
    add(
        "hyv4vl_sampled",
        V("HYV4VL", **hy, max_frames=20),
        [[LONG], [MANY]],
        dict(do_sample_frames=True, fps=2.0),
        metadata=(8.0, True),
    )
    return out


def run_videos(out, r, more=None, grep=""):
    todo = specs(r) + (more(r) if more else [])
    assert len({t[0] for t in todo}) == len(todo)
    tmp, failed, n = tempfile.mkdtemp(), [], 0
    for sid, cfg, groups, options, opt in todo:
        if grep not in sid:
            continue
        cfg_rel = out.config("video_" + sid, cfg)
        d = write_folder(tmp, sid, {opt.get("file", "video_preprocessor_config.json"): cfg})
        try:
            proc = AutoVideoProcessor.from_pretrained(d)
        except Exception as e:
            if not opt.get("may_fail"):
                failed.append((sid, "load", repr(e)[:300]))
            continue
        for gi, group in enumerate(groups):
            arrays = [out.inputs[c]["array"] for c in group]
            given = dict(options)
            if opt.get("metadata"):
                fps, long = opt["metadata"]
                given["video_metadata"] = [meta(len(a), fps, len(a) / fps if long else None) for a in arrays]
            res = None
            for form in ["arrays"] if given.get("do_sample_frames") else ["arrays", "frames"]:
                if form == "frames":  # the same as a list of PIL images
                    videos = [[Image.fromarray(f[..., 0] if f.shape[2] == 1 else f) for f in a] for a in arrays]
                    if arrays[0].shape[3] in (1, 4):
                        continue
                else:
                    videos = [a.copy() for a in arrays]
                try:
                    kwargs = copy.deepcopy(given)
                    arg = videos if len(videos) > 1 else videos[0]
                    try:
                        got = proc(arg, return_tensors="pt", **kwargs)
                    except (ValueError, RuntimeError) as e:
                        if not ("Unable to" in str(e) or "batched" in str(e) or "stack expects" in str(e)):
                            raise
                        got = proc(arg, **copy.deepcopy(given))
                except Exception as e:
                    if not opt.get("may_fail") or os.environ.get("VERBOSE"):
                        failed.append((sid, group, form, repr(e)[:300]))
                    continue
                rec = {k: v for k, v in got.items() if k != "video_metadata"}
                if res is None:
                    res = rec
                else:
                    for k in res:
                        same = (
                            all(torch.equal(x, y) for x, y in zip(res[k], rec[k]))
                            if isinstance(res[k], (list, torch.Tensor))
                            and len(res[k])
                            and isinstance(res[k][0], torch.Tensor)
                            else res[k] == rec[k]
                        )
                        assert same, (sid, group, k, "arrays and frames differ")
            if res is None:
                continue
            case = dict(
                id=f"video_{sid}_{gi}",
                kind="video",
                type=type(proc).__name__,
                config=cfg_rel,
                videos=[out.inputs[c]["file"] for c in group],
                options=given,
            )
            if opt.get("file"):
                case["from"] = opt["file"]
            if opt.get("tolerance"):
                case.update(cpu_dependent=True, tolerance=2e-5)
            case["outputs"] = {k: out.record(v, opt.get("tolerance")) for k, v in res.items()}
            out.cases.append(case)
            n += 1
    shutil.rmtree(tmp)
    print("video cases", n)
    for f in failed:
        print("FAILED", f)


# ------------------------------------------------------------------ frames

SAMPLERS = [
    "CohereCompass",
    "Cosmos3Edge",
    "EmbeddingGemma2",
    "Ernie4_5_VLMoe",
    "Gemma4",
    "Gemma4Unified",
    "Glm46V",
    "Glm4v",
    "Glm5Next",
    "Glmga",
    "InstructBlipVideo",
    "InternVL",
    "Kimi_K25",
    "LlavaNextVideo",
    "LlavaOnevision",
    "MiniCPMOcr",
    "MiniCPMV4_6",
    "MiniMaxM3VL",
    "Molmo2",
    "MuseGlimmer",
    "NemotronH_Omni_Reasoning_V3",
    "PeVideo",
    "PerceptionLM",
    "Qwen2VL",
    "Qwen3VL",
    "Sam2Video",
    "SmolVLM",
    "Timesformer",
    "VJEPA2",
    "VideoLlama3",
    "VideoLlava",
    "VideoMAE",
    "Videomt",
    "Vivit",
]


def one_too_many(r):
    """A total and an even count for which torch.arange(0, total, total / count) has one element more."""
    while True:
        total = r.randint(60, 3000)
        n = r.randint(20, min(total, 200) // 2) * 2 if total > 80 else 20
        if math.ceil(total / (total / n)) == n + 1:
            return total, n


def sample_specs(r):
    """-> list of (class, settings, metadata, options of the call)."""
    out = []
    for name in SAMPLERS:
        base = {"draw_on_frames": False} if name.startswith("Ernie") else {}
        for k in range(9):
            total = [
                1,
                2,
                7,
                30,
                r.randint(9, 60),
                r.randint(60, 400),
                r.randint(400, 3000),
                r.randint(3000, 20000),
                r.randint(20, 200),
            ][k]
            fps = [24.0, 30.0, 25.0, 29.97, 23.976, 10.0, 59.94, 30.0, r.uniform(5, 60)][k]
            m = meta(total, fps, r.choice([total / fps, total / fps, None]))
            settings, options = dict(base), {}
            if k % 3 == 1:
                options = {"fps": r.choice([0.5, 1, 1.0, 2, 3.3, 4.0])}
            if k % 3 == 2 and name not in ("EmbeddingGemma2", "Glm4v", "Glm46V", "Glm5Next", "Glmga"):
                options = {"num_frames": r.randint(1, max(1, min(total, 64)))}
                if name in ("Qwen3VL", "CohereCompass", "Cosmos3Edge", "Kimi_K25", "MiniMaxM3VL"):
                    options["fps"] = None  # num_frames and a fps of the class exclude each other
                if name == "SmolVLM":
                    options["fps"] = 2
            if k == 3:
                m = meta(total)
            if name == "SmolVLM" and not settings and "num_frames" not in options:
                settings = {"num_frames": r.randint(4, 64), "fps": r.choice([1, 2])}
            out.append((name, settings, m, options))
    for _ in range(30):  # many counts through the rounding of float32
        total = r.randint(2, 3000)
        out.append(("Qwen2VL", {}, meta(total, 30.0), {"num_frames": r.randint(2, min(total, 768))}))
        out.append(("InternVL", {}, meta(total, 30.0), {"num_frames": r.randint(1, min(total, 64))}))
        out.append(("MuseGlimmer", {}, meta(total, r.choice([24, 25, 30, 29.97])), {}))
        out.append(("Molmo2", {}, meta(total, r.choice([24, 25, 30, 29.97])), {}))
        out.append(("Qwen3VL", {}, meta(total, r.choice([24, 25, 30, 29.97])), {}))
    for name in ("Qwen2VL", "VideoLlama3", "Ernie4_5_VLMoe"):  # where Python names a frame after the last
        for total, n in [one_too_many(r) for _ in range(3)]:
            out.append(
                (
                    name,
                    {"draw_on_frames": False} if name.startswith("Ernie") else {},
                    meta(total, 30.0),
                    {"num_frames": n},
                )
            )
    for _ in range(6):
        out.append(
            (
                "MiniCPMV4_6",
                {"max_num_frames": r.randint(4, 40), "stack_frames": r.randint(1, 5)},
                (lambda t: meta(t, 30.0, t / 30))(r.randint(30, 3000)),
                {},
            )
        )
        out.append(
            (
                "EmbeddingGemma2",
                {"max_frames": r.randint(3, 20), "overflow_strategy": r.choice(["uniform", "truncate"])},
                (lambda t: meta(t, 25.0, t / 25))(r.randint(30, 3000)),
                {"fps": r.choice([1, 2.5, 8])},
            )
        )
        out.append(("Glm46V", {}, (lambda t: meta(t, 24.0, t / 24))(r.randint(400, 60000)), {}))
        out.append(
            (
                "Glm4v",
                {"max_duration": r.choice([20, 300])},
                (lambda t: meta(t, 24.0, t / 24))(r.randint(200, 12000)),
                {"fps": r.choice([1, 2, 4])},
            )
        )
    for k, fps in enumerate((0.5, 1, 2, 3.3, 4.0, None)):  # of a later release
        total = r.randint(2, 3000)
        m = meta(total, None if k == 2 else r.uniform(5, 60), None)
        out.append(("HYV4VL", {}, m, {"fps": fps} if fps else {"num_frames": r.randint(1, total), "fps": None}))
        out.append(("HYV4VL", {"fps": None, "num_frames": r.randint(1, 30), "max_frames": 16}, m, {}))
    return out


def digest(indices):
    return hashlib.sha256(np.array(indices, "<i4").tobytes()).hexdigest()


def indices_of(proc, metadata, options):
    """As preprocess() chooses frames."""
    kwargs = dict(options)
    for name in proc.valid_kwargs.__annotations__:
        kwargs.setdefault(name, getattr(proc, name, None))
    for name in ("input_data_format", "do_convert_rgb", "do_sample_frames", "device", "video_metadata"):
        kwargs.pop(name, None)
    got = proc.sample_frames(metadata=VideoMetadata(**metadata), **kwargs)
    return [int(i) for i in got]


def run_samples(out, r, more=None, grep=""):
    todo = sample_specs(r) + (more(r) if more else [])
    tmp, n, refused, made = tempfile.mkdtemp(), 0, 0, {}
    for i, (name, settings, m, options) in enumerate(todo):
        if grep not in name:
            continue
        cfg = V(name, **settings)
        key = json.dumps(cfg)
        if key not in made:
            made[key] = AutoVideoProcessor.from_pretrained(
                write_folder(tmp, str(i), {"video_preprocessor_config.json": cfg})
            )
        case = dict(
            id=f"sample_{name.lower()}_{i}", kind="sample", type=T(name), settings=cfg, metadata=m, options=options
        )
        try:
            got = indices_of(made[key], m, options)
            case.update(indices=got) if len(got) <= 64 else case.update(
                count=len(got), first=got[:20], sha256=digest(got)
            )
            inside = [i for i in got if i < m["total_num_frames"]]
            if len(inside) != len(got):
                case["inside"] = inside if len(inside) <= 64 else dict(count=len(inside), sha256=digest(inside))
        except Exception as e:
            case["error"] = type(e).__name__
            refused += 1
        out.cases.append(case)
        n += 1
    shutil.rmtree(tmp)
    print("sample cases", n, "of which refused", refused)
