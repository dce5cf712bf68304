/** Any ratio of whole rates against soxr's quality HQ, of noise, whose steps between samples are the largest. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { init, resampleAudio, resampleStream } from 'onnx-layout/audio';
import { root } from '../support/packed.js';

await init();

const cases = JSON.parse(readFileSync(join(root, 'tests/goldens/audio/soxr.json'), 'utf8'));

/** random_calls.py has the same formula. */
const noise = (length) =>
  Float32Array.from({ length }, (_, i) => ((((i * (i + 7)) % 65521) * 40503) % 65521) / 65521 - 0.5);

/** The largest distances from soxr: of the first samples, and of the others. */
function distances({ orig_freq, new_freq, length, outputs, places, values }) {
  const data = resampleAudio(noise(length), { backend: 'soxr', orig_freq, new_freq });
  const expected = new Float32Array(new Uint8Array(Buffer.from(values, 'base64')).buffer);
  const far = [0, 0];
  places.forEach((place, i) => {
    const late = Number(place >= 16);
    far[late] = Math.max(far[late], Math.abs(data[place] - expected[i]));
  });
  // The length is librosa's: rounded up, where soxr rounds.
  expect([outputs, outputs + 1]).toContain(data.length);
  return far;
}

test.each(cases.map((one) => [`${one.orig_freq} to ${one.new_freq}`, one]))('%s', (_, one) => {
  const [first, others] = distances(one);
  expect(first).toBeLessThan(one.new_freq === 24 * one.orig_freq ? 1e-3 : 8e-5);
  expect(others).toBeLessThan(cases.indexOf(one) < 40 ? 2e-6 : 1e-5);
});

test('streams of four stages are equal in every bit to the whole', () => {
  for (const [orig_freq, new_freq] of [
    [88200, 8000],
    [8000, 88200],
    [44099, 48000],
    [44100, 24000],
  ]) {
    const options = { backend: 'soxr', orig_freq, new_freq };
    const samples = noise(3000);
    const stream = resampleStream(options);
    const parts = [];
    for (let at = 0, i = 0; at < samples.length; i++) {
      const end = at + [1, 777, 3, 500][i % 4];
      parts.push(...stream.push(samples.subarray(at, end)));
      at = end;
    }
    parts.push(...stream.end());
    expect(Float32Array.from(parts)).toEqual(resampleAudio(samples, options));
  }
});
