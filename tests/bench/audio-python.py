"""Times the feature extractors of transformers by NumPy and by torch, and three resamplers, on one thread."""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
import scipy
import scipy.signal
import soxr
import torch
import torchaudio
import transformers

from serve import serve

torch.set_num_threads(1)


def extractor(request, samples):
    config = {key: value for key, value in request["config"].items() if key != "feature_extractor_type"}
    made = getattr(transformers, request["config"]["feature_extractor_type"])(**config)
    call = lambda: made(samples, sampling_rate=request["rate"], return_tensors="np")
    if not hasattr(made, "_torch_extract_fbank_features"):
        return {"NumPy": call}

    module = type(made)
    by_torch = module._torch_extract_fbank_features

    def by_numpy():
        # The class takes NumPy's path where torch is missing.
        module._torch_extract_fbank_features = lambda _, waves, device: made._np_extract_fbank_features(waves, device)
        call()
        module._torch_extract_fbank_features = by_torch

    return {"NumPy": by_numpy, "torch": call}


def resampler(request, samples):
    rows = samples.reshape(2, -1)
    mono = lambda: rows.mean(axis=0)
    up, down = 1, 3
    return {
        "torchaudio": lambda: torchaudio.functional.resample(torch.from_numpy(mono()), 48000, 16000),
        "scipy": lambda: scipy.signal.resample_poly(mono(), up, down),
        "soxr": lambda: soxr.resample(mono(), 48000, 16000, quality="HQ"),
    }


def prepare(request):
    samples = np.fromfile(request["files"][0], np.float32)
    make = extractor if "config" in request else resampler
    return make(request, samples), None


libraries = {one.__name__: one.__version__ for one in (np, scipy, soxr, torch, torchaudio, transformers)}
serve(libraries, prepare)
