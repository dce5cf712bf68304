"""Writes scores.json: scores of texts by RapidOCR and transformers, and scenes of videos by transformers.

pip install -c ../constraints.txt -r requirements.txt, then: python scores.py.
`scores_of` is the rule of ../../postprocess/scores.test.js, too.
"""

import json
import types
from pathlib import Path

import numpy as np
import torch
import transformers
from rapidocr.ch_ppocr_rec.utils import CTCLabelDecode


def scores_of(steps, seed):
    """Scores from 0.7 to 1, of which none repeats soon."""
    return np.array([0.7 + 0.3 * ((i * 7919 + seed * 104729) % 9973) / 9973 for i in range(steps)], np.float32)


def probabilities(scores):
    """[1, steps, 4]: the text is abab..., so that no step is a repeat or a blank."""
    probs = np.zeros((1, len(scores), 4), np.float32)
    for step, score in enumerate(scores):
        probs[0, step, 1 + step % 2] = score
    return probs


def text_case(steps, seed):
    probs = probabilities(scores_of(steps, seed))
    rapid = CTCLabelDecode(character=["a", "b"])
    [[_, rounded]], _ = rapid(probs)
    processor = transformers.PPOCRV5ServerRecImageProcessor(character_list=["blank", "a", "b", " "])
    outputs = types.SimpleNamespace(last_hidden_state=torch.from_numpy(probs))
    [exact] = processor.post_process_text_recognition(outputs)
    return {"steps": steps, "seed": seed, "rounded": rounded, "exact": exact["score"]}


def scene_case(logits, duration):
    post_process = transformers.TvpProcessor.post_process_video_grounding
    return {"logits": logits, "duration": duration, "scene": list(post_process(None, torch.tensor([logits]), duration))}


texts = [text_case(steps, seed) for steps in (*range(1, 41), 63, 64, 127, 128, 129, 257, 600) for seed in range(1, 7)]
scenes = [
    scene_case(logits, duration)
    for logits in ([0.5, 0.75], [0.25, 0.125], [0.1, 0.9])
    for duration in (0.3, 0.5, 0.7, 1.0, 1.3, 12.2, 31.4, 60.0)
]
path = Path(__file__).with_name("scores.json")
lines = ",\n".join(json.dumps(case) for case in texts), ",\n".join(json.dumps(case) for case in scenes)
path.write_text('{"texts": [\n%s\n],\n"scenes": [\n%s\n]}\n' % lines)
