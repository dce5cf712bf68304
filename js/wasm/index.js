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
  const byRank = Uint8Array.from(text.slice(0, 512).match(/../g) ?? [], (hex) => Number(`0x${hex}`));
  const bytes = new Uint8Array(text.length);
  let [at, count] = [512, 0];
  const digit = () => {
    const code = text.charCodeAt(at++);
    return code - (code > 96 ? 42 : code > 92 ? 41 : 40);
  };
  while (at < text.length) {
    let rank = digit();
    if (rank > 81) rank = 85 * rank - 6888 + digit();
    bytes[count++] = byRank[rank];
  }
  return bytes.subarray(0, count);
}
