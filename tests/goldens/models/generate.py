"""Usage: python generate.py [OUT]. Runs RapidOCR's and Silero's real models on a picture and on recordings, and writes
the models' outputs and the packages' answers."""

import gzip
import json
import os
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFont

here = os.path.dirname(os.path.abspath(__file__))
out = sys.argv[1] if len(sys.argv) > 1 else here

# The text, the left top corner, the height in pixels and the turn in degrees.
LINES = [
    ("Outputs to answers", 40, 30, 44, 0),
    ("boxes, masks and text", 44, 110, 30, 0),
    ("12,480 x 64 = 798,720", 420, 130, 26, 0),
    ("A line that leans", 60, 200, 34, -8),
    ("small print at the foot of the page", 40, 420, 18, 0),
    ("ONNX 2026", 470, 300, 48, 6),
]


def picture():
    image = Image.new("RGB", (720, 480), (246, 243, 235))
    for text, x, y, size, turn in LINES:
        font = ImageFont.load_default(size)
        left, top, right, bottom = font.getbbox(text)
        line = Image.new("RGBA", (right + 8, bottom + 8), (0, 0, 0, 0))
        ImageDraw.Draw(line).text((4, 4), text, font=font, fill=(32, 36, 48, 255))
        turned = line.rotate(turn, expand=True, resample=Image.Resampling.BICUBIC)
        image.paste(turned, (x, y), turned)
    # Few colors make a small file, and any are as good as others.
    return image.quantize(16, dither=Image.Dither.NONE).convert("RGB")


def save(name, data):
    with open(os.path.join(out, name), "wb") as file:
        file.write(gzip.compress(data, 9, mtime=0))


def ocr():
    from rapidocr import RapidOCR

    image = picture()
    image.quantize(16, dither=Image.Dither.NONE).save(os.path.join(out, "text.png"), optimize=True)
    engine = RapidOCR(params={"Global.log_level": "error"})
    pixels = np.array(image)[:, :, ::-1]
    detector, recognizer = engine._load_det_model(), engine._load_rec_model()
    detect, recognize = detector.session, recognizer.session
    maps, steps = [], []

    def detected(x):
        # 256 levels, so that the map is small.
        levels = np.round(detect(x) * 255)
        maps.append(levels.astype(np.uint8))
        return (levels / 255).astype(np.float32)

    def recognized(x):
        probs = recognize(x)
        steps.append({
            "dims": list(probs.shape),
            "indices": probs.argmax(2).tolist(),
            "values": [[float(f"{p:.6f}") for p in line] for line in probs.max(2).tolist()],
        })
        return probs

    detector.session = detected
    recognizer.session = recognized
    boxes, crops = None, None
    found = detector(pixels)
    boxes, scores = np.array(found.boxes, np.float32), found.scores
    answer = engine(pixels)
    save("text-map.gz", maps[0].tobytes())
    characters = recognize.get_character_list()
    used = sorted({index for step in steps for line in step["indices"] for index in line})
    return {
        "map": list(maps[0].shape),
        "boxes": boxes.tolist(),
        "scores": [float(score) for score in scores],
        "steps": steps,
        # RapidOCR puts the blank in front and a space behind.
        "characters": {index: ["", *characters, " "][index] for index in used},
        "texts": list(answer.txts),
        "text_scores": [float(score) for score in answer.scores],
    }


def vad():
    import silero_vad
    import torch
    from silero_vad import get_speech_timestamps
    from silero_vad.utils_vad import OnnxWrapper

    model = OnnxWrapper(os.path.join(os.path.dirname(silero_vad.__file__), "data", "silero_vad.onnx"))
    cases = []
    for name in ["speech", "speech_b", "long", "tone"]:
        samples = np.load(os.path.join(here, "..", "audio", "inputs", f"{name}.npy"))
        if samples.dtype == np.int16:
            samples = (samples / np.float32(32768)).astype(np.float32)
        audio = torch.from_numpy(samples)
        model.reset_states()
        padded = torch.nn.functional.pad(audio, (0, -len(audio) % 512))
        probabilities = [float(model(chunk, 16000)) for chunk in padded.split(512)]
        options = {"threshold": 0.3, "min_speech_duration_ms": 100}
        cases.append({
            "input": name,
            "samples": len(samples),
            "probabilities": probabilities,
            "segments": get_speech_timestamps(audio, model),
            "options": options,
            "loose": get_speech_timestamps(audio, model, **options),
        })
    return cases


def write(name, value):
    with open(os.path.join(out, name), "w") as file:
        json.dump(value, file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")


write("ocr.json", ocr())
write("vad.json", vad())
