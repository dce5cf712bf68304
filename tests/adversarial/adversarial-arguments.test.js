/**
 * Samples of `node tests/fuzz/arguments.mjs`: exotic arguments of functions, methods and classes that the commit's hash
 * chooses, and lists that say they have 2^32 - 1 entries.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleFolder } from '../docs/example-scope.js';
import { titleOf, trialsOf } from '../fuzz/exotic-arguments.js';
import { makeJudge } from '../fuzz/judge-calls.js';
import { knownCalls } from '../fuzz/known-calls.js';
import { sampled } from '../support/sample.js';

/** Functions that start threads or read videos are always among them. */
const isChosen = ({ program = '' }) => /preprocessFiles\(|videoProcessor\(/.test(program);
const [folder, home] = [exampleFolder(), process.cwd()];
let known;

beforeAll(async () => {
  process.chdir(folder);
  known = await knownCalls((list) => {
    const sample = new Set(sampled(list, 60));
    return list.filter((one) => sample.has(one) || isChosen(one));
  });
});
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

test.each([
  ['exotic arguments', '', 41],
  ['endless lists', 'endless', 7],
])('%s give a result or a documented error, and change nothing', async (_, kind, every) => {
  const judge = await makeJudge();
  const trials = sampled(trialsOf(known, kind), every);
  expect(trials.length).toBeGreaterThan(50);
  const faults = [];
  for (const trial of trials) {
    const fault = await judge(trial);
    if (fault) faults.push(`${titleOf(trial)}: ${fault}`);
  }
  expect(faults).toEqual([]);
});
