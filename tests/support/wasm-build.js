/** Builds of the wasm module beside the one that ships. */
import { delimiter } from 'node:path';
import { run } from './packed.js';

// As in build.mjs: Debian's emcc finds its acorn module there alone.
process.env.NODE_PATH = [process.env.NODE_PATH, '/usr/share/nodejs'].filter(Boolean).join(delimiter);

/** Builds a tree's module into a folder, with CMake's options. */
export function buildWasm(tree, folder, ...options) {
  run('emcmake', ['cmake', '-S', tree, '-B', folder, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', ...options]);
  run('cmake', ['--build', folder]);
}
