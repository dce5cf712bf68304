"""Times what Python makes of a model's outputs: transformers, Ultralytics and RapidOCR, on one thread."""

import numpy as np
import torch
import transformers
import ultralytics
from rapidocr.ch_ppocr_det.utils import DBPostProcess
from ultralytics.utils import nms

from serve import serve

torch.set_num_threads(1)


def segmenter(data, request):
    processor = transformers.SegformerImageProcessor()
    logits = type("Outputs", (), {"logits": torch.from_numpy(data)})
    return lambda: processor.post_process_semantic_segmentation(logits, target_sizes=[tuple(request["size"])])[0]


def masks(data, request):
    processor = transformers.SamImageProcessor()
    sizes = [request["size"]], [request["cut"]]
    return lambda: processor.post_process_masks([torch.from_numpy(data[0])], *sizes)[0]


def boxes(data, request):
    head = torch.from_numpy(data)
    return lambda: nms.non_max_suppression(head.clone(), request["conf"], request["iou"], max_time_img=100)[0]


def text(data, request):
    process = DBPostProcess(thresh=0.3, box_thresh=0.5, max_candidates=1000, unclip_ratio=1.6, use_dilation=True)
    return lambda: process(data, data.shape[2:])[0]


KINDS = {
    "segmenter": ("torch", segmenter),
    "masks": ("torch", masks),
    "boxes": ("Ultralytics", boxes),
    "text": ("RapidOCR", text),
}


def prepare(request):
    data = np.fromfile(request["files"][0], np.float32).reshape(request["dims"])
    name, make = KINDS[request["kind"]]
    run = make(data, request)
    return {name: run}, len(run())


serve({one.__name__: one.__version__ for one in (np, torch, transformers, ultralytics)}, prepare)
