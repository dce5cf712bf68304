/** The names that only files for JavaScript use, against transformers.js: within 1e-4 of what it gives. */
import { beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { featureExtractor, init } from 'onnx-layout/audio';
import { root } from '../support/packed.js';

beforeAll(() => init());

const cases = JSON.parse(readFileSync(join(root, 'tests/goldens/audio/javascript.json'), 'utf8'));
const samples = Float32Array.from({ length: 8000 }, (_, i) => (((i * i) % 251) - 125) / 400);

test.each(cases.map((one) => [one.name, one]))('%s', (name, { config, output, dims, step, values }) => {
  const extract = featureExtractor({ feature_extractor_type: `${name}FeatureExtractor`, ...config });
  const made = extract(samples)[output];
  const wanted = new Float32Array(new Uint8Array(Buffer.from(values, 'base64')).buffer);
  expect(made.dims).toEqual(dims);
  expect(wanted.reduce((most, x, i) => Math.max(most, Math.abs(x - made.data[i * step])), 0)).toBeLessThan(1e-4);
});

test('Snac is Dac at 24 kHz: padded to whole hops, which transformers.js leaves out', () => {
  const [snac, dac] = ['Snac', 'Dac'].map((name) =>
    featureExtractor({ feature_extractor_type: `${name}FeatureExtractor`, sampling_rate: 24000 })(samples),
  );
  expect(snac).toEqual(dac);
  expect(snac.input_values.dims).toEqual([1, 1, 8192]);
});
