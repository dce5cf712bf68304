/** NumPy's order of sums holds across the pieces that pass through the module. */
import { beforeAll, expect, test } from '@jest/globals';
import { featureExtractor, init } from 'onnx-layout/audio';

beforeAll(() => init());

const f = Math.fround;

/** np.add.reduce of float32 numbers: blocks of at most 128 with eight accumulators. */
function pairwise(x, first, count) {
  if (count > 128) {
    const half = Math.floor(count / 16) * 8;
    return f(pairwise(x, first, half) + pairwise(x, first + half, count - half));
  }
  const r = x.slice(first, first + 8);
  const whole = count - (count % 8);
  for (let i = 8; i < whole; i++) r[i % 8] += x[first + i];
  let sum = f(f(f(r[0] + r[1]) + f(r[2] + r[3])) + f(f(r[4] + r[5]) + f(r[6] + r[7])));
  for (let i = whole; i < count; i++) sum = f(sum + x[first + i]);
  return sum;
}

test.each([32769, 70001, 131_071])('%d samples less their mean over their deviation', (length) => {
  const samples = Float32Array.from({ length }, (_, i) => (((i * i) % 1021) - 300) / 700);
  const mean = f(pairwise(samples, 0, length) / length);
  const squares = samples.map((x) => f(f(x - mean) * f(x - mean)));
  const deviation = f(Math.sqrt(f(f(pairwise(squares, 0, length) / length) + f(1e-7))));
  const expected = samples.map((x) => f(f(x - mean) / deviation));
  const extract = featureExtractor({ feature_extractor_type: 'Wav2Vec2FeatureExtractor' });
  expect(Buffer.compare(Buffer.from(extract(samples).input_values.data.buffer), Buffer.from(expected.buffer))).toBe(0);
});
