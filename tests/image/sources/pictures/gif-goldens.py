"""Writes gif-goldens.json: small GIFs of one frame or several, with Pillow's pixels as hashes. Needs requirements.txt.

The files are made by hand, because encoders write few of the format's corners: palettes of the file, of the frame, of
neither, of grays; transparent entries, also beyond the palette; frames that are smaller than the picture, or reach out
of it; interlacing.
"""

import base64
import hashlib
import io
import json
import pathlib
import random
import struct
import sys

from PIL import Image

HERE = pathlib.Path(__file__).parent
r = random.Random(52)


def lzw(indices, bits):
    clear = 1 << bits
    out, held, count, width = bytearray(), 0, 0, bits + 1
    table, after = {(i,): i for i in range(clear)}, clear + 2

    def put(code):
        nonlocal held, count
        held |= code << count
        count += width
        while count >= 8:
            out.append(held & 255)
            held >>= 8
            count -= 8

    put(clear)
    current = ()
    for index in indices:
        longer = (*current, index)
        if longer in table:
            current = longer
            continue
        put(table[current])
        table[longer] = after
        after += 1
        if after - 1 == 1 << width and width < 12:
            width += 1
        current = (index,)
    put(table[current])
    put(clear + 1)
    if count:
        out.append(held & 255)
    return bytes(out)


def blocks(data):
    size = r.choice([255, 17])
    pieces = [data[i : i + size] for i in range(0, len(data), size)]
    return b"".join(bytes([len(piece)]) + piece for piece in pieces) + b"\0"


def palette(bits):
    if r.random() < 0.15:
        return bytes(i for i in range(1 << bits) for _ in range(3))
    return bytes(r.randrange(256) for _ in range(3 << bits))


def frame(width, height, global_bits):
    local = r.randrange(1, 5) if r.random() < 0.4 or (global_bits is None and r.random() < 0.7) else None
    bits = local or global_bits or 3
    out = b""
    if r.random() < 0.7:
        index = r.randrange(1 << bits) if r.random() < 0.9 else r.randrange(256)
        out += b"!\xf9\x04" + bytes([r.randrange(4) << 2 | (r.random() < 0.7), 1, 0, index, 0])
    left, top, right, bottom = 0, 0, width, height
    if r.random() < 0.5:
        left, top = r.randrange(width), r.randrange(height)
        right, bottom = r.randrange(left + 1, width + 3), r.randrange(top + 1, height + 3)
    area = (right - left) * (bottom - top)
    flags = (0x80 | local - 1 if local else 0) | (0x40 if r.random() < 0.3 else 0)
    out += b"," + struct.pack("<HHHHB", left, top, right - left, bottom - top, flags)
    out += palette(local) if local else b""
    code_bits = max(2, bits)
    entries = 1 << (code_bits if r.random() < 0.1 else bits)
    return out + bytes([code_bits]) + blocks(lzw([r.randrange(entries) for _ in range(area)], code_bits))


def gif():
    width, height = r.randrange(1, 10), r.randrange(1, 8)
    bits = r.randrange(1, 5) if r.random() < 0.8 else None
    out = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80 | bits - 1 if bits else 0, r.randrange(3), 0)
    out += palette(bits) if bits else b""
    out += b"!\xfe\x03two\0" if r.random() < 0.3 else b""
    return out + b"".join(frame(width, height, bits) for _ in range(r.choice([1, 1, 2]))) + b";"


def case():
    data = gif()
    image = Image.open(io.BytesIO(data))
    image.load()
    row = {"data": base64.b64encode(data).decode(), "size": image.size}
    for mode in ["RGB", "RGBA"]:
        try:
            row[mode] = hashlib.sha256(image.convert(mode).tobytes()).hexdigest()[:16]
        except ValueError:
            # Pillow does not make every transparent gray translucent.
            row[mode] = None
    return row


count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
rows = ",\n".join(json.dumps(case()) for _ in range(count))
(HERE / "gif-goldens.json").write_text(f"[\n{rows}\n]\n")
