"""Calls of transformers itself over settings that its classes ignore or read in their own way: rates, sides of padding,
masks, windows of 0: python settings_calls.py COUNT SEED OUT.json [CLASS...]

settings.json has 10 a class of seed 3. `node tests/audio/replay.mjs OUT.json` replays others.
"""

import json
import random
import sys
import warnings

import numpy as np
import torch

# torchaudio refuses a torch of another CUDA, which these calls do not use.
torch.version.cuda = "13.0"
import torchaudio  # noqa: E402, F401
import transformers  # noqa: E402

from random_calls import CODEC, MASKED, noise, record, value_of  # noqa: E402

CODECS = {"sampling_rate": [8000, 22050, 24000], "feature_size": [80, 40], "hop_length": [160, 320, 300]}
WINDOWS = {"hop_length": [160, 200], "n_fft": [400, 320], "feature_size": [40, 80], "chunk_length": [1]}
CLASSES = {
    "Xcodec2": (CODEC, CODECS),
    "NeuCodec": (CODEC, CODECS),
    "SpeechT5": (MASKED, {"do_normalize": [True, True, False]}),
    "MusicgenMelody": (MASKED, {"n_fft": [1024], "hop_length": [512, 1000], "chunk_length": [1]}),
    "Qwen3ASR": ([*MASKED, "n_window"], {**WINDOWS, "n_window": [0, 1, 7], "min_length": [0, 3000]}),
    "MossTranscribeDiarize": (["truncation", "pad_to_multiple_of"], WINDOWS),
    "OmniASR": ([*CODEC, MASKED[-1]], {"do_normalize": [True, True, False]}),
    "WavTokenizer": (CODEC, {"normalize_audio": [True, False], "target_peak_dB_FS": [-3, 0, -20.5, 6]}),
}
COMMON = {"padding_side": ["left", "right"], "padding_value": [0, 0.5, -1], "return_attention_mask": [True, False]}


def array_of(value):
    if isinstance(value, np.ndarray) and value.dtype == object:
        value = list(value)
    if isinstance(value, list) and isinstance(value[0], np.ndarray):
        even = len({a.shape for a in value}) == 1
        return np.stack(value) if even else value
    return value.numpy() if isinstance(value, torch.Tensor) else value


def call(r, name):
    options, settings = CLASSES[name]
    config = {k: r.choice(v) for k, v in {**COMMON, **settings}.items() if r.random() < 0.6}
    if "chunk_length" in settings:
        config["chunk_length"] = 1
    audio = [[r.randint(700, 9000), r.randint(0, 999), r.randint(1, 65520)] for _ in range(r.choice([1, 1, 2]))]
    given = {k: value_of(k, audio[0][0], r.choice) for k in options if r.random() < 0.4}
    if "n_window" in given:
        given["n_window"] = r.choice([0, 1, 3])
    extract = getattr(transformers, f"{name}FeatureExtractor")(**config)
    samples = [noise(*one) for one in audio]
    try:
        outputs = extract(samples if len(samples) > 1 else samples[0], sampling_rate=extract.sampling_rate, **given)
    except (ValueError, KeyError):
        return None
    return {
        **{"config": {"feature_extractor_type": f"{name}FeatureExtractor", **config}, "audio": audio, "options": given},
        "outputs": {k: record(array_of(v)) for k, v in outputs.items() if v is not None},
    }


if __name__ == "__main__":
    count, seed, out, *names = sys.argv[1:]
    r = random.Random(int(seed))
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    # The path of NumPy, to the bit of which the package computes.
    transformers.models.moss_transcribe_diarize.feature_extraction_moss_transcribe_diarize.is_torch_available = bool
    calls = []
    for name in names or CLASSES:
        made = []
        while len(made) < int(count):
            one = call(r, name)
            made += [one] if one else []
        calls += made
    with open(out, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(one) for one in calls) + "\n]\n")
