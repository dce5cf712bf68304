/** The folder in which the documents' programs run, with the files that they read. */
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { Tensor } from 'onnx-layout';
import { encodeWav } from 'onnx-layout/audio';
import { writeSafetensors } from 'onnx-layout/io';
import { PNG } from 'pngjs';
import { Graph } from '../../web/models/graph.js';
import { detrModel, samModel, segformerModel, things, yoloModel } from '../../web/models/models.js';
import { configs } from '../../web/processor/files.js';
import { example } from '../support/examples.js';
import { modelOf } from '../support/models.js';
import { root } from '../support/packed.js';
import { transposing } from './example-scope.js';

/** A classifier of three classes: the means of the channels. */
const classifier = () =>
  modelOf({
    nodes: [
      { operator: 'GlobalAveragePool', inputs: ['pixel_values'], outputs: ['means'] },
      { operator: 'Flatten', inputs: ['means'], outputs: ['logits'] },
    ],
    inputs: { pixel_values: ['float32', [1, 3, 224, 224]] },
    outputs: { logits: ['float32', [1, 3]] },
  });

/** A PNG file of a picture by its colors.
 * @type {(width: number, height: number, color: (x: number, y: number) => number[]) => Buffer} */
function drawing(width, height, color) {
  const png = new PNG({ width, height });
  for (let i = 0; i < width * height; i++) png.data.set(color(i % width, Math.floor(i / width)), 4 * i);
  return PNG.sync.write(png);
}

/** 320 x 240 pixels: discs before a sky, a red one at 100, 120 and a yellow one at 230, 130. */
const scene = () =>
  drawing(320, 240, (x, y) => {
    if (Math.hypot(x - 100, y - 120) < 56) return [214, 38, 51, 255];
    return Math.hypot(x - 230, y - 130) < 36 ? [245, 199, 26, 255] : [128, 189, 242, 255];
  });

/** A line of text, as far as {@link textModels} can read: a green, a red and a green bar on white. */
const line = () =>
  drawing(200, 100, (x, y) => {
    if (x < 20 || x >= 170 || y < 40 || y >= 60) return [255, 255, 255, 255];
    return x >= 70 && x < 120 ? [100, 0, 0, 255] : [0, 100, 0, 255];
  });

/** Models with the inputs, outputs and characters of PP-OCR's: what is dark is text, and green in it an a. */
function textModels() {
  const detector = new Graph();
  const mean = detector.add('ReduceMean', ['x'], { axes: [1] });
  const isDark = detector.add('Less', [mean, detector.floats([0])]);
  detector.add('Cast', [isDark], { to: 1 }, 'map');
  const recognizer = new Graph();
  const bars = recognizer.add('AveragePool', ['x'], { kernel_shape: [48, 8], strides: [48, 8] });
  const steps = recognizer.add('Transpose', [recognizer.add('Squeeze', [bars, recognizer.ints([2])])], {
    perm: [0, 2, 1],
  });
  recognizer.add('Softmax', [steps], { axis: 2 }, 'steps');
  const characters = new BinaryWriter().tag(1, 2).string('character').tag(2, 2).string('a').finish();
  const input = ['x', 'float32', ['n', 3, 'height', 'width']];
  return {
    'PP-OCRv6_det_small.onnx': detector.model('detector', [input], [['map', 'float32', ['n', 1, 'height', 'width']]]),
    'PP-OCRv6_rec_small.onnx': Buffer.concat([
      recognizer.model('recognizer', [input], [['steps', 'float32', ['n', 'steps', 3]]]),
      new BinaryWriter().tag(14, 2).bytes(characters).finish(),
    ]),
  };
}

/** A model of speech with the inputs and outputs of Silero VAD: a loud window is speech. */
function loudness() {
  const graph = new Graph();
  const squares = graph.add('Mul', ['input', 'input']);
  const mean = graph.add('ReduceMean', [squares], { axes: [1] });
  graph.add('Min', [graph.add('Mul', [mean, graph.floats([100])]), graph.floats([1])], {}, 'output');
  graph.add('Identity', ['state'], {}, 'stateN');
  const state = ['float32', [2, 1, 128]];
  const inputs = [
    ['input', 'float32', [1, 'samples']],
    ['state', ...state],
    ['sr', 'int64', []],
  ];
  const outputs = [
    ['output', 'float32', [1, 1]],
    ['stateN', ...state],
  ];
  return graph.model('vad', inputs, outputs);
}

/** A second of 16 kHz: half of it silent, half a tone. */
const speech = () => Float32Array.from({ length: 16000 }, (_, i) => (i < 8000 ? 0 : Math.sin(i / 10) / 2));

/** The files of each model, as folders of Hugging Face have them. */
const models = { detr: ['DETR', detrModel()], segformer: ['SegFormer', segformerModel()], sam: ['SAM', samModel()] };

/** @returns {Promise<string>} a folder inside of the repository, where the package finds itself by its name */
export async function programFolder() {
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build/programs-'));
  cpSync(join(root, 'tests/demo/photo.jpg'), join(folder, 'photo.jpg'));
  const config = { image_processor_type: 'ViTImageProcessor', size: { height: 224, width: 224 } };
  const weights = new Map([['weight', Tensor.from('bfloat16', [1, -2, 3, 0.5, 2, 8], [2, 3])]]);
  const files = {
    'preprocessor_config.json': JSON.stringify(config),
    'model.onnx': classifier(),
    'transposed.onnx': transposing(),
    'model.safetensors': writeSafetensors(weights),
    'speech.wav': encodeWav({ channelData: [speech()], sampleRate: 16000 }),
    'scene.png': scene(),
    'text.png': line(),
    ...textModels(),
    'text-reader.mjs': example('// text-reader.mjs'),
    'yolo.onnx': yoloModel(),
    'silero_vad.onnx': loudness(),
    'int4.safetensors': writeSafetensors(new Map([['weight', Tensor.from('uint8', [0x21, 0x43, 0x65, 0x07], [2, 2])]])),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, 'photos'));
  for (const name of ['photo.jpg', 'scene.png']) cpSync(join(folder, name), join(folder, 'photos', name));
  for (const [name, [processor, model]] of Object.entries(models)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'model.onnx'), model);
    writeFileSync(join(folder, name, 'preprocessor_config.json'), JSON.stringify(configs[processor]));
    writeFileSync(join(folder, name, 'config.json'), JSON.stringify({ id2label: { ...things } }));
  }
  return folder;
}
