/** Opens WAV files of any length. A WAV file is made of chunks: 4 bytes of name, 4 of size, and the data, which are
 * followed by a byte of padding if the size is odd. */
import { Buffer } from 'node:buffer';
import { namedAsync, namedEach, rangeError, show } from '../arguments/index.js';
import { openRegular } from './path-source.js';

/** @import { PathSource, WavFile } from './types.js' */

/** @typedef {{ sampleRate: number, channelData: Float32Array[] }} Decoded */
/** @typedef {typeof import('../audio/index.js')} AudioDoor */

/** Bytes that are read at once while chunks are looked for: the window. */
const windowBytes = 2 ** 16;
/** Limit of the bytes that one call reads: 2 GiB, as much as Node reads at once elsewhere. */
const maxBytes = 2 ** 31 - 1;
/** Limit of the chunks in front of the samples: a file of empty chunks would take minutes. */
const maxChunks = 2 ** 16;
/** Chunks that say how samples are stored, and how long a file above 4 GiB is. */
const headerChunks = ['fmt ', 'ds64'];
/** Bytes in front of the first chunk. */
const riffBytes = 12;
/** Bytes of a chunk's name and size. */
const headBytes = 8;
/** Bytes of a chunk's data that are read: the longest header chunk, that of WAVE_FORMAT_EXTENSIBLE, has 40. */
const maxDataBytes = 64;

/** A chunk of a file: its first byte, the size that it states, and its head with at most `maxDataBytes` of its data.
 * @typedef {{ name: string, at: number, size: number, beginning: Uint8Array, isInFirstWindow: boolean }} Chunk */

/** Reads the header of a WAV file, whose samples may begin anywhere in it. It collects the chunks that say how samples
 * are stored, jumps over others, and parses the collected ones as the beginning of a file without the others. A file
 * that is no WAV file, or has no data chunk, is refused by `readWavHeader`, which says what is wrong.
 * @param {AudioDoor} audio
 * @param {PathSource} source */
async function headerOf({ readWavHeader }, source) {
  const { byteLength } = source;
  const firstWindow = await source.slice(0, Math.min(windowBytes, byteLength));
  const riff = firstWindow.subarray(0, riffBytes);
  if (!isWav(riff)) return readWavHeader(firstWindow, { byteLength });
  // RIFX is big-endian.
  const isBig = Buffer.from(riff).toString('latin1', 0, 4) === 'RIFX';
  const collected = [riff];
  for await (const { name, at, size, beginning, isInFirstWindow } of chunksOf(source, firstWindow, isBig)) {
    if (name === 'data') {
      // The first window has samples, too, which tell whether 24 bits lie in 32.
      if (isInFirstWindow) return readWavHeader(firstWindow, { byteLength });
      const skippedBytes = at - collected.reduce((sum, { length }) => sum + length, 0);
      const header = readWavHeader(Buffer.concat([...collected, beginning]), { byteLength: byteLength - skippedBytes });
      return { ...header, dataStart: header.dataStart + skippedBytes };
    }
    if (headerChunks.includes(name)) collected.push(shortenChunk(beginning, size, isBig));
  }
  return readWavHeader(Buffer.concat(collected), { byteLength });
}

/** @type {(source: PathSource, firstWindow: Uint8Array, isBig: boolean) => AsyncGenerator<Chunk, void, undefined>} */
async function* chunksOf({ byteLength, slice }, firstWindow, isBig) {
  let window = firstWindow;
  let windowStart = 0;
  let count = 0;
  for (let at = riffBytes; at + headBytes <= byteLength;) {
    count += 1;
    if (count > maxChunks) rangeError(`the data chunk must be one of the first ${maxChunks}, got none`);
    const beginningBytes = headBytes + maxDataBytes;
    const windowEnd = windowStart + window.length;
    if (at + beginningBytes > windowEnd && windowEnd < byteLength) {
      windowStart = at;
      window = await slice(at, Math.min(at + windowBytes, byteLength));
    }
    const atInWindow = at - windowStart;
    const beginning = Buffer.from(window.subarray(atInWindow, atInWindow + beginningBytes));
    const name = beginning.toString('latin1', 0, 4);
    const size = isBig ? beginning.readUInt32BE(4) : beginning.readUInt32LE(4);
    yield { name, at, size, beginning, isInFirstWindow: windowStart === 0 };
    at += headBytes + paddedBytes(size);
  }
}

/** Behind an odd size stands a byte of padding. */
const paddedBytes = (/** @type {number} */ size) => size + (size % 2);

/** Whether a file that begins with these bytes is a WAV file. @type {(riff: Uint8Array) => boolean} */
const isWav = (riff) => /^(RIFF|RIFX|RF64)[^]{4}WAVE/.test(Buffer.from(riff).toString('latin1'));

/** Makes a complete chunk of at most {@link maxDataBytes} of data, whose head states how many. `beginning`: the chunk's
 * head and at most `maxDataBytes` bytes of the file behind it; `size`: the bytes of data that the head states.
 * @type {(beginning: Uint8Array, size: number, isBig: boolean) => Uint8Array} */
function shortenChunk(beginning, size, isBig) {
  if (size <= maxDataBytes) return beginning.subarray(0, headBytes + paddedBytes(size));
  // The beginning is cut to `maxDataBytes` already, so only the size in its head has to change.
  const copy = Buffer.from(beginning);
  if (isBig) copy.writeUInt32BE(maxDataBytes, 4);
  else copy.writeUInt32LE(maxDataBytes, 4);
  return copy;
}

/**
 * Opens a WAV file of any length. The header alone is read; samples are decoded as {@link decodeWav} does, in parts or
 * in pieces.
 * @param {string | URL} path
 * @returns {Promise<WavFile>}
 * @example
 * await writeFiles({ 'speech.wav': encodeWav({ channelData: [[0, 0.5, 1]], sampleRate: 8000 }) });
 * const wav = await readWav('speech.wav');
 * [wav.length, (await wav.read(1, 2)).channelData[0][0]]; // [3, 0.5]
 * for await (const { channelData } of wav.pieces(2)) channelData[0].length; // 2, then 1
 * await wav.close();
 */
export async function readWav(path) {
  return namedAsync('readWav', async () => {
    // Loaded here, because most users of this door have no audio.
    const audio = await import('../audio/index.js');
    const source = await openRegular(path);
    try {
      const header = await headerOf(audio, source);
      return wavFile(audio, source, header);
    } catch (error) {
      await source.close();
      throw error;
    }
  });
}

/** @type {(audio: AudioDoor, source: PathSource, header: ReturnType<AudioDoor['readWavHeader']>) => WavFile} */
function wavFile({ decodeWav }, source, header) {
  const { sampleRate, numberOfChannels, length, frameBytes, dataStart } = header;
  /** Decodes the samples `from` up to `to` of each channel. */
  const part = async (/** @type {number} */ from, /** @type {number} */ to) => {
    if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && from <= to && to <= length))
      rangeError(
        `from and to must be whole numbers with 0 <= from <= to <= ${length}, got ${show(from)} and ${show(to)}`,
      );
    const partBytes = (to - from) * frameBytes;
    if (partBytes > maxBytes)
      rangeError(`from and to must hold at most ${maxBytes} bytes, got ${partBytes}: read pieces()`);
    const bytes = await source.slice(dataStart + from * frameBytes, dataStart + to * frameBytes);
    return decodeWav(bytes, { header });
  };
  return {
    sampleRate,
    numberOfChannels,
    length,
    read: (from = 0, to = length) => namedAsync('readWav', () => part(from, to)),
    // 2^18 samples of a channel are 1 MiB of float32. Messages call `pieceLength` `length`, as the type WavFile does.
    pieces: (pieceLength = 2 ** 18) =>
      namedEach('readWav', async function* pieces() {
        if (!(Number.isSafeInteger(pieceLength) && pieceLength > 0))
          rangeError(`length must be a whole number from 1 on, got ${show(pieceLength)}`);
        for (let at = 0; at < length; at += pieceLength) yield await part(at, Math.min(at + pieceLength, length));
      }),
    close: () => source.close(),
  };
}
