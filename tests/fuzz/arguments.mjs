/**
 * Calls every public function with exotic arguments:
 * `node tests/fuzz/arguments.mjs [--seconds N] [--seed N] [NAME ...]`.
 * Every place of every known call gets each value, in an order that the seed chooses, until the time is over. Prints
 * each fault once; ends with a line `N calls, M faults`, and fails where there is one.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../support/packed.js';
import { argumentsWith, exotics, faultOf, placesIn } from './exotic-arguments.js';
import { knownCalls } from './known-calls.js';

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
});

process.chdir(root);
const known = await knownCalls();
// Names of files are exotic too.
process.chdir(mkdtempSync(join(tmpdir(), 'exotic-')));
const chosen = positionals.length > 0 ? known.filter(({ name }) => positionals.includes(name)) : known;
const kinds = Object.keys(exotics).filter((kind) => !values.only || kind.includes(values.only));
const trials = chosen.flatMap((call) =>
  placesIn(call.args, call.options).flatMap((place) => kinds.map((kind) => ({ call, place, kind }))),
);

/** A source of numbers below 1 that a seed repeats. */
function source(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
const next = source(Number(values.seed ?? 1));
for (let i = trials.length - 1; i > 0; i--) {
  const j = Math.floor(next() * (i + 1));
  [trials[i], trials[j]] = [trials[j], trials[i]];
}

const end = performance.now() + 1000 * Number(values.seconds ?? 60);
const faults = new Map();
let calls = 0;
for (const { call, place, kind } of trials) {
  if (performance.now() > end) break;
  const args = argumentsWith(call, place, exotics[kind]());
  if (!args) continue;
  if (process.env.TRACE) console.error(call.name, place.join('.'), kind);
  const fault = await faultOf(call, args);
  calls++;
  if (!fault) continue;
  const key = `${call.door} ${call.name} ${place.join('.')}`;
  if (!faults.has(key)) console.log(`${key} = ${kind}: ${fault}`);
  faults.set(key, fault);
}
console.log(`${calls} calls of ${trials.length}, ${faults.size} faults`);
process.exit(faults.size > 0 ? 1 : 0);
