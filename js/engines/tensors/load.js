/** Loading `layout.wasm`: apart from `module.js`, because `image.wasm` has the same functions and a glue of its own. */
import glue from '../../../dist/layout.mjs';
import { loadOnce } from '../loading/index.js';
import { instantiate, layout, use } from './module.js';

/** @import { Load } from '../loading/index.js' */

/** @type {{ loading?: Promise<void> }} */
const once = {};
/** For tensors, `image.wasm` serves as well. */
const loaded = { loading: Promise.resolve() };

/** @type {Load} */
export const load = (options, text) =>
  loadOnce(layout ? loaded : once, options, text, async (wasm) => use(await instantiate(glue, wasm)));
