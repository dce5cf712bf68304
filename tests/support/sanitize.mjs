/**
 * Runs the Jest suites against the wasm module built with -fsanitize=address, then with -fsanitize=undefined: in copies of the tree, build/sanitize/*,
 * whose dist/ has that module. A fault traps, and fails the test that called. Arguments choose suites by name. The last line is `N passed, M failed`.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './packed.js';
import { buildWasm } from './wasm-build.js';

/** Suites about the module that ships: its size and memory, and what it is packed into and served as. */
const shippedOnly = ['browser', 'concurrency', 'memory', 'package', 'page', 'web'];

process.chdir(root);

/** A copy of the tree, with the module that stands in `build`. */
function copyTree(folder, build) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const part of ['js', 'dist', 'cpp', 'package.json', 'README.md', 'LICENSE', 'CMakeLists.txt'])
    cpSync(part, join(folder, part), { recursive: true });
  cpSync('tests', join(folder, 'tests'), { recursive: true, filter: (path) => !path.includes('node_modules') });
  for (const file of ['layout.mjs', 'layout.wasm']) copyFileSync(join(build, file), join(folder, 'dist', file));
  writeFileSync(
    join(folder, 'dist/wasm.js'),
    `export const wasm = '${readFileSync(join(build, 'layout.wasm'), 'hex')}';\n`,
  );
  mkdirSync(join(folder, 'build'));
  for (const [target, link] of [
    ['node_modules', 'node_modules'],
    ['build/native', 'build/native'],
    ['tests/bench/node_modules', 'tests/bench/node_modules'],
  ]) {
    if (existsSync(target)) symlinkSync(join(root, target), join(folder, link));
  }
}

const asked = process.argv.slice(2);
const suites = readdirSync('tests', { recursive: true }).filter(
  (file) => file.endsWith('.test.js') && !file.includes('node_modules'),
);
const nameOf = (suite) => basename(suite, '.test.js');
const chosen = suites.filter(
  (suite) => !shippedOnly.includes(nameOf(suite)) && (asked.length === 0 || asked.includes(nameOf(suite))),
);
let passed = 0;
let failed = 0;
for (const sanitizer of ['address', 'undefined']) {
  const build = `build/wasm-${sanitizer}`;
  buildWasm('.', build, `-DLAYOUT_SANITIZE=${sanitizer}`);
  const folder = `build/sanitize/${sanitizer}`;
  copyTree(folder, build);
  if (existsSync('../shared') && !existsSync('build/sanitize/shared'))
    symlinkSync(join(root, '../shared'), 'build/sanitize/shared');
  spawnSync(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '--json',
      '--outputFile=build/jest.json',
      '--testTimeout=120000',
      ...chosen.map((suite) => `tests/${suite}`),
    ],
    { cwd: folder, stdio: 'inherit' },
  );
  const jest = JSON.parse(readFileSync(join(folder, 'build/jest.json'), 'utf8'));
  passed += jest.numPassedTests;
  failed += jest.numFailedTests + jest.numRuntimeErrorTestSuites;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
