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
 * The bytes of a module from its text, which build.mjs describes. It needs no `atob` and no `TextDecoder`, which an
 * AudioWorklet lacks.
 * @type {(text: string) => Uint8Array}
 */
export function wasmBytes(text) {
  const digits = new Uint8Array(127);
  for (let code = 40, digit = 0; code < 127; code++) if (code !== 92 && code !== 96) digits[code] = digit++;
  const byRank = Uint8Array.from({ length: 256 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));
  const bytes = new Uint8Array(text.length);
  let count = 0;
  for (let i = 512; i < text.length; i++) {
    let rank = digits[text.charCodeAt(i)];
    if (rank >= 82) rank = 82 + 85 * (rank - 82) + digits[text.charCodeAt(++i)];
    bytes[count++] = byRank[rank];
  }
  return bytes.subarray(0, count);
}
