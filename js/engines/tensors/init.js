/** `init` with the text of the module. It is apart from `load`, so that a bundle may leave out the text. */
import { wasm } from '../../../dist/wasm.js';
import { load } from './load.js';

/**
 * Loads the wasm module, which is part of the package: nothing is fetched. Call it once before any operator that moves
 * bytes. Concurrent calls share one load. A later call does nothing. A call after a failed one loads again.
 * @param {{ wasm?: WebAssembly.Module | ArrayBufferView | ArrayBuffer | URL | string }} [options] `wasm`: the module
 *   `onnx-layout/layout.wasm` compiled, as bytes, or its URL: for runtimes that forbid compiling
 * @returns {Promise<void>}
 * @throws {TypeError} an unknown option, or an option of the wrong kind
 * @example
 * await init();
 */
export const init = (options) => load(options, wasm);
