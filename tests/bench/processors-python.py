"""Times the image processors of transformers, where it is. Reads requests and writes answers, a line of JSON each."""

import hashlib
import json
import os
import sys
import time

import numpy as np
from PIL import Image

libraries = {}
try:
    import torch
    import torchvision
    import transformers
    from transformers import AutoImageProcessor

    torch.set_num_threads(1)
    libraries = {"transformers": transformers.__version__, "torchvision": torchvision.__version__}
except ImportError:
    pass


def answer(request):
    if "backend" in request:
        folder = os.path.join(request["folder"], request["backend"])
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "preprocessor_config.json"), "w") as file:
            json.dump(request["config"], file)
        processor = AutoImageProcessor.from_pretrained(folder, backend=request["backend"])
        pixels = np.fromfile(request["file"], np.uint8).reshape(request["height"], request["width"], 3)
        # What users have after opening a file.
        image = Image.fromarray(pixels)
        run = lambda: processor(image, return_tensors="np")["pixel_values"]
        # Only the current workload is kept, because its pictures are large.
        current[request["backend"]] = run
        return {"sha256": hashlib.sha256(np.ascontiguousarray(run()).tobytes()).hexdigest()}
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
