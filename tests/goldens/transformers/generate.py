"""Python's inputs and results of tiny models, which pipelines of transformers.js are compared with.

    generate.py OUT PHOTO

OUT gets results.json and models.json.gz, the models' files by their paths.
"""

import base64
import gzip
import hashlib
import json
import os
import sys
import tempfile
import warnings
from types import SimpleNamespace

import numpy as np
import onnxruntime
import torch
import transformers
from PIL import Image
from transformers.image_utils import load_image

from models import LETTERS, SPECIAL, SPEECH, TOKENS, WORDS, Models, write_json, write_tokenizer

warnings.filterwarnings('ignore')
transformers.logging.set_verbosity_error()
torch.set_num_threads(1)

OUT, PHOTO = sys.argv[1:3]
configs = json.load(open(os.path.join(os.path.dirname(__file__), 'configs.json')))
root = tempfile.mkdtemp()
picture = load_image(PHOTO)
size = (picture.height, picture.width)
results = {}


def digest(array):
    """Of a tensor of pixels or features: its bytes have to be equal."""
    array = np.ascontiguousarray(array)
    return {'dims': list(array.shape), 'sha256': hashlib.sha256(array.tobytes()).hexdigest()}


def number(value):
    return float(f'{float(value):.7g}')


def processor(name):
    config = dict(configs[name])
    kind = config.pop('image_processor_type').removesuffix('Fast')
    settings = {k: v for k, v in config.items() if k not in ('feature_extractor_type', 'processor_class')}
    return getattr(transformers, kind)(**settings)


def session(name, part='model'):
    return onnxruntime.InferenceSession(f'{root}/{name}/onnx/{part}.onnx', providers=['CPUExecutionProvider'])


def greedy(name, pixels, start, words, count):
    """The words of the tokens that are likeliest one after another, until the end of a text."""
    encoder, decoder = session(name, 'encoder_model'), session(name, 'decoder_model_merged')
    states = encoder.run(['last_hidden_state'], {encoder.get_inputs()[0].name: pixels})[0]
    none = {
        value.name: np.zeros((1, 2, 0, 8), 'f4')
        for value in decoder.get_inputs()
        if value.name.startswith('past_key_values')
    }
    token, text = start, []
    for _ in range(count):
        feeds = {'input_ids': np.array([[token]], 'i8'), 'encoder_hidden_states': states, **none}
        logits = decoder.run(['logits'], {**feeds, 'use_cache_branch': np.array([False])})[0]
        token = int(logits[0, -1].argmax())
        if token == SPECIAL.index('</s>'):
            break
        text.append(words[token])
    return ' '.join(text)


def likeliest(logits, names):
    """Names with their probabilities, the likeliest first."""
    scores = torch.softmax(logits, -1)
    return [[names[i], number(scores[i])] for i in scores.argsort(descending=True, stable=True)]


def run(name, of=None, **extra):
    """The class's processor, its pixels, and the model's outputs."""
    class_, model = processor(of or name), session(name)
    inputs = class_(picture, return_tensors='np')
    feeds = {}
    for value in model.get_inputs():
        if value.name == 'pixel_mask':
            feeds[value.name] = (
                np.ones((1, 64, 64), 'i8') if value.shape[1] == 64 else inputs['pixel_mask'].astype('i8')
            )
        else:
            feeds[value.name] = extra[value.name] if value.name in extra else inputs[value.name]
    outputs = dict(zip([o.name for o in model.get_outputs()], map(torch.from_numpy, model.run(None, feeds))))
    return class_, digest(inputs['pixel_values']), SimpleNamespace(**outputs)


def tokens(*texts):
    rows = [[WORDS.index(word) if word in WORDS else 0 for word in text.split()] for text in texts]
    longest = max(map(len, rows))
    return np.array([row + [1] * (longest - len(row)) for row in rows], 'i8')


def classify():
    for name in ('vit', 'convnext', 'levit'):
        _, pixels, outputs = run(name)
        top = torch.softmax(outputs.logits[0], -1).topk(3)
        answer = [[f'class {int(i)}', number(v)] for v, i in zip(top.values, top.indices)]
        results[name] = {'task': 'image-classification', 'pixels': pixels, 'result': answer}
    _, pixels, outputs = run(
        'clip',
        input_ids=tokens('This is a photo of cat', 'This is a photo of dog', 'This is a photo of lake mountain'),
    )
    results['clip'] = {
        'task': 'zero-shot-image-classification',
        'pixels': pixels,
        'result': likeliest(outputs.logits_per_image[0], ['cat', 'dog', 'lake mountain']),
    }
    _, pixels, outputs = run('dinov2')
    features = outputs.last_hidden_state.double()
    results['dinov2'] = {
        'task': 'image-feature-extraction',
        'pixels': pixels,
        'result': [number(features.mean()), number(features[0, 0, 0])],
    }
    pixels = processor('trocr')(picture, return_tensors='np')['pixel_values']
    results['trocr'] = {
        'task': 'image-to-text',
        'pixels': digest(pixels),
        'result': greedy('trocr', pixels, SPECIAL.index('<s>'), TOKENS, 8),
    }


def boxes_of(found, names):
    order = found['scores'].argsort(descending=True, stable=True)
    return [
        [names(int(found['labels'][i])), number(found['scores'][i]), [int(v) for v in found['boxes'][i]]]
        for i in order
    ]


def detect():
    for name in ('detr', 'rt_detr', 'yolos'):
        class_, pixels, outputs = run(name)
        found = class_.post_process_object_detection(outputs, threshold=0.9, target_sizes=[size])[0]
        answer = boxes_of(found, lambda label: f'thing {label}')
        results[name] = {'task': 'object-detection', 'pixels': pixels, 'count': len(answer), 'result': answer[:20]}
    texts = ['cat', 'dog', 'lake mountain']
    for name in ('owlvit', 'owlv2'):
        class_, pixels, outputs = run(name, input_ids=tokens(*texts))
        found = class_.post_process_object_detection(outputs, threshold=0.9, target_sizes=[size])[0]
        answer = boxes_of(found, lambda label: texts[label])
        results[name] = {
            'task': 'zero-shot-object-detection',
            # OWLv2's pixels are within 2e-5 of Python's.
            **({} if name == 'owlv2' else {'pixels': pixels}),
            'count': len(answer),
            'result': answer[:20],
        }


def segment():
    class_, pixels, outputs = run('segformer')
    labels = class_.post_process_semantic_segmentation(outputs, target_sizes=[size])[0]
    counts = [[f'stuff {i}', None, int((labels == i).sum())] for i in range(8)]
    results['segformer'] = {
        'task': 'image-segmentation',
        'pixels': pixels,
        'result': [row for row in counts if row[2]],
    }
    for name, of in (('detr-panoptic', 'detr'), ('maskformer', 'maskformer')):
        class_, pixels, outputs = run(name, of)
        found = class_.post_process_panoptic_segmentation(outputs, threshold=0.3, target_sizes=[size])[0]
        answer = [
            [f"thing {s['label_id']}", number(s['score']), int((found['segmentation'] == s['id']).sum())]
            for s in found['segments_info']
        ]
        results[name] = {'task': 'image-segmentation', 'pixels': pixels, 'result': answer}


def mattes():
    """ViT's steps on the files of classes that Python lacks; sizes are cut to multiples of `size_divisibility`."""
    for name in ('modnet', 'rmbg'):
        config = dict(configs[name])
        config.pop('feature_extractor_type')
        short, multiple = config['size'].get('shortest_edge'), config.pop('size_divisibility', None)
        if multiple:
            height, width = (int(side * short / min(size)) // multiple * multiple for side in size)
            config['size'] = {'height': height, 'width': width}
        pixels = transformers.ViTImageProcessor(**config)(picture, return_tensors='np')['pixel_values']
        mask = torch.from_numpy(session(name).run(None, {'input': pixels})[0])[0]
        mask = torch.sigmoid(mask) if bool((mask < 0).any() or (mask > 1).any()) else mask
        levels = (mask * 255)[0].numpy().astype('u1')
        resized = np.asarray(Image.fromarray(levels).resize(picture.size, Image.BILINEAR))
        results[name] = {
            'task': 'background-removal',
            'pixels': digest(pixels),
            'result': [int(resized.sum(dtype='i8'))],
        }


def maps():
    class_, pixels, outputs = run('depth', 'depth_anything')
    depth = class_.post_process_depth_estimation(outputs, [size])[0]['predicted_depth'].numpy()
    levels = ((depth - depth.min()) / (depth.max() - depth.min()) * 255).astype('u1')
    answer = [list(depth.shape), number(depth.astype('f8').mean()), int(levels.sum(dtype='i8'))]
    results['depth'] = {'task': 'depth-estimation', 'pixels': pixels, 'result': answer}
    _, pixels, outputs = run('swin2sr')
    levels = (outputs.reconstruction.squeeze().clamp(0, 1).numpy() * 255).round().astype('u1')
    results['swin2sr'] = {
        'task': 'image-to-image',
        'pixels': pixels,
        'result': [list(levels.shape), int(levels.sum(dtype='i8'))],
    }


def wave(rate, seconds):
    """A tone of whole numbers, which JavaScript computes too."""
    i = np.arange(int(rate * seconds), dtype='i8')
    return (((i * i // 7 + i * 31) % 2001 - 1000) / 2048).astype('f4')


def listen():
    def extractor(name):
        return getattr(transformers, configs[name]['feature_extractor_type'])(
            **{k: v for k, v in configs[name].items() if k not in ('feature_extractor_type', 'processor_class')}
        )

    samples = wave(16000, 2)
    values = extractor('wav2vec2')(samples, sampling_rate=16000, return_tensors='np')['input_values']
    logits = session('wav2vec2').run(None, {'input_values': values, 'attention_mask': np.ones(values.shape, 'i8')})[
        0
    ]
    # The tokenizer has no decoder, so that nothing collapses.
    text = ''.join(LETTERS[t] for t in logits[0].argmax(-1) if t >= len(SPECIAL)).replace('|', '')
    results['wav2vec2'] = {'task': 'automatic-speech-recognition', 'pixels': digest(values), 'result': text}

    samples = wave(16000, 5)
    values = extractor('ast')(samples, sampling_rate=16000, return_tensors='np')['input_values']
    top = torch.softmax(torch.from_numpy(session('ast').run(None, {'input_values': values})[0])[0], -1).topk(3)
    answer = [[f'class {int(i)}', number(v)] for v, i in zip(top.values, top.indices)]
    results['ast'] = {'task': 'audio-classification', 'result': answer, 'tolerance': 1e-4}

    features = extractor('clap')(wave(48000, 2), sampling_rate=48000, return_tensors='np')['input_features']
    ids = tokens('This is a sound of cat .', 'This is a sound of sound .')
    logits = session('clap').run(None, {'input_ids': ids, 'input_features': features})[0]
    results['clap'] = {
        'task': 'zero-shot-audio-classification',
        'pixels': digest(features),
        'result': likeliest(torch.from_numpy(logits[0]), ['cat', 'sound']),
    }
    padded = np.pad(wave(16000, 2), (0, 448000))
    features = extractor('whisper')._np_extract_fbank_features(padded[None], 'cpu')
    results['whisper'] = {
        'task': 'automatic-speech-recognition',
        'pixels': digest(features),
        'result': greedy('whisper', features, SPEECH.index('<|notimestamps|>'), SPEECH, 8).replace(' ', ''),
    }


def prompts():
    """Processors of chat models: the ids of a prompt with one and with two pictures, and their pixels."""
    places = [f'<row_{r}_col_{c}>' for r in range(1, 7) for c in range(1, 7)]
    cases = {
        'qwen2_vl': (
            ['<|vision_start|>', '<|image_pad|>', '<|vision_end|>', '<|video_pad|>'],
            {},
            {},
            '<|vision_start|><|image_pad|><|vision_end|>',
        ),
        'smolvlm': (
            ['<image>', '<fake_token_around_image>', '<global-img>', '<end_of_utterance>', *places],
            {},
            {'image_seq_len': 64, 'processor_class': 'Idefics3Processor'},
            '<image>',
        ),
        'gemma3': (
            ['<start_of_image>', '<image_soft_token>', '<end_of_image>'],
            {'boi_token': '<start_of_image>', 'image_token': '<image_soft_token>', 'eoi_token': '<end_of_image>'},
            {'image_seq_length': 256, 'processor_class': 'Gemma3Processor'},
            '<start_of_image>',
        ),
        'pixtral': (
            ['[IMG]', '[IMG_BREAK]', '[IMG_END]'],
            {},
            {
                'patch_size': 16,
                'spatial_merge_size': 1,
                'image_token': '[IMG]',
                'image_break_token': '[IMG_BREAK]',
                'image_end_token': '[IMG_END]',
                'processor_class': 'PixtralProcessor',
            },
            '[IMG]',
        ),
    }
    make = {
        'qwen2_vl': lambda p, t: transformers.Qwen2VLProcessor(p, t, transformers.Qwen2VLVideoProcessor()),
        'smolvlm': lambda p, t: transformers.Idefics3Processor(p, t, image_seq_len=64),
        'gemma3': lambda p, t: transformers.Gemma3Processor(p, t, image_seq_length=256),
        'pixtral': lambda p, t: transformers.PixtralProcessor(p, t, patch_size=16, spatial_merge_size=1),
    }
    half = picture.resize((picture.width // 2, picture.height // 2))
    for name, (special, extra, file, place) in cases.items():
        folder = f'{root}/{name}'
        write_json(folder, 'config.json', {'model_type': 'x'})
        write_json(folder, 'preprocessor_config.json', configs[name])
        if file:
            write_json(folder, 'processor_config.json', file)
        if name in ('gemma3',):
            open(f'{folder}/chat_template.jinja', 'w').write('')
        write_tokenizer(folder, SPECIAL + special + 'what is in this picture ? user :'.split(), special, **extra)
        names = {'unk_token': '<unk>', 'pad_token': '<pad>', 'eos_token': '</s>', 'bos_token': '<s>', **extra}
        tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=f'{folder}/tokenizer.json', **names)
        both = make[name](processor(name), tokenizer)
        for count in (1,) if name == 'pixtral' else (1, 2):
            text = 'user : ' + place * count + ' what is in this picture ?'
            outputs = both(text=[text], images=[picture, half][:count], return_tensors='np')
            ids = digest(np.asarray(outputs['input_ids'], 'i8'))
            pixels = np.asarray(outputs['pixel_values'], 'f4')
            results[f'{name} {count}'] = {'prompt': text, 'ids': ids, 'pixels': digest(pixels)}


def fractions(*dims):
    """Numbers from 0 to 1 that JavaScript computes too."""
    i = np.arange(int(np.prod(dims)), dtype='i8')
    return (((i * 7919 + i * i % 10007 * 31) % 4096) / 4096).astype('f4').reshape(dims)


def points():
    sam = transformers.SamProcessor(processor('sam'))
    prompt = {
        'input_points': [[[[320.0, 240.0], [100.0, 50.0]]]],
        'input_labels': [[[1, 0]]],
        'input_boxes': [[[10.0, 20.0, 300.0, 400.0]]],
    }
    inputs = sam(picture, **prompt, return_tensors='pt')
    masks = torch.from_numpy(fractions(1, 1, 3, 256, 256) - np.float32(0.5))
    found = sam.post_process_masks(masks, inputs['original_sizes'], inputs['reshaped_input_sizes'])[0]
    results['sam'] = {
        **{
            name: inputs[name].to(torch.float64).flatten().tolist()
            for name in ('input_points', 'input_labels', 'input_boxes')
        },
        'pixels': digest(inputs['pixel_values'].numpy()),
        'masks': digest(found.numpy().astype('u1')),
    }
    pose = processor('vitpose')
    boxes = [[[100.0, 50.0, 400.0, 900.0], [700.0, 100.0, 300.0, 500.0]]]
    whole = [[[0.0, 0.0, float(picture.width), float(picture.height)]]]
    heatmaps = torch.from_numpy(fractions(2, 17, 64, 48))
    people = pose.post_process_pose_estimation(SimpleNamespace(heatmaps=heatmaps), boxes=boxes, threshold=0.5)[0]
    results['vitpose'] = {
        'boxes': boxes,
        'pixels': digest(pose(picture, boxes=whole, return_tensors='np')['pixel_values']),
        'people': [{name: value.to(torch.float64).tolist() for name, value in person.items()} for person in people],
    }
    half = picture.resize((picture.width // 2, picture.height // 2))
    settings = {k: v for k, v in configs['lfm3_vl'].items() if k != 'image_processor_type'}
    pair = transformers.Qwen2VLImageProcessor(**settings)([picture, half], return_tensors='np')
    results['lfm3_vl'] = {'pixels': digest(pair['pixel_values']), 'grid': pair['image_grid_thw'].tolist()}
    frames = [picture.crop((40 * i, 20 * i, 40 * i + 320, 20 * i + 240)) for i in range(4)]
    video = transformers.EmbeddingGemma2VideoProcessor(patch_size=8)
    known = {'total_num_frames': 4, 'fps': 2.0, 'duration': 2.0}
    clip = torch.from_numpy(np.stack([np.asarray(frame) for frame in frames])).permute(0, 3, 1, 2)
    outputs = video([clip], video_metadata=[known], return_tensors='pt')
    results['video'] = {
        'pixels': digest(outputs['pixel_values_videos'].numpy()),
        'ids': digest(outputs['video_position_ids'].numpy()),
        'counts': [list(map(int, outputs[f'num_{name}_per_video'])) for name in ('frames', 'soft_tokens')],
    }
    results['lfm2_vl'] = {'pixels': digest(processor('lfm2_vl')(picture, return_tensors='np')['pixel_values'])}


def ground():
    class_ = transformers.GroundingDinoProcessor
    folder = f'{root}/grounding_dino'
    write_json(folder, 'config.json', {'model_type': 'grounding-dino'})
    write_json(
        folder,
        'preprocessor_config.json',
        {**configs['grounding_dino'], 'processor_class': 'GroundingDinoProcessor'},
    )
    write_tokenizer(folder, WORDS + ['.'])
    names = {'unk_token': '<unk>', 'pad_token': '<pad>', 'eos_token': '</s>', 'bos_token': '<s>'}
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=f'{folder}/tokenizer.json', **names)
    both = class_(processor('grounding_dino'), tokenizer)
    ids = tokens('cat . dog . lake mountain .'.replace('.', 'a'))
    outputs = SimpleNamespace(
        logits=torch.from_numpy(fractions(1, 20, 8) * 8 - 6), pred_boxes=torch.from_numpy(fractions(1, 20, 4))
    )
    found = both.post_process_grounded_object_detection(
        outputs, torch.from_numpy(ids), threshold=0.8, text_threshold=0.6, target_sizes=[size]
    )[0]
    results['grounding_dino'] = {
        'ids': ids.tolist(),
        'pixels': digest(processor('grounding_dino')(picture, return_tensors='np')['pixel_values']),
        'scores': [number(v) for v in found['scores']],
        'boxes': [[number(v) for v in box] for box in found['boxes']],
        'labels': list(found['text_labels']),
    }


Models(root, configs).all()
for part in (classify, detect, segment, mattes, maps, listen, prompts, points, ground):
    part()
os.makedirs(OUT, exist_ok=True)
with open(f'{OUT}/results.json', 'w') as file:
    file.write(json.dumps(results, indent=1) + '\n')
files = {}
for folder, _, names in os.walk(root):
    for name in names:
        path = os.path.join(folder, name)
        files[os.path.relpath(path, root)] = base64.b64encode(open(path, 'rb').read()).decode()
with gzip.GzipFile(f'{OUT}/models.json.gz', 'wb', 9, mtime=0) as file:
    file.write(json.dumps(dict(sorted(files.items()))).encode())
