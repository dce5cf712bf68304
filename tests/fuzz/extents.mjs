/**
 * Calls the wrappers of the postprocess module with extents that do not fit, and has a native program make the calls
 * that do fit again under sanitizers: `node tests/fuzz/extents.mjs [--seconds N] [--seed N] [--replay PROGRAM]`. Prints
 * each fault; ends with a line `N calls, M faults`, and fails where there is one.
 */
import { parseArgs } from 'node:util';
import { calls, loadRecorded, recordCall, replay, tryMisfits } from './extents.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '0' },
    replay: { type: 'string', default: 'build/native/replay_results' },
  },
});
await loadRecorded();
const end = performance.now() + 1000 * Number(values.seconds);
let count = 0;
let faults = 0;
for (let seed = Number(values.seed); performance.now() < end; seed++) {
  const lines = [];
  for (const name of Object.keys(calls)) {
    const tried = tryMisfits(name, seed);
    tried.faults.forEach((fault) => console.log(fault));
    count += tried.count;
    faults += tried.faults.length;
    lines.push(...recordCall(name, seed).lines);
  }
  count += lines.length;
  const error = replay(values.replay, lines);
  if (error) console.log(`seed ${seed}: ${error}`);
  if (error) faults++;
}
console.log(`${count} calls, ${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;
