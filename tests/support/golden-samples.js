/**
 * Samples of results that a golden has as a hash, in tests/goldens/samples.json: where a hash differs, they say where
 * the result does. `node tests/goldens/samples.mjs` writes them.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Each of 24 equal parts has a byte of its CRC. The first values of every third part are stored too. */
const [partCount, valueStep] = [24, 3];

/** The digits of a hash that find its samples. */
const keyLength = 12;

/** @typedef {any} Data a typed array */

const bytesOf = (/** @type {Data} */ { buffer, byteOffset, byteLength }) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** @type {(array: Data) => string} SHA-256 of the bytes, in hexadecimal */
export const hashOf = (array) => createHash('sha256').update(bytesOf(array)).digest('hex');

/** @type {(data: Data) => Data[]} */
function partsOf(data) {
  const length = Math.max(1, Math.ceil(data.length / partCount));
  return Array.from({ length: Math.ceil(data.length / length) }, (_, i) => data.subarray(i * length, (i + 1) * length));
}

/** @type {(part: Data) => number} */
const checkOf = (part) => crc32(bytesOf(part)) & 255;

/** @type {(parts: Data[]) => Data[]} */
const sampledParts = (parts) => parts.filter((_, i) => i % valueStep === 0);

/** @type {(data: Data) => Buffer} the parts' checks, then the values */
export function samplesOf(data) {
  const parts = partsOf(data);
  const values = sampledParts(parts).map((part) => bytesOf(part.subarray(0, 1)));
  return Buffer.concat([Uint8Array.from(parts, checkOf), ...values]);
}

/** @type {Record<string, string> | undefined} */
let stored;
const readStored = () =>
  (stored ??= /** @type {Record<string, string>} */ (
    JSON.parse(readFileSync(new URL('../goldens/samples.json', import.meta.url), 'utf8'))
  ));

/**
 * Says where a result differs from another one, of which there are samples. Of 256 parts that differ, one is not seen.
 * @type {(data: Data, samples: Buffer) => string}
 */
export function describeDifference(data, samples) {
  const parts = partsOf(data);
  if (samples.length !== samplesOf(data).length) return 'the golden has another length or type';
  const length = parts[0]?.length;
  const wrongParts = parts.flatMap((part, i) => (checkOf(part) === samples[i] ? [] : [i]));
  const values = new data.constructor(Uint8Array.from(samples.subarray(parts.length)).buffer);
  const wrongValues = sampledParts(parts).flatMap(([value], i) =>
    Object.is(value, values[i]) ? [] : [`[${i * valueStep * length}] is ${value} instead of ${values[i]}`],
  );
  const first = wrongParts.map((i) => `, first in [${i * length}] to [${i * length + parts[i].length - 1}]`)[0] ?? '';
  const sampled = wrongValues.length > 0 ? `, first ${wrongValues[0]}` : '';
  return (
    `${wrongParts.length} of ${parts.length} parts differ${first}; ` +
    `${wrongValues.length} of ${values.length} samples differ${sampled}`
  );
}

/** @type {(data: Data, wanted: string) => string} */
function describeStored(data, wanted) {
  const text = readStored()[wanted.slice(0, keyLength)];
  return text === undefined ? 'no samples are stored' : describeDifference(data, Buffer.from(text, 'base64'));
}

const written = new Set();

/** @type {(data: Data, hash: string) => void} for samples.mjs, which names the file */
function record(data, hash) {
  const key = hash.slice(0, keyLength);
  if (!process.env.GOLDEN_SAMPLES || written.has(key)) return;
  written.add(key);
  appendFileSync(process.env.GOLDEN_SAMPLES, `${key} ${samplesOf(data).toString('base64')}\n`);
}

/**
 * The hash of a result, and where it is not the golden's, how the result differs.
 * @type {(data: Data, wanted: string | undefined) => { sha256: string, differs?: string }}
 */
export function compareHash(data, wanted) {
  const sha256 = hashOf(data);
  if (wanted === undefined) return { sha256 };
  if (sha256 !== wanted) return { sha256, differs: describeStored(data, wanted) };
  record(data, sha256);
  return { sha256 };
}
