/** Comparing answers with goldens: bytes, or numbers within the tolerance that a golden states. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { compareHash } from '../support/golden-samples.js';
import { root } from '../support/packed.js';

/** The cases of a file of goldens. */
export const readCases = (name) => JSON.parse(readFileSync(join(root, 'tests/goldens/postprocess', name), 'utf8'));

const arrays = { float32: Float32Array, int64: BigInt64Array, int32: Int32Array, int16: Int16Array, uint8: Uint8Array };

/** Float32 numbers as whole numbers, in which neighbors are one apart. */
const ordinals = (numbers) =>
  Float64Array.from(new Int32Array(Float32Array.from(numbers).buffer), (bits) =>
    bits < 0 ? -(bits & 0x7fffffff) : bits,
  );

/** The numbers that a golden has of a tensor. */
function storedNumbers({ gzip, stored }) {
  const bytes = Uint8Array.from(gunzipSync(Buffer.from(gzip, 'base64')));
  return new arrays[stored](bytes.buffer);
}

/** How many numbers are too far from a golden's. `pixels` may differ. */
function countFar(data, golden) {
  const { pixels, abs = pixels === undefined ? -1 : 0, ulp = -1 } = golden.tolerance;
  const wanted = storedNumbers(golden);
  const got = data.filter((_, i) => i % golden.stride === 0).subarray(0, wanted.length);
  const [a, b] = [ordinals(got), ordinals(wanted)];
  const isFar = (value, i) => !(Math.abs(value - wanted[i]) <= abs || Math.abs(a[i] - b[i]) <= ulp);
  return got.length === wanted.length ? Array.from(got).filter(isFar).length : Infinity;
}

/** A tensor in the form of its golden. Where it is within the golden's tolerance, it has the golden's numbers. */
function recordOfTensor(tensor, golden) {
  const made = { type: tensor.type, dims: [...tensor.dims] };
  if (!golden?.tolerance) return { ...made, ...compareHash(tensor.data, golden?.sha256) };
  const far = countFar(tensor.data, golden);
  const most = golden.tolerance.pixels ?? 0;
  if (far > most) return { ...made, far };
  const { tolerance, stride, stored, gzip } = golden;
  return { ...made, tolerance, stride, stored, gzip };
}

/** Half of the last decimal that Python's scores have, and a little more. */
const numberTolerance = 1.5e-6;

/** An answer in the form of its golden. */
export function recordOf(value, golden) {
  if (Array.isArray(value)) return value.map((part, i) => recordOf(part, golden?.[i]));
  if (Number.isNaN(value)) return 'NaN';
  if (typeof value === 'number')
    return typeof golden === 'number' && Math.abs(value - golden) <= numberTolerance ? golden : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value.dims) return recordOfTensor(value, golden);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, recordOf(part, golden?.[name])]));
}
