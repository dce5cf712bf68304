"""Text detection and recognition, asked of RapidOCR for a case {method, options, outputs}."""

from types import SimpleNamespace

import numpy as np
from rapidocr import RapidOCR
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


class Models:
    """Models in the engine's place: what they are given, and the detector's boxes."""

    def __init__(self, engine, boxes):
        self.inputs = {"det": [], "cls": [], "rec": []}
        detector, classifier, reader = engine._load_det_model(), engine._load_cls_model(), engine._load_rec_model()
        detector.session = self.model("det", lambda x: None)
        detector.postprocess_op = lambda preds, size: (np.array(boxes, np.float32), [1.0] * len(boxes))
        classifier.session = self.model("cls", lambda x: np.tile(np.float32([1, 0]), (len(x), 1)))
        reader.session = self.model("rec", lambda x: np.zeros((len(x), 1, 3), np.float32))

    def model(self, name, answer):
        def run(x):
            self.inputs[name].append(x)
            return answer(x)

        return run


def pages(tensors, options):
    """All that RapidOCR makes of a picture on its way through its three models."""
    engine = RapidOCR(params={"Global.log_level": "critical", **options["params"]})
    models, seen = Models(engine, options["boxes"]), SimpleNamespace()
    crop = engine.crop_text_regions

    def crop_text_regions(page, boxes):
        seen.page, seen.crops = page, crop(page, boxes)
        return seen.crops

    engine.crop_text_regions = crop_text_regions
    image = np.ascontiguousarray(tensors["image"][:, :, ::-1])
    boxes = engine(image, use_cls=False, use_rec=False).boxes
    models.inputs["det"].clear()
    engine(image, use_cls=True, use_rec=True)
    rgb = lambda picture: np.ascontiguousarray(picture[:, :, ::-1])
    return {"page": rgb(seen.page), "boxes": boxes, "crops": [rgb(one) for one in seen.crops], **models.inputs}


CALLS = {"textPage": pages, "textDetection": detection, "ctcDecode": decode, "cropTextBox": crop}


def ask(case, tensors):
    return CALLS[case["method"]]({name: tensor.numpy() for name, tensor in tensors.items()}, case["options"])
