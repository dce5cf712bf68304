/** Spectrograms before they run: their settings and tables, which are made in the module's memory of tables and then
 * copied. */
import { rangeError } from '../../arguments/index.js';
import * as cpp from '../../../dist/bridge/audio.js';
import { checkLength, doubleBytes, span, structBytes } from '../memory/index.js';
import { copyTables, halfBytes, kernels, pieces, startTables, tables } from './module.js';
import { makeWindow, stageBank } from './tables.js';

/** @import { BankSettings, Spectrum, SpectrumSettings } from './types.js' */

/** The module takes a hop as int32. */
const mostHop = 2 ** 31 - 1;
/** The kernel takes pairs of float64 numbers, one a lane. */
const pairBytes = 2 * doubleBytes;

/** With a large prime factor a transform is a convolution, and its tables and memory take 136 bytes a sample. */
const mostOfLargePrimes = 18_000;

/** Refuses lengths, in samples, with which the module cannot work: no whole numbers, frames longer than their
 * transform, or transforms whose tables do not fit in the module's memory.
 * @type {(frameLength: number, fftLength: number, hop: number) => void} */
function checkLengths(frameLength, fftLength, hop) {
  for (const [name, length] of Object.entries({ frame_length: frameLength, hop_length: hop, fft_length: fftLength }))
    if (!(Number.isSafeInteger(length) && length >= 1))
      rangeError(`${name} must be a whole number from 1 on, got ${length}`);
  if (hop > mostHop) rangeError(`hop_length must be at most ${mostHop}, got ${hop}`);
  // Six arrays of float64 numbers of this length lie in the memory of tables.
  const maxLength = Math.floor(halfBytes / (6 * doubleBytes));
  if (fftLength > maxLength) rangeError(`fft_length must be at most ${maxLength}, got ${fftLength}`);
  // A transform that is a convolution takes more scratch memory than its length.
  if (fftLength > mostOfLargePrimes && kernels.scratch_count(fftLength) > fftLength)
    rangeError(`fft_length must be at most ${mostOfLargePrimes} with a large prime factor, got ${fftLength}`);
  if (frameLength > fftLength) rangeError(`frame_length must be at most fft_length ${fftLength}, got ${frameLength}`);
}

/** Makes the window's weights, or takes those of the settings, and pads them with zeros to `frameLength` on both sides.
 * @type {(settings: SpectrumSettings) => Float64Array} */
function windowOf({ window, frameLength, windowLength: length = frameLength, periodic, windowPrecision: precision }) {
  if (length > frameLength) rangeError(`win_length must be at most n_fft ${frameLength}, got ${length}`);
  const weights = typeof window === 'string' ? makeWindow({ kind: window, length, periodic, precision }) : window;
  if (length === frameLength) return weights;
  const padded = new Float64Array(frameLength);
  const zerosBefore = Math.floor((frameLength - length) / 2);
  padded.set(weights, zerosBefore);
  return padded;
}

/** Puts a filter bank [bins, filters] into the module's memory of pieces: that of the settings, or a new one. Returns
 * its address.
 * @type {(settings: SpectrumSettings, bins: number) => number} */
function placeBank(settings, bins) {
  const { weights, filters = 0 } = settings;
  if (!weights) return stageBank(/** @type {BankSettings} */ ({ ...settings, bins, filters }));
  // The caller's bank may have more numbers than are read: refused, because `copyIn` copies all of them.
  const mostWeights = halfBytes / doubleBytes;
  if (weights.length > mostWeights)
    rangeError(`mel_filters must have at most ${mostWeights} numbers, got ${weights.length}`);
  checkLength(weights, bins * filters);
  pieces.clear();
  return pieces.copyIn(weights, doubleBytes * bins * filters);
}

/** Puts the first `length` numbers of a list into the module's tables, as float64. Returns their address.
 * @type {(list: readonly number[], length: number) => number} */
function putNumbers(list, length) {
  checkLength(list, length);
  return tables.copyIn(Float64Array.from(list), doubleBytes * length);
}

/** Makes the tables of a spectrogram in the module's memory of tables, and returns a copy: struct, window, packed bank,
 * means, deviations and twiddles (the roots of unity that the transform multiplies with).
 * @type {(settings: SpectrumSettings) => Spectrum} */
export function makeSpectrum(settings) {
  const { frameLength, hop, fftLength = frameLength, filters = 0, means, deviations } = settings;
  checkLengths(frameLength, fftLength, hop);
  const windowWeights = windowOf(settings);
  const isOnesided = settings.onesided ?? true;
  const bins = isOnesided ? Math.floor(fftLength / 2) + 1 : fftLength;
  const width = filters || bins;
  const bank = filters && placeBank(settings, bins);
  const weightCount = filters && countPacked(bank, bins, filters);
  startTables();
  const struct = tables.allocate(cpp.Spectrum.bytes);
  const window = tables.allocate(doubleBytes * frameLength);
  const bands = tables.allocate(doubleBytes * filters);
  const weights = tables.allocate(doubleBytes * weightCount);
  const meansAt = means ? putNumbers(means, width) : 0;
  const deviationsAt = deviations ? putNumbers(deviations, width) : 0;
  const twiddles = tables.allocate(doubleBytes * kernels.twiddle_count(fftLength));
  // The memory behind here is scratch: it is no part of the copy.
  const tableBytes = tables.next - tables.first;
  // 2 pairs more, because one emphasis reads the sample after a frame.
  const data = tables.allocate(pairBytes * (Math.max(fftLength, frameLength) + 2));
  const scratch = tables.allocate(pairBytes * (kernels.scratch_count(fftLength) + 2));
  if (filters) kernels.pack_bank(bank, bins, filters, bands, weights);
  tables.view(Float64Array, window, frameLength).set(span(windowWeights, 0, frameLength));
  kernels.make_twiddles(fftLength, scratch, twiddles);
  const addresses = { window, twiddles, bands, weights, means: meansAt, deviations: deviationsAt, data, scratch };
  const structValues = structBytes(cpp.Spectrum, { ...settings, fftLength, filters, ...addresses });
  tables.view(Uint8Array, struct, structValues.length).set(structValues);
  return {
    frameLength,
    // This emphasis takes each sample together with the next one.
    reads: settings.emphasis === 'next' ? frameLength + 1 : frameLength,
    hop,
    width,
    isComplex: settings.energy === 'complex',
    wide: settings.wide ?? false,
    tables: copyTables(tableBytes),
  };
}

/** Counts the weights of a packed filter bank: those of each filter from its first nonzero one to its last.
 * @type {(bank: number, bins: number, filters: number) => number} */
function countPacked(bank, bins, filters) {
  // Without addresses for its results the kernel only counts.
  const [bands, weights] = [0, 0];
  return kernels.pack_bank(bank, bins, filters, bands, weights);
}
