/** The image processors' outputs, their files and refusals against those of transformers, byte for byte. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { imageProcessor } from 'onnx-layout/processors';
import { expectOutputs, readGoldens, readPicture } from '../support/processor-goldens.js';
import { notBuilt, notEqual } from './not-built.js';

const [cases, configs] = ['index.json', 'configs.json'].map(readGoldens);

const imageOptions = ['trimaps', 'prompt_images', 'prompt_masks'];

beforeAll(() => init());

function run({ config, files, backend, images, options, trimaps }) {
  const chosen = ['torchvision', 'pil'].includes(backend) ? { backend } : {};
  const processor = imageProcessor(files ?? configs[config], chosen);
  const given = { trimaps, ...options };
  const pictures = Object.fromEntries(
    imageOptions.flatMap((name) => (given[name] ? [[name, given[name].map(readPicture)]] : [])),
  );
  return { processor, outputs: processor(images.map(readPicture), { ...options, ...pictures }) };
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
    expect(processor.className).toBe(golden.type.replace('VL_Moe', 'VLMoe'));
    expect(processor.backend).toBe(golden.numbers ?? processor.backend);
    expectOutputs(outputs, golden);
  });
});

test('every class is built, or listed as not built yet', () => {
  const names = Object.keys(readGoldens('classes.json').image);
  const missing = names.filter((name) => {
    try {
      imageProcessor({ image_processor_type: name });
      return false;
    } catch (error) {
      return error.message.includes('unknown class');
    }
  });
  expect(missing.sort()).toEqual([...notBuilt].sort());
});
