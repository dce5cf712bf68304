/**
 * The programs of the documents that give our tensors to models of the real transformers.js: run as a user runs them,
 * on small models that are made here.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { detrModel } from '../../web/models/models.js';
import { configs } from '../../web/processor/files.js';
import { programFolder } from '../docs/program-folder.js';
import { example } from '../support/examples.js';
import { modelOf } from '../support/models.js';

const folderOf = (name) => join(import.meta.dirname, 'node_modules', name);
const [side, perm] = [16, [0, 2, 3, 1]];

/** A model that transposes its input. */
const transposed = (input, dims, order) =>
  modelOf({
    nodes: [{ operator: 'Transpose', inputs: [input], outputs: ['last_hidden_state'], attributes: { perm: order } }],
    inputs: { [input]: ['float32', dims] },
    outputs: { last_hidden_state: ['float32', order.map((axis) => dims[axis])] },
  });

/** Model folders as transformers.js reads them. */
const models = {
  vision: {
    config: { model_type: 'vit', architectures: ['ViTModel'] },
    processor: { image_processor_type: 'ViTImageProcessor', size: side },
    model: () => transposed('pixel_values', [1, 3, side, side], perm),
  },
  boxes: {
    config: { model_type: 'detr', architectures: ['DetrForObjectDetection'] },
    processor: configs.DETR,
    model: () => detrModel(),
  },
  sound: {
    config: { model_type: 'audio-spectrogram-transformer', architectures: ['ASTModel'] },
    processor: { feature_extractor_type: 'ASTFeatureExtractor', max_length: 100 },
    model: () => transposed('input_values', [1, 100, 128], [0, 2, 1]),
  },
};

function writeModels(folder) {
  for (const [name, { config, processor, model }] of Object.entries(models)) {
    mkdirSync(join(folder, name, 'onnx'), { recursive: true });
    writeFileSync(join(folder, name, 'config.json'), JSON.stringify(config));
    writeFileSync(join(folder, name, 'preprocessor_config.json'), JSON.stringify(processor));
    writeFileSync(join(folder, name, 'onnx/model.onnx'), model());
  }
}

/** The end of the program: whether the model has seen our numbers. */
const check = `
const { transpose } = await import('onnx-layout');
const expected = transpose(pixel_values, { perm: [${perm}] });
console.log(String(expected.data) === String(last_hidden_state.data) && new Set(expected.data).size > 100);`;

/** The programs by their beginnings, the files that they read, and the lines that they print. */
const programs = [
  ['// A model of transformers.js', 'vision', 'photo.jpg', `[ 1, ${side}, ${side}, 3 ]\ntrue\n`, check],
  ['// Boxes of a model', 'boxes', 'scene.png', '[ 2, 4 ] [ 0, 2 ]\n', ''],
  ['// The encoder of a model', 'sound', 'speech.wav', '[ 1, 128, 100 ]\n', ''],
];

/** @type {(apps: import('./engines.js').Apps) => Promise<import('./engines.js').Outcome>} */
export async function transformersJs({ byName: app }) {
  const { version } = JSON.parse(readFileSync(join(folderOf('@huggingface/transformers'), 'package.json'), 'utf8'));
  const files = await programFolder();
  for (const [, , file] of programs) cpSync(join(files, file), join(app, file));
  rmSync(files, { recursive: true });
  writeModels(join(app, 'models'));
  for (const name of ['@huggingface', 'sharp']) symlinkSync(folderOf(name), join(app, 'node_modules', name));
  const failures = programs.flatMap(([start, name, file, expected, end]) => {
    writeFileSync(join(app, `${name}.mjs`), `${example(start)}${end}\n`);
    const args = [`${name}.mjs`, join(app, 'models'), name, file];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8' });
    return stdout === expected ? [] : [`${start}: ${stdout}${stderr}`];
  });
  return { version, passed: programs.length - failures.length, failures };
}
