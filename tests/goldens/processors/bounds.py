"""Writes bounds.json: sizes and choices of frames where a rule of Python meets its bound or a tie exactly.

Each row of `sizes` has a class, settings, a picture's width and height, and the dims of the outputs, or null where
Python refuses. Each row of `frames` has a class, settings, a video's frames, rate and duration, the options of the
call, and the frames that Python takes, or null. python bounds.py OUT_FILE"""

import json
import os
import sys
import tempfile
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "critical"
warnings.filterwarnings("ignore")

import numpy as np
from PIL import Image
from transformers import AutoImageProcessor, AutoVideoProcessor

from image_cases import write_folder
from video_cases import V, indices_of, meta


def edges(shortest, longest):
    return {"size": {"shortest_edge": shortest, "longest_edge": longest}}


PICTURES = [
    # The other side is 6.5, 7.5 and as long as it may be.
    *[("Detr", edges(8, 13), side) for side in ([12, 6], [6, 12])],
    *[("Detr", edges(8, 15), side) for side in ([12, 6], [6, 12])],
    *[("Detr", edges(8, 16), side) for side in ([12, 6], [13, 6], [11, 6], [6, 12], [6, 13])],
    ("Detr", {}, [1200, 600]),
    # 1.5, 2.5 and 3.5 of a multiple.
    *[
        ("DPT", {"size": {"height": 8, "width": 8}, "ensure_multiple_of": 4, "keep_aspect_ratio": True}, side)
        for side in ([8, 6], [8, 10], [8, 14], [10, 8])
    ],
    *[("Sam", {"size": {"longest_edge": 4}, "pad_size": {"height": 4, "width": 4}}, [8, h]) for h in (1, 2, 3, 5)],
    *[
        ("Janus", {"size": {"height": 4, "width": 4}, "min_size": 1, "do_pad": False}, [8, h])
        for h in (1, 2, 3, 5, 7)
    ],
    *[
        ("PaddleOCRVL", {**edges(25, 2500), "patch_size": 5, "merge_size": 1, "temporal_patch_size": 1}, side)
        for side in ([5, 2], [3, 2], [2, 5], [2, 3], [5, 5], [4, 4])
    ],
    *[("PPOCRV5ServerDet", {"limit_side_len": 960, "limit_type": "max"}, s) for s in ([80, 112], [48, 144], [960, 32])],
    *[("PPOCRV5ServerDet", {"limit_side_len": 64, "limit_type": "max"}, s) for s in ([64, 32], [65, 32], [63, 32])],
    *[("PPOCRV5ServerDet", {"limit_side_len": 64, "limit_type": "min"}, s) for s in ([64, 96], [65, 96], [63, 96])],
    *[("PPLCNet", {"resize_short": 4, "size_divisor": 1, "do_center_crop": False}, [8, h]) for h in (13, 15, 17)],
    *[("NeoMME", {"patch_size": 1, "size": {"min_pixels": 1, "max_pixels": 20}}, s) for s in ([4, 5], [3, 7], [7, 3])],
    *[("NeoMME", {"patch_size": 1, "max_side": 4}, [8, h]) for h in (3, 5, 7)],
    # An area of 4 groups is the least, or the most.
    *[
        (name, edges(*bounds), side)
        for name in ("Qwen2VL", "Glm4v", "VideoLlama3")
        for bounds in ((3136, 31360), (784, 3136))
        for side in ([56, 56], [60, 50], [50, 60])
    ],
    *[("Qwen2VL", edges(784, 31360), side) for side in ([200, 1], [201, 1], [28, 42], [28, 70])],
    *[("Pix2Struct", {"max_patches": 4, "patch_size": {"height": 4, "width": 4}}, s) for s in ([8, 8], [8, 9], [7, 8])],
    *[("Siglip2", {"max_num_patches": 4, "patch_size": 4}, s) for s in ([8, 8], [8, 9], [16, 4], [17, 4])],
    *[("GotOcr2", {"crop_to_patches": True, "max_patches": 4, "size": {"height": 8, "width": 8}}, s)
      for s in ([12, 8], [8, 12], [16, 8], [8, 8], [9, 8])],
    *[("Idefics3", {"size": {"longest_edge": 32}, "max_image_size": {"longest_edge": 16}}, s)
      for s in ([16, 16], [32, 8], [17, 16], [32, 5], [33, 8])],
    *[("Vilt", {"size": {"shortest_edge": 8}, "size_divisor": 4}, s) for s in ([8, 13], [8, 14], [16, 25], [12, 13])],
    *[("Yolos", edges(32, 48), s) for s in ([32, 48], [32, 49], [32, 47], [48, 32], [31, 48])],
    *[("Donut", {"size": {"height": 8, "width": 6}}, s) for s in ([6, 8], [8, 6], [7, 8], [5, 8])],
    *[("TextNet", {"size": {"shortest_edge": 32}, "size_divisor": 32}, s) for s in ([32, 48], [32, 33], [32, 64])],
]  # fmt: skip

ERNIE = {"draw_on_frames": False}
GLM4V = [(seconds, {"fps": fps}) for seconds in (299, 300, 301, 2.5, 3.5) for fps in (1, 0.5)]
FRAMES = [
    *[("Glm4v", {}, meta(int(s * 2), 2.0, s), o) for s, o in GLM4V],
    # A duration that nobody states is rounded: 2.5 and 3.5 seconds, and one more.
    *[
        (name, {}, meta(n, 2.0, None), {})
        for name in ("Glm4v", "Glm46V", "Glmga", "Glm5Next")
        for n in (6, 7, 8, 9, 10)
    ],
    *[("Glm46V", {}, meta(s, 1.0, s), {}) for s in (29, 30, 31, 299, 300, 301, 2399, 2400, 2401)],
    *[("Glm46V", {}, meta(4 * s, 4.0, s), {}) for s in (299, 300, 301)],
    *[("Glm46V", {}, meta(n, n / 30, 30), {}) for n in (179, 180, 181)],
    *[("Glmga", {}, meta(n, n / 10, 10), {}) for n in (19, 20, 21, 40)],
    *[("Glmga", {}, meta(2 * s, 2.0, s), {}) for s in (319, 320, 321)],
    *[("Glm5Next", {"max_duration": 10}, meta(2 * s, 2.0, s), {}) for s in (9, 10, 11)],
    *[("Glm5Next", {}, meta(n, n / 10, 10), {}) for n in (19, 20, 21, 40)],
    *[
        ("SmolVLM", {"num_frames": 8, "fps": 2}, meta(int(4 * s), 4.0, s), {})
        for s in (1.25, 1.75, 2.25, 4, 17, 18, 19)
    ],
    *[
        ("MiniCPMV4_6", {"max_num_frames": 8, "stack_frames": k}, meta(int(4 * s), 4.0, s), {})
        for k in (1, 2, 3)
        for s in (7, 8, 8.25, 9)
    ],
    *[("Molmo2", {"max_fps": 2.0, "num_frames": 6}, meta(12, fps, None), {}) for fps in (1.75, 2.0, 2.25)],
    *[
        ("EmbeddingGemma2", {"max_frames": 8, "overflow_strategy": how}, meta(2 * s, 2.0, s), {"fps": 1})
        for how in ("uniform", "truncate")
        for s in (7, 8, 9)
    ],
    *[("Qwen2VL", {}, meta(20, 4.0), {"num_frames": n}) for n in (1, 2, 3, 5, 7, 20, 21)],
    *[("Qwen2VL", {"min_frames": 4, "max_frames": 8}, meta(n, 2.0), {"fps": 1}) for n in (7, 8, 9, 15, 16, 17)],
    *[("Qwen3VL", {}, meta(n, 4.0), {"num_frames": 3, "fps": None}) for n in (3, 4, 6, 8, 10, 2)],
    *[("Qwen3VL", {"min_frames": 4, "max_frames": 8}, meta(n, 4.0), {"fps": 2}) for n in (7, 8, 9, 15, 16, 17)],
    *[
        ("Ernie4_5_VLMoe", {**ERNIE, "min_frames": 4, "max_frames": 8}, meta(20, 4.0), {"num_frames": n})
        for n in (3, 4, 5, 7, 8, 9)
    ],
    *[("InternVL", {}, meta(8, 4.0), {"num_frames": n}) for n in (1, 7, 8, 9)],
    *[("MuseGlimmer", {"fps": 2, "num_frames": 6}, meta(n, 4.0), {}) for n in (2, 3, 4, 10, 11, 12, 13, 14)],
    *[("PeVideo", {}, meta(8, 4.0), {"num_frames": n}) for n in (1, 2, 7, 8, 9)],
    *[("VideoMAE", {}, meta(8, 4.0), {"num_frames": n}) for n in (1, 7, 8, 9)],
]


def dims_of(name, settings, size):
    config = {"image_processor_type": f"{name}ImageProcessor", **settings}
    try:
        processor = AutoImageProcessor.from_pretrained(
            write_folder(tempfile.mkdtemp(), name, {"preprocessor_config.json": config}), backend="torchvision"
        )
        picture = Image.fromarray(np.zeros((size[1], size[0], 3), np.uint8))
        outputs = processor(picture, return_tensors="pt")
    except Exception as error:
        print(name, size, repr(error)[:100])
        return None
    return {key: list(value.shape) for key, value in outputs.items() if hasattr(value, "shape")}


def frames_of(name, settings, video, options):
    try:
        processor = AutoVideoProcessor.from_pretrained(
            write_folder(tempfile.mkdtemp(), name, {"video_preprocessor_config.json": V(name, **settings)})
        )
        return indices_of(processor, video, options)
    except Exception as error:
        print(name, video, options, repr(error)[:100])
        return None


def main():
    sizes = [[name, settings, size, dims_of(name, settings, size)] for name, settings, size in PICTURES]
    frames = [[*case, frames_of(*case)] for case in FRAMES]
    with open(sys.argv[1], "w") as file:
        tables = {"sizes": sizes, "frames": frames}
        rows = {key: ",\n".join(json.dumps(row) for row in table) for key, table in tables.items()}
        file.write("{\n" + ",\n".join(f'"{key}": [\n{text}\n]' for key, text in rows.items()) + "\n}\n")


main()
