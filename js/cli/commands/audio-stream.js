/** `features --stream`: features of a WAV file that comes on standard input, as it comes. */
import { concat } from '../../index.js';

/** @import { Tensor } from '../../index.js' */

/** @typedef {typeof import('../../audio/index.js')} Audio */
/** @typedef {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} Chunks */

/** Yields the samples of a WAV file whose bytes come in chunks, as soon as there is a whole frame (a sample of each
 * channel). Keeps only the bytes of the last frame if it is not whole yet; at the end of the input these are dropped.
 * `mono`: whether to take the channels' mean.
 * @param {Audio} audio
 * @param {Chunks} chunks
 * @param {boolean} mono */
async function* samplesOf(audio, chunks, mono) {
  const beginning = new WavBeginning();
  /** @type {Buffer} */
  let rest = Buffer.alloc(0);
  /** @type {ReturnType<Audio['readWavHeader']> | undefined} */
  let header;
  let left = Infinity; // bytes of samples that are still to come
  for await (const chunk of chunks) {
    if (header) rest = Buffer.concat([rest, chunk]);
    else {
      const samples = beginning.push(chunk);
      if (!samples) continue;
      // The whole file is longer than its beginning: by so large a length `header.length` is the one that is stated.
      const byteLength = beginning.isWav ? Number.MAX_SAFE_INTEGER : undefined;
      header = audio.readWavHeader(beginning.bytes, { byteLength });
      // A program that streams does not know the length, and states the largest one: read to the end then.
      if (header.length < Math.floor((2 ** 32 - 1) / header.frameBytes)) left = header.length * header.frameBytes;
      rest = samples;
    }
    const byteCount = Math.min(left, rest.length - (rest.length % header.frameBytes));
    left -= byteCount;
    if (byteCount > 0) {
      const decoded = audio.decodeWav(rest.subarray(0, byteCount), { header });
      yield mono ? audio.toMono(decoded) : decoded;
    }
    rest = rest.subarray(byteCount);
    if (left === 0) return;
  }
  // The input ended before the first sample: this throws the error that says why.
  if (!header) audio.readWavHeader(beginning.bytes);
}

/** A chunk of a format is far shorter. */
const mostFormatBytes = 2 ** 16;

/** The beginning of a WAV file up to its samples, without the chunks that say nothing of them: a picture or a text
 * may have megabytes. */
class WavBeginning {
  /** @type {Buffer} */
  bytes = Buffer.alloc(0);
  /** @type {Buffer} */
  #rest = Buffer.alloc(0);
  /** Bytes that are still to come of the WAV chunk that is skipped. */
  #skipped = 0;

  /** Takes the next bytes of the input. Returns the first bytes of samples once `bytes` has all that is in front of
   * them, undefined before. Of a file that is no WAV file, returns the bytes behind the first 12.
   * @type {(chunk: Uint8Array) => Buffer | undefined} */
  push(chunk) {
    const come = chunk.subarray(Math.min(this.#skipped, chunk.length));
    this.#skipped -= chunk.length - come.length;
    this.#rest = Buffer.concat([this.#rest, come]);
    // The file begins with 12 bytes: RIFF, a length and WAVE.
    if (this.bytes.length === 0) {
      if (this.#rest.length < 12) return undefined;
      this.#keep(12);
    }
    // Of another file the header's reader says what is wrong.
    if (!this.isWav) return this.#rest;
    while (this.#skipped === 0 && this.#rest.length >= 8) {
      const name = this.#rest.toString('latin1', 0, 4);
      if (name === 'data') {
        this.#keep(8);
        return this.#rest;
      }
      if (!this.#readChunk(name)) return undefined;
    }
    return undefined;
  }

  /** Whether the first byte is that of RIFF, RIFX and RF64. The header's reader checks the others. */
  get isWav() {
    return this.bytes[0] === 'R'.charCodeAt(0);
  }

  /** Moves the WAV chunk that begins in `#rest` to `bytes` if it says how samples are stored (`fmt ` or `ds64`), and
   * drops any other, whose later bytes are skipped.
   * @type {(name: string) => boolean} false if a chunk to keep has not come as a whole yet */
  #readChunk(name) {
    const isBig = this.bytes.toString('latin1', 0, 4) === 'RIFX';
    const size = isBig ? this.#rest.readUInt32BE(4) : this.#rest.readUInt32LE(4);
    const end = 8 + size + (size % 2); // behind its name, its size, its bytes and padding to an even count
    if (name !== 'fmt ' && name !== 'ds64') {
      this.#skipped = Math.max(0, end - this.#rest.length);
      this.#rest = this.#rest.subarray(end);
    } else {
      if (size > mostFormatBytes)
        throw new RangeError(`chunk ${name} must have at most ${mostFormatBytes} bytes, got ${size}`);
      if (this.#rest.length < end) return false;
      this.#keep(end);
    }
    return true;
  }

  /** Moves the first bytes of `#rest` to the end of `bytes`.
   * @type {(length: number) => void} */
  #keep(length) {
    this.bytes = Buffer.concat([this.bytes, this.#rest.subarray(0, length)]);
    this.#rest = this.#rest.subarray(length);
  }
}

/** Yields pieces of one file's audio at another rate, by one stream, so that they join without a seam: each as the
 * samples of the only channel. Pieces of this rate are passed on with all of their channels; so are those without a
 * rate, which the type allows, though a WAV file always states one.
 * @param {Audio} audio
 * @param {AsyncIterable<{ channelData: Float32Array[], sampleRate?: number }>} pieces
 * @param {number | undefined} rate samples a second; pieces stay as they are if it is undefined */
async function* resampled(audio, pieces, rate) {
  /** @type {ReturnType<Audio['resampleStream']> | undefined} */
  let stream;
  for await (const piece of pieces) {
    const { channelData, sampleRate } = piece;
    if (rate === undefined || sampleRate === undefined || sampleRate === rate) {
      yield piece;
      continue;
    }
    if (channelData.length !== 1)
      throw new RangeError(`audio must have 1 channel, got ${channelData.length}: --mono takes their mean`);
    stream ??= audio.resampleStream({ orig_freq: sampleRate, new_freq: rate });
    yield stream.push(channelData[0]);
  }
  if (stream) yield stream.end();
}

/** Pushes the samples of a WAV file through an extractor's stream, joins the pieces of each output along its axis, and
 * gives the outputs by name.
 * @param {Audio} audio
 * @param {ReturnType<ReturnType<Audio['featureExtractor']>['stream']>} stream
 * @param {Chunks} chunks
 * @param {{ mono: boolean, rate?: number }} conversion `rate`: the one that samples of another are brought to */
export async function streamedOutputs(audio, stream, chunks, { mono, rate }) {
  /** @type {Record<string, Tensor[]>} */
  const pieces = {};
  // Adds the outputs of one push, which may have none yet, to the pieces by name.
  const take = (/** @type {unknown} */ outputs) => {
    for (const [name, piece] of Object.entries(outputs ?? {})) (pieces[name] ??= []).push(piece);
  };
  for await (const samples of resampled(audio, samplesOf(audio, chunks, mono), rate)) take(stream.push(samples));
  take(stream.end());
  // An output that is no tensor, or came once, is the first piece. `axes` says along which axis an output grows.
  return Object.fromEntries(
    Object.entries(pieces).map(([name, list]) => [
      name,
      list[0]?.dims && list.length > 1 ? concat(list, { axis: stream.axes[name] }) : list[0],
    ]),
  );
}
