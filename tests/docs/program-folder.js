/** The folder in which the documents' programs run, with the files that they read. */
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tensor } from 'onnx-layout';
import { encodeWav, init } from 'onnx-layout/audio';
import { writeSafetensors } from 'onnx-layout/io';
import { modelOf } from '../bench/model.js';
import { root } from '../support/packed.js';

/** A classifier of three classes: the means of the channels. */
const classifier = () =>
  modelOf({
    name: 'classifier',
    nodes: [
      ['GlobalAveragePool', ['pixel_values'], ['means'], {}],
      ['Flatten', ['means'], ['logits'], {}],
    ],
    inputs: [['pixel_values', 'float32', [1, 3, 224, 224]]],
    outputs: [['logits', 'float32', [1, 3]]],
  });

/** @returns {Promise<string>} a folder inside of the repository, where the package finds itself by its name */
export async function programFolder() {
  await init();
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build/programs-'));
  cpSync(join(root, 'tests/demo/photo.jpg'), join(folder, 'photo.jpg'));
  const config = { image_processor_type: 'ViTImageProcessor', size: { height: 224, width: 224 } };
  const weights = new Map([['weight', Tensor.from('bfloat16', [1, -2, 3, 0.5, 2, 8], [2, 3])]]);
  const files = {
    'preprocessor_config.json': JSON.stringify(config),
    'model.onnx': classifier(),
    'model.safetensors': writeSafetensors(weights),
    'speech.wav': encodeWav({ channelData: [new Float32Array(16000)], sampleRate: 16000 }),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}
