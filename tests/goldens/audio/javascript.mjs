/**
 * Goldens of the names that only files for JavaScript use: `node javascript.mjs OUT.json`, where
 * `@huggingface/transformers` is installed. Snac is missing: transformers.js does not pad it to whole hops.
 */
import { writeFileSync } from 'node:fs';
import * as library from '@huggingface/transformers';

const files = {
  Moonshine: { sampling_rate: 16000, padding_value: 0, feature_size: 1 },
  Chatterbox: { sampling_rate: 24000 },
  PyAnnote: { sampling_rate: 16000, feature_size: 1, offset: 0, step: 16, do_normalize: false },
  WeSpeaker: { sampling_rate: 16000, num_mel_bins: 80, min_num_frames: 9, fbank_centering_span: null },
};
const samples = Float32Array.from({ length: 8000 }, (_, i) => (((i * i) % 251) - 125) / 400);
const cases = [];
for (const [name, config] of Object.entries(files)) {
  const extract = new library[`${name}FeatureExtractor`](config);
  for (const [output, { dims, data }] of Object.entries(await extract(samples))) {
    const some = Float32Array.from({ length: Math.ceil(data.length / 9) }, (_, i) => data[9 * i]);
    const values = Buffer.from(some.buffer).toString('base64');
    cases.push({ name, config, output, dims, step: 9, values });
  }
}
writeFileSync(process.argv[2], `${JSON.stringify(cases, undefined, 0)}\n`);
