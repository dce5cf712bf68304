/** WAV files by their paths, of any length. */
import { Buffer } from 'node:buffer';
import { namedAsync, namedEach, rangeError, show } from '../arguments/index.js';
import { openRegular } from './path-source.js';

/** @import { PathSource, WavFile } from './types.js' */

/** @typedef {{ sampleRate: number, channelData: Float32Array[] }} Decoded */
/** @typedef {typeof import('../audio/index.js')} AudioDoor */

/** Bytes that are read at once where chunks are looked for. */
const windowBytes = 2 ** 16;
/** Most bytes that one call reads: 2 GiB, as much as Node reads at once elsewhere. */
const mostBytes = 2 ** 31 - 1;
/** Most chunks in front of the samples: a file of chunks without bytes would take minutes. */
const mostChunks = 2 ** 16;
/** Chunks of which a header is made. */
const headerChunks = ['fmt ', 'ds64'];
/** Most bytes of them that say something: the longest, of WAVE_FORMAT_EXTENSIBLE, has 40. */
const chunkBytes = 64;

/** Reads the header of a WAV file, whose samples may begin anywhere in it. Chunks in front of them are jumped over, and
 * the header is that of a file without them.
 * @param {AudioDoor} audio
 * @param {PathSource} source */
async function headerOf({ readWavHeader }, source) {
  const { byteLength } = source;
  let first = 0;
  let window = await source.slice(0, Math.min(windowBytes, byteLength));
  const isBig = Buffer.from(window.subarray(0, 4)).toString('latin1') === 'RIFX';
  const beginning = window.subarray(0, 12);
  if (!isWav(beginning)) return readWavHeader(window, { byteLength });
  const pieces = [beginning];
  let chunks = 0;
  for (let at = 12; at + 8 <= byteLength;) {
    if (++chunks > mostChunks) rangeError(`the data chunk must be one of the first ${mostChunks}, got none`);
    if (at + 8 + chunkBytes > first + window.length && first + window.length < byteLength) {
      first = at;
      window = await source.slice(at, Math.min(at + windowBytes, byteLength));
    }
    const chunk = Buffer.from(window.subarray(at - first, at - first + 8 + chunkBytes));
    const name = chunk.toString('latin1', 0, 4);
    if (name === 'data') {
      // The samples behind it tell whether 24 bits lie in 32.
      if (first === 0) return readWavHeader(window, { byteLength });
      const moved = at - pieces.reduce((sum, { length }) => sum + length, 0);
      const header = readWavHeader(Buffer.concat([...pieces, chunk]), { byteLength: byteLength - moved });
      return { ...header, dataStart: header.dataStart + moved };
    }
    const size = isBig ? chunk.readUInt32BE(4) : chunk.readUInt32LE(4);
    if (headerChunks.includes(name)) pieces.push(shortenChunk(chunk, size, isBig));
    at += 8 + size + (size % 2);
  }
  return readWavHeader(Buffer.concat(pieces), { byteLength });
}

/** @type {(beginning: Uint8Array) => boolean} */
const isWav = (beginning) => /^(RIFF|RIFX|RF64)[^]{4}WAVE/.test(Buffer.from(beginning).toString('latin1'));

/** Cuts a chunk of a header to {@link chunkBytes} at most.
 * @type {(chunk: Buffer, size: number, isBig: boolean) => Uint8Array} */
function shortenChunk(chunk, size, isBig) {
  if (size <= chunkBytes) return chunk.subarray(0, 8 + size + (size % 2));
  const copy = Buffer.from(chunk);
  if (isBig) copy.writeUInt32BE(chunkBytes, 4);
  else copy.writeUInt32LE(chunkBytes, 4);
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

/** Makes an open WAV file of its header: `read` decodes a part, `pieces` all of it.
 * @type {(audio: AudioDoor, source: PathSource, header: ReturnType<AudioDoor['readWavHeader']>) => WavFile} */
function wavFile({ decodeWav }, source, header) {
  const { sampleRate, numberOfChannels, length, frameBytes, dataStart } = header;
  const part = async (/** @type {number} */ from, /** @type {number} */ to) => {
    if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && from <= to && to <= length))
      rangeError(
        `from and to must be whole numbers with 0 <= from <= to <= ${length}, got ${show(from)} and ${show(to)}`,
      );
    if ((to - from) * frameBytes > mostBytes)
      rangeError(`from and to must hold at most ${mostBytes} bytes, got ${(to - from) * frameBytes}: read pieces()`);
    const bytes = await source.slice(dataStart + from * frameBytes, dataStart + to * frameBytes);
    return decodeWav(bytes, { header });
  };
  return {
    sampleRate,
    numberOfChannels,
    length,
    read: (from = 0, to = length) => namedAsync('readWav', () => part(from, to)),
    pieces: (size = 2 ** 18) =>
      namedEach('readWav', async function* pieces() {
        if (!(Number.isSafeInteger(size) && size > 0))
          rangeError(`length must be a whole number from 1 on, got ${show(size)}`);
        for (let at = 0; at < length; at += size) yield await part(at, Math.min(at + size, length));
      }),
    close: () => source.close(),
  };
}
