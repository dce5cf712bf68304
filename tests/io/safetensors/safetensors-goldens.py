"""Writes safetensors-goldens.json: odd headers, and what the format's own library makes of each.

    python3 -m venv build/safetensors
    build/safetensors/bin/pip install -c tests/goldens/constraints.txt safetensors numpy
    build/safetensors/bin/python tests/io/safetensors/safetensors-goldens.py
    npx prettier --write tests/io/safetensors/safetensors-goldens.json
"""

import json
import os
import pathlib
import struct
import tempfile

import safetensors
from safetensors import deserialize, safe_open

assert safetensors.__version__ == "0.8.0", safetensors.__version__

ONE = '{"dtype":"U8","shape":[1],"data_offsets":[0,1]}'


def record(shape="[1]", offsets="[0,1]", dtype='"U8"', more=""):
    return f'{{"dtype":{dtype},"shape":{shape},"data_offsets":{offsets}{more}}}'


def x(value):
    return f'{{"x":{value}}}'


HEADERS = [
    # Names that are repeated.
    (f'{{"x":{ONE},"x":{ONE}}}', 1),
    (f'{{"x":{ONE},"\\u0078":{ONE}}}', 1),
    (f'{{"x":{record(dtype=chr(34) + "I8" + chr(34))},"x":{ONE}}}', 1),
    (f'{{"x":{ONE},"x":{record(dtype=chr(34) + "I8" + chr(34))}}}', 1),
    (f'{{"x":{ONE},"x":{record(offsets="[1,2]")}}}', 2),
    (f'{{"x":{record(offsets="[5,6]")},"x":{ONE}}}', 1),
    (f'{{"x":{ONE},"y":{record(offsets="[1,2]")},"x":{ONE}}}', 2),
    (f'{{"x":1,"x":{ONE}}}', 1),
    (f'{{"x":{ONE},"x":{{}}}}', 1),
    (f'{{"__metadata__":{{"a":"b"}},"__metadata__":{{"a":"b"}},"x":{ONE}}}', 1),
    (f'{{"__metadata__":null,"__metadata__":{{"a":"b"}},"x":{ONE}}}', 1),
    (f'{{"__metadata__":{{"a":"b","a":"c"}},"x":{ONE}}}', 1),
    (x(record(more=',"shape":[1]')), 1),
    (x(record(more=',"dtype":"U8"')), 1),
    (x(record(more=',"data_offsets":[0,1]')), 1),
    (x(record(more=',"sh\\u0061pe":[1]')), 1),
    (x(record(more=',"other":1,"other":2')), 1),
    # Numbers that are spelled otherwise.
    *[(x(record(offsets=o)), 1) for o in ["[0.0,1]", "[-0,1]", "[-0.0,1]", "[0,1.0]", "[0,1e0]"]],
    *[(x(record(offsets=o)), 1) for o in ["[0,10e-1]", "[0,1E0]", '["0",1]', "[null,1]", "[0,true]"]],
    *[(x(record(offsets=o)), 1) for o in ["[0,1,2]", "[0]", "[]", "null", "[[0,1]]"]],
    *[(x(record(offsets=o)), 1) for o in ["[00,1]", "[0,01]", "[0,+1]", "[0,18446744073709551616]", "[-1,0]"]],
    (x(record(offsets=" [ 0 , 1 ] ", shape="\n[\t1 ]\r")), 1),
    *[(x(record(shape=s)), 1) for s in ["[1.0]", "[1e0]", '["1"]', "1", "null", "{}", "[[1]]", "[]", "[1,1,1]"]],
    *[(x(record(shape=s, offsets="[0,0]")), 0) for s in ["[0]", "[-0]", "[0.0]", "[-0.0]", "[0,-0]", "[-1,0]"]],
    # Text.
    *[(f'{{"{name}":{ONE}}}', 1) for name in ["\\ud800", "\\udc00", "\\ud83d\\ude00", "\\ude00\\ud83d", "a\\ud83dz"]],
    *[(f'{{"{name}":{ONE}}}', 1) for name in ["", "a\\u0000", "a\x7f", "__proto__", "1"]],
    *[(f'{{"{name}":{ONE}}}', 1) for name in ["\\\\ud800", '\\"', "}{", "\\\\"]],
    (f'{{"__metadata__":{{"\\ud800":"b"}},"x":{ONE}}}', 1),
    (f'{{"__metadata__":{{"a":"\\udfff"}},"x":{ONE}}}', 1),
    (f'{{"__metadata__":{{"a":"\\ud83d\\ude00"}},"x":{ONE}}}', 1),
    (f'{{"a\x01":{ONE}}}', 1),
    # What else a record holds.
    *[(x(record(more=f',"z":{z}')), 1) for z in ["1.5", "null", '"}"', '["]", {"shape": [2]}]']],
    (x(record(more=',"z":{"a":{"b":"\\\\\\""}}')), 1),
    ('{"x":{"shape":[1],"data_offsets":[0,1],"dtype":"U8"}}', 1),
    ('{"x":{"shape":[1],"dtype":"U8"}}', 1),
    (x("null"), 1),
    (x("[]"), 1),
    # What surrounds it.
    *[(f"{before}{x(ONE)}{after}", 1) for before, after in [(" ", ""), ("\n", " \t\r\n"), ("\ufeff", ""), ("", "\0")]],
    (f"{x(ONE)}x", 1),
    (f"{x(ONE)[:-1]},}}", 1),
    *[(header, 0) for header in ["{}", " { } ", "[]", "null", "", '"x"', "{", "{x:1}", "{'x':1}"]],
    *[(f'{{"__metadata__":{m},"x":{ONE}}}', 1) for m in ["null", "{}", "[]", "1", '{"a":1}', '{"a":null}', '{"a":{}}']],
    # Tensors without elements, and the order of the file.
    *[
        (f'{{"a":{ONE},"z":{record(shape="[0]", offsets=f"[{at},{at}]")}}}', 1)
        for at in [0, 1, 2]
    ],
    (f'{{"z":{record(shape="[0]", offsets="[0,0]")},"a":{ONE},"y":{record(shape="[0,3]", offsets="[0,0]")}}}', 1),
    (f'{{"a":{record(shape="[2]", offsets="[0,2]")},"z":{record(shape="[0]", offsets="[1,1]")}}}', 2),
    (f'{{"b":{record(offsets="[1,2]")},"a":{ONE}}}', 2),
    (f'{{"a":{ONE},"z":{record(shape="[0]", offsets="[1,0]")}}}', 1),
    (f'{{"a":{ONE},"z":{record(shape="[0]", offsets="[0,1]")}}}', 1),
]


def verdict(header, length):
    """The tensors and the metadata, or None where the library refuses the file."""
    text = header.encode()
    data = bytes(range(1, length + 1))
    file = struct.pack("<Q", len(text)) + text + data
    path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
    with open(path, "wb") as out:
        out.write(file)
    try:
        tensors = {
            name: [tensor["dtype"], tensor["shape"], list(tensor["data"])]
            for name, tensor in deserialize(file)
        }
        with safe_open(path, "numpy") as opened:
            assert sorted(opened.keys()) == sorted(tensors)
            metadata = opened.metadata()
    except Exception as error:
        assert type(error).__name__ == "SafetensorError", repr(error)
        return None
    return {"tensors": dict(sorted(tensors.items())), "metadata": metadata or {}}


rows = [{"header": header, "length": length, "read": verdict(header, length)} for header, length in HEADERS]
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(rows))
