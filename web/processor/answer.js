/** The worker's part of a model's results: the inputs through a small model, its outputs to what the panel draws. */
import { Tensor, toOrt } from 'onnx-layout';
import { drawResults, init, labelMapToImage, postProcessor } from 'onnx-layout/postprocess';
import wasmUrl from 'onnx-layout/postprocess.wasm?url';
import { imageProcessor } from 'onnx-layout/processors';
import { labels, palette } from '../models/colors.js';
import { detrModel, samModel, segformerModel, things } from '../models/models.js';
import { currentImage } from './process.js';

const ready = init({ wasm: wasmUrl });

const colorOf = (label) => palette[labels.indexOf(label)];
const percent = (part) => `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`;

/** @type {(rgba: Tensor) => object} */
const overlay = ({ dims: [height, width], data }) => ({ data: new Uint8ClampedArray(data.buffer), width, height });

/** Boxes over a clear picture, each in the color of its label. */
function boxesOf([{ boxes, scores, label_names }], outputs, [height, width]) {
  const canvas = new OffscreenCanvas(width, height);
  const numbers = Int32Array.from(label_names, (name) => labels.indexOf(name));
  drawResults(
    canvas.getContext('2d'),
    { boxes, scores, labels: new Tensor('int32', numbers, [numbers.length]), label_names },
    { colors: palette.map((color) => `rgb(${color.join(' ')})`) },
  );
  return {
    drawn: canvas.transferToImageBitmap(),
    legend: label_names.map((name, i) => ({ color: colorOf(name), text: `${name} ${percent(scores.data[i])}` })),
  };
}

/** A label map, and the share of each label. */
function mapOf([map]) {
  const counts = labels.map(() => 0);
  for (const label of map.data) counts[label]++;
  const order = [...counts.keys()].filter((label) => counts[label] > 0).sort((a, b) => counts[b] - counts[a]);
  return {
    overlay: overlay(labelMapToImage(map, palette)),
    legend: order.map((i) => ({ color: palette[i], text: `${labels[i]} ${percent(counts[i] / map.data.length)}` })),
  };
}

/** The colors of masks that lie in each other, from the largest on. */
const maskColors = [
  [86, 140, 255],
  [255, 176, 32],
  [255, 64, 96],
];

/** Three masks that lie in each other, as one map. */
function masksOf([masks], { iou_scores: scores }) {
  const [, count, height, width] = masks.dims;
  const depth = Int32Array.from({ length: height * width }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += masks.data[k * height * width + i];
    return sum;
  });
  const colors = [[0, 0, 0, 0], ...maskColors];
  return {
    overlay: overlay(labelMapToImage(new Tensor('int32', depth, [height, width]), colors)),
    legend: [...scores.data].map((score, i) => ({
      color: maskColors[count - 1 - i],
      text: `mask ${i}, score ${score.toFixed(2)}`,
    })),
  };
}

/**
 * The model and the method of each class.
 * @type {Record<string, { model: (size: number) => Uint8Array, method: string, takesPoints?: boolean,
 *   options: (size: number[], inputs: any) => object, drawn: (result: any, outputs: any, size: number[]) => any }>}
 */
const rows = {
  DetrImageProcessor: {
    model: detrModel,
    method: 'post_process_object_detection',
    options: (size) => ({ threshold: 0.9, target_sizes: [size], id2label: things }),
    drawn: boxesOf,
  },
  SegformerImageProcessor: {
    model: segformerModel,
    method: 'post_process_semantic_segmentation',
    options: (size) => ({ target_sizes: [size] }),
    drawn: mapOf,
  },
  SamImageProcessor: {
    model: samModel,
    method: 'post_process_masks',
    takesPoints: true,
    options: (_, { original_sizes, reshaped_input_sizes }) => ({ original_sizes, reshaped_input_sizes }),
    drawn: masksOf,
  },
};

/** @type {Map<string, Promise<any>>} by class and size */
const sessions = new Map();

/**
 * @param {string} config JSON
 * @param {'torchvision' | 'pil'} backend
 * @param {{ x: number, y: number, isIn: boolean }[]} points the middle of the picture if there are none
 */
export async function answer(config, backend, points) {
  const processor = imageProcessor(config, { backend });
  const row = rows[processor.className];
  if (!row) return undefined;
  const ort = await import('../models/onnxruntime.js');
  await ready;
  const image = currentImage();
  const middle = { x: image.width >> 1, y: image.height >> 1, isIn: true };
  const asked = points.length > 0 ? points : [middle];
  const prompts = row.takesPoints && {
    input_points: [asked.map(({ x, y }) => [x, y])],
    input_labels: [asked.map(({ isIn }) => Number(isIn))],
  };
  const times = {};
  let start = performance.now();
  const took = (name) => {
    times[name] = performance.now() - start;
    start = performance.now();
  };
  const inputs = processor(image, { ...prompts });
  took('processor');
  const side = inputs.pixel_values.dims.at(-1);
  const key = `${processor.className} ${side}`;
  if (!sessions.has(key)) sessions.set(key, ort.openSession(row.model(side)));
  const session = await sessions.get(key);
  start = performance.now();
  const outputs = await session.run(toOrt(ort, inputs, session));
  took('model');
  const size = [image.height, image.width];
  const result = postProcessor(config)[row.method](outputs, row.options(size, inputs));
  took('answer');
  const shapes = Object.entries(outputs).map(([name, { type, dims }]) => [name, `${type} [${dims.join(', ')}]`]);
  return {
    ...row.drawn(result, outputs, size),
    ...(prompts && { points: asked }),
    ...{ method: row.method, times, outputs: Object.fromEntries(shapes) },
  };
}
