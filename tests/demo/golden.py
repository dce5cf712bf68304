"""Writes golden.json: the hashes of what Python makes of photo.jpg by configurations.json.

pip install -r tests/goldens/processors/requirements.txt; python tests/demo/golden.py
"""

import hashlib
import json
import tempfile
from pathlib import Path

import numpy
import transformers
from PIL import Image

folder = Path(__file__).parent
photo = Image.open(folder / "photo.jpg")
golden = {"transformers": transformers.__version__}
for name, configuration in json.loads((folder / "configurations.json").read_text()).items():
    with tempfile.TemporaryDirectory() as model:
        Path(model, "preprocessor_config.json").write_text(json.dumps(configuration))
        processor = transformers.AutoImageProcessor.from_pretrained(model)
    outputs = processor(photo, return_tensors="np")
    golden[name] = {
        key: hashlib.sha256(numpy.ascontiguousarray(value).tobytes()).hexdigest()
        for key, value in outputs.items()
    }
(folder / "golden.json").write_text(json.dumps(golden, indent=2) + "\n")
