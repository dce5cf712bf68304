"""Usage: python speech.py OUT. Asks Silero VAD for every case of speech.json again, and writes the file with its
answers to the folder OUT: `probabilities` has a hexadecimal digit a window, over 15."""

import json
import os
import sys

import numpy as np
from silero_vad.utils_vad import get_speech_timestamps_from_probs

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "speech.json")) as file:
    cases = json.load(file)
for case in cases:
    numbers = [float(np.float32(int(digit, 16)) / np.float32(15)) for digit in case["probabilities"]]
    case["expect"] = get_speech_timestamps_from_probs(numbers, **case["options"])
with open(os.path.join(sys.argv[1], "speech.json"), "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
