/**
 * Times answers of models' outputs beside plain loops, transformers.js and opencv.js in this process, and beside
 * transformers, Ultralytics and RapidOCR in Python, on one thread.
 */
import { decodeYolo, postProcessor, textDetection } from '../../js/postprocess/index.js';
import { make } from '../postprocess/recipes.js';
import { elementCount } from '../support/reference.js';
import { generator } from '../support/samples.js';
import { checksOf, contestsOf } from './contest.js';
import { loadOpenCv } from './opencv-peers.js';
import { loadTransformers } from './peers.js';
import { loopBoxes, loopLabels, loopMasks } from './postprocess-loops.js';

const tensor = (dims, data) => ({ type: 'float32', dims, data });

/** A source of numbers in [0, 1). */
const uniform = (seed) => {
  const random = generator(seed);
  return () => random() / 2 ** 32;
};

function noise(dims) {
  const next = uniform(1);
  const data = new Float32Array(elementCount(dims)).map(() => 10 * next() - 5);
  return tensor(dims, data);
}

/** Planes of waves, as the maps of a segmenter are. */
function waves(dims) {
  const [height, width] = dims.slice(-2);
  const next = uniform(2);
  const data = new Float32Array(elementCount(dims));
  for (let start = 0; start < data.length; start += height * width) {
    const [a, b, p, q] = [12 * next(), 12 * next(), 6 * next(), 6 * next()];
    for (let i = 0; i < height * width; i++) {
      const [x, y] = [(i % width) / width, Math.floor(i / width) / height];
      data[start + i] = 5 * Math.sin(a * x + p) * Math.cos(b * y + q) + 0.05 * next();
    }
  }
  return tensor(dims, data);
}

/** A head of YOLO with 14 objects, as in the goldens: around each, anchors have its box; no score of another is .05. */
const head = () => make({ kind: 'yolo', dims: [1, 84, 8400], seed: 31500010, nc: 80, size: 640, objects: 14 });

/** A map of 40 lines of text, which lean a little. */
function lines() {
  const [next, side] = [uniform(4), 640];
  const data = new Float32Array(side * side);
  for (let i = 0; i < 40; i++) {
    const [left, top] = [20 + 310 * (i % 2), 12 + 31 * (i >> 1)];
    const [width, lean] = [180 + 100 * next(), 0.03 * (next() - 0.5)];
    for (let x = 0; x < width; x++)
      for (let y = 0; y < 14; y++) data[((top + y + Math.round(lean * x)) * side + left + x) | 0] = 0.6 + 0.39 * next();
  }
  return tensor([1, 1, side, side], data);
}

/** transformers.js' class by its name. */
async function loadPostProcessor(className) {
  const { Tensor, [className]: Processor } = await loadTransformers();
  return { Tensor, processor: new Processor({ size: {}, pad_size: { height: 1024, width: 1024 } }) };
}

const screen = [1080, 1920];

async function segmenter(logits) {
  const ours = postProcessor({ image_processor_type: 'SegformerImageProcessor' });
  const { Tensor, processor } = await loadPostProcessor('SegformerImageProcessor');
  const copy = { logits: new Tensor('float32', logits.data, logits.dims) };
  return {
    ours: () => ours.post_process_semantic_segmentation({ logits }, { target_sizes: [screen] })[0].data,
    'JS loop': () => loopLabels(logits, screen),
    'transformers.js': () => processor.post_process_semantic_segmentation(copy, [screen])[0].segmentation.data,
  };
}

const cut = [576, 1024];

async function masks(pred) {
  const ours = postProcessor({ image_processor_type: 'SamImageProcessor' });
  const { Tensor, processor } = await loadPostProcessor('SamImageProcessor');
  const copy = new Tensor('float32', pred.data, pred.dims);
  const sizes = { original_sizes: [screen], reshaped_input_sizes: [cut] };
  const how = { square: 1024, cut, size: screen };
  return {
    ours: () => ours.post_process_masks({ pred_masks: pred }, sizes)[0].data,
    'JS loop': () => loopMasks({ ...pred, dims: pred.dims.slice(1).toSpliced(0, 0, 1) }, how),
    'transformers.js': async () => (await processor.post_process_masks(copy, [screen], [cut]))[0].data,
  };
}

const boxes = (how) => (output0) => ({
  ours: () => decodeYolo({ output0 }, { size: [640, 640], ...how })[0].boxes.dims[0],
  'JS loop': () => loopBoxes(output0, how),
});

/** Contours, rectangles and scores by opencv.js, which has no growth. */
async function text(prob) {
  const { cv } = await loadOpenCv();
  const map = new cv.Mat(640, 640, cv.CV_32F);
  const [bits, grown, inside] = [new cv.Mat(), new cv.Mat(), new cv.Mat(640, 640, cv.CV_8U)];
  const kernel = cv.Mat.ones(2, 2, cv.CV_8U);
  const opencv = () => {
    map.data32F.set(prob.data);
    cv.threshold(map, bits, 0.3, 255, cv.THRESH_BINARY);
    bits.convertTo(grown, cv.CV_8U);
    cv.dilate(grown, grown, kernel);
    const [contours, hierarchy] = [new cv.MatVector(), new cv.Mat()];
    cv.findContours(grown, contours, hierarchy, cv.RETR_LIST, cv.CHAIN_APPROX_SIMPLE);
    let count = 0;
    for (let i = 0; i < contours.size(); i++) {
      const contour = contours.get(i);
      const rect = cv.minAreaRect(contour);
      const area = cv.boundingRect(contour);
      inside.setTo(new cv.Scalar(0));
      cv.fillPoly(inside, oneOf(cv, contour), new cv.Scalar(1));
      const score = cv.mean(map.roi(area), inside.roi(area))[0];
      if (score > 0.5 && Math.min(rect.size.width, rect.size.height) >= 3) count++;
      contour.delete();
    }
    contours.delete();
    hierarchy.delete();
    return count;
  };
  return { ours: () => textDetection(prob).boxes.dims[0], 'opencv.js': opencv };
}

/** A list of one contour. */
function oneOf(cv, contour) {
  const list = new cv.MatVector();
  list.push_back(contour);
  return list;
}

const quickClasses = ({ quick }) => (quick ? 15 : 150);
const toScreen = { kind: 'segmenter', calls: segmenter, request: { size: screen } };
const toMasks = { kind: 'masks', calls: masks, request: { size: screen, cut } };
const toBoxes = (request) => ({ kind: 'boxes', outputs: head, calls: boxes(request), request });

/**
 * Each bar is a limit of our time as a multiple of the peer's, and the aim. A quick run takes a tenth of the classes
 * and ten times the bars, because peers take seconds for all of them.
 */
const workloads = [
  {
    ...{ name: 'segmenter', title: 'SegFormer 150x128x128 to labels 1080x1920', ...toScreen },
    outputs: (options) => waves([1, quickClasses(options), 128, 128]),
    bars: { 'JS loop': [0.02, 0.008], torch: [0.02, 0.006] },
  },
  {
    ...{ name: 'segmenter-noise', title: 'the same of noise', ...toScreen },
    outputs: (options) => noise([1, quickClasses(options), 128, 128]),
    bars: { 'JS loop': [0.35, 0.2] },
  },
  {
    ...{ name: 'masks', title: 'SAM 3x256x256 to 1080x1920', ...toMasks },
    outputs: () => waves([1, 1, 3, 256, 256]),
    bars: { 'JS loop': [0.22, 0.13], torch: [0.7, 0.35] },
  },
  {
    ...{ name: 'masks-noise', title: 'the same of noise', ...toMasks },
    outputs: () => noise([1, 1, 3, 256, 256]),
    bars: { 'JS loop': [1, 0.6] },
  },
  {
    ...{ name: 'yolo', title: 'YOLO 84x8400, conf .25', ...toBoxes({ conf: 0.25, iou: 0.45 }) },
    bars: { Ultralytics: [0.8, 0.4] },
  },
  {
    ...{ name: 'yolo-low', title: 'YOLO 84x8400, conf .01', ...toBoxes({ conf: 0.01, iou: 0.7 }) },
    bars: { 'JS loop': [0.12, 0.07] },
  },
  {
    ...{ name: 'text', title: 'text of 40 lines in 640x640', kind: 'text', outputs: lines, calls: text },
    bars: { 'opencv.js': [1.3, 0.4] },
  },
];

/** Results of contenders in this process are compared: labels of waves and masks, how many boxes. */
async function prepare({ title, kind, outputs, calls, request, bars }, options) {
  const { data, dims } = outputs(options);
  const contenders = await calls({ type: 'float32', data, dims });
  const actual = contenders.ours();
  const expected = contenders['JS loop']?.() ?? contenders['opencv.js']();
  const isCount = typeof actual === 'number';
  const differ = isCount ? Number(actual !== expected) : actual.filter((value, i) => value !== expected[i]).length;
  // Loops round otherwise: a label in 10^4 may differ.
  if (differ > 1e-4 * (actual.length ?? 0)) throw new Error(`${title}: ${differ} results differ`);
  const factor = options.quick && kind === 'segmenter' ? 10 : 1;
  const limits = Object.entries(bars).map(([peer, values]) => [peer, values.map((limit) => factor * limit)]);
  return {
    title,
    contenders,
    python: {
      ...{ name: 'postprocess', environment: 'python-postprocess', arrays: [data] },
      requests: [{ kind, dims, ...request, expected: isCount ? actual : undefined }],
    },
    bars: { ours: Object.fromEntries(limits) },
  };
}

/** The checks by the name that `--only` takes: `postprocess` takes all of them. */
export const postprocessChecks = checksOf('postprocess', contestsOf(workloads, prepare));
