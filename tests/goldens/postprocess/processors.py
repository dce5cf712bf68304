"""The methods of transformers' classes, asked for a case {class, method, config, outputs, options}."""

import types

import numpy as np
import torch
import transformers


def characters(count):
    """The list of characters that a case names by a count: a blank, 94 of ASCII from '!', then CJK from U+4E5E on."""
    return ["blank"] + [chr(0x21 + i) if i < 94 else chr(0x4E00 + i) for i in range(count - 1)]


def tuples(sizes):
    return [tuple(size) for size in sizes]


def pictures(case, t, o):
    """Outputs by place instead of by name, and other calls of their own."""
    method = case["method"]
    processor = getattr(transformers, case["class"])(**case["config"])
    if method == "post_process_masks":
        return processor.post_process_masks(t["masks"], **o)
    if method == "generate_crop_boxes":
        picture = torch.zeros(3, *o.pop("size"), dtype=torch.uint8)
        boxes, points, _, labels = processor.generate_crop_boxes(picture, **o)
        return {"crop_boxes": boxes, "points_per_crop": points, "input_labels": labels}
    if method == "filter_masks":
        masks, scores, boxes = processor.filter_masks(t["masks"], t["iou_scores"], **o)
        return {"masks": masks, "scores": scores, "boxes": boxes}
    if method == "post_process_for_mask_generation":
        masks, scores, runs, boxes = processor.post_process_for_mask_generation(
            o["rle_masks"], t["scores"], t["boxes"], o["crops_nms_thresh"]
        )
        return {"masks": masks, "scores": scores, "rle_masks": runs, "boxes": boxes}
    if method == "post_process_document_rectification":
        return processor.post_process_document_rectification(t["last_hidden_state"], t["original_images"])
    processor.character_list = characters(o.pop("character_list")["count"])
    return processor.post_process_text_recognition(types.SimpleNamespace(**t))


BY_PLACE = (
    "post_process_masks",
    "generate_crop_boxes",
    "filter_masks",
    "post_process_for_mask_generation",
    "post_process_document_rectification",
    "post_process_text_recognition",
)


def whole_processor(case, t, o):
    """A processor with a tokenizer: its image processor and its tokenizer are stood in for."""
    name = case["class"]
    if name == "TvpProcessor":
        return list(transformers.TvpProcessor.post_process_video_grounding(None, t["logits"], **o))
    self = types.SimpleNamespace(batch_decode=lambda ids: [[int(i) for i in row] for row in ids])
    if name.startswith("Owl"):
        self.image_processor = getattr(transformers, name.replace("Processor", "ImageProcessor"))()
    if "target_sizes" in o:
        o["target_sizes"] = tuples(o["target_sizes"])
    results = getattr(getattr(transformers, name), case["method"])(self, types.SimpleNamespace(**t), **o)
    keys = ("scores", "boxes", "text_labels") + (("labels",) if name != "GroundingDinoProcessor" else ())
    return [{key: value for key, value in result.items() if key in keys} for result in results]


def instance(case):
    name = case["class"]
    if name == "OneFormerImageProcessor":
        processor = transformers.OneFormerImageProcessor()
        processor.class_info_file = case["config"].get("class_info_file")
        processor.metadata = case["config"].get("metadata")
        return processor
    return getattr(transformers, name)(**case["config"])


def adapt(case, t, o):
    """Options in the types that Python's method wants."""
    name = case["class"]
    for key in ("target_sizes", "source_sizes"):
        if key not in o or name[:3] in ("Sup", "Lig", "Eff"):
            continue
        if name == "PPOCRV5ServerDetImageProcessor":
            o[key] = [torch.tensor(size) for size in o[key]]
        elif name[:3] == "Owl" and "guided" in case["method"]:
            o[key] = torch.tensor(o[key])
        else:
            o[key] = tuples(o[key])
    if "label_ids_to_fuse" in o:
        o["label_ids_to_fuse"] = set(o["label_ids_to_fuse"])
    if "flipped" in t:
        o["outputs_flipped"] = types.SimpleNamespace(predicted_depth=t.pop("flipped"))
    if "flipped_heatmaps" in t:
        o["outputs_flipped"] = types.SimpleNamespace(heatmaps=t.pop("flipped_heatmaps"))
    if "backgrounds" in t:
        o["backgrounds"] = t.pop("backgrounds")
    if name == "VitPoseImageProcessor":
        o["boxes"] = [np.array(boxes) for boxes in o["boxes"]]
    if "patch_offsets" in t:
        t["patch_offsets"] = [tuple(offsets) for offsets in t["patch_offsets"].tolist()]
    for key in ("patch_offsets", "presence_logits", "field_of_view", "scales"):
        t.setdefault(key, None)


def ask(case, t):
    o = dict(case["options"])
    name, method = case["class"], case["method"]
    if not name.endswith(("ImageProcessor", "VideoProcessor")):
        return whole_processor(case, t, o)
    if method in BY_PLACE:
        return pictures(case, t, o)
    adapt(case, t, o)
    answer = getattr(instance(case), method)(types.SimpleNamespace(**t), **o)
    if name == "PPDocLayoutV3ImageProcessor":
        # Whole numbers where no corner of a polygon was moved: all are float32 here.
        for picture in answer:
            picture["polygon_points"] = [np.asarray(points, np.float32) for points in picture["polygon_points"]]
    return answer
