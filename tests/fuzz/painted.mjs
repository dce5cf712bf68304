/**
 * Calls functions under painted memory: `node tests/fuzz/painted.mjs [NAME ...]`. Prints each call whose outcome
 * depends on the bytes that lay in a module; ends with a line `N calls, M faults`, and fails where there is one. All
 * calls take three minutes.
 */
import { differences, loadPainted, trials } from './painted.js';

const names = process.argv.slice(2);
const paint = await loadPainted();
const chosen = trials().filter(({ title }) => names.length === 0 || names.some((name) => title.startsWith(name)));
let faults = 0;
for (const { title, call } of chosen) {
  const begin = performance.now();
  const outcomes = differences(paint, call);
  if (outcomes.length > 0) console.log(`${title}: ${outcomes.join(', ')}`);
  if (outcomes.length > 0) faults++;
  if (process.env.TRACE) console.log(title, `${(performance.now() - begin).toFixed(0)} ms`);
}
console.log(`${chosen.length} calls, ${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;
