/** Loading `audio.wasm`. It is apart from `module.js`, so that a bundle holds the text only with a function that runs
 * the module. */
import { wasm } from '#audio-wasm';
import { Loader } from '../loading/index.js';
import { kernels, use } from './module.js';

/** @import { InitOptions } from '../loading/index.js' */

export const loader = new Loader('onnx-layout/audio', wasm, () => ({ imports: {}, use }));

/** Loads the module while the call waits, unless it is loaded. Public functions call this before they use the
 * module. */
export function ready() {
  if (!kernels) loader.loadNow();
}

/**
 * Loads the audio module, which is part of the package, ahead of the first call: without it, that call loads the module
 * itself. Concurrent calls share one load. A later call does nothing. A call after a failed one loads again.
 * @param {InitOptions} [options] `wasm` is `onnx-layout/audio.wasm`; an AudioWorklet, which must not wait, takes it
 *   compiled
 * @returns {Promise<void>}
 * @throws {TypeError} an unknown option, or an option of the wrong kind
 * @example
 * await init();
 */
export const init = (options) => loader.init(options);
