"""Text detection and recognition, asked of RapidOCR for a case {method, options, outputs}."""

import numpy as np
from rapidocr.ch_ppocr_det.main import TextDetector
from rapidocr.ch_ppocr_det.utils import DBPostProcess
from rapidocr.ch_ppocr_rec.utils import CTCLabelDecode
from rapidocr.utils.process_img import get_rotate_crop_image


def detection(tensors, options):
    given = {"thresh": 0.3, "box_thresh": 0.5, "unclip_ratio": 1.6, "use_dilation": True, **options}
    size = given.pop("size")
    found, scores = DBPostProcess(max_candidates=1000, score_mode="fast", **given)(tensors["prob"], tuple(size))
    boxes = np.array(found, np.float32).reshape(-1, 4, 2)
    ordered = TextDetector.sorted_boxes(boxes) if len(boxes) else boxes
    return {"boxes": boxes, "scores": np.array(scores, np.float32), "sorted": np.array(ordered, np.float32)}


def characters(count):
    """ASCII from '!', then CJK; RapidOCR puts the blank in front and a space behind."""
    return [chr(0x21 + i if i < 94 else 0x4E00 + i) for i in range(count - 2)]


def decode(tensors, options):
    lines, _ = CTCLabelDecode(character=characters(options["characters"]))(tensors["probs"])
    return [{"text": text, "score": float(score)} for text, score in lines]


def crop(tensors, options):
    return np.ascontiguousarray(get_rotate_crop_image(tensors["image"], np.array(options["box"], np.float32)))


CALLS = {"textDetection": detection, "ctcDecode": decode, "cropTextBox": crop}


def ask(case, tensors):
    return CALLS[case["method"]]({name: tensor.numpy() for name, tensor in tensors.items()}, case["options"])
