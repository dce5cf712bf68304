/**
 * Installs what is missing, then builds the wasm module, the program and the types into dist/. `--native` also builds
 * the native tests into build/native, `--replays` of these only the replays of the fuzzers' corpora. Any other need of
 * install.mjs is installed: `--browsers`. `--wasm-only` leaves the program, the page's file and the types as they are,
 * which take 20 s after a change of JavaScript. Targets that are up to date are left alone.
 */
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, delimiter, join, sep } from 'node:path';
import { bridgeModules } from './bridge.mjs';
import { install, isFresh, run } from './install.mjs';
import { asText } from './wasm-text.mjs';

const flags = process.argv.slice(2).map((flag) => flag.replace(/^--/, ''));
const isWasmOnly = flags.includes('wasm-only');
const needs = flags.filter((flag) => flag !== 'wasm-only');
process.chdir(import.meta.dirname);

/**
 * Shows progress, on stderr: stdout belongs to `npm pack --json`, which runs this script too.
 * @param {string} what
 */
function announce(what) {
  console.error(`build: ${what}`);
}

/**
 * Configures a folder once: from then on Ninja does that where CMakeLists.txt changes.
 * @param {string} folder
 * @param {[command: string, ...args: string[]]} command
 */
function configure(folder, ...command) {
  if (!existsSync(join(folder, 'build.ninja'))) {
    announce(`CMake in ${folder}`);
    run(...command, '-S', '.', '-B', folder, '-G', 'Ninja');
  }
}

/**
 * Builds a target, with one compiler a core.
 * @param {string} folder
 * @param {string} target
 */
function compile(folder, target) {
  run('cmake', '--build', folder, '--target', target, '--parallel', `${availableParallelism()}`);
}

function publishWasm() {
  mkdirSync('dist', { recursive: true });
  for (const name of ['layout', 'image', 'audio', 'postprocess']) {
    const [text, glue] = [name === 'layout' ? 'wasm' : `${name}-wasm`, `build/wasm/${name}.mjs`];
    const built = [`build/wasm/${name}.wasm`, ...(existsSync(glue) ? [glue] : [])];
    if (isFresh(`dist/${text}.js`, [...built, 'build.mjs', 'wasm-text.mjs'])) continue;
    publishModule(`${name}.wasm`, text);
    publishCompiled(name);
    if (built.length === 1) continue;
    copyFileSync(glue, `dist/${name}.mjs`);
    // tsc takes these in the place of the generated code beside them.
    writeFileSync(`dist/${name}.d.mts`, 'export default function load(module: object): Promise<any>;\n');
  }
}

/**
 * Copies a module, and writes it as text too.
 * @param {string} file
 * @param {string} name of the text's module
 */
function publishModule(file, name) {
  copyFileSync(join('build/wasm', file), join('dist', file));
  const prose = `// ${file} as text, so that no bundler, server or CSP has to know of one more file.`;
  const text = asText(readFileSync(join('dist', file)));
  writeFileSync(`dist/${name}.js`, `${prose}\nexport const wasm = '${text}';\n`);
  writeFileSync(`dist/${name}.d.ts`, 'export declare const wasm: string;\n');
}

/** Writes what crosses between C++ and JavaScript. */
function publishBridge() {
  const headers = readdirSync('cpp', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.h'));
  const inputs = [...headers.map((file) => join('cpp', file)), 'bridge.mjs', 'bridge-headers.mjs', 'build.mjs'];
  if (isFresh('dist/bridge/tensors.js', inputs)) return;
  mkdirSync('dist/bridge', { recursive: true });
  for (const { name, text, types } of bridgeModules()) {
    writeFileSync(`dist/bridge/${name}.d.ts`, types);
    writeFileSync(`dist/bridge/${name}.js`, text);
  }
}

/**
 * How bundlers of engines that compile no WebAssembly import a module: the conditions of package.json's `imports`.
 */
const compiled = { workerd: '', 'edge-light': '?module' };

/**
 * Writes modules of JavaScript that import a module compiled.
 * @param {string} name
 */
function publishCompiled(name) {
  for (const [condition, query] of Object.entries(compiled)) {
    mkdirSync(`dist/${condition}`, { recursive: true });
    writeFileSync(`dist/${condition}/${name}.js`, `export { default as wasm } from '../${name}.wasm${query}';\n`);
  }
}

/**
 * The text of a module whose first comment, its licence, bundlers keep.
 * @type {(path: string) => string}
 */
function withKeptNotice(path) {
  const text = readFileSync(path, 'utf8');
  const [notice] = /^(\/\/.*\n)+/.exec(text) ?? [];
  if (!notice) throw new Error(`${path} begins with no licence: see build.mjs`);
  return `/*!\n${notice.replaceAll(/^\/\//gm, ' *')} */\n${text.slice(notice.length)}`;
}

/**
 * Copies the modules of protobuf's wire format, with their licences. js/io reads ONNX files with them, and the
 * package needs no other package.
 */
function publishProtobuf() {
  const [from, to] = ['node_modules/@bufbuild/protobuf/dist/esm', 'dist/protobuf'];
  for (const module of ['proto-int64', 'wire/binary-encoding', 'wire/text-encoding', 'wire/varint']) {
    cpSync(join(from, `${module}.d.ts`), join(to, `${module}.d.ts`));
    writeFileSync(join(to, `${module}.js`), withKeptNotice(join(from, `${module}.js`)));
  }
}

/** Joins what inflates of fflate to one module, with its licence, which bundlers keep: js/io reads .npz files. */
async function publishFflate() {
  const folder = 'node_modules/fflate';
  if (isFresh('dist/fflate/fflate.js', [join(folder, 'package.json'), 'build.mjs'])) return;
  const { build } = await import('esbuild');
  await build({
    stdin: { contents: "export { Inflate } from 'fflate/browser';", resolveDir: '.' },
    outfile: 'dist/fflate/fflate.js',
    bundle: true,
    format: 'esm',
    banner: { js: `/*! fflate\n${readFileSync(join(folder, 'LICENSE'), 'utf8')}\n*/` },
    logLevel: 'warning',
  });
  cpSync(join(folder, 'esm/browser.d.ts'), 'dist/fflate/fflate.d.ts');
}

/** Joins what reads the headers of tar archives to one module, with its licences: js/node reads data sets. */
async function publishTar() {
  const [folder, buffers] = ['node_modules/tar-stream', 'node_modules/b4a'];
  if (isFresh('dist/tar/headers.js', [join(folder, 'package.json'), join(buffers, 'package.json'), 'build.mjs']))
    return;
  const { build } = await import('esbuild');
  const licences = [folder, buffers].map(
    (path) => `${basename(path)}\n${readFileSync(join(path, 'LICENSE'), 'utf8').replaceAll('*/', '* /')}`,
  );
  // By its path: the package exports streams alone, which read all bytes of an archive.
  await build({
    stdin: { contents: `export { decode, decodeLongPath, decodePax } from './${folder}/headers.js';`, resolveDir: '.' },
    outfile: 'dist/tar/headers.js',
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: `/*! ${licences.join('\n')}*/` },
    logLevel: 'warning',
  });
  const types = [
    'type Header = { name: string; size: number; type: string | null };',
    'export declare function decode(block: Uint8Array, encoding: string, allowsUnknown: boolean): Header | null;',
    'export declare function decodeLongPath(bytes: Uint8Array, encoding: string): string;',
    'export declare function decodePax(bytes: Uint8Array): Record<string, string>;',
  ];
  writeFileSync('dist/tar/headers.d.ts', `${types.join('\n')}\n`);
}

const sources = readdirSync('js', { recursive: true, encoding: 'utf8' }).map((file) => join('js', file));

/**
 * Joins the modules of the program to one file. Node takes about 1 ms to find and link each module of two hundred:
 * `inspect` takes 115 ms of processor time instead of 255, of which Node alone takes 69. A thread of `preprocessFiles`
 * starts in 240 ms of processor time instead of 420.
 */
async function publishProgram() {
  const isProgramFresh = ['cli.js', 'cli-worker.js', 'preprocess-worker.js'].every((file) =>
    isFresh(join('dist', file), ['js', ...sources, 'dist/bridge/tensors.js', 'build.mjs', 'package-lock.json']),
  );
  if (isProgramFresh) return;
  // The JavaScript interface, because a plain `npm ci` puts a native program in the place of bin/esbuild.
  const { build } = await import('esbuild');
  await build({
    entryPoints: ['js/cli/cli.js', 'js/cli/cli-worker.js', 'js/node/preprocess-worker.js'],
    outdir: 'dist',
    entryNames: '[name]',
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    external: ['./dist/*', './js/node/worker-url.js'],
    logLevel: 'warning',
  });
}

/**
 * The files for pages without a bundler, and the entry points that each has: tensors, processors, and pictures as
 * `image`, whose `init` is another; results; audio.
 */
const pageFiles = {
  'onnx-layout.min.js': [
    "export * from './js/index.js';",
    "export * from './js/processors/index.js';",
    "export * as image from './js/image/index.js';",
  ],
  'onnx-layout-postprocess.min.js': ["export * from './js/postprocess/index.js';"],
  'onnx-layout-audio.min.js': ["export * from './js/audio/index.js';"],
};

/** Joins what a page without a bundler needs to files of their own. */
async function publishPageFiles() {
  const texts = ['wasm', 'image-wasm', 'postprocess-wasm', 'audio-wasm'].map((name) => `dist/${name}.js`);
  const inputs = ['js', ...sources, ...texts, 'build.mjs', 'package-lock.json'];
  const stale = Object.entries(pageFiles).filter(([file]) => !isFresh(join('dist', file), inputs));
  if (stale.length === 0) return;
  const { build } = await import('esbuild');
  for (const [file, lines] of stale)
    await build({
      stdin: { contents: lines.join('\n'), resolveDir: '.' },
      outfile: join('dist', file),
      bundle: true,
      minify: true,
      format: 'esm',
      logLevel: 'warning',
    });
}

async function publishTypes() {
  const inputs = ['js', ...sources, 'dist/bridge/tensors.js', 'tsconfig.json', 'package-lock.json', 'build.mjs'];
  if (isFresh('dist/types/index.d.ts', inputs)) return;
  announce('types');
  rmSync('dist/types', { recursive: true, force: true });
  run(process.execPath, 'node_modules/typescript/bin/tsc');
  for (const source of sources.filter((file) => file.endsWith('.js') && !file.startsWith(join('js', 'cli')))) {
    const types = join('dist/types', source.slice('js/'.length).replace(/js$/, 'd.ts'));
    writeFileSync(types, withDocblocks(readFileSync(types, 'utf8'), readFileSync(source, 'utf8')));
  }
  const { default: ts } = await import('typescript');
  for (const file of readdirSync('dist/types', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue;
    const path = join('dist/types', file);
    const types = readFileSync(path, 'utf8');
    const depth = file.split(sep).length - 1;
    writeFileSync(path, forOthers(file.endsWith('outputs.d.ts') ? types : withUndefined(ts, types), depth));
  }
  const prose =
    '/** What an environment without the types of a browser or of Node lacks; where it has them, they count. */';
  const names = environmentTypes.map((name) => `  interface ${name} {}\n`).join('');
  const module = '  namespace WebAssembly {\n    interface Module {}\n  }\n';
  writeFileSync('dist/types/environment.d.ts', `${prose}\ndeclare global {\n${names}${module}}\nexport {};\n`);
}

/** Types of browsers and of Node that signatures name. */
const environmentTypes = ['AbortSignal', 'Blob', 'RequestInit', 'Response', 'URL'];

/**
 * Types that older versions of TypeScript read, whose arrays have no parameter, and programs without a browser's types.
 * @type {(types: string, depth: number) => string} `depth`: of the file's folder below dist/types
 */
function forOthers(types, depth) {
  // Types lie in dist themselves.
  const plain = types.replace(/Array<ArrayBufferLike>/g, 'Array').replace(/(?<=['"](\.\.\/)+)dist\//g, '');
  const pattern = new RegExp(`\\b(${environmentTypes.join('|')}|WebAssembly)\\b`);
  const reference = `/// <reference path="${depth === 0 ? './' : '../'.repeat(depth)}environment.d.ts" />\n`;
  return pattern.test(plain) ? reference + plain : plain;
}

/**
 * Lets options be undefined, as the code takes them: under `exactOptionalPropertyTypes` they could not be.
 * @type {(ts: typeof import('typescript'), types: string) => string}
 */
function withUndefined(ts, types) {
  const file = ts.createSourceFile('types.d.ts', types, ts.ScriptTarget.Latest);
  /** @type {[place: number, text: string][]} */
  const insertions = [];
  /** @type {(node: import('typescript').Node) => void} */
  const visit = (node) => {
    const isOptional = (ts.isPropertySignature(node) || ts.isMappedTypeNode(node)) && node.questionToken;
    if (isOptional && node.type) {
      const [before, after] = ts.isFunctionTypeNode(node.type) ? ['(', ')'] : ['', ''];
      insertions.push([node.type.getStart(file), before], [node.type.end, `${after} | undefined`]);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  insertions.sort(([a], [b]) => b - a);
  return insertions.reduce((text, [at, more]) => text.slice(0, at) + more + text.slice(at), types);
}

/**
 * Puts the docblocks of arrow functions where editors and the API pages look for them: tsc drops them.
 * @type {(types: string, source: string) => string}
 */
function withDocblocks(types, source) {
  const arrows = [...source.matchAll(/^(\/\*\*(?:(?!\*\/)[^])*\*\/\n)export const (\w+) = \(/gm)];
  return arrows.reduce(
    (text, [, docblock, name]) =>
      text.replace(new RegExp(`(?<!\\*/\\n)^export function ${name}[<(]`, 'm'), (start) => docblock + start),
    types,
  );
}

// Debian's emcc needs the acorn module, which lies in the folder of Debian's own Node modules. No other Node searches
// there.
process.env.NODE_PATH = [process.env.NODE_PATH, '/usr/share/nodejs'].filter(Boolean).join(delimiter);

install('wasm', 'npm', ...needs.map((need) => (need === 'replays' ? 'native' : need)));
configure('build/wasm', 'emcmake', 'cmake', '-DCMAKE_BUILD_TYPE=Release');
compile('build/wasm', 'all');
publishWasm();
publishBridge();
publishProtobuf();
await publishFflate();
await publishTar();
if (!isWasmOnly) {
  await publishProgram();
  await publishPageFiles();
  await publishTypes();
}
if (needs.includes('native') || needs.includes('replays')) {
  configure('build/native', 'cmake', '-DCMAKE_CXX_COMPILER=clang++');
  compile('build/native', needs.includes('native') ? 'all' : 'replays');
}
