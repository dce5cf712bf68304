/**
 * `npm run bench -- OPTIONS`: measures the package beside its peers.
 *
 * - `--only T1,float32,sweep` takes only these workloads and checks, by name or by the beginning of a name.
 * - `--quick` takes a tenth of the time; the figures are noisy.
 * - `--least` reports the fastest sample of each contender instead of the median of the samples from quiet moments.
 * - `--json FILE` writes the results to a file; with `-` the terminal gets nothing else.
 * - `--markdown` prints the table as Markdown.
 * - `--chart FILE` draws the bar chart as SVG.
 * - `--from FILE` shows the results of an earlier `--json` instead of measuring.
 * - `--check` compares with baseline.json, without peers, and fails if a workload fell behind. `--accept` writes what
 *   it measures to baseline.json.
 * - `--against FOLDER` compares with another checkout that is built, both in one process and call by call, and fails
 *   where this one is slower. It names and skips what the other lacks. `--processes 7` repeats that in seven processes
 *   and reports the median of their ratios.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { words } from '../support/tables.js';
import { chart } from './chart.js';
import { failures, markdownTable, showMs, terminalTable } from './report.js';
import { workloads } from './workloads.js';

const kinds = { string: 'only json chart from against processes', boolean: 'quick least markdown check accept' };
const flags = Object.entries(kinds).flatMap(([type, names]) => words(names).map((name) => [name, { type }]));
/** @type {Record<string, any>} */
const options = parseArgs({ options: Object.fromEntries(flags) }).values;

/** Milliseconds for one workload: the samples of all its contenders together. */
const budgetMs = options.quick ? 200 : 5000;

/** Tells whether `--only` asks for a name. A part that is no name itself stands for all names that begin with it. */
function selector(names) {
  if (options.only === undefined) return () => true;
  const wanted = options.only.split(',');
  const unknown = wanted.filter((part) => !names.some((name) => name.startsWith(part)));
  if (unknown.length > 0)
    throw new RangeError(`--only: no workload begins with ${unknown}; there are ${names.join(', ')}`);
  return (name) => wanted.some((part) => (names.includes(part) ? name === part : name.startsWith(part)));
}

async function measure() {
  // Loaded here, so that `--from` works without a build and without the peers.
  const { checks } = await import('./checks.js');
  const { reportLeast } = await import('./measure.js');
  const { load } = await import('./ours.js');
  const { peerVersions } = await import('./peers.js');
  const { measureRow, peerNames } = await import('./rows.js');
  const isWanted = selector([...workloads.map(({ name }) => name), ...Object.keys(checks)]);
  const wanted = workloads.filter(({ name }) => isWanted(name));
  const results = {
    date: new Date().toISOString(),
    node: process.versions.node,
    machine: { cpu: cpus()[0].model.trim(), cores: cpus().length },
    samples: options.least ? 'the least sample' : 'the median of the samples from quiet moments',
    peers: peerVersions(),
    rows: [],
    checks: {},
  };
  if (options.least) reportLeast();
  await load();
  // Run the checks before the peers are loaded, whose memory would be in the way.
  for (const [name, check] of Object.entries(checks)) {
    if (!isWanted(name)) continue;
    console.error(`bench: ${name}`);
    results.checks[name] = await check(options);
    globalThis.gc?.();
  }
  for (const workload of wanted) {
    const row = await measureRow(workload, peerNames, budgetMs);
    const ahead = `${row.timesBest.toFixed(1)} times ${row.best}`;
    console.error(`bench: ${row.name}: ${showMs(row.into)} ms, ${row.ratio.toFixed(2)} of memcpy, ${ahead}`);
    results.rows.push(row);
    globalThis.gc?.();
  }
  return results;
}

async function check() {
  const { checkBaseline } = await import('./baseline.js');
  const { reportLeast } = await import('./measure.js');
  const { load } = await import('./ours.js');
  // Other processes can only add to a time.
  reportLeast();
  await load();
  const isWanted = selector(workloads.map(({ name }) => name));
  return checkBaseline(
    workloads.filter(({ name }) => isWanted(name)),
    budgetMs,
    options,
  );
}

if (options.against !== undefined) {
  const { compareBuilds } = await import('./against.js');
  const isHeld = await compareBuilds(options.against, { ...options, processes: Number(options.processes ?? 1) });
  process.exit(isHeld ? 0 : 1);
}

if (options.check) process.exit((await check()) ? 0 : 1);

const results = options.from === undefined ? await measure() : JSON.parse(readFileSync(options.from, 'utf8'));
if (options.json === '-') console.log(JSON.stringify(results, null, 1));
else console.log(options.markdown ? markdownTable(results) : terminalTable(results));
if (options.json !== undefined && options.json !== '-') writeFileSync(options.json, JSON.stringify(results, null, 1));
if (options.chart !== undefined) writeFileSync(options.chart, chart(results));
process.exitCode = failures(results).length > 0 ? 1 : 0;
