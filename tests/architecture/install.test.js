/**
 * install.mjs on systems that are folders of small programs: the PATH has nothing
 * else.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { root } from '../support/packed.js';
import { words } from '../support/tables.js';

let tree;
const log = () => join(tree, 'log');

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'onnx-layout-install-'));
  mkdirSync(join(tree, 'web'));
  for (const folder of ['.', 'web']) writeFileSync(join(tree, folder, 'package-lock.json'), '{}');
  copyFileSync(join(root, 'install.mjs'), join(tree, 'install.mjs'));
});
afterEach(() => rmSync(tree, { recursive: true }));

/** Puts a program on the PATH that logs its call and runs a line of the shell. */
function has(name, line = ':') {
  mkdirSync(join(tree, 'bin'), { recursive: true });
  writeFileSync(join(tree, 'bin', name), `#!/bin/sh\necho "${name} $*" >> ${log()}\n${line}\n`);
  chmodSync(join(tree, 'bin', name), 0o755);
}

function install(...needs) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(tree, 'install.mjs'), ...needs], {
    encoding: 'utf8',
    env: { PATH: join(tree, 'bin') },
  });
  const calls = existsSync(log()) ? readFileSync(log(), 'utf8').trimEnd().split('\n') : [];
  return {
    status,
    stdout,
    stderr: stderr.replaceAll(tree, 'TREE'),
    calls: calls.map((call) => call.replaceAll(tree, 'TREE')),
  };
}

const npmCi = '--ignore-scripts --no-audit --no-fund';

describe('with apt', () => {
  const isRoot = process.getuid?.() === 0;

  test('what is missing is named in one line and installed; what is there is left alone', () => {
    for (const name of ['apt-get', 'emcc', 'ninja', 'npm']) has(name);
    has('dpkg-query', 'case $3 in libsimde-dev) printf installed;; esac');
    const { status, stdout, stderr, calls } = install('wasm', 'clang', 'npm', 'web');
    if (!isRoot) {
      expect(stderr).toBe(
        'Run this once as root, or have root run: apt-get install -y --no-install-recommends cmake clang\n',
      );
      return;
    }
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toBe('install: apt-get install cmake clang; npm ci in .; npm ci in web (190 MB)\n');
    expect(calls).toEqual([
      'dpkg-query -W -f=${db:Status-Status} libsimde-dev',
      'apt-get update',
      'apt-get install -y --no-install-recommends cmake clang',
      `npm ci --prefix . ${npmCi}`,
      `npm ci --prefix web ${npmCi}`,
    ]);
  });

  test('nothing is said where nothing is missing', () => {
    for (const name of ['apt-get', 'emcc', 'cmake', 'ninja', 'npm']) has(name);
    mkdirSync(join(tree, 'node_modules'));
    writeFileSync(join(tree, 'node_modules/.package-lock.json'), '{}');
    expect(install('wasm', 'npm')).toEqual({ status: 0, stdout: '', stderr: '', calls: [] });
  });

  test('a failure shows what the program printed', () => {
    has('npm', 'echo no network; exit 3');
    expect(install('npm')).toMatchObject({
      status: 1,
      stderr: `install: npm ci in .\nno network\nnpm ci --prefix . ${npmCi}: exit status 3\n`,
    });
  });
});

describe('where nothing is installed', () => {
  test.each([
    ['wasm', 'apt-get install emscripten cmake ninja-build'],
    ['native', 'apt-get install cmake ninja-build clang libclang-rt-dev libsimde-dev'],
    ['clang', 'apt-get install clang libsimde-dev'],
    ['clang-format', 'apt-get install clang-format'],
    ['numpy', 'apt-get install python3-numpy'],
    ['protoc', 'apt-get install protobuf-compiler'],
    ['browsers', 'apt-get install chromium firefox-esr xvfb'],
    ['webkit', 'apt-get install webkit2gtk-driver xvfb'],
    ['npm', 'npm ci in .'],
    ['web', 'npm ci in web (190 MB)'],
    ['docs', 'npm ci in web/docs (150 MB)'],
    ['engines', 'npm ci in tests/engines (1 GB)'],
    ['bench', 'npm ci in tests/bench (700 MB)'],
  ])('%s: %s', (need, step) => {
    for (const name of ['apt-get', 'dpkg-query', 'npm']) has(name);
    const { stderr } = install(need);
    const start = process.getuid?.() === 0 || step.startsWith('npm') ? 'install: ' : 'Run this once as root, ';
    expect(stderr.slice(0, start.length)).toBe(start);
    const packages = step.replace('apt-get install ', '');
    expect(stderr.trimEnd().endsWith(packages)).toBe(true);
    if (start === 'install: ') expect(stderr).toBe(`install: ${step}\n`);
  });

  test.each([
    ['wasm', 'emcc cmake ninja'],
    ['native', 'cmake ninja clang++'],
    ['clang-format', 'clang-format'],
    ['protoc', 'protoc'],
    ['browsers', 'chromium firefox-esr Xvfb'],
    ['webkit', 'WebKitWebDriver Xvfb'],
  ])('%s is there where %s are', (need, commands) => {
    for (const name of words(`apt-get ${commands}`)) has(name);
    has('dpkg-query', 'printf installed');
    expect(install(need)).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('without apt', () => {
  test('one sentence says what to install', () => {
    has('cmake');
    expect(install('wasm', 'native')).toMatchObject({
      status: 1,
      stderr: 'Install Emscripten 3.1.6 or newer, Ninja, Clang, and SIMDe: the PATH has no emcc, ninja, clang++.\n',
    });
  });

  test('programs that tests can do without are left to the tests', () =>
    expect(install('browsers', 'webkit', 'numpy', 'protoc')).toEqual({ status: 0, stdout: '', stderr: '', calls: [] }));
});

test('a need that no table has', () =>
  expect(install('wasm', 'nativ')).toMatchObject({ status: 1, stderr: 'install: nothing is named nativ\n' }));

/** In a tree whose build.mjs prints its arguments. */
describe('npm test', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const needs = (...args) => {
    makeTree();
    const { stderr } = spawnSync(process.execPath, ['tests/support/run.mjs', '--build-only', ...args], {
      cwd: tree,
      encoding: 'utf8',
    });
    return stderr.trimEnd();
  };
  function makeTree() {
    mkdirSync(join(tree, 'tests/support'), { recursive: true });
    for (const file of ['run.mjs', 'packed.js', 'tables.js'])
      copyFileSync(join(root, 'tests/support', file), join(tree, 'tests/support', file));
    writeFileSync(join(tree, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(tree, 'build.mjs'), 'console.error(process.argv.slice(2).join(" "));');
    const suites = words(`
      operators/flatten browser/page engine/corpus engine/init io/onnx/onnx architecture/cpp-formats cli/cli
    `);
    spawnSync('git', ['init', '-q'], { cwd: tree });
    for (const suite of suites) {
      mkdirSync(join(tree, 'tests', suite, '..'), { recursive: true });
      writeFileSync(join(tree, 'tests', `${suite}.test.js`), '');
    }
  }

  test('is one program, which builds what it needs', () => expect(scripts.test).toBe('node tests/support/run.mjs'));

  test.each([
    ['tests/operators', '--wasm-only', 'operators need the wasm alone'],
    ['tests/engine/init', '--wasm-only', 'most suites of the engine do'],
    ['tests/engine', '--replays --wasm-only', 'the corpus is replayed'],
    ['tests/cli', '', 'the program is joined'],
    ['tests/(cli|operators)', '', 'a pattern with a room that reads the program'],
    ['nothing', '--browsers --web --replays --clang --protoc', 'a pattern that no suite matches'],
    ['browser|onnx', '--browsers --web --protoc', 'a pattern of two rooms'],
    ['lint', '', 'a step that needs npm alone'],
    ['format', '--clang-format', 'a step'],
    ['native', '--native', 'the native tests'],
    ['architecture', '--clang', 'the suites of a step'],
  ])('%s builds with %j: %s', (arg, expected) => expect(needs(arg)).toBe(expected));

  test('whole builds everything', () =>
    expect(needs()).toBe('--clang-format --clang --browsers --web --replays --protoc --native'));
});
