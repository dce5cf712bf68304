/** Loading `layout.wasm`. It is apart from `module.js`, so that a bundle holds the text only with a function that moves
 * bytes. */
import { wasm } from '#layout-wasm';
import glue from '../../../dist/layout.mjs';
import { Loader } from '../loading/index.js';
import { layout, use } from './module.js';

/** @import { InitOptions, Start } from '../loading/index.js' */
/** @import { Layout } from './types.js' */

/** The imports that the glue asks for, and the function that it waits for.
 * @typedef {{ imports: Start['imports'], done: Start['use'] }} GlueStart */
/** @typedef {Layout & { instantiateWasm: (imports: Start['imports'], done: Start['use']) => object }} GlueModule */

/** Loads the module once. Its imports come from emscripten's glue, which hands them over when it asks for an instance;
 * the glue's object `module` is filled with the module's functions as soon as `done` gets that instance. */
export const loader = new Loader('onnx-layout', wasm, () => {
  const module = /** @type {GlueModule} */ ({});
  const start = /** @type {GlueStart} */ ({});
  module.instantiateWasm = (imports, done) => {
    Object.assign(start, { imports, done });
    return {};
  };
  // The glue returns a promise, but fills the module as soon as it has the instance.
  glue(module);
  return {
    imports: start.imports,
    use(instance) {
      // The glue fills `module` here.
      start.done(instance);
      use(module, instance);
    },
  };
});

/** Gives the functions of the module; loads it while the call waits, if it is not loaded.
 * @type {() => Layout} */
export function ready() {
  if (!layout) loader.loadNow();
  return layout;
}

/**
 * Loads the wasm module, which is part of the package, ahead of the first call: without it, that call loads the module
 * itself. Call it where the module is a file, where the engine compiles none, or to compile it off the thread early.
 * Concurrent calls share one load. A later call does nothing. A call after a failed one loads again.
 * @param {InitOptions} [options] `wasm` is `onnx-layout/layout.wasm`
 * @returns {Promise<void>}
 * @throws {TypeError} an unknown option, or an option of the wrong kind
 * @example
 * await init();
 */
export const init = (options) => loader.init(options);
