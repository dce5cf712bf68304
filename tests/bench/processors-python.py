"""Times the image processors of transformers, where it is."""

import json
import os

import numpy as np
from PIL import Image

from serve import serve, sha256

libraries = {}
try:
    import torch
    import torchvision
    import transformers
    from transformers import AutoImageProcessor, AutoVideoProcessor

    libraries = {"transformers": transformers.__version__, "torchvision": torchvision.__version__}
except ImportError:
    pass


def prepare(request):
    torch.set_num_threads(request.get("threads", 1))
    folder = os.path.join(request["folder"], request["backend"])
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "preprocessor_config.json"), "w") as file:
        json.dump(request["config"], file)
    if "frames" in request:
        dims = request["frames"], request["height"], request["width"], 3
        video = np.fromfile(request["file"], np.uint8).reshape(dims)
        processor = AutoVideoProcessor.from_pretrained(folder)
        run = lambda: processor(video, do_sample_frames=False, return_tensors="np")["pixel_values_videos"]
        return {request["backend"]: run}, {"sha256": sha256(np.ascontiguousarray(run()).tobytes())}
    processor = AutoImageProcessor.from_pretrained(folder, backend=request["backend"])
    pixels = np.fromfile(request["file"], np.uint8).reshape(request["height"], request["width"], 3)
    # What users have after opening a file.
    image = Image.fromarray(pixels)
    run = lambda: processor(image, return_tensors="np")["pixel_values"]
    return {request["backend"]: run}, {"sha256": sha256(np.ascontiguousarray(run()).tobytes())}


serve(libraries, prepare)
