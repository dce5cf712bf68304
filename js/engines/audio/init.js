/** `init` with the text of the module. It is apart from `load`, so that a bundle may leave out the text. */
import { wasm } from '../../../dist/audio-wasm.js';
import { load } from './module.js';

/**
 * Loads the audio module, which is part of the package: nothing is fetched. Call it once before any other function of
 * `onnx-layout/audio`. Concurrent calls share one load. A later call does nothing. A call after a failed one loads
 * again.
 * @param {{ wasm?: WebAssembly.Module | ArrayBufferView | ArrayBuffer | URL | string }} [options] `wasm`: the module
 *   `onnx-layout/audio.wasm` compiled, as bytes, or its URL: for runtimes that forbid compiling, and for an
 *   AudioWorklet, which shall not wait for it
 * @returns {Promise<void>}
 * @example
 * await init();
 */
export const init = (options) => load(options, wasm);
