/**
 * `npm run test:transformers` runs transformers.js itself with Python's numbers, and compares with Python's results:
 * the oldest and the newest version that `js/transformers/options.js` names, `-- --sample` one of them. `-- VERSION`
 * runs another one, and says what the entry point leans on that is missing there; `-- VERSION CASE,CASE` some cases,
 * in Node alone. Packages are installed under build/.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { testedVersions } from '../../js/transformers/options.js';
import { chooseSome, commitHash } from '../support/sample.js';
import { runInChromium } from './in-chromium.js';

const root = join(import.meta.dirname, '../..');
const work = join(root, 'build/transformers');
const goldens = join(root, 'tests/goldens/transformers');

/** Writes the models' files, which lie in one. */
function writeModels() {
  const models = JSON.parse(gunzipSync(readFileSync(join(goldens, 'models.json.gz'))));
  for (const [path, text] of Object.entries(models)) {
    mkdirSync(dirname(join(work, 'models', path)), { recursive: true });
    writeFileSync(join(work, 'models', path), Buffer.from(text, 'base64'));
  }
}

/** Writes models again as transformers 5 saves them: their configurations are parts of processor_config.json alone. */
function writeSaved() {
  for (const name of ['vit', 'wav2vec2', 'qwen2_vl']) {
    const [from, to] = [name, `saved/${name}`].map((path) => join(work, 'models', path));
    cpSync(from, to, { recursive: true });
    const { processor_class, ...part } = JSON.parse(readFileSync(join(to, 'preprocessor_config.json'), 'utf8'));
    const key = part.image_processor_type ? 'image_processor' : 'feature_extractor';
    writeFileSync(join(to, 'processor_config.json'), JSON.stringify({ [key]: part, processor_class }));
    rmSync(join(to, 'preprocessor_config.json'));
  }
}

/** @type {(version: string) => string} a folder with the package, as `npm install` makes it */
function installed(version) {
  const folder = join(work, version);
  if (existsSync(join(folder, 'node_modules/onnx-layout'))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  const options = ['--no-audit', '--no-fund', '--save-exact', '--ignore-scripts'];
  const install = ['install', ...options, `@huggingface/transformers@${version}`];
  const { status } = spawnSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(2);
  symlinkSync(root, join(folder, 'node_modules/onnx-layout'));
  return folder;
}

/** @type {(version: string) => number[]} how many comparisons passed and failed */
function run(version) {
  const folder = installed(version);
  // Beside node_modules, so that the program gets this version.
  for (const file of ['real.mjs', 'forms.mjs', 'answers.js'])
    cpSync(join(import.meta.dirname, file), join(folder, file));
  const args = [
    'real.mjs',
    join(work, 'models'),
    join(goldens, 'results.json'),
    join(root, 'tests/demo/photo.jpg'),
    only,
  ];
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.stdout.write(stdout);
  return (/: (\d+) passed, (\d+) failed$/m.exec(stdout) ?? ['', '0', '1']).slice(1).map(Number);
}

const [argument, only = ''] = process.argv.slice(2);
const versions =
  argument === '--sample' ? chooseSome([...testedVersions], 1, commitHash()) : [argument ?? testedVersions];
writeModels();
writeSaved();
const counts = versions.flat().map(run);
const results = JSON.parse(readFileSync(join(goldens, 'results.json'), 'utf8'));
// One page after another: each starts a browser.
if (only === '') for (const version of versions.flat()) counts.push(await runInChromium(work, version, results));
const [passed, failed] = [0, 1].map((i) => counts.reduce((sum, pair) => sum + pair[i], 0));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
