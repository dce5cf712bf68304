/** The image processors' outputs, their files and refusals against those of transformers, byte for byte. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { imageProcessor, init } from 'onnx-layout/processors';
import { refuseUndeclared } from '../support/declared-settings.js';
import { expectError } from '../support/assertions.js';
import { chooseSample } from '../support/sample.js';
import { expectOutputs, hashOf, readGoldens, readPicture } from '../support/processor-goldens.js';

const [cases, configs] = ['index.json', 'configs.json'].map(readGoldens);

const imageOptions = ['trimaps', 'prompt_images', 'prompt_masks'];

beforeAll(() => init());
beforeAll(refuseUndeclared);

function run({ config, files, backend, images, options, trimaps }, out = undefined) {
  const chosen = ['torchvision', 'pil'].includes(backend) ? { backend } : {};
  const processor = imageProcessor(files ?? configs[config], chosen);
  const allOptions = { trimaps, ...options };
  const pictures = Object.fromEntries(
    imageOptions.flatMap((name) => (allOptions[name] ? [[name, allOptions[name].map(readPicture)]] : [])),
  );
  return { processor, outputs: processor(images.map(readPicture), { ...options, ...pictures, out }) };
}

const chosen = cases.filter(({ kind, of, later }) => (kind === 'image' || of === 'image') && !later);
/** @type {Map<string, any[]>} */
const groups = new Map();
for (const golden of chooseSample(chosen, 3)) {
  const name = golden.kind === 'load' ? 'files' : golden.type;
  groups.set(name, [...(groups.get(name) ?? []), golden]);
}

describe.each([...groups])('%s', (_, group) => {
  test.each(group.map((golden) => [golden.id, golden]))('%s', (_id, golden) => {
    if (golden.error) {
      expect(() => run(golden)).toThrow(/^imageProcessor: /);
      return;
    }
    const { processor, outputs } = run(golden);
    // transformers spells one class in two ways.
    expect(processor.className).toBe(golden.type.replace('VL_Moe', 'VLMoe'));
    expect(processor.backend).toBe(golden.numbers ?? processor.backend);
    expectOutputs(outputs, golden);
  });
});

/** Outputs with hashes in the place of data: Jest takes seconds to compare typed arrays. */
const hashOutput = (output) => {
  if (Array.isArray(output)) return output.map(hashOutput);
  const { type, dims, data } = output;
  return data ? { type, dims, sha256: hashOf(data) } : output;
};

/** The first outputs of each class and backend. */
const firsts = new Map();
for (const golden of chosen)
  if (!golden.error && !firsts.has(`${golden.type} ${golden.backend}`))
    firsts.set(`${golden.type} ${golden.backend}`, golden);

describe('`out` takes the place of the memory of pixel_values alone', () => {
  test.each(chooseSample([...firsts], 8))('%s', (_, golden) => {
    const { outputs, processor } = run(golden);
    if (!outputs.pixel_values) {
      const out = { pixel_values: Tensor.from('float32', [1], [1]) };
      const rule = `out must name outputs of ${processor.className}, got pixel_values`;
      expectError(() => run(golden, out), RangeError, `imageProcessor: ${rule}`);
      expect(out.pixel_values.data).toEqual(Float32Array.of(1));
      return;
    }
    const { type, dims, data } = outputs.pixel_values;
    const memory = new Uint8Array(data.byteLength).fill(165);
    const values = { type, dims, data: new data.constructor(memory.buffer) };
    const { outputs: written } = run(golden, { pixel_values: values });
    expect(Object.entries(written).map(hashOutput)).toEqual(Object.entries(outputs).map(hashOutput));
    expect(written.pixel_values.data).toBe(values.data);
    for (const other of Object.values(written).flat())
      if (ArrayBuffer.isView(other?.data) && other !== written.pixel_values)
        expect(other.data.buffer).not.toBe(memory.buffer);
  });
});

test('every class is built', () => {
  const names = Object.keys(readGoldens('classes.json').image);
  const missing = names.filter((name) => {
    try {
      imageProcessor({ image_processor_type: name });
      return false;
    } catch (error) {
      return error.message.includes('unknown class');
    }
  });
  expect(missing).toEqual([]);
});
