/** Kaldi's filter bank features as torchaudio computes them: FunASR and two codecs. */
import { readWord } from '../../arguments/index.js';
import { monoOf } from '../audio.js';
import { checkSamples, features, featuresOf, transposeFeatures, stackFrames, standardizeWide } from '../frames.js';
import {
  channelItem,
  makeSteppedMask,
  lengthOptions,
  longest,
  padItems,
  powerOfTwo,
  readPadding,
  roundDown,
  roundUp,
  padSamples,
  toMultiple,
} from '../padding.js';
import { returnsMask, outputsOf } from '../rows.js';
import { allocateNumbers } from '../tensors.js';
import { kaldiSettings } from './kaldi-settings.js';

/** @import { Spectrum, SpectrumSettings } from '../../engines/audio/types.js' */
/** @import { Features, PaddedItem, Row, Settings } from '../types.js' */

/** The settings of torchaudio.compliance.kaldi.fbank, without dither and with its edges snipped. */
const torchSettings = /** @type {const} */ ({
  ...kaldiSettings,
  // Each frame without its mean, then with pre-emphasis, both in float32.
  offset: 'float32',
  emphasis: 'float32',
  narrowWindow: true, // frames times the window are rounded to float32
  bank: 'torchaudioKaldi',
  narrowBank: true, // filters are rounded to float32
});

/** @type {Record<string, SpectrumSettings['window']>} */
const torchWindows = { hamming: 'torchHamming', hanning: 'torchHann', povey: 'torchPovey' };

/** Joins frames [frames, width] to fewer and longer rows, [ceil(frames / stride), size * width], as FunASR does: row r
 * has the `size` frames around frame r * stride. The first and the last frame are repeated beyond the ends.
 * @type {(features: Features, size: number, stride: number) => Features} */
function joinNeighbors({ data, frames, width }, size, stride) {
  const rows = Math.ceil(frames / stride);
  const wide = allocateNumbers('the features', rows * size * width);
  // Of an even `size`, one frame more stands behind the middle than before it.
  const framesBefore = Math.floor((size - 1) / 2);
  for (let r = 0; r < rows; r++) {
    const firstFrame = r * stride - framesBefore;
    for (let j = 0; j < size; j++) {
      const source = Math.min(Math.max(firstFrame + j, 0), frames - 1);
      const target = r * size + j;
      wide.set(data.subarray(source * width, (source + 1) * width), target * width);
    }
  }
  return features(wide, rows, size * width);
}

const framesOfPair = 2;

/** The steps of a row that make features of padded frames: two frames are joined to a pair, [pairs, 2 * mels].
 * @type {Partial<Row>} */
const stepsOfPairs = {
  axes: { input_features: 1, input_features_mask: 1 },
  makeItem: ({ data, width, length: frames }) => stackFrames(data, frames, width, framesOfPair),
  givesMask: returnsMask.always,
  /** Makes the mask of the pairs: one is real if both frames are, which the one nearer to the padding decides. */
  makeMask(item, { padding_side }) {
    const frameNearPadding = padding_side === 'left' ? 0 : 1;
    const length = roundDown(item.length, framesOfPair);
    return makeSteppedMask(item, { start: frameNearPadding, step: framesOfPair, length });
  },
};

/** The settings of a codec's filter bank: Kaldi's lengths of 25 and 10 ms at 16 kHz, in samples at any rate.
 * @type {(settings: Settings) => Partial<SpectrumSettings>} */
function codecSpectrum({ sampling_rate: rate }) {
  // torchaudio takes milliseconds and rounds down, so that at some rates a length is one sample less.
  const viaMilliseconds = (/** @type {number} */ samples) => {
    const milliseconds = (samples / rate) * 1000;
    return Math.floor(rate * milliseconds * 0.001);
  };
  return {
    ...torchSettings,
    frameLength: viaMilliseconds(400),
    hop: viaMilliseconds(160),
    window: 'torchPovey',
    // Samples of -1 to 1 in the range of int16, as Kaldi has them.
    scale: 32768,
    filters: 80,
    // Python's rate // 2.
    high: Math.floor(rate / 2),
  };
}

/** Computes the mels of a codec, [frames, mels], each normalized over all frames as SeamlessM4T's are: with 1e-7 added
 * to the variance.
 * @type {(spectrum: Spectrum, samples: Float32Array) => Features} */
function normalizedMels(spectrum, samples) {
  checkSamples(samples.length, spectrum.frameLength);
  const columns = featuresOf(spectrum, samples, { byColumns: true });
  const toDeviation = (/** @type {number} */ variance) => Math.sqrt(variance + 1e-7);
  return transposeFeatures(standardizeWide(columns, columns.frames, toDeviation));
}

/** Makes the row of a codec that gives a waveform and Kaldi features. `featureSamples` gives the samples of which the
 * features are made, from a waveform with a 0 behind it, the padded `item` of it, and the hop in samples.
 * @type {(featureSamples: (wave: Float32Array, item: PaddedItem, hop: number) => Float32Array) => Partial<Row>} */
const codecWithFeatures = (featureSamples) => ({
  axes: { input_values: 2, padding_mask: 1, input_features: 1, input_features_mask: 1 },
  defaults: { feature_size: 80, padding_value: 1, hop_length: 320 },
  options: lengthOptions,
  spectrum: codecSpectrum,
  makeItem: channelItem,
  givesMask: returnsMask.always,
  /** Makes the padded waveforms [batch, 1, length] and the features [batch, rows, 160], each with a mask. As in Python,
   * one zero is put behind each waveform first, and mels are normalized before they are padded. */
  makeOutputs(call) {
    const { prepared, batch, hop_length: hop } = call;
    const waves = monoOf(batch).map((data) => ({ data: padSamples(data, 0, 1) }));
    // The file's settings of padding are those of the features; waveforms get zeros on the right.
    const callOfWaves = { ...call, padding_side: 'right', padding_value: 0 };
    const items = padItems(waves, readPadding(callOfWaves, { padding: true, pad_to_multiple_of: hop }));
    const mels = items.map((item, i) => {
      const samples = featureSamples(waves[i].data, item, hop);
      return normalizedMels(prepared, samples);
    });
    const paddedMels = padItems(mels, readPadding(call, { padding: true, pad_to_multiple_of: framesOfPair }));
    const waveformOutputs = outputsOf(call, items);
    const callOfFeatures = { ...call, row: { ...call.row, ...stepsOfPairs } };
    return { ...waveformOutputs, ...outputsOf(callOfFeatures, paddedMels) };
  },
});

/** @type {Record<string, Partial<Row>>} */
export const torchKaldi = {
  FunAsrNano: {
    axes: { input_features: 1, input_features_mask: 1 },
    defaults: {
      feature_size: 80,
      frame_length: 25,
      frame_shift: 10,
      num_frames_lfr: 7,
      stride_lfr: 6,
      window: 'hamming',
    },
    /** The settings of FunASR's filter bank: torchaudio's, with the lengths of the file, which are milliseconds. */
    spectrum({ sampling_rate: rate, frame_length: frameMs, frame_shift: hopMs, window }) {
      // torchaudio multiplies by 0.001 and rounds down.
      const frameLength = Math.floor(rate * frameMs * 0.001);
      const windowWord = /** @type {string} */ (readWord('window', Object.keys(torchWindows), window));
      return {
        ...torchSettings,
        frameLength,
        fftLength: powerOfTwo(frameLength),
        hop: Math.floor(rate * hopMs * 0.001),
        window: torchWindows[windowWord],
      };
    },
    /** Refuses a waveform without a frame, as torchaudio does. */
    changeWave(samples, { prepared }) {
      checkSamples(samples.length, prepared.frameLength);
      return samples;
    },
    padsFrames: true,
    changeFrames: (rows, { num_frames_lfr: size, stride_lfr: stride }) => joinNeighbors(rows, size, stride),
    padding: longest,
    // The shared stream would leave out `changeWave`.
    stream: () => undefined,
  },
  /** Makes features of the waveform, filled to whole hops. */
  NeuCodec: codecWithFeatures((wave, _item, hop) => toMultiple(wave, hop)),
  /** Makes features of the waveform and the padding that fills its last hop, between zeros of half a hop each. */
  Xcodec2: codecWithFeatures((_wave, { data, first, end }, hop) => {
    const realSamples = end - first;
    const wholeHops = data.subarray(0, roundUp(realSamples, hop));
    const halfHop = Math.floor(hop / 2);
    return padSamples(wholeHops, halfHop, halfHop);
  }),
};
