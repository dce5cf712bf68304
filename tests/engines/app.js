/** An app that runs the operators' suite: a page, its worker, and entries for runtimes. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../packed.js';

/** esbuild's command, because its JavaScript does not work under Jest. */
export const esbuild = join(root, 'node_modules/.bin/esbuild');

/**
 * @param {string} folder is made
 * @param {string} [layout] where the engine finds the package; its name if omitted
 */
export function writeApp(folder, layout = 'onnx-layout') {
  mkdirSync(folder, { recursive: true });
  for (const file of ['index.html', 'page.js', 'report.js', 'worker.js', 'workerd.capnp', 'workerd.js']) copyFileSync(join(root, 'tests/engines/app', file), join(folder, file));
  // `sideEffects` of package.json is not said of tests.
  for (const suite of ['suite', 'drawables']) {
    run(esbuild, [`tests/engines/${suite}.js`, '--bundle', '--format=esm', '--ignore-annotations', '--log-level=warning', '--inject:tests/engines/globals.js',
      '--alias:@jest/globals=./tests/engines/jest-globals.js', `--alias:onnx-layout=${layout}`, `--external:${layout}`, `--outfile=${join(folder, suite)}.mjs`]);
  }
}
