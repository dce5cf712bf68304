/** The codes in which WAV files hold samples. */
import { bytes, floats, halfBytes, kernels, piecesByte } from './module.js';

/** See cpp/audio/codes.h. */
export const codes = { pcm8: 0, pcm16: 1, pcm24: 2, pcm32: 3, float32: 4, float64: 5, alaw: 6, mulaw: 7 };

/** @param {number} code */
export const codeBytes = (code) => kernels.code_bytes(code);

/** How many frames of `channels` samples go through at once. */
const framesOf = (/** @type {number} */ frameBytes, /** @type {number} */ channels) =>
  Math.max(1, Math.floor(2 ** 18 / (frameBytes + 4 * channels)));

/** Decodes interleaved samples.
 * @param {number} code
 * @param {boolean} bigEndian
 * @param {Uint8Array} data
 * @param {readonly Float32Array[]} channels of one length, which is how many frames are decoded
 * @param {number} [at] where in the channels the first frame goes
 * @param {number} [count] how many frames */
export function decodeSamples(code, bigEndian, data, channels, at = 0, count = channels[0].length - at) {
  const frameBytes = codeBytes(code) * channels.length;
  const block = framesOf(frameBytes, channels.length);
  const target = piecesByte + Math.ceil((block * frameBytes) / 16) * 16;
  for (let done = 0; done < count; done += block) {
    const frames = Math.min(block, count - done);
    bytes.set(data.subarray(done * frameBytes, (done + frames) * frameBytes), piecesByte);
    kernels.decode_samples(code, Number(bigEndian), channels.length, piecesByte, frames, target, block);
    channels.forEach((channel, c) => {
      const from = target / 4 + c * block;
      channel.set(floats.subarray(from, from + frames), at + done);
    });
  }
}

/** Encodes samples, interleaved.
 * @param {number} code
 * @param {readonly Float32Array[]} channels of one length
 * @param {Uint8Array} to
 * @param {number} offset */
export function encodeSamples(code, channels, to, offset) {
  const frameBytes = codeBytes(code) * channels.length;
  const block = framesOf(frameBytes, channels.length);
  const target = piecesByte + block * channels.length * 4;
  for (let done = 0; done < channels[0].length; done += block) {
    const frames = Math.min(block, channels[0].length - done);
    channels.forEach((channel, c) => floats.set(channel.subarray(done, done + frames), piecesByte / 4 + c * block));
    kernels.encode_samples(code, channels.length, piecesByte, block, frames, target);
    to.set(bytes.subarray(target, target + frames * frameBytes), offset + done * frameBytes);
  }
}

/** How many channels a piece has room for. */
export const mostChannels = () => halfBytes / 64;
