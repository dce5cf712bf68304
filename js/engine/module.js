/**
 * The wasm module and its memory.
 *
 * The module's memory has a fixed size, whatever the size of the tensors. Tensors stay where the caller has them, and
 * pieces of them pass through one scratch area. So nothing here allocates by the size of a tensor, and no view is ever
 * detached.
 */
import load from '../../dist/layout.mjs';
import { wasm as embedded } from '../../dist/wasm.js';
import { arrayClasses, byteLengthOf, namedAsync, refusal, typedArrayName } from '../arguments/index.js';
import { readWasm, wasmBytes } from '../wasm/index.js';

/**
 * What cpp/bindings.cpp exports. Addresses are in bits where a name says `Bit`, otherwise in bytes.
 * @typedef {object} Layout
 * @property {() => Uint8Array} scratch
 * @property {() => Float64Array} axes three entries an axis: its extent, and its strides in the source and in the
 *   destination, in bits; after the last axis the element's width in bits that `canonicalAxes` left
 * @property {() => Float32Array} channels four entries a channel: source, scale, mean, std
 * @property {number} maxRank how many axes the block of axes holds
 * @property {number} plans how many plans the module holds
 * @property {number} saturateFlag the flags of `convert`: this one or 0, `codesFlag` or 0, and `scaleRoundingFlag`
 *   times a rounding
 * @property {number} codesFlag
 * @property {number} scaleRoundingFlag
 * @property {number} up how float8e8m0 rounds, as are `down` and `nearest`
 * @property {number} down
 * @property {number} nearest
 * @property {number} opaque a channel's source beside the index of a byte, as are `luma` and
 *   `openCvLuma`
 * @property {number} luma
 * @property {number} openCvLuma
 * @property {(elementBits: number, rank: number, onBytes: boolean) => number} canonicalAxes
 * @property {(slot: number, elementBits: number, rank: number, onBytes: boolean) => void} plan
 * @property {(slot: number, sourceBit: number, destinationBit: number) => void} move
 * @property {(from: number, to: number, source: number, destination: number, count: number, flags: number) => void
 *   } convert
 * @property {(to: number, sourceChannels: number, channels: number, planeBytes: number, source: number,
 *   destination: number, count: number) => void} pixels
 * @property {() => Uint8Array} tables a table of 256 numbers of up to 32 bits for each channel, one behind the other
 * @property {(elementBytes: number, sourceChannels: number, channels: number, planeBytes: number, source: number,
 *   destination: number, count: number) => void} lookUp
 * @property {number} sumPillow how a pass sums, as are `sumTorch`, `sumDouble`, `sumOpenCv` and
 *   `sumRescaled`
 * @property {number} sumTorch
 * @property {number} sumDouble
 * @property {number} sumOpenCv
 * @property {number} sumRescaled
 * @property {number} premultiply what becomes of alpha, as is `onWhite`
 * @property {number} onWhite
 * @property {number} none in the place of a filter, of alpha or of a factor
 * @property {number} emitBytes at the end of the scratch area that plans leave alone
 * @property {() => number} planResize makes a plan of the request at the start of the scratch area, which is numbers of
 *   64 bits in the order of `ResizeRequest` in cpp/resize/plan.h; returns how many bytes of it are worth a copy
 * @property {() => boolean} resizeStep makes the next step, which is numbers of 32 bits in the order of `ResizeStep` at
 *   the start of the scratch area; false if there is none
 * @property {number} endless rows or a block of a grid that has no end; see cpp/quantize/grid.h
 * @property {(to: number, count: number, width: number, rows: number, block: number, row: number, column: number,
 *   source: number, scales: number, zeros: number, destination: number) => void} quantize
 * @property {(from: number, to: number, count: number, width: number, rows: number, block: number, row: number,
 *   column: number, source: number, scales: number, zeros: number, destination: number) => void} dequantize
 * @property {(count: number, source: number, range: number) => void} widenRange
 * @property {(bits: number, symmetric: boolean, after: boolean, joined: boolean, measured: boolean, lowest: number,
 *   zero: number, rounded: number, rows: number, columns: number, stride: number, block: number, source: number,
 *   scales: number, zeros: number, codes: number) => number} quantizeColumns
 * @property {(format: number, math: number, first: number, count: number, values: number, destination: number) => void
 *   } range
 * @property {(call: number) => void} scatter the address of eight whole numbers: format, reduction, rows, run, and the
 *   addresses of the rows' numbers, the updates, what is there, and memory to work in
 * @property {(call: number) => void} scatterInPlace the same struct, whose numbers are of 32 bits, and no work
 * @property {number} reduceAdd how `scatter` joins, as are `reduceMul`, `reduceMax`, `reduceMin` and `reduceMulComplex`
 * @property {number} reduceMul
 * @property {number} reduceMax
 * @property {number} reduceMin
 * @property {number} reduceMulComplex
 * @property {number} scatterRows the most rows of one call, and `scatterElements` the most elements
 * @property {number} scatterElements
 */

/**
 * The module. Undefined before `init()`.
 * @type {Layout}
 */
export let layout;
/**
 * All memory that pieces of tensors pass through.
 * @type {Uint8Array}
 */
export let scratch;
/** The address of the scratch area in bytes. */
export let scratchByte = 0;
/**
 * What is made of each channel of an image: source, scale, mean and std.
 * @type {Float32Array}
 */
export let channelBlock;
/**
 * The tables by which bytes of an image become numbers.
 * @type {Uint8Array}
 */
export let tableBlock;
/** @type {Float64Array} */
let axes;
/** @type {Promise<void> | undefined} */
let loading;

/**
 * Loads the wasm module, which is part of the package: nothing is fetched. Call it once before any operator that moves
 * bytes. Concurrent calls share one load. A later call does nothing. A call after a failed one loads again.
 * @param {{ wasm?: WebAssembly.Module | ArrayBufferView | ArrayBuffer }} [options] `wasm`: the module
 *   `onnx-layout/layout.wasm`, compiled or as bytes, for runtimes that forbid compiling
 * @returns {Promise<void>}
 * @throws {TypeError} an unknown option, or an option of the wrong kind
 * @example
 * await init();
 */
export async function init(options) {
  return namedAsync('init', async () => {
    const wasm = readWasm(options);
    if (layout) return;
    loading ??= start(wasm ?? wasmBytes(embedded)).finally(() => {
      loading = undefined;
    });
    await loading;
  });
}

/** @type {(wasm: any) => Promise<void>} */
async function start(wasm) {
  /** @type {(reason: unknown) => void} */
  let fail;
  /** @type {Promise<never>} */
  const failure = new Promise((_, reject) => {
    fail = reject;
  });
  const module = await Promise.race([
    failure,
    load({
      instantiateWasm: (
        /** @type {WebAssembly.Imports} */ imports,
        /** @type {(instance: WebAssembly.Instance) => void} */ done,
      ) => {
        WebAssembly.instantiate(wasm, imports)
          .then((result) => done(/** @type {any} */ (result).instance ?? result))
          .catch(fail);
        return {};
      },
    }),
  ]);
  scratch = module.scratch();
  scratchByte = scratch.byteOffset;
  axes = module.axes();
  channelBlock = module.channels();
  tableBlock = module.tables();
  for (const [name, Class] of Object.entries(arrayClasses)) {
    if (!Class?.BYTES_PER_ELEMENT) continue;
    scratchViews[name] = new Class(scratch.buffer, scratchByte, scratch.length / Class.BYTES_PER_ELEMENT);
  }
  layout = module;
}

/**
 * The module, or an error that says how to get it.
 * @returns {Layout}
 * @throws {Error} before `init()`
 */
export function ready() {
  if (!layout) throw refusal(new Error('call await init() first'));
  return layout;
}

/**
 * The scratch area as each class of typed array, so that `set` copies bytes and no call makes a view.
 * @type {Record<string, any>}
 */
export const scratchViews = {};

/**
 * @param {ArrayBufferView} like
 * @returns {any} the scratch area as the class of another typed array
 */
export const scratchLike = (like) => scratchViews[/** @type {string} */ (typedArrayName(like))];

/**
 * Engines keep arrays of up to so many bytes among the objects. Asking a fresh one for its buffer moves it out, which
 * takes 200 of the 1,500 ns of a small cast (measured): its bytes are staged as its own class, and copied.
 */
const smallBytes = 64;
/** @type {Record<string, any[]>} */
const smallViews = {};

/**
 * The place of a small result in the scratch area, as the result's class; undefined where the result is larger, or has
 * another length than is written.
 * @type {(result: ArrayBufferView, bytes: number) => any}
 */
export function smallView(result, bytes) {
  if (bytes > smallBytes || bytes === 0 || byteLengthOf(result) !== bytes) return undefined;
  const name = /** @type {string} */ (typedArrayName(result));
  const views = (smallViews[name] ??= new Array(smallBytes + 1));
  return (views[bytes] ??= viewAt(scratchViews[name], bytes));
}

/** @type {(whole: any, bytes: number) => any} */
const viewAt = (whole, bytes) =>
  whole.subarray(destinationByte / whole.BYTES_PER_ELEMENT, (destinationByte + bytes) / whole.BYTES_PER_ELEMENT);

/**
 * Writes one axis for the module to read. Strides are in bits.
 * @type {(axis: number, extent: number, source: number, destination: number) => void}
 */
export function setAxis(axis, extent, source, destination) {
  axes[3 * axis] = extent;
  axes[3 * axis + 1] = source;
  axes[3 * axis + 2] = destination;
}

/**
 * One axis of a box. Strides are in bits.
 * @typedef {{ extent: number, source: number, destination: number }} Axis
 */

/**
 * Writes all axes of a box for the module to read.
 * @param {readonly Axis[]} list
 */
export function setAxes(list) {
  for (let i = 0; i < list.length; i++) setAxis(i, list[i].extent, list[i].source, list[i].destination);
}

/**
 * The fewest axes that describe the same box, in the destination's order, outermost first. See cpp/transpose/axes.h.
 * @param {number} elementBits
 * @param {readonly Axis[]} list
 * @param {boolean} onBytes whether the box begins at a byte on both sides
 * @returns {{ bits: number, list: Axis[] }} `bits`: the width of what moves as one element
 */
export function canonicalAxes(elementBits, list, onBytes) {
  setAxes(list);
  const rank = layout.canonicalAxes(elementBits, list.length, onBytes);
  const canonical = Array.from({ length: rank }, (_, i) => ({
    extent: axes[3 * i],
    source: axes[3 * i + 1],
    destination: axes[3 * i + 2],
  }));
  return { bits: axes[3 * layout.maxRank], list: canonical };
}

/** A line of the cache that copies of long runs depend on, in bytes. */
export const lineBytes = 32;

/**
 * The scratch area holds a piece of the source in front and a piece of the destination from this byte on. The distance
 * is half a page more than a multiple of one: a load waits for an earlier store whose address ends in nearly the same
 * 12 bits.
 */
export const destinationByte = 10 * 2 ** 20 + 2048;

/**
 * Where a byte of a typed array lies in its line. Pieces of long runs are staged at the same place of a line: copies of
 * 4 KB or more then run 1.2 to 1.4 times faster, and ten times faster than where both sides lie 8 bytes apart in their
 * pages (measured). Images of 1 to 5 MB gain 1.03 to 1.1 times. Engines do not say where memory lies; in Node it begins
 * 16 bytes after the start of a line.
 * @type {(data: ArrayBufferView, byte: number) => number}
 */
export const placeInLine = ({ byteOffset }, byte) => (16 + byteOffset + byte) % lineBytes;
