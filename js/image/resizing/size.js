/** An image's size in pixels. */
import { rangeError, readExtent, showClass, typeError } from '../../arguments/index.js';
import { mostPixels } from '../../engines/images/index.js';

/** @import { Size } from '../types.js' */

/** Rounds to the nearest whole number, halves to the even one, as Python does. @type {(x: number) => number} */
export function roundHalfToEven(x) {
  const nearest = Math.round(x);
  // Math.round takes halves up, so an odd result of a half is one too many. Adding 0 makes 0 of -0.
  return (nearest - x === 0.5 && nearest % 2 !== 0 ? nearest - 1 : nearest) + 0;
}

/** Reads a side in pixels, from 1 to as many as the engine takes.
 * @type {(argument: string, value: unknown) => number} */
export function readSide(argument, value) {
  const extent = readExtent(argument, value);
  if (extent > mostPixels) rangeError(`${argument} must be at most ${mostPixels}, got ${extent}`);
  return extent;
}

/** Whether two pictures, or parts of pictures, have the same size. @type {(a: Size, b: Size) => boolean} */
export const isSameSize = (a, b) => a.width === b.width && a.height === b.height;

/** Refuses sides of more pixels than the engine takes. @type {(argument: string, size: Size) => void} */
export function checkSides(argument, { width, height }) {
  readSide(`${argument} width`, width);
  readSide(`${argument} height`, height);
}

/** Reads an object with `width` and `height`. @type {(argument: string, value: unknown) => Size} */
export function readSize(argument, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    typeError(`${argument} must be a size { width, height }, got ${showClass(value)}`);
  const { width, height } = /** @type {{ width?: unknown, height?: unknown }} */ (value);
  return { width: readSide(`${argument} width`, width), height: readSide(`${argument} height`, height) };
}
