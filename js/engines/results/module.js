/**
 * The postprocess module and its memory. It is apart from the module that moves bytes, so a page that only prepares
 * inputs does not load it. It imports nothing and has no glue.
 *
 * The memory is as large as the outputs of a call need, from 1 MiB to 2 GiB. After a call that took more than 64 MiB,
 * the module starts again, so the memory is given back.
 */
import { rangeError, showList } from '../../arguments/index.js';
import { Arena } from '../memory/index.js';

/** @import { ModuleMemory } from '../memory/index.js' */

const pageBytes = 65536;
const keptBytes = 64 * 2 ** 20;
/** Kernels count in int32. */
const maxExtent = 2 ** 31 - 1;

class GrowingArena extends Arena {
  /** Grows the memory until all arrays of the arena fit, with the next one. Views of the memory are dead afterwards.
   * `totalBytes`: of all arrays, with the next one.
   * @type {Arena['makeRoom']} */
  makeRoom(totalBytes, nextBytes) {
    if (!(nextBytes >= 0)) rangeError(`memory must have 0 bytes or more, got ${nextBytes}`);
    const { memory } = this;
    // The arrays begin at `first`, behind the module's own data and stack.
    const missingBytes = this.first + totalBytes - memory.buffer.byteLength;
    try {
      memory.grow(Math.ceil(missingBytes / pageBytes));
    } catch {
      rangeError(`outputs must fit in the module's 2 GiB, got work of ${totalBytes} bytes`);
    }
    this.end = memory.buffer.byteLength;
  }
}

export const arena = new GrowingArena();
/** The functions of postprocess_exports.cpp and mask_exports.cpp in cpp/modules. Addresses and counts are numbers.
 * @type {Record<string, (...numbers: number[]) => number>} */
export let kernels;
/** The module itself, to make a new instance of it.
 * @type {WebAssembly.Module} */
let compiled;

/** Takes an instance of the module: sets `kernels`, and gives its memory behind the heap's start to `arena`.
 * @type {(instance: { exports: object }, module: WebAssembly.Module) => void} */
export function use(instance, module) {
  compiled = module;
  const { memory, ...functions } = /** @type {typeof kernels & { memory: ModuleMemory }} */ (instance.exports);
  arena.setBounds(memory, functions.heap(), memory.buffer.byteLength);
  kernels = functions;
}

/**
 * Runs work that takes memory of `arena`, and frees that memory afterwards. The module is loaded. Work may run inside
 * other work; after the outermost one, a memory of more than `keptBytes` is given up with its instance.
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
export function runInMemory(work) {
  const outerCount = arena.count;
  try {
    return work();
  } finally {
    arena.clear(outerCount);
    if (outerCount === 0 && arena.memory.buffer.byteLength > keptBytes)
      use(new WebAssembly.Instance(compiled, {}), compiled);
  }
}

/** Multiplies extents. Refuses an extent that is no whole number from `least` on, or does not fit int32; the product
 * may be larger.
 * @type {(extents: readonly number[], least?: number) => number} */
export function sizeOf(extents, least = 0) {
  let size = 1;
  for (const extent of extents) {
    if (!(Number.isInteger(extent) && extent >= least))
      rangeError(`extents must be whole numbers from ${least} on, got ${showList(extents)}`);
    if (extent > maxExtent) rangeError(`outputs must fit in the module's 2 GiB, got extents ${showList(extents)}`);
    size *= extent;
  }
  return size;
}

/** Refuses the extents that {@link sizeOf} refuses.
 * @type {(extents: readonly number[], least?: number) => void} */
export const checkExtents = (extents, least) => void sizeOf(extents, least);

/** Counts the rows of `width` numbers that an array holds; 0 if the width is 0. Refuses an array whose last row is not
 * whole.
 * @type {(data: ArrayLike<unknown>, width: number) => number} */
export function rowsIn(data, width) {
  if (sizeOf([width]) === 0) return 0;
  const rows = data.length / width;
  return Number.isInteger(rows) ? rows : rangeError(`data must hold rows of ${width}, got ${data.length} numbers`);
}
