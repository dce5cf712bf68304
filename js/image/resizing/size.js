/** An image's size in pixels. */
import { rangeError, readWhole, show, showClass, typeError } from '../../arguments/index.js';
import { mostPixels } from '../../engine/index.js';

/** @typedef {{ width: number, height: number }} Size */

/**
 * To the nearest whole number, half to even, as Python rounds.
 * @param {number} x
 * @returns {number}
 */
export function roundHalfToEven(x) {
  const nearest = Math.round(x);
  // Adding 0 makes 0 of -0.
  return (nearest - x === 0.5 && nearest % 2 !== 0 ? nearest - 1 : nearest) + 0;
}

/**
 * Reads one extent that a caller states.
 * @param {string} argument
 * @param {unknown} value
 * @returns {number} at least 1
 */
export function readExtent(argument, value) {
  const extent = readWhole(argument, value);
  if (!(extent >= 1 && Number.isSafeInteger(extent))) rangeError(`${argument} must be at least 1, got ${show(value)}`);
  return /** @type {number} */ (extent);
}

/**
 * Reads one extent of a picture that is resized.
 * @param {string} argument
 * @param {unknown} value
 * @returns {number} at least 1
 */
export function readSide(argument, value) {
  const side = readExtent(argument, value);
  if (side > mostPixels) rangeError(`${argument} must be at most ${mostPixels}, got ${side}`);
  return side;
}

/**
 * Refuses pixels that have too many for the passes of resizing.
 * @param {string} argument
 * @param {Size} size
 */
export function checkSides(argument, { width, height }) {
  readSide(`${argument} width`, width);
  readSide(`${argument} height`, height);
}

/**
 * Reads the size of a picture.
 * @param {string} argument
 * @param {any} value
 * @returns {Size}
 */
export function readSize(argument, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    typeError(`${argument} must be a size { width, height }, got ${showClass(value)}`);
  const { width, height } = value;
  return {
    width: readSide(`${argument} width`, width),
    height: readSide(`${argument} height`, height),
  };
}
