/**
 * `npm run follow` says what the newest releases have changed of the programs that this package equals, since the
 * releases that tests/goldens/constraints.txt pins. It fetches wheels without what they depend on, and reads their
 * syntax trees. A newer transformers.js is run with Python's numbers too. Exit code 0: nothing moved; 1: something did;
 * 2: it could not be told.
 *
 *     npm run follow
 *     npm run follow -- transformers=5.22.0:5.23.0   compares these two releases
 *     npm run follow -- --record                     writes recorded.json.gz, which the test reads
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { fail } from '../../install.mjs';
import { pins } from '../support/pins.js';
import { root } from '../support/packed.js';
import { compareTables, differingRows } from './compare.js';
import { javascriptTable } from './javascript-table.js';

const work = join(root, 'build/follow');
const python = process.env.PYTHON ?? 'python3';

const javascript = '@huggingface/transformers';

/** Packages whose sources are read, and those of which the newest version alone is said. */
const read = ['transformers', 'timm', 'ultralytics', 'rapidocr', 'onnx', javascript];
const named = ['pillow', 'torch', 'torchvision', 'opencv-python-headless'];

/** The releases of which `--record` keeps what differs. */
const recorded = ['5.20.0', '5.21.0', '5.22.0', '5.23.0', '5.24.0'];

/**
 * Runs a program; a failure ends this one.
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {string} what it printed
 */
function run(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: Infinity });
  if (status === 0) return stdout;
  console.error(`follow: ${command} ${args.join(' ')}: ${error?.message ?? stderr.trimEnd()}`);
  return process.exit(2);
}

/** @type {(name: string) => string} the newest release of a package of PyPI, or of transformers.js */
function newestVersion(name) {
  if (name === javascript) return run('npm', 'view', javascript, 'version').trim();
  const [, version] = /\(([^)]+)\)/.exec(run(python, '-m', 'pip', 'index', 'versions', name)) ?? [];
  return version ?? fail(`follow: no version of ${name}`);
}

/** @type {(name: string) => string} package.json is the place of npm's versions */
function pinnedVersion(name) {
  if (name !== javascript) return pins[name];
  return JSON.parse(readFileSync(join(root, 'tests/bench/package.json'), 'utf8')).dependencies[javascript];
}

/**
 * Fetches a package without what it depends on. onnx is imported, so what it needs comes along.
 * @param {string} name
 * @param {string} version
 * @returns {string} the folder it is unpacked in
 */
function fetchPackage(name, version) {
  const folder = join(work, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  const needs = name === 'onnx' ? [] : ['--no-deps'];
  const options = ['--quiet', '--only-binary', ':all:', '--no-compile', '--target', unfinished];
  run(python, '-m', 'pip', 'install', ...needs, ...options, `${name}==${version}`);
  renameSync(unfinished, folder);
  return folder;
}

/**
 * Fetches a release of transformers.js from npm, without what it depends on.
 * @param {string} version
 * @returns {string} the folder it is unpacked in
 */
function fetchJavascript(version) {
  const folder = join(work, `transformers.js-${version}`);
  if (existsSync(folder)) return join(folder, 'package');
  const [{ filename }] = JSON.parse(
    run('npm', 'pack', '--json', '--pack-destination', work, `${javascript}@${version}`),
  );
  mkdirSync(`${folder}.part`, { recursive: true });
  run('tar', '-xzf', join(work, filename), '-C', `${folder}.part`);
  renameSync(`${folder}.part`, folder);
  return join(folder, 'package');
}

/** @type {(name: string, version: string) => import('./compare.js').Table} */
function readTable(name, version) {
  if (name === javascript) return javascriptTable(fetchJavascript(version));
  const folder = fetchPackage(name, version);
  return JSON.parse(run(python, '-B', join(import.meta.dirname, 'tables.py'), name, folder));
}

/**
 * Prints what differs between two releases.
 * @param {string} name
 * @param {string} before
 * @param {string} after
 * @returns {boolean} whether anything does
 */
function compareReleases(name, before, after) {
  if (before === after) {
    console.log(`${name} ${before}: the newest, nothing moved`);
    return false;
  }
  const lines = compareTables(readTable(name, before), readTable(name, after));
  console.log(`${name} ${before} -> ${after}: ${lines.length === 0 ? 'nothing moved' : `${lines.length} moved`}`);
  for (const line of lines) console.log(`  ${line}`);
  return lines.length > 0;
}

/** Runs a release of transformers.js with Python's numbers, which says what the entry point leans on that is missing.
 * @type {(version: string) => boolean} */
function runJavascript(version) {
  const program = join(root, 'tests/transformers/run.mjs');
  return spawnSync(process.execPath, [program, version], { stdio: 'inherit' }).status === 0;
}

/** Writes the rows of transformers' tables that differ from one release to another. */
function record() {
  const tables = recorded.map((version) => readTable('transformers', version));
  const rows = differingRows(tables);
  const byVersion = Object.fromEntries(recorded.map((version, i) => [version, rows[i]]));
  writeFileSync(join(import.meta.dirname, 'recorded.json.gz'), gzipSync(JSON.stringify(byVersion), { level: 9 }));
}

const args = process.argv.slice(2);
mkdirSync(work, { recursive: true });
if (args.includes('--record')) {
  record();
} else {
  const chosen = args.map(
    (argument) => /^([\w@/-]+)=([\w.]+):([\w.]+)$/.exec(argument) ?? fail(`follow: ${argument}?`),
  );
  const pairs =
    chosen.length > 0
      ? chosen.map(([, name, before, after]) => [name, before, after])
      : read.map((name) => [name, pinnedVersion(name), newestVersion(name)]);
  const moved = pairs.filter(([name, before, after]) => compareReleases(name, before, after));
  if (chosen.length === 0)
    for (const name of named) console.log(`${name} ${pins[name]}, newest ${newestVersion(name)}`);
  const [, , newest] = moved.find(([name]) => name === javascript) ?? [];
  const runsNewest = newest === undefined || runJavascript(newest);
  process.exitCode = moved.length > 0 || !runsNewest ? 1 : 0;
}
