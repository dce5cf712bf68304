/**
 * Builds what the checks of `npm test` need, runs them, cheapest first, shows how long each takes, and ends with one
 * line that counts them all: `N passed, M failed`. Arguments that name steps choose them: `npm test -- architecture
 * native`. Other arguments go to Jest, which runs alone then: `npm test -- tests/operators/flatten`. `--build-only`
 * runs none.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { run as output, root } from './packed.js';
import { words } from './tables.js';

/** @typedef {{ passed: number, failed: number }} Counts */

process.chdir(root);

/** Prettier reads the layout of everything else. */
const cppSources = output('git', ['ls-files', '*.cpp', '*.h']).trimEnd().split('\n');

/**
 * Runs a command that passes or fails as a whole.
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<Counts>}
 */
async function check(command, args) {
  const exit = once(spawn(command, args, { stdio: 'inherit' }), 'exit');
  const [status] = await exit.catch((error) => [console.error(`${command}: ${error.message}`)]);
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * Runs a tool that an npm package brings.
 * @param {string} tool its file in node_modules
 * @param {string[]} args
 */
const checkTool = (tool, ...args) => check(process.execPath, [`node_modules/${tool}`, ...args]);

/**
 * Runs Jest.
 * @param {string[]} args
 * @returns {Counts}
 */
function jest(...args) {
  const report = 'build/jest.json';
  mkdirSync('build', { recursive: true });
  rmSync(report, { force: true });
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const file = 'node_modules/jest/bin/jest.js';
  const { status } = spawnSync(process.execPath, [...options, file, '--json', `--outputFile=${report}`, ...args], {
    // The report goes to its file; what Jest tells people goes to stderr.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  showSkipped(testResults);
  showSlowest(testResults);
  // A suite that does not load has no tests to count, and Jest itself can fail where no test does.
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  return { passed: numPassedTests, failed: status !== 0 && failed === 0 ? 1 : failed };
}

/** @typedef {{ title: string, status: string }} Result */
/**
 * A suite in Jest's report.
 * @typedef {{ name: string, startTime: number, endTime: number, assertionResults: Result[] }} SuiteResult
 */

/**
 * Shows the tests that need what is missing here, because Jest shows no skipped test where it runs several files.
 * @param {SuiteResult[]} suites
 */
function showSkipped(suites) {
  for (const { title } of suites.flatMap(({ assertionResults }) => assertionResults))
    if (title.startsWith('NOT RUN')) console.log(title);
}

/**
 * Shows the five suites that took the longest.
 * @param {SuiteResult[]} suites
 */
function showSlowest(suites) {
  const times = suites.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }));
  const slowest = times.sort((a, b) => b.seconds - a.seconds).slice(0, 5);
  console.log(slowest.map(({ name, seconds }) => `${relative(root, name)} ${seconds.toFixed(0)} s`).join(', '));
}

/** @returns {Counts} of the tests of the C++ sources under the sanitizers, and of the fuzzers' committed inputs */
function native() {
  const { status, stdout, stderr } = spawnSync(
    'ctest',
    [
      '--test-dir',
      'build/native',
      '--output-on-failure',
      '--no-tests=error',
      '--parallel',
      String(availableParallelism()),
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) console.log(stdout, stderr);
  const [, failed, total] = /(\d+) tests failed out of (\d+)/.exec(stdout ?? '') ?? [0, 1, 1];
  return { passed: Number(total) - Number(failed), failed: Number(failed) };
}

/**
 * Rooms and suites that need more than dist/, by the beginning of their paths, and what: needs of build.mjs.
 * @type {Record<string, string[]>}
 */
const suiteNeeds = {
  'tests/browser/': ['browsers', 'web'],
  'tests/engine/corpus': ['replays'],
  'tests/postprocess/engine': ['replays'],
  'tests/architecture/cpp-formats': ['clang'],
  'tests/io/npy': ['numpy'],
  'tests/io/onnx/onnx': ['protoc'],
  'tests/tensor/print': ['numpy'],
};

/** Rooms and suites that read the program, the file of a thread or of a page, or the types. */
const bundleSuites = words(`
  tests/adversarial/adversarial-arguments tests/architecture/workflows tests/browser/ tests/cli/ tests/docs/
  tests/node/long-files tests/node/preprocess-files tests/package/
`);

/**
 * Chooses suites, all of them if none matches.
 * @param {readonly string[]} patterns regular expressions over their paths, as Jest takes them, among Jest's options
 */
function suitesOf(...patterns) {
  const suites = output('git', ['ls-files', '--cached', '--others', 'tests/*/*.test.js']).trimEnd().split('\n');
  const matching = suites.filter((suite) => patterns.some((pattern) => suite.search(pattern) !== -1));
  return matching.length > 0 ? matching : suites;
}

/** @type {(suites: readonly string[], starts: readonly string[]) => string[]} the beginnings of some of the paths */
const startsOf = (suites, starts) => starts.filter((start) => suites.some((suite) => suite.startsWith(start)));

/** @param {readonly string[]} patterns */
const needsOf = (...patterns) =>
  startsOf(suitesOf(...patterns), Object.keys(suiteNeeds)).flatMap((start) => suiteNeeds[start]);

/**
 * The first three take one core each, and run side by side.
 * @type {Record<string, { needs?: () => string[], run: () => Counts | Promise<Counts> }>}
 */
const steps = {
  format: {
    needs: () => ['clang-format'],
    run: async () =>
      sum([await checkTool('prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'), await checkCppFormat()]),
  },
  lint: { run: () => checkTool('eslint/bin/eslint.js', '.') },
  types: { run: () => checkTool('typescript/bin/tsc', '--project', 'tsconfig.check.json') },
  architecture: { needs: () => needsOf('tests/architecture/'), run: () => jest('tests/architecture/') },
  jest: {
    needs: () => needsOf('^tests/(?!architecture/|package/)'),
    run: () => jest('--testPathIgnorePatterns', '/node_modules/', '/tests/architecture/', '/tests/package/'),
  },
  native: { needs: () => ['native'], run: native },
  package: { run: () => jest('tests/package/') },
};

const checkCppFormat = () => check('clang-format', ['--dry-run', '-Werror', ...cppSources]);

/** @type {(list: readonly Counts[]) => Counts} */
const sum = (list) =>
  list.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }), { passed: 0, failed: 0 });

/**
 * Runs one step between two lines that name it.
 * @param {string} name
 * @param {() => Counts | Promise<Counts>} step
 */
async function runTimed(name, step) {
  console.log(`== ${name}`);
  const start = performance.now();
  const counts = await step();
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`== ${name}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`);
  return counts;
}

const args = process.argv.slice(2).filter((arg) => arg !== '--build-only');
const areSteps = args.every((name) => Object.hasOwn(steps, name));
const chosen = areSteps && args.length > 0 ? args : Object.keys(steps);
const needs = areSteps ? chosen.flatMap((name) => steps[name].needs?.() ?? []) : needsOf(...args);
if (!areSteps && startsOf(suitesOf(...args), bundleSuites).length === 0) needs.push('wasm-only');
const flags = [...new Set(needs)].map((need) => `--${need}`);
const { status } = spawnSync(process.execPath, ['build.mjs', ...flags], { stdio: ['ignore', 2, 2] });
if (status !== 0) process.exit(1);
if (!process.argv.includes('--build-only')) {
  const { passed, failed } = areSteps ? await runSteps() : await runTimed('jest', () => jest(...args));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

async function runSteps() {
  const isOfOneCore = (/** @type {string} */ name) => ['format', 'lint', 'types'].includes(name);
  const run = (/** @type {string} */ name) => runTimed(name, steps[name].run);
  const counts = await Promise.all(chosen.filter(isOfOneCore).map(run));
  for (const name of chosen.filter((name) => !isOfOneCore(name))) counts.push(await run(name));
  return sum(counts);
}
