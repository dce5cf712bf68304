/**
 * `npm run bench -- --check`: fails if a workload falls behind the committed ratios by more than 15 %. The ratios are
 * to memcpy and to the plain loop of the same run, because times depend on the machine. `--check --accept` writes what
 * it measures to baseline.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './measure.js';
import { loopNames, measureRow } from './rows.js';

const file = join(import.meta.dirname, 'baseline.json');
const tolerance = 0.15;
/**
 * A workload that falls behind is measured up to this often, and the best attempt counts: others may have disturbed it.
 */
const attempts = 4;

const ratiosOf = ({ memcpy, into, peers }) => ({ memcpy: memcpy / into, loop: peers[loopNames.naive] / into });
const better = (a, b) => ({ memcpy: Math.max(a.memcpy, b.memcpy), loop: Math.max(a.loop, b.loop) });
const shown = ({ memcpy, loop }) => `${memcpy.toFixed(3)} of memcpy, ${loop.toFixed(2)} times the loop`;

/**
 * @param {object[]} workloads
 * @param {number} budgetMs for one attempt at one workload
 * @param {{ accept?: boolean }} options `accept`: the median of three attempts becomes the baseline
 * @returns {Promise<boolean>} whether all workloads keep up
 */
export async function checkBaseline(workloads, budgetMs, { accept }) {
  const baseline = JSON.parse(readFileSync(file, 'utf8'));
  const behind = [];
  for (const workload of workloads) {
    const { name } = workload;
    const measure = async () => {
      globalThis.gc?.();
      return ratiosOf(await measureRow(workload, [], budgetMs));
    };
    if (accept) {
      const runs = [await measure(), await measure(), await measure()];
      const middle = (key) => Number(median(runs.map((ratios) => ratios[key])).toPrecision(3));
      baseline[name] = { memcpy: middle('memcpy'), loop: middle('loop') };
      console.log(`${name}: ${shown(baseline[name])}`);
      continue;
    }
    const least = baseline[name];
    if (!least) throw new Error(`${name} has no baseline: npm run bench -- --check --accept --only ${name}`);
    const keepsUp = (ratios) =>
      ratios.memcpy >= least.memcpy * (1 - tolerance) && ratios.loop >= least.loop * (1 - tolerance);
    let ratios = await measure();
    for (let attempt = 1; attempt < attempts && !keepsUp(ratios); attempt++) ratios = better(ratios, await measure());
    if (!keepsUp(ratios)) behind.push(name);
    console.log(`${keepsUp(ratios) ? '✓' : '✗'} ${name}: ${shown(ratios)}; baseline ${shown(least)}`);
  }
  if (accept) writeFileSync(file, `${JSON.stringify(baseline, null, 1)}\n`);
  else
    console.log(
      behind.length > 0
        ? `More than ${tolerance * 100} % behind the baseline: ${behind.join(', ')}`
        : 'No workload is behind the baseline.',
    );
  return behind.length === 0;
}
