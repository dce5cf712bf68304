/** Resampling, with the filters of torchaudio, scipy and soxr. */
import * as args from '../arguments/index.js';
import {
  makeFilter,
  meanOfChannels,
  ready,
  resampleRows,
  resampleWide,
  sincs,
  wholeSignal,
} from '../engines/audio/index.js';
import { rateOf, readWaveform } from './audio.js';
import { ChannelStream, outputsWithTail } from './channel-stream.js';
import { lowestTerms, soxrFilters } from './soxr.js';
import { allocateNumbers } from './tensors.js';

/** @import { Filter } from '../engines/audio/types.js' */
/** @import { AudioLike } from './audio.js' */
/** @import { Resampling } from './channel-stream.js' */

/**
 * @typedef {object} ResampleOptions
 * @property {'torchaudio' | 'scipy' | 'soxr'} [backend] The library whose filter resamples: 'torchaudio' if omitted.
 * @property {number} [orig_freq] The rate of audio that carries none, in samples a second.
 * @property {number} new_freq The rate of the result, in samples a second.
 * @property {number} [lowpass_filter_width] Zero crossings of torchaudio's filter on each side: 6 if omitted.
 * @property {number} [rolloff] The share of the highest frequency at which torchaudio's filter cuts off: 0.99 if
 *   omitted.
 * @property {'sinc_interp_hann' | 'sinc_interp_kaiser'} [resampling_method] The window of torchaudio's filter:
 *   'sinc_interp_hann' if omitted.
 * @property {number | null} [beta] The shape of torchaudio's Kaiser window: 14.77 if omitted.
 * @property {number} [maxBytes] Bytes of a resampled channel at most: 1 GiB, or 8 times the channel if that is more, if
 *   omitted.
 * @property {boolean} [mono] Whether the channels' mean is resampled, as `toMono` gives it, which is 1.7 times as
 *   fast as both: false if omitted.
 */

/**
 * @typedef {object} PieceOptions
 * @property {Float32Array} [out] Memory for the part, at least as long: the part lies at its beginning.
 */

const streamTable = {
  maxBytes: args.row(args.readMaxBytes, undefined),
  backend: args.word(['torchaudio', 'scipy', 'soxr'], 'torchaudio'),
  orig_freq: args.later,
  new_freq: args.countFrom(1),
  lowpass_filter_width: args.count(6),
  rolloff: args.positive(0.99),
  resampling_method: args.word(['sinc_interp_hann', 'sinc_interp_kaiser'], undefined),
  beta: args.orNull(args.number()),
};

const table = { mono: args.flag(false), ...streamTable };

/** @typedef {{ [Name in Exclude<keyof typeof streamTable, 'maxBytes'>]: ReturnType<(typeof streamTable)[Name]> }}
 *   ReadOptions */

/** The default of torchaudio's sinc_interp_kaiser. */
const torchBeta = 14.769656459379492;

/** Makes torchaudio's filter for the ratio up / down.
 * @type {(up: number, down: number, read: ReadOptions) => Filter[]} */
function torchFilters(up, down, { lowpass_filter_width: width, rolloff: cutoff, resampling_method: method, beta }) {
  const sinc = method === 'sinc_interp_kaiser' ? sincs.torchKaiser : sincs.torchHann;
  return [makeFilter({ sinc, up, down, width, cutoff, beta: beta ?? torchBeta })];
}

/** Chooses the filters that change the rate of audio to `new_freq`: none if the rates are equal.
 * @param {number | undefined} carried the rate that the audio carries
 * @param {ReadOptions} read the options
 * @returns {Resampling} */
function readResampling(carried, read) {
  const { backend, new_freq: to } = read;
  const from = args.readCount('orig_freq', rateOf('audio', carried, read.orig_freq, 'orig_freq'), 1);
  const { up, down } = lowestTerms(from, to);
  const countOutputs = (/** @type {number} */ n) => Math.ceil((n * up) / down);
  /** @type {Resampling} */
  const plain = { rate: to, filters: [], countOutputs, countReal: countOutputs };
  if (up === down) return plain;
  if (backend === 'torchaudio') return { ...plain, filters: torchFilters(up, down, read) };
  if (backend === 'scipy') {
    // resample_poly's filter: a half length of 10 * max(up, down), a Kaiser window of beta 5.
    const filter = makeFilter({ sinc: sincs.scipy, up, down, width: 10 * Math.max(up, down), beta: 5 });
    return { ...plain, filters: [filter] };
  }
  return {
    ...plain,
    filters: soxrFilters(up, down),
    // soxr's own length: a division in float64, rounded half up.
    countReal: (n) => Math.floor(n / (from / to) + 0.5),
  };
}

/** Filters one channel, or the mean of two, to `count` outputs.
 * @type {(filter: Filter, channels: readonly Float32Array[], count: number) => Float32Array} */
function filterChannels(filter, channels, count) {
  const result = allocateNumbers('the resampled audio', count);
  const signals = channels.map((channel) => wholeSignal(channel));
  // A row of outputs has one of each of the filter's `up` phases.
  const firstRow = 0;
  const rows = Math.ceil(count / filter.up);
  resampleRows(filter, signals, firstRow, rows, result);
  return result;
}

/** Resamples the mean of channels by all filters in turn; a single channel is its own mean. The result is in memory of
 * its own.
 * @type {(resampling: Resampling, channels: readonly Float32Array[]) => Float32Array} */
function resampleMean({ filters, countOutputs, countReal }, channels) {
  const [firstChannel] = channels;
  const [firstFilter] = filters;
  const isMono = channels.length === 1;
  if (!firstFilter) return isMono ? firstChannel.slice() : meanOfChannels(channels);
  // A filter with a table of its weights mixes two channels as it reads them, in .67 of the time.
  const mixesInFilter = channels.length === 2 && firstFilter.isTabled;
  let waves = isMono || mixesInFilter ? channels : [meanOfChannels(channels)];
  for (const filter of filters) {
    const isLast = filter === filters.at(-1);
    const count = isLast ? countOutputs(firstChannel.length) : outputsWithTail(filter, waves[0].length);
    waves = [filterChannels(filter, waves, count)];
  }
  const [result] = waves;
  return result.fill(0, countReal(firstChannel.length));
}

/** Resamples the mean of channels in float64 by scipy's filter: there is one, or none for equal rates.
 * @type {(resampling: Resampling, channels: readonly (Float32Array | Float64Array)[]) => Float64Array} */
function resampleWideMean({ filters: [filter], countOutputs }, channels) {
  const wide = channels.map((channel) => Float64Array.from(channel));
  const mean = wide.length > 1 ? meanOfChannels(wide) : wide[0];
  if (!filter) return mean;
  const result = allocateNumbers('the resampled audio', countOutputs(mean.length), Float64Array);
  resampleWide(filter, mean, result);
  return result;
}

/** Whether samples are float64. */
const isWide = (/** @type {unknown} */ samples) => args.typedArrayName(samples) === 'Float64Array';

/** Gives the most bytes of a resampled channel: those that the caller stated, or else 1 GiB, or 8 times the channel
 * before if that is more. Usual rates make at most six samples of one; a file that states a few hertz would become
 * gigabytes.
 * @type {(stated: number | undefined, channelBytes: number) => number} */
const mostBytes = (stated, channelBytes) => stated ?? Math.max(args.usualMaxBytes, 8 * channelBytes);

/** Reads the memory that the caller has for a part; undefined if there is none.
 * @type {(options: PieceOptions | undefined) => Float32Array | undefined} */
function readOut(options) {
  return args.readOptions(options, ['out']).out;
}

/**
 * Changes the rate of audio.
 *
 * - 'torchaudio': `torchaudio.functional.resample`, within 3e-7. Its weights are the float32 ones of the default there.
 * - 'scipy': `scipy.signal.resample_poly` of float32, to the bit; a Float64Array stays float64, within 1e-14.
 * - 'soxr': quality HQ, which `librosa.load` uses, at any ratio of whole rates: within 2e-6 between 22.05, 24, 16,
 *   8 kHz and 48, 44.1, 96, 88.2, 192 kHz, and 1e-5 at other ratios. The first samples are within 8e-5, and within 1e-3
 *   from 8 to 192 kHz.
 * @template {AudioLike} Audio
 * @template {'torchaudio' | 'scipy' | 'soxr'} [Backend='torchaudio']
 * @param {Audio} audio whose channels are resampled each by itself, or their mean with `mono`
 * @param {ResampleOptions & { backend?: Backend }} options
 * @returns {Audio extends Float64Array ? (Backend extends 'scipy' ? Float64Array : Float32Array) :
 *   Audio extends Float32Array | Int16Array | readonly number[] ? Float32Array :
 *   { channelData: Float32Array[], sampleRate: number }}
 * @example
 * resampleAudio(new Float32Array(48000), { orig_freq: 48000, new_freq: 16000 }).length; // 16000
 */
export function resampleAudio(audio, options) {
  return args.named('resampleAudio', () => {
    ready();
    const { mono, maxBytes, ...read } = args.readTable(options, table);
    // A list of numbers is float32, as everywhere here.
    const staysWide = read.backend === 'scipy' && !Array.isArray(audio);
    const { channels, rate } = readWaveform('audio', audio, staysWide);
    const resampling = readResampling(rate, read);
    const groups = mono ? [channels] : channels.map((channel) => [channel]);
    const budget = args.makeBudget('a channel', mostBytes(maxBytes, channels[0].byteLength));
    // The limit is of each channel, so each spends a copy of the budget.
    const results = groups.map((group) =>
      args.spending({ ...budget }, () =>
        group.some(isWide)
          ? resampleWideMean(resampling, group)
          : resampleMean(resampling, /** @type {Float32Array[]} */ (group)),
      ),
    );
    const isPlain = ArrayBuffer.isView(audio) || Array.isArray(audio);
    return /** @type {any} */ (isPlain ? results[0] : { channelData: results, sampleRate: resampling.rate });
  });
}

/**
 * Resamples audio that comes in pieces, with state that does not grow. Joined, the parts are equal in every bit to
 * {@link resampleAudio} of the whole. The pieces are samples of one channel. A part lies at the beginning of `out`, if
 * that is given. `maxBytes` is of each part: 1 GiB, or 8 times the piece if that is more, if omitted.
 * @param {Omit<ResampleOptions, 'mono'> & { orig_freq: number }} options
 * @returns {{ push: (samples: AudioLike, options?: PieceOptions) => Float32Array,
 *   end: (options?: PieceOptions) => Float32Array }}
 * @example
 * const stream = resampleStream({ orig_freq: 48000, new_freq: 16000 });
 * stream.push(new Float32Array(4800)).length; // 1594
 * stream.end().length; // 6
 */
export function resampleStream(options) {
  return args.named('resampleStream', () => {
    ready();
    const { maxBytes, ...read } = args.readTable(options, streamTable);
    const channel = new ChannelStream(readResampling(undefined, read));
    /** @type {(pieceBytes: number, work: () => Float32Array) => Float32Array} */
    const bounded = (pieceBytes, work) =>
      args.spending(args.makeBudget('a part', mostBytes(maxBytes, pieceBytes)), work);
    return {
      push: (samples, options) =>
        args.named('resampleStream', () => {
          const { channels } = readWaveform('samples', samples);
          if (channels.length !== 1) args.rangeError(`samples must have 1 channel, got ${channels.length}`);
          const piece = /** @type {Float32Array} */ (channels[0]);
          return bounded(piece.byteLength, () => channel.push(piece, readOut(options)));
        }),
      end: (options) => args.named('resampleStream', () => bounded(0, () => channel.end(readOut(options)))),
    };
  });
}
