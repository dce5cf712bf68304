/** WAV files. */
import {
  checkFileKind,
  later,
  named,
  rangeError,
  readFlag,
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

/** @import { AudioLike } from './audio.js' */
/** @import { DecodeWavOptions, WavHeaderOptions, WavOptions } from './types.js' */

/**
 * The header of a WAV file.
 * @typedef {object} WavHeader
 * @property {number} code of its samples, for decodeWav
 * @property {boolean} bigEndian
 * @property {number} numberOfChannels
 * @property {number} sampleRate
 * @property {number} frameBytes how many bytes a sample of all channels has
 * @property {number} dataStart the first byte of samples
 * @property {number} length how many samples each channel has
 */

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

/** @type {(view: DataView, at: number) => string} */
const nameAt = (view, at) => String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)));

/** A RIFF file begins with its magic name, its size and the name of its kind; then come chunks. A chunk has a head of
 * its name and its size, and then its body. In bytes. */
const riffAt = { magic: 0, fileSize: 4, kind: 8, chunks: 12 };
const chunkHeadBytes = 8;
const sizeInHead = 4;

/** A byte of padding follows a body of odd size.
 * @type {(size: number) => number} */
const paddingBehind = (size) => size % 2;

/** Numbers of formats. */
const tags = { pcm: 1, float: 3, alaw: 6, mulaw: 7, extensible: 0xfffe };

/** The codes of each format by the bytes that a sample has.
 * @type {Record<number, Record<number, number>>} */
const codesOf = {
  [tags.pcm]: { 1: codes.pcm8, 2: codes.pcm16, 3: codes.pcm24, 4: codes.pcm32 },
  [tags.float]: { 4: codes.float32, 8: codes.float64 },
  [tags.alaw]: { 1: codes.alaw },
  [tags.mulaw]: { 1: codes.mulaw },
};

/** Gives the engine's code of samples of a format, and how many bytes a sample has (`width`): the bits, rounded up.
 * soundfile goes by the bits of a sample, because many writers state a wrong block align.
 * @type {(tag: number, bits: number) => { code: number, width: number }} */
function codeOf(tag, bits) {
  // A sample of A-law or mu-law is a byte, whatever bits are stated.
  const isByte = tag === tags.alaw || tag === tags.mulaw;
  const width = isByte ? 1 : Math.ceil(bits / 8);
  const code =
    codesOf[tag]?.[width] ??
    rangeError(`the format must be PCM, float, A-law or mu-law, got format ${tag} with ${bits} bits a sample`);
  return { code, width };
}

/** The ends of the subformats' names in extensible files, and the formats that each has. */
const subformats = /** @type {Record<string, number[]>} */ ({
  '000000001000800000aa00389b71': [tags.pcm, tags.float, tags.alaw, tags.mulaw],
  // Ambisonic B-format.
  '00002107d3118644c8c1ca000000': [tags.pcm, tags.float],
});

/** The bytes of a `fmt ` chunk at which its fields begin. */
const formatAt = {
  ...{ tag: 0, channels: 2, rate: 4, byteRate: 8, blockAlign: 12, bits: 14 },
  ...{ subformat: 24, subformatEnd: 26 },
};
const formatBytes = 16;
const extensibleBytes = 40;

/** Reads the format of an extensible file, whose `fmt ` chunk has `present` bytes from `at` on. The subformat has a
 * name of 16 bytes: the format, then 14 bytes that must be one of the known ends.
 * @type {(view: DataView, at: number, present: number, little: boolean) => number} */
function subformatOf(view, at, present, little) {
  if (present < extensibleBytes)
    rangeError(`the fmt chunk of an extensible file must have at least ${extensibleBytes} bytes, got ${present}`);
  const tag = view.getUint16(at + formatAt.subformat, little);
  const hexAt = (/** @type {number} */ i) =>
    view
      .getUint8(at + formatAt.subformatEnd + i)
      .toString(16)
      .padStart(2, '0');
  const nameEnd = Array.from({ length: 14 }, (_, i) => hexAt(i)).join('');
  if (!subformats[nameEnd]?.includes(tag))
    rangeError(`the subformat must be PCM, float, A-law or mu-law, got ${tag} with the name's end ${nameEnd}`);
  return tag;
}

/** Whether samples that are stated to have 24 bits lie in 32, as soundfile finds out: in a block of 4 kB, more than 768
 * of 1,024 samples have a first or last byte of 0 beside one that is not. Blocks begin at byte 600, behind any header.
 * A loop in JS, because only such files need it, and it takes 2 ms a MB.
 * @type {(bytes: Uint8Array) => boolean} */
function isIn32Bits(bytes) {
  const blockBytes = 4096;
  const mostEmpty = 768;
  for (let from = 600; from + blockBytes <= bytes.length; from += blockBytes) {
    let emptyFirstBytes = 0;
    let emptyLastBytes = 0;
    for (let at = from; at < from + blockBytes; at += 4) {
      if (bytes[at] === 0 && bytes[at + 1] !== 0) emptyFirstBytes++;
      if (bytes[at + 3] === 0 && bytes[at + 2] !== 0) emptyLastBytes++;
    }
    if (emptyFirstBytes > mostEmpty || emptyLastBytes > mostEmpty) return true;
  }
  return false;
}

/** Reads the `fmt ` chunk, whose body of `size` bytes begins at `at`. The byte rate and, but for samples of 24 bits in
 * 32, the block align have no effect.
 * @param {Uint8Array} bytes
 * @param {DataView} view of them
 * @param {number} at
 * @param {number} size
 * @param {boolean} little */
function readFormat(bytes, view, at, size, little) {
  const present = Math.min(size, view.byteLength - at);
  if (present < formatBytes) rangeError(`the fmt chunk must have at least ${formatBytes} bytes, got ${present}`);
  const statedTag = view.getUint16(at + formatAt.tag, little);
  const numberOfChannels = view.getUint16(at + formatAt.channels, little);
  const sampleRate = view.getUint32(at + formatAt.rate, little);
  if (numberOfChannels === 0) rangeError('the file must have channels, got 0');
  if (!(sampleRate > 0 && sampleRate < 2 ** 31))
    rangeError(`the sample rate must be from 1 to ${2 ** 31 - 1}, got ${sampleRate}`);
  const tag = statedTag === tags.extensible ? subformatOf(view, at, present, little) : statedTag;
  const statedBits = view.getUint16(at + formatAt.bits, little);
  const blockAlign = view.getUint16(at + formatAt.blockAlign, little);
  // 24 bits a sample and 4 bytes a sample: either of the two may be wrong.
  const isContradictory = statedTag === tags.pcm && statedBits === 24 && blockAlign === 4 * numberOfChannels;
  const bits = isContradictory && isIn32Bits(bytes) ? 32 : statedBits;
  const { code, width } = codeOf(tag, bits);
  return { code, bigEndian: !little, numberOfChannels, sampleRate, frameBytes: width * numberOfChannels };
}

/** Reads the size of RF64's data from its chunk `ds64`: 64 bits, behind the 8 bytes of the size of the file.
 * @type {(view: DataView, body: number) => number} */
function longSizeAt(view, body) {
  const low = view.getUint32(body + 8, true);
  const high = view.getUint32(body + 12, true);
  return low + high * 2 ** 32;
}

/** Reads the header of a WAV file of `fileBytes` bytes, of which `bytes` may be the beginning. Sizes that reach beyond
 * the end of the file count up to the end, because streams write such.
 * @type {(bytes: Uint8Array, fileBytes?: number) => WavHeader} */
function headerOf(bytes, fileBytes = bytes.length) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkFileKind('bytes', 'a WAV file', bytes, fileBytes);
  const magic = bytes.length < riffAt.chunks ? '' : nameAt(view, riffAt.magic);
  if (!['RIFF', 'RIFX', 'RF64'].includes(magic) || nameAt(view, riffAt.kind) !== 'WAVE')
    rangeError('bytes must be a WAV file: RIFF, RIFX or RF64 with WAVE');
  const little = magic !== 'RIFX';
  let format;
  let longSize;
  let at = riffAt.chunks;
  while (at + chunkHeadBytes <= bytes.length) {
    const name = nameAt(view, at);
    const size = view.getUint32(at + sizeInHead, little);
    const body = at + chunkHeadBytes;
    if (name === 'ds64' && magic === 'RF64' && body + 16 <= bytes.length) longSize = longSizeAt(view, body);
    if (name === 'fmt ') format = readFormat(bytes, view, body, size, little);
    if (name === 'data') {
      if (!format) rangeError('the fmt chunk must stand before the data chunk');
      const present = Math.min(longSize ?? size, fileBytes - body);
      return { ...format, dataStart: body, length: Math.floor(present / format.frameBytes) };
    }
    at = body + size + paddingBehind(size);
  }
  return rangeError(format ? 'the data chunk is missing' : 'the fmt and the data chunk are missing');
}

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

/** Checks a header that the caller hands in, and gives it for `byteLength` bytes that are samples alone. The bytes of a
 * frame are computed anew, because with wrong ones the module would read beyond the samples.
 * @type {(header: WavHeader, byteLength: number) => WavHeader} */
function headerOfSamples(header, byteLength) {
  const { code, numberOfChannels: count, bigEndian } = header ?? {};
  if (!Object.values(codes).includes(code) || !(Number.isInteger(count) && count > 0))
    rangeError(`header must be what readWavHeader gives, got code ${show(code)} and ${show(count)} channels`);
  const frameBytes = codeBytes(code) * count;
  const isBig = readFlag('header bigEndian', bigEndian, false);
  return { ...header, bigEndian: isBig, frameBytes, dataStart: 0, length: Math.floor(byteLength / frameBytes) };
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
