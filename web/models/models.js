/**
 * The models that the page and the examples of the documents run: they have the inputs and the outputs of well-known
 * models, and know some colors. No DOM.
 */
import { colorLogits, labels } from './colors.js';
import { Graph } from './graph.js';

const imagenet = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] };
const fractions = { mean: [0, 0, 0], std: [1, 1, 1] };

/** Sides of anchors, in cells, and the pixels of a cell's side. */
const [sides, stride] = [[3, 5, 7, 11, 15, 19], 8];

/** The colors of objects; the others are those of skies and walls. */
export const things = ['red', 'orange', 'yellow', 'green', 'teal'];

/** The means of squares around each cell, of cells within the picture alone or of as many as the square has. */
const means = (graph, x, side, isWhole) =>
  graph.add('AveragePool', [x], {
    kernel_shape: [side, side],
    pads: new Array(4).fill((side - 1) / 2),
    count_include_pad: Number(isWhole),
  });

/** Without holes of 3 cells: stripes become one. */
function closed(graph, x) {
  const pool = { kernel_shape: [7, 7], pads: [3, 3, 3, 3] };
  return graph.add('Neg', [graph.add('MaxPool', [graph.add('Neg', [graph.add('MaxPool', [x], pool)])], pool)]);
}

/** Tensors as one, side by side on a new axis. */
const stacked = (graph, list) =>
  graph.add(
    'Concat',
    list.map((x) => graph.add('Unsqueeze', [x, graph.ints([2])])),
    { axis: 2 },
  );

/**
 * How much more color is in a square around a cell than around that square, for the color that the square has most of.
 * @returns {string} float32 [1, things, sides, cells, cells]
 */
function scoresOf(graph, pixels, normalization) {
  const shares = graph.add('Softmax', [colorLogits(graph, pixels, stride, normalization)], { axis: 1 });
  const own = graph.add('Gather', [shares, graph.ints(things.map((name) => labels.indexOf(name)))], { axis: 1 });
  const colored = closed(graph, graph.add('ReduceSum', [own, graph.ints([1])]));
  const contrasts = sides.map((side) => {
    const outer = 2 * Math.round(0.8 * side) + 1;
    // With b = outer ** 2 and a = side ** 2: inside - (around * b - inside * a) / (b - a).
    const difference = graph.add('Sub', [means(graph, colored, side, true), means(graph, colored, outer, false)]);
    return graph.add('Mul', [difference, graph.floats([outer ** 2 / (outer ** 2 - side ** 2)])]);
  });
  const parts = stacked(
    graph,
    sides.map((side) => means(graph, own, side, true)),
  );
  const isMost = graph.add('Equal', [parts, graph.add('ReduceMax', [parts], { axes: [1] })]);
  return graph.add('Mul', [stacked(graph, contrasts), graph.add('Cast', [isMost], { to: 1 })]);
}

/** Scores of cells whose best score no neighbor exceeds; the others become 0. */
function peaksOf(graph, scores, near) {
  const greatest = graph.add('ReduceMax', [scores], { axes: [1] });
  const extents = [2 * sides.length - 1, near, near];
  const pads = [...extents, ...extents].map((extent) => (extent - 1) / 2);
  const best = graph.add('MaxPool', [greatest], { kernel_shape: extents, pads });
  return graph.add('Mul', [scores, graph.add('Cast', [graph.add('Equal', [greatest, best])], { to: 1 })]);
}

/** Center and size of each anchor, in pixels: rows of four. */
const anchors = (cells) =>
  sides.flatMap((side) =>
    Array.from({ length: cells * cells }, (_, i) => [
      ...[(i % cells) + 0.5, Math.floor(i / cells) + 0.5, side, side].map((cell) => cell * stride),
    ]),
  );

/**
 * As a YOLO of version 8 has it: anchors that overlap, for `decodeYolo`.
 * @param {number} [size] of the square of pixels
 */
export function yoloModel(size = 640) {
  const graph = new Graph();
  const boxes = anchors(size / stride);
  const columns = [0, 1, 2, 3].flatMap((i) => boxes.map((box) => box[i]));
  const scores = peaksOf(graph, scoresOf(graph, 'images', fractions), 3);
  const flat = graph.add('Reshape', [scores, graph.ints([1, things.length, -1])]);
  graph.add('Concat', [graph.floats(columns, [1, 4, boxes.length]), flat], { axis: 1 }, 'output0');
  return graph.model(
    'yolo',
    [['images', 'float32', [1, 3, size, size]]],
    [['output0', 'float32', [1, 4 + things.length, boxes.length]]],
  );
}

/** Queries of the detector. */
const queries = 20;

/**
 * As DETR has it: the best anchors, none near a better one, in fractions of the picture without its padding.
 * @param {number} [size] of the square of pixels
 */
export function detrModel(size = 400) {
  const graph = new Graph();
  const cells = size / stride;
  const peaks = peaksOf(graph, scoresOf(graph, 'pixel_values', imagenet), 7);
  const flat = graph.add('Reshape', [peaks, graph.ints([1, things.length, -1])]);
  const greatest = graph.add('ReduceMax', [flat], { axes: [0, 1], keepdims: 0 });
  const indices = 'indices';
  graph.add('TopK', [greatest, graph.ints([queries])], {}, 'values', indices);
  const picked = graph.add('Transpose', [graph.add('Gather', [flat, indices], { axis: 2 })], { perm: [0, 2, 1] });
  // The last class is "no object".
  const logits = graph.add('Mul', [graph.add('Sub', [picked, graph.floats([0.25])]), graph.floats([20])]);
  graph.add('Pad', [logits, graph.ints([0, 0, 0, 0, 0, 1]), graph.floats([0], [])], {}, 'logits');
  const rows = graph.floats(anchors(cells).flat(), [anchors(cells).length, 4]);
  const mask = graph.add('Cast', ['pixel_mask'], { to: 1 });
  const extent = (axis) =>
    graph.add('ReduceMax', [graph.add('ReduceSum', [mask, graph.ints([axis])], { keepdims: 0 })], { keepdims: 1 });
  const [width, height] = [extent(2), extent(1)];
  const whole = graph.add('Concat', [width, height, width, height].map(flatten(graph)), { axis: 0 });
  const boxes = graph.add('Div', [graph.add('Gather', [rows, indices], { axis: 0 }), whole]);
  graph.add('Unsqueeze', [boxes, graph.ints([0])], {}, 'pred_boxes');
  return graph.model(
    'detr',
    [
      ['pixel_values', 'float32', [1, 3, size, size]],
      ['pixel_mask', 'int64', [1, size, size]],
    ],
    [
      ['logits', 'float32', [1, queries, things.length + 1]],
      ['pred_boxes', 'float32', [1, queries, 4]],
    ],
  );
}

const flatten = (graph) => (x) => graph.add('Reshape', [x, graph.ints([1])]);

/** As SegFormer has it: logits of each label at a quarter of the size, for pictures of any size. */
export function segformerModel() {
  const graph = new Graph();
  const shares = graph.add('Softmax', [colorLogits(graph, 'pixel_values', 4, imagenet)], { axis: 1 });
  graph.add('AveragePool', [shares], { kernel_shape: [3, 3], pads: [1, 1, 1, 1] }, 'logits');
  return graph.model(
    'segformer',
    [['pixel_values', 'float32', [1, 3, 'height', 'width']]],
    [['logits', 'float32', [1, labels.length, 'rows', 'columns']]],
  );
}

/** Squares of distances that belong to a point: of the part, of the object, of what is around it. */
const reaches = [0.25, 0.6, 1.5];
/** How far the sides of the padded picture are apart, in units of its colors. */
const spread = 4;
/** More than any distance. */
const far = 1000;

/** Colors of a quarter of the size, smoothed, and the place of each as two more channels.
 * @returns {string} float32 [1, 5, cells, cells] */
function colorsAndPlaces(graph, cells) {
  const weights = [0, 1, 2].flatMap((to) => [0, 1, 2].flatMap((from) => new Array(16).fill(from === to ? 1 / 16 : 0)));
  const quarter = graph.add('Conv', ['pixel_values', graph.floats(weights, [3, 3, 4, 4])], { strides: [4, 4] });
  const colors = graph.add('AveragePool', [quarter], { kernel_shape: [5, 5], pads: [2, 2, 2, 2] });
  const line = Array.from({ length: cells }, (_, i) => (i / cells) * spread);
  const whole = graph.ints([1, 1, cells, cells]);
  const places = [
    [cells, 1],
    [1, cells],
  ].map((dims) => graph.add('Expand', [graph.floats(line, [1, 1, ...dims]), whole]));
  return graph.add('Concat', [colors, ...places], { axis: 1 });
}

/** Squares of the distances from each point to all cells.
 * @returns {string} float32 [points, cells, cells] */
function distancesOf(graph, cells) {
  const all = colorsAndPlaces(graph, cells);
  const points = graph.add('Reshape', ['input_points', graph.ints([-1, 2])]);
  const scaled = graph.add('Min', [graph.add('Div', [points, graph.floats([4])]), graph.floats([cells - 1])]);
  const cell = graph.add('Cast', [graph.add('Max', [scaled, graph.floats([0])])], { to: 7 });
  const rowsFirst = graph.add('Gather', [cell, graph.ints([1, 0])], { axis: 1 });
  const channelsLast = graph.add('Transpose', [graph.add('Squeeze', [all, graph.ints([0])])], { perm: [1, 2, 0] });
  const own = graph.add('Unsqueeze', [graph.add('GatherND', [channelsLast, rowsFirst]), graph.ints([2, 3])]);
  const difference = graph.add('Sub', [all, own]);
  const squares = graph.add('Mul', [difference, difference]);
  return graph.add('ReduceSum', [squares, graph.ints([1])], { keepdims: 0 });
}

/** The distance to the nearest point of a label.
 * @returns {string} float32 [1, cells, cells] */
function nearest(graph, distances, label) {
  const kinds = graph.add('Reshape', ['input_labels', graph.ints([-1, 1, 1])]);
  const others = graph.add('Not', [graph.add('Equal', [kinds, graph.ints([label])])]);
  const added = graph.add('Mul', [graph.add('Cast', [others], { to: 1 }), graph.floats([far])]);
  return graph.add('ReduceMin', [graph.add('Add', [distances, added])], { axes: [0], keepdims: 1 });
}

/** How many numbers of each mask exceed a threshold.
 * @returns {string} float32 [masks] */
function areas(graph, masks, threshold) {
  const above = graph.add('Cast', [graph.add('Greater', [masks, graph.floats([threshold])])], { to: 1 });
  return graph.add('ReduceSum', [above, graph.ints([1, 2])], { keepdims: 0 });
}

/**
 * As SAM has it: points with the labels 1 (in the object) and 0 (not in it), three masks at a quarter of the size, and
 * as their scores how little their areas hang on the threshold. A pixel belongs to a point by its color and its place.
 * @param {number} [size] of the square of pixels
 */
export function samModel(size = 1024) {
  const graph = new Graph();
  const [cells, count] = [size / 4, reaches.length];
  const distances = distancesOf(graph, cells);
  const [inside, outside] = [nearest(graph, distances, 1), nearest(graph, distances, 0)];
  const reached = graph.add('Sub', [graph.floats(reaches, [count, 1, 1]), inside]);
  const masks = graph.add('Min', [reached, graph.add('Sub', [outside, inside])]);
  graph.add('Unsqueeze', [masks, graph.ints([0, 1])], {}, 'pred_masks');
  const most = graph.add('Max', [areas(graph, masks, -0.1), graph.floats([1])]);
  const scores = graph.add('Div', [areas(graph, masks, 0.1), most]);
  graph.add('Unsqueeze', [scores, graph.ints([0, 1])], {}, 'iou_scores');
  return graph.model(
    'sam',
    [
      ['pixel_values', 'float32', [1, 3, size, size]],
      ['input_points', 'float32', [1, 1, 'points', 2]],
      ['input_labels', 'int64', [1, 1, 'points']],
    ],
    [
      ['pred_masks', 'float32', [1, 1, count, cells, cells]],
      ['iou_scores', 'float32', [1, 1, count]],
    ],
  );
}
