/** Extractors that Python does not have: names in files that were made for JavaScript. */
import { flipNumbers, mapNumbers, maps, reduceNumbers, windows } from '../../audio-engine/index.js';
import { monoOf } from '../audio.js';
import { keptFrameSteps } from '../frame-stream.js';
import { featuresOf } from '../frames.js';
import { stackOf, newFloats } from '../tensors.js';
import { kaldiSpectrumOf } from '../kaldi-spectrum.js';
import { Dac } from './waveforms.js';

/** @import { Features } from '../frames.js' */
/** @import { Row } from '../row.js' */

/**
 * The waveform with axes in front.
 * @param {number[]} axes
 * @returns {Row}
 */
const waveform = (axes) => ({
  axes: { input_values: axes.length + 1 },
  defaults: { sampling_rate: 16000 },
  options: [],
  prepare: () => undefined,
  make: ({ batch }) => ({
    input_values: stackOf(
      'float32',
      monoOf(batch).map((samples) => ({ data: samples.slice(), dims: [...axes, samples.length] })),
    ),
  }),
});

export const Moonshine = waveform([]);
export const Chatterbox = { ...waveform([]), defaults: { sampling_rate: 24000 } };
export const PyAnnote = waveform([1]);
export const Snac = { ...Dac, defaults: { ...Dac.defaults, sampling_rate: 24000 } };

/** @type {Row} */
export const WeSpeaker = {
  axes: { input_features: 1 },
  defaults: { feature_size: 80, sampling_rate: 16000, num_mel_bins: 80 },
  options: [],
  prepare: (settings) => kaldiSpectrumOf(settings, windows.hamming, 32768),
  make: ({ prepared, batch }) => ({
    input_features: stackOf(
      'float32',
      monoOf(batch).map((samples) => centeredMels(featuresOf(prepared, samples, { byColumns: true }))),
    ),
  }),
  stream: ({ prepared }) =>
    keptFrameSteps(prepared, { byColumns: true }, (features) => ({
      input_features: stackOf('float32', [centeredMels(features)]),
    })),
};

/**
 * Each mel less its mean, as rows.
 * @param {Features} features by columns
 */
function centeredMels({ data, frames, width }) {
  for (let k = 0; k < width; k++) {
    const row = data.subarray(k * frames, (k + 1) * frames);
    mapNumbers(row, maps.standardizeWide, [reduceNumbers(row, 'wide') / frames, 1]);
  }
  return { data: flipNumbers(data, width, frames, newFloats('the features', data.length)), dims: [frames, width] };
}
