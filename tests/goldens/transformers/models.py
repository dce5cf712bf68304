"""Tiny models of the tasks of transformers.js: random weights, and the inputs and outputs that its classes expect."""

import json
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
SPECIAL = ['<unk>', '<pad>', '<s>', '</s>']
WORDS = SPECIAL + 'a photo of This is cat dog lake mountain sound'.split()
TOKENS = [*WORDS, *(f'w{i}' for i in range(20))]
SPEECH = [*SPECIAL, '<|startoftranscript|>', *(f'w{i}' for i in range(26)), '<|notimestamps|>']
LETTERS = SPECIAL + ['|'] + list('abcdefghijklmnopqrstuvwxyz')
PIXELS = ('pixel_values', FLOAT, ['b', 3, 'h', 'w'])


class Graph:
    """A graph that is written node by node. Weights are rounded to 1 / 64, so that they compress."""

    def __init__(self, rng):
        self.rng, self.nodes, self.weights = rng, [], []

    def constant(self, array):
        array = np.asarray(array)
        name = f'c{len(self.weights)}'
        self.weights.append(numpy_helper.from_array(array.astype('f4') if array.dtype == 'f8' else array, name))
        return name

    def random(self, *shape, scale=1.0):
        return self.constant((np.round(self.rng.standard_normal(shape) * scale * 64) / 64).astype('f4'))

    def op(self, name, *inputs, out=None, **attributes):
        out = out or f't{len(self.nodes)}'
        self.nodes.append(helper.make_node(name, list(inputs), [out], **attributes))
        return out

    def convolve(self, x, shape, stride, scale=None):
        """A convolution and tanh; `shape`: outputs, inputs, sides."""
        scale = scale or 2 / np.sqrt(np.prod(shape[1:]))
        return self.op(
            'Tanh', self.op('Conv', x, self.random(*shape, scale=scale), strides=[stride] * (len(shape) - 2))
        )

    def pooled(self, x):
        return self.op('Flatten', self.op('GlobalAveragePool', x))

    def words(self, width):
        """The mean of the tokens' rows of a table."""
        rows = self.op('Gather', self.random(len(WORDS), width), 'input_ids')
        return self.op('ReduceMean', rows, axes=[1], keepdims=0)

    def rows(self, x, width, out):
        """[b, width, y, x] to [b, y * x, width]."""
        flat = self.op('Reshape', x, self.constant(np.array([0, width, -1], 'i8')))
        return self.op('Transpose', flat, perm=[0, 2, 1], out=out)

    def save(self, path, inputs, outputs):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        infos = [[helper.make_tensor_value_info(*value) for value in values] for values in (inputs, outputs)]
        graph = helper.make_graph(self.nodes, 'g', *infos, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=9)
        onnx.checker.check_model(model)
        onnx.save(model, path)


def write_tokenizer(folder, words, special=(), **extra):
    ids = {word: i for i, word in enumerate(words)}
    added = [w for w in words if w in SPECIAL or w in special]
    flags = {'single_word': False, 'lstrip': False, 'rstrip': False, 'normalized': False, 'special': True}
    tokenizer = {
        'version': '1.0',
        'truncation': None,
        'padding': None,
        'added_tokens': [{'id': ids[w], 'content': w, **flags} for w in added],
        'normalizer': None,
        'pre_tokenizer': {'type': 'Whitespace'},
        'post_processor': None,
        'decoder': None,
        'model': {'type': 'WordLevel', 'vocab': ids, 'unk_token': '<unk>'},
    }
    names = {'unk_token': '<unk>', 'pad_token': '<pad>', 'eos_token': '</s>', 'bos_token': '<s>'}
    config = {'tokenizer_class': 'PreTrainedTokenizerFast', **names, 'model_max_length': 77, **extra}
    write_json(folder, 'tokenizer.json', tokenizer)
    write_json(folder, 'tokenizer_config.json', config)


def write_json(folder, name, value):
    os.makedirs(folder, exist_ok=True)
    with open(f'{folder}/{name}', 'w') as file:
        json.dump(value, file)


class Models:
    def __init__(self, root, configs):
        self.root, self.configs, self.rng = root, configs, np.random.default_rng(7)

    def folder(self, name, config, processor=None, labels=None):
        folder = f'{self.root}/{name}'
        named = {'id2label': {str(i): f'{labels} {i}' for i in range(10)}} if labels else {}
        write_json(folder, 'config.json', {**config, **named})
        write_json(folder, 'preprocessor_config.json', self.configs[processor or name])
        return folder

    def classifier(self, name, model_type, architecture):
        folder = self.folder(name, {'model_type': model_type, 'architectures': [architecture]}, labels='class')
        g = Graph(self.rng)
        y = g.convolve(g.convolve('pixel_values', (16, 3, 8, 8), 8), (32, 16, 2, 2), 2)
        g.op('MatMul', g.pooled(y), g.random(32, 10, scale=3), out='logits')
        g.save(f'{folder}/onnx/model.onnx', [PIXELS], [('logits', FLOAT, ['b', 10])])

    def detector(self, name, model_type, architecture, mask=False):
        """A query a patch of 32 x 32."""
        folder = self.folder(name, {'model_type': model_type, 'architectures': [architecture]}, labels='thing')
        g = Graph(self.rng)
        y = g.convolve('pixel_values', (16, 3, 32, 32), 32)
        g.rows(g.op('Conv', y, g.random(7, 16, 1, 1, scale=4)), 7, 'logits')
        g.rows(g.op('Sigmoid', g.op('Conv', y, g.random(4, 16, 1, 1))), 4, 'pred_boxes')
        inputs = [PIXELS] + ([('pixel_mask', INT, ['b', 64, 64])] if mask else [])
        g.save(
            f'{folder}/onnx/model.onnx',
            inputs,
            [('logits', FLOAT, ['b', 'q', 7]), ('pred_boxes', FLOAT, ['b', 'q', 4])],
        )

    def segmenter(self, name, processor, model_type, architecture, names):
        """Queries whose masks are mixtures of maps; `names`: of classes and masks."""
        folder = self.folder(name, {'model_type': model_type, 'architectures': [architecture]}, processor, 'thing')
        g = Graph(self.rng)
        y = g.convolve('pixel_values', (16, 3, 32, 32), 32)
        row = g.op('Unsqueeze', g.pooled(y), g.constant(np.array([1], 'i8')))
        g.op('Einsum', row, g.random(12, 16, 7, scale=6), equation='bxc,qck->bqk', out=names[0])
        g.op('Conv', y, g.random(12, 16, 1, 1, scale=2), out=names[1])
        sides = ['b', 64, 64] if model_type == 'detr' else ['b', 'y', 'x']
        outputs = [(names[0], FLOAT, ['b', 'q', 7]), (names[1], FLOAT, ['b', 'q', 'y', 'x'])]
        if model_type == 'detr':
            g.op(
                'Sigmoid',
                g.op('Slice', names[0], *(g.constant(np.array([n], 'i8')) for n in (0, 4, 2))),
                out='pred_boxes',
            )
            outputs.append(('pred_boxes', FLOAT, ['b', 'q', 4]))
        g.save(f'{folder}/onnx/model.onnx', [PIXELS, ('pixel_mask', INT, sides)], outputs)

    def maps(self, name, processor, config, side, out, inputs=PIXELS, labels=None, count=1, end=None):
        """A map, or some, of patches."""
        folder = self.folder(name, config, processor, labels)
        g = Graph(self.rng)
        y = g.convolve(inputs[0], (8, 3, side, side), side)
        y = g.op('Conv', y, g.random(count, 8, 1, 1, scale=4))
        end(g, y, out) if end else g.op('Identity', y, out=out)
        named = {'predicted_depth': ['b', 'y', 'x'], 'last_hidden_state': ['b', 'n', count]}
        dims = named.get(out, ['b', count, 'y', 'x'])
        g.save(f'{folder}/onnx/model.onnx', [inputs], [(out, FLOAT, dims)])

    def zero_shot(self, name, model_type, architecture):
        folder = self.folder(name, {'model_type': model_type, 'architectures': [architecture]})
        write_tokenizer(folder, WORDS)
        g = Graph(self.rng)
        if model_type == 'clip':
            y = g.pooled(g.convolve('pixel_values', (16, 3, 16, 16), 16))
            scores = g.op('MatMul', y, g.op('Transpose', g.words(16), perm=[1, 0]))
            g.op('Mul', scores, g.constant(np.float32(20)), out='logits_per_image')
            outputs = [('logits_per_image', FLOAT, ['b', 't'])]
        else:
            y = g.convolve('pixel_values', (16, 3, 64, 64), 64)
            g.rows(g.op('Sigmoid', g.op('Conv', y, g.random(4, 16, 1, 1))), 4, 'pred_boxes')
            words = g.op('Transpose', g.op('Mul', g.words(16), g.constant(np.float32(2))), perm=[1, 0])
            g.op('MatMul', g.rows(y, 16, 'queries'), words, out='logits')
            outputs = [('logits', FLOAT, ['b', 'q', 't']), ('pred_boxes', FLOAT, ['b', 'q', 4])]
        g.save(f'{folder}/onnx/model.onnx', [('input_ids', INT, ['t', 'n']), PIXELS], outputs)

    def sounds(self):
        folder = self.folder('wav2vec2', {'model_type': 'wav2vec2', 'architectures': ['Wav2Vec2ForCTC']})
        write_json(
            folder, 'preprocessor_config.json', {**self.configs['wav2vec2'], 'processor_class': 'Wav2Vec2Processor'}
        )
        write_tokenizer(folder, LETTERS)
        g = Graph(self.rng)
        x = g.op('Unsqueeze', 'input_values', g.constant(np.array([1], 'i8')))
        y = g.op('Conv', g.convolve(x, (16, 1, 400), 320), g.random(len(LETTERS), 16, 1, scale=2))
        g.op('Transpose', y, perm=[0, 2, 1], out='logits')
        inputs = [('input_values', FLOAT, ['b', 'n']), ('attention_mask', INT, ['b', 'n'])]
        g.save(f'{folder}/onnx/model.onnx', inputs, [('logits', FLOAT, ['b', 't', len(LETTERS)])])

        architecture = {
            'model_type': 'audio-spectrogram-transformer',
            'architectures': ['ASTForAudioClassification'],
        }
        folder = self.folder('ast', architecture, labels='class')
        g = Graph(self.rng)
        x = g.op('Unsqueeze', 'input_values', g.constant(np.array([1], 'i8')))
        g.op('MatMul', g.pooled(g.convolve(x, (16, 1, 16, 16), 16)), g.random(16, 10, scale=3), out='logits')
        g.save(
            f'{folder}/onnx/model.onnx', [('input_values', FLOAT, ['b', 1024, 128])], [('logits', FLOAT, ['b', 10])]
        )

        folder = self.folder('clap', {'model_type': 'clap', 'architectures': ['ClapModel']})
        write_tokenizer(folder, WORDS)
        g = Graph(self.rng)
        y = g.pooled(g.convolve('input_features', (16, 1, 16, 16), 16))
        scores = g.op('MatMul', y, g.op('Transpose', g.words(16), perm=[1, 0]))
        g.op('Mul', scores, g.constant(np.float32(10)), out='logits_per_audio')
        inputs = [('input_ids', INT, ['t', 'n']), ('input_features', FLOAT, ['b', 1, 'f', 64])]
        g.save(f'{folder}/onnx/model.onnx', inputs, [('logits_per_audio', FLOAT, ['b', 't'])])

    def text_decoder(self, folder, count):
        """The next token depends on the encoder's mean and the token before; the caches are there for their form."""
        g = Graph(self.rng)
        mean = g.op('ReduceMean', 'encoder_hidden_states', axes=[1], keepdims=1)
        row = g.op('Gather', g.random(count, 16), 'input_ids')
        mixed = g.op('MatMul', mean, g.random(16, 16, scale=8))
        g.op('MatMul', g.op('Tanh', g.op('Add', mixed, row)), g.random(16, count), out='logits')
        inputs = [('input_ids', INT, ['b', 's']), ('encoder_hidden_states', FLOAT, ['b', 'n', 16])]
        outputs = [('logits', FLOAT, ['b', 's', count])]
        heads = lambda x: g.op(
            'Transpose', g.op('Reshape', x, g.constant(np.array([0, -1, 2, 8], 'i8'))), perm=[0, 2, 1, 3]
        )
        for name, states in (('decoder', row), ('encoder', 'encoder_hidden_states')):
            for kind in ('key', 'value'):
                before, after = f'past_key_values.0.{name}.{kind}', f'present.0.{name}.{kind}'
                if name == 'decoder':
                    g.op('Concat', before, heads(states), axis=2, out=after)
                else:
                    g.op('Identity', heads(states), out=after)
                inputs.append((before, FLOAT, ['b', 2, f'past {name}', 8]))
                outputs.append((after, FLOAT, ['b', 2, f'{name}s', 8]))
        inputs.append(('use_cache_branch', BOOL, [1]))
        g.save(f'{folder}/onnx/decoder_model_merged.onnx', inputs, outputs)

    def writers(self):
        """Encoders and decoders of texts."""
        ends = {'eos_token_id': 3, 'pad_token_id': 1}
        decoder = {'model_type': 'trocr', 'decoder_layers': 1, 'decoder_attention_heads': 2, 'd_model': 16}
        config = {
            'model_type': 'vision-encoder-decoder',
            'architectures': ['VisionEncoderDecoderModel'],
            'is_encoder_decoder': True,
            'decoder_start_token_id': 2,
            **ends,
            'encoder': {'model_type': 'vit', 'hidden_size': 16},
            'decoder': {**decoder, 'hidden_size': 16, 'vocab_size': len(TOKENS), 'is_encoder_decoder': False},
        }
        folder = self.folder('trocr', config)
        write_json(folder, 'generation_config.json', {'decoder_start_token_id': 2, **ends, 'max_length': 12})
        write_tokenizer(folder, TOKENS)
        g = Graph(self.rng)
        g.rows(g.convolve('pixel_values', (16, 3, 16, 16), 16), 16, 'last_hidden_state')
        g.save(f'{folder}/onnx/encoder_model.onnx', [PIXELS], [('last_hidden_state', FLOAT, ['b', 'n', 16])])
        self.text_decoder(folder, len(TOKENS))

        starts = {'decoder_start_token_id': 4, **ends}
        layers = {f'{name}_layers': 1 for name in ('encoder', 'decoder')}
        heads = {f'{name}_attention_heads': 2 for name in ('encoder', 'decoder')}
        config = {
            'model_type': 'whisper',
            'architectures': ['WhisperForConditionalGeneration'],
            'is_encoder_decoder': True,
            **layers,
            **heads,
            **starts,
            'bos_token_id': 2,
            'd_model': 16,
            'vocab_size': len(SPEECH),
            'max_source_positions': 1500,
            'max_target_positions': 448,
            'num_mel_bins': 80,
        }
        folder = self.folder('whisper', config)
        never = {'suppress_tokens': [], 'begin_suppress_tokens': []}
        generation = {**starts, 'max_length': 16, 'is_multilingual': False, 'no_timestamps_token_id': len(SPEECH) - 1}
        write_json(folder, 'generation_config.json', {**generation, **never})
        write_tokenizer(folder, SPEECH, [SPEECH[4], SPEECH[-1]], tokenizer_class='WhisperTokenizer')
        g = Graph(self.rng)
        y = g.convolve('input_features', (16, 80, 2), 2, scale=0.2)
        g.op('Transpose', y, perm=[0, 2, 1], out='last_hidden_state')
        inputs = [('input_features', FLOAT, ['b', 80, 3000])]
        g.save(f'{folder}/onnx/encoder_model.onnx', inputs, [('last_hidden_state', FLOAT, ['b', 1500, 16])])
        self.text_decoder(folder, len(SPEECH))

    def all(self):
        self.classifier('vit', 'vit', 'ViTForImageClassification')
        self.classifier('convnext', 'convnext', 'ConvNextForImageClassification')
        self.classifier('levit', 'vit', 'ViTForImageClassification')
        self.detector('detr', 'detr', 'DetrForObjectDetection', mask=True)
        self.detector('rt_detr', 'rt_detr', 'RTDetrForObjectDetection')
        self.detector('yolos', 'yolos', 'YolosForObjectDetection')
        self.segmenter('detr-panoptic', 'detr', 'detr', 'DetrForSegmentation', ('logits', 'pred_masks'))
        former = ('class_queries_logits', 'masks_queries_logits')
        self.segmenter('maskformer', 'maskformer', 'maskformer', 'MaskFormerForInstanceSegmentation', former)
        semantic = {'model_type': 'segformer', 'architectures': ['SegformerForSemanticSegmentation']}
        self.maps('segformer', 'segformer', semantic, 4, 'logits', labels='stuff', count=8)
        depth = {'model_type': 'depth_anything', 'architectures': ['DepthAnythingForDepthEstimation']}
        one = lambda g, y, out: g.op('Squeeze', g.op('Softplus', y), g.constant(np.array([1], 'i8')), out=out)
        self.maps('depth', 'depth_anything', depth, 7, 'predicted_depth', end=one)
        sigmoid = lambda g, y, out: g.op('Sigmoid', y, out=out)
        matte = {'model_type': 'modnet', 'architectures': ['MODNet']}
        self.maps('modnet', 'modnet', matte, 4, 'output', ('input', FLOAT, ['b', 3, 'h', 'w']), end=sigmoid)
        self.maps('rmbg', 'rmbg', matte, 4, 'output', ('input', FLOAT, ['b', 3, 'h', 'w']))
        features = lambda g, y, out: g.rows(y, 12, out)
        dino = {'model_type': 'dinov2', 'architectures': ['Dinov2Model']}
        self.maps('dinov2', 'dinov2', dino, 14, 'last_hidden_state', count=12, end=features)
        folder = self.folder(
            'swin2sr', {'model_type': 'swin2sr', 'architectures': ['Swin2SRForImageSuperResolution']}
        )
        g = Graph(self.rng)
        g.op(
            'Resize',
            'pixel_values',
            '',
            g.constant(np.array([1, 1, 2, 2], 'f4')),
            mode='nearest',
            out='reconstruction',
        )
        g.save(f'{folder}/onnx/model.onnx', [PIXELS], [('reconstruction', FLOAT, ['b', 3, 'y', 'x'])])
        self.zero_shot('clip', 'clip', 'CLIPModel')
        self.zero_shot('owlvit', 'owlvit', 'OwlViTForObjectDetection')
        self.zero_shot('owlv2', 'owlv2', 'Owlv2ForObjectDetection')
        self.sounds()
        self.writers()
