"""Writes transformers-goldens.json: what transformers itself makes of pictures by formula, as hashes.

For rules that few files reach: neither the goldens beside the repository nor every thousand calls at random.

    python3 -m venv build/transformers
    build/transformers/bin/pip install -c tests/goldens/constraints.txt transformers torch torchvision pillow scipy
    build/transformers/bin/python tests/processors/transformers-goldens.py
    npx prettier --write tests/processors/transformers-goldens.json
"""

import hashlib
import json
import pathlib
import tempfile

import numpy as np
import torch
import transformers
from PIL import Image
from transformers import AutoImageProcessor

torch.set_num_threads(1)
BOTH, TORCHVISION = ("torchvision", "pil"), ("torchvision",)
# The last has blue that is red and green and 1.
COLOURS, GREYS, NEARLY = (411, 677, 211, 9), (411, 677, 0, 9), (412, 676, 2, 0)


def image(width, height, formula):
    """As tests/support/formula-picture.js."""
    a, b, d, e = formula
    y, x, z = np.mgrid[0:height, 0:width, 0:3]
    return Image.fromarray(((((x * a + y * b + z * d) >> 2) + ((x * y * e) >> 8)) & 255).astype(np.uint8))


def cases():
    # A size of two sides by a part.
    yield "PoolFormer", {"size": [9, 14], "crop_size": 8}, [(20, 15)], BOTH
    yield "PoolFormer", {"size": [14, 9], "crop_pct": 0.7, "do_center_crop": False}, [(20, 15)], BOTH
    # Pictures that grow to the least number of tokens.
    lfm = {"tile_size": 64, "min_image_tokens": 4, "max_image_tokens": 16, "min_tiles": 2, "max_tiles": 4}
    for sizes in ([(20, 15)], [(40, 31), (9, 70)], [(400, 31)], [(200, 210)]):
        yield "Lfm2Vl", lfm, sizes, TORCHVISION
    # Crops along the longer side: as many as the ratio says, at most 4, none where they or the picture are too short.
    pan = {
        "size": [8, 10],
        "do_pan_and_scan": True,
        "pan_and_scan_min_crop_size": 4,
        "pan_and_scan_max_num_crops": 4,
        "pan_and_scan_min_ratio_to_activate": 1.2,
    }
    for long, short in ((20, 9), (30, 9), (60, 9), (20, 18), (18, 15), (23, 5), (7, 3), (11, 9), (25, 10)):
        yield "Gemma3", pan, [(long, short)], BOTH
        yield "Gemma3", pan, [(short, long)], BOTH
    yield "Gemma3", pan, [(20, 9), (9, 9), (9, 31)], BOTH
    yield "Gemma3", {**pan, "do_resize": False}, [(20, 9)], TORCHVISION
    # Rows and columns of tiles, 0 of a picture that is whole.
    tiled = {"size": {"longest_edge": 40}, "max_image_size": {"longest_edge": 16}, "return_row_col_info": True}
    yield "Idefics3", tiled, [(20, 9)], BOTH
    yield "Idefics3", tiled, [(20, 9), (9, 30)], BOTH
    yield "Idefics3", {**tiled, "do_image_splitting": False}, [(20, 9), (9, 30)], BOTH
    yield "Idefics3", {**tiled, "size": {"longest_edge": 16}}, [(20, 9)], BOTH
    yield "SmolVLM", tiled, [(20, 9)], BOTH
    # A square within a size that is none does not keep its shape.
    yield "Donut", {"size": [9, 13], "do_resize": False, "do_pad": False}, [(20, 20)], BOTH
    yield "Nougat", {"size": [13, 9], "do_resize": False, "do_crop_margin": False, "do_pad": False}, [(20, 20)], BOTH
    # Pictures that are grey, before and after they are resized.
    for grey in (True, False):
        yield "SuperPoint", {"size": [7, 9], "do_grayscale": grey}, [(20, 12, GREYS)], BOTH
    for formula in (COLOURS, NEARLY):
        yield "SuperPoint", {"size": [7, 9], "do_grayscale": True}, [(20, 12, formula)], BOTH
    # A crop before the picture is resized.
    yield "Perceiver", {"size": [9, 7], "crop_size": [10, 14]}, [(20, 15)], BOTH
    # A side below a group of patches, and bounds that count frames.
    glm = {"size": {"shortest_edge": 512, "longest_edge": 2048}, "patch_size": 4, "merge_size": 2}
    for size in ((7, 20), (20, 5), (20, 15), (70, 40)):
        for frames in (1, 2):
            yield "Glm46V", {**glm, "temporal_patch_size": frames}, [size], BOTH
    # Fewer tiles of one picture than of another.
    grids = {"size": 8, "crop_size": 8, "image_grid_pinpoints": [[8, 16], [16, 16], [24, 8]]}
    yield "LlavaNext", grids, [(20, 15), (30, 9), (9, 31)], BOTH
    # Settings of older classes that few files have.
    yield "ConvNext", {"do_resize": False}, [(20, 15)], BOTH
    yield "PoolFormer", {"size": [9, 14], "crop_pct": None, "do_center_crop": False}, [(20, 15)], BOTH
    yield "Levit", {"size": [9, 14], "do_center_crop": False}, [(20, 15)], BOTH
    yield "Pixtral", {"size": {"height": 16, "width": 12}, "patch_size": {"height": 4, "width": 4}}, [(20, 15)], BOTH
    yield "Donut", {"size": [9, 13], "do_thumbnail": False, "do_pad": False}, [(20, 20)], BOTH
    # A shorter side that is right already, and a border wider than the picture.
    for size in ((20, 15), (15, 20)):
        yield "Detr", {"size": {"shortest_edge": 15, "longest_edge": 40}}, [size], BOTH
    yield "Swin2SR", {"size_divisor": 8}, [(3, 5)], ("pil",)
    # Tokens, and a side that is below one.
    for sizes in ([(20, 15)], [(90, 40), (40, 90)], [(700, 5)], [(5, 700)]):
        yield "Gemma4", {"patch_size": 4, "pooling_kernel_size": 2, "max_soft_tokens": 70}, sizes, TORCHVISION
    # A blur of bytes and of numbers, of torchvision and of scipy; 5 / 3 is a deviation a third, whose reach is rounded.
    for size in (20, 40, 60):
        for raw in ({}, {"do_rescale": False}, {"do_rescale": False, "do_normalize": False}):
            kinds = BOTH if raw else ("pil",)
            yield "Owlv2", {"size": size, **raw}, [(100, 70)], kinds
            yield "Owlv2", {"size": [size, 50], "do_pad": False, **raw}, [(90, 100), (90, 100)], kinds


def processed(config, sizes, backend):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "preprocessor_config.json").write_text(json.dumps(config))
        processor = AutoImageProcessor.from_pretrained(folder, backend=backend)
    images = [image(*size, formula=COLOURS) if len(size) == 2 else image(*size) for size in sizes]
    # The rows and columns are returned only where a call asks.
    call = {key: config[key] for key in ("return_row_col_info",) if key in config}
    outputs = {}
    for name, value in processor(images, return_tensors="pt", **call).items():
        if name in ("rows", "cols"):
            outputs[name] = value
            continue
        array = np.ascontiguousarray(value.numpy() if hasattr(value, "numpy") else np.asarray(value))
        sha256 = hashlib.sha256(array.tobytes()).hexdigest()
        outputs[name] = {"type": str(array.dtype), "dims": list(array.shape), "sha256": sha256}
    return outputs


def main():
    goldens = []
    for name, settings, sizes, backends in cases():
        config = {"image_processor_type": f"{name}ImageProcessor", **settings}
        pictures = [
            {"mode": "RGB", "width": width, "height": height, "formula": formula[0] if formula else COLOURS}
            for width, height, *formula in sizes
        ]
        for backend in backends:
            outputs = processed(config, sizes, backend)
            goldens.append({"config": config, "backend": backend, "pictures": pictures, "outputs": outputs})
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(goldens, indent=2) + "\n")


main()
