/** Long audio in chunks that overlap, as transformers' speech pipeline cuts it. */
import { copyList, count, later, named, rangeError, readFinite, readTable } from '../arguments/index.js';
import { monoOf, rateOf, readWaveform } from './audio.js';
import { roundEven } from './padding.js';

/** @import { AudioLike } from './audio.js' */

/** Chunks last seconds, so audio has fewer of them; a list of more takes gigabytes. */
const mostChunks = 1_000_000;

/**
 * @typedef {object} ChunkOptions
 * @property {number} chunk_length_s The length of a chunk, in seconds.
 * @property {number | [left: number, right: number]} [stride_length_s] How far neighbors overlap on each side, in
 *   seconds: a sixth of the chunk if omitted.
 * @property {number} [sampling_rate] The rate of audio that carries none, in samples a second.
 * @property {number} [align_to] Chunks and strides are multiples of this many samples: the model's
 *   `inputs_to_logits_ratio`, 1 if omitted.
 */

const table = { chunk_length_s: readFinite, stride_length_s: later, sampling_rate: later, align_to: count(1) };

/**
 * Cuts audio as transformers' `chunk_iter` does. Text of a chunk that comes from its stride is to be left out.
 * @param {AudioLike} audio
 * @param {ChunkOptions} options
 * @returns {{ audio: Float32Array, stride: [length: number, left: number, right: number], is_last: boolean }[]} `audio`
 *   shares the memory of what was given; `stride` in samples
 * @example
 * const chunks = chunkAudio(new Float32Array(50), { chunk_length_s: 3, stride_length_s: 1, sampling_rate: 10 });
 * chunks.map(({ stride }) => stride); // [[30, 0, 10], [30, 10, 10], [30, 10, 0]]
 */
export function chunkAudio(audio, options) {
  return named('chunkAudio', () => {
    const read = readTable(options, table);
    const waveform = readWaveform('audio', audio);
    const [samples] = /** @type {Float32Array[]} */ (monoOf([waveform]));
    const { length, left, right } = readLengths(read, waveform.rate);
    // Chunks begin so far apart that each overlaps the next one by both strides.
    const step = length - left - right;
    if (samples.length / step > mostChunks)
      rangeError(`chunk_length_s must give at most ${mostChunks} chunks, got chunks ${step} samples apart`);
    const chunks = [];
    for (let start = 0; start < samples.length; start += step) {
      const piece = samples.subarray(start, start + length);
      const isFirst = start === 0;
      const is_last = start + length >= samples.length;
      /** @type {[number, number, number]} */
      const stride = [piece.length, isFirst ? 0 : left, is_last ? 0 : right];
      chunks.push({ audio: piece, stride, is_last });
      if (is_last) break;
    }
    return chunks;
  });
}

/** Reads the length of a chunk and its two strides in samples, rounded to multiples of `align_to`. `carried`: the rate
 * of the audio. A stride alone is for both sides.
 * @param {{ [Name in keyof typeof table]: ReturnType<(typeof table)[Name]> }} options
 * @param {number | undefined} carried */
function readLengths({ chunk_length_s, stride_length_s, sampling_rate, align_to: multiple }, carried) {
  const rate = readFinite('sampling_rate', rateOf('audio', carried, sampling_rate));
  const oneStride = stride_length_s ?? chunk_length_s / 6;
  const [leftSeconds, rightSeconds] = Array.isArray(stride_length_s)
    ? copyList('stride_length_s', stride_length_s, 2)
    : [oneStride, oneStride];
  const samplesOf = (/** @type {number} */ seconds) => roundEven((seconds * rate) / multiple) * multiple;
  const left = samplesOf(readFinite('stride_length_s', leftSeconds));
  const right = samplesOf(readFinite('stride_length_s', rightSeconds));
  const length = samplesOf(chunk_length_s);
  if (!(left >= 0 && right >= 0 && length > left + right))
    rangeError(`chunk_length_s must be above its two strides, got ${length} samples and ${left} + ${right}`);
  return { length, left, right };
}
