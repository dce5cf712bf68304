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
const mostBytes = 2 ** 31 - 1;
/** Limit of the chunks in front of the samples: a file of empty chunks would take minutes. */
const mostChunks = 2 ** 16;
/** Chunks that say how samples are stored, and how long a file above 4 GiB is. */
const headerChunks = ['fmt ', 'ds64'];
/** Bytes of such a chunk that are read: the longest, that of WAVE_FORMAT_EXTENSIBLE, has 40. */
const chunkBytes = 64;

/** Reads the header of a WAV file, whose samples may begin anywhere in it. It collects the chunks that say how samples
 * are stored, jumps over others, and parses the collected ones as the beginning of a file without the others. A file
 * that is no WAV file, or has no data chunk, is refused by `readWavHeader`, which says what is wrong.
 * @param {AudioDoor} audio
 * @param {PathSource} source */
async function headerOf({ readWavHeader }, source) {
  const { byteLength } = source;
  // The window's first byte in the file.
  let first = 0;
  let window = await source.slice(0, Math.min(windowBytes, byteLength));
  // RIFX is big-endian.
  const isBig = Buffer.from(window.subarray(0, 4)).toString('latin1') === 'RIFX';
  const beginning = window.subarray(0, 12);
  if (!isWav(beginning)) return readWavHeader(window, { byteLength });
  const pieces = [beginning];
  let chunks = 0;
  for (let at = 12; at + 8 <= byteLength;) {
    if (++chunks > mostChunks) rangeError(`the data chunk must be one of the first ${mostChunks}, got none`);
    // Reads the next window if the chunk's beginning is not in this one.
    if (at + 8 + chunkBytes > first + window.length && first + window.length < byteLength) {
      first = at;
      window = await source.slice(at, Math.min(at + windowBytes, byteLength));
    }
    const chunk = Buffer.from(window.subarray(at - first, at - first + 8 + chunkBytes));
    const name = chunk.toString('latin1', 0, 4);
    if (name === 'data') {
      // The first window has samples, too, which tell whether 24 bits lie in 32.
      if (first === 0) return readWavHeader(window, { byteLength });
      // By so many bytes the data chunk is nearer to the beginning of the file without the other chunks.
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

/** Whether a file with these first 12 bytes is a WAV file. @type {(beginning: Uint8Array) => boolean} */
const isWav = (beginning) => /^(RIFF|RIFX|RF64)[^]{4}WAVE/.test(Buffer.from(beginning).toString('latin1'));

/** Cuts a chunk, which begins at `chunk`, to its name, size and data of at most {@link chunkBytes} bytes. `size`: the
 * one that the chunk states; a shortened chunk states the shorter one.
 * @type {(chunk: Buffer, size: number, isBig: boolean) => Uint8Array} */
function shortenChunk(chunk, size, isBig) {
  // Behind an odd size stands a byte of padding.
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

/** Makes the object of an open WAV file: `read` decodes the samples of a part, `pieces` all of them, a piece at a time.
 * @type {(audio: AudioDoor, source: PathSource, header: ReturnType<AudioDoor['readWavHeader']>) => WavFile} */
function wavFile({ decodeWav }, source, header) {
  const { sampleRate, numberOfChannels, length, frameBytes, dataStart } = header;
  // Decodes the samples of each channel from `from` to before `to`, counted for each channel.
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
    // Decodes all samples, `pieceLength` of each channel at a time; the last piece may be shorter. 2^18 samples of a
    // channel are 1 MiB of float32. Messages call it `length`, as the type WavFile does.
    pieces: (pieceLength = 2 ** 18) =>
      namedEach('readWav', async function* pieces() {
        if (!(Number.isSafeInteger(pieceLength) && pieceLength > 0))
          rangeError(`length must be a whole number from 1 on, got ${show(pieceLength)}`);
        for (let at = 0; at < length; at += pieceLength) yield await part(at, Math.min(at + pieceLength, length));
      }),
    close: () => source.close(),
  };
}
