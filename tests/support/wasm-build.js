/** Builds the wasm module in other ways than the one that ships. */
import { delimiter } from 'node:path';
import { run } from './packed.js';

// Debian's emcc looks for its acorn module in this folder alone, as build.mjs says.
process.env.NODE_PATH = [process.env.NODE_PATH, '/usr/share/nodejs'].filter(Boolean).join(delimiter);

/**
 * Builds the modules of tensors and images.
 * @param {string} tree the sources
 * @param {string} folder gets layout.mjs, layout.wasm, image.wasm
 * @param {string[]} options more options of CMake
 */
export function buildWasm(tree, folder, ...options) {
  run('emcmake', ['cmake', '-S', tree, '-B', folder, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', ...options]);
  run('cmake', ['--build', folder, '--target', 'layout', 'image']);
}
