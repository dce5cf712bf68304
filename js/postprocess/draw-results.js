/** Draws results over their picture, on a 2D context of any canvas. A thing is one result: what stands at an index of
 * the boxes, masks or keypoints. */
import {
  isList,
  named,
  rangeError,
  readEntries,
  readOptions,
  readText,
  showClass,
  showList,
  typeError,
} from '../arguments/index.js';
import { tracedContours } from './contours.js';
import { checkShape, readFloats, readIntegers, readMasks } from './tensors.js';

/** @import { TensorLike } from '../tensor/index.js' */

/**
 * The part of a 2D context that drawing needs: browsers, workers and the canvas packages for Node have it.
 * @typedef {object} Context2D
 * @property {{ width: number, height: number }} canvas
 * @property {unknown} fillStyle a color here; of other code, whatever the context takes
 * @property {unknown} strokeStyle
 * @property {number} lineWidth
 * @property {string} font
 * @property {number} globalAlpha
 * @property {(text: string) => { width: number }} measureText
 * @property {(x: number, y: number, width: number, height: number) => void} fillRect
 * @property {(x: number, y: number, width: number, height: number) => void} strokeRect
 * @property {(text: string, x: number, y: number) => void} fillText
 * @property {() => void} beginPath
 * @property {(x: number, y: number) => void} moveTo
 * @property {(x: number, y: number) => void} lineTo
 * @property {() => void} closePath
 * @property {(x: number, y: number, radius: number, start: number, end: number) => void} arc
 * @property {() => void} fill
 * @property {() => void} stroke
 */

/**
 * Results of a picture, in its pixels. All but `boxes`, `masks` or `keypoints` may be missing, one of which is
 * there.
 * @typedef {object} DrawableResults
 * @property {TensorLike} [boxes] [n, 4]: left, top, right and bottom
 * @property {TensorLike} [scores] [n], of 0 to 1
 * @property {TensorLike} [labels] [n], whole numbers
 * @property {readonly string[]} [label_names] n texts, in the place of `labels`
 * @property {TensorLike} [masks] [n, height, width]
 * @property {TensorLike} [keypoints] [n, points, 2 or 3]: x, y, and how visible a point is
 */

/** Colors that white text can be read on. */
const usualColors = ['#d92d20', '#175cd3', '#067647', '#b54708', '#6938ef', '#0e7090', '#c11574', '#475467'];
/** The longer side, in pixels, of a picture whose lines are two pixels wide. All sizes grow with the picture. */
const usualSide = 640;
/** Keypoints whose visibility is lower are not drawn. */
const leastVisible = 0.5;

/**
 * @typedef {object} DrawOptions
 * @property {readonly string[] | Readonly<Record<string, string>>} [labels] The name of each label: a list, or the
 *   `id2label` of a configuration. Numbers are drawn if omitted.
 * @property {readonly string[]} [colors] CSS colors, which labels take in turn: eight dark ones if omitted.
 * @property {{ x: number, y: number, width: number, height: number }} [maskPart] The part of a mask that is the
 *   picture, as `unletterbox` gives it for the masks of YOLO: all of it if omitted.
 */

/**
 * Draws results over the picture that a canvas shows: masks, boxes with their labels and scores, keypoints.
 * @param {Context2D} context of a canvas with as many pixels as the picture
 * @param {DrawableResults} results of one picture, as `decodeYolo` and `post_process_object_detection` give them
 * @param {DrawOptions} [options]
 * @example
 * const context = canvas.getContext('2d');
 * const boxes = Tensor.from('float32', [40, 60, 200, 300], [1, 4]);
 * drawResults(context, { boxes, labels: Tensor.from('int32', [1]) }, { labels: ['cat', 'dog'] });
 */
export function drawResults(context, results, options) {
  named('drawResults', () => {
    if (typeof context?.strokeRect !== 'function') typeError(`context must be a 2D context, got ${showClass(context)}`);
    const { labels: names, colors = usualColors, maskPart } = readOptions(options, ['labels', 'colors', 'maskPart']);
    const palette = readEntries('colors', colors).map((color, i) => readText(`colors[${i}]`, color));
    if (palette.length === 0) rangeError('colors must have an entry at least, got []');
    const drawn = readResults(results);
    const unit = Math.max(context.canvas.width, context.canvas.height) / usualSide;
    const things = Array.from({ length: drawn.count }, (_, i) => ({
      i,
      color: colorOf(palette, drawn.labels?.[i]),
      title: titleOf(drawn, i, names),
    }));
    if (drawn.masks) for (const thing of things) drawMask(context, drawn.masks, thing, maskPart);
    if (drawn.boxes) for (const thing of things) drawBox(context, drawn.boxes, thing, unit);
    if (drawn.keypoints) for (const thing of things) drawPoints(context, drawn.keypoints, thing, unit);
  });
}

/** @typedef {{ dims: number[], data: Float32Array | Uint8Array }} Numbers */
/** @typedef {{ i: number, color: string, title: string }} Thing */
/** @typedef {Readonly<Record<number, string>>} ClassNames */
/** @typedef {{ x: number, y: number, width: number, height: number }} MaskPart */
/** @typedef {{ count: number, boxes?: Numbers, masks?: Numbers, keypoints?: Numbers, scores?: Float32Array,
 *   labels?: Int32Array, label_names?: readonly string[] }} Found */

/** Reads a picture's results. One of boxes, masks and keypoints must be there; all must have as many entries (`count`).
 * @type {(results: DrawableResults) => Found} */
function readResults(results) {
  if (typeof results !== 'object' || results === null || isList(results))
    typeError(`results must be those of one picture, got ${showClass(results)}`);
  const { boxes, scores, labels, label_names: texts, masks, keypoints } = results;
  const read = {
    boxes: boxes && readFloats('boxes', boxes, ['n', 4]),
    masks: masks && readMasks('masks', masks, ['n', 'height', 'width']),
    keypoints: keypoints && readFloats('keypoints', keypoints, ['n', 'points', 'numbers']),
  };
  const first = read.boxes ?? read.masks ?? read.keypoints;
  if (!first) return typeError(`results must have boxes, masks or keypoints, got ${showList(Object.keys(results))}`);
  const [count] = first.dims;
  for (const [name, numbers] of Object.entries(read))
    if (numbers) checkShape(name, numbers.dims, [count, ...numbers.dims.slice(1)]);
  return {
    count,
    ...read,
    scores: scores && readFloats('scores', scores, [count]).data,
    labels: labels && readIntegers('labels', labels, [count]).data,
    label_names: texts && readEntries('label_names', texts),
  };
}

/** Labels take colors in turn, negative ones too. @type {(palette: readonly string[], label?: number) => string} */
const colorOf = (palette, label = 0) => /** @type {string} */ (palette.at(label % palette.length));

/** Writes the title of result `i`: the name or, without one, the number of its label, and its score in percent, as
 * far as the result has them. `names`: the names of the labels, by number.
 * @type {(drawn: Found, i: number, names: ClassNames | undefined) => string} */
function titleOf({ labels, label_names: texts, scores }, i, names) {
  const label = labels?.[i];
  const nameOfLabel = label === undefined ? '' : (names?.[label] ?? String(label));
  const name = texts?.[i] ?? nameOfLabel;
  const score = scores ? `${Math.round(100 * scores[i])} %` : '';
  return [name, score].filter((part) => part !== '').join(' ');
}

/** Sizes of a title, in units of half the width of a line. */
const titleSizes = { font: 14, padding: 5, barHeight: 20, baseline: 15 };
/** The opacity of a mask. */
const maskAlpha = 0.45;
/** The radius of a keypoint's dot, in units of the width of its rim. */
const dotRadius = 3;

/** Draws the outline of a box and, above it, a bar with its title, inside the canvas. `unit`: pixels of half a line.
 * @type {(context: Context2D, boxes: Numbers, thing: Thing, unit: number) => void} */
function drawBox(context, { data }, { i, color, title }, unit) {
  const [left, top, right, bottom] = data.subarray(4 * i, 4 * i + 4);
  context.lineWidth = 2 * unit;
  context.strokeStyle = color;
  context.strokeRect(left, top, right - left, bottom - top);
  if (!title) return;
  const { font, padding, barHeight, baseline } = titleSizes;
  context.font = `600 ${font * unit}px sans-serif`;
  const width = context.measureText(title).width + 2 * padding * unit;
  // The bar begins at the outer edge of the outline, which is half a line left of the box.
  const x = Math.max(0, Math.min(left - unit, context.canvas.width - width));
  const y = Math.max(0, top - barHeight * unit);
  context.fillStyle = color;
  context.fillRect(x, y, width, barHeight * unit);
  context.fillStyle = '#fff';
  context.fillText(title, x + padding * unit, y + baseline * unit);
}

/** Fills a mask with a transparent color, inside the outer borders of its regions. `part`: the rectangle of the mask,
 * in its pixels, that the canvas shows; all of it if undefined.
 * @type {(context: Context2D, masks: Numbers, thing: Thing, part: MaskPart | undefined) => void} */
function drawMask(context, { dims, data }, { i, color }, part) {
  const [, height, width] = dims;
  const shown = part ?? { x: 0, y: 0, width, height };
  const pixels = height * width;
  const mask = { type: 'bool', dims: [height, width], data: data.subarray(i * pixels, (i + 1) * pixels) };
  context.beginPath();
  for (const contour of tracedContours(mask, { mode: 'external' }).contours)
    addOutline(context, /** @type {Int32Array} */ (contour.data), shown);
  const { globalAlpha } = context;
  context.globalAlpha = globalAlpha * maskAlpha;
  context.fillStyle = color;
  context.fill();
  context.globalAlpha = globalAlpha;
}

/** Adds a closed line to the context's path. `points`: x and y in turn, in pixels of a mask; `shown`: the rectangle of
 * the mask that the canvas shows.
 * @type {(context: Context2D, points: Int32Array, shown: MaskPart) => void} */
function addOutline(context, points, shown) {
  const [scaleX, scaleY] = [context.canvas.width / shown.width, context.canvas.height / shown.height];
  for (let k = 0; k < points.length; k += 2) {
    const [centerX, centerY] = [points[k] + 0.5, points[k + 1] + 0.5];
    const [x, y] = [(centerX - shown.x) * scaleX, (centerY - shown.y) * scaleY];
    if (k === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.closePath();
}

/** Draws the visible keypoints of a result as dots with a white rim. Keypoints of two numbers count as visible. `unit`:
 * the width of the rim in pixels.
 * @type {(context: Context2D, keypoints: Numbers, thing: Thing, unit: number) => void} */
function drawPoints(context, { dims, data }, { i, color }, unit) {
  const [, points, numbers] = dims;
  for (let k = 0; k < points; k++) {
    const first = (i * points + k) * numbers;
    const [x, y, visible = 1] = data.subarray(first, first + numbers);
    if (!(visible >= leastVisible)) continue;
    context.beginPath();
    context.arc(x, y, dotRadius * unit, 0, 2 * Math.PI);
    context.fillStyle = color;
    context.fill();
    context.lineWidth = unit;
    context.strokeStyle = '#fff';
    context.stroke();
  }
}
