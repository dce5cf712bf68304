/**
 * Calls every public function with exotic arguments:
 * `node tests/fuzz/arguments.mjs [--seconds N] [--seed N] [--only KIND] [NAME ...]`.
 * Every place of every known call whose name begins with a NAME gets each value with KIND in its name, in an order that
 * the seed chooses, until the time is over: a minute if omitted. Prints each fault once; ends with a line
 * `N passed, M failed`, and fails where there is a fault.
 *
 * The calls are made in a process of their own. If a call ends it, or does not end within 20 seconds, that is a fault,
 * and another process makes the calls behind it.
 */
import { spawn } from 'node:child_process';
import { rmSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { exampleFolder } from '../docs/example-scope.js';
import { generator } from '../support/samples.js';
import { titleOf, trialsOf } from './exotic-arguments.js';
import { makeJudge } from './judge-calls.js';
import { knownCalls } from './known-calls.js';

const texts = ['seconds', 'seed', 'only', 'from'];
const { values, positionals } = parseArgs({
  options: { ...Object.fromEntries(texts.map((name) => [name, { type: /** @type {const} */ ('string') }])) },
  allowPositionals: true,
});

/** Trials in rounds: each function in turn, with places and values by the seed. A class of pictures has fifty times the
 * trials of a short function.
 * @type {(trials: import('./exotic-arguments.js').Trial[], seed: number) => typeof trials} */
function inRounds(trials, seed) {
  const random = generator(seed);
  const rounds = new Map();
  const keyed = trials.map((trial) => ({ trial, key: random() })).sort((a, b) => a.key - b.key);
  return keyed
    .map(({ trial }) => {
      const round = rounds.get(trial.known) ?? 0;
      rounds.set(trial.known, round + 1);
      return { trial, round };
    })
    .sort((a, b) => a.round - b.round)
    .map(({ trial }) => trial);
}

/** Makes the calls from a place on, and reports each to file 3: a line when it begins, and one of its fault. */
async function makeCalls(first) {
  const report = (line) => writeSync(3, `${line}\n`);
  const known = (await knownCalls()).filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.startsWith(part)),
  );
  const judge = await makeJudge();
  const trials = inRounds(trialsOf(known, values.only), Number(values.seed ?? 1));
  process.on('unhandledRejection', (error) => report(`fault nobody waits for this error: ${error}`));
  const end = performance.now() + 1000 * Number(values.seconds ?? 60);
  for (let i = first; i < trials.length && performance.now() < end; i++) {
    report(`begin ${i} ${titleOf(trials[i])}`);
    const fault = await judge(trials[i]);
    if (fault) report(`fault ${fault.replaceAll('\n', ' ')}`);
  }
  report('end');
  process.exit();
}

/** Milliseconds without a word. */
const maxSilence = 20_000;

/** Runs the calls in a process, and says where it stopped.
 * @type {(from: number, onFault: (title: string, fault: string) => void) =>
 *   Promise<{ last: number, isOver: boolean }>} */
async function runCalls(from, onFault) {
  const folder = exampleFolder();
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2), '--from', String(from)];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  let [text, said, last, title, isOver] = ['', '', from - 1, '', false];
  let timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
  child.stderr.on('data', (part) => {
    said = `${said}${part}`.slice(-3000);
  });
  /** @type {import('node:stream').Readable} */ (child.stdio[3]).on('data', (part) => {
    clearTimeout(timer);
    timer = setTimeout(() => child.kill('SIGKILL'), maxSilence);
    const lines = `${text}${part}`.split('\n');
    text = /** @type {string} */ (lines.pop());
    for (const line of lines) {
      const [, word, rest] = /** @type {RegExpExecArray} */ (/^(\w+) ?(.*)$/.exec(line));
      if (word === 'begin') [last, title] = [Number.parseInt(rest, 10), rest.replace(/^\d+ /, '')];
      if (word === 'fault') onFault(title, rest);
      if (word === 'end') isOver = true;
    }
  });
  const ending = await new Promise((resolve) => {
    child.on('close', (status, signal) => resolve(signal ?? status));
  });
  clearTimeout(timer);
  rmSync(folder, { recursive: true });
  if (!isOver && last < from) throw new Error(`the calls did not begin: ${said}`);
  if (!isOver) onFault(title, `ended the process: ${ending} ${/^.*(Error|FATAL).*$/m.exec(said)?.[0] ?? said.trim()}`);
  return { last, isOver };
}

if (values.from !== undefined) await makeCalls(Number(values.from));

const faults = new Map();
const end = performance.now() + 1000 * Number(values.seconds ?? 60);
let from = 0;
for (let isOver = false; !isOver && performance.now() < end;) {
  const outcome = await runCalls(from, (title, fault) => {
    const place = title.replace(/ = .*/, '');
    if (!faults.has(place)) console.log(`${title}: ${fault}`);
    faults.set(place, fault);
  });
  isOver = outcome.isOver;
  from = outcome.last + 1;
}
console.log(`${from - faults.size} passed, ${faults.size} failed`);
process.exitCode = faults.size > 0 ? 1 : 0;
