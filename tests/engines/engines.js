/** How each engine runs the suite of an app. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { root } from '../support/packed.js';
import { esbuild } from './app.js';
import { launch, open } from './browsers.js';
import { serve } from './serve.js';
import { transformersJs } from './transformers.js';
import { compileEntryPoints } from './typescript.js';
import { evaluateInWebKit } from './webkit.js';

/**
 * The same app twice: the suite imports the package by its name, or by the path that it is served at.
 * @typedef {{ byName: string, byPath: string }} Apps
 */

/**
 * @typedef {object} Outcome
 * @property {string} version as the engine gives it
 * @property {number} passed
 * @property {string[]} failures
 */

const execute = promisify(execFile);
const installed = (path) => join(import.meta.dirname, 'node_modules', path);

/**
 * Runs a command. A failure throws all that it printed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} [cwd]
 * @returns {Promise<string>} what the command printed
 */
async function run(command, args, cwd) {
  const { stdout } = await execute(command, args, { cwd, maxBuffer: Infinity }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout;
}

const versionIn = (text) => /\d+(\.\d+)+/.exec(text)[0];
const manifestVersion = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;

/**
 * A runtime with a console.
 * @type {(command: string, ...args: string[]) => (apps: Apps) => Promise<Outcome>}
 */
const runtime =
  (command, ...args) =>
  async ({ byName }) => ({
    version: versionIn(await run(command, ['--version'])),
    ...JSON.parse(await run(command, [...args, 'report.js'], byName)),
  });

async function workerd({ byName: app }) {
  const command = installed('@cloudflare/workerd-linux-64/bin/workerd');
  await run(
    esbuild,
    [
      'workerd.js',
      '--bundle',
      '--format=esm',
      '--conditions=workerd',
      '--loader:.wasm=copy',
      '--asset-names=[name]',
      '--outfile=workerd.bundle.js',
      '--log-level=warning',
    ],
    app,
  );
  // The whole suite imports two of the four that workerd.capnp names.
  for (const name of ['layout', 'image', 'audio', 'postprocess'])
    copyFileSync(join(app, `node_modules/onnx-layout/dist/${name}.wasm`), join(app, `${name}.wasm`));
  const server = spawn(command, ['serve', 'workerd.capnp', '--control-fd=1'], {
    cwd: app,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    // It prints the port that it listens on, or ends.
    const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), once(server, 'exit')]);
    const response = await fetch(`http://127.0.0.1:${JSON.parse(line).port}/`);
    return { version: manifestVersion(installed('@cloudflare/workerd-linux-64')), ...(await response.json()) };
  } finally {
    server.kill();
  }
}

/**
 * Serves a folder while a browser opens the page in it, which runs the suite in a worker.
 * @type {<T>(folder: string, use: (url: string) => Promise<T>) => Promise<T>}
 */
async function withPage(folder, use) {
  const server = await serve(folder, { isolated: true });
  try {
    return await use(`${server.url}?worker`);
  } finally {
    server.close();
  }
}

/**
 * A browser that Playwright drives.
 * @type {(name: keyof launch) => (folder: string) => Promise<Outcome>}
 */
const browser = (name) => (folder) =>
  withPage(folder, async (url) => {
    const instance = await launch[name]();
    try {
      const { page, complaints } = await open(instance, url);
      const { passed, failures } = await page.evaluate(() => globalThis.report);
      return { version: instance.version(), passed, failures: [...failures, ...complaints] };
    } finally {
      await instance.close();
    }
  });

const webkit = (folder) =>
  withPage(folder, async (url) => {
    const { version, value } = await evaluateInWebKit(url, 'return globalThis.report;');
    return { version, ...value };
  });

/** @typedef {(app: string, outcome: string) => Promise<unknown>} Build bundles an app into a folder */

/**
 * A bundler without configuration, whose bundle runs in Chromium.
 * @type {(folder: string, build: Build) => (apps: Apps) => Promise<Outcome>}
 */
const bundler =
  (folder, build) =>
  async ({ byName: app }) => {
    const outcome = mkdtempSync(join(app, 'outcome-'));
    await build(app, outcome);
    return { ...(await browser('Chromium')(outcome)), version: manifestVersion(folder) };
  };

const vite = (app, outcome) => run(installed('.bin/vite'), ['build', '--outDir', outcome, '--logLevel', 'warn'], app);

async function webpack(app, outcome) {
  await run(installed('.bin/webpack'), ['./page.js', '--mode', 'production', '--output-path', outcome], app);
  writeFileSync(join(outcome, 'index.html'), '<!doctype html>\n<script src="main.js"></script>\n');
}

async function esbuildForPages(app, outcome) {
  await run(
    esbuild,
    ['page.js', 'worker.js', '--bundle', '--minify', '--format=esm', `--outdir=${outcome}`, '--log-level=warning'],
    app,
  );
  copyFileSync(join(app, 'index.html'), join(outcome, 'index.html'));
}

async function esbuildForNode({ byName: app }) {
  await run(
    esbuild,
    [
      'report.js',
      '--bundle',
      '--minify',
      '--format=esm',
      '--platform=node',
      '--outfile=report.bundle.mjs',
      '--log-level=warning',
    ],
    app,
  );
  return { version: process.versions.node, ...JSON.parse(await run(process.execPath, ['report.bundle.mjs'], app)) };
}

async function oldestTypeScript({ byName: app }) {
  const folder = installed('typescript-oldest');
  const compile = (flags, file) => run(process.execPath, [join(folder, 'bin/tsc'), ...flags, file], app);
  return { version: manifestVersion(folder), ...(await compileEntryPoints(app, compile)) };
}

/**
 * The engines by name, in the order of their table.
 * @type {Record<string, (apps: Apps) => Promise<Outcome>>}
 */
export const engines = {
  'Node 20': runtime(process.execPath),
  'Node 22': runtime(installed('node22/bin/node')),
  'Node 24': runtime(installed('node24/bin/node')),
  'Node 26': runtime(installed('node26/bin/node')),
  Deno: runtime(installed('@deno/linux-x64-glibc/deno'), 'run', '--allow-env'),
  Bun: runtime(installed('@oven/bun-linux-x64/bin/bun')),
  workerd,
  Chromium: ({ byPath }) => browser('Chromium')(byPath),
  'Firefox ESR': ({ byPath }) => browser('Firefox')(byPath),
  WebKitGTK: ({ byPath }) => webkit(byPath),
  Vite: bundler(installed('vite'), vite),
  webpack: bundler(installed('webpack'), webpack),
  esbuild: bundler(join(root, 'node_modules/esbuild'), esbuildForPages),
  'esbuild for Node': esbuildForNode,
  'transformers.js': transformersJs,
  'TypeScript 5.0': oldestTypeScript,
};
