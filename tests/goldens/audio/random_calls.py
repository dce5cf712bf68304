"""Calls of every class at random, and what reference.py makes of them: python random_calls.py CALLS SEED OUT.json

random.json has 228 of seed 7, of which npm test replays a part. `node tests/audio/replay.mjs OUT.json` replays others.
"""

import base64
import json
import random
import sys

import numpy as np

import reference as R

PAD = ["padding", "max_length", "truncation", "pad_to_multiple_of"]
CODEC = PAD[:3]
MASKED = [*PAD, "return_attention_mask"]
# By class: options of its call, settings from which a file chooses, and how many samples audio has at most.
CLASSES = {
    "Whisper": ([*MASKED, "do_normalize"], {"feature_size": [20, 80, 128], "chunk_length": [1], "n_fft": [400, 320]}),
    "MossTranscribeDiarize": ([], {"feature_size": [40, 80], "chunk_length": [1]}, 20000),
    "Qwen3ASR": (MASKED, {"feature_size": [80, 128], "chunk_length": [1], "min_length": [3000, 8000]}),
    "Dots3Note": ([], {"feature_size": [80, 128], "chunk_length": [1]}, 20000),
    "VoxtralRealtime": ([*MASKED, "center"], {"global_log_mel_max": [1.5, 0.5, None]}),
    "SeamlessM4T": ([*MASKED, "do_normalize_per_mel_bins"], {"stride": [1, 2, 3], "num_mel_bins": [40, 80]}),
    "Speech2Text": (MASKED, {"normalize_vars": [True, False], "normalize_means": [True, False]}),
    "AST": ([], {"max_length": [20, 60], "do_normalize": [True, False]}),
    "FunAsrNano": (PAD, {"window": ["hamming", "povey"], "stride_lfr": [4, 6], "num_frames_lfr": [5, 7]}),
    "NeuCodec": (CODEC, {}),
    "Xcodec2": (CODEC, {}),
    "Clap": ([], {"truncation": ["fusion", "rand_trunc"], "padding": ["repeat", "repeatpad", "pad"]}, 4800),
    "Clvp": (MASKED, {"feature_size": [40, 80], "default_audio_length": [1]}),
    "SpeechT5": (MASKED, {"do_normalize": [True, False]}),
    "UnivNet": ([*PAD, "pad_end", "do_normalize"], {"center": [True, False], "num_mel_bins": [60, 100]}),
    "Lasr": (MASKED, {"feature_size": [64, 128], "hop_length": [160, 200]}),
    "Gemma3nAudio": (PAD, {"feature_size": [64, 128], "preemphasis_htk_flavor": [True, False]}),
    "Gemma4Audio": (PAD, {"feature_size": [64, 128], "input_scale_factor": [1, 0.5]}),
    "Gemma4UnifiedAudio": (PAD, {"audio_samples_per_token": [320, 640]}),
    "Wav2Vec2": (MASKED, {"do_normalize": [True, False], "return_attention_mask": [True, False]}),
    "Encodec": (CODEC, {"chunk_length_s": [None, 0.1], "overlap": [None, 0.01]}),
    "KyutaiSpeechToText": (CODEC, {"audio_delay_seconds": [0, 0.01], "audio_silence_prefix_seconds": [0, 0.02]}),
    "Dac": (CODEC, {"hop_length": [320, 512]}),
    "PeAudio": (CODEC, {"hop_length": [960, 1920]}),
    "Dia": (CODEC, {"hop_length": [320, 512]}),
    "MuseSpark": (MASKED, {"samples_per_token": [960, 1920]}),
    "VibeVoiceAcousticTokenizer": (["padding", "max_length"], {"normalize_audio": [True, False]}),
    "PocketTTS": (["padding", "max_length"], {"end_on_pause": [True, False], "silence_floor_db": [3, 35]}),
    "OmniASR": (CODEC + MASKED[-1:], {"do_normalize": [True, False]}),
    "WavTokenizer": (CODEC, {"normalize_audio": [True, False], "target_peak_dB_FS": [-3, -20]}),
    "Parakeet": (PAD, {"feature_size": [64, 80, 128], "preemphasis": [0.97, None]}),
    "CohereAsr": (PAD, {"max_audio_clip_s": [0.2, 35], "overlap_chunk_second": [0.1]}),
    "NemotronAsrStreaming": ([*PAD, "center"], {"feature_size": [80, 128]}),
    "Phi4Multimodal": (MASKED, {"feature_size": [40, 80], "audio_downsample_rate": [1, 2]}),
    "GraniteSpeech": ([], {"n_mels": [40, 80]}),
    "GraniteSpeech5": (MASKED[:1], {"num_mel_bins": [40, 80], "logmel_floor_db": [8, 6]}),
    "Inkling": (MASKED, {"feature_size": [40, 80], "audio_token_duration_s": [0.05, 0.04]}),
    "MusicgenMelody": (MASKED, {"n_fft": [1024, 4096], "hop_length": [512, 1000]}),
}


def noise(length, a, b):
    """float32 [length] that JavaScript computes alike."""
    i = np.arange(length, dtype=np.int64)
    return ((i * (i + a) % 65521 * b % 65521) / 65521 - 0.5).astype(np.float32)


def value_of(name, length, choose):
    values = {
        "padding": [True, "longest", "max_length", False],
        "max_length": [length // 2, 2 * length],
        "pad_to_multiple_of": [64, 100],
    }
    return choose(values.get(name, [True, False]))


def record(a):
    if isinstance(a, list) and all(isinstance(x, np.ndarray) for x in a):
        return [record(x) for x in a]
    if not isinstance(a, np.ndarray):
        return {"values": json.loads(json.dumps(a))}
    flat = np.ascontiguousarray(a).reshape(-1)
    step = max(1, flat.size // 13)
    values = base64.b64encode(flat[::step].tobytes()).decode()
    return {"type": a.dtype.name, "dims": list(a.shape), "step": step, "values": values}


def call(seed, name):
    r = random.Random(seed)
    options, settings, most = (*CLASSES[name], 9000)[:3]
    chosen = {k: r.choice(v) for k, v in settings.items() if r.random() < 0.7}
    config = {"feature_extractor_type": f"{name}FeatureExtractor", **chosen}
    # Their own lengths are half a minute.
    short = {"Clvp": {"default_audio_length": 1}, "AST": {"max_length": 40}}
    long = ("Whisper", "MossTranscribeDiarize", "Qwen3ASR", "Dots3Note")
    config.update({"chunk_length": 1} if name in long else {k: v for k, v in short.get(name, {}).items()})
    audio = [[r.randint(700, most), r.randint(0, 999), r.randint(1, 65520)] for _ in range(r.choice([1, 1, 2]))]
    given = {k: value_of(k, audio[0][0], r.choice) for k in options if r.random() < 0.4}
    if name == "Clap":
        given["max_length"] = 4800
    try:
        outputs = R.extract(config, [noise(*one) for one in audio], given)
    except ValueError:
        return None
    return {
        **{"config": config, "audio": audio, "options": given},
        "outputs": {k: record(v) for k, v in outputs.items() if v is not None},
    }


def calls(count, seed):
    names = list(CLASSES)
    while count > 0:
        made = call(seed, names[seed % len(names)])
        seed += 1
        if made:
            count -= 1
            yield made


if __name__ == "__main__":
    count, seed, out = sys.argv[1:]
    with open(out, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(one) for one in calls(int(count), int(seed))) + "\n]\n")
