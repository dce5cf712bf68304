/**
 * Shows which lines and branches of cpp/ the native tests and the fuzzers' corpora reach, as llvm-cov's table. Fails
 * where too few are reached.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './packed.js';

/** In percent. Functions that run in the compiler, which counts nothing, are 1 % of the lines. */
const thresholds = { lines: 98.5, branches: 98 };
const folder = join(root, 'build/coverage-cpp');
process.chdir(root);
process.env.LLVM_PROFILE_FILE = join(folder, '%p.profraw');

run('cmake', ['-S', '.', '-B', folder, '-G', 'Ninja', '-DLAYOUT_INSTRUMENT=coverage', '-DCMAKE_CXX_COMPILER=clang++']);
run('cmake', ['--build', folder]);
const profiles = () =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.profraw'))
    .map((file) => join(folder, file));
for (const file of profiles()) rmSync(file);
run('ctest', ['--test-dir', folder, '--no-tests=error']);
run('llvm-profdata-14', ['merge', '-sparse', ...profiles(), '-o', join(folder, 'all.profdata')]);
const [first, ...others] = readdirSync(folder)
  .filter((file) => /^(replay_\w+|\w+_test)$/.test(file))
  .map((file) => join(folder, file));
const sources = readdirSync('cpp', { recursive: true, encoding: 'utf8' })
  .filter((file) => !file.startsWith('modules/') && /\.(cpp|h)$/.test(file))
  .map((file) => join('cpp', file));
const llvmCov = (/** @type {string[]} */ ...command) =>
  run('llvm-cov-14', [
    ...command,
    first,
    ...others.flatMap((file) => ['-object', file]),
    `-instr-profile=${join(folder, 'all.profdata')}`,
    ...sources,
  ]);
console.log(llvmCov('report'));
const { totals } = JSON.parse(llvmCov('export', '-summary-only')).data[0];
for (const [kind, least] of Object.entries(thresholds)) {
  const { percent, covered, count } = totals[kind];
  console.log(`${covered} of ${count} ${kind}, ${percent.toFixed(2)} %; at least ${least} % are required`);
  if (percent < least) process.exitCode = 1;
}
