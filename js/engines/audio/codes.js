/** The codes in which WAV files hold samples. */
import * as cpp from '../../../dist/bridge/audio.js';
import { checkLength, floatBytes } from '../memory/index.js';
import { halfBytes, kernels, pieces } from './module.js';

/** The numbers of codes. */
export const codes = cpp.Code;

/** @type {(code: number) => number} the bytes of a sample in a code */
export const codeBytes = (code) => kernels.code_bytes(code);

/** Of codes and float32 samples that go through the module at once. */
const pieceBytes = 256 * 2 ** 10;

/** Computes how many frames go through the module at once. A frame is one sample of each channel; `frameBytes`: of its
 * codes. */
const framesPerPiece = (/** @type {number} */ frameBytes, /** @type {number} */ channels) =>
  Math.max(1, Math.floor(pieceBytes / (frameBytes + floatBytes * channels)));

/** Views the float32 samples of channel `c` in the module, where `frames` samples of each channel lie one channel
 * behind the other from an address on.
 * @type {(address: number, c: number, frames: number) => Float32Array} */
const channelView = (address, c, frames) => pieces.view(Float32Array, address + floatBytes * c * frames, frames);

/** Decodes interleaved samples to float32, as soundfile reads them.
 * @param {number} code
 * @param {boolean} bigEndian
 * @param {Uint8Array} data the codes, of which those of the first `count` frames are read
 * @param {readonly Float32Array[]} channels of one length, which is how many frames are decoded
 * @param {number} [first] where in the channels the first frame goes
 * @param {number} [count] how many frames */
export function decodeSamples(code, bigEndian, data, channels, first = 0, count = channels[0].length - first) {
  const frameBytes = codeBytes(code) * channels.length;
  checkLength(data, count * frameBytes);
  for (const channel of channels) checkLength(channel, first + count);
  const maxFrames = framesPerPiece(frameBytes, channels.length);
  for (let done = 0; done < count; done += maxFrames) {
    const frames = Math.min(maxFrames, count - done);
    const pieceCodes = data.subarray(done * frameBytes, (done + frames) * frameBytes);
    pieces.clear();
    const from = pieces.copyIn(pieceCodes, frames * frameBytes);
    const samples = pieces.allocate(floatBytes * frames * channels.length);
    kernels.decode_samples(code, Number(bigEndian), channels.length, from, frames, samples, frames);
    channels.forEach((channel, c) => channel.set(channelView(samples, c, frames), first + done));
  }
}

/** Encodes samples to little-endian codes, interleaved: the first sample of each channel, then the second ones.
 * @param {number} code
 * @param {readonly Float32Array[]} channels of one length
 * @param {Uint8Array} to
 * @param {number} offset where in `to` the codes begin, in bytes */
export function encodeSamples(code, channels, to, offset) {
  const frameBytes = codeBytes(code) * channels.length;
  const maxFrames = framesPerPiece(frameBytes, channels.length);
  const { length } = channels[0];
  for (const channel of channels) checkLength(channel, length);
  checkLength(to, offset + length * frameBytes);
  for (let done = 0; done < length; done += maxFrames) {
    const frames = Math.min(maxFrames, length - done);
    pieces.clear();
    const samples = pieces.allocate(floatBytes * frames * channels.length);
    channels.forEach((channel, c) => channelView(samples, c, frames).set(channel.subarray(done, done + frames)));
    const pieceCodes = pieces.allocate(frames * frameBytes);
    kernels.encode_samples(code, channels.length, samples, frames, frames, pieceCodes);
    to.set(pieces.view(Uint8Array, pieceCodes, frames * frameBytes), offset + done * frameBytes);
  }
}

/** The most channels that samples may have: a frame of each then fits in the module's memory many times over. */
export const mostChannels = () => halfBytes / 64;
