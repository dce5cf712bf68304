/** Fetches real models from PyPI, runs them, and compares their answers: `npm run test:models`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../install.mjs';
import { init } from 'onnx-layout/image';
import { init as initAnswers } from 'onnx-layout/postprocess';
import { pins } from '../support/pins.js';
import { readTexts } from './ocr.mjs';
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

await Promise.all([init(), initAnswers()]);
await readTexts(join(packageFolder('rapidocr'), 'rapidocr/models'));
await findSpeech(join(packageFolder('silero-vad'), 'silero_vad/data'));
