/** The box of a part of a picture, as Pillow has it. */
import { copyList, show, showList, wrongKind, wrongValue } from '../arguments/index.js';

/**
 * Reads the four edges of a box.
 * @param {string} prefix
 * @param {any} value
 * @returns {number[]} left, top, right and bottom
 */
export function readEdges(prefix, value) {
  if (!Array.isArray(value)) wrongKind(prefix, `box must be [left, top, right, bottom], got ${show(value)}`);
  const box = copyList(prefix, 'box', value);
  if (box.length !== 4) wrongValue(prefix, `box must hold 4 numbers, got ${showList(box)}`);
  for (const edge of box)
    if (typeof edge !== 'number') wrongKind(prefix, `box must hold numbers, got ${showList(box)}`);
  return box;
}
