/** Kaldi's features as audio_utils computes them: several classes share them. */
import { banks, emphases, logarithms, makeSpectrum, melScales, offsets } from '../audio-engine/index.js';

/** @import { Settings } from './row.js' */

/**
 * audio_utils' Kaldi features: frames of 400 in 512, a bank from 20 Hz on.
 * @param {Settings} settings
 * @param {number} window
 * @param {number} scale of the samples
 */
export const kaldiSpectrumOf = ({ num_mel_bins: filters, sampling_rate: rate }, window, scale) =>
  makeSpectrum({
    frameLength: 400,
    hop: 160,
    fftLength: 512,
    scale,
    offset: offsets.float64,
    emphasis: emphases.float64,
    coefficient: 0.97,
    window: { kind: window, length: 400, periodic: false },
    bank: {
      kind: banks.audioUtils,
      bins: 257,
      filters,
      low: 20,
      high: Math.floor(rate / 2),
      rate,
      scale: melScales.kaldi,
      inMelSpace: true,
    },
    narrowBins: true,
    floor: 2 ** -23,
    logarithm: logarithms.natural,
  });
