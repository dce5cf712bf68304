/** Loading `image.wasm`, which works in the memory of `layout.wasm`. */
import { wasm } from '#image-wasm';
import { Loader } from '../loading/index.js';
import { loader as base, memory, ready as readyTensors } from '../tensors/index.js';
import { kernels, use } from './module.js';

/** @import { InitOptions } from '../loading/index.js' */
/** @import { Layout } from '../tensors/types.js' */
/** @import { Exports } from './module.js' */
/** @import { Kernels } from './types.js' */

/** Loads the module once; it loads that of tensors first, whose memory it works in. */
export const loader = new Loader(
  'onnx-layout/image',
  wasm,
  () => ({ imports: { env: { memory } }, use: ({ exports }) => use(/** @type {Exports} */ (exports), readyTensors()) }),
  base,
);

/** Gives the functions of the module of images and that of tensors; loads them while the call waits, if they are not.
 * @type {() => Kernels & Layout} */
export function ready() {
  if (!kernels) loader.loadNow();
  return kernels;
}

/**
 * Loads the module of images, which is part of the package, ahead of the first call: without it, that call loads the
 * module itself. Pictures need the module of tensors too, which this loads where the package holds it; as a file it has
 * the `init` of `onnx-layout`. Concurrent calls share one load. A later call does nothing. A call after a failed one
 * loads again.
 * @param {InitOptions} [options] `wasm` is `onnx-layout/image.wasm`
 * @returns {Promise<void>}
 * @throws {TypeError} an unknown option, or an option of the wrong kind
 * @example
 * await init();
 */
export const init = (options) => loader.init(options);
