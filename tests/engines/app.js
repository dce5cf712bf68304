/** An app that runs the operators' suite: a page, its worker, and entries for runtimes. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../support/packed.js';

/** esbuild's command, because its JavaScript does not work under Jest. */
export const esbuild = join(root, 'node_modules/.bin/esbuild');

/** Where a server of an app's folder has the package. */
export const servedPath = '/node_modules/onnx-layout/js/index.js';

/**
 * Bundles a test or suite, but for the package.
 * @param {string} entry of this folder
 * @param {string} outfile
 * @param {string} [layout] where the engine finds the package
 */
export function bundleTests(entry, outfile, layout = 'onnx-layout') {
  const io = layout.replace(/index\.js$/, 'io/index.js').replace(/layout$/, 'layout/io');
  // `sideEffects` of package.json is not said of tests.
  run(esbuild, [
    `tests/engines/${entry}`,
    '--bundle',
    '--format=esm',
    '--ignore-annotations',
    '--log-level=warning',
    '--inject:tests/engines/globals.js',
    '--alias:@jest/globals=./tests/engines/jest-globals.js',
    `--alias:onnx-layout=${layout}`,
    `--alias:onnx-layout/io=${io}`,
    `--external:${layout}`,
    `--external:${io}`,
    `--outfile=${outfile}`,
  ]);
}

/**
 * @param {string} folder is made
 * @param {string} [layout] as above
 */
export function writeApp(folder, layout) {
  mkdirSync(folder, { recursive: true });
  for (const file of ['index.html', 'page.js', 'report.js', 'worker.js', 'workerd.capnp', 'workerd.js'])
    copyFileSync(join(root, 'tests/engines/app', file), join(folder, file));
  bundleTests('suite.js', join(folder, 'suite.mjs'), layout);
}
