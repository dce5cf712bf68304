/** The package as its users get it: packed, installed into an empty folder without a network, and used from there. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withAbsoluteLinks } from '../docs/generate.js';
import { installPacked, root, run } from '../support/packed.js';

const bin = (path) => join(root, 'node_modules', path);
const temporary = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
const app = join(temporary, 'app');
const installed = join(app, 'node_modules/onnx-layout');
let tarball;
let packed;

const runNode = (...args) => run(process.execPath, args, app);

beforeAll(() => {
  ({ tarball, packed } = installPacked(temporary));
});

afterAll(() => rmSync(temporary, { recursive: true }));

describe('the tarball', () => {
  test('holds these files', () => {
    // The program is there as a file for each of its threads.
    const paths = readdirSync(join(root, 'js'), { recursive: true }).filter((path) => !path.startsWith('cli/'));
    const sources = paths.filter((path) => path.endsWith('.js'));
    const types = paths.filter((path) => path.endsWith('.ts'));
    expect(packed.files.map(({ path }) => path).sort()).toEqual(
      [
        'LICENSE',
        'README.md',
        'dist/audio-wasm.js',
        'dist/audio.wasm',
        ...['audio', 'images', 'results', 'tensors'].flatMap((name) => [
          `dist/bridge/${name}.d.ts`,
          `dist/bridge/${name}.js`,
        ]),
        'dist/cli.js',
        'dist/cli-worker.js',
        ...['audio', 'image', 'layout', 'postprocess'].flatMap((name) =>
          ['edge-light', 'workerd'].map((condition) => `dist/${condition}/${name}.js`),
        ),
        'dist/fflate/fflate.js',
        'dist/image-wasm.js',
        'dist/image.wasm',
        'dist/layout.mjs',
        'dist/layout.wasm',
        'dist/onnx-layout-audio.min.js',
        'dist/onnx-layout-postprocess.min.js',
        'dist/onnx-layout.min.js',
        'dist/postprocess-wasm.js',
        'dist/postprocess.wasm',
        'dist/preprocess-worker.js',
        ...['proto-int64', 'wire/binary-encoding', 'wire/text-encoding', 'wire/varint'].map(
          (name) => `dist/protobuf/${name}.js`,
        ),
        'dist/tar/headers.js',
        'dist/types/environment.d.ts',
        ...[...sources, ...types].map((path) => `dist/types/${path.replace(/[jt]s$/, 'd.ts')}`),
        'dist/wasm.js',
        ...sources.map((path) => `js/${path}`),
        'package.json',
      ].sort(),
    );
  });

  test('has no broken link when a release is made', () => {
    expect(packed.files.map(({ path }) => path).filter((path) => path.endsWith('.md'))).toEqual(['README.md']);
    const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
    expect(workflow).toContain('run: node tests/docs/generate.js "$GITHUB_REF_NAME"');
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const linked = withAbsoluteLinks(readme, 'git+https://github.com/owner/name.git', 'v1.0.0');
    const targets = linked.match(/(?<=\]\(|src=")[^)"]+/g);
    const ofTree = targets.flatMap((target) => target.split(/^https:\/\/github\.com\/owner\/name\//)[1] ?? []);
    expect(targets.filter((target) => !/^https?:/.test(target))).toEqual([]);
    expect(ofTree).toContain('blob/v1.0.0/web/docs/pages/reference/calls.md');
    expect(ofTree.filter((target) => target.startsWith('raw/'))).toEqual([
      'raw/v1.0.0/web/screenshots/image.webp',
      'raw/v1.0.0/tests/docs/speed.svg',
    ]);
    const missing = ofTree.filter((target) => !existsSync(join(root, target.replace(/^(blob|raw)\/v1\.0\.0\//, ''))));
    expect(missing).toEqual([]);
  });

  test('has the docblock of every call in its types, where editors look for it', () => {
    const types = readdirSync(join(installed, 'dist/types/operators'), { recursive: true })
      .filter((path) => /^(convert|join|layout|pad|pick|sequence)\/[^i]\S*\.d\.ts$/.test(path))
      .map((path) => readFileSync(join(installed, 'dist/types/operators', path), 'utf8'));
    const starts = types.join('\n').match(/.*\n^export function [a-z]\w*(?:<.*>)?\(data/gm);
    expect(starts.length).toBeGreaterThan(9);
    expect(starts.filter((start) => !start.startsWith(' */'))).toEqual([]);
  });

  test('needs no other package and runs nothing when it is installed', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const fields = Object.keys(manifest);
    for (const field of ['dependencies', 'optionalDependencies', 'bundleDependencies', 'gypfile'])
      expect(fields).not.toContain(field);
    // sharp decodes pictures for the command line, where it is installed.
    expect(Object.keys(manifest.peerDependencies)).toEqual(['sharp']);
    expect(manifest.peerDependenciesMeta).toEqual({ sharp: { optional: true } });
    // `prepare` runs where the package is made, and where git is the source.
    for (const script of ['preinstall', 'install', 'postinstall'])
      expect(Object.keys(manifest.scripts)).not.toContain(script);
    expect(readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['onnx-layout']);
  });

  // The bars leave 3 % of what they bound.
  test('is small: the wasm, and all that a page loads of the core, minified as bundlers do it', () => {
    const bundle = run(bin('.bin/esbuild'), [join(installed, 'js/index.js'), '--bundle', '--minify', '--format=esm']);
    const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;
    expect(gzipped(readFileSync(join(installed, 'dist/layout.wasm')))).toBeLessThan(51_200);
    expect(gzipped(readFileSync(join(installed, 'dist/image.wasm')))).toBeLessThan(39_500);
    expect(bundle.length).toBeLessThan(371_500);
    expect(gzipped(bundle)).toBeLessThan(103_000);
  });

  /** The gzipped size of a bundle of these lines without what holds the wasm, minified as bundlers do it. */
  const bundleSize = (lines) => {
    const entry = join(app, 'entry.mjs');
    writeFileSync(entry, lines);
    const options = ['--bundle', '--minify', '--format=esm', '--external:#*', '--external:*/layout.mjs'];
    return gzipSync(run(bin('.bin/esbuild'), [entry, ...options], app), { level: 9 }).length;
  };
  const wasmSize = (name) => gzipSync(readFileSync(join(installed, `dist/${name}.wasm`)), { level: 9 }).length;
  const core = "export * from 'onnx-layout';\n";

  test('is small for audio: its own wasm, and its JS', () => {
    const audio = "export * as audio from 'onnx-layout/audio';\n";
    expect(wasmSize('audio')).toBeLessThan(22_300);
    expect(bundleSize(audio)).toBeLessThan(44_000);
    const onTop = (lines) => bundleSize(core + lines) - bundleSize(core);
    expect(onTop(audio)).toBeLessThan(35_600);
    expect(onTop("export { featureExtractor } from 'onnx-layout/audio';\n")).toBeLessThan(23_700);
  });

  test.each([
    ['featureExtractor', 32_000],
    ['spectrogram', 14_400],
    ['melFilterBank', 10_800],
    ['resampleAudio', 8_700],
    ['decodeAudio', 8_800],
    ['encodeWav', 5_600],
    ['decodeWav', 6_400],
    ['toMono', 4_700],
  ])('is smaller where a page imports %s of audio alone', (name, bytes) => {
    expect(bundleSize(`export { ${name} } from 'onnx-layout/audio';\n`)).toBeLessThan(bytes);
  });

  test('is small for answers: their own wasm, and their JS on top of the core', () => {
    const answers = (names) => `${core}export { ${names} } from 'onnx-layout/postprocess';\n`;
    expect(wasmSize('postprocess')).toBeLessThan(26_800);
    expect(bundleSize(answers('nms')) - bundleSize(core)).toBeLessThan(4_200);
    expect(bundleSize(answers('postProcessor')) - bundleSize(core)).toBeLessThan(30_900);
  });

  test('is smaller where a page imports transpose alone: other operators and what only they need stay out', () => {
    const entry = join(app, 'transpose.mjs');
    writeFileSync(entry, "export { transpose } from 'onnx-layout';\n");
    const options = ['--bundle', '--minify', '--format=esm', '--external:#*'];
    const metafile = join(app, 'transpose.json');
    const bundle = run(
      bin('.bin/esbuild'),
      [entry, ...options, `--metafile=${metafile}`, '--outfile=transpose.js'],
      app,
    );
    expect(bundle.toString()).toBe('');
    const { inputs } = JSON.parse(readFileSync(metafile, 'utf8')).outputs['transpose.js'];
    const files = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
    const rooms = files.flatMap((path) => /js\/((?:operators|engines|io|image)\/.*)\.js$/.exec(path)?.[1] ?? []);
    expect(rooms.sort()).toEqual([
      'engines/loading/index',
      'engines/memory/checks',
      ...['load', 'module'].map((name) => `engines/tensors/${name}`),
      ...['layouts', 'move', 'pieces', 'plan', 'slabs', 'strings'].map((name) => `engines/tensors/moves/${name}`),
      ...['call', 'define', 'kinds', 'results', 'view'].map((name) => `operators/core/${name}`),
      'operators/layout/transpose',
    ]);
    expect(gzipSync(readFileSync(join(app, 'transpose.js')), { level: 9 }).length).toBeLessThan(20_700);
    const whole = run(bin('.bin/esbuild'), [entry, '--bundle', '--minify', '--format=esm'], app);
    expect(gzipSync(whole, { level: 9 }).length).toBeLessThan(72_300);
    expect(whole.length).toBeLessThan(286_000);
  });

  test('is small for processors: 136 classes of images, and 35 of videos on top', () => {
    const images = "export { imageProcessor, imageProcessorAsync } from 'onnx-layout/processors';\n";
    const videos = "export { videoProcessor, videoProcessorAsync } from 'onnx-layout/processors';\n";
    expect(bundleSize(images)).toBeLessThan(75_000);
    expect(bundleSize(images + videos) - bundleSize(images)).toBeLessThan(14_500);
  });

  test('has no part of videos where a page imports imageProcessor alone', () => {
    const entry = join(app, 'images.mjs');
    writeFileSync(entry, "export { imageProcessor, imageProcessorAsync } from 'onnx-layout/processors';\n");
    const metafile = join(app, 'images.json');
    const options = ['--bundle', '--minify', '--format=esm', '--external:#*', `--metafile=${metafile}`];
    run(bin('.bin/esbuild'), [entry, ...options, '--outfile=images.js'], app);
    const { inputs } = JSON.parse(readFileSync(metafile, 'utf8')).outputs['images.js'];
    const files = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
    expect(files.some((path) => path.includes('js/processors/classes/'))).toBe(true);
    expect(files.filter((path) => path.includes('js/processors/videos/'))).toEqual([]);
  });

  test('names no file that a bundler would serve beside the code, but for Node', () => {
    const isServed = (file) => /\.m?js$/.test(file) && !/^(js\/node\/|dist\/cli(-worker)?\.js)/.test(file);
    for (const { path } of packed.files.filter(({ path: file }) => isServed(file)))
      expect([path, readFileSync(join(installed, path), 'utf8').includes('import.meta')]).toEqual([path, false]);
  });

  test('satisfies publint', () => {
    expect(runNode(bin('publint/src/cli.js'), 'run', tarball, '--strict')).toContain('All good!');
  });

  // One rule is off: it says that require() of an ES module fails. In the Node versions of `engines` it works, as a
  // test
  // below shows.
  test('satisfies attw, profile node16', () => {
    runNode(
      bin('@arethetypeswrong/cli/dist/index.js'),
      tarball,
      '--profile',
      'node16',
      '--ignore-rules',
      'cjs-resolves-to-esm',
      '--exclude-entrypoints',
      './layout.wasm',
      './image.wasm',
      './audio.wasm',
      './postprocess.wasm',
      '--no-definitely-typed',
    );
  });
});

describe('the installed package', () => {
  const use = `
    const { dims, data } = transpose({ type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3] });
    console.log(JSON.stringify([dims, [...data]]));`;
  const printed = '[[3,2],[1,4,2,5,3,6]]\n';

  test('works from an ES module', () => {
    writeFileSync(join(app, 'main.mjs'), `import { transpose } from 'onnx-layout';\n${use}`);
    expect(runNode('main.mjs')).toBe(printed);
  });

  test('works from require()', () => {
    writeFileSync(join(app, 'main.cjs'), `const { transpose } = require('onnx-layout');\n${use}`);
    expect(runNode('main.cjs')).toBe(printed);
  });

  test('works in a Jest test', () => {
    writeFileSync(
      join(app, 'user.test.mjs'),
      `
      import { transpose } from 'onnx-layout';
      test('transposes', async () => {
        const { data } = transpose({ type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [2, 2] });
        expect([...data]).toEqual([1, 3, 2, 4]);
      });`,
    );
    writeFileSync(join(app, 'jest.config.json'), '{ "testMatch": ["**/*.test.mjs"], "transform": {} }\n');
    const report = JSON.parse(
      runNode('--experimental-vm-modules', bin('jest/bin/jest.js'), '--json', '--rootDir', app),
    );
    expect([report.numPassedTests, report.numTotalTests]).toEqual([1, 1]);
  });

  test('gives files and the command line', () => {
    writeFileSync(
      join(app, 'files.mjs'),
      `
      import { readTensorProto, writeNpy, writeTensorProto } from 'onnx-layout/io';
      const bytes = writeTensorProto({ type: 'uint8', data: Uint8Array.of(1, 2), dims: [2] });
      process.stdout.write(writeNpy(readTensorProto(bytes)));`,
    );
    expect(run('sh', ['-c', 'node files.mjs | npx onnx-layout inspect -'], app)).toBe('uint8 [2], 2 bytes: 1 2\n');
  });

  test('gives the wasm and package.json by name', () => {
    writeFileSync(
      join(app, 'files.cjs'),
      `
      const wasm = require('node:fs').readFileSync(require.resolve('onnx-layout/layout.wasm'));
      console.log(WebAssembly.validate(wasm), require('onnx-layout/package.json').name);`,
    );
    expect(runNode('files.cjs')).toBe('true onnx-layout\n');
  });

  // Lines that must be errors stand below a @ts-expect-error, which fails where there is no error.
  test.each([
    ['nodenext', 'user.mts', 'user.cts'],
    ['bundler', 'user.ts'],
  ])('has types that a strict TypeScript program agrees with: %s, %s', (resolution, ...files) => {
    for (const file of files) cpSync(join(root, 'tests/package/user.ts'), join(app, file));
    const module = resolution === 'bundler' ? 'esnext' : resolution;
    runNode(
      bin('typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--noUncheckedIndexedAccess',
      '--exactOptionalPropertyTypes',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
      '--module',
      module,
      '--moduleResolution',
      resolution,
      ...files,
    );
  });
});

test.each(['.', 'tests/bench', 'tests/engines'])('the lock file in %s has no download addresses', (folder) => {
  const { packages } = JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8'));
  expect(Object.keys(packages).length).toBeGreaterThan(20);
  expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
