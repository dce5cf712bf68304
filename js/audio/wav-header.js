/** The headers of WAV files: read, and checked if a caller hands one in. */
import { checkFileKind, rangeError, readFlag, show } from '../arguments/index.js';
import { codeBytes, codes } from '../engines/audio/index.js';

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

/** The numbers of formats. */
export const tags = { pcm: 1, float: 3, alaw: 6, mulaw: 7, extensible: 0xfffe };

/** A chunk begins with its name and the size of its body, four bytes each. */
export const chunkHeadBytes = 8;

/** How many bytes of padding follow the body of a chunk: one if its size is odd.
 * @type {(size: number) => number} */
export const paddingBehind = (size) => size % 2;

/** @type {(view: DataView, at: number) => string} */
const nameAt = (view, at) => String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)));

/** Gives the engine's code of samples of a format, and the bytes of a sample: its bits, rounded up. soundfile goes by
 * the bits, because many writers state a wrong block align.
 * @type {(tag: number, bits: number) => { code: number, sampleBytes: number }} */
function codeOf(tag, bits) {
  /** By format and the bytes of a sample. @type {Record<number, Record<number, number>>} */
  const codesOf = {
    [tags.pcm]: { 1: codes.pcm8, 2: codes.pcm16, 3: codes.pcm24, 4: codes.pcm32 },
    [tags.float]: { 4: codes.float32, 8: codes.float64 },
    [tags.alaw]: { 1: codes.alaw },
    [tags.mulaw]: { 1: codes.mulaw },
  };
  // A sample of A-law or mu-law is a byte, whatever bits are stated.
  const isByte = tag === tags.alaw || tag === tags.mulaw;
  const sampleBytes = isByte ? 1 : Math.ceil(bits / 8);
  const code =
    codesOf[tag]?.[sampleBytes] ??
    rangeError(`the format must be PCM, float, A-law or mu-law, got format ${tag} with ${bits} bits a sample`);
  return { code, sampleBytes };
}

/** Where the fields of a `fmt ` chunk begin, in bytes. The last two are of extensible files. */
const formatAt = { tag: 0, channels: 2, rate: 4, blockAlign: 12, bits: 14, subformat: 24, subformatEnd: 26 };
const formatBytes = 16;
const extensibleBytes = 40;

/** Reads the format of an extensible file from its `fmt ` chunk: the first two bytes of the subformat, a name of 16
 * bytes. The other 14 must be one of two known ends.
 * @type {(chunk: DataView, little: boolean) => number} */
function subformatOf(chunk, little) {
  if (chunk.byteLength < extensibleBytes)
    rangeError(
      `the fmt chunk of an extensible file must have at least ${extensibleBytes} bytes, got ${chunk.byteLength}`,
    );
  /** The formats that each end allows. @type {Record<string, number[]>} */
  const formatsByEnd = {
    '000000001000800000aa00389b71': [tags.pcm, tags.float, tags.alaw, tags.mulaw],
    // Ambisonic B-format.
    '00002107d3118644c8c1ca000000': [tags.pcm, tags.float],
  };
  const tag = chunk.getUint16(formatAt.subformat, little);
  const endBytes = new Uint8Array(chunk.buffer, chunk.byteOffset + formatAt.subformatEnd, 14);
  const nameEnd = Array.from(endBytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (!formatsByEnd[nameEnd]?.includes(tag))
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

/** Reads the body of the `fmt ` chunk, as far as it is there. The block align counts only where PCM is stated
 * with 24 bits and 4 bytes a sample; then the samples in `bytes`, the file, decide. The byte rate has no effect.
 * @param {Uint8Array} bytes
 * @param {DataView} chunk
 * @param {boolean} little */
function readFormat(bytes, chunk, little) {
  if (chunk.byteLength < formatBytes)
    rangeError(`the fmt chunk must have at least ${formatBytes} bytes, got ${chunk.byteLength}`);
  const statedTag = chunk.getUint16(formatAt.tag, little);
  const numberOfChannels = chunk.getUint16(formatAt.channels, little);
  const sampleRate = chunk.getUint32(formatAt.rate, little);
  if (numberOfChannels === 0) rangeError('the file must have channels, got 0');
  if (!(sampleRate > 0 && sampleRate < 2 ** 31))
    rangeError(`the sample rate must be from 1 to ${2 ** 31 - 1}, got ${sampleRate}`);
  const tag = statedTag === tags.extensible ? subformatOf(chunk, little) : statedTag;
  const statedBits = chunk.getUint16(formatAt.bits, little);
  const blockAlign = chunk.getUint16(formatAt.blockAlign, little);
  // 24 bits a sample and 4 bytes a sample: either of the two may be wrong.
  const isContradictory = statedTag === tags.pcm && statedBits === 24 && blockAlign === 4 * numberOfChannels;
  const bits = isContradictory && isIn32Bits(bytes) ? 32 : statedBits;
  const { code, sampleBytes } = codeOf(tag, bits);
  return { code, bigEndian: !little, numberOfChannels, sampleRate, frameBytes: sampleBytes * numberOfChannels };
}

/** Reads the size of RF64's samples from its chunk `ds64`: 64 bits, behind the 8 bytes of the size of the file.
 * @type {(view: DataView, body: number) => number} */
function longSizeAt(view, body) {
  const low = view.getUint32(body + 8, true);
  const high = view.getUint32(body + 12, true);
  return low + high * 2 ** 32;
}

/** Reads the header of a WAV file of `fileBytes` bytes, of which `bytes` may be the beginning. Sizes that reach beyond
 * the end of the file count up to the end, because streams write such.
 * @type {(bytes: Uint8Array, fileBytes?: number) => WavHeader} */
export function headerOf(bytes, fileBytes = bytes.length) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkFileKind('bytes', 'a WAV file', bytes, fileBytes);
  // The file's kind, its size and the kind of its content stand in front of the chunks, four bytes each.
  const contentAt = 8;
  const firstChunk = 12;
  const magic = bytes.length < firstChunk ? '' : nameAt(view, 0);
  if (!['RIFF', 'RIFX', 'RF64'].includes(magic) || nameAt(view, contentAt) !== 'WAVE')
    rangeError('bytes must be a WAV file: RIFF, RIFX or RF64 with WAVE');
  const little = magic !== 'RIFX';
  let format;
  let longSize;
  let at = firstChunk;
  while (at + chunkHeadBytes <= bytes.length) {
    const name = nameAt(view, at);
    const size = view.getUint32(at + 4, little);
    const body = at + chunkHeadBytes;
    if (name === 'ds64' && magic === 'RF64' && body + 16 <= bytes.length) longSize = longSizeAt(view, body);
    if (name === 'fmt ') {
      const present = Math.min(size, bytes.length - body);
      format = readFormat(bytes, new DataView(bytes.buffer, bytes.byteOffset + body, present), little);
    }
    if (name === 'data') {
      if (!format) rangeError('the fmt chunk must stand before the data chunk');
      const present = Math.min(longSize ?? size, fileBytes - body);
      return { ...format, dataStart: body, length: Math.floor(present / format.frameBytes) };
    }
    at = body + size + paddingBehind(size);
  }
  return rangeError(format ? 'the data chunk is missing' : 'the fmt and the data chunk are missing');
}

/** Checks a header that the caller hands in, and gives it for `byteLength` bytes that are samples alone. The bytes of a
 * frame are computed anew, because with wrong ones the module would read beyond the samples.
 * @type {(header: WavHeader, byteLength: number) => WavHeader} */
export function headerOfSamples(header, byteLength) {
  const { code, numberOfChannels: count, bigEndian } = header ?? {};
  if (!Object.values(codes).includes(code) || !(Number.isInteger(count) && count > 0))
    rangeError(`header must be what readWavHeader gives, got code ${show(code)} and ${show(count)} channels`);
  const frameBytes = codeBytes(code) * count;
  const isBig = readFlag('header bigEndian', bigEndian, false);
  return { ...header, bigEndian: isBig, frameBytes, dataStart: 0, length: Math.floor(byteLength / frameBytes) };
}
