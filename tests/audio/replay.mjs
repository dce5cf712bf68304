/**
 * Calls at random of every class against tests/goldens/audio/reference.py, whole and as streams:
 * `node tests/audio/replay.mjs CALLS.json`, with what random_calls.py wrote. The test of random calls uses it too.
 */
import { readFileSync } from 'node:fs';
import { featureExtractor, init } from 'onnx-layout/audio';
import { streamed } from './stream-parts.js';

/** The largest tolerance of a record. */
const toleranceOf = (record) =>
  Array.isArray(record) ? Math.max(...record.map(toleranceOf)) : (record.tolerance ?? 0);

/** How far outputs may lie apart, by class and output: as far as in the goldens. */
const tolerances = {};
const goldens = JSON.parse(readFileSync(new URL('../goldens/audio/index.json', import.meta.url), 'utf8'));
for (const { kind, extractor, outputs = {} } of goldens)
  for (const [name, record] of kind === 'extract' ? Object.entries(outputs) : []) {
    const key = `${extractor}FeatureExtractor ${name}`;
    tolerances[key] = Math.max(tolerances[key] ?? 0, toleranceOf(record));
  }

/** The samples of a call: random_calls.py has the same formula. */
const noise = ([length, a, b]) =>
  Float32Array.from({ length }, (_, i) => ((((i * (i + a)) % 65521) * b) % 65521) / 65521 - 0.5);

const arrays = { float32: Float32Array, int32: Int32Array, int64: BigInt64Array, bool: Uint8Array };

/** The first difference of an output from its record, in words. */
function difference(output, record, tolerance) {
  if (Array.isArray(record)) return record.map((one, i) => difference(output[i], one, tolerance)).find(Boolean);
  if (!record.type) return JSON.stringify(output) === JSON.stringify(record.values) ? undefined : 'other values';
  const shape = `${output.type} [${output.dims}]`;
  const wanted = `${record.type} [${record.dims}]`;
  if (shape !== wanted) return `${shape} instead of ${wanted}`;
  const values = new arrays[record.type](new Uint8Array(Buffer.from(record.values, 'base64')).buffer);
  const at = values.findIndex((x, i) => !(Math.abs(Number(x) - Number(output.data[i * record.step])) <= tolerance));
  return at < 0 ? undefined : `${output.data[at * record.step]} instead of ${values[at]} at ${at * record.step}`;
}

/** How a call differs from its record, in words; '' where it does not. */
export function wrongOf({ config, audio, options, outputs }) {
  const extract = featureExtractor(config);
  const samples = audio.map(noise);
  const made = extract(samples.length > 1 ? samples : samples[0], options);
  const names = Object.keys(made).sort().join();
  if (names !== Object.keys(outputs).sort().join()) return `outputs ${names}`;
  for (const [name, record] of Object.entries(outputs)) {
    const wrong = difference(made[name], record, tolerances[`${extract.className} ${name}`] ?? 0);
    if (wrong) return `${extract.className} ${name}: ${wrong}`;
  }
  if (samples.length > 1) return '';
  const joined = streamed(extract.stream(options), samples[0], [1600, 7, 400]);
  const same = (name) =>
    Buffer.from(joined[name].data?.buffer ?? []).equals(Buffer.from(made[name].data?.buffer ?? []));
  const other = Object.keys(outputs).find((name) => !joined[name] || !same(name));
  return other ? `${extract.className} ${other}: the stream differs` : '';
}

if (import.meta.url.endsWith(process.argv[1])) {
  await init();
  const calls = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  const wrong = calls.map((one) => [wrongOf(one), one]).filter(([words]) => words);
  wrong.slice(0, 9).forEach(([words, one]) => console.log(words, JSON.stringify({ ...one, outputs: undefined })));
  console.log(`${calls.length} calls, ${wrong.length} differ`);
  process.exitCode = Number(wrong.length > 0);
}
