/**
 * The reference's program that gives our pixel_values to a model of the real transformers.js: run as a user runs it, on
 * a small model that is made here.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelOf } from '../bench/model.js';
import { example } from '../support/examples.js';
import { root } from '../support/packed.js';

const folderOf = (name) => join(import.meta.dirname, 'node_modules', name);
const [side, perm] = [16, [0, 2, 3, 1]];

/** A model folder as transformers.js reads it; its model puts channels last. */
function writeModel(folder) {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ model_type: 'vit', architectures: ['ViTModel'] }));
  const processor = { image_processor_type: 'ViTImageProcessor', size: side };
  writeFileSync(join(folder, 'preprocessor_config.json'), JSON.stringify(processor));
  const bytes = modelOf({
    name: 'vision',
    nodes: [['Transpose', ['pixel_values'], ['last_hidden_state'], { perm }]],
    inputs: [['pixel_values', 'float32', [1, 3, side, side]]],
    outputs: [['last_hidden_state', 'float32', [1, side, side, 3]]],
  });
  writeFileSync(join(folder, 'onnx/model.onnx'), bytes);
}

/** The end of the program: whether the model has seen our numbers. */
const check = `
const { transpose } = await import('onnx-layout');
const expected = transpose(pixel_values, { perm: [${perm}] });
console.log(String(expected.data) === String(last_hidden_state.data) && new Set(expected.data).size > 100);`;

/** @type {(apps: import('./engines.js').Apps) => Promise<import('./engines.js').Outcome>} */
export async function transformersJs({ byName: app }) {
  const { version } = JSON.parse(readFileSync(join(folderOf('@huggingface/transformers'), 'package.json'), 'utf8'));
  writeModel(join(app, 'models/tiny'));
  for (const name of ['@huggingface', 'sharp']) symlinkSync(folderOf(name), join(app, 'node_modules', name));
  writeFileSync(join(app, 'vision.mjs'), `${example('// A model of transformers.js')}${check}\n`);
  const args = ['vision.mjs', join(app, 'models'), 'tiny', join(root, 'tests/demo/photo.jpg')];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8' });
  const isRight = stdout === `[ 1, ${side}, ${side}, 3 ]\ntrue\n`;
  return { version, passed: isRight ? 1 : 0, failures: isRight ? [] : [`${stdout}${stderr}`] };
}
