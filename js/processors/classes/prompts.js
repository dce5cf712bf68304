/**
 * Prompts of segmenters: points, labels and boxes, scaled to what the image becomes and filled up. Source: SamProcessor
 * and its kin of transformers. Prompts are what a person clicks, so loops over them are JavaScript.
 */
import { largest, rangeError } from '../../arguments/index.js';
import { dtypes, tensorOf } from '../../tensor/index.js';
import { edgeOf, exactSize, samSize } from '../pictures/index.js';
import { checkDepth, checkLeaves, evenDims, leavesOf, longestLengths, paddedLeaves } from './nested-lists.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { CallOptions, Outputs, PromptFile, Settings, Size } from '../types.js' */

/** @typedef {import('../option-types.js').NestedNumbers} Nested */
/**
 * The prompts of a call, and what scales them.
 * @typedef {object} PromptCall
 * @property {PromptFile} file of the class that holds the image processor
 * @property {Settings} settings of the image processor
 * @property {readonly Size[]} sizes of the images as they came, in pixels
 * @property {CallOptions} options of the call, with the prompts
 */
/** The numbers of nested lists, in one list, and the lengths of the lists at each level.
 * @typedef {{ dims: number[], data: number[] }} Numbers */

const { fround, trunc } = Math;

const nestedOptions = ['input_points', 'input_labels', 'input_boxes', 'input_boxes_labels'];

/** Options of a call that are prompts. */
export const promptOptions = [...nestedOptions, 'point_pad_value'];

/**
 * By the classes of transformers that hold an image processor.
 * @type {Record<string, (call: PromptCall) => Outputs>}
 */
const rules = {
  SamProcessor: (call) => samPrompts(call, { isHQ: false }),
  SamHQProcessor: (call) => samPrompts(call, { isHQ: true }),
  Sam2Processor: sam2Prompts,
  Sam2VideoProcessor: sam2Prompts,
  Sam3TrackerProcessor: sam2Prompts,
  Sam3TrackerVideoProcessor: sam2Prompts,
  Sam3Processor: sam3Prompts,
};

/** Makes the outputs of a call's prompts, by the rule of the class that its file names as `processor_class` or else, if
 * there is none for it, by the rule `name`. An image processor without prompts has no `name`, and makes none.
 * @type {(name: string | undefined, call: PromptCall) => Outputs} */
export function promptsOf(name, call) {
  if (name === undefined) return {};
  const processorClass = call.file.processor_class;
  const hasRule = typeof processorClass === 'string' && Object.hasOwn(rules, processorClass);
  const rule = rules[hasRule ? processorClass : name];
  for (const key of nestedOptions) if (call.options[key] !== undefined) checkLeaves(key, call.options[key]);
  return rule(call);
}

/** A tensor of float64. @type {(values: Numbers) => Tensor} */
const float64 = ({ dims, data }) => tensorOf(dtypes.float64, Float64Array.from(data), dims);
/** @type {(values: Numbers) => Tensor} */
const float32 = ({ dims, data }) => tensorOf(dtypes.float32, Float32Array.from(data), dims);
/** Makes a tensor of int64; refuses numbers that are not whole. `name`: the prompt's, for the message.
 * @type {(name: string, values: Numbers) => Tensor} */
function int64(name, { dims, data }) {
  const other = data.find((value) => !Number.isSafeInteger(value));
  if (other !== undefined) rangeError(`${name} must hold whole numbers, got ${other}`);
  return tensorOf(dtypes.int64, BigInt64Array.from(data, BigInt), dims);
}

/** Inserts the axis of objects, of extent 1, behind that of images, where a prompt lacks it: as Python's
 * `unsqueeze(1)`, where the number of dims is not `rank`. SAM-HQ does so only where it is less.
 * @type {(values: Numbers, rank: number, kind: { isHQ: boolean }) => Numbers} */
function withObjectAxis({ dims, data }, rank, { isHQ }) {
  const lacksAxis = isHQ ? dims.length < rank : dims.length !== rank;
  if (!lacksAxis) return { dims, data };
  const [images, ...others] = dims;
  return { dims: [images, 1, ...others], data };
}

/** The size of the image that each of `count` lists of a prompt belongs to. If the call has another number of images,
 * the first image's size counts for all lists, as in Python.
 * @type {(sizes: readonly Size[], count: number) => Size[]} */
const sizesOfLists = (sizes, count) =>
  Array.from({ length: count }, (_, i) => (sizes.length === count ? sizes[i] : sizes[0]));

/** Scales the coordinates x, y, x, y … of a prompt from pixels of the image to those of the resized image, whose longer
 * side is `longest_edge`, as SAM does. `image`: the image's size
 * @type {(settings: Settings, image: Size, coordinates: readonly number[]) => number[]} */
function samCoordinates(settings, image, coordinates) {
  const resized = samSize(image, edgeOf(settings.size, 'longest_edge'));
  const factorX = resized.width / image.width;
  const factorY = resized.height / image.height;
  return coordinates.map((value, i) => {
    const isX = i % 2 === 0;
    return value * (isX ? factorX : factorY);
  });
}

/** Scales SAM's points, a list for each image. Where images have different numbers of points, shorter lists are filled
 * up with `pad`, as are their labels, which have to be given then. Returns the labels too, filled up or as they were.
 * @type {(call: PromptCall, points: Nested, labels: Nested | undefined, pad: number | undefined) => { points: Numbers,
 *   labels: Nested | undefined }} */
function samPoints(call, points, labels, pad) {
  const shapes = points.map((entry) => evenDims('input_points', entry));
  const sizes = sizesOfLists(call.sizes, points.length);
  const coordinates = points.map((entry, i) => samCoordinates(call.settings, sizes[i], leavesOf(entry)));
  const haveOneShape = shapes.every((dims) => String(dims) === String(shapes[0]));
  if (haveOneShape) return { points: { dims: [points.length, ...shapes[0]], data: coordinates.flat() }, labels };
  // Only lists [points, 2] with labels can be filled up.
  if (labels === undefined || pad === undefined || shapes.some(({ length }) => length !== 2))
    rangeError(`input_points must be as many for each image, or have input_labels and point_pad_value`);
  const maxPoints = largest(shapes.map(([count]) => count));
  const data = coordinates.flatMap((list) => {
    const missing = 2 * maxPoints - list.length;
    return [...list, ...Array(missing).fill(pad)];
  });
  // Python fills labels up by one value, whatever the number of points.
  const paddedLabels = labels.map((entry, i) => {
    const pointCount = shapes[i]?.[0];
    return pointCount === maxPoints ? entry : [entry, pad].flat();
  });
  return { points: { dims: [points.length, maxPoints, 2], data }, labels: paddedLabels };
}

/** Makes the outputs of SAM's points, labels and boxes, scaled to the resized image. `isHQ`: as SAM-HQ does, which has
 * no default of `point_pad_value`, and adds an axis only to lists that are nested less deep than the model takes
 * @type {(call: PromptCall, kind: { isHQ: boolean }) => Outputs} */
function samPrompts(call, { isHQ }) {
  const { input_points: points, input_boxes: boxes, point_pad_value: pad = isHQ ? undefined : -10 } = call.options;
  let { input_labels: labels } = call.options;
  checkDepth('input_points', points, 2, Infinity);
  checkDepth('input_labels', labels, 2, Infinity);
  checkDepth('input_boxes', boxes, 3, Infinity);
  /** @type {Outputs} */
  const outputs = {};
  if (points) {
    const padded = samPoints(call, points, labels, pad);
    // [images, objects, points, 2]
    outputs.input_points = float64(withObjectAxis(padded.points, 4, { isHQ }));
    ({ labels } = padded);
  }
  if (labels) {
    // [images, objects, points]
    const values = withObjectAxis({ dims: evenDims('input_labels', labels), data: leavesOf(labels) }, 3, { isHQ });
    // An array without numbers is float64 in NumPy.
    outputs.input_labels = values.data.length === 0 ? float64(values) : int64('input_labels', values);
  }
  if (boxes) {
    // Called for its check alone: boxes of all images have one shape.
    evenDims('input_boxes', boxes);
    const sizes = sizesOfLists(call.sizes, boxes.length);
    // Python reads boxes as float32, points as they are.
    const coordinates = boxes.map((entry, i) => samCoordinates(call.settings, sizes[i], leavesOf(entry).map(fround)));
    const [{ length: numbersOfImage }] = coordinates;
    if (numbersOfImage % 4 !== 0) rangeError(`input_boxes must hold four numbers a box, got ${numbersOfImage}`);
    outputs.input_boxes = float64({ dims: [boxes.length, numbersOfImage / 4, 4], data: coordinates.flat() });
  }
  return outputs;
}

/** The number that points and boxes are filled up with. @type {(call: PromptCall) => number} */
const padOf = ({ file }) => (typeof file.point_pad_value === 'number' ? file.point_pad_value : -10);

/** Rounds the coordinates x, y, x, y … of points or boxes to float32, and scales x by the width of their image and y by
 * its height. The first of `dims` are the images. Not scaled is a point or a box, a row of `rowLength` numbers, that
 * holds the number `pad`, nor one beyond the last image. `scaleOne`: computes the scaled coordinate from a coordinate
 * and the image's side in pixels
 * @type {(call: PromptCall, coordinates: Numbers, rows: { rowLength: 2 | 4, pad?: number }, scaleOne: (value: number,
 *   extent: number) => number) => Numbers} */
function scaleRows({ sizes }, { dims, data }, { rowLength, pad }, scaleOne) {
  const [images] = dims;
  const numbersOfImage = data.length / images;
  const floats = data.map(fround);
  /** @type {(row: number) => boolean} */
  const isPadding = (row) =>
    pad !== undefined && floats.slice(row * rowLength, (row + 1) * rowLength).includes(fround(pad));
  const scaled = floats.map((value, i) => {
    const size = sizes[Math.floor(i / numbersOfImage)];
    if (!size || isPadding(Math.floor(i / rowLength))) return value;
    const isX = i % 2 === 0;
    return scaleOne(value, isX ? size.width : size.height);
  });
  return { dims, data: scaled };
}

/** Makes the outputs of SAM 2's points [images, objects, points, 2], labels [images, objects, points] and boxes
 * [images, boxes, 4], scaled to the square that pictures are resized to. Points and labels are filled up to the longest
 * lists; of boxes each image has to have as many.
 * @type {(call: PromptCall) => Outputs} */
function sam2Prompts(call) {
  const { input_points: points, input_labels: labels, input_boxes: boxes } = call.options;
  checkDepth('input_points', points, 4);
  checkDepth('input_labels', labels, 3);
  checkDepth('input_boxes', boxes, 3);
  const [pointDims, labelDims] = [points, labels].map((value) => value && longestLengths(value, 3));
  if (pointDims && labelDims && String(pointDims) !== String(labelDims))
    rangeError(`input_labels must be as many as input_points, [${pointDims}], got [${labelDims}]`);
  const pad = padOf(call);
  // The side of the square, where the file states it; else that of `size`.
  const { target_size: targetSize } = call.file;
  /** Scales a coordinate from a side of `extent` pixels to the square's, in the order of Python's float32.
   * @type {(value: number, extent: number) => number} */
  const toSquare = (value, extent) => {
    const target = typeof targetSize === 'number' ? targetSize : exactSize(call.settings.size).height;
    return fround(value * fround(fround(1 / extent) * target));
  };
  /** @type {Outputs} */
  const outputs = {};
  if (points && pointDims) {
    const dims = [...pointDims, 2];
    const padded = { dims, data: paddedLeaves(points, dims, pad) };
    outputs.input_points = float32(scaleRows(call, padded, { rowLength: 2, pad }, toSquare));
  }
  if (labels && labelDims) {
    const padded = { dims: labelDims, data: paddedLeaves(labels, labelDims, trunc(pad)) };
    outputs.input_labels = int64('input_labels', padded);
  }
  if (boxes) {
    const values = { dims: evenDims('input_boxes', boxes), data: leavesOf(boxes) };
    outputs.input_boxes = float32(scaleRows(call, values, { rowLength: 4 }, toSquare));
  }
  return outputs;
}

/** Makes the outputs of SAM 3's boxes, as center x, center y, width and height in parts of the image's sides, and of
 * their labels, 1 if they are not given. Boxes of all images are filled up to the longest list; null stands for the
 * list of an image without boxes. No outputs without boxes.
 * @type {(call: PromptCall) => Outputs} */
function sam3Prompts(call) {
  const { input_boxes: boxes } = call.options;
  if (!boxes) return {};
  const boxLists = /** @type {(Nested | null)[]} */ (boxes);
  const allOnes = boxLists.map((list) => list && Array(list.length).fill(1));
  const { input_boxes_labels: labels = allOnes } = call.options;
  checkDepth('input_boxes', boxes, 3);
  checkDepth('input_boxes_labels', labels, 2);
  const [boxDims, labelDims] = [boxes, labels].map((value) => longestLengths(value, 2));
  if (String(boxDims) !== String(labelDims))
    rangeError(`input_boxes_labels must be as many as input_boxes, [${boxDims}], got [${labelDims}]`);
  const pad = padOf(call);
  const dims = [...boxDims, 4];
  const corners = { dims, data: paddedLeaves(boxes, dims, pad) };
  /** @type {(value: number, extent: number) => number} */
  const toShare = (value, extent) => fround(value / fround(extent));
  const { data } = scaleRows(call, corners, { rowLength: 4, pad }, toShare);
  // [left, top, right, bottom] becomes [center x, center y, width, height].
  const centered = data.map((value, i) => {
    const isLeftOrTop = i % 4 < 2;
    if (isLeftOrTop) {
      const end = data[i + 2];
      return fround(fround(value + end) / 2);
    }
    const start = data[i - 2];
    return fround(value - start);
  });
  return {
    input_boxes: float32({ dims, data: centered }),
    input_boxes_labels: int64('input_boxes_labels', { dims: boxDims, data: paddedLeaves(labels, boxDims, trunc(pad)) }),
  };
}
