/**
 * The operators' tests on every engine and through every bundler, from the packed package: a table, and as last line `N passed, M failed`.
 * The README's table of engines has to name the versions that ran. Arguments choose engines by name.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPacked, root } from '../support/packed.js';
import { servedPath, writeApp } from './app.js';

const folder = import.meta.dirname;
const marker = join(folder, 'node_modules/.package-lock.json');
if (!existsSync(marker) || statSync(marker).mtimeMs < statSync(join(folder, 'package-lock.json')).mtimeMs) {
  console.error('engines: npm ci in tests/engines (1 GB)');
  const { status } = spawnSync('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('npm ci in tests/engines failed');
}
// Not before: they are in the folder that was just made.
const { engines } = await import('./engines.js');

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** What the README says of a version: as many of its numbers as it cares for. @type {(name: string, version: string) => string[]} */
function disagreement(name, version) {
  const [, stated] = new RegExp(`^\\| ${name} \\| ([\\d.]+) \\|`, 'm').exec(readme) ?? [];
  return `${version}.`.startsWith(`${stated}.`)
    ? []
    : [`the README's table of engines has ${name} ${stated ?? 'not'}, and ${version} ran`];
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(engines);
const temporary = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
const total = { passed: 0, failed: 0 };

async function runEngine(name, apps) {
  const start = performance.now();
  const outcome = await engines[name](apps).catch((error) => ({ version: '-', passed: 0, failures: [error.stack] }));
  const failures = [...outcome.failures, ...disagreement(name, outcome.version)];
  total.passed += outcome.passed;
  total.failed += failures.length;
  const row = [
    name.padEnd(16),
    outcome.version.padEnd(16),
    `${outcome.passed}`.padStart(6),
    `${failures.length}`.padStart(6),
    `${((performance.now() - start) / 1000).toFixed(0)} s`.padStart(6),
  ];
  console.log(row.join('  '));
  for (const failure of failures.slice(0, 10)) console.log(`    ${failure.replaceAll('\n', '\n    ')}`);
}

try {
  const apps = {
    byName: installPacked(join(temporary, 'name')).app,
    byPath: installPacked(join(temporary, 'path')).app,
  };
  writeApp(apps.byName);
  writeApp(apps.byPath, servedPath);
  console.log(['engine'.padEnd(16), 'version'.padEnd(16), 'passed', 'failed', '  time'].join('  '));
  // A core each: two at a time leave the machine's second one to browsers' other processes.
  const queue = names[Symbol.iterator]();
  await Promise.all(
    [1, 2].map(async () => {
      for (const name of queue) await runEngine(name, apps);
    }),
  );
} finally {
  rmSync(temporary, { recursive: true });
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
