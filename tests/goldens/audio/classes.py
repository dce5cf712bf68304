"""Writes classes.json: the feature extractor classes of the installed transformers, the model types that lead to them,
their defaults (null: off), whether
index.json has cases for them; and the names that only files made for JavaScript use. python classes.py classes.json"""

import glob
import importlib
import inspect
import json
import os
import sys
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "critical"
warnings.filterwarnings("ignore")
import numpy as np
import torch

# torchaudio refuses other builds of torch when it is imported.
cuda, torch.version.cuda = torch.version.cuda, "13.0"
import torchaudio

torch.version.cuda = cuda
import transformers
from transformers.feature_extraction_utils import FeatureExtractionMixin
from transformers.models.auto.feature_extraction_auto import FEATURE_EXTRACTOR_MAPPING_NAMES as MAP

here = os.path.dirname(os.path.abspath(__file__))
NONE = {
    "Pop2PianoFeatureExtractor": "no goldens: needs a beat tracker (essentia)",
    "MarkupLMFeatureExtractor": "not audio: reads HTML",
}
DROP = ("feature_extractor_type", "processor_class")
JS_ONLY = {
    "MoonshineFeatureExtractor": {"model_types": ["moonshine"], "as": "the waveform [1, n]"},
    "ChatterboxFeatureExtractor": {"model_types": ["chatterbox"], "as": "the waveform [1, n]"},
    "PyAnnoteFeatureExtractor": {"model_types": ["pyannote"], "as": "the waveform [1, 1, n]"},
    "SnacFeatureExtractor": {"model_types": ["snac"], "as": "DacFeatureExtractor"},
    "WeSpeakerFeatureExtractor": {
        "model_types": ["wespeaker-resnet"],
        "as": "SeamlessM4TFeatureExtractor's features with a hamming window, 400 of 512, less the mean over time",
    },
}


TABLE = object()  # a window or bank that the class makes itself: no setting


def plain(v):
    if isinstance(v, (np.ndarray, torch.Tensor)):
        return v.item() if v.ndim == 0 else TABLE
    if isinstance(v, np.generic):
        return v.item()
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    if isinstance(v, (list, tuple)):
        return [plain(x) for x in v]
    return v if isinstance(v, (bool, int, float, str, type(None))) else TABLE


def main():
    cases = json.load(open(os.path.join(here, "index.json")))
    count, names = {}, {}
    for c in cases:
        if "extractor" in c:
            count[c["extractor"] + "FeatureExtractor"] = count.get(c["extractor"] + "FeatureExtractor", 0) + 1
    for path in sorted(
        glob.glob(os.path.join(os.path.dirname(transformers.__file__), "models/*/feature_extraction_*.py"))
    ):
        folder = os.path.basename(os.path.dirname(path))
        if folder == "auto":
            continue
        name = f"transformers.models.{folder}.{os.path.basename(path)[:-3]}"
        for n, c in vars(importlib.import_module(name)).items():
            if (
                inspect.isclass(c)
                and issubclass(c, FeatureExtractionMixin)
                and c.__module__ == name
                and n.endswith("FeatureExtractor")
            ):
                names[n] = c
    types = {}
    for model, n in MAP.items():
        for x in n if isinstance(n, (list, tuple)) else [n]:
            types.setdefault(x, []).append(model)
    out = {}
    for n, c in sorted(names.items()):
        d = {
            k: plain(v.default)
            for k, v in inspect.signature(c.__init__).parameters.items()
            if v.default is not inspect.Parameter.empty
        }
        p = c()
        d.update(
            {k: plain(v) for k, v in {**vars(p), **p.to_dict()}.items() if k not in DROP and not k.startswith("_")}
        )
        d = {k: v for k, v in d.items() if v is not TABLE}
        out[n] = {
            "model_types": sorted(types.get(n, [])),
            "status": NONE.get(n) or (f"goldens: {count[n]} cases" if n in count else "no goldens"),
            "settings": dict(sorted(d.items())),
        }
    with open(sys.argv[1], "w") as f:
        for key, table, start, end in (("audio", out, "{\n", ","), ("javascript_only", JS_ONLY, "", "\n}")):
            rows = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in table.items())
            f.write(f'{start}"{key}": {{\n{rows}\n}}{end}\n')
    print(
        len(out),
        "classes;",
        sum(v["status"].startswith("goldens") for v in out.values()),
        "with goldens;",
        set(types) - set(out),
        set(count) - set(out),
    )
    for n, v in out.items():
        if not v["status"].startswith("goldens"):
            print(n, v["model_types"], v["status"])


main()
