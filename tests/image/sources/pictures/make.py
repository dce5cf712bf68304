"""Makes the pictures of this folder, and pixels.json: the size and the SHA-256 of what Pillow decodes each of them to,
as RGBA, once as the file stores it and once upright (ImageOps.exif_transpose).

Run `pip install -r requirements.txt` in an environment outside of the repository, then `python make.py`. The same
versions write the same bytes again.
"""

import hashlib
import json
import random
import struct
from pathlib import Path

from PIL import Image, ImageChops, ImageCms, ImageDraw, ImageOps, PngImagePlugin

HERE = Path(__file__).parent
PHOTO = HERE.parents[2] / "demo" / "photo.jpg"
RANDOM = random.Random(22)

# The tag of EXIF that holds the orientation, 1 to 8.
ORIENTATION = 0x0112


def scene(width, height):
    """A piece of the photograph, and on it saturated colours with sharp edges, where chroma is upsampled."""
    image = Image.open(PHOTO).convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
    draw = ImageDraw.Draw(image)
    draw.ellipse((width * 0.1, height * 0.1, width * 0.5, height * 0.6), fill=(255, 0, 0))
    draw.rectangle((width * 0.4, height * 0.4, width * 0.8, height * 0.7), fill=(0, 0, 255))
    for x in range(0, width, 3):
        draw.line((x, height * 0.8, x + 10, height), fill=(0, 255, 0) if x % 2 else (255, 0, 255))
    return image


def noise(size):
    return Image.frombytes("L", size, RANDOM.randbytes(size[0] * size[1]))


def with_alpha(image, alpha):
    image = image.convert("RGBA")
    image.putalpha(alpha)
    return image


def soft_edged(size):
    """Opaque in the middle, transparent in the corners."""
    return ImageChops.invert(Image.radial_gradient("L").resize(size)).point(lambda value: min(255, 2 * value))


def cmyk(image):
    """Inks with black in them: Pillow's own conversion leaves black at 0."""
    cyan, magenta, yellow, _ = image.convert("CMYK").split()
    black = image.convert("L").point(lambda value: (255 - value) // 2)
    return Image.merge("CMYK", [cyan, magenta, yellow, black])


def exif(orientation):
    tags = Image.Exif()
    tags[ORIENTATION] = orientation
    return tags.tobytes()


def swapped_profile():
    """A colour profile that exchanges red and blue: nobody who converts colours by it overlooks that."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    # The time when the profile was made.
    profile[24:36] = struct.pack(">6H", 2026, 1, 1, 0, 0, 0)
    # Its ID is a hash of the rest; zeros stand for none.
    profile[84:100] = bytes(16)
    red, blue = profile.find(b"rXYZ", 128), profile.find(b"bXYZ", 128)
    profile[red : red + 4], profile[blue : blue + 4] = b"bXYZ", b"rXYZ"
    return bytes(profile)


def gamma_chunk():
    chunks = PngImagePlugin.PngInfo()
    chunks.add(b"gAMA", struct.pack(">I", 100000))
    return chunks


def pictures():
    """Each picture: its file, the image, and how to save it."""
    odd, small, even = scene(151, 101), scene(67, 45), scene(120, 80)
    alpha = Image.frombytes("L", even.size, RANDOM.randbytes(120 * 80))
    under = Image.merge("RGB", [noise(even.size) for _ in range(3)])
    yield "jpeg-444.jpg", odd, {"quality": 90, "subsampling": "4:4:4"}
    yield "jpeg-422.jpg", odd, {"quality": 85, "subsampling": "4:2:2"}
    yield "jpeg-420.jpg", odd, {"quality": 75, "subsampling": "4:2:0"}
    yield "jpeg-progressive.jpg", even, {"quality": 80, "progressive": True}
    yield "jpeg-grey.jpg", odd.convert("L"), {"quality": 80}
    yield "jpeg-orientation-6.jpg", small, {"quality": 85, "exif": exif(6)}
    yield "jpeg-profile.jpg", small, {"quality": 85, "icc_profile": swapped_profile()}
    yield "jpeg-cmyk.jpg", cmyk(small), {"quality": 85}
    yield "webp-lossy.webp", odd, {"quality": 80}
    yield "webp-alpha.webp", with_alpha(even, soft_edged(even.size)), {"quality": 75, "exact": True}
    yield "webp-orientation-8.webp", small, {"quality": 80, "exif": exif(8)}
    yield "png-alpha.png", with_alpha(odd, soft_edged(odd.size)), {}
    yield "png-translucent.png", with_alpha(under, alpha), {}
    yield "png-orientation-5.png", small, {"exif": exif(5)}
    yield "png-gamma.png", with_alpha(small, noise(small.size)), {"pnginfo": gamma_chunk()}
    yield "png-profile.png", small, {"icc_profile": swapped_profile()}


def digest(image):
    return hashlib.sha256(image.convert("RGBA").tobytes()).hexdigest()


def resized(image):
    """By the bicubic filter, which is Pillow's default."""
    return image.convert("RGBA").resize((48, 40))


def main():
    rows = []
    for name, image, settings in pictures():
        image.save(HERE / name, **settings)
        stored = Image.open(HERE / name)
        upright = ImageOps.exif_transpose(stored)
        rows.append(
            {
                "file": name,
                "opaque": stored.convert("RGBA").getextrema()[3] == (255, 255),
                "stored": {"width": stored.width, "height": stored.height, "sha256": digest(stored)},
                "upright": {"width": upright.width, "height": upright.height, "sha256": digest(upright)},
                "resized": {"stored": digest(resized(stored)), "upright": digest(resized(upright))},
            }
        )
    (HERE / "pixels.json").write_text(json.dumps(rows, indent=2) + "\n")


main()
