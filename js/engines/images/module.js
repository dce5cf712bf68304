/** The module of images and its memory. It holds all functions of `layout.wasm`, too: where it is loaded first, tensors
 * pass through the same instance. */
import glue from '../../../dist/image.mjs';
import { refusal } from '../../arguments/index.js';
import { instantiate, use } from '../tensors/index.js';
import { loadOnce } from '../loading/index.js';

/** @import { Load } from '../loading/index.js' */
/** @import { Kernels } from './types.js' */

/** @type {Kernels} undefined before `init()` */
let kernels;
/** @type {Uint8Array} all memory that pieces of images pass through */
export let scratch;
/** The address of the scratch area in bytes. */
export let scratchByte = 0;
/** @type {Float64Array} the scratch area as float64 */
export let scratchDoubles;
/** @type {Int32Array} the scratch area as int32 */
export let scratchIntegers;
/** @type {Uint32Array} the struct of a call with more than six numbers */
export let callBlock;
/** @type {Float32Array} the same memory, for floats */
export let callFloats;
/** @type {Uint8Array} the tables by which bytes of an image become numbers */
export let tableBlock;
/** @type {{ loading?: Promise<void> }} */
const once = {};

/** @type {Load} */
export const load = (options, text) => loadOnce(once, options, text, start);

/** @type {(wasm: any) => Promise<void>} */
async function start(wasm) {
  const module = await instantiate(glue, wasm);
  scratch = module.scratch();
  const { buffer, byteOffset, length } = scratch;
  scratchByte = byteOffset;
  scratchDoubles = new Float64Array(buffer, byteOffset, length / 8);
  scratchIntegers = new Int32Array(buffer, byteOffset, length / 4);
  callBlock = module.call();
  callFloats = new Float32Array(buffer, callBlock.byteOffset, callBlock.length);
  tableBlock = module.tables();
  kernels = module;
  use(module);
}

/** Refuses before `init()` of a door that loads this module.
 * @type {(door?: 'image' | 'processors') => Kernels} */
export function ready(door = 'image') {
  if (!kernels) throw refusal(new Error(`call await init() of 'onnx-layout/${door}' first`));
  return kernels;
}
