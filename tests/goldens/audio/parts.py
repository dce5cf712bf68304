"""Goldens of istft, mfcc and melSpectrogram: python parts.py OUT.json. Writes every `step`-th value in
base64."""

import base64
import json
import sys

import librosa
import numpy as np
import torch

# torchaudio refuses other builds of torch when it is imported.
cuda, torch.version.cuda = torch.version.cuda, "13.0"
import torchaudio

torch.version.cuda = cuda

torch.set_num_threads(1)


def samples(count):
    i = np.arange(count, dtype=np.float64)
    return (0.5 * np.sin(i * i * 1e-5) + 0.1 * np.sin(i * 0.3)).astype(np.float32)


def record(values, step=7):
    values = np.ascontiguousarray(values, dtype=np.float32)
    flat = values.reshape(-1)[::step]
    return {"dims": list(values.shape), "step": step, "values": base64.b64encode(flat.tobytes()).decode()}


x = samples(20000)
t = torch.from_numpy(x)
cases = []


def case(function, options, values, **more):
    cases.append({"function": function, "options": options, **more, **record(values)})


torch_mel = torchaudio.transforms.MelSpectrogram
for options in [
    {},
    {"n_fft": 512, "hop_length": 160, "win_length": 400, "n_mels": 80},
    {"n_mels": 40, "norm": "slaney", "mel_scale": "slaney", "power": 1.0, "f_min": 20.0, "f_max": 7600.0},
    {"n_mels": 64, "center": False},
]:
    case("melSpectrogram", {"preset": "torchaudio", **options}, torch_mel(**options)(t).numpy())

names = {"sampling_rate": "sr", "f_min": "fmin", "f_max": "fmax"}
for options in [
    {},
    {"sampling_rate": 16000, "n_fft": 512, "hop_length": 160, "win_length": 400, "n_mels": 80, "f_max": 8000},
    {"power": 1.0, "n_mels": 40, "norm": None, "mel_scale": "htk"},
    {"pad_mode": "reflect", "center": True, "n_mels": 64},
]:
    how = {names.get(k, k): v for k, v in options.items() if k != "mel_scale"}
    if options.get("mel_scale") == "htk":
        how["htk"] = True
    case("melSpectrogram", {"preset": "librosa", **options}, librosa.feature.melspectrogram(y=x, **how))

for options in [{}, {"n_mfcc": 13, "n_mels": 64}, {"n_mfcc": 20, "n_mels": 64, "log_mels": True}]:
    how = {k: v for k, v in options.items() if k != "n_mels"}
    kwargs = {"n_mels": options["n_mels"]} if "n_mels" in options else {}
    case("mfcc", {"preset": "torchaudio", **options}, torchaudio.transforms.MFCC(**how, melkwargs=kwargs)(t).numpy())
for options in [{}, {"n_mfcc": 13, "n_mels": 64, "hop_length": 160, "sampling_rate": 16000}]:
    how = {names.get(k, k): v for k, v in options.items()}
    case("mfcc", {"preset": "librosa", **options}, librosa.feature.mfcc(y=x, **how))

# The spectra that istft takes are those of spectrogram with power null: librosa's stft, reflected.
for options in [
    {"n_fft": 400, "hop_length": 160},
    {"n_fft": 512, "hop_length": 128, "win_length": 400},
    {"n_fft": 255, "hop_length": 64},
    {"n_fft": 400, "hop_length": 160, "length": 15000},
]:
    stft = {k: v for k, v in options.items() if k != "length"}
    spectrum = librosa.stft(x, pad_mode="reflect", **stft)
    # The change shows that it is no mere round trip.
    spectrum = spectrum * np.linspace(1, 0.25, spectrum.shape[0])[:, None].astype(np.float32)
    case("istft", options, librosa.istft(spectrum, **options))

# torch's options. The spectra are no samples' own: bins that a formula gives.
for frames, options in [
    (40, {"n_fft": 400, "hop_length": 100}),
    (30, {"n_fft": 512, "hop_length": 128, "win_length": 400, "window": "hamming"}),
    (30, {"n_fft": 400, "hop_length": 160, "normalized": True}),
    (30, {"n_fft": 254, "hop_length": 64, "onesided": False}),
    (30, {"n_fft": 255, "hop_length": 50, "onesided": False, "normalized": True, "window": "hamming"}),
    (30, {"n_fft": 320, "hop_length": 80, "window": "hamming", "center": False}),
    (30, {"n_fft": 320, "hop_length": 80, "window": "boxcar", "center": False, "length": 1000}),
    (30, {"n_fft": 320, "hop_length": 80, "length": 777}),
    (30, {"n_fft": 320, "hop_length": 80, "window": "hamming", "length": 3000}),
    (25, {"n_fft": 32, "hop_length": 8, "window": [0.25 + 0.03125 * (i % 17) for i in range(24)]}),
    (25, {"n_fft": 20, "hop_length": 5, "window": [1 + 0.125 * i for i in range(20)], "center": False}),
]:
    size = options["n_fft"]
    bins = size // 2 + 1 if options.get("onesided", True) else size
    i = np.arange(2 * bins * frames, dtype=np.int64)
    values = ((i * i * 7919) % 1009 - 504) / 1009
    spectrum = torch.from_numpy(values.astype(np.float32)).view(torch.complex64).reshape(bins, frames)
    window = options.get("window", "hann")
    length = options.get("win_length", size if isinstance(window, str) else len(window))
    windows = {"hann": torch.hann_window, "hamming": torch.hamming_window, "boxcar": torch.ones}
    own = windows[window](length) if isinstance(window, str) else torch.tensor(window)
    how = {**options, "win_length": length, "window": own}
    case("istft", options, torch.istft(spectrum, **how).numpy(), spectrum=[bins, frames])

with open(sys.argv[1], "w") as file:
    json.dump(cases, file, indent=0)
    file.write("\n")
