"""Writes texts that are JSON or nearly, a line each, and what Python's json module makes of them: the keys of the outer
object, and the numbers of its "value", or that it refuses them. python json_texts.py json-texts.json"""

import json
import random
import sys

WORDS = ["NaN", "Infinity", "-Infinity", "1", "0.5", "1e400", "-1e400", "123456789012345678901234567890"]
WORDS += ["true", "null"]
STRINGS = ['"NaN"', '"a\\"Infinity"', '"\\ud800"', '"\\u0000"', '""', '"\\\\"', '"-Infinity\\\\\\""']
KEYS = ['"a"', '"b"', '"NaN"', '"NaN "', '"constructor"', '"value"']
BAD = ["N", "NaN", "Infinity", "-", "- Infinity", "--Infinity", "+Infinity", "nan", "inf", '"', "\\"]
BAD += ["{", "}", "[", ",", ":"]
BAD += ["1", "\ufeff", "\t", "\x0b", "\x01", "01", "1.", ".5", "NaN:"]
random.seed(53)


def value(depth=0):
    r = random.random()
    if r < 0.5 or depth > 3:
        return random.choice(WORDS + STRINGS)
    if r < 0.75:
        start = "[" + random.choice(["", " ", "\n"])
        return start + ",".join(value(depth + 1) for _ in range(random.randrange(4))) + "]"
    pairs = (random.choice(KEYS) + ": " + value(depth + 1) for _ in range(random.randrange(4)))
    return "{" + ",".join(pairs) + "}"


def mangled(text):
    for _ in range(random.randrange(1, 3)):
        at = random.randrange(len(text) + 1)
        text = text[:at] + (random.choice(BAD) + text[at:] if random.random() < 0.5 else text[at + 1 :])
    return text


def read(text):
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return {"keys": list(found), "value": repr(float(found["value"]))} if isinstance(found, dict) else None


lines = []
for i in range(400):
    number = random.choice(WORDS[:8])
    text = '{"value": 7, "x": ' + value() + ', "value": ' + number + ', "y": ' + value() + "}"
    text = text if i % 2 else mangled(text)
    try:
        lines.append(json.dumps([text, read(text)]))
    except (TypeError, KeyError):
        continue
with open(sys.argv[1], "w") as f:
    f.write("[\n" + ",\n".join(lines) + "\n]\n")
