/** How the modules that the package holds are loaded: each from its text, or from the caller's source. */
import { readOptions, show, typeError } from '../arguments/index.js';

/** @typedef {WebAssembly.Module | ArrayBufferView | ArrayBuffer} WasmSource a module, compiled or as bytes */

/**
 * The source that the options of an `init` name, if any.
 * @type {(options: { wasm?: WasmSource } | undefined) => any}
 */
export function readWasm(options) {
  const { wasm } = readOptions(options, ['wasm']);
  const tag = Object.prototype.toString.call(wasm);
  const isSource = ArrayBuffer.isView(wasm) || ['[object WebAssembly.Module]', '[object ArrayBuffer]'].includes(tag);
  if (wasm !== undefined && !isSource) typeError(`wasm must be a WebAssembly.Module or bytes, got ${show(wasm)}`);
  return wasm;
}

/**
 * One digit's value. `parseInt` over slices takes 10 times as long.
 * @type {(code: number) => number}
 */
const digit = (code) => (code & 15) + (code >> 6) * 9;

/**
 * The bytes of a module that is a text of two hexadecimal digits a byte.
 * @type {(text: string) => Uint8Array}
 */
export function wasmBytes(text) {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = (digit(text.charCodeAt(2 * i)) << 4) | digit(text.charCodeAt(2 * i + 1));
  return bytes;
}
