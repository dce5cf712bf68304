/**
 * `npm run goldens -- SUBJECT` makes a folder's outputs anew and says what changed. It needs Python, and installs the
 * packages of the folder's requirements.txt, some gigabytes, in build/goldens. Without a subject it lists them.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../install.mjs';

const root = join(import.meta.dirname, '../..');
const photo = join(root, 'tests/demo/photo.jpg');

/**
 * The programs that make each folder, run in it, by the folder that they write to.
 * @type {Record<string, (out: string) => string[][]>}
 */
const subjects = {
  audio: (out) => [
    ['generate.py', out, '--seed', '20271'],
    ['classes.py', join(out, 'classes.json')],
    ['parts.py', join(out, 'parts.json')],
    ['chunks.py', join(out, 'chunks.json')],
    ['empty.py', join(out, 'empty.json')],
    ['random_calls.py', '228', '7', join(out, 'random.json')],
    ['wav_headers.py', '400', '1', join(out, 'wav_headers.json')],
    ['soxr_ratios.py', join(out, 'soxr.json')],
    ['settings_calls.py', '10', '3', join(out, 'settings.json')],
  ],
  convert: (out) => [
    ['make_types.py', join(out, 'types.json')],
    ['generate.py', out, '--seed', '20261124'],
  ],
  images: (out) => [['generate.py', out]],
  models: (out) => [
    ['generate.py', out],
    ['pictures.py', out],
  ],
  nodes: (out) => [
    ['generate.py', out],
    ['float6.py', out],
  ],
  opencv: (out) => [['generate.py', out]],
  postprocess: (out) => [
    ['generate.py', out],
    ['resize.py', out],
    ['speech.py', out],
  ],
  processors: (out) => [
    ['generate.py', out, '--seed', '20262', '--photo', photo],
    ['classes.py', join(out, 'classes.json')],
    ['random_calls.py', join(out, 'random.json.gz')],
    ['asked_calls.py', join(out, 'asked.json.gz')],
    ['json_texts.py', join(out, 'json-texts.json')],
    ['bounds.py', join(out, 'bounds.json')],
  ],
  prompts: (out) => [['generate.py', out, '--seed', '61']],
  quantize: (out) => [
    ['generate.py', out],
    ['subgraphs.py', out],
  ],
  transformers: (out) => [['generate.py', out, photo]],
};

const subject = process.argv[2];
if (!Object.hasOwn(subjects, subject)) fail(`npm run goldens -- SUBJECT, one of: ${Object.keys(subjects).join(', ')}`);
const folder = join(import.meta.dirname, subject);
const work = join(root, 'build/goldens', subject);
const out = join(work, 'out');

/** @type {(command: string, ...args: string[]) => void} */
function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) fail(`${command} ${args.join(' ')}: ${error?.message ?? `exit status ${status}`}`);
}

const python = join(work, 'venv/bin/python');
if (!existsSync(python)) run('python3', '-m', 'venv', join(work, 'venv'));
run(python, '-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt');
if (existsSync(join(folder, 'requirements-no-deps.txt')))
  run(python, '-m', 'pip', 'install', '--quiet', '--no-deps', '-r', 'requirements-no-deps.txt');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// Python writes no __pycache__ into the tree.
for (const args of subjects[subject](out)) run(python, '-B', ...args);

/** @type {(path: string) => string[]} the files of a folder that hold data */
const dataOf = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(py|md|txt|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1));

/** @type {(path: string) => string} how many lines of a text differ; an index has a case a line */
function difference(path) {
  const [before, after] = [folder, out].map((at) => readFileSync(join(at, path), 'utf8').split('\n'));
  if (!/\.(json|csv)$/.test(path)) return '';
  const [known, found] = [new Set(before), new Set(after)];
  const added = after.filter((line) => !known.has(line));
  const gone = before.filter((line) => !found.has(line)).length;
  return `: ${added.length} lines added, ${gone} gone; the first: ${added[0]?.slice(0, 100) ?? ''}`;
}

const [old, made] = [dataOf(folder), dataOf(out)];
let same = 0;
for (const path of made) {
  if (!old.includes(path)) console.log(`new: ${path}`);
  else if (readFileSync(join(folder, path)).equals(readFileSync(join(out, path)))) same++;
  else console.log(`changed: ${path}${difference(path)}`);
}
for (const path of old.filter((one) => !made.includes(one))) console.log(`left as it is: ${path}`);
cpSync(out, folder, { recursive: true });
console.log(`${subject}: ${same} of ${made.length} files are the same byte for byte`);
