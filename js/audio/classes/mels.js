/** Mel extractors that NumPy computes: CLVP, SpeechT5, UnivNet, Lasr. */
import { countFrom, later, rangeError, readBoolean } from '../../arguments/index.js';
import { mapNumbers } from '../../engines/audio/index.js';
import { monoOf, readBatch } from '../audio.js';
import { frameSteps, windowOf } from '../frame-stream.js';
import { halfFramePadding, checkSamples, featuresOf, standardizeItem } from '../frames.js';
import { readWindowName } from '../mel-filter-bank.js';
import {
  extendNumbers,
  isUnpadded,
  longest,
  ownItem,
  paddedSeconds,
  padItems,
  padOptions,
  powerOfTwo,
  readPadding,
  windowMask,
  padSamples,
} from '../padding.js';
import { returnsMask, itemsOf, outputsOf } from '../rows.js';

/** @import { Row } from '../types.js' */

const slaney = /** @type {const} */ ({ slaneyNorm: true, melScale: 'slaney', narrowBins: true });

/** The outputs of SpeechT5's target if there is audio too. A target alone has the names of audio. */
const targetAxes = { labels: 1, decoder_attention_mask: 1 };

/** @type {Record<string, Partial<Row>>} */
export const mels = {
  Clvp: {
    axes: { input_features: 2, attention_mask: 1 },
    defaults: {
      feature_size: 80,
      sampling_rate: 22050,
      default_audio_length: 6,
      hop_length: 256,
      chunk_length: 30,
      n_fft: 1024,
      mel_norms: null,
      return_attention_mask: false,
    },
    /** The settings of Clvp's mel energies: ln(max(mel, 1e-5)), divided by the mel's number in `mel_norms`, if any. */
    spectrum: ({ mel_norms }) => ({
      slaneyNorm: true,
      high: 8000,
      narrowBins: true, // rounded to complex64
      floor: 1e-5,
      deviations: mel_norms,
    }),
    padding: paddedSeconds('default_audio_length'),
    /** Makes features [mels, frames] of a padded waveform, which is reflected by half a frame at its ends. */
    makeItem: ({ data }, { prepared }) =>
      featuresOf(prepared, data, { ...halfFramePadding(prepared), byColumns: true }),
    givesMask: returnsMask.unlessRefused,
  },
  SpeechT5: {
    axes: { input_values: 1, attention_mask: 1, labels: 1, decoder_attention_mask: 1 },
    mustStack: false,
    defaults: {
      do_normalize: false,
      num_mel_bins: 80,
      hop_length: 16,
      win_length: 64,
      win_function: 'hann_window',
      fmin: 80,
      fmax: 7600,
      mel_floor: 1e-10,
    },
    options: { ...padOptions, return_attention_mask: readBoolean, audio_target: later },
    mayLackAudio: true,
    /** The settings of a target's mel magnitudes, log10(max(mel, mel_floor)). Lengths are samples here, and
     * milliseconds in files. */
    spectrum(settings) {
      const { sampling_rate: rate, win_length: frameMs, hop_length: hopMs } = settings;
      const frameLength = Math.floor((frameMs * rate) / 1000);
      return {
        ...slaney,
        frameLength,
        hop: Math.floor((hopMs * rate) / 1000),
        fftLength: powerOfTwo(frameLength),
        window: readWindowName('win_function', settings.win_function),
        low: settings.fmin,
        high: settings.fmax,
        energy: 'magnitude',
        floor: settings.mel_floor,
        logarithm: 'log10',
      };
    },
    /** Makes the waveform itself, standardized if `do_normalize` is set: by its real samples or, if the call returns no
     * mask, by its padding, too. */
    makeItem(item, call) {
      const count = returnsMask.bySetting(call) ? item.end - item.first : item.length;
      return standardizeItem(item, call, count);
    },
    /** Makes the outputs of the audio, which is a waveform, and of `audio_target`, whose mel spectrogram is what the
     * model shall learn. One of the two may be missing; beside audio, the target's outputs are `labels` and their
     * mask. */
    makeOutputs(call) {
      const { prepared, batch, options } = call;
      const hasAudio = batch.length > 0;
      const target = options.audio_target && readBatch('audio_target', options.audio_target);
      if (!hasAudio && !target) rangeError('audio or audio_target must be given');
      const audioOutputs = hasAudio ? outputsOf(call, itemsOf(call)) : {};
      if (!target) return audioOutputs;
      const spectrograms = monoOf(target).map((samples) => featuresOf(prepared, samples, halfFramePadding(prepared)));
      // The target's items are features already, which `ownItem` leaves as they are.
      const row = { ...call.row, makeItem: ownItem, axes: hasAudio ? targetAxes : call.row.axes };
      const paddedSpectrograms = padItems(spectrograms, readPadding(call));
      const targetOutputs = outputsOf({ ...call, row }, paddedSpectrograms);
      return { ...audioOutputs, ...targetOutputs };
    },
  },
  UnivNet: {
    axes: { input_features: 1, padding_mask: 1, noise_sequence: 1 },
    defaults: {
      sampling_rate: 24000,
      do_normalize: false,
      num_mel_bins: 100,
      hop_length: 256,
      win_length: 1024,
      win_function: 'hann_window',
      filter_length: 1024,
      max_length_s: 10,
      fmin: 0,
      fmax: null,
      mel_floor: 1e-9,
      center: false,
      compression_factor: 1,
      compression_clip_val: 1e-5,
      normalize_min: -11.512925148010254,
      normalize_max: 2.31433868408203125,
      model_in_channels: 64,
      pad_end_length: 10,
    },
    nullable: ['filter_length'],
    options: {
      ...padOptions,
      return_attention_mask: readBoolean,
      do_normalize: readBoolean,
      pad_end: readBoolean,
      pad_length: countFrom(1),
      noise_sequence: later,
    },
    /** The settings of UnivNet's mel amplitudes, ln(compression_factor * max(mel, compression_clip_val)), where an
     * amplitude is sqrt(re^2 + im^2 + mel_floor). */
    spectrum(settings) {
      const { win_length: windowLength } = settings;
      const frameLength = settings.filter_length || powerOfTwo(windowLength);
      // transformers.audio_utils refuses a window that is not as long as the frame.
      if (windowLength !== frameLength)
        rangeError(`win_length must be filter_length ${frameLength}, got ${windowLength}`);
      return {
        ...slaney,
        frameLength,
        window: readWindowName('win_function', settings.win_function),
        low: settings.fmin,
        high: settings.fmax ?? settings.sampling_rate / 2,
        energy: 'amplitude32', // in float32 steps
        energyFloor: settings.mel_floor,
        floor: settings.compression_clip_val,
        gain: settings.compression_factor,
      };
    },
    /** Pads a waveform behind, by `pad_length` hops, if the call's `pad_end` asks for that; by the file's
     * `pad_end_length` without that option. */
    changeWave(samples, { options, pad_end_length, hop_length, padding_value }) {
      if (!options.pad_end) return samples;
      const hops = options.pad_length ?? pad_end_length;
      return extendNumbers(samples, samples.length + hops * hop_length, padding_value);
    },
    padding: paddedSeconds('max_length_s', 'longest'),
    mustStack: false,
    /** Makes mel amplitudes [frames, mels] of a padded waveform, a frame for each hop; normalized if asked for. */
    makeItem({ data }, call) {
      const { prepared, normalize_min: low, normalize_max: high } = call;
      // Half of what two frames share is reflected on each side, so that there is a frame for each hop.
      const sharedSamples = prepared.frameLength - call.hop_length;
      const margin = Math.floor(sharedSamples / 2);
      checkSamples(data.length, 1);
      const reflected = padSamples(data, margin, margin, 'reflect');
      const amplitudes = featuresOf(prepared, reflected, call.center ? halfFramePadding(prepared) : {});
      const isNormalized = call.options.do_normalize ?? call.do_normalize;
      // From the range of `normalize_min` to `normalize_max` to that of -1 to 1, which is 2 wide.
      if (isNormalized) mapNumbers(amplitudes.data, 'range', [Math.fround(low), Math.fround(high - low), 2]);
      return amplitudes;
    },
    /** Makes the features, their mask and `noise_sequence`. */
    makeOutputs: (call) => ({
      ...outputsOf(call, itemsOf(call)),
      // The caller's, if any; Python draws it by chance.
      noise_sequence: call.options.noise_sequence,
    }),
  },
  Lasr: {
    defaults: { feature_size: 128, hop_length: 160, n_fft: 512, win_length: 400 },
    /** The settings of Lasr's log mel energies. Python has these numbers in its code: no file can state them. */
    spectrum: ({ n_fft: fftLength, win_length: frameLength }) => ({
      frameLength,
      fftLength,
      window: 'torchHannWide',
      periodic: false,
      bank: 'lasr', // triangular filters, without a weight for 0 Hz
      low: 125,
      high: 7500,
      melScale: 'kaldi',
      inMelSpace: true, // triangles are straight over mels, not over Hz
      floor: 1e-5, // the least energy of which a logarithm is taken
    }),
    padding: longest,
    /** Makes features [frames, mels] of a padded waveform, of the frames that lie inside it. */
    makeItem: ({ data }, { prepared }) => featuresOf(prepared, data),
    makeMask: windowMask,
    maskType: 'bool',
    givesMask: returnsMask.ifAsked,
    /** Opens a stream of frames, with a mask if the call asks for it; undefined if the call pads or cuts the audio,
     * whose length is known only at the end. */
    stream(call) {
      if (!isUnpadded(call)) return undefined;
      const maskWindow = returnsMask.ifAsked(call) ? windowOf(call) : undefined;
      const noPadding = {};
      return frameSteps(call.prepared, noPadding, { maskWindow });
    },
  },
};
