"""Heads of YOLO, asked of Ultralytics for a case {options, outputs}. It runs as a black box."""

import torch
from ultralytics.utils import nms, ops

SUPPRESSION = ["classes", "agnostic", "multi_label", "max_det"]


def ask(case, tensors):
    options, task = case["options"], case["options"].get("task", "detect")
    count = len(tensors["output0"])
    return [answer(options, task, {name: tensor[i] for name, tensor in tensors.items()}) for i in range(count)]


def answer(options, task, tensors):
    if task == "classify":
        best = tensors["output0"].topk(min(5, len(tensors["output0"])))
        return {"labels": best.indices, "scores": best.values}
    size, points = tuple(options["size"]), options.get("kpt_shape", [17, 3])
    original = tuple(options.get("orig", size))
    rows = nms.non_max_suppression(
        tensors["output0"][None].clone(),
        options.get("conf", 0.25),
        options.get("iou", 0.45),
        nc=options.get("nc", 0),
        rotated=task == "obb",
        end2end=options.get("end2end", False),
        max_time_img=100,
        **{name: options[name] for name in SUPPRESSION if name in options},
    )[0]
    scored = {"scores": rows[:, 4], "labels": rows[:, 5].long()}
    if task == "obb":
        boxes = ops.regularize_rboxes(torch.cat([rows[:, :4], rows[:, -1:]], 1))
        boxes[:, :4] = ops.scale_boxes(size, boxes[:, :4].clone(), original, xywh=True)
        return {"rboxes": boxes, **scored}
    made = {"boxes": ops.scale_boxes(size, rows[:, :4].clone(), original), **scored}
    if task == "pose":
        made["keypoints"] = ops.scale_coords(size, rows[:, 6:].reshape(len(rows), *points).clone(), original)
    if task == "segment":
        upsample = options.get("upsample", True)
        made["masks"] = ops.process_mask(tensors["output1"], rows[:, 6:], rows[:, :4].clone(), size, upsample).bool()
    return made
