/** Spectrograms back to samples. */
import { named, rangeError, readOptions, typeError } from '../arguments/index.js';
import { makeSpectrum, overlapFrames, ready } from '../audio-engine/index.js';
import { readCount } from './mel-filter-bank.js';
import { newNumbers } from './tensors.js';

/** @typedef {{ type: string, dims: readonly number[], data: any }} SpectrumLike */

/**
 * Samples of a complex spectrogram: `spectrogram` with `power: null` and a Hann window backwards, as `librosa.istft`
 * and `torch.istft` make them, within 1e-6. Frames are added a hop apart and divided by the sum of squared windows.
 * @param {SpectrumLike} spectrum complex64 [bins, frames]
 * @param {{ n_fft?: number, hop_length?: number, win_length?: number, center?: boolean, length?: number }} [options]
 *   `n_fft`: 2 (bins - 1) if omitted; `hop_length`: a quarter of a window; `center`: true: frames were centered;
 *   `length`: how many samples there are
 * @returns {Float32Array}
 * @example
 * await init();
 * const how = { window: windowFunction(400), frame_length: 400, hop_length: 160, power: null };
 * const bins = spectrogram(new Float32Array(1600).fill(0.5), how);
 * istft(bins, { n_fft: 400, hop_length: 160 }).length; // 1600
 */
export function istft(spectrum, options) {
  return named('istft', () => {
    ready();
    const { type, dims, data } = spectrum ?? {};
    if (type !== 'complex64' || dims.length !== 2) typeError('spectrum must be complex64 [bins, frames]');
    const [bins, frames] = dims;
    const read = readOptions(options, ['n_fft', 'hop_length', 'win_length', 'center', 'length']);
    const frameLength = readCount('n_fft', read.n_fft ?? 2 * (bins - 1));
    if (Math.floor(frameLength / 2) + 1 !== bins)
      rangeError(`spectrum must have ${Math.floor(frameLength / 2) + 1} bins, got ${bins}`);
    if (data.length !== 2 * bins * frames)
      rangeError(`spectrum must have ${2 * bins * frames} numbers, got ${data.length}`);
    const windowLength = readCount('win_length', read.win_length ?? frameLength);
    const hop = readCount('hop_length', read.hop_length ?? Math.max(1, Math.floor(windowLength / 4)));
    const made = makeSpectrum({ frameLength, hop, window: 'hann', windowLength });
    const left = (read.center ?? true) ? Math.floor(frameLength / 2) : 0;
    const all = frames === 0 ? 0 : (frames - 1) * hop + frameLength;
    const length = readCount('length', read.length ?? Math.max(0, all - 2 * left), 0);
    const samples = newNumbers('the samples', length);
    overlapFrames(made, data, frames, (piece, at) => {
      const first = Math.max(0, left - at);
      const place = at + first - left;
      if (place < length && first < piece.length) samples.set(piece.subarray(first, first + length - place), place);
    });
    return samples;
  });
}
