/**
 * Runs the Jest suites against the wasm modules built with -fsanitize=address, then with -fsanitize=undefined: in
 * copies of the tree, build/sanitize/*, whose dist/ has them. A fault traps, and fails the test that made the
 * call. Arguments choose suites by name; `--sample` chooses an eighth of them and one of the two builds by the commit's
 * hash. The last line is `N passed, M failed`.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { asText } from '../../wasm-text.mjs';
import { root, run } from './packed.js';
import { chooseEveryNth, chooseSome, commitHash } from './sample.js';
import { buildWasm } from './wasm-build.js';

/** Rooms and suites about sources, about the package, and about the size and memory of the module that ships. */
const shippedOnly = [
  ...['browser/', 'architecture/', 'mutants/', 'docs/documents', 'package/package', 'package/sizes'],
  ...['engine/concurrency', 'engine/memory'],
];

process.chdir(root);

/** The part of js/engines/images/load.js that starts image.wasm, as it is there, with its cast, and in bundles. */
const start = new RegExp(
  String.raw`env: ?\{ ?memory(?:: ?[\w$]+)? ?\} ?\}, ?use: ?\(\{ ?exports(?:: ?[\w$]+)? ?\}\) ?=> ?([\w$]+)` +
    String.raw`\((?:\/\*\*[^*]+\*\/ )?\(?[\w$]+\)?, ?([\w$]+)\(\)\)`,
);

/**
 * Lets image.wasm call the sanitizer of layout.wasm, in whose memory it works, and tell it of its own data first.
 * @param {string} file
 */
function sanitizeImages(file) {
  const source = readFileSync(file, 'utf8');
  if (!start.test(source)) throw new Error(`${file} starts image.wasm in another way: see sanitize.mjs`);
  const sanitized = 'env: $2().asm }, use: ({ exports }) => { exports._initialize(); $1(exports, $2()); }';
  writeFileSync(file, source.replace(start, sanitized));
}

/**
 * Copies the tree, with the module of another build in it.
 * @param {string} folder
 * @param {string} build
 */
function copyTree(folder, build) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const isPartOfTree = (/** @type {string} */ path) => !path.includes('node_modules');
  // Suites read documents and settings of the root too.
  const tracked = run('git', ['ls-files']).trimEnd().split('\n');
  for (const part of ['dist', ...new Set(tracked.map((path) => path.split('/')[0]))])
    cpSync(part, join(folder, part), { recursive: true, filter: isPartOfTree });
  for (const [name, text] of [
    ['layout', 'wasm'],
    ['image', 'image-wasm'],
  ]) {
    copyFileSync(join(build, `${name}.wasm`), join(folder, `dist/${name}.wasm`));
    const wasm = asText(readFileSync(join(build, `${name}.wasm`)));
    writeFileSync(join(folder, `dist/${text}.js`), `export const wasm = '${wasm}';\n`);
  }
  copyFileSync(join(build, 'layout.mjs'), join(folder, 'dist/layout.mjs'));
  for (const file of ['js/engines/images/load.js', 'dist/cli-worker.js', 'dist/preprocess-worker.js'])
    sanitizeImages(join(folder, file));
  mkdirSync(join(folder, 'build'));
  for (const path of ['node_modules', 'build/native', 'tests/bench/node_modules'])
    if (existsSync(path)) symlinkSync(join(root, path), join(folder, path));
}

const isSample = process.argv[2] === '--sample';
const nameOf = (/** @type {string} */ suite) => basename(suite, '.test.js');
const suites = run('git', ['ls-files', 'tests/*.test.js'])
  .trimEnd()
  .split('\n')
  .map((file) => file.slice('tests/'.length))
  .filter((suite) => !shippedOnly.some((start) => suite.startsWith(start)));

/** @returns {string[]} the suites that the arguments choose */
function chosenSuites() {
  const names = process.argv.slice(2);
  if (names.length === 0) return suites;
  if (isSample) return chooseEveryNth(suites, 8, commitHash());
  return suites.filter((suite) => names.includes(nameOf(suite)));
}

/**
 * Runs suites in a copy of the tree.
 * @param {string} folder
 * @param {string[]} chosen
 */
function runSuites(folder, chosen) {
  const report = join(folder, 'build/jest.json');
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const args = ['--json', '--outputFile=build/jest.json', '--testTimeout=1200000'];
  spawnSync(
    process.execPath,
    [...options, 'node_modules/jest/bin/jest.js', ...args, ...chosen.map((suite) => `tests/${suite}`)],
    // The report goes to its file; what Jest tells people goes to stderr.
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const jest = JSON.parse(readFileSync(report, 'utf8'));
  return { passed: jest.numPassedTests, failed: jest.numFailedTests + jest.numRuntimeErrorTestSuites };
}

const chosen = chosenSuites();
// Without a suite Jest would run all of them.
if (chosen.length === 0) throw new RangeError(`no suite has one of the names ${process.argv.slice(2).join(', ')}`);
console.log(`${chosen.length} of ${suites.length} suites: ${chosen.map(nameOf).join(', ')}`);
const total = { passed: 0, failed: 0 };
const sanitizers = ['address', 'undefined'];
for (const sanitizer of isSample ? chooseSome(sanitizers, 1, commitHash()) : sanitizers) {
  const build = `build/wasm-${sanitizer}`;
  buildWasm('.', build, `-DLAYOUT_SANITIZE=${sanitizer}`);
  const folder = `build/sanitize/${sanitizer}`;
  copyTree(folder, build);
  const { passed, failed } = runSuites(folder, chosen);
  total.passed += passed;
  total.failed += failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
