/**
 * Fuzzes the kernels: `node tests/fuzz/fuzz.mjs [minutes a target, 1 if omitted] [targets, all if omitted]`, as many targets at a time as there are
 * cores. Each starts from its committed corpus and from what earlier runs found, in build/fuzz/corpus, which grows. An input that fails is left in
 * build/fuzz; `build/fuzz/fuzz_<target> <file>` repeats it. Ends with a line `N passed, M failed`.
 *
 * `node tests/fuzz/fuzz.mjs keep [targets]` runs nothing: it replaces the committed corpora by few short inputs that reach all edges which what was found reaches.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root, run } from '../support/packed.js';

const [minutes = '1', ...chosen] = process.argv.slice(2);
const targets = chosen.length > 0 ? chosen : ['kernels', 'transpose', 'copy_rows', 'convert', 'pixels'];
process.chdir(root);

const corpusOf = (target) => `tests/fuzz/corpus/${target}.txt`;
const foundFolder = (target) => `build/fuzz/corpus/${target}`;

function keep(target) {
  const few = `build/fuzz/few/${target}`;
  rmSync(few, { recursive: true, force: true });
  mkdirSync(few, { recursive: true });
  run(`build/fuzz/fuzz_${target}`, [
    '-merge=1',
    '-max_len=120',
    '-use_counters=0',
    '-use_cmp=0',
    few,
    foundFolder(target),
  ]);
  const lines = readdirSync(few)
    .map((file) => readFileSync(join(few, file), 'hex'))
    .filter((line) => line !== '')
    .sort();
  writeFileSync(corpusOf(target), `${lines.join('\n')}\n`);
  console.log(`${target}: ${lines.length} inputs`);
}

/** @returns {Promise<boolean>} whether nothing was found */
async function fuzz(target) {
  const found = foundFolder(target);
  mkdirSync(found, { recursive: true });
  for (const line of readFileSync(corpusOf(target), 'utf8').split('\n')) {
    const input = Buffer.from(line, 'hex');
    writeFileSync(join(found, createHash('sha1').update(input).digest('hex')), input);
  }
  const fuzzer = spawn(`build/fuzz/fuzz_${target}`, [
    found,
    `-max_total_time=${60 * Number(minutes)}`,
    '-max_len=512',
    '-timeout=30',
    '-print_final_stats=1',
    `-artifact_prefix=build/fuzz/${target}-`,
  ]);
  let log = '';
  fuzzer.stderr.on('data', (text) => {
    log += text;
  });
  const status = await new Promise((resolve) => {
    fuzzer.on('close', resolve);
  });
  const statistic = (name) => new RegExp(`stat::${name}:\\s+(\\d+)`).exec(log)?.[1];
  const regions = [...log.matchAll(/cov: (\d+)/g)].at(-1)?.[1];
  if (status !== 0) console.error(log.slice(-8000));
  console.log(
    `${target}: ${status === 0 ? 'no finding' : 'FAILED'}, ${statistic('number_of_executed_units')} executions, ${statistic('average_exec_per_sec')} a second, ${regions} edges`,
  );
  return status === 0;
}

run('cmake', [
  '-S',
  '.',
  '-B',
  'build/fuzz',
  '-G',
  'Ninja',
  '-DLAYOUT_INSTRUMENT=fuzzer',
  '-DCMAKE_CXX_COMPILER=clang++',
]);
run('cmake', ['--build', 'build/fuzz', '--target', ...targets.map((target) => `fuzz_${target}`)]);

if (minutes === 'keep') {
  targets.forEach(keep);
  process.exit();
}

const queue = [...targets];
let passed = 0;
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let target = queue.shift(); target; target = queue.shift()) {
      const isFine = await fuzz(target);
      // Not in one statement with the await: what is added to would be read before it, and the others' counts lost.
      passed += Number(isFine);
    }
  }),
);
console.log(`${passed} passed, ${targets.length - passed} failed`);
process.exitCode = passed === targets.length ? 0 : 1;
