"""Makes npz-goldens.json: archives that NumPy writes, and what they hold.

python tests/io/npz/npz-goldens.py, with NumPy.
"""

import base64
import io
import json
import pathlib
import zipfile

import numpy as np

rng = np.random.default_rng(52)
arrays = {
    "float32": rng.normal(size=(2, 3)).astype("f4"),
    "fortran": np.asfortranarray(np.arange(12, dtype="i8").reshape(3, 4)),
    "big_endian": np.arange(3, dtype=">i4"),
    "float16": np.array([0.5, -2], "f2"),
    "bool": np.array([True, False, True]),
    "complex64": np.array([1 + 2j], "c8"),
    "scalar": np.float64(2.5),
    "empty": np.zeros((0, 3), "u1"),
    "strings": np.array(["\u00e4", "bc"]),
    "zeros": np.zeros(40_000, "i2"),
    "folder/\u00fc \u4e2d": np.array([7], "u2"),
}


class Pipe(io.RawIOBase):
    """A file that cannot seek: zipfile then writes CRCs and sizes behind the members."""

    def __init__(self):
        self.bytes = b""

    def writable(self):
        return True

    def write(self, data):
        self.bytes += bytes(data)
        return len(data)


def archive(save, arrays):
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


def piped(save, arrays):
    file = Pipe()
    save(file, **arrays)
    return file.bytes


def with_long_numbers(arrays):
    """As archives of more than 4 GiB are: numbers of 64 bits in the directory and at the end."""
    zipfile.ZIP64_LIMIT, limit = 1, zipfile.ZIP64_LIMIT
    zipfile.ZIP_FILECOUNT_LIMIT, count = 1, zipfile.ZIP_FILECOUNT_LIMIT
    try:
        return archive(np.savez, arrays)
    finally:
        zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = limit, count


def numbers(array):
    if array.dtype.kind == "c":
        array = array.view("f4")
    return [int(x) if array.dtype.kind in "iub" else x.item() for x in array.reshape(-1)]


archives = {
    "savez": archive(np.savez, {k: v for k, v in arrays.items() if k != "zeros"}),
    "savez_compressed": archive(np.savez_compressed, arrays),
    "a stream": piped(np.savez_compressed, arrays),
    "long numbers": with_long_numbers({k: arrays[k] for k in ("float32", "big_endian")}),
    "short": archive(np.savez_compressed, {"float32": arrays["float32"]}),
    "nothing": archive(np.savez, {}),
}
def member(name, data, method=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as zipped:
        zipped.writestr(zipfile.ZipInfo(name), data, method)
    return file.getvalue()


refused = {
    "text": member("x.npy", "no array"),
    "Python objects": archive(np.savez, {"x": np.array([{}])}),
    "LZMA": member("x.npy", b"x" * 100, zipfile.ZIP_LZMA),
    "a structured array": archive(np.savez, {"x": np.zeros(1, [("a", "f4")])}),
}
types = {"f2": "float16", "f4": "float32", "f8": "float64", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8",
         "u2": "uint16", "b1": "bool", "c8": "complex64"}
goldens = {
    "arrays": {
        name: {
            "type": "string" if np.asarray(array).dtype.kind == "U" else types[np.asarray(array).dtype.str[1:]],
            "dims": list(np.shape(array)),
            "values": [0] if name == "zeros" else numbers(np.asarray(array)),
        }
        for name, array in arrays.items()
    },
    "archives": {
        name: {"names": list(np.load(io.BytesIO(file)).files), "file": base64.b64encode(file).decode()}
        for name, file in archives.items()
    },
    "refused": {name: base64.b64encode(file).decode() for name, file in refused.items()},
}
path = pathlib.Path(__file__).with_name("npz-goldens.json")
path.write_text(json.dumps(goldens, ensure_ascii=False, indent=1) + "\n")
