/** In the place of a module's text, for bundles that serve the wasm as a file.
 * @type {string | WebAssembly.Module | undefined} */
export const wasm = undefined;
