"""Replays the stored goldens with reference.py alone (NumPy): python check.py DIR"""

import base64
import hashlib
import json
import os
import sys

import numpy as np

import reference as R

root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
at = lambda p: os.path.join(root, p)


def sha(a):
    a = np.ascontiguousarray(a)
    return hashlib.sha256((a + a.dtype.type(0) if a.dtype.kind in "fc" else a).tobytes()).hexdigest()


inputs = {}
for name, rec in json.load(open(at("inputs.json"))).items():
    a = np.load(at(f"inputs/{name}.npy"))
    assert sha(a) == rec["sha256"], name
    inputs[name] = a.astype(np.float32) / np.float32(32768) if a.dtype.kind == "i" else a


def audio(v):
    if v is None:
        return None
    if isinstance(v, list):
        return [audio(x) for x in v]
    name, _, part = v.partition("[")
    return inputs[name][slice(*map(int, part[:-1].split(":")))] if part else inputs[name]


def compare(rec, a, where):
    if isinstance(rec, list):
        assert len(rec) == len(a), where
        for r, x in zip(rec, a):
            compare(r, x, where)
    elif "values" in rec:
        assert json.loads(json.dumps(a)) == rec["values"], where
    else:
        assert list(a.shape) == rec["dims"] and a.dtype.name == rec["type"], (where, a.shape, a.dtype)
        if "sha256" in rec:
            assert sha(a) == rec["sha256"], where
        if "sample" in rec and a.size:
            want = np.frombuffer(base64.b64decode(rec["sample"]["values"]), a.dtype)
            got = np.ascontiguousarray(a).reshape(-1)[:: rec["sample"]["step"]]
            with np.errstate(invalid="ignore"):
                assert ((got == want) | (np.abs(got - want) <= rec.get("tolerance", 0))).all(), where


def raises(f):
    try:
        f()
    except ValueError:
        return
    raise AssertionError("no error")


def spectrogram(c):
    o = {**c["options"], "window": R.window_function(**{"name": "hann", **c["window"]})}
    if c["mel"]:
        o["mel_filters"] = R.mel_filter_bank(**c["mel"])
    return R.spectrogram(audio(c["audio"]), **o)


RESAMPLE = {"torchaudio": R.resample_torchaudio, "scipy": R.resample_scipy, "soxr": R.resample_soxr}
counts = {}
for c in json.load(open(at("index.json"))):
    kind, where = c["kind"], c["id"]
    if kind in ("extract", "error"):
        o = {**c["options"], **({"audio_target": audio(c["audio_target"])} if "audio_target" in c else {})}
        run = lambda: R.extract(c["config"], audio(c["audio"]), o)
        if kind == "error":
            raises(run)
        else:
            got = run()
            assert set(got) == set(c["outputs"]), where
            for k, rec in c["outputs"].items():
                compare(rec, got[k], (where, k))
            for k, rec in c.get("torch", {}).items():
                compare(rec, got[k], (where, k, "torch"))
    elif kind == "window":
        compare(c["output"], R.window_function(c["window_length"], **c["options"]), where)
    elif kind == "mel":
        for t, rec in c["outputs"].items():
            compare(rec, R.mel_filter_bank(**c["options"], dtype=t), (where, t))
    elif kind == "spectrogram":
        compare(c["output"], np.ascontiguousarray(spectrogram(c)), where)
    elif kind == "spectrogram_error":
        raises(lambda: spectrogram(c))
    elif kind == "resample":
        o = dict(c["options"])
        compare(c["output"], RESAMPLE[o.pop("backend")](audio(c["audio"]), **o), where)
    elif kind in ("wav", "wav_error"):
        data = open(at(c["file"]), "rb").read()
        if kind == "wav_error":
            raises(lambda: R.decode_wav(data))
        else:
            rate, x = R.decode_wav(data)
            assert rate == c["sampling_rate"], where
            compare(c["output"], x, where)
            compare(c["mono"], R.to_mono(x), where)
    counts[kind] = counts.get(kind, 0) + 1
print("equal or near:", counts)
