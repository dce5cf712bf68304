"""WAV headers at random, right and wrong, and what soundfile reads: python wav_headers.py COUNT SEED OUT.json

wav_headers.json has 400 of seed 1, which npm test replays. `node tests/audio/replay-wav.mjs OUT.json` replays others.
"""

import base64
import io
import json
import random
import struct
import sys

import soundfile

PLAIN = bytes.fromhex("000000001000800000aa00389b71")
AMBISONIC = bytes.fromhex("00002107d3118644c8c1ca000000")
BITS = {1: [8, 16, 24, 32] * 3 + [12, 20, 1, 9, 17, 25, 0, 33, 64], 3: [32, 64] * 2 + [16, 25, 57], 6: [8, 0, 16]}
BITS[7] = BITS[6]
NAMES = [b"LIST", b"JUNK", b"bext", b"fact", b"PAD ", b"abcd", b"cue ", b"id3 ", b"FLLR"]


def chunk(name, data, e, size=None, padded=True):
    stated = len(data) if size is None else size
    return name + struct.pack(e + "I", stated) + data + (b"\0" if padded and len(data) % 2 else b"")


def other(r, e):
    return chunk(r.choice(NAMES), b"INFO" + bytes(r.randrange(32, 127) for _ in range(r.randrange(20))), e)


def extension(r, tag, bits):
    valid, mask, size = r.choice([bits, 0, 16, 8, 24]), r.choice([0, 3, 63, 0xFFFFFFFF]), r.choice([22, 22, 0, 99])
    end = r.choice([PLAIN] * 3 + [AMBISONIC, b"\1" * 14])
    return struct.pack("<HHIH", size, valid, mask, tag) + end + b"\0" * r.choice([0, 0, 2, 6])


def fmt(r, e, tag, bits):
    """The fmt chunk's data: block aligns and byte rates of any size."""
    width, channels = max(1, (bits + 7) // 8), r.choice([1, 1, 2, 2, 3, 6, 8])
    if r.random() < 0.02:
        channels = 0
    right = channels * width
    align = r.choice([right, right, 0, 1, channels, 2 * right, 4 * channels, 8 * channels, r.randrange(65536), width])
    rate = r.choice([8000, 16000, 22050, 44100, 48000, 1, r.randrange(1, 2**31)])
    if r.random() < 0.02:
        rate = r.choice([0, 2**31, 2**32 - 1])
    is_extensible = e == "<" and r.random() < 0.3
    more = r.choice([b"", b"", b"\0\0", b"\0" * r.randrange(2, 30), b"\x16\0" + b"\0" * 22])
    if is_extensible:
        more = extension(r, tag, bits)
    bytes_a_second = r.choice([rate * align, 0, 1, r.randrange(2**32)]) & 0xFFFFFFFF
    stated = 0xFFFE if is_extensible else tag
    return struct.pack(e + "HHIIHH", stated, channels, rate, bytes_a_second, align, bits) + more


def samples(r, e, tag, bits):
    count = r.choice([0, 1, 7, 24, 48, 49, 96])
    if tag == 3 and bits in (32, 64):
        numbers = [r.uniform(-1, 1) for _ in range(count * 8 // bits)]
        return struct.pack(f"{e}{len(numbers)}{'f' if bits == 32 else 'd'}", *numbers)
    return bytes(r.randrange(256) for _ in range(count))


def wav(r):
    e = ">" if r.random() < 0.15 else "<"
    tag = r.choice([1, 1, 1, 3, 6, 7])
    bits = r.choice(BITS[tag])
    head = fmt(r, e, tag, bits)
    data = samples(r, e, tag, bits)
    n = len(data)
    size = r.choice([n] * 6 + [0, max(0, n - 3), n + 1, n + 50, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFFFFF0])
    magic = b"RIFX" if e == ">" else r.choice([b"RIFF"] * 5 + [b"RF64"])
    chunks = []
    if r.random() < (0.9 if magic == b"RF64" else 0.05):
        long = struct.pack("<QQQI", r.choice([0, 500]), r.choice([n, n, n // 2, 0, 2**40]), r.choice([0, 5]), 0)
        chunks.append(chunk(b"ds64", long, "<"))
    chunks += [other(r, e) for _ in range(r.choice([0, 0, 1]))]
    chunks.append(chunk(b"fmt ", head, e))
    chunks += [other(r, e) for _ in range(r.choice([0, 0, 0, 1, 2]))]
    chunks.append(chunk(b"data", data, e, size, r.random() < 0.8))
    chunks += [other(r, e) for _ in range(r.choice([0, 0, 0, 1]))]
    body = b"WAVE" + b"".join(chunks)
    stated = r.choice([len(body), len(body), 0, 1, 0xFFFFFFFF, len(body) + 9])
    file = magic + struct.pack(e + "I", stated) + body
    # soundfile reads a file that ends within the size of its data as no samples.
    end = r.randrange(len(file)) if r.random() < 0.1 else len(file)
    start = file.find(b"data")
    return file[:start] if start < end < start + 8 else file[:end]


def record(file):
    made = {"bytes": base64.b64encode(file).decode()}
    try:
        with soundfile.SoundFile(io.BytesIO(file)) as f:
            data = f.read(dtype="float32", always_2d=True)
            channels = [data[:, c].tobytes().hex() for c in range(data.shape[1])]
            return {**made, "rate": f.samplerate, "channels": channels}
    except soundfile.LibsndfileError:
        return made


if __name__ == "__main__":
    count, seed, out = sys.argv[1:]
    r = random.Random(int(seed))
    with open(out, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(record(wav(r))) for _ in range(int(count))) + "\n]\n")
