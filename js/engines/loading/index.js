/** How the modules that the package holds are loaded: each from its text, or from the caller's source. */
import { brief, namedAsync, rangeError, readOptions, show, typeError } from '../../arguments/index.js';

/**
 * A module: compiled, as bytes, or where a server has it.
 * @typedef {WebAssembly.Module | ArrayBufferView | ArrayBuffer | URL | string} WasmSource
 */

/** @type {(value: unknown, ...tags: string[]) => boolean} an AudioWorklet has no `URL` */
const isOf = (value, ...tags) => tags.includes(Object.prototype.toString.call(value).slice(8, -1));

/** @typedef {(options?: { wasm?: WasmSource }, text?: string) => Promise<void>} Load */

/** The body of each `init`: concurrent calls share one load, later ones do nothing, one after a failure loads again.
 * @type {(once: { loading?: Promise<void> }, options: { wasm?: WasmSource } | undefined, text: string | undefined,
 *   start: (wasm: any) => Promise<void>) => Promise<void>} `text`: the package's, if the bundle has it */
export const loadOnce = (once, options, text, start) =>
  namedAsync('init', () => {
    const wasm = readWasm(options);
    once.loading ??= wasmOf(wasm, text)
      .then(start)
      .catch((error) => {
        once.loading = undefined;
        throw error;
      });
    return once.loading;
  });

/** @type {(wasm: unknown) => never} */
const refuse = (wasm) => typeError(`wasm must be a WebAssembly.Module, bytes or a URL, got ${show(wasm)}`);

/** The source that the options of an `init` name, if any.
 * @type {(options: { wasm?: WasmSource } | undefined) => WasmSource | undefined} */
function readWasm(options) {
  const { wasm } = readOptions(options, ['wasm']);
  const isSource = ArrayBuffer.isView(wasm) || isOf(wasm, 'WebAssembly.Module', 'ArrayBuffer', 'URL', 'String');
  if (wasm !== undefined && !isSource) refuse(wasm);
  return wasm;
}

/** The module of a source, or else of the package's text.
 * @type {(source: WasmSource | undefined, text: string | undefined) => Promise<any>} */
async function wasmOf(source, text) {
  if (source === undefined) return wasmBytes(text ?? refuse(source));
  if (!isOf(source, 'URL', 'String')) return source;
  const response = await fetch(/** @type {string | URL} */ (source));
  if (!response.ok) rangeError(`wasm '${brief(String(source))}' must be there, got status ${response.status}`);
  return response.arrayBuffer();
}

/** The bytes of a module from its text, which build.mjs describes. It needs no `atob` and no `TextDecoder`, which an
 * AudioWorklet lacks.
 * @type {(text: string) => Uint8Array} */
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
