/** Mel extractors that NumPy computes: CLVP, SpeechT5, UnivNet, Lasr. */
import { countFrom, later, rangeError, readBoolean } from '../../arguments/index.js';
import { mapNumbers } from '../../engines/audio/index.js';
import { monoOf, readBatch } from '../audio.js';
import { frameSteps } from '../frame-stream.js';
import { centered, checkSamples, featuresOf, standardItem } from '../frames.js';
import { readWindowName } from '../mel-filter-bank.js';
import {
  extended,
  isUnpadded,
  longest,
  ownItem,
  paddedSeconds,
  padItems,
  padOptions,
  powerOfTwo,
  readPadding,
  sampleMask,
  surrounded,
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
    /** Gives the settings of CLVP's spectrogram. Filters end at 8 kHz, as in Python; their logarithms are divided by
     * `mel_norms`, if the file has these. */
    spectrum: ({ mel_norms }) => ({
      slaneyNorm: true,
      high: 8000,
      narrowBins: true,
      floor: 1e-5,
      deviations: mel_norms,
    }),
    padding: paddedSeconds('default_audio_length'),
    item: ({ data }, { prepared }) => featuresOf(prepared, data, { ...centered(prepared), byColumns: true }),
    asked: returnsMask.unlessRefused,
  },
  SpeechT5: {
    axes: { input_values: 1, attention_mask: 1, labels: 1, decoder_attention_mask: 1 },
    stacks: false,
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
    /** Gives the settings of SpeechT5's spectrogram. `win_length` and `hop_length` are in milliseconds. */
    spectrum(settings) {
      const { sampling_rate: rate } = settings;
      const frameLength = Math.floor((settings.win_length * rate) / 1000);
      return {
        ...slaney,
        frameLength,
        hop: Math.floor((settings.hop_length * rate) / 1000),
        fftLength: powerOfTwo(frameLength),
        window: readWindowName('win_function', settings.win_function),
        low: settings.fmin,
        high: settings.fmax,
        energy: 'magnitude',
        floor: settings.mel_floor,
        logarithm: 'log10',
      };
    },
    // Without a mask the padding counts too.
    item: (item, call) => standardItem(item, call, returnsMask.bySetting(call) ? item.end - item.first : item.length),
    /** Makes the outputs of the audio, which is a waveform, and of `audio_target`, whose mel spectrogram is what the
     * model shall learn. One of the two may be missing. With both, the target's outputs are `labels` and their mask;
     * alone, it has the names of the audio's outputs. */
    makeOutputs(call) {
      const { prepared, batch, options } = call;
      const target = options.audio_target && readBatch('audio_target', options.audio_target);
      if (batch.length === 0 && !target) rangeError('audio or audio_target must be given');
      const waves = batch.length > 0 ? outputsOf(call, itemsOf(call)) : {};
      if (!target) return waves;
      const targets = monoOf(target).map((samples) => featuresOf(prepared, samples, centered(prepared)));
      // The target's items are features already, which `ownItem` leaves as they are.
      const row = { ...call.row, item: ownItem, axes: batch.length > 0 ? targetAxes : call.row.axes };
      return { ...waves, ...outputsOf({ ...call, row }, padItems(targets, readPadding(call))) };
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
    /** Gives the settings of UnivNet's spectrogram. The FFT and the window have `filter_length` samples or, if that is
     * null, the next power of two from `win_length` on. */
    spectrum(settings) {
      const { win_length: length } = settings;
      const frameLength = settings.filter_length || powerOfTwo(length);
      // transformers.audio_utils refuses a window that is not as long as the frame.
      if (length !== frameLength) rangeError(`win_length must be filter_length ${frameLength}, got ${length}`);
      return {
        ...slaney,
        frameLength,
        window: readWindowName('win_function', settings.win_function),
        low: settings.fmin,
        high: settings.fmax ?? settings.sampling_rate / 2,
        energy: 'amplitude32',
        energyFloor: settings.mel_floor,
        floor: settings.compression_clip_val,
        gain: settings.compression_factor,
      };
    },
    /** If the call has `pad_end`, appends `padding_value` for `pad_length` hops, by default `pad_end_length`. */
    wave(samples, { options, pad_end_length, hop_length, padding_value }) {
      if (!options.pad_end) return samples;
      const more = (options.pad_length ?? pad_end_length) * hop_length;
      return extended(samples, samples.length + more, padding_value);
    },
    padding: paddedSeconds('max_length_s', true),
    stacks: false,
    /** Makes the features [frames, mels] of a padded waveform. `do_normalize` maps `normalize_min` to -1 and
     * `normalize_max` to 1. */
    item({ data }, call) {
      const { prepared, normalize_min: low, normalize_max: high } = call;
      // Reflect half of what two frames share on each side, so that there is a frame for each hop.
      const margin = Math.floor((prepared.frameLength - call.hop_length) / 2);
      checkSamples(data.length, 1);
      const mels = featuresOf(
        prepared,
        surrounded(data, margin, margin, 'reflect'),
        call.center ? centered(prepared) : {},
      );
      if (call.options.do_normalize ?? call.do_normalize)
        mapNumbers(mels.data, 'range', [Math.fround(low), Math.fround(high - low), 2]);
      return mels;
    },
    /** Makes the outputs, with the noise that the caller gave, if any; Python draws it by chance. */
    makeOutputs: (call) => ({
      ...outputsOf(call, itemsOf(call)),
      noise_sequence: call.options.noise_sequence,
    }),
  },
  Lasr: {
    defaults: { feature_size: 128, hop_length: 160, n_fft: 512, win_length: 400 },
    /** Gives the settings of Lasr's spectrogram. The numbers that no setting has are Python's. */
    spectrum: ({ n_fft: fftLength, win_length: frameLength }) => ({
      frameLength,
      fftLength,
      window: 'torchHannWide',
      periodic: false,
      bank: 'lasr',
      low: 125,
      high: 7500,
      melScale: 'kaldi',
      inMelSpace: true,
      floor: 1e-5,
    }),
    padding: longest,
    item: ({ data }, { prepared }) => featuresOf(prepared, data),
    mask: sampleMask,
    maskType: 'bool',
    asked: returnsMask.ifAsked,
    /** Opens a stream of frames, and of a mask that has an entry for each window of samples, a hop apart. Undefined
     * where padding or truncation would change the length, which is known only at the end. */
    stream(call) {
      if (!isUnpadded(call)) return undefined;
      return frameSteps(call.prepared, {}, { mask: returnsMask.ifAsked(call) && [call.win_length, call.hop_length] });
    },
  },
};
