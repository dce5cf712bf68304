/**
 * Samples of `node tests/fuzz/arguments.mjs`: exotic arguments of functions, methods and classes that the commit's hash
 * chooses, lists that say they have 2^32 - 1 entries, and the first argument of all of them.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleFolder } from '../docs/example-scope.js';
import { titleOf, trialsOf } from '../fuzz/exotic-arguments.js';
import { makeJudge } from '../fuzz/judge-calls.js';
import { knownCalls } from '../fuzz/known-calls.js';
import { chooseSample } from '../support/sample.js';

/** Functions that start threads or read videos are always among them. */
const isChosen = ({ name }) => /^(preprocessFiles|videoProcessor)/.test(name);
const [folder, home] = [exampleFolder(), process.cwd()];
let all, known;

beforeAll(async () => {
  process.chdir(folder);
  all = await knownCalls();
  const sample = new Set(chooseSample(all, 60));
  known = all.filter((call) => sample.has(call) || isChosen(call));
});
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

test.each([
  ['exotic arguments', '', 41],
  ['endless lists', 'endless', 7],
])('%s give a result or a documented error, and change nothing', async (_, kind, every) => {
  const trials = chooseSample(trialsOf(known, kind), every);
  expect(trials.length).toBeGreaterThan(50);
  expect(await faultsOf(trials, await makeJudge())).toEqual([]);
});

/** Kinds of values that are cheap to make and to refuse, and that no argument takes for each other. */
const kinds = ['symbol', 'bigint', 'NaN', 'number', 'null', 'object', 'list of a symbol', 'detached bytes', 'map'];

test('the first argument of each function, method and class refuses each cheap kind, or takes it', async () => {
  const trials = trialsOf(all).filter(({ place, kind }) => place.join() === '0' && kinds.includes(kind));
  expect(trials.length).toBeGreaterThan(4500);
  expect(await faultsOf(trials, await makeJudge({ repeatsCalls: false }))).toEqual([]);
});

async function faultsOf(trials, judge) {
  const faults = [];
  for (const trial of trials) {
    const fault = await judge(trial);
    if (fault) faults.push(`${titleOf(trial)}: ${fault}`);
  }
  return faults;
}
