/**
 * Fuzzes the kernels: `node tests/fuzz/fuzz.mjs [--seconds N] [--sample] [minutes] [targets]`. Each target runs for N
 * seconds, or for so many minutes; a minute if neither is given. All targets run if none is named, with `--sample` a
 * third of them, which the commit's hash chooses; as many at a time as there are cores.
 *
 * A target starts from its committed corpus and from what earlier runs found, which is kept in build/fuzz/corpus. An
 * input that fails is left in build/fuzz; `build/fuzz/fuzz_<target> <file>` repeats it. Ends with a line
 * `N passed, M failed`.
 *
 * `node tests/fuzz/fuzz.mjs keep [targets]` replaces the committed corpora by few short inputs that reach all edges
 * that the found inputs reach. It fuzzes nothing.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, run } from '../support/packed.js';
import { chooseEveryNth, commitHash } from '../support/sample.js';

const allTargets = [
  ...['audio', 'kernels', 'transpose', 'copy_rows', 'convert', 'pixels', 'postprocess', 'quantize', 'resize'],
  ...['opencv', 'plan', 'configurations', 'files', 'extents', 'arguments', 'commands'],
];

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string' }, sample: { type: 'boolean' } },
  allowPositionals: true,
});
const keeps = positionals[0] === 'keep';
const minutes = keeps || /^[\d.]+$/.test(positionals[0] ?? '') ? positionals.shift() : '1';
const seconds = Number(values.seconds ?? 60 * Number(minutes));
const wrong = positionals.find((name) => !allTargets.includes(name)) ?? (seconds > 0 || keeps ? undefined : seconds);
if (wrong !== undefined) {
  console.error(`fuzz: targets must be among ${allTargets.join(', ')}, and the time above 0, got ${wrong}`);
  process.exit(2);
}
const unnamed = values.sample ? chooseEveryNth(allTargets, 3, commitHash()) : allTargets;
const targets = positionals.length > 0 ? positionals : unnamed;
process.chdir(root);

const corpusOf = (target) => `tests/fuzz/corpus/${target}.txt`;
const foundFolder = (target) => `build/fuzz/corpus/${target}`;

/** Replaces a target's committed corpus. */
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

const newSeed = () => String(Date.now() % 2 ** 31);

/** Programs in JavaScript, which need no fuzzer, with arguments for about so many seconds. */
const programs = {
  configurations: () => ['--kinds', '--every', String(Math.max(1, Math.round(3600 / seconds)))],
  files: () => ['--count', String(200 * seconds), '--seed', newSeed()],
  extents: () => ['--seconds', String(seconds), '--seed', newSeed()],
  arguments: () => ['--seconds', String(seconds), '--seed', newSeed()],
  commands: () => ['--seconds', String(seconds), '--seed', newSeed()],
};
const isProgram = (target) => Object.hasOwn(programs, target);

async function runProgram(target) {
  const program = spawn(process.execPath, [`tests/fuzz/${target}.mjs`, ...programs[target]()], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const status = await new Promise((resolve) => {
    program.on('close', resolve);
  });
  console.log(`${target}: ${status === 0 ? 'no finding' : 'FAILED'}`);
  return status === 0;
}

/**
 * Runs the fuzzer of a target.
 * @returns {Promise<boolean>} whether it found nothing
 */
async function fuzz(target) {
  const found = foundFolder(target);
  mkdirSync(found, { recursive: true });
  for (const line of readFileSync(corpusOf(target), 'utf8').split('\n')) {
    const input = Buffer.from(line, 'hex');
    writeFileSync(join(found, createHash('sha1').update(input).digest('hex')), input);
  }
  const fuzzer = spawn(`build/fuzz/fuzz_${target}`, [
    found,
    `-max_total_time=${seconds}`,
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
  const figures = [
    status === 0 ? 'no finding' : 'FAILED',
    `${statistic('number_of_executed_units')} executions`,
    `${statistic('average_exec_per_sec')} a second`,
    `${regions} edges`,
  ];
  console.log(`${target}: ${figures.join(', ')}`);
  return status === 0;
}

/** @type {(folder: string, instrument: string, names: string[]) => void} */
function compile(folder, instrument, names) {
  if (names.length === 0) return;
  const settings = [`-DLAYOUT_INSTRUMENT=${instrument}`, '-DCMAKE_CXX_COMPILER=clang++'];
  run('cmake', ['-S', '.', '-B', folder, '-G', 'Ninja', ...settings]);
  run('cmake', ['--build', folder, '--target', ...names]);
}

const compiled = targets.filter((target) => !isProgram(target));
compile(
  'build/fuzz',
  'fuzzer',
  compiled.map((target) => `fuzz_${target}`),
);
compile('build/native', 'sanitizers', targets.includes('extents') ? ['replay_results'] : []);

if (keeps) {
  compiled.forEach(keep);
  process.exit();
}

const queue = [...targets];
let passed = 0;
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let target = queue.shift(); target; target = queue.shift()) {
      const isFine = await (isProgram(target) ? runProgram(target) : fuzz(target));
      // A statement of its own: `passed += await …` would read `passed` before it waits and lose the others' counts.
      passed += Number(isFine);
    }
  }),
);
console.log(`${passed} passed, ${targets.length - passed} failed`);
process.exitCode = passed === targets.length ? 0 : 1;
