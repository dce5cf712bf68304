/** The axes that a call names: in range, counted from the front, each once. */
import { rangeError, readWhole, showList } from '../../arguments/index.js';

/** @import { Call, Int64 } from '../types.js' */

/** Counts an index that is in range from the front.
 * @type {(index: Int64, extent: number) => number} */
export function fromFront(index, extent) {
  const number = Number(index);
  return number < 0 ? number + extent : number;
}

/** Refuses a scalar where an axis is needed.
 * @param {string} argument the input's name in messages
 * @param {number | undefined} rank undefined where it is unknown, which passes */
export function checkHasAxis(argument, rank) {
  if (rank === 0) rangeError(`${argument} must have at least one axis, got a scalar`);
}

/** Reads the attribute `axis`.
 * @param {number | bigint | undefined} value
 * @param {number} byDefault
 * @param {number | undefined} rank undefined where it is unknown
 * @param {boolean} [takesNegative] whether the axis may count from the back
 * @returns {number} counted from the front; 0 where the rank is unknown */
export function readAxis(value, byDefault, rank, takesNegative = true) {
  const axis = value === undefined ? byDefault : readWhole('axis', value);
  if (rank === undefined) return 0;
  // 0 - rank, because -rank would be -0 for a scalar, in the message.
  const lowest = takesNegative ? 0 - rank : 0;
  if (!(axis >= lowest && axis < rank)) rangeError(`axis must be in [${lowest}, ${rank - 1}], got ${axis}`);
  return fromFront(axis, rank);
}

/** Reads a list of axes, each named once, and counts them from the front. The version says whether one may be negative.
 * @type {(call: Call, argument: string, list: readonly Int64[], rank: number) => number[]} */
export function readAxes({ schema }, argument, list, rank) {
  const lowest = schema.negativeAxis ? 0 - rank : 0;
  /** @type {number[]} */
  const axes = new Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    if (!(value >= lowest && value < rank))
      rangeError(`${argument} must be in [${lowest}, ${rank - 1}], got ${showList(list)}`);
    const axis = fromFront(value, rank);
    // Ranks are at most 64 and mostly 4: this beats a set.
    for (let k = 0; k < i; k++)
      if (axes[k] === axis) rangeError(`${argument} must name each axis once, got ${showList(list)}`);
    axes[i] = axis;
  }
  return axes;
}
