/** The box of a part of a picture, as Pillow has it. */
import { copyList, rangeError, show, showList, typeError } from '../../arguments/index.js';

/** Reads [left, top, right, bottom], which may be any numbers.
 * @type {(value: unknown) => number[]} */
export function readEdges(value) {
  if (!Array.isArray(value)) typeError(`box must be [left, top, right, bottom], got ${show(value)}`);
  const box = copyList('box', value);
  if (box.length !== 4) rangeError(`box must hold 4 numbers, got ${showList(box)}`);
  for (const edge of box) if (typeof edge !== 'number') typeError(`box must hold numbers, got ${showList(box)}`);
  return box;
}
