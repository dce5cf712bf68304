/** WAV files. */
import {
  later,
  named,
  rangeError,
  readOptions,
  readTable,
  show,
  showClass,
  typeError,
  word,
} from '../arguments/index.js';
import { codeBytes, codes, decodeSamples, encodeSamples, mostChannels, ready } from '../engines/audio/index.js';
import { readWaveform } from './audio.js';
import { allocateNumbers } from './tensors.js';
import { chunkHeadBytes, headerOf, headerOfSamples, paddingBehind, tags } from './wav-header.js';

/** @import { AudioLike } from './audio.js' */
/** @import { DecodeWavOptions, WavHeaderOptions, WavOptions } from './types.js' */
/** @import { WavHeader } from './wav-header.js' */

/** The bytes of a view or a buffer, in place; undefined for anything else.
 * @type {(value: unknown) => Uint8Array | undefined} */
export function viewOf(value) {
  const isView = ArrayBuffer.isView(value);
  // By the name, because `instanceof` does not know buffers of other realms.
  if (!isView && Object.prototype.toString.call(value) !== '[object ArrayBuffer]') return undefined;
  try {
    return isView
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(/** @type {ArrayBuffer} */ (value));
  } catch {
    // Memory that was transferred away has no bytes.
    return new Uint8Array(0);
  }
}

/** Gives the bytes of the argument `bytes`, in place, and refuses anything but a view or a buffer. */
const bytesOf = (/** @type {unknown} */ value) =>
  viewOf(value) ?? typeError(`bytes must be a Uint8Array or an ArrayBuffer, got ${showClass(value)}`);

/**
 * Reads the header of a WAV file, to decode its samples in pieces: from `dataStart` on, multiples of `frameBytes`.
 * @param {ArrayBufferView | ArrayBuffer} bytes the beginning of a file, as far as the start of its samples; 5 kB or
 *   more tell whether samples of 24 bits lie in 32, where the block align says so
 * @param {WavHeaderOptions} [options]
 * @returns {WavHeader}
 * @example
 * const header = readWavHeader(encodeWav({ channelData: [[0, 0.5]], sampleRate: 8000 }).subarray(0, 44));
 * [header.dataStart, header.frameBytes, header.sampleRate]; // [44, 2, 8000]
 */
export function readWavHeader(bytes, options) {
  return named('readWavHeader', () => {
    const { byteLength } = readOptions(options, ['byteLength']);
    const head = bytesOf(bytes);
    if (byteLength === undefined) return headerOf(head);
    if (typeof byteLength !== 'number') typeError(`byteLength must be a number, got ${show(byteLength)}`);
    if (!(byteLength >= head.length))
      rangeError(`byteLength must be at least that of bytes, ${head.length}, got ${byteLength}`);
    return headerOf(head, byteLength);
  });
}

/**
 * Decodes a WAV file as soundfile reads it to float32: PCM of 1 to 32 bits, float32, float64, A-law and mu-law; also
 * WAVE_FORMAT_EXTENSIBLE, RIFX and RF64. The bits of a sample decide, whatever the block align and the byte rate are. A
 * size beyond the end of the bytes counts up to the end.
 * @param {ArrayBufferView | ArrayBuffer} bytes
 * @param {DecodeWavOptions} [options]
 * @returns {{ sampleRate: number, channelData: Float32Array[] }}
 * @example
 * const { sampleRate, channelData } = decodeWav(encodeWav({ channelData: [[0, 0.5]], sampleRate: 8000 }));
 * channelData[0]; // Float32Array [0, 0.5]
 */
export function decodeWav(bytes, options) {
  return named('decodeWav', () => {
    ready();
    const data = bytesOf(bytes);
    const { header: samplesHeader } = readOptions(options, ['header']);
    const header = samplesHeader !== undefined ? headerOfSamples(samplesHeader, data.length) : headerOf(data);
    const { code, bigEndian, numberOfChannels: count, sampleRate, length, dataStart } = header;
    if (count > mostChannels()) rangeError(`the file must have at most ${mostChannels()} channels, got ${count}`);
    const channelData = Array.from({ length: count }, () => allocateNumbers('a channel', length));
    decodeSamples(code, bigEndian, data.subarray(dataStart), channelData);
    return { sampleRate, channelData };
  });
}

const formats = /** @type {const} */ (['pcm8', 'pcm16', 'pcm24', 'pcm32', 'float32', 'float64']);
const encodingTable = { format: word(formats, 'pcm16'), sampling_rate: later };

/**
 * Encodes audio as a WAV file.
 * @param {AudioLike} audio
 * @param {WavOptions} [options]
 * @returns {Uint8Array}
 * @example
 * encodeWav({ channelData: [[0, 0.5]], sampleRate: 8000 }).length; // 48
 */
export function encodeWav(audio, options) {
  return named('encodeWav', () => {
    ready();
    const { format, sampling_rate: stated } = readTable(options, encodingTable);
    const { channels, rate = stated } = readWaveform('audio', audio);
    if (rate === undefined) typeError('sampling_rate must be given, as the audio carries no rate');
    if (!Number.isInteger(rate) || !(rate > 0 && rate < 2 ** 32))
      rangeError(`sampling_rate must be a whole number below 2^32, got ${show(rate)}`);
    return writeWav(/** @type {Float32Array[]} */ (channels), rate, format);
  });
}

/** Writes a WAV file: its header, the samples, and a byte of padding if their bytes are odd.
 * @param {readonly Float32Array[]} channels
 * @param {number} rate
 * @param {typeof formats[number]} format */
function writeWav(channels, rate, format) {
  const isFloat = format.startsWith('float');
  const sampleBytes = codeBytes(codes[format]);
  const frameBytes = sampleBytes * channels.length;
  // The block align has 16 bits.
  if (frameBytes > 65535) rangeError(`a frame must have at most 65535 bytes, got ${frameBytes}`);
  const frames = channels[0].length;
  const dataBytes = frameBytes * frames;
  const headBytes = isFloat ? 58 : 44;
  const length = headBytes + dataBytes + paddingBehind(dataBytes);
  if (length > 2 ** 32 - 1) rangeError(`a WAV file must have less than 2^32 bytes, got ${length}`);
  const file = new Uint8Array(length);
  writeHeader(file, { isFloat, numberOfChannels: channels.length, rate, sampleBytes, frames });
  encodeSamples(codes[format], channels, file, headBytes);
  return file;
}

/** Writes the header of a WAV file, whose memory has room for its samples already. Numbers are little-endian.
 * @type {(file: Uint8Array, format: { isFloat: boolean, numberOfChannels: number, rate: number, sampleBytes: number,
 *   frames: number }) => void} */
function writeHeader(file, { isFloat, numberOfChannels, rate, sampleBytes, frames }) {
  const view = new DataView(file.buffer);
  const frameBytes = sampleBytes * numberOfChannels;
  let at = 0;
  const writeName = (/** @type {string} */ name) => {
    for (const letter of name) view.setUint8(at++, letter.charCodeAt(0));
  };
  const write16 = (/** @type {number} */ value) => {
    view.setUint16(at, value, true);
    at += 2;
  };
  const write32 = (/** @type {number} */ value) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  writeName('RIFF');
  write32(file.length - chunkHeadBytes); // of the chunk RIFF, which is the whole file
  writeName('WAVE');
  writeName('fmt ');
  write32(isFloat ? 18 : 16); // bytes of the chunk
  write16(isFloat ? tags.float : tags.pcm);
  write16(numberOfChannels);
  write32(rate);
  write32(Math.min(rate * frameBytes, 2 ** 32 - 1)); // bytes a second
  write16(frameBytes); // the block align
  write16(8 * sampleBytes); // bits of a sample
  if (isFloat) {
    write16(0); // bytes of an extension
    // Files of floats have a chunk with the number of frames.
    writeName('fact');
    write32(4); // bytes of the chunk
    write32(frames);
  }
  writeName('data');
  write32(frameBytes * frames); // bytes of the chunk
}
