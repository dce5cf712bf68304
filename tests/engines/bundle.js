/** The operators' suite as one module file. */
import { join } from 'node:path';
import { root, run } from '../packed.js';

/**
 * @param {string} entry of this folder
 * @param {string} outfile
 * @param {string} [layout] where the engine finds the package; its name if omitted
 */
export function bundleSuite(entry, outfile, layout = 'onnx-layout') {
  // The command, because esbuild's JavaScript does not work under Jest. `sideEffects` of package.json is not said of tests.
  run(join(root, 'node_modules/.bin/esbuild'), [join('tests/engines', entry), '--bundle', '--format=esm', '--ignore-annotations', '--log-level=warning',
    '--alias:@jest/globals=./tests/engines/jest-globals.js', '--inject:tests/engines/globals.js', `--alias:onnx-layout=${layout}`, `--external:${layout}`,
    `--outfile=${outfile}`]);
}
