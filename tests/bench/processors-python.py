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
    if not libraries:
        return {}, None
    torch.set_num_threads(request.get("threads", 1))
    backend, [file] = request["backend"], request["files"]
    folder = os.path.join(os.path.dirname(file), backend)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "preprocessor_config.json"), "w") as config:
        json.dump(request["config"], config)
    pixels = np.fromfile(file, np.uint8)
    dims = request["height"], request["width"], 3
    if "frames" in request:
        video = pixels.reshape(request["frames"], *dims)
        processor = AutoVideoProcessor.from_pretrained(folder)
        run = lambda: processor(video, do_sample_frames=False, return_tensors="np")["pixel_values_videos"]
    else:
        processor = AutoImageProcessor.from_pretrained(folder, backend=backend)
        # What users have after opening a file.
        image = Image.fromarray(pixels.reshape(dims))
        run = lambda: processor(image, return_tensors="np")["pixel_values"]
    return {f"Python {backend}": run}, sha256(run())


serve(libraries, prepare)
