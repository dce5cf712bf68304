/** What is asked of the engine where pixels are resized. */
import { ready } from './module.js';

/**
 * An image: interleaved bytes, row after row.
 * @typedef {object} Image
 * @property {Uint8Array} data
 * @property {number} width
 * @property {number} height
 * @property {number} channels bytes of a pixel: 1 to 4
 * @property {number} rowstride bytes from one row to the next
 */

/**
 * One axis of a picture and of its result, of which the pixels `first` to `first + count` are made.
 * @typedef {object} ResizeAxis
 * @property {number} [filter] a code that the module exports; undefined where nothing changes: then pixel i of the
 *   result is pixel `from` + i of the source
 * @property {number} extent pixels of the source
 * @property {number} from the part of the source that becomes the result, float32 numbers
 * @property {number} to
 * @property {number} size pixels of the whole result
 * @property {number} first
 * @property {number} count
 * @property {number} [precision] of the weights, once it is known
 * @property {number} [factor] of OpenCV's rules: pixels of the result for one of the source; `from` is 0 and `to` the
 *   extent
 */

/**
 * A picture to resize, and how.
 * @typedef {object} Resizing
 * @property {Image} image whose channels are 4 in mode F, one float32
 * @property {'pillow' | 'torch' | 'double' | 'opencv'} sums how a pass sums: bytes by Pillow's weights or by torch's,
 *   float32, or bytes by OpenCV's rules, which leave sums of four bytes between the passes
 * @property {boolean} isNearest whether the filters of both axes are nearest
 * @property {boolean} isDownFirst whether the pass down the columns comes first
 * @property {ResizeAxis} columns
 * @property {ResizeAxis} rows
 * @property {number} [counted] channels that count, where the others are dropped behind; all if omitted. OpenCV's cubic
 *   rounds the last numbers of a row in another way
 * @property {'premultiplied' | 'white' | undefined} alpha what becomes of the last channel: colors are multiplied with
 *   it before, and divided by it behind; or the picture lies on white
 * @property {Reduction} [reduction] what comes before: the axes' source is its result
 */

/**
 * A picture made smaller by whole factors, by the means of cells.
 * @typedef {object} Reduction
 * @property {number} factorX pixels of a cell
 * @property {number} factorY
 * @property {number} left the part of the picture that cells cover
 * @property {number} top
 * @property {number} right
 * @property {number} bottom
 */

/**
 * Rows of the result, or a block of their columns, in the scratch area from byte `at` on, one row after the other.
 * @callback Emit
 * @param {number} at
 * @param {number} row
 * @param {number} rows
 * @param {number} column
 * @param {number} columns
 * @returns {void}
 */

/**
 * The most pixels of a side, of the picture and of the result: the taps of one pixel have to fit into the scratch area.
 */
export const mostPixels = 2 ** 16;

/**
 * @param {string} filter its name in cpp/resize/filters.def
 * @returns {number}
 */
export const filterCode = (filter) => /** @type {any} */ (ready())[`filter${filter}`];

/**
 * @param {string} rule its name in cpp/resize/opencv.def
 * @returns {number}
 */
export const ruleCode = (rule) => /** @type {any} */ (ready())[`openCv${rule}`];
