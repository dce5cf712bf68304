/** Globals that the tests use and some engines lack. esbuild puts these in the place of the global names. */
import { Buffer as portable } from 'buffer';

export const Buffer = globalThis.Buffer ?? portable;

/** Pages that are not cross-origin isolated have shared memory, but no global of this name. */
export const SharedArrayBuffer =
  globalThis.SharedArrayBuffer ?? new WebAssembly.Memory({ shared: true, initial: 0, maximum: 0 }).buffer.constructor;
