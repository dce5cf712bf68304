/** WAV files by their paths, of any length. */
import { namedAsync, namedEach, rangeError, show } from '../arguments/index.js';
import { openRegular } from './path-source.js';

/** @import { PathSource, WavFile } from './types.js' */

/** @typedef {{ sampleRate: number, channelData: Float32Array[] }} Decoded */

/** Headers with more chunks in front of the samples are read again, with more bytes. */
const headBytes = 2 ** 16;

/** The samples may begin anywhere, so more and more of the file is read until they do. `audio`: the door of audio.
 * @param {any} audio the door of audio
 * @param {PathSource} source */
async function headerOf({ readWavHeader }, source) {
  const { byteLength } = source;
  for (let bytes = headBytes; ; bytes *= 16) {
    const head = await source.slice(0, Math.min(bytes, byteLength));
    try {
      return readWavHeader(head, { byteLength });
    } catch (error) {
      if (bytes >= byteLength) throw error;
    }
  }
}

/**
 * Opens a WAV file of any length. The header alone is read; samples are decoded as {@link decodeWav} does, in parts or
 * in pieces. Needs `init()` of `onnx-layout/audio`.
 * @param {string | URL} path
 * @returns {Promise<WavFile>}
 * @example
 * await initAudio();
 * await writeFiles({ 'build/two.wav': encodeWav({ channelData: [[0, 0.5, 1]], sampleRate: 8000 }) });
 * const wav = await readWav('build/two.wav');
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

/** @type {(audio: any, source: PathSource, header: any) => WavFile} */
function wavFile({ decodeWav }, source, header) {
  const { sampleRate, numberOfChannels, length, frameBytes, dataStart } = header;
  const part = async (/** @type {number} */ from, /** @type {number} */ to) => {
    if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && from <= to && to <= length))
      rangeError(
        `from and to must be whole numbers with 0 <= from <= to <= ${length}, got ${show(from)} and ${show(to)}`,
      );
    const bytes = await source.slice(dataStart + from * frameBytes, dataStart + to * frameBytes);
    return /** @type {Decoded} */ (decodeWav(bytes, { header }));
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
