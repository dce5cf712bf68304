/**
 * The wasm module and its memory. Beside this file, only stream.js, strips.js, split.js and convert.js see addresses and views of wasm memory.
 *
 * The module's memory has a fixed size whatever the tensors': tensors stay where the caller has them, and pieces of them stream
 * through one scratch area, so that nothing here allocates by the size of a tensor and no view is ever detached.
 */
import load from '../../dist/layout.mjs';
import { wasm as embedded } from '../../dist/wasm.js';
import { arrayClasses, readOptions, show, typedArrayName, wrongKind } from '../arguments/index.js';
import { lineBytes, slabLimit } from './stage.js';

/**
 * What cpp/bindings.cpp exposes. Addresses and phases are in bits; the axes block has extent, source stride and destination
 * stride (in bits) of each axis.
 * @typedef {object} Layout
 * @property {() => Uint8Array} scratch
 * @property {() => Float64Array} axes three entries an axis, and after the 64th axis the element's width that canonicalAxes left
 * @property {(elementBits: number, rank: number) => number} canonicalAxes
 * @property {(elementBits: number, rank: number, sourceBit: number, destinationBit: number) => void} transpose
 * @property {(from: number, to: number, source: number, destination: number, count: number, flags: number) => void} convert
 * @property {() => Float32Array} channels four entries a channel: source, scale, mean, std
 * @property {(to: number, sourceChannels: number, channels: number, planeBytes: number, source: number, destination: number, count: number) => void} pixels
 */

/** @type {Layout | undefined} */
let layout;
/** @type {Uint8Array} */
export let scratch;
/** The scratch area's address in bits. */
export let scratchBit = 0;
/** @type {Float64Array} */
export let axes;
/** @type {Float32Array} */
export let channelBlock;

/** @type {Promise<void> | undefined} */
let loading;

/**
 * Loads the wasm module, which is inside of the package: nothing is fetched. Needed once, before the operators that move bytes.
 * Concurrent calls share one load, a later call does nothing, a failed one can be repeated.
 * @param {{ wasm?: WebAssembly.Module | ArrayBufferView | ArrayBuffer }} [options] `wasm`: the module `onnx-layout/layout.wasm`, compiled or
 *   as bytes, for runtimes that forbid compiling
 * @returns {Promise<void>}
 * @throws {TypeError} an option that is unknown or of the wrong kind
 * @example
 * await init();
 */
export async function init(options) {
  const { wasm } = readOptions('init', options, ['wasm']);
  const isSource =
    ArrayBuffer.isView(wasm) ||
    ['[object WebAssembly.Module]', '[object ArrayBuffer]'].includes(Object.prototype.toString.call(wasm));
  if (wasm !== undefined && !isSource)
    wrongKind('init', `wasm must be a WebAssembly.Module or bytes, got ${show(wasm)}`);
  if (layout) return;
  loading ??= start(wasm ?? embeddedBytes()).finally(() => {
    loading = undefined;
  });
  await loading;
}

/** The module as the package holds it: two hexadecimal digits a byte. */
function embeddedBytes() {
  // parseInt over slices takes 10 times as long.
  /** @type {(at: number) => number} */
  const digit = (at) => {
    const character = embedded.charCodeAt(at);
    return (character & 15) + (character >> 6) * 9;
  };
  const bytes = new Uint8Array(embedded.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (digit(2 * i) << 4) | digit(2 * i + 1);
  return bytes;
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
  scratchBit = 8 * scratch.byteOffset;
  axes = module.axes();
  channelBlock = module.channels();
  for (const [name, Class] of Object.entries(arrayClasses)) {
    if (!Class?.BYTES_PER_ELEMENT) continue;
    classViews[name] = new Class(scratch.buffer, scratch.byteOffset, scratch.length / Class.BYTES_PER_ELEMENT);
    lengthViews[name] = new Map();
  }
  words16 = classViews.Uint16Array;
  words32 = classViews.Uint32Array;
  layout = module;
}

/**
 * @param {string} name of the function that is called
 * @returns {Layout}
 * @throws {Error} before init()
 */
export function ready(name) {
  if (!layout) throw new Error(`${name}: call await init() first`);
  return layout;
}

/**
 * The scratch area holds a piece of the source in front, a piece of the destination behind, half a page further: a load waits for an
 * earlier store whose address ends in nearly the same 12 bits.
 */
export const sourceBytes = slabLimit * 1.25 + 2048;
/** The scratch area as every class of typed array, so that `set` copies bytes and makes no view. @type {Record<string, any>} */
const classViews = {};
/** Views of the destination's part, by class and length. @type {Record<string, Map<number, any>>} */
const lengthViews = {};
/** @type {Uint16Array} */
export let words16;
/** @type {Uint32Array} */
export let words32;

/** The source's part of the scratch area. @type {(like: ArrayBufferView) => any} */
export const viewOf = (like) => classViews[/** @type {string} */ (typedArrayName(like))];

/** The destination's part of the scratch area. @type {(like: ArrayBufferView, length: number) => any} */
export function destinationView(like, length) {
  const name = /** @type {string} */ (typedArrayName(like));
  const views = lengthViews[name];
  let view = views.get(length);
  if (!view) {
    if (views.size >= 64) views.clear();
    const whole = classViews[name];
    const first = sourceBytes / whole.BYTES_PER_ELEMENT;
    views.set(length, (view = whole.subarray(first, first + length)));
  }
  return view;
}

/**
 * Where in a line of 32 bytes a byte of a tensor lies. Pieces are staged alike: copies of 4 KB and more run 1.2 to 1.4 times faster
 * like that, and ten times faster than where the two lie 8 bytes apart in their pages. Engines do not tell where memory lies; in Node it
 * begins 16 bytes after such a line.
 * @type {(data: ArrayBufferView, byte: number) => number}
 */
export const inLine = ({ byteOffset }, byte) => (16 + byteOffset + byte) % lineBytes;

/** Where a piece of the destination is staged. @type {(destination: ArrayBufferView, byte: number) => number} */
export const stagedAt = (destination, byte) => sourceBytes + inLine(destination, byte);

/** Writes one axis of the axes block. @type {(axis: number, extent: number, source: number, destination: number) => void} */
export function setAxis(axis, extent, source, destination) {
  axes[3 * axis] = extent;
  axes[3 * axis + 1] = source;
  axes[3 * axis + 2] = destination;
}
