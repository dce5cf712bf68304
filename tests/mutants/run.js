/**
 * Plants the bugs of cpp.js and js.js, one at a time, and runs the tests that must catch each. Every core works in a
 * copy of the tree. Prints a line for each bug that no test catches, and `N passed, M failed` at the end. Arguments
 * choose source files by how their paths begin: `js/io/npy/npy.js`, or `cpp` for all of a folder.
 */
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import * as cpp from './cpp.js';
import * as js from './js.js';

/**
 * A language's bugs, and how its tests run.
 * @typedef {object} Kind
 * @property {Record<string, string[]>} tests by source file, the names of the tests that must catch its bugs
 * @property {Record<string, string[][]>} mutants by source file, pairs of a snippet and what replaces it
 * @property {(folder: string, test: string, limit?: number) => Promise<boolean>} passes runs one test in a copy of the
 *   tree
 */

/** @typedef {{ kind: Kind, file: string, from: string, to: string }} Mutant */

const root = join(import.meta.dirname, '../..');

/** In milliseconds, for what has not been measured. */
const mostTime = 600_000;
/** By test: a bug may make one loop for ever, so none gets much more time than it took without a bug. */
const limits = new Map();

/** The parts of the tree that the tests need. `node_modules` is linked. */
const parts = ['cpp', 'js', 'dist', 'tests', 'CMakeLists.txt', 'package.json', 'README.md'];

/**
 * Runs a command.
 * @param {string} folder
 * @param {number} limit in milliseconds
 * @param {string} command
 * @param {...string} args
 * @returns {Promise<boolean>} whether it succeeds
 */
function succeeds(folder, limit, command, ...args) {
  return new Promise((resolve) => {
    // A process group of its own, so that the limit ends what it started too.
    const child = spawn(command, args, { cwd: folder, stdio: 'ignore', detached: true });
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), limit);
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve(status === 0);
    });
  });
}

/**
 * Brings a copy of the tree up to date. It copies only files that differ, so that ninja builds only what follows from
 * them. A source that still holds the bug of an interrupted run differs too. Its copy is newer than the object file,
 * which ninja builds again.
 * @param {string} folder
 */
function copyTree(folder) {
  // Files that the tree no longer has must not be found in the copy.
  for (const part of ['js', 'tests']) rmSync(join(folder, part), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const differs = (from, to) =>
    !from.includes('node_modules') &&
    (statSync(from).isDirectory() || !existsSync(to) || !readFileSync(from).equals(readFileSync(to)));
  for (const part of parts) cpSync(join(root, part), join(folder, part), { filter: differs, recursive: true });
  const link = join(folder, 'node_modules');
  if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(join(root, 'node_modules'), link);
}

const setUp = ['-S', '.', '-B', 'build', '-G', 'Ninja', '-DCMAKE_CXX_COMPILER=clang++'];
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  '--runInBand',
];
const reporter = '--reporters=./tests/mutants/first-failure.js';

/** @type {Record<string, Kind>} */
const kinds = {
  cpp: {
    ...cpp,
    async passes(folder, test, limit = mostTime) {
      if (!existsSync(join(folder, 'build/build.ninja')) && !(await succeeds(folder, mostTime, 'cmake', ...setUp)))
        throw new Error('cmake failed');
      if (!(await succeeds(folder, mostTime, 'cmake', '--build', 'build', '--target', test)))
        throw new Error('does not compile');
      return succeeds(folder, limit, 'ctest', '--test-dir', 'build', '-R', `^${test}$`, '--no-tests=error');
    },
  },
  js: {
    ...js,
    passes: (folder, suite, limit = mostTime) =>
      succeeds(folder, limit, process.execPath, ...jest, `/${suite}.test.js`, reporter),
  },
};

/**
 * Plants a bug and runs its tests until one fails.
 * @param {string} folder
 * @param {Mutant} mutant
 * @returns {Promise<string | undefined>} the test that catches the bug
 */
async function catches(folder, { kind, file, from, to }) {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  // A function, because `$` means something in a replacement string.
  const planted = source.replace(from, () => to);
  writeFileSync(path, planted);
  try {
    for (const test of kind.tests[file]) if (!(await kind.passes(folder, test, limits.get(test)))) return test;
    return undefined;
  } finally {
    writeFileSync(path, source);
  }
}

/**
 * Lists the bugs of the chosen files.
 * @param {string[]} chosen beginnings of paths; none for all files
 * @returns {Mutant[]}
 * @throws {Error} a snippet that does not stand in its file exactly once
 */
function listMutants(chosen) {
  const queue = [];
  const stale = [];
  for (const kind of Object.values(kinds)) {
    for (const [file, list] of Object.entries(kind.mutants)) {
      if (chosen.length > 0 && !chosen.some((part) => file.startsWith(part))) continue;
      const path = join(root, file);
      const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
      for (const [from, to] of list) {
        queue.push({ kind, file, from, to });
        if (source.split(from).length !== 2) stale.push(`${file}: ${JSON.stringify(from)} must be there once`);
      }
    }
  }
  if (stale.length > 0) throw new Error(`The code has changed:\n${stale.join('\n')}`);
  return queue;
}

const queue = listMutants(process.argv.slice(2));
// Without a bug all of the tests have to pass. A test that fails anyway would seem to catch everything.
const baseline = [
  ...new Map(queue.flatMap(({ kind, file }) => kind.tests[file].map((test) => [test, { kind, test }]))).values(),
];
let passed = 0;
let failed = 0;

/**
 * Takes bugs from the queue until none is left.
 * @param {string} folder a copy of the tree
 */
async function work(folder) {
  copyTree(folder);
  for (let next = baseline.shift(); next; next = baseline.shift()) {
    const begin = performance.now();
    if (!(await next.kind.passes(folder, next.test))) throw new Error(`${next.test} fails without a mutant`);
    limits.set(next.test, 20_000 + 10 * (performance.now() - begin));
  }
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const { file, from, to } = mutant;
    let outcome = 'not caught';
    const test = await catches(folder, mutant).catch((error) => {
      outcome = error.message;
    });
    if (test) passed++;
    else failed++;
    if (!test) console.log(`${file}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}: ${outcome}`);
  }
}

await Promise.all(
  Array.from({ length: availableParallelism() }, (_, i) => work(join(root, 'build/mutants', String(i)))),
);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
