/** Makes an app that runs a suite of tests: a page, its worker, entries for runtimes; and pages of one module. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../support/packed.js';

/** esbuild's command line, because its JavaScript interface does not work under Jest. */
export const esbuild = join(root, 'node_modules/.bin/esbuild');

/** The entries of the package beside `onnx-layout` itself that are modules of JavaScript. */
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.entries(exports).flatMap(([name, { default: file }]) =>
  /^\.\/\w+$/.test(name) ? [[name.slice(1), file.slice(2)]] : [],
);

/** Where a server of an app's folder has the package, bundled: a browser knows no `imports` of package.json. */
export const servedPath = '/package/js/index.js';

/**
 * Bundles the entries of the package that is installed in a folder, for pages: with the parts that they share.
 * @type {(folder: string, outdir?: string) => void}
 */
export function bundlePackage(folder, outdir = 'package') {
  const files = ['js/index.js', ...entries.filter(([name]) => name !== '/node').map(([, file]) => file)];
  const options = ['--bundle', '--splitting', '--format=esm', '--log-level=warning'];
  const installed = files.map((file) => `node_modules/onnx-layout/${file}`);
  run(esbuild, [...installed, ...options, '--outbase=node_modules/onnx-layout', `--outdir=${outdir}`], folder);
}

/**
 * Bundles tests with all that they import but the package.
 * @param {string} entry a file of this folder
 * @param {string} outfile
 * @param {string} [layout] where the engine finds the package
 */
export function bundleTests(entry, outfile, layout = 'onnx-layout') {
  // `.` and the other entries, such as `./io`: an alias of the first alone would take the others along.
  const paths = entries.map(([name, file]) =>
    layout.endsWith('.js') ? layout.replace(/js\/index\.js$/, file) : `${layout}${name}`,
  );
  // --ignore-annotations: package.json says that its files have no side effects, which is not so of tests.
  run(esbuild, [
    `tests/engines/${entry}`,
    '--bundle',
    '--format=esm',
    '--ignore-annotations',
    '--log-level=warning',
    '--inject:tests/engines/globals.js',
    ...['.jpg', '.png', '.webp'].map((extension) => `--loader:${extension}=binary`),
    '--alias:@jest/globals=./tests/engines/jest-globals.js',
    ...entries.map(([name], i) => `--alias:onnx-layout${name}=${paths[i]}`),
    `--alias:onnx-layout=${layout}`,
    ...[layout, ...paths].map((path) => `--external:${path}`),
    `--outfile=${outfile}`,
  ]);
}

/**
 * Writes the app into a folder.
 * @param {string} folder
 * @param {string} suite `suite.js`, or `smoke.js` for the short one
 * @param {string} [layout] where the engine finds the package
 */
export function writeApp(folder, suite, layout) {
  mkdirSync(folder, { recursive: true });
  for (const file of ['index.html', 'page.js', 'report.js', 'worker.js', 'workerd.capnp', 'workerd.js'])
    copyFileSync(join(root, 'tests/engines/app', file), join(folder, file));
  bundleTests(suite, join(folder, 'suite.mjs'), layout);
}

/** Joins a module of the repository and its imports into a file. @type {(entry: string, outfile: string) => void} */
export const bundle = (entry, outfile) =>
  void run(esbuild, [entry, '--bundle', '--format=esm', `--outfile=${outfile}`]);

/** Writes a page of one module. @type {(folder: string, entry: string) => void} */
export function writePage(folder, entry) {
  bundle(entry, join(folder, 'page.js'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>\n<script type="module" src="page.js"></script>\n');
}
