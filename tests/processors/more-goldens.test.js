/** The image processors' outputs, their files and refusals against those of transformers, byte for byte. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { imageProcessor } from 'onnx-layout/processors';
import { readPng } from '../support/png.js';
import { notBuilt, notEqual } from './not-built.js';

const root = new URL('../goldens/processors/', import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, root), 'utf8'));
const [cases, configs] = ['index.json', 'configs.json'].map(read);
const bytes = readFileSync(new URL('samples.f32', root));
const samples = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));

/** @type {(data: ArrayBufferView) => string} */
const hashOf = ({ buffer, byteOffset, byteLength }) =>
  createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex');

beforeAll(() => init());

/** @type {Map<string, object>} */
const pictures = new Map();
function picture(file) {
  if (Array.isArray(file)) return file.map(picture);
  if (!pictures.has(file)) pictures.set(file, readPng(readFileSync(new URL(file, root))));
  return pictures.get(file);
}

/** An output in the golden's form: its hash, or where a tolerance counts, samples. */
function expectOutput(output, golden, tolerance, name) {
  if (golden.list) {
    expect({ name, length: output.length }).toEqual({ name, length: golden.list.length });
    golden.list.forEach((one, i) => expectOutput(output[i], one, tolerance, `${name}[${i}]`));
  } else if (!golden.dtype) {
    expect({ name, values: output }).toEqual({ name, values: golden.values });
  } else {
    const { type, dims, data } = output;
    expect({ name, type, dims }).toEqual({ name, type: golden.dtype, dims: golden.dims });
    if (tolerance === undefined || type === 'int64')
      expect({ name, sha256: hashOf(data) }).toEqual({ name, sha256: golden.sha256 });
    else {
      const { offset, count, stride } = golden.sample;
      const far = Array.from({ length: count }, (_, i) => Math.abs(samples[offset + i] - data[i * stride]));
      expect({ name, most: Math.max(...far) <= tolerance }).toEqual({ name, most: true });
    }
  }
}

function run({ config, files, backend, images, options, trimaps }) {
  const chosen = ['torchvision', 'pil'].includes(backend) ? { backend } : {};
  const processor = imageProcessor(files ?? configs[config], chosen);
  const more = trimaps && { trimaps: trimaps.map(picture) };
  return { processor, outputs: processor(images.map(picture), { ...options, ...more }) };
}

const chosen = cases.filter(
  ({ kind, of, type, later, id }) =>
    (kind === 'image' || of === 'image') &&
    !later &&
    !notBuilt.includes(type) &&
    !notEqual.some((key) => id.startsWith(key)),
);
/** @type {Map<string, any[]>} */
const groups = new Map();
for (const one of chosen) {
  const name = one.kind === 'load' ? 'files' : one.type;
  groups.set(name, [...(groups.get(name) ?? []), one]);
}

describe.each([...groups])('%s', (_, group) => {
  test.each(group.map((golden) => [golden.id, golden]))('%s', (_id, golden) => {
    if (golden.error) {
      expect(() => run(golden)).toThrow(/^imageProcessor: /);
      return;
    }
    const { processor, outputs } = run(golden);
    // transformers spells one class in two ways.
    expect(processor.type).toBe(golden.type.replace('VL_Moe', 'VLMoe'));
    expect(processor.backend).toBe(golden.numbers ?? processor.backend);
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(golden.outputs).sort());
    for (const [name, expected] of Object.entries(golden.outputs))
      expectOutput(outputs[name], expected, golden.tolerance, name);
  });
});

test('every class is built, or listed as not built yet', () => {
  const names = Object.keys(read('classes.json').image);
  const missing = names.filter((name) => {
    try {
      imageProcessor({ image_processor_type: name });
      return false;
    } catch (error) {
      return error.message.includes('unknown type');
    }
  });
  expect(missing.sort()).toEqual([...notBuilt].sort());
});
