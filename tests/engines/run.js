/**
 * Runs a suite on every engine and through every bundler, from the packed package: a table, and as last line `N
 * passed, M failed`. It says where a version that ran is not that of versions.json: Debian replaces its browsers.
 *
 *     node tests/engines/run.js [--smoke | --sample] [--accept] [names of engines, all if omitted]
 *
 * `--smoke`: the short suite. `--sample`: the whole suite on one engine that the commit's hash chooses.
 * `--accept`: writes versions.json instead of comparing with it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from '../../install.mjs';
import { installPacked } from '../support/packed.js';
import { chooseSome, commitHash } from '../support/sample.js';
import { bundlePackage, servedPath, writeApp } from './app.js';
import { acceptVersions, disagreements } from './versions.js';

const flag = { type: 'boolean', default: false };
const { values: asked, positionals } = parseArgs({
  options: { smoke: flag, sample: flag, accept: flag },
  allowPositionals: true,
});

install('engines');
// Imported after the installation, because it imports from the folder that this makes.
const { engines } = await import('./engines.js');

function chosenEngines() {
  const all = Object.keys(engines);
  const unknown = positionals.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`No engine ${unknown.join(', ')}; there are ${all.join(', ')}`);
  if (positionals.length > 0) return positionals;
  return asked.sample ? chooseSome(all, 1, commitHash()) : all;
}

const total = { passed: 0, failed: 0 };
const versions = {};

async function runEngine(name, apps) {
  const start = performance.now();
  const outcome = await engines[name](apps).catch((error) => ({ passed: 0, failures: [error.stack] }));
  const { passed, failures, version } = outcome;
  if (version) versions[name] = version;
  // A suite without tests would pass on any engine.
  if (passed === 0 && failures.length === 0) failures.push('no test ran');
  total.passed += passed;
  total.failed += failures.length;
  const row = [
    name.padEnd(16),
    (version ?? '-').padEnd(16),
    `${passed}`.padStart(6),
    `${failures.length}`.padStart(6),
    `${((performance.now() - start) / 1000).toFixed(0)} s`.padStart(6),
  ];
  console.log(row.join('  '));
  for (const failure of failures.slice(0, 10)) console.log(`    ${failure.replaceAll('\n', '\n    ')}`);
}

const temporary = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
try {
  const apps = {
    byName: installPacked(join(temporary, 'name')).app,
    byPath: installPacked(join(temporary, 'path')).app,
  };
  const suite = asked.smoke ? 'smoke.js' : 'suite.js';
  writeApp(apps.byName, suite);
  bundlePackage(apps.byPath);
  writeApp(apps.byPath, suite, servedPath);
  console.log(['engine'.padEnd(16), 'version'.padEnd(16), 'passed', 'failed', '  time'].join('  '));
  // Two at a time: one for each core of the machines that run this.
  const queue = chosenEngines()[Symbol.iterator]();
  await Promise.all(
    [1, 2].map(async () => {
      for (const name of queue) await runEngine(name, apps);
    }),
  );
} finally {
  rmSync(temporary, { recursive: true });
}
if (asked.accept) acceptVersions(versions);
for (const sentence of disagreements(versions)) console.log(sentence);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
