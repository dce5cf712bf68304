"""Times Pillow and, where it is installed, torchvision."""

import numpy as np
import PIL
from PIL import Image

from serve import serve, sha256

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
    return lambda: image.resize(size, resample), np.asarray


def torchvision_call(pixels, size, filter, premultiply):
    tensor = torch.from_numpy(pixels.copy()).permute(2, 0, 1).contiguous()
    mode = InterpolationMode[filter.upper()]
    run = lambda: functional.resize(tensor, [size[1], size[0]], interpolation=mode, antialias=True)
    return run, lambda result: result.permute(1, 2, 0).numpy()


def prepare(request):
    if request["library"] not in libraries:
        return {}, None
    shape = (request["height"], request["width"], request["channels"])
    pixels = np.fromfile(request["files"][0], np.uint8).reshape(shape)
    name, make = {"Pillow": ("Pillow", pillow_call), "torchvision": ("torch", torchvision_call)}[request["library"]]
    run, pixels_of = make(pixels, tuple(request["size"]), request["filter"], request["premultiply"])
    return {name: run}, sha256(pixels_of(run()))


serve(libraries, prepare)
