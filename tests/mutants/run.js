/**
 * Makes mistakes in the sources, one at a time, and runs the tests that must catch each: generated ones in js/, and
 * those of cpp.js. Every core works in a copy of the tree. Prints a line for each that no test catches, and `N passed,
 * M failed` at the end. Arguments choose source files by how their paths begin: `js/io/npy/npy.js`, or `cpp`.
 *
 *     --sample N  only N mistakes of js/, which the commit's hash chooses, or `--seed HEX`
 *     --quick     one file of js/, which the commit's hash chooses, and the suite of its name, for a minute; fails
 *                 where that suite catches none of a dozen or more, or fails without a mistake
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseSome, commitHash } from '../support/sample.js';
import * as cpp from './cpp.js';
import { cppEditsOf } from './generate-cpp.js';
import { apply, editsOf } from './generate.js';
import { reachOptions, readReached, sharesName, suitesOf } from './reach.js';
import { survivors } from './survivors.js';

/** @typedef {import('./generate.js').Edit & { file: string, name: string }} Mutant its name says where and what */

const root = join(import.meta.dirname, '../..');

/** In milliseconds, for a suite that has not been measured. */
const mostTime = 3_600_000;

/** In milliseconds without a mistake: the suites that a mistake is given to, the fastest first. */
const mostSuiteTime = 45_000;

/** In milliseconds, once the suites were measured. */
const quickTime = 60_000;

/** Tests that catch none of as many mistakes see nothing. A share says little of one suite: others see the rest. */
const fewest = 12;

/** The parts of the tree that the tests need. `node_modules` is linked. */
const parts = ['cpp', 'js', 'dist', 'tests', 'CMakeLists.txt', 'package.json', 'README.md'];

/**
 * Runs a command.
 * @param {string} folder
 * @param {number | undefined} limit in milliseconds
 * @param {string} command
 * @param {...string} args
 * @returns {Promise<boolean>} whether it succeeds
 */
function succeeds(folder, limit, command, ...args) {
  return new Promise((resolve) => {
    // A process group of its own, so that the limit ends what it started too.
    const child = spawn(command, args, { cwd: folder, stdio: 'ignore', detached: true });
    const timer = limit && setTimeout(() => process.kill(-child.pid, 'SIGKILL'), limit);
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve(status === 0);
    });
  });
}

/**
 * Brings a copy of the tree up to date. It copies only files that differ, so that ninja builds only what follows from
 * them. A source that still holds the mistake of an interrupted run differs too. Its copy is newer than the object
 * file, which ninja builds again.
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
  '--reporters=./tests/mutants/first-failure.js',
];

/** @type {(folder: string, ...tests: string[]) => Promise<boolean>} whether native tests compile; no limit of time */
const builds = (folder, ...tests) =>
  succeeds(folder, undefined, 'cmake', '--build', 'build', ...tests.flatMap((test) => ['--target', test]));

/** Of a mistake in C++, which then counts for nothing. */
const notCompiled = 'does not compile';

/** How a test of a language runs, by the beginning of the source's path. */
const passes = {
  async cpp(folder, test, limit = mostTime) {
    if (!(await builds(folder, test))) throw new Error(notCompiled);
    return succeeds(folder, limit, 'ctest', '--test-dir', 'build', '-R', `^${test}$`, '--no-tests=error');
  },
  js: (folder, suite, limit = mostTime, options = []) =>
    succeeds(folder, limit, process.execPath, ...jest, ...options, '--runTestsByPath', `tests/${suite}`),
};
const languageOf = (file) => (file.startsWith('cpp/') ? 'cpp' : 'js');

/** @type {(source: string, file: string, edit: import('./generate.js').Edit) => Mutant} */
function mutant(source, file, edit) {
  const [first, end] = [source.lastIndexOf('\n', edit.start - 1) + 1, source.indexOf('\n', edit.end)];
  const lines = [source.slice(first, end), source.slice(first, edit.start) + edit.text + source.slice(edit.end, end)];
  const [from, to] = lines.map((text) => text.trim().replace(/\s+/g, ' '));
  return { ...edit, file, name: `${file}: ${from} -> ${to}` };
}

/** @type {(file: string) => Mutant[]} */
function mutantsOf(file) {
  const source = readFileSync(join(root, file), 'utf8');
  const edits = languageOf(file) === 'js' ? editsOf(source) : cppEditsOf(source);
  return edits.map((edit) => mutant(source, file, edit));
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string' }, quick: { type: 'boolean' } },
});
const hash = options.seed ?? commitHash();

/** @type {(mutants: Mutant[], count: number) => Mutant[]} */
function sample(mutants, count) {
  const key = ({ name, start }) => createHash('sha256').update(`${hash}${name}${start}`).digest('hex');
  const keyed = mutants.map((entry) => ({ key: key(entry), entry })).sort((a, b) => (a.key < b.key ? -1 : 1));
  return keyed.slice(0, count).map(({ entry }) => entry);
}

/** @type {(folder: string) => string[]} */
const filesOf = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((path) => `${folder}/${String(path).replaceAll('\\', '/')}`)
    .sort();
// The program runs as a process of its own, where no line is counted.
const sources = filesOf('js').filter((path) => path.endsWith('.js') && path !== 'js/cli/cli.js');
const cppSources = filesOf('cpp').filter((path) => /\.(cpp|h|def)$/.test(path) && cpp.testsOf(path).length > 0);
const isChosen = (file) => positionals.length === 0 || positionals.some((part) => file.startsWith(part));
const ownSuites = (file) => suitesOf(root, file).filter((suite) => sharesName(file, suite));
const files = options.quick
  ? chooseSome(
      sources.filter((file) => isChosen(file) && ownSuites(file).length > 0),
      1,
      hash,
    )
  : [...sources, ...cppSources].filter(isChosen);

/** By test: a mistake may make one loop for ever, so none gets much more time than it took without one. */
const times = new Map();
/** By suite of Jest, the lines that it reaches, by source. */
const reached = new Map();

/**
 * Runs the tests without a mistake, because a test that fails anyway would seem to catch everything.
 * @param {string} folder a copy of the tree
 * @param {string[]} tests is emptied
 */
async function measure(folder, tests) {
  for (let test = tests.shift(); test; test = tests.shift()) {
    const isSuite = test.endsWith('.js');
    const begin = performance.now();
    const reach = isSuite ? reachOptions(folder, files) : [];
    if (!(await passes[isSuite ? 'js' : 'cpp'](folder, test, mostTime, reach))) {
      if (!isSuite) throw new Error(`${test} fails without a mistake`);
      console.log(`${test} fails without a mistake, and is left out`);
      continue;
    }
    times.set(test, performance.now() - begin);
    if (isSuite) reached.set(test, readReached(folder));
  }
}

/** The tests that must catch a mistake, the fastest first, but that of the source's name before all. */
function testsOf({ file, line }) {
  if (languageOf(file) === 'cpp') return cpp.testsOf(file);
  const reaching = [...reached].filter(([, lines]) => lines.get(file)?.has(line)).map(([suite]) => suite);
  const rank = (suite) => (sharesName(file, suite) ? 0 : times.get(suite));
  let time = 0;
  return reaching
    .sort((a, b) => rank(a) - rank(b))
    .filter((suite, i) => (time += times.get(suite)) < mostSuiteTime || i === 0);
}

/**
 * Makes a mistake and runs its tests until one fails.
 * @param {string} folder
 * @param {Mutant} mistake
 * @returns {Promise<string | undefined>} the test that catches it
 */
async function catches(folder, mistake) {
  const { file } = mistake;
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, apply(source, mistake));
  try {
    for (const test of testsOf(mistake))
      if (!(await passes[languageOf(file)](folder, test, 10_000 + 5 * times.get(test)))) return test;
    return undefined;
  } finally {
    writeFileSync(path, source);
  }
}

let [passed, failed] = [0, 0];

/**
 * Takes mistakes from the queue until none is left.
 * @param {string} folder a copy of the tree
 * @param {Mutant[]} queue
 */
async function work(folder, queue) {
  for (let next = queue.shift(); next && performance.now() < deadline; next = queue.shift()) {
    let outcome = 'not caught';
    const test = await catches(folder, next).catch((error) => {
      outcome = error.message;
    });
    if (outcome === notCompiled) continue;
    if (test) passed++;
    else failed++;
    if (!test && !options.quick) console.log(`${next.name}: ${outcome}`);
  }
}

const folders = Array.from({ length: availableParallelism() }, (_, i) => join(root, 'build/mutants', String(i)));
folders.forEach(copyTree);
const tests = files.flatMap((file) => {
  if (languageOf(file) === 'cpp') return cpp.testsOf(file);
  return options.quick ? ownSuites(file) : suitesOf(root, file);
});
const queued = [...new Set(tests)];
// Without a mistake, and one after the other: each build takes all cores, and the first one may take half an hour.
const native = queued.filter((test) => !test.endsWith('.js'));
for (const folder of native.length > 0 ? folders : []) {
  if (!existsSync(join(folder, 'build/build.ninja')) && !(await succeeds(folder, undefined, 'cmake', ...setUp)))
    throw new Error('cmake failed');
  if (!(await builds(folder, ...native))) throw new Error('the native tests do not compile without a mistake');
}
await Promise.all(folders.map((folder) => measure(folder, queued)));
const isReached = ({ file, line }) =>
  languageOf(file) === 'cpp' || [...reached.values()].some((lines) => lines.get(file)?.has(line));
const mutants = files.flatMap(mutantsOf).filter((entry) => isReached(entry) && !survivors.has(entry.name));
const queue = options.quick || options.sample ? sample(mutants, Number(options.sample ?? 100)) : mutants;
const deadline = options.quick ? performance.now() + quickTime : Infinity;
await Promise.all(folders.map((folder) => work(folder, queue)));
console.log(`${options.quick ? files : positionals}: ${passed} of ${passed + failed} mistakes are caught`);
const showsNothing = times.size === 0 || (passed === 0 && failed >= fewest);
if (options.quick) [passed, failed] = showsNothing ? [0, 1] : [1, 0];
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
