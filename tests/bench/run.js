/**
 * `npm run bench -- [--only NAMES] [--quick] [--least] [--json FILE|-] [--markdown] [--chart FILE] [--from FILE] [--check [--accept]]`: the package beside its peers.
 *
 * `--only T1,float32,sweep`: workloads and checks by name, or by the beginning of it. `--quick`: a tenth of the time, with noise. `--least`: the
 * fastest sample of each instead of the median of those from quiet moments.
 * `--json`: the results to a file, or alone to the terminal. `--markdown`: the README's table instead of the terminal's.
 * `--check`: compares with baseline.json instead, without peers, and fails where a workload fell behind; `--accept` makes that the baseline.
 * `--chart`: the bar chart (SVG); tests/bench/chart.svg is the README's. `--from`: shows the results of an earlier `--json` instead of measuring.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { chart } from './chart.js';
import { failures, markdownTable, showMs, terminalTable } from './report.js';
import { workloads } from './workloads.js';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean' },
    least: { type: 'boolean' },
    json: { type: 'string' },
    markdown: { type: 'boolean' },
    chart: { type: 'string' },
    from: { type: 'string' },
    check: { type: 'boolean' },
    accept: { type: 'boolean' },
  },
});

/** Milliseconds for a workload's samples of all contenders together. */
const budgetMs = options.quick ? 200 : 5000;

/** Whether `--only` asks for a name: by itself, or by its beginning where it is no name. */
function selector(names) {
  if (options.only === undefined) return () => true;
  const wanted = options.only.split(',');
  const unknown = wanted.filter((part) => !names.some((name) => name.startsWith(part)));
  if (unknown.length > 0)
    throw new RangeError(`--only: no workload begins with ${unknown}; there are ${names.join(', ')}`);
  return (name) => wanted.some((part) => (names.includes(part) ? name === part : name.startsWith(part)));
}

async function measure() {
  // Loaded here, since `--from` is to work without a build and without the peers.
  const { checks } = await import('./checks.js');
  const { reportLeast } = await import('./measure.js');
  const { load } = await import('./ours.js');
  const { loadPeers, peerVersions } = await import('./peers.js');
  const { measureRow } = await import('./rows.js');
  const isWanted = selector([...workloads.map(({ name }) => name), ...Object.keys(checks)]);
  const wanted = workloads.filter(({ name }) => isWanted(name));
  const results = {
    date: new Date().toISOString(),
    node: process.versions.node,
    machine: { cpu: cpus()[0].model.trim(), cores: cpus().length },
    samples: options.least ? 'the least of each' : 'medians of those from quiet moments',
    peers: peerVersions(),
    rows: [],
    checks: {},
  };
  if (options.least) reportLeast();
  await load();
  // Before the peers are loaded: their memory is not to be in the way.
  for (const [name, check] of Object.entries(checks)) {
    if (!isWanted(name)) continue;
    console.error(`bench: ${name}`);
    results.checks[name] = await check(options);
    globalThis.gc?.();
  }
  const peers = wanted.length > 0 ? await loadPeers() : {};
  for (const workload of wanted) {
    const row = await measureRow(workload, peers, budgetMs);
    console.error(
      `bench: ${row.name}: ${showMs(row.into)} ms, ${row.ratio.toFixed(2)} of memcpy, ${row.timesBest.toFixed(1)} times ${row.best}`,
    );
    results.rows.push(row);
    globalThis.gc?.();
  }
  return results;
}

async function check() {
  const { checkBaseline } = await import('./baseline.js');
  const { reportLeast } = await import('./measure.js');
  const { load } = await import('./ours.js');
  // Other processes only ever add to a time.
  reportLeast();
  await load();
  const isWanted = selector(workloads.map(({ name }) => name));
  return checkBaseline(
    workloads.filter(({ name }) => isWanted(name)),
    budgetMs,
    options,
  );
}

if (options.check) process.exit((await check()) ? 0 : 1);

const results = options.from === undefined ? await measure() : JSON.parse(readFileSync(options.from, 'utf8'));
if (options.json === '-') console.log(JSON.stringify(results, null, 1));
else console.log(options.markdown ? markdownTable(results) : terminalTable(results));
if (options.json !== undefined && options.json !== '-') writeFileSync(options.json, JSON.stringify(results, null, 1));
if (options.chart !== undefined) writeFileSync(options.chart, chart(results));
process.exitCode = failures(results).length > 0 ? 1 : 0;
