/** `init` with the text of the module. It is apart from `load`, so that a bundle may leave out the text. */
import { wasm } from '../../../dist/image-wasm.js';
import { load } from './module.js';

/**
 * Loads the module of images, which is part of the package: nothing is fetched. Call it once before any other function
 * of `onnx-layout/image` and `onnx-layout/processors`. It serves the functions of `onnx-layout` and `onnx-layout/io`
 * too, whose own `init` needs no call then. Concurrent calls share one load. A later call does nothing. A call after a
 * failed one loads again.
 * @param {{ wasm?: WebAssembly.Module | ArrayBufferView | ArrayBuffer | URL | string }} [options] `wasm`: the module
 *   `onnx-layout/image.wasm` compiled, as bytes, or its URL: for runtimes that forbid compiling
 * @returns {Promise<void>}
 * @throws {TypeError} an unknown option, or an option of the wrong kind
 * @example
 * await init();
 */
export const init = (options) => load(options, wasm);
