"""The chunks of transformers' speech pipeline: python chunks.py OUT.json"""

import json
import random
import sys

import numpy as np
from transformers.pipelines.automatic_speech_recognition import chunk_iter


class Extractor:
    sampling_rate = 16000

    def __call__(self, *_, **__):
        return {}


def cases(count):
    r = random.Random(5)
    while count > 0:
        rate, align = r.choice([1000, 16000]), r.choice([1, 4, 320])
        chunk = r.choice([1, 1.5, 2.01, 3, 2.33, 1.29])
        left, right = chunk / r.choice([3, 6, 7]), chunk / r.choice([4, 6])
        length = r.randint(1, 8 * rate)
        # As the pipeline's preprocess has it.
        size, *sides = (int(round(s * rate / align) * align) for s in (chunk, left, right))
        if size <= sum(sides):
            continue
        chunks = chunk_iter(np.zeros(length), Extractor(), size, *sides)
        options = {"chunk_length_s": chunk, "stride_length_s": [left, right], "sampling_rate": rate, "align_to": align}
        count -= 1
        yield {"length": length, "options": options, "chunks": [[*map(int, c["stride"]), c["is_last"]] for c in chunks]}


with open(sys.argv[1], "w") as file:
    file.write("[\n" + ",\n".join(map(json.dumps, cases(40))) + "\n]\n")
