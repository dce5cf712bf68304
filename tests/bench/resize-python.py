"""Times Pillow and, where it is installed, torchvision. Reads requests and writes answers, a line of JSON each."""

import hashlib
import json
import sys
import time

import numpy as np
import PIL
from PIL import Image

libraries = {"Pillow": PIL.__version__}
try:
    import torch
    import torchvision
    from torchvision.transforms import InterpolationMode
    from torchvision.transforms.v2 import functional

    torch.set_num_threads(1)
    libraries["torchvision"] = torchvision.__version__
except ImportError:
    pass


def pillow_call(pixels, size, filter, premultiply):
    """RGBX has four channels that are all alike to Pillow."""
    mode = {1: "L", 3: "RGB", 4: "RGBA" if premultiply else "RGBX"}[pixels.shape[2]]
    image = Image.frombytes(mode, (pixels.shape[1], pixels.shape[0]), pixels.tobytes())
    resample = Image.Resampling[filter.upper()]
    return lambda: image.resize(size, resample), lambda result: result.tobytes()


def torchvision_call(pixels, size, filter, premultiply):
    tensor = torch.from_numpy(pixels.copy()).permute(2, 0, 1).contiguous()
    mode = InterpolationMode[filter.upper()]
    run = lambda: functional.resize(tensor, [size[1], size[0]], interpolation=mode, antialias=True)
    return run, lambda result: result.permute(1, 2, 0).contiguous().numpy().tobytes()


def answer(request):
    if "library" in request:
        shape = (request["height"], request["width"], request["channels"])
        pixels = np.fromfile(request["file"], np.uint8).reshape(shape)
        prepare = {"Pillow": pillow_call, "torchvision": torchvision_call}[request["library"]]
        run, bytes_of = prepare(pixels, tuple(request["size"]), request["filter"], request["premultiply"])
        # Only the current workload is kept, because its pictures are large.
        current[request["library"]] = run
        return {"sha256": hashlib.sha256(bytes_of(run())).hexdigest()}
    if "time" in request:
        run = current[request["time"]]
        start = time.perf_counter()
        for _ in range(request["calls"]):
            run()
        return {"ms": (time.perf_counter() - start) * 1e3}
    return libraries


current = {}
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
