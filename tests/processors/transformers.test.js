/** Rules that few files reach, against hashes of what transformers made, which transformers-goldens.py wrote. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { imageProcessor, init } from 'onnx-layout/processors';
import { formulaPicture } from '../support/formula-picture.js';
import { compareHash } from '../support/golden-samples.js';

beforeAll(() => init());

const goldens = JSON.parse(readFileSync(new URL('transformers-goldens.json', import.meta.url), 'utf8'));

const titleOf = ({ config: { image_processor_type: name, ...settings }, backend, pictures }) => {
  const sizes = pictures.map(({ width, height }) => `${width} x ${height}`);
  return `${name}, ${backend}, ${JSON.stringify(settings)} of ${sizes.join(', ')}`;
};

test.each(goldens.map((golden) => [titleOf(golden), golden]))('%s', (_, { config, backend, pictures, outputs }) => {
  const actual = imageProcessor(config, { backend })(pictures.map(formulaPicture));
  const records = Object.entries(actual).map(([name, { type, dims, data, ...list }]) => [
    name,
    data ? { type, dims, ...compareHash(data, outputs[name].sha256) } : Object.values(list),
  ]);
  expect(Object.fromEntries(records)).toEqual(outputs);
});
