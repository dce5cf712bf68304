/**
 * Times answers of models' outputs beside plain loops, transformers.js and opencv.js in this process, and beside
 * transformers, Ultralytics and RapidOCR in Python, on one thread.
 */
import { decodeYolo, init, postProcessor, textDetection } from '../../js/postprocess/index.js';
import { generator } from '../support/samples.js';
import { contest, inPython } from './contest.js';
import { loadOpenCv } from './opencv-peers.js';
import { installPeers } from './peers.js';
import { loopBoxes, loopLabels, loopMasks } from './postprocess-loops.js';
import { make } from '../postprocess/recipes.js';

const tensor = (dims, data) => ({ type: 'float32', dims, data });
const product = (dims) => dims.reduce((a, b) => a * b, 1);

/** A source of numbers in [0, 1). */
const uniform = (seed) => {
  const random = generator(seed);
  return () => random() / 2 ** 32;
};

const noise = (dims) => {
  const next = uniform(1);
  return tensor(
    dims,
    Float32Array.from({ length: product(dims) }, () => 10 * next() - 5),
  );
};

/** Planes of waves, as the maps of a segmenter are. */
function waves(dims) {
  const [height, width] = dims.slice(-2);
  const next = uniform(2);
  const data = new Float32Array(product(dims));
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
async function theirs(className) {
  installPeers();
  const library = await import('@huggingface/transformers');
  return {
    Tensor: library.Tensor,
    processor: new library[className]({ size: {}, pad_size: { height: 1024, width: 1024 } }),
  };
}

const screen = [1080, 1920];

async function segmenter(logits) {
  const ours = postProcessor({ image_processor_type: 'SegformerImageProcessor' });
  const { Tensor, processor } = await theirs('SegformerImageProcessor');
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
  const { Tensor, processor } = await theirs('SamImageProcessor');
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

const loopBars = (must, aim) => ({ 'JS loop': [must, aim] });

/** Each bar is a limit of ours over the peer's time, and the aim. A quick run takes a tenth of the classes, and ten
 * times the bars: peers take seconds for all. */
const workloads = {
  segmenter: {
    ...{
      title: 'SegFormer 150x128x128 to labels 1080x1920',
      kind: 'segmenter',
      python: 'torch',
      how: { size: screen },
    },
    ...{ outputs: (quick) => waves([1, quick ? 15 : 150, 128, 128]), calls: segmenter },
    bars: { ...loopBars(0.02, 0.008), torch: [0.02, 0.006] },
  },
  'segmenter-noise': {
    ...{ title: 'the same of noise', kind: 'segmenter', python: 'torch', how: { size: screen } },
    ...{ outputs: (quick) => noise([1, quick ? 15 : 150, 128, 128]), calls: segmenter, bars: loopBars(0.35, 0.2) },
  },
  masks: {
    ...{ title: 'SAM 3x256x256 to 1080x1920', kind: 'masks', python: 'torch', how: { size: screen, cut } },
    ...{ outputs: () => waves([1, 1, 3, 256, 256]), calls: masks },
    bars: { ...loopBars(0.22, 0.13), torch: [0.7, 0.35] },
  },
  'masks-noise': {
    ...{ title: 'the same of noise', kind: 'masks', python: 'torch', how: { size: screen, cut } },
    ...{ outputs: () => noise([1, 1, 3, 256, 256]), calls: masks, bars: loopBars(1, 0.6) },
  },
  yolo: {
    ...{ title: 'YOLO 84x8400, conf .25', kind: 'boxes', python: 'Ultralytics', how: { conf: 0.25, iou: 0.45 } },
    ...{ outputs: head, calls: boxes({ conf: 0.25, iou: 0.45 }), bars: { Ultralytics: [0.8, 0.4] } },
  },
  'yolo-low': {
    ...{ title: 'YOLO 84x8400, conf .01', kind: 'boxes', python: 'Ultralytics', how: { conf: 0.01, iou: 0.7 } },
    ...{ outputs: head, calls: boxes({ conf: 0.01, iou: 0.7 }), bars: loopBars(0.12, 0.07) },
  },
  text: {
    ...{ title: 'text of 40 lines in 640x640', kind: 'text', python: 'RapidOCR', how: {} },
    ...{ outputs: lines, calls: text, bars: { 'opencv.js': [1.3, 0.4] } },
  },
};

/** Results of contenders in this process are compared: labels of waves and masks, how many boxes. */
async function measure({ title, python: name, outputs, calls, bars, ...request }, options) {
  await init();
  const data = outputs(options.quick);
  const contenders = await calls(data);
  const own = contenders.ours();
  const wanted = contenders['JS loop']?.() ?? contenders['opencv.js']();
  const differ = typeof own === 'number' ? Number(own !== wanted) : own.filter((one, i) => one !== wanted[i]).length;
  // Loops round otherwise: a label in 10^4 may differ.
  if (differ > 1e-4 * (own.length ?? 0)) throw new Error(`${title}: ${differ} results differ`);
  const { kind, how } = request;
  const { dims } = data;
  const requestsOf = ([file]) => ({ [name]: { kind, file, dims, ...how } });
  const python = await inPython('postprocess', [data.data], requestsOf, 'python-postprocess');
  const { count } = python.answers[name] ?? {};
  if (typeof own === 'number' && count !== undefined && count !== own)
    throw new Error(`${title}: ${own} boxes, ${count} in Python`);
  const loose = options.quick && kind === 'segmenter' ? 10 : 1;
  const loosened = Object.entries(bars).map(([peer, limits]) => [peer, limits.map((limit) => loose * limit)]);
  const all = { ...contenders, ...python.contenders };
  const result = await contest(title, all, { ours: Object.fromEntries(loosened) }, options);
  python.end();
  return result;
}

/** The checks by the name that `--only` takes: `postprocess` takes all of them. */
export const postprocessChecks = Object.fromEntries(
  Object.entries(workloads).map(([name, workload]) => [`postprocess-${name}`, (options) => measure(workload, options)]),
);
