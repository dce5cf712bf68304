/** The scripts that the documents show, run as their readers run them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import { Tensor } from 'onnx-layout';
import { readModel, readNpy, readSafetensors, writeSafetensors, writeTensorProto } from 'onnx-layout/io';
import { expectTensor } from '../support/assertions.js';
import { run, temporaryFolder } from '../support/programs.js';

const folder = temporaryFolder();
const path = (...names) => join(folder, ...names);
const scripts = fileURLToPath(new URL('scripts/', import.meta.url));
const script = (name, ...args) => run(process.execPath, [join(scripts, name), ...args]);

test('images-to-npy: a folder of HWC images is one NCHW array', () => {
  mkdirSync(path('images'));
  const pixel = (image, row, column, channel) => image * 100 + row * 30 + column * 10 + channel;
  for (const image of [0, 1]) {
    const png = new PNG({ width: 3, height: 2 });
    for (let i = 0; i < 24; i++)
      png.data[i] = i % 4 === 3 ? 255 : pixel(image, Math.floor(i / 12), Math.floor(i / 4) % 3, i % 4);
    writeFileSync(path('images', `${image}.png`), PNG.sync.write(png));
  }
  script('images-to-npy.mjs', path('images'), path('images.npy'));
  const expected = [];
  for (const image of [0, 1])
    for (const channel of [0, 1, 2])
      for (const row of [0, 1]) for (const column of [0, 1, 2]) expected.push(pixel(image, row, column, channel));
  expectTensor(readNpy(readFileSync(path('images.npy'))), 'uint8', [2, 3, 2, 3], Uint8Array.from(expected));
});

test('bfloat16-to-float16', () => {
  const tensors = new Map([
    ['a', Tensor.from('bfloat16', [1, -2, 0.5])],
    ['b', Tensor.from('int8', [1])],
  ]);
  writeFileSync(path('in.safetensors'), writeSafetensors(tensors, { metadata: new Map([['format', 'pt']]) }));
  script('bfloat16-to-float16.mjs', path('in.safetensors'), path('out.safetensors'));
  const read = readSafetensors(readFileSync(path('out.safetensors')));
  expectTensor(read.get('a'), 'float16', [3], Uint16Array.of(0x3c00, 0xc000, 0x3800));
  expectTensor(read.get('b'), 'int8', [1], Int8Array.of(1));
  expect(read.metadata).toEqual(new Map([['format', 'pt']]));
});

test('transpose-initializer', () => {
  const proto = writeTensorProto(Tensor.from('float32', [1, 2, 3, 4, 5, 6], [2, 3]), { name: 'w' });
  // ModelProto: ir_version 8, and a graph whose only field is the initializer.
  writeFileSync(path('in.onnx'), Uint8Array.of(8, 8, 0x3a, proto.length + 2, 0x2a, proto.length, ...proto));
  script('transpose-initializer.mjs', path('in.onnx'), path('out.onnx'), 'w');
  const { irVersion, initializers } = readModel(readFileSync(path('out.onnx')));
  expect(irVersion).toBe(8);
  expectTensor(initializers.get('w'), 'float32', [3, 2], Float32Array.of(1, 4, 2, 5, 3, 6));
});
