/** Spectrograms before they run: their settings and tables in the module's memory. */
import { rangeError } from '../arguments/index.js';
import { bytes, doubles, halfBytes, kernels, piecesByte, tableSpace, tablesByte } from './module.js';
import { makeWindow, spectrumSettings, stageBank } from './tables.js';

/** @import { Spectrum, SpectrumSettings } from './types.js' */

/** Refuses lengths with which the module cannot work.
 * @type {(frameLength: number, fftLength: number, hop: number) => void} */
function checkLengths(frameLength, fftLength, hop) {
  for (const [name, length] of Object.entries({ frame_length: frameLength, hop_length: hop, fft_length: fftLength }))
    if (!(Number.isSafeInteger(length) && length >= 1))
      rangeError(`${name} must be a whole number from 1 on, got ${length}`);
  // Six arrays of float64 numbers of this length are in the memory's front half.
  const most = Math.floor(halfBytes / 48);
  if (fftLength > most) rangeError(`fft_length must be at most ${most}, got ${fftLength}`);
  if (frameLength > fftLength) rangeError(`frame_length must be at most fft_length ${fftLength}, got ${frameLength}`);
}

/** @type {(settings: SpectrumSettings) => Float64Array} A window in the middle of a frame of `frameLength` samples. */
function windowOf({ window, frameLength, windowLength: length = frameLength, periodic, windowPrecision: precision }) {
  if (length > frameLength) rangeError(`win_length must be at most n_fft ${frameLength}, got ${length}`);
  const made = typeof window === 'string' ? makeWindow({ kind: window, length, periodic, precision }) : window;
  if (length === frameLength) return made;
  const padded = new Float64Array(frameLength);
  padded.set(made, Math.floor((frameLength - length) / 2));
  return padded;
}

/** A bank where pieces lie, ready to be packed, and its address.
 * @type {(settings: SpectrumSettings, bins: number) => number} */
function placeBank(settings, bins) {
  const { weights, filters = 0 } = settings;
  if (!weights) return stageBank({ .../** @type {any} */ (settings), bins, filters });
  if (weights.length * 8 > halfBytes)
    rangeError(`mel_filters must have at most ${halfBytes / 8} numbers, got ${weights.length}`);
  doubles.set(weights, piecesByte / 8);
  return piecesByte;
}

/** Makes the tables of a spectrogram. Throws a RangeError where they are larger than the module's memory.
 * @type {(settings: SpectrumSettings) => Spectrum} */
export function makeSpectrum(settings) {
  const { frameLength, hop, fftLength = frameLength, onesided = true, filters = 0, means, deviations } = settings;
  checkLengths(frameLength, fftLength, hop);
  const given = windowOf(settings);
  const bins = onesided ? Math.floor(fftLength / 2) + 1 : fftLength;
  const bankAt = filters && placeBank(settings, bins);
  const weightCount = filters && kernels.pack_bank(bankAt, bins, filters, 0, 0);
  const space = tableSpace();
  const [block, window, bands] = [64, frameLength, filters].map((count) => space.take(count * 8));
  const weights = space.take(weightCount * 8);
  const [meansAt, deviationsAt] = [means, deviations].map((list) => (list ? space.take(list.length * 8) : 0));
  const twiddles = space.take(kernels.twiddle_count(fftLength) * 8);
  const used = space.used();
  const data = space.take((Math.max(fftLength, frameLength) + 2) * 16);
  const scratch = space.take((fftLength + 2) * 16);
  if (scratch === 0)
    rangeError(`fft_length ${fftLength} with ${weightCount} weights needs more than ${halfBytes} bytes`);
  if (filters) kernels.pack_bank(bankAt, bins, filters, bands, weights);
  doubles.set(given, window / 8);
  if (means) doubles.set(means, meansAt / 8);
  if (deviations) doubles.set(deviations, deviationsAt / 8);
  kernels.make_twiddles(fftLength, data, twiddles);
  const numbers = Object.entries(spectrumSettings).map(([name, known]) => {
    const value = /** @type {any} */ (settings)[name];
    return Array.isArray(known) ? Math.max(0, known.indexOf(value ?? 'power')) : Number(value ?? known);
  });
  const addresses = [window, twiddles, bands, weights, meansAt, deviationsAt, data, scratch];
  doubles.set([frameLength, hop, fftLength, ...numbers, filters, ...addresses], block / 8);
  return {
    frameLength,
    reads: settings.emphasis === 'next' ? frameLength + 1 : frameLength,
    hop,
    width: filters || bins,
    isComplex: settings.energy === 'complex',
    wide: settings.wide ?? false,
    tables: bytes.slice(tablesByte, tablesByte + used),
  };
}
