/** Compressed audio at its own rate. */
import {
  checkFileKind,
  latin1,
  namedAsync,
  rangeError,
  readOptions,
  show,
  showClass,
  typeError,
} from '../arguments/index.js';
import { readWaveform } from './audio.js';
import { decodeWav, viewOf } from './wav.js';

/** @import { AudioBufferLike, DecodedAudio } from './audio.js' */

/**
 * @typedef {object} DecodeAudioOptions
 * @property {(bytes: Uint8Array, rate: number) => Promise<AudioBufferLike | DecodedAudio> | AudioBufferLike |
 *   DecodedAudio} [decode] Decodes a file's bytes at the rate that its header states, in samples a second: the browser
 *   does if omitted.
 */

/** The most bytes in which a header is searched: a longer one is a mistake, and searching it takes time. */
const mostHeaderBytes = 2 ** 24;
/** The most boxes or elements inside of each other that are searched: files have 6 at most. */
const mostDepth = 8;

/** @type {(bytes: Uint8Array, at: number, length: number) => string} */
const text = (bytes, at, length) => latin1(bytes.subarray(at, at + length));

/** Reads 32 bits, the highest byte first.
 * @type {(bytes: Uint8Array, at: number) => number} */
const big32 = (bytes, at) => ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
/** Reads 32 bits, the lowest byte first.
 * @type {(bytes: Uint8Array, at: number) => number} */
const little32 = (bytes, at) => big32(Uint8Array.from(bytes.subarray(at, at + 4)).reverse(), 0);

/** Reads the rate of FLAC, 20 bits that begin 18 bytes behind the marker `fLaC`. */
const flacRate = (/** @type {Uint8Array} */ bytes, /** @type {number} */ marker) => big32(bytes, marker + 18) >>> 12;

/** Reads the rate of an Ogg file from the header of the codec in the first packet; undefined for other codecs. Opus
 * always decodes to 48 kHz.
 * @type {(bytes: Uint8Array) => number | undefined} */
function oggRate(bytes) {
  // The header of a page has 27 bytes, the last of which is the length of the table behind it. Then the packet begins.
  const packet = 27 + bytes[26];
  if (text(bytes, packet, 7) === '\x01vorbis') return little32(bytes, packet + 12);
  if (text(bytes, packet, 8) === 'OpusHead') return 48000;
  // Nine bytes of the mapping to Ogg stand in front of the marker.
  if (text(bytes, packet, 5) === '\x7fFLAC') return flacRate(bytes, packet + 9);
  return undefined;
}

/** By their index in the header of a frame: of MPEG 1, and of AAC in ADTS. */
const mp3Rates = [44100, 48000, 32000];
const aacRates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];

/** By the version of an MP3 frame, how many times lower its rates are than those of MPEG 1: MPEG 2.5, reserved, MPEG 2,
 * MPEG 1. */
const rateDivisors = [4, undefined, 2, 1];
const aacLayer = 0;

/** Finds the byte behind an ID3 tag, if there is one, and the zeros that may pad it.
 * @type {(bytes: Uint8Array) => number} */
function tagEnd(bytes) {
  let at = 0;
  if (text(bytes, 0, 3) === 'ID3') {
    const headerBytes = 10;
    // The last four bytes of the header have the tag's length, 7 bits each.
    const length = bytes.subarray(6, headerBytes).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
    at = headerBytes + length;
  }
  while (at < bytes.length && bytes[at] === 0) at++;
  return at;
}

/** Reads the rate of the first frame of MP3, or of AAC in ADTS; undefined if there is no frame, or its rate is
 * reserved. A frame begins with 11 bits of 1, two of the version and two of the layer.
 * @type {(bytes: Uint8Array) => number | undefined} */
function frameRate(bytes) {
  const at = tagEnd(bytes);
  const [first, second, third] = bytes.subarray(at, at + 3);
  const isFrame = first === 0xff && (second & 0xe0) === 0xe0;
  if (!isFrame) return undefined;
  const version = (second >> 3) & 3;
  const layer = (second >> 1) & 3;
  // The third byte has the index of the rate: of AAC in bits 2 to 5, of MP3 in bits 2 and 3.
  const aacIndex = (third >> 2) & 15;
  if (layer === aacLayer) return aacRates[aacIndex];
  const mp3Index = (third >> 2) & 3;
  const mpeg1Rate = mp3Rates[mp3Index];
  const divisor = rateDivisors[version];
  return divisor === undefined || mpeg1Rate === undefined ? undefined : mpeg1Rate / divisor;
}

/** Boxes of MP4 that lead to the description of samples. */
const containers = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
const codecs = ['mp4a', 'alac', 'fLaC', 'Opus', 'ac-3', 'ec-3'];

/** Reads the header of the box of MP4 at byte `at`: its name, and where its content begins and ends. `end`: of the box
 * around it.
 * @type {(bytes: Uint8Array, at: number, end: number) => { name: string, content: number, next: number }} */
function readBox(bytes, at, end) {
  const shortSize = big32(bytes, at);
  // 1: 64 bits of size follow the name. 0: the box reaches to the end.
  const isLong = shortSize === 1;
  const size = isLong ? big32(bytes, at + 8) * 2 ** 32 + big32(bytes, at + 12) : shortSize;
  return {
    name: text(bytes, at + 4, 4),
    content: at + (isLong ? 16 : 8),
    next: shortSize === 0 ? end : at + size,
  };
}

/** Searches the boxes of MP4 for the first description of audio samples, and gives its rate. `depth`: how many boxes
 * are around these.
 * @type {(bytes: Uint8Array, from: number, end: number, depth?: number) => number | undefined} */
function mp4Rate(bytes, from, end, depth = 0) {
  if (depth > mostDepth) return undefined;
  let at = from;
  while (at + 8 <= end) {
    const { name, content, next } = readBox(bytes, at, end);
    // A box that is shorter than its header is a mistake, and would not end the loop.
    if (next < content) return undefined;
    // The rate of a description stands at its byte 32, as a fixed-point number of 16.16 bits.
    if (codecs.includes(name)) return big32(bytes, at + 32) >>> 16;
    // `stsd` has a version, flags and a count before its boxes.
    const isDescriptions = name === 'stsd';
    const firstBox = isDescriptions ? content + 8 : content;
    const isContainer = isDescriptions || containers.includes(name);
    const rate = isContainer ? mp4Rate(bytes, firstBox, Math.min(next, end), depth + 1) : undefined;
    if (rate) return rate;
    at = next;
  }
  return undefined;
}

/** The first element of WebM. */
const ebmlMagic = 0x1a45dfa3;
/** Names of WebM's elements. */
const audioElement = 0xe1;
/** Those that lead to the rate: Segment, Tracks, TrackEntry and Audio. */
const masters = [0x18538067, 0x1654ae6b, 0xae, audioElement];
const codecElement = 0x86;
const rateElement = 0xb5;

/** Reads a number of EBML at byte `at`, big-endian. Its first byte has as many zeros in front of the first 1, the mark,
 * as bytes follow. A size whose bits are all 1 is unknown: Infinity.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {'with mark' | 'without mark'} form whether the mark is a part of the number, as in names */
function ebmlNumber(bytes, at, form) {
  const keepsMark = form === 'with mark';
  // clz32 counts 24 zeros in front of a byte. A byte of 0 counts as 1: a mark in the last place.
  const zeros = Math.clz32(bytes[at] || 1) - 24;
  const length = zeros + 1;
  const bitsBehindMark = 7 - zeros;
  let value = keepsMark ? bytes[at] : bytes[at] & (2 ** bitsBehindMark - 1);
  for (let i = 1; i < length; i++) value = value * 256 + (bytes[at + i] ?? 0);
  const isUnknown = !keepsMark && value === 2 ** (7 * length) - 1;
  return { length, value: isUnknown ? Infinity : value };
}

/** Reads the rate of a WebM track, a float of 4 or 8 bytes; undefined for another length.
 * @type {(bytes: Uint8Array, at: number, length: number) => number | undefined} */
function floatRate(bytes, at, length) {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, length);
  if (length === 4) return view.getFloat32(0);
  return length === 8 ? view.getFloat64(0) : undefined;
}

/** Searches the elements of WebM for the rate of the first audio track. Opus decodes to 48 kHz, whatever the file
 * states, so the codec's name counts in front of the stated rate and behind it. `depth`: how many elements are around
 * these.
 * @type {(bytes: Uint8Array, from: number, end: number, depth?: number) => number | undefined} */
function webmRate(bytes, from, end, depth = 0) {
  if (depth > mostDepth) return undefined;
  let rate;
  let at = from;
  while (at < end) {
    const name = ebmlNumber(bytes, at, 'with mark');
    const size = ebmlNumber(bytes, at + name.length, 'without mark');
    const body = at + name.length + size.length;
    const next = Math.min(body + size.value, end);
    if (name.value === codecElement && text(bytes, body, 6) === 'A_OPUS') return 48000;
    const isCutOff = body + size.value > bytes.length;
    if (name.value === rateElement && !isCutOff) return floatRate(bytes, body, size.value);
    if (masters.includes(name.value)) rate ||= webmRate(bytes, body, next, depth + 1);
    // The rate of an element `audio` is not final: its track may still name Opus behind it.
    const mayCodecFollow = name.value === audioElement;
    if (rate && !mayCodecFollow) return rate;
    at = next;
  }
  return rate;
}

/** Finds the rate in the header of a file by the file's kind; undefined if there is none.
 * @type {(file: Uint8Array, magic: string) => number | undefined} */
function findRate(file, magic) {
  const beginning = file.subarray(0, mostHeaderBytes);
  if (magic === 'fLaC') return flacRate(beginning, 0);
  if (magic === 'OggS') return oggRate(beginning);
  // The description of samples may stand at the end of a file.
  if (text(beginning, 4, 4) === 'ftyp') return mp4Rate(file, 0, file.length);
  if (big32(beginning, 0) === ebmlMagic) return webmRate(beginning, 0, beginning.length);
  return frameRate(beginning);
}

/** Reads the rate in the header of a file. Refuses files of other kinds, and rates that are not whole and above 0.
 * @type {(file: Uint8Array) => number} */
function readRate(file) {
  const magic = text(file, 0, 4);
  const rate = findRate(file, magic);
  if (rate && Number.isInteger(rate) && rate > 0) return rate;
  return rangeError(
    `the file must be WAV, MP3, AAC, Ogg, FLAC, MP4 or WebM with a rate in its header, got ${show(magic)}`,
  );
}

/** Decodes with the browser's own decoder, in a context of the file's rate, which then resamples nothing.
 * @type {(bytes: Uint8Array, rate: number) => Promise<AudioBufferLike>} */
async function decodeInBrowser(bytes, rate) {
  const Context = /** @type {Partial<typeof globalThis>} */ (globalThis).OfflineAudioContext;
  if (Context === undefined) typeError('decode must be given where there is no OfflineAudioContext');
  // A context must have a channel and a sample, which are not used.
  const channels = 1;
  const samples = 1;
  const copy = bytes.slice(); // because decoding detaches the buffer
  return new Context(channels, samples, rate).decodeAudioData(copy.buffer);
}

/** The kinds of {@link checkFileKind}. Decoders may know others, whose bytes have no kind there. */
const audioFiles = 'a WAV file, an MP3 file, an Ogg file, a FLAC file, an MP4 or WebM file';

/** @type {(file: unknown) => Promise<Uint8Array>} */
async function bytesOf(file) {
  const blob = /** @type {Blob | null | undefined} */ (file);
  const bytes = typeof blob?.arrayBuffer === 'function' ? await blob.arrayBuffer() : file;
  return viewOf(bytes) ?? typeError(`file must be a Blob or bytes, got ${showClass(file)}`);
}

/**
 * Decodes an audio file at its own rate: WAV as {@link decodeWav}, everything else by the browser. A browser's
 * `decodeAudioData` resamples to the rate of its context, by a filter that differs from Python's by 13 to 28 dB; so the
 * rate is read from the header of MP3, AAC, Ogg, FLAC, MP4 and WebM first. Elsewhere a decoder is handed in.
 * @param {Blob | ArrayBufferView | ArrayBuffer} file
 * @param {DecodeAudioOptions} [options]
 * @returns {Promise<{ sampleRate: number | undefined, channelData: Float32Array[] }>}
 * @example
 * const file = new Blob([encodeWav({ channelData: [[0, 0.5]], sampleRate: 8000 })]);
 * (await decodeAudio(file)).sampleRate; // 8000
 */
export async function decodeAudio(file, options) {
  return namedAsync('decodeAudio', async () => {
    const { decode = decodeInBrowser } = readOptions(options, ['decode']);
    const bytes = await bytesOf(file);
    checkFileKind('file', audioFiles, bytes);
    if (['RIFF', 'RIFX', 'RF64'].includes(text(bytes, 0, 4))) return decodeWav(bytes);
    const { channels, rate } = readWaveform('the decoded audio', await decode(bytes, readRate(bytes)));
    return { sampleRate: rate, channelData: /** @type {Float32Array[]} */ (channels) };
  });
}
