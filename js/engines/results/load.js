/** Loading `postprocess.wasm`. It is apart from `module.js`, so that a bundle holds the text only with a function that
 * runs the module. */
import { wasm } from '#postprocess-wasm';
import { Loader } from '../loading/index.js';
import { kernels, runInMemory, use } from './module.js';

/** @import { InitOptions } from '../loading/index.js' */

/** Loads the module once. It imports nothing. */
export const loader = new Loader('onnx-layout/postprocess', wasm, (module) => ({
  imports: {},
  use: (instance) => use(instance, module),
}));

/**
 * Runs work that takes memory of `arena`, and frees that memory afterwards. The first call loads the module.
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
export function withMemory(work) {
  if (!kernels) loader.loadNow();
  return runInMemory(work);
}

/**
 * Loads the postprocess module, which is part of the package, ahead of the first call: without it, that call loads the
 * module itself. Concurrent calls share one load. A later call does nothing. A call after a failed one loads again.
 * @param {InitOptions} [options] `wasm` is `onnx-layout/postprocess.wasm`
 * @returns {Promise<void>}
 * @throws {TypeError} an unknown option, or an option of the wrong kind
 * @example
 * await init();
 */
export const init = (options) => loader.init(options);
