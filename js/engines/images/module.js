/** The module of images and its memory, which is that of `layout.wasm`: both share one scratch area. */
import { Arena } from '../memory/index.js';
import { memory, scratch, scratchByte } from '../tensors/index.js';

/** @import { Layout } from '../tensors/types.js' */
/** @import { Kernels } from './types.js' */

/** @type {Kernels & Layout} undefined until it is loaded */
export let kernels;
/** The scratch area, for arrays one behind the other. */
export const area = new Arena();
/** @type {Int32Array} the scratch area as int32 */
export let scratchIntegers;
/** @type {Uint32Array} the struct of a call with more than six numbers */
export let callBlock;
/** @type {Float32Array} the same memory, for floats */
export let callFloats;
/** @type {Uint8Array} the tables by which bytes of an image become numbers */
export let tableBlock;

export { scratch, scratchByte };

const callBytes = 128;
const tableBytes = 4 * 256 * 4;
/** Before the name of each number that the module exports, as a function that gives it. */
const constant = 'constant ';

/** @typedef {Record<string, (...numbers: number[]) => number>} Exports */

/** Takes the exports of the module: sets the views of its memory above, tells it where the scratch area is, and joins
 * its functions and numbers with those of `layout.wasm` to `kernels`.
 * @type {(exports: Exports, layout: Layout) => void} */
export function use({ call, tables, useScratch, ...exports }, layout) {
  const { buffer, byteOffset, length } = scratch;
  area.setBounds(memory, byteOffset, byteOffset + length);
  scratchIntegers = new Int32Array(buffer, byteOffset, length / 4);
  callBlock = new Uint32Array(buffer, call(), callBytes / 4);
  callFloats = new Float32Array(buffer, callBlock.byteOffset, callBlock.length);
  tableBlock = new Uint8Array(buffer, tables(), tableBytes);
  useScratch(byteOffset);
  const functions = /** @type {Kernels & Layout & Record<string, unknown>} */ ({ ...layout });
  for (const [name, value] of Object.entries(exports))
    if (name.startsWith(constant)) functions[name.slice(constant.length)] = value();
    else functions[name] = value;
  kernels = functions;
}
