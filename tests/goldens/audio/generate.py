"""Makes the golden data: python generate.py OUT --seed N [--specs specs.py]. The same seed gives the same bytes.

Each exact golden is stored only if reference.py gives the same bits; each other one with four times the distance
between the two as tolerance.
NumPy and torch run as on an AVX2 CPU: the script starts itself again with the settings for that.
"""

import argparse
import base64
import contextlib
import hashlib
import importlib
import importlib.util
import io
import json
import math
import os
import struct
import sys
import tempfile
import warnings
import wave

SETTINGS = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "ATEN_CPU_CAPABILITY": "avx2",
    "OPENBLAS_CORETYPE": "Haswell",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "HF_HUB_OFFLINE": "1",
}
if (
    __name__ == "__main__"
    and any(os.environ.get(k) != v for k, v in SETTINGS.items())
    and not os.environ.get("AUDIO_GOLDENS_AS_IS")
):
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **SETTINGS})
warnings.simplefilter("ignore")

import numpy as np
import scipy.io.wavfile
import scipy.signal
import soundfile
import soxr
import torch

cuda, torch.version.cuda = (
    torch.version.cuda,
    "13.0",
)  # torchaudio refuses other builds of torch when it is imported
import torchaudio

torch.version.cuda = cuda
import transformers
from transformers import AutoFeatureExtractor, audio_utils
from transformers.models.auto.feature_extraction_auto import feature_extractor_class_from_name

import reference as R

transformers.logging.set_verbosity_error()
torch.set_num_threads(1)
F = np.float32
# classes with a NumPy path and a torch path: what says that the latter is there
BOTH = {
    "WhisperFeatureExtractor": "is_torch_available",
    "MossTranscribeDiarizeFeatureExtractor": "is_torch_available",
    "Speech2TextFeatureExtractor": "is_speech_available",
    "ASTFeatureExtractor": "is_speech_available",
}
# float32 outputs that torch computes in float32, or whose last bits hang on the CPU: compared with a tolerance
TOLERANT = {
    f"{n}FeatureExtractor"
    for n in (
        "Parakeet NemotronAsrStreaming CohereAsr VoxtralRealtime Qwen3ASR Dots3Note GraniteSpeech GraniteSpeech5 "
        "Inkling FunAsrNano NeuCodec OmniASR Xcodec2 Phi4Multimodal PocketTTS VibeVoiceAcousticTokenizer"
    ).split()
}
PT_ONLY = (
    "OmniASRFeatureExtractor",
    "PocketTTSFeatureExtractor",
    "VibeVoiceAcousticTokenizerFeatureExtractor",
)


# ---------------------------------------------------------------- signals
def speech(rng, n, rate):
    """Pulses of a gliding pitch through four resonances, with pauses and a noise floor."""
    t = np.arange(n) / rate
    pitch = 100 + 80 * rng.random() + 25 * np.sin(2 * np.pi * (0.7 + rng.random()) * t + rng.random())
    pulses = np.diff(np.floor(np.cumsum(pitch) / rate), prepend=0)
    out = np.zeros(n)
    for f, width in ((500, 80), (1500, 120), (2500, 160), (3500, 220)):
        r = math.exp(-math.pi * width / rate)
        out += scipy.signal.lfilter(
            [1 - r], [1, -2 * r * math.cos(2 * math.pi * f * rng.uniform(0.85, 1.15) / rate), r * r], pulses
        )
    loud = np.clip(np.sin(2 * np.pi * 1.3 * t + 6 * rng.random()) + 0.4, 0, None)
    return out / max(np.abs(out).max(), 1e-9) * loud * 0.5 + rng.standard_normal(n) * 2e-3


def signal(kind, rng, n, rate):
    t = np.arange(n) / rate
    if kind == "speech":
        return speech(rng, n, rate)
    if kind == "noise":
        return rng.standard_normal(n) * 0.2
    if kind == "quiet":
        return rng.standard_normal(n) * 1e-4
    if kind == "silence":
        return np.zeros(n)
    if kind == "clicks":
        x = np.zeros(n)
        x[rng.integers(0, n, n // 3000 + 1)] = rng.uniform(-1, 1, n // 3000 + 1)
        return x
    if kind == "tone":
        return 0.8 * np.sin(2 * np.pi * rng.uniform(100, rate * 0.4) * t)
    if kind == "chirp":
        return 0.7 * np.sin(2 * np.pi * (50 * t + (rate * 0.45 - 50) / 2 * t * t / t[-1]))
    if kind == "chords":
        x = sum(np.sin(2 * np.pi * 220 * 2 ** (rng.integers(0, 24) / 12) * t) for _ in range(4))
        return 0.2 * x * (1 + 0.5 * np.sin(2 * np.pi * 3 * t)) + rng.standard_normal(n) * 1e-3
    if kind == "half":
        return speech(rng, n, rate) * (t < t[-1] / 2)
    raise ValueError(kind)


# ---------------------------------------------------------------- Python's answers
@contextlib.contextmanager
def numpy_path(cls, on):
    name = BOTH.get(cls.__name__)
    module = importlib.import_module(cls.__module__)
    saved = name and getattr(module, name)
    if on and name:
        setattr(module, name, lambda: False)
    try:
        yield
    finally:
        if name:
            setattr(module, name, saved)


def arrays(v):
    """Tensors, object arrays and lists of arrays as an array, a list of arrays or plain values."""
    if torch.is_tensor(v):
        v = v.numpy()
    if isinstance(v, np.ndarray) and v.dtype == object:
        v = list(v)
    if isinstance(v, (list, tuple)) and len(v) and (isinstance(v[0], np.ndarray) or torch.is_tensor(v[0])):
        v = [arrays(x) for x in v]
        return np.stack(v) if all(x.shape == v[0].shape for x in v) else v
    return v


def python_extract(config, audio, options, path):
    inner = config.get("feature_extractor", config)
    cls = feature_extractor_class_from_name(inner["feature_extractor_type"])
    with tempfile.TemporaryDirectory() as d, numpy_path(cls, path == "numpy"):
        name = "processor_config.json" if inner is not config else "preprocessor_config.json"
        json.dump(config, open(os.path.join(d, name), "w"))
        extractor = AutoFeatureExtractor.from_pretrained(d)
        o = dict(options)
        if cls.__name__ in PT_ONLY:
            o["return_tensors"] = "pt"
        elif cls.__name__ != "GraniteSpeechFeatureExtractor":
            o.setdefault("return_tensors", "np")
        if cls.__name__ == "UnivNetFeatureExtractor":
            o["return_noise"] = False
        a = list(audio) if isinstance(audio, list) else audio  # some classes write into the caller's list
        if cls.__name__ == "Gemma4AudioFeatureExtractor" and not isinstance(a, list):
            a = [a]  # transformers fails on one array
        try:
            return {k: arrays(v) for k, v in extractor(a, **o).items()}
        except ValueError as error:
            if "inhomogeneous" not in str(error) and "setting an array" not in str(error):
                raise
            return {
                k: arrays(v) for k, v in extractor(a, **{**o, "return_tensors": None}).items()
            }  # lists, where lengths differ


# ---------------------------------------------------------------- records
def sha(a):
    """Of the bytes in C order; -0 counts as 0."""
    a = np.ascontiguousarray(a)
    return hashlib.sha256((a + a.dtype.type(0) if a.dtype.kind in "fc" else a).tobytes()).hexdigest()


TYPES = {
    "float32": "float32",
    "float64": "float64",
    "int32": "int32",
    "int64": "int64",
    "bool": "bool",
    "complex64": "complex64",
}


def sample(a, count):
    """Every step-th value of the flattened array, little endian, base64; step shares no factor with the last dim."""
    flat = np.ascontiguousarray(a).reshape(-1)
    step = max(1, flat.size // count)
    while step > 1 and math.gcd(step, max(a.shape[-1] if a.ndim else 1, 1)) > 1:
        step += 1
    part = flat[::step]
    return {"step": step, "values": base64.b64encode(part.astype(part.dtype.newbyteorder("<")).tobytes()).decode()}


def record(a, tolerance=None, count=None):
    r = {"type": TYPES[a.dtype.name], "dims": list(a.shape)}
    if tolerance is None:
        r["sha256"] = sha(a)
    else:
        r["tolerance"] = float(f"{tolerance:.2g}")
        r["sample"] = sample(a, count or 500)
    return r


def records(outputs, expected, tolerant, floor):
    """Records of Python's outputs; raises if reference.py is not equal, or not near."""
    assert set(outputs) == set(expected), (set(outputs), set(expected))
    out = {}
    for k, v in outputs.items():
        w = expected[k]
        if isinstance(v, list) and v and isinstance(v[0], np.ndarray):
            assert len(v) == len(w)
            out[k] = [records({k: x}, {k: y}, tolerant, floor)[k] for x, y in zip(v, w)]
        elif isinstance(v, np.ndarray):
            assert v.shape == w.shape and v.dtype == w.dtype, (k, v.shape, w.shape, v.dtype, w.dtype)
            if tolerant and v.dtype == F and not (k == "input_values" and "input_features" in outputs):
                gap = float(np.abs(v - w).max(initial=0))
                assert gap < 2e-3 and np.isfinite(v).all(), (k, gap)
                out[k] = record(v, max(4 * gap, floor))
            else:
                assert sha(v) == sha(w), (k, int((v != w).sum()), v.size)
                assert v.dtype.kind != "f" or np.isfinite(v).all(), k
                out[k] = record(v)
        else:
            v = json.loads(json.dumps(v))
            assert v == json.loads(json.dumps(w)), (k, v, w)
            out[k] = {"values": v}
    return out


class Maker:
    def __init__(self, out, seed, specs):
        self.out, self.seed, self.specs, self.inputs, self.cases, self.data = out, seed, specs, {}, [], {}
        self.dropped = []
        os.makedirs(os.path.join(out, "inputs"), exist_ok=True)
        os.makedirs(os.path.join(out, "wav"), exist_ok=True)

    def make_inputs(self):
        for i, (name, (kind, n, rate, form)) in enumerate(self.specs.INPUTS.items()):
            rng = np.random.default_rng([self.seed, i])
            rows = [signal(kind, rng, n, rate) for _ in range(2 if "stereo" in form else 1)]
            x = np.stack(rows) if "stereo" in form else rows[0]
            if "16" in form:
                x = np.clip(np.round(x * 32768), -32768, 32767).astype("<i2")
            elif "64" in form:
                x = x.astype("<f8")
            else:
                x = x.astype("<f4")
            np.save(os.path.join(self.out, "inputs", name + ".npy"), x)
            self.inputs[name] = {
                "kind": kind,
                "sampling_rate": rate,
                "type": x.dtype.name,
                "dims": list(x.shape),
                "sha256": sha(x),
            }
            self.data[name] = x.astype(F) / F(32768) if x.dtype.kind == "i" else x
        json.dump(self.inputs, open(os.path.join(self.out, "inputs.json"), "w"), indent=1)

    def audio(self, names):
        if names is None:
            return None
        one = lambda s: (
            self.data[s.split("[")[0]][slice(*map(int, s.split("[")[1][:-1].split(":")))] if "[" in s else self.data[s]
        )
        return [one(n) for n in names] if isinstance(names, list) else one(names)

    def add(self, **case):
        self.cases.append({"id": f"{case['kind']}_{len(self.cases) + 1:03d}", **case})

    def extract(self, config, names, options, target):
        inner = config.get("feature_extractor", config)
        name = inner["feature_extractor_type"]
        audio, o = self.audio(names), dict(options)
        if target is not None:
            o["audio_target"] = self.audio(target)
        case = {
            "kind": "extract",
            "extractor": name.replace("FeatureExtractor", ""),
            "config": config,
            "audio": names,
            "options": options,
        }
        if target is not None:
            case["audio_target"] = target
        try:
            got = python_extract(config, audio, o, "numpy")
        except Exception as error:
            try:
                R.extract(config, audio, o)
            except ValueError:
                return self.add(**{**case, "kind": "error", "python": f"{type(error).__name__}: {error}"[:200]})
            raise AssertionError(f"only Python raises: {error!r}")
        expected = R.extract(config, audio, o)
        floor = {"Phi4Multimodal": 4e-6, "NemotronAsrStreaming": 1e-5}.get(case["extractor"], 2e-6)
        case["outputs"] = records(got, expected, name in TOLERANT, floor)
        if name == "MusicgenMelodyFeatureExtractor":
            assert got["input_features"].any(-1).all()
        if name in BOTH:
            with contextlib.suppress(RuntimeError, AssertionError):  # torch refuses some short audio
                torch_got = python_extract(config, audio, o, "torch")
                case["torch"] = {}
                for k, v in torch_got.items():
                    if isinstance(v, np.ndarray) and v.dtype == F:
                        gap = float(np.abs(v - got[k]).max(initial=0))
                        if math.isfinite(gap) and gap < 0.2:
                            case["torch"][k] = record(v, max(4 * gap, 2e-6), 300)
        self.add(**case)

    def window(self, n, name, periodic=True, **o):
        w = audio_utils.window_function(n, name, periodic, **o)
        r = R.window_function(n, name, periodic, **o)
        assert np.abs(w - r).max(initial=0) < 4e-16 and (name == "povey" or (w == r).all())
        out = record(w) if name == "boxcar" else record(w, 4e-16 if name == "povey" else 2.3e-16, 400)
        self.add(kind="window", window_length=n, options={"name": name, "periodic": periodic, **o}, output=out)

    def mel(self, **o):
        d = audio_utils.mel_filter_bank(**o)
        f = audio_utils.mel_filter_bank(**o, dtype=np.float32)
        r, s = R.mel_filter_bank(**o), R.mel_filter_bank(**o, dtype="float32")
        assert np.abs(d - r).max() < 1e-13 * max(1, np.abs(d).max()) and (f == s).all()
        self.add(kind="mel", options=o, outputs={"float64": record(d, 1e-12, 300), "float32": record(f)})

    def spectrogram(self, name, window, mel=None, **o):
        x = self.audio(name)
        w = dict(zip(("window_length", "name", "periodic", "frame_length"), window))
        arguments = {**o, "window": audio_utils.window_function(**w)}
        expected = {**o, "window": R.window_function(**w)}
        if mel:
            arguments["mel_filters"], expected["mel_filters"] = audio_utils.mel_filter_bank(**mel), R.mel_filter_bank(
                **mel
            )
        case = dict(audio=name, window=w, mel=mel, options=o)
        try:
            got = audio_utils.spectrogram(x, **arguments)
        except ValueError as error:
            try:
                R.spectrogram(x, **expected)
            except ValueError:
                return self.add(kind="spectrogram_error", **case, python=f"ValueError: {error}"[:200])
            raise
        ref = R.spectrogram(x, **expected)
        got, ref = np.ascontiguousarray(got), np.ascontiguousarray(ref)
        assert got.shape == ref.shape and got.dtype == ref.dtype, (got.dtype, ref.dtype)
        if got.dtype == np.float64:
            gap = np.abs(got - ref).max() / max(np.abs(got).max(), 1e-300)
            assert gap < 1e-13, gap
            out = record(got, 1e-12 * float(np.abs(got).max()), 300)
        elif not o.get("onesided", True):  # Python takes a complex FFT then: other last bits
            gap = np.abs(got - ref).max() / np.abs(got).max()
            assert gap < 1e-6, gap
            out = record(got, 1e-6 * float(np.abs(got).max()), 300)
        else:
            assert sha(got) == sha(ref), int((got != ref).sum())
            out = record(got)
        self.add(kind="spectrogram", **case, output=out)

    def resample(self, name, backend, orig_freq, new_freq, **o):
        x = self.audio(name)
        if backend == "torchaudio":
            y, z = torchaudio.functional.resample(
                torch.from_numpy(x), orig_freq, new_freq, **o
            ).numpy(), R.resample_torchaudio(x, orig_freq, new_freq, **o)
        elif backend == "scipy":
            y, z = scipy.signal.resample_poly(x, new_freq, orig_freq), R.resample_scipy(x, orig_freq, new_freq)
        else:
            y, z = soxr.resample(x, orig_freq, new_freq, quality="HQ"), R.resample_soxr(x, orig_freq, new_freq)
            y = np.concatenate([y, np.zeros(len(z) - len(y), F)])
        assert y.shape == z.shape and y.dtype == z.dtype
        gap = float(np.abs(y - z).max())
        case = dict(audio=name, options={"backend": backend, "orig_freq": orig_freq, "new_freq": new_freq, **o})
        if backend == "scipy" and y.dtype == F:
            assert sha(y) == sha(z), gap
            self.add(kind="resample", **case, output=record(y))
        else:
            assert gap < 2e-4, (case, gap)
            self.add(
                kind="resample", **case, output=record(y, 1e-14 if backend == "scipy" else max(4 * gap, 1e-6), 1000)
            )

    def wav(self, label, data, bad=False):
        name = f"wav/{label}.wav"
        open(os.path.join(self.out, name), "wb").write(data)
        if bad:
            try:
                R.decode_wav(data)
            except ValueError:
                return self.add(kind="wav_error", file=name)
            raise AssertionError(label)
        rate, x = R.decode_wav(data)
        y, python_rate = soundfile.read(io.BytesIO(data), dtype="float32", always_2d=True)
        assert python_rate == rate and sha(y.T) == sha(x), label
        mono = y.T.mean(axis=0) if y.shape[1] > 1 else y.T[0]
        assert sha(mono) == sha(R.to_mono(x)), label
        self.add(kind="wav", file=name, sampling_rate=rate, output=record(x), mono=record(mono))

    def run(self):
        self.make_inputs()
        for spec in self.specs.EXTRACT:
            self.attempt(self.extract, *spec)
        for spec in self.specs.WINDOWS:
            self.attempt(self.window, *spec[:-1], **spec[-1])
        for spec in self.specs.MELS:
            self.attempt(self.mel, **spec)
        for spec in self.specs.SPECTROGRAMS:
            self.attempt(self.spectrogram, *spec[:-1], **spec[-1])
        for spec in self.specs.RESAMPLE:
            self.attempt(self.resample, *spec[:-1], **spec[-1])
        for spec in wav_files(np.random.default_rng([self.seed, 999]), self.specs.WAV):
            self.attempt(self.wav, *spec)
        exact = [c for c in self.cases if c["kind"] == "extract"]
        for k, (match, chunks) in enumerate(self.specs.STREAMS):
            case = [
                c
                for c in exact
                if all(c.get(a) == b or c["options"].get(a) == b for a, b in match.items())
                and isinstance(c["audio"], str)
            ]
            assert case, match
            self.add(kind="stream", case=case[0]["id"], chunks=chunks)
        for name, window, mel, o, chunks in self.specs.SPECTROGRAM_STREAMS:
            self.attempt(self.spectrogram, name, window, mel, **o)
            self.add(kind="spectrogram_stream", case=self.cases[-1]["id"], chunks=chunks)
        for spec in self.specs.NEWER:
            self.attempt(self.extract, *spec)
        with open(os.path.join(self.out, "index.json"), "w") as f:
            f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in self.cases) + "\n]\n")
        kinds = {}
        for c in self.cases:
            kinds[c["kind"]] = kinds.get(c["kind"], 0) + 1
        print(json.dumps(kinds), len(self.cases), "cases;", len(self.dropped), "dropped")
        for d in self.dropped:
            print("  dropped:", d)

    def attempt(self, f, *a, **k):
        try:
            f(*a, **k)
        except AssertionError as error:
            self.dropped.append((f.__name__, str(a)[:200], str(k)[:120], str(error)[:200]))


# ---------------------------------------------------------------- WAV files
def chunk(name, body):
    return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def riff(*chunks):
    body = b"WAVE" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def form(tag, channels, rate, bits, more=b""):
    block = channels * -(-bits // 8)
    return chunk(b"fmt ", struct.pack("<HHIIHH", tag, channels, rate, rate * block, block, bits) + more)


def wav_files(rng, plan):
    for kind, channels, n, rate in plan["soundfile"]:
        subtype, container = kind.split("/")
        b = io.BytesIO()
        x = rng.uniform(-1, 1, (n, channels))
        soundfile.write(
            b,
            x,
            rate,
            subtype=subtype,
            format=container,
            **({"endian": "BIG"} if container == "WAV" and rate == 11025 else {}),
        )
        data = bytearray(b.getvalue())
        peak = data.find(b"PEAK", 0, 100)
        if peak > 0:
            data[peak + 12 : peak + 16] = bytes(4)  # the time of writing
        yield f"sf_{subtype.lower()}_{container.lower()}_{channels}ch_{n}", bytes(data)
    for dtype, channels, n, rate in plan["scipy"]:
        b = io.BytesIO()
        if dtype[0] == "f":
            x = rng.uniform(-1, 1, (n, channels))
        else:
            half = 2 ** (8 * int(dtype[1]) - 1)
            x = rng.integers(*((0, 2 * half) if dtype[0] == "u" else (-half, half)), (n, channels))
        scipy.io.wavfile.write(b, rate, x.astype(dtype))
        yield f"scipy_{dtype}_{channels}ch_{n}", b.getvalue()
    for width, channels, n, rate in plan["wave"]:
        b = io.BytesIO()
        with wave.open(b, "wb") as w:
            w.setnchannels(channels)
            w.setsampwidth(width)
            w.setframerate(rate)
            w.writeframes(rng.bytes(n * channels * width))
        yield f"wave_{8 * width}_{channels}ch_{n}", b.getvalue()
    body = rng.bytes(2 * plan["n"])
    fmt = form(1, 1, 16000, 16)
    yield "odd_chunk_before_data", riff(fmt, chunk(b"LIST", b"INFOx"), chunk(b"data", body))
    yield "chunk_before_fmt", riff(chunk(b"JUNK", bytes(27)), fmt, chunk(b"data", body))
    yield "fmt_18", riff(form(1, 1, 16000, 16, b"\0\0"), chunk(b"data", body))
    yield "chunks_after_data", riff(fmt, chunk(b"data", body), chunk(b"id3 ", bytes(11)))
    yield "half_frame_at_end", riff(form(1, 2, 16000, 16), chunk(b"data", body[: 4 * (len(body) // 4 - 1) + 3]))
    guid = b"\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71"
    ext = lambda tag, valid, mask: struct.pack("<HHI", 22, valid, mask) + struct.pack("<H", tag) + guid
    yield "extensible_24_of_24", riff(form(0xFFFE, 2, 48000, 24, ext(1, 24, 3)), chunk(b"data", rng.bytes(6 * 50)))
    yield "extensible_float", riff(
        form(0xFFFE, 1, 48000, 32, ext(3, 32, 4)), chunk(b"data", rng.uniform(-2, 2, 64).astype("<f4").tobytes())
    )
    yield "empty_data", riff(fmt, chunk(b"data", b""))
    yield "extensible_20_of_24", riff(form(0xFFFE, 1, 48000, 24, ext(1, 20, 4)), chunk(b"data", rng.bytes(3 * 41)))
    yield "extensible_24_of_32", riff(form(0xFFFE, 1, 48000, 32, ext(1, 24, 4)), chunk(b"data", rng.bytes(4 * 41)))
    special = np.array([np.inf, -np.inf, -2.5, 1e-40, -0.0, 3e38], "<f4").tobytes()
    yield "float_special", riff(form(3, 1, 16000, 32), chunk(b"data", special))
    yield "double_special", riff(
        form(3, 1, 16000, 64), chunk(b"data", np.array([1e300, -1e300, 1e-50, 0.1, -0.3], "<f8").tobytes())
    )
    streamed = riff(fmt, chunk(b"data", body))
    size = streamed.index(b"data") + 4
    yield "streamed", b"RIFF" + b"\xff" * 4 + streamed[8:size] + b"\xff" * 4 + streamed[size + 4 :]
    yield "data_longer_than_file", streamed[:size] + struct.pack("<I", 9999) + streamed[size + 4 :]
    yield "bad_fmt_after_data", riff(chunk(b"data", body), fmt), True
    yield "bad_riff", b"RIFX"[:3] + b"?" + streamed[4:], True
    yield "bad_no_data", riff(fmt), True
    yield "bad_no_fmt", riff(chunk(b"data", body)), True
    yield "bad_adpcm", riff(form(2, 1, 16000, 4), chunk(b"data", body)), True
    yield "bad_short", streamed[:20], True


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("out")
    p.add_argument("--seed", type=int, required=True)
    p.add_argument("--specs", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "specs.py"))
    a = p.parse_args()
    spec = importlib.util.spec_from_file_location("audio_specs", a.specs)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    print(
        "torch",
        torch.backends.cpu.get_cpu_capability(),
        "numpy",
        np.__version__,
        "transformers",
        transformers.__version__,
    )
    Maker(a.out, a.seed, module).run()
