/** `features --stream`: features of a WAV file that comes on standard input, as it comes. */
import { concat } from '../../index.js';

/** @typedef {typeof import('../../audio/index.js')} Audio */

/** Pieces of samples of a WAV file whose bytes come in chunks. Nothing but a rest below one frame is kept.
 * @param {Audio} audio
 * @param {AsyncIterable<any> | Iterable<any>} chunks
 * @param {boolean} mono */
async function* samplesOf(audio, chunks, mono) {
  let rest = Buffer.alloc(0);
  /** @type {ReturnType<Audio['readWavHeader']> | undefined} */
  let header;
  let left = Infinity;
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    if (!header) {
      if (!hasHeader(rest)) continue;
      // Streams state a length that no file has.
      header = audio.readWavHeader(rest, { byteLength: Infinity });
      if (header.length < Math.floor((2 ** 32 - 1) / header.frameBytes)) left = header.length * header.frameBytes;
      rest = rest.subarray(header.dataStart);
    }
    const whole = Math.min(left, rest.length - (rest.length % header.frameBytes));
    left -= whole;
    if (whole > 0) {
      const decoded = audio.decodeWav(rest.subarray(0, whole), { header });
      yield mono ? audio.toMono(decoded) : decoded;
    }
    rest = rest.subarray(whole);
    if (left === 0) return;
  }
  if (!header) audio.readWavHeader(rest);
}

/** @type {(bytes: Buffer) => boolean} Whether the samples have begun, or never will. */
function hasHeader(bytes) {
  if (bytes.length < 12) return false;
  const isBig = bytes.toString('latin1', 0, 4) === 'RIFX';
  if (!isBig && !bytes.toString('latin1', 0, 4).startsWith('R')) return true;
  for (let at = 12; at + 8 <= bytes.length;) {
    if (bytes.toString('latin1', at, at + 4) === 'data') return true;
    const size = isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return false;
}

/** The outputs of an extractor's stream, each joined along its axis.
 * @param {Audio} audio
 * @param {ReturnType<ReturnType<Audio['featureExtractor']>['stream']>} stream
 * @param {AsyncIterable<any> | Iterable<any>} chunks
 * @param {boolean} mono */
export async function streamedOutputs(audio, stream, chunks, mono) {
  /** @type {Record<string, any[]>} */
  const parts = {};
  const take = (/** @type {any} */ outputs) => {
    for (const [name, part] of Object.entries(outputs ?? {})) (parts[name] ??= []).push(part);
  };
  for await (const samples of samplesOf(audio, chunks, mono)) take(stream.push(samples));
  take(stream.end());
  return Object.fromEntries(
    Object.entries(parts).map(([name, list]) => [
      name,
      list[0]?.dims && list.length > 1 ? concat(list, { axis: stream.axes[name] }) : list[0],
    ]),
  );
}
