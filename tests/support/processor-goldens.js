/** The goldens of transformers' image and video processors: their cases, configurations, pictures and clips. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from '@jest/globals';
import { compareHash, hashOf } from './golden-samples.js';
import { readPng } from './png.js';

const root = new URL('../goldens/processors/', import.meta.url);
/** @type {(name: string) => Buffer} */
export const readBytes = (name) => readFileSync(new URL(name, root));
/** @type {(name: string) => any} */
export const readGoldens = (name) => JSON.parse(readBytes(name).toString());

const bytes = readBytes('samples.f32');
const samples = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));

export { hashOf };

/** @type {Map<string, any>} */
const decodedFiles = new Map();
/** @type {(file: string, decode: (bytes: Buffer) => any) => any} */
function decodeOnce(file, decode) {
  if (!decodedFiles.has(file)) decodedFiles.set(file, decode(readBytes(file)));
  return decodedFiles.get(file);
}

/** @type {(file: any) => any} A picture, or lists of pictures. */
export const readPicture = (file) => (Array.isArray(file) ? file.map(readPicture) : decodeOnce(file, readPng));

/** @type {(file: string) => any} A clip of bytes [T, H, W, C] as a tensor. */
export const readClip = (file) =>
  decodeOnce(file, (packed) => {
    const npy = gunzipSync(packed);
    const end = 10 + npy.readUInt16LE(8);
    const [, shape] = /** @type {any} */ (/'shape': \(([^)]*)\)/.exec(npy.subarray(10, end).toString('latin1')));
    return { type: 'uint8', dims: shape.split(',').map(Number), data: new Uint8Array(npy.subarray(end)) };
  });

/**
 * An output in the golden's form: its hash, or where a tolerance counts, samples.
 * @type {(output: any, golden: any, tolerance: number | undefined, name: string) => void}
 */
export function expectOutput(output, golden, tolerance, name) {
  if (golden.list) {
    expect({ name, length: output.length }).toEqual({ name, length: golden.list.length });
    golden.list.forEach((/** @type {any} */ entry, /** @type {number} */ i) =>
      expectOutput(output[i], entry, tolerance, `${name}[${i}]`),
    );
  } else if (!golden.dtype) {
    expect({ name, values: output }).toEqual({ name, values: golden.values });
  } else {
    const { type, dims, data } = output;
    expect({ name, type, dims }).toEqual({ name, type: golden.dtype, dims: golden.dims });
    if (tolerance === undefined || type === 'int64')
      expect({ name, ...compareHash(data, golden.sha256) }).toEqual({ name, sha256: golden.sha256 });
    else {
      const { offset, count, stride } = golden.sample;
      const errors = Array.from({ length: count }, (_, i) => Math.abs(samples[offset + i] - data[i * stride]));
      expect({ name, isClose: Math.max(...errors) <= tolerance }).toEqual({ name, isClose: true });
    }
  }
}

/** @type {(outputs: any, golden: any) => void} All outputs of a case, by their names. */
export function expectOutputs(outputs, { outputs: goldens, tolerance }) {
  expect(Object.keys(outputs).sort()).toEqual(Object.keys(goldens).sort());
  for (const [name, golden] of Object.entries(goldens)) expectOutput(outputs[name], golden, tolerance, name);
}
