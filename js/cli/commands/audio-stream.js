/** `features --stream`: features of a WAV file that comes on standard input, as it comes. */
import { concat } from '../../index.js';

/** @import { Tensor } from '../../index.js' */

/** @typedef {typeof import('../../audio/index.js')} Audio */
/** @typedef {ReturnType<Audio['readWavHeader']>} WavHeader */
/** @typedef {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} Chunks */

/** Yields the samples of a WAV file whose bytes come in chunks, as soon as there is a whole frame (a sample of each
 * channel). At the end of the input the bytes of an incomplete frame are dropped. `mono`: whether to take the channels'
 * mean.
 * @param {Audio} audio
 * @param {Chunks} chunks
 * @param {boolean} mono */
async function* samplesOf(audio, chunks, mono) {
  const beginning = new WavBeginning();
  /** @type {Buffer} */
  let pending = Buffer.alloc(0); // bytes of samples that are not decoded yet
  /** @type {WavHeader | undefined} */
  let header;
  let bytesLeft = Infinity; // of samples, not decoded yet
  for await (const chunk of chunks) {
    if (header) pending = Buffer.concat([pending, chunk]);
    else {
      const firstSamples = beginning.push(chunk);
      if (!firstSamples) continue;
      header = readHeader(audio, beginning);
      bytesLeft = sampleBytes(header);
      pending = firstSamples;
    }
    const wholeFrameBytes = pending.length - (pending.length % header.frameBytes);
    const byteCount = Math.min(bytesLeft, wholeFrameBytes);
    bytesLeft -= byteCount;
    if (byteCount > 0) {
      const decoded = audio.decodeWav(pending.subarray(0, byteCount), { header });
      yield mono ? audio.toMono(decoded) : decoded;
    }
    pending = pending.subarray(byteCount);
    if (bytesLeft === 0) return;
  }
  // The input ended before the first sample: this throws the error that says why.
  if (!header) audio.readWavHeader(beginning.bytes);
}

/** @type {(audio: Audio, beginning: WavBeginning) => WavHeader} */
function readHeader(audio, beginning) {
  // The whole file is longer than its beginning: by so large a length `header.length` is the one that is stated.
  const byteLength = beginning.isWav ? Number.MAX_SAFE_INTEGER : undefined;
  return audio.readWavHeader(beginning.bytes, { byteLength });
}

/** Counts the bytes of all samples; Infinity if the header states the largest length of 32 bits or more, as programs do
 * that stream audio and do not know its end.
 * @type {(header: WavHeader) => number} */
function sampleBytes({ length, frameBytes }) {
  const maxFrames = Math.floor((2 ** 32 - 1) / frameBytes);
  return length < maxFrames ? length * frameBytes : Infinity;
}

/** A chunk of a format is far shorter. */
const maxFormatBytes = 2 ** 16;
/** RIFF, a length and WAVE. */
const fileHeaderBytes = 12;
/** The name and the size of a chunk, of 4 bytes each. */
const chunkHeaderBytes = 8;

/** The beginning of a WAV file up to its samples, without the chunks that say nothing of them: a picture or a text
 * may have megabytes. The chunks `fmt ` and `ds64` say how samples are stored. */
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
    const unskipped = chunk.subarray(Math.min(this.#skipped, chunk.length));
    this.#skipped -= chunk.length - unskipped.length;
    this.#rest = Buffer.concat([this.#rest, unskipped]);
    const isStart = this.bytes.length === 0;
    if (isStart && this.#rest.length < fileHeaderBytes) return undefined;
    if (isStart) this.#keep(fileHeaderBytes);
    // Of another file the header's reader says what is wrong.
    if (!this.isWav) return this.#rest;
    while (this.#skipped === 0 && this.#rest.length >= chunkHeaderBytes) {
      const name = this.#rest.toString('latin1', 0, 4);
      if (name === 'data') {
        this.#keep(chunkHeaderBytes);
        return this.#rest;
      }
      if (name === 'fmt ' || name === 'ds64') {
        const isComplete = this.#keepChunk(name);
        if (!isComplete) return undefined;
      } else this.#skipChunk();
    }
    return undefined;
  }

  /** Whether the first byte is that of RIFF, RIFX and RF64. The header's reader checks the others. */
  get isWav() {
    return this.bytes[0] === 'R'.charCodeAt(0);
  }

  /** The bytes after the header of the chunk that begins in `#rest`. */
  get #chunkSize() {
    const isBigEndian = this.bytes.toString('latin1', 0, 4) === 'RIFX';
    return isBigEndian ? this.#rest.readUInt32BE(4) : this.#rest.readUInt32LE(4);
  }

  /** The bytes of that chunk with its header and the padding to an even count. */
  get #chunkBytes() {
    const size = this.#chunkSize;
    return chunkHeaderBytes + size + (size % 2);
  }

  /** Moves the chunk that begins in `#rest` to `bytes`. Returns false if it has not come as a whole yet.
   * @type {(name: string) => boolean} */
  #keepChunk(name) {
    const size = this.#chunkSize;
    if (size > maxFormatBytes)
      throw new RangeError(`chunk ${name} must have at most ${maxFormatBytes} bytes, got ${size}`);
    if (this.#rest.length < this.#chunkBytes) return false;
    this.#keep(this.#chunkBytes);
    return true;
  }

  /** Drops the chunk that begins in `#rest`, and has its later bytes skipped. */
  #skipChunk() {
    const end = this.#chunkBytes;
    this.#skipped = Math.max(0, end - this.#rest.length);
    this.#rest = this.#rest.subarray(end);
  }

  /** Moves the first bytes of `#rest` to the end of `bytes`.
   * @type {(length: number) => void} */
  #keep(length) {
    this.bytes = Buffer.concat([this.bytes, this.#rest.subarray(0, length)]);
    this.#rest = this.#rest.subarray(length);
  }
}

/** Yields pieces of one file's audio at another rate, by one stream, so that they join without a seam: each as the
 * samples of the only channel. Pieces of this rate are passed on with all of their channels.
 * @param {Audio} audio
 * @param {AsyncIterable<{ channelData: Float32Array[], sampleRate?: number }>} pieces
 * @param {number | undefined} rate samples a second; pieces stay as they are if it is undefined */
async function* resampled(audio, pieces, rate) {
  /** @type {ReturnType<Audio['resampleStream']> | undefined} */
  let stream;
  for await (const piece of pieces) {
    const { channelData, sampleRate } = piece;
    // The type allows a piece without a rate, but a WAV file always states one.
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

/** Pushes the samples of a WAV file through an extractor's stream, and gives the outputs by name.
 * @param {Audio} audio
 * @param {ReturnType<ReturnType<Audio['featureExtractor']>['stream']>} stream
 * @param {Chunks} chunks
 * @param {{ mono: boolean, rate?: number }} conversion `rate`: the one that samples of another are brought to */
export async function streamedOutputs(audio, stream, chunks, { mono, rate }) {
  /** @type {Record<string, Tensor[]>} */
  const pieces = {};
  // A push may have no outputs yet.
  const addPieces = (/** @type {unknown} */ outputs) => {
    for (const [name, piece] of Object.entries(outputs ?? {})) (pieces[name] ??= []).push(piece);
  };
  for await (const samples of resampled(audio, samplesOf(audio, chunks, mono), rate)) addPieces(stream.push(samples));
  addPieces(stream.end());
  // `axes` says along which axis an output grows. An output that is no tensor is its first piece.
  const joined = (/** @type {string} */ name, /** @type {Tensor[]} */ list) =>
    list[0]?.dims && list.length > 1 ? concat(list, { axis: stream.axes[name] }) : list[0];
  return Object.fromEntries(Object.entries(pieces).map(([name, list]) => [name, joined(name, list)]));
}
