/** The goldens of audio: their index, their waveforms, and how an output is compared with a record. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { readNpy } from 'onnx-layout/io';
import { compareHash } from '../support/golden-samples.js';
import { root } from '../support/packed.js';

const folder = join(root, 'tests/goldens/audio');
const readJson = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

/** All cases. */
export const cases = readJson('index.json');
export const casesOf = (kind) => cases.filter((one) => one.kind === kind);
export const caseOf = (id) => cases.find((one) => one.id === id);
/** Every class of transformers, and the names that JavaScript files alone use. */
export const classes = readJson('classes.json');
/** The bytes of a file of the goldens. */
export const bytesOf = (file) => new Uint8Array(readFileSync(join(folder, file)));

const waves = {};

/** A stored waveform: 16-bit integers mean value / 32768, two rows are two channels. */
function waveform(name) {
  const { type, dims, data } = readNpy(bytesOf(`inputs/${name}.npy`));
  const samples = type === 'int16' ? Float32Array.from(data, (value) => value / 32768) : data;
  if (dims.length === 1) return samples;
  return { channelData: [samples.subarray(0, dims[1]), samples.subarray(dims[1])] };
}

/** The audio that a case names: null, a name, a part as `speech[0:210]`, or a list of these. */
export function audioOf(value) {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(audioOf);
  const [, name, from, to] = /^(\w+)(?:\[(\d+):(\d+)\])?$/.exec(value);
  waves[name] ??= waveform(name);
  return from === undefined ? waves[name] : waves[name].subarray(Number(from), Number(to));
}

/** The options of an extractor's case. */
export const optionsOf = ({ options, audio_target: target }) => ({
  ...options,
  ...(target && { audio_target: audioOf(target) }),
});

const isFloat = (type) => /float|complex/.test(type);

/** The numbers, with -0 counted as 0. */
const withoutSign = ({ type, data }) => (isFloat(type) ? data.map((value) => value + 0) : data);

const arrays = { float32: Float32Array, float64: Float64Array, complex64: Float32Array };

/** The largest distance from the samples of a record, which are every `step`-th element. */
function distanceOf({ type, data }, { step, values }) {
  const bytes = Buffer.from(values, 'base64');
  const wanted = new arrays[type](new Uint8Array(bytes).buffer);
  const parts = type === 'complex64' ? 2 : 1;
  return wanted.reduce((most, value, i) => {
    const at = Math.floor(i / parts) * step * parts + (i % parts);
    return Math.max(most, Number.isNaN(value) && Number.isNaN(data[at]) ? 0 : Math.abs(data[at] - value));
  }, 0);
}

/** Expects an output to be what a record says: equal to the bit, or near. */
export function expectRecord(output, record, name = 'output') {
  if (Array.isArray(record)) {
    expect([name, output.length]).toEqual([name, record.length]);
    record.forEach((one, i) => expectRecord(output[i], one, `${name}[${i}]`));
  } else if ('values' in record) {
    expect([name, output]).toEqual([name, record.values]);
  } else {
    const { type, dims } = output;
    expect([name, type, [...dims]]).toEqual([name, record.type, record.dims]);
    if (record.sha256 === undefined)
      expect([name, distanceOf(output, record.sample) <= record.tolerance]).toEqual([name, true]);
    else {
      const { sha256 } = record;
      expect({ name, ...compareHash(withoutSign(output), sha256) }).toEqual({ name, sha256 });
    }
  }
}
