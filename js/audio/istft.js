/** Spectrograms back to samples. */
import {
  count,
  flag,
  later,
  named,
  orNull,
  rangeError,
  readCount,
  readTable,
  showClass,
  typedArrayName,
  typeError,
} from '../arguments/index.js';
import { makeSpectrum, mapNumbers, overlapFrames, ready } from '../engines/audio/index.js';
import { readWindowName } from './mel-filter-bank.js';
import { checkAttached, allocateNumbers, readDims, readNumbers } from './tensors.js';

/** @import { SpectrumSettings } from '../engines/audio/types.js' */
/** @import { WindowOptions } from './mel-filter-bank.js' */

/** @typedef {{ type: string, dims: readonly number[], data: ArrayBufferView | readonly string[] }} SpectrumLike */

/**
 * @typedef {object} IstftOptions
 * @property {number} [n_fft] The length of the transform, in samples: 2 (bins - 1) if omitted.
 * @property {number} [hop_length] Samples from one frame to the next: a quarter of a window if omitted.
 * @property {number} [win_length] The length of the window, in samples: that of `window`, or `n_fft`, if omitted.
 * @property {NonNullable<WindowOptions['name']> | Float64Array | Float32Array | readonly number[]} [window] A periodic
 *   window by its name, or its numbers: hann if omitted. A window shorter than `n_fft` stands in the middle of a frame.
 * @property {boolean} [center] Whether frames were centered: true if omitted.
 * @property {boolean} [normalized] Whether the spectrum was divided by the root of `n_fft`, as torch does it: false if
 *   omitted.
 * @property {boolean} [onesided] Whether the spectrum has no bins above half the rate: true if omitted. Of a spectrum
 *   with `n_fft` bins the first half counts, as in torch.
 * @property {number} [length] The number of samples: as many as the frames give if omitted.
 */

const table = {
  n_fft: orNull(count()),
  hop_length: orNull(count()),
  win_length: orNull(count()),
  window: later,
  center: flag(true),
  normalized: flag(false),
  onesided: flag(true),
  length: orNull(count(undefined, 0)),
};

/** Reads the window, by its name or its numbers, and its length: `win_length` or, without it, that of the numbers or of
 * a frame.
 * @type {(options: { window: unknown, win_length?: number | null }, frameLength: number) =>
 *   { window: SpectrumSettings['window'], windowLength: number }} */
function readWindow({ window = 'hann', win_length }, frameLength) {
  if (typeof window === 'string')
    return { window: readWindowName('window', window), windowLength: win_length ?? frameLength };
  const numbers = readNumbers('window', window);
  const windowLength = win_length ?? numbers.length;
  if (numbers.length !== windowLength)
    rangeError(`window must have win_length ${windowLength} numbers, got ${numbers.length}`);
  return { window: numbers, windowLength };
}

/** The real and the imaginary part. */
const numbersPerBin = 2;

/** Reads a complex spectrum [bins, frames] in place, and refuses any other.
 * @type {(spectrum: SpectrumLike) => { dims: number[], data: Float32Array }} */
function readSpectrum(spectrum) {
  const { type, dims, data: numbers } = spectrum ?? {};
  if (type !== 'complex64' || !Array.isArray(dims) || dims.length !== 2)
    typeError('spectrum must be complex64 [bins, frames]');
  if (typedArrayName(numbers) !== 'Float32Array')
    typeError(`spectrum data must be a Float32Array, got ${showClass(numbers)}`);
  const data = /** @type {Float32Array} */ (numbers);
  checkAttached('spectrum data', data);
  return { dims: readDims('spectrum', dims, data.length, numbersPerBin), data };
}

/** Gives the bins up to half the rate, [frameLength / 2 + 1, frames], of a spectrum that has these (`onesided`) or all
 * `frameLength` bins. Shares memory with the spectrum.
 * @type {(spectrum: { dims: number[], data: Float32Array }, frameLength: number, onesided: boolean) => Float32Array} */
function readBins({ dims: [bins, frames], data }, frameLength, onesided) {
  const lowerBins = Math.floor(frameLength / 2) + 1;
  const expected = onesided ? lowerBins : frameLength;
  if (bins !== expected) rangeError(`spectrum must have ${expected} bins, got ${bins}`);
  return data.subarray(0, numbersPerBin * lowerBins * frames);
}

/**
 * Samples of a complex spectrogram: `spectrogram` with `power: null` backwards, as `librosa.istft` and `torch.istft`
 * make them, within 1e-6. Frames are added a hop apart and divided by the sum of squared windows, where that is above
 * 1e-11.
 * @param {SpectrumLike} spectrum complex64 [bins, frames]
 * @param {IstftOptions} [options]
 * @returns {Float32Array}
 * @example
 * const how = { window: windowFunction(400), frame_length: 400, hop_length: 160, power: null };
 * const bins = spectrogram(new Float32Array(1600).fill(0.5), how);
 * istft(bins, { n_fft: 400, hop_length: 160 }).length; // 1600
 */
export function istft(spectrum, options) {
  return named('istft', () => {
    ready();
    const tensor = readSpectrum(spectrum);
    const [rows, frames] = tensor.dims;
    const { onesided, center, normalized, ...read } = readTable(options, table);
    // n frequencies of one side belong to a transform of 2 (n - 1) samples.
    const frameLength = readCount('n_fft', read.n_fft ?? (onesided ? 2 * (rows - 1) : rows), 1);
    const bins = readBins(tensor, frameLength, onesided);
    const window = readWindow(read, frameLength);
    const hop = read.hop_length ?? Math.max(1, Math.floor(window.windowLength / 4));
    const framing = makeSpectrum({ frameLength, hop, ...window });
    // Centered frames begin half a frame before the first sample.
    const padding = center ? Math.floor(frameLength / 2) : 0;
    const paddedLength = frames === 0 ? 0 : (frames - 1) * hop + frameLength;
    const length = read.length ?? Math.max(0, paddedLength - 2 * padding);
    const samples = allocateNumbers('the samples', length);
    // The sum of the frames comes in pieces of the padded signal, of which the samples without the padding are taken.
    overlapFrames(framing, bins, frames, (piece, placeInPadded) => {
      const start = placeInPadded - padding; // the place of the piece among the samples
      const first = Math.max(0, start);
      const end = Math.min(length, start + piece.length);
      if (end > first) samples.set(piece.subarray(first - start, end - start), first);
    });
    if (normalized) mapNumbers(samples, 'multiply', [Math.sqrt(frameLength)]);
    return samples;
  });
}
