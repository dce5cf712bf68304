/** From a letterbox back to the picture: boxes, points, and masks. */
import * as args from '../arguments/index.js';
import { dtypes, newData } from '../tensor/index.js';
import { splitBar } from './resizing/letterbox-geometry.js';
import { readSize, roundHalfToEven } from './resizing/size.js';

/** @import { LetterboxGeometry, Place, Size, TextPage, UnletterboxOptions } from './types.js' */

/**
 * @template Given
 * @typedef {Given extends ArrayLike<number> ? Float32Array : Size & { x: number, y: number }} Unletterboxed
 */

const formats = /** @type {const} */ (['xyxy', 'xywh', 'points']);
const table = { format: args.word(formats, 'xyxy'), columns: args.extent(undefined) };

/**
 * Brings boxes or points that a model found in a letterbox back to the picture, as `scale_boxes` and `scale_coords` of
 * Ultralytics: each number minus the bar, divided by the scale of its axis, in float32. Boxes of 'xyxy' and points
 * are moved into the picture where they lie beyond its edges. Points of a {@link textPage} are multiplied by its
 * ratios, as RapidOCR does. A size stands for a mask of the whole letterbox: the result is the part of the mask that
 * shows the picture, as in `scale_masks`; resize that part to the picture's size.
 * @template {ArrayLike<number> | Size} Given
 * @param {Given} boxes numbers, row after row; or the width and height of a mask
 * @param {Pick<LetterboxGeometry, 'left' | 'top' | 'scaleX' | 'scaleY' | 'source' | 'center'> |
 *   Pick<TextPage, 'left' | 'top' | 'ratioX' | 'ratioY' | 'source'>} geometry what `letterbox`, `letterboxGeometry` or
 *   `textPage` returned
 * @param {UnletterboxOptions} [options]
 * @returns {Given extends ArrayLike<number> ? Float32Array : Size & { x: number, y: number }} numbers in memory of
 *   their own; or a part of a mask
 * @example
 * const geometry = letterboxGeometry({ width: 1280, height: 720 }, { width: 640, height: 640 });
 * unletterbox([100, 150, 300, 400], geometry); // Float32Array [200, 20, 600, 520]
 */
export function unletterbox(boxes, geometry, options) {
  return args.named('unletterbox', () => {
    const { format: kind, columns } = args.readTable(options, table);
    const used = usedColumns(kind);
    const step = columns ?? used;
    if (step < used) args.rangeError(`columns must be at least ${used} for '${kind}', got ${step}`);
    const place = readGeometry(geometry);
    const isNumbers = Array.isArray(boxes) || args.typedArrayName(boxes) !== undefined;
    if (!isNumbers) return /** @type {Unletterboxed<Given>} */ (maskWindow(readSize('boxes', boxes), place));
    const numbers = readRows(/** @type {ArrayLike<unknown>} */ (boxes), step);
    // In JavaScript: the call of a kernel takes as long as 80 boxes.
    for (let row = 0; row < numbers.length; row += step) bringBack(numbers, row, kind, place);
    return /** @type {Unletterboxed<Given>} */ (numbers);
  });
}

/** The number of columns that are brought back; later ones stay as they are.
 * @type {(kind: typeof formats[number]) => number} */
const usedColumns = (kind) => (kind === 'points' ? 2 : 4);

/** Copies numbers, row after row, as float32. `step`: the numbers of a row
 * @type {(boxes: ArrayLike<unknown>, step: number) => Float32Array} */
function readRows(boxes, step) {
  const list = Array.isArray(boxes) ? args.copyList('boxes', boxes) : boxes;
  if (Array.isArray(list[0]) || ArrayBuffer.isView(list[0]))
    args.typeError('boxes must be numbers, row after row, got a list of rows');
  const { length } = list;
  if (length % step > 0) args.rangeError(`boxes must have whole rows of ${step} numbers, got ${args.show(length)}`);
  const numbers = newData(dtypes.float32, length, undefined);
  for (let i = 0; i < length; i++) numbers[i] = numberAt(list, i);
  return numbers;
}

/** Reads `letterbox`'s or `textPage`'s result to the numbers that bring boxes back. `multiplies`: whether boxes are
 * multiplied by the factors, as for `textPage` (RapidOCR's ratios), or divided, as for a letterbox (its scales)
 * @type {(geometry: Partial<LetterboxGeometry & TextPage>) => Place} */
function readGeometry(geometry) {
  if (typeof geometry !== 'object' || geometry === null)
    args.typeError(`geometry must be what letterbox returns, got ${args.showClass(geometry)}`);
  const { left, top, scaleX, scaleY, ratioX, ratioY, source, center } = geometry;
  const multiplies = ratioX !== undefined;
  const factors = multiplies ? { ratioX, ratioY } : { scaleX, scaleY };
  for (const [name, value] of Object.entries({ left, top, ...factors })) {
    if (typeof value !== 'number') args.typeError(`geometry ${name} must be a number, got ${args.show(value)}`);
    if (!Number.isFinite(value)) args.rangeError(`geometry ${name} must be finite, got ${args.show(value)}`);
  }
  for (const [name, value] of Object.entries(factors))
    if (!(/** @type {number} */ (value) > 0))
      args.rangeError(`geometry ${name} must be above 0, got ${args.show(value)}`);
  return {
    bars: /** @type {number[]} */ ([left, top]),
    factors: /** @type {number[]} */ (Object.values(factors)).map(Math.fround),
    multiplies,
    source: readSize('geometry source', source),
    center: center !== false, // textPage gives none: its picture is in the middle
  };
}

/** Reads an entry of `boxes`. @type {(list: ArrayLike<unknown>, i: number) => number} */
function numberAt(list, i) {
  const value = list[i];
  if (typeof value !== 'number') args.typeError(`boxes must hold numbers, got ${args.show(value)}`);
  return value;
}

/** Brings the box or point that begins at the entry `row` of `numbers` from the letterbox back to the picture, in place
 * and with each step in float32. `place`: the bars to the left and above, and a factor for x and one for y
 * @type {(numbers: Float32Array, row: number, kind: typeof formats[number], place: Place) => void} */
function bringBack(numbers, row, kind, { bars, factors, multiplies, source }) {
  const edges = [source.width, source.height];
  for (let column = 0; column < usedColumns(kind); column++) {
    const axis = column % 2; // x, y
    const isExtent = kind === 'xywh' && column > 1; // a width or height, which no bar moves
    const number = numbers[row + column];
    const moved = isExtent ? number : Math.fround(number - bars[axis]);
    const scaled = Math.fround(multiplies ? moved * factors[axis] : moved / factors[axis]);
    numbers[row + column] = kind === 'xywh' ? scaled : Math.min(Math.max(scaled, 0), edges[axis]);
  }
}

/** The part of a mask that shows the picture, as in Ultralytics' scale_masks. A mask may have another size than the
 * letterbox, so its bars are computed anew.
 * @type {(mask: Size, place: Place) => Size & { x: number, y: number }} */
function maskWindow(mask, { source, center }) {
  const gain = Math.min(mask.height / source.height, mask.width / source.width);
  const width = Math.max(1, roundHalfToEven(source.width * gain));
  const height = Math.max(1, roundHalfToEven(source.height * gain));
  const [x] = splitBar(mask.width - width, center);
  const [y] = splitBar(mask.height - height, center);
  return { x, y, width, height };
}
