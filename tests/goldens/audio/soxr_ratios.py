"""Noise by soxr at quality HQ, as librosa.load resamples it, at 68 ratios: python soxr_ratios.py soxr.json

Of each answer the first 16 samples, and 48 of those that are far from the first, are kept.
"""

import base64
import json
import sys

import numpy as np
import soxr

from random_calls import noise

HIGH, LOW = [48000, 44100, 96000, 88200, 192000], [22050, 24000, 16000, 8000]
OTHERS = [(11025, 16000), (12000, 44100), (32000, 44100), (44100, 32000), (16000, 12000), (48000, 44100)]
OTHERS += [(44100, 48000), (44100, 96000), (37000, 10000), (11111, 16000), (44099, 48000), (5000, 8000), (50000, 8000)]
OTHERS += [(8000, 40000), (192000, 44100), (44100, 192000), (7000, 4000)]


def rates():
    both = [(a, b) for high in HIGH for low in LOW for a, b in [(high, low), (low, high)]]
    return [*both, *[(b, a) for a, b in OTHERS if (b, a) not in both], *OTHERS]


def case(orig, new):
    length = max(2000, 500 * orig // new)
    data = soxr.resample(noise(length, 7, 40503), orig, new, quality="HQ")
    places = [*range(16), *np.linspace(100 * max(1, new / orig), data.size - 1, 48).astype(int).tolist()]
    values = base64.b64encode(data[places].astype(np.float32).tobytes()).decode()
    rates = {"orig_freq": orig, "new_freq": new, "length": length}
    return {**rates, "outputs": data.size, "places": places, "values": values}


if __name__ == "__main__":
    chosen = list(dict.fromkeys(rates()))
    with open(sys.argv[1], "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(case(*one)) for one in chosen) + "\n]\n")
    print(len(chosen))
