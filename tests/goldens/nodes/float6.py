"""Writes casts to and from float6e2m3 and float6e3m2: python float6.py OUT. ONNX has no node tests of these types.

The inputs are those of the files beside this program; every output is computed anew, by value tables and fractions, so
that each cast rounds once. Rounding is to the nearest, ties to even; what is too large becomes the largest number, and
NaN code 20, whatever `saturate` is. A NaN among the results stands for any.
"""

import argparse
import base64
import json
import os
from fractions import Fraction

import onnx

HERE = os.path.dirname(os.path.abspath(__file__))
SIX = ("float6e2m3", "float6e3m2")
# Bits of the exponent and of the mantissa, the bias, and the codes that are no numbers.
FLOATS = {
    "float6e2m3": (2, 3, 1, None),
    "float6e3m2": (3, 2, 3, None),
    "float4e2m1": (2, 1, 1, None),
    "float8e4m3fn": (4, 3, 7, "fn"),
    "float8e4m3fnuz": (4, 3, 8, "fnuz"),
    "float8e5m2": (5, 2, 15, "ieee"),
    "float8e5m2fnuz": (5, 2, 16, "fnuz"),
    "float16": (5, 10, 15, "ieee"),
    "bfloat16": (8, 7, 127, "ieee"),
    "float32": (8, 23, 127, "ieee"),
    "float64": (11, 52, 1023, "ieee"),
}
NAMES = {"float": "float32", "double": "float64"}
NAN, INFINITY = "nan", "infinity"


def bits_of(dtype):
    if dtype == "float8e8m0":
        return 8
    if dtype in FLOATS:
        return 1 + FLOATS[dtype][0] + FLOATS[dtype][1]
    return 8 if dtype == "bool" else int(dtype.lstrip("uint"))


def decode(dtype, code):
    """The sign and the size of a code: a fraction, NAN or INFINITY."""
    if dtype == "float8e8m0":
        return 1, NAN if code == 255 else Fraction(2) ** (code - 127)
    if dtype not in FLOATS:
        top = 1 << (bits_of(dtype) - 1)
        value = code - 2 * top if dtype.startswith("int") and code >= top else code
        return (-1 if value < 0 else 1), Fraction(abs(value))
    exponents, mantissas, bias, special = FLOATS[dtype]
    sign = -1 if code >> (exponents + mantissas) else 1
    exponent, mantissa = code >> mantissas & ((1 << exponents) - 1), code & ((1 << mantissas) - 1)
    if special == "ieee" and exponent == (1 << exponents) - 1:
        return sign, NAN if mantissa else INFINITY
    if special == "fn" and exponent == (1 << exponents) - 1 and mantissa == (1 << mantissas) - 1:
        return sign, NAN
    if special == "fnuz" and sign < 0 and exponent == mantissa == 0:
        return 1, NAN
    whole = mantissa + ((1 << mantissas) if exponent else 0)
    return sign, whole * Fraction(2) ** (max(exponent, 1) - bias - mantissas)


def to_float(dtype, sign, size):
    """The code of a number in a format of floats whose range holds it, or of 4 and 6 bits."""
    exponents, mantissas, _, special = FLOATS[dtype]
    top = 1 << (exponents + mantissas)
    if size == NAN:
        return top
    if size == 0 and special == "fnuz":
        return 0
    low, high = 0, top - 1
    if special is not None:
        high = top - (1 << mantissas) - 1 if special == "ieee" else top - (2 if special == "fn" else 1)
    if size == INFINITY or size >= decode(dtype, high)[1]:
        code = high
    else:
        while high - low > 1:  # low <= size < high
            middle = (low + high) // 2
            low, high = (middle, high) if decode(dtype, middle)[1] <= size else (low, middle)
        below, above = (size - decode(dtype, low)[1], decode(dtype, high)[1] - size)
        code = low if below < above or (below == above and low % 2 == 0) else high
    return code + (top if sign < 0 else 0)


def to_scale(sign, size, mode, saturates):
    """The code of a number in float8e8m0, which has neither signs nor zero."""
    if sign < 0 or size == 0:
        return 0 if saturates else 255
    low = max(code for code in range(255) if decode("float8e8m0", code)[1] <= size)
    low_size = decode("float8e8m0", low)[1]
    if size == low_size or mode == "down":
        return low
    return low + 1 if mode == "up" or size >= Fraction(3, 2) * low_size else low


def cast(source, target, code):
    sign, size = decode(source, code)
    if target == "bool":
        return int(size != 0)
    if target in FLOATS:
        return to_float(target, sign, size)
    return sign * (size.numerator // size.denominator) & ((1 << bits_of(target)) - 1)


def digits(dtype):
    return max(bits_of(dtype) + 3, 8) // 4 if bits_of(dtype) > 8 else 2


def codes_of(dtype, text):
    n = digits(dtype)
    return [int(text[i : i + n], 16) for i in range(0, len(text), n)]


def text_of(dtype, codes):
    return "".join(f"{code:0{digits(dtype)}x}" for code in codes)


def tables(old):
    """The tables of the casts of all codes, and of what lies around each number of the two types."""
    encode = {}
    for source, row in old["encode"].items():
        codes = codes_of(source, row["in"])
        targets = {target: [cast(source, target, code) for code in codes] for target in SIX if target != source}
        encode[source] = {"in": row["in"], **{target: text_of(target, made) for target, made in targets.items()}}
    back = {}
    for source in SIX:
        back[source] = {}
        for target, row in old["from"][source].items():
            if target == "float8e8m0":
                ways = [name.split() for name in row]
                scaled = {
                    f"{mode} {saturates}": [
                        to_scale(*decode(source, code), mode, saturates == "1") for code in range(64)
                    ]
                    for mode, saturates in ways
                }
                back[source][target] = {name: text_of(target, codes) for name, codes in scaled.items()}
            else:
                back[source][target] = text_of(target, [cast(source, target, code) for code in range(64)])
    decoded = {source: back[source]["float32"] for source in SIX}
    return {"about": old["about"], "decode": decoded, "encode": encode, "from": back}


def unpacked(data, bits, count):
    stream = int.from_bytes(data, "little")
    return [stream >> (bits * i) & ((1 << bits) - 1) for i in range(count)]


def packed(codes, bits):
    stream = sum(code << (bits * i) for i, code in enumerate(codes))
    return stream.to_bytes((len(codes) * bits + 7) // 8, "little")


def dtype_of(code):
    name = onnx.TensorProto.DataType.Name(code).lower()
    return NAMES.get(name, name)


def node_test(row):
    """A test of a node with the output that its model and its input have."""
    node = onnx.ModelProto.FromString(base64.b64decode(row["model"])).graph.node[0]
    given = onnx.TensorProto.FromString(base64.b64decode(row["inputs"][0]))
    to = next(attribute.i for attribute in node.attribute if attribute.name == "to")
    source, target = dtype_of(given.data_type), dtype_of(to)
    count = 1
    for extent in given.dims:
        count *= extent
    codes = unpacked(given.raw_data, bits_of(source), count)
    raw = packed([cast(source, target, code) for code in codes], bits_of(target))
    made = onnx.TensorProto(dims=given.dims, data_type=to, name=node.output[0], raw_data=raw)
    return {**row, "outputs": [base64.b64encode(made.SerializeToString()).decode()]}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("out")
    out = p.parse_args().out
    with open(os.path.join(HERE, "float6-tables.json")) as f:
        made = tables(json.load(f))
    with open(os.path.join(out, "float6-tables.json"), "w") as f:
        f.write(json.dumps(made, indent=1) + "\n")
    with open(os.path.join(HERE, "float6.json")) as f:
        rows = [node_test(row) for row in json.load(f)]
    with open(os.path.join(out, "float6.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]\n")
    print(len(rows), "casts of float6")


if __name__ == "__main__":
    main()
