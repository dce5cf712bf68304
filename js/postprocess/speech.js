/** Speech in a recording: from the probability of each window to segments. */
import { count, flag, named, rangeError, readCount, readTable, row } from '../arguments/index.js';
import { roundDecimals } from './round-decimals.js';
import { readThreshold, threshold } from './settings.js';
import { readFloats } from './tensors.js';

/** @import { TensorLike } from '../tensor/index.js' */

/** Samples of a window, by the sampling rate. */
const windows = new Map([
  [16000, 512],
  [8000, 256],
]);

/** The most decimals that a double is rounded to. */
const maxDigits = 20;

/** Makes the reader of an option, for the table of options below, that takes any number from 0 on, even Infinity.
 * `byDefault` counts if the option is omitted.
 * @type {(byDefault: number) => (name: string, value: unknown) => number} */
const durationReader = (byDefault) =>
  row((name, value) => {
    const length = readThreshold(name, value); // any number but NaN
    return length >= 0 ? length : rangeError(`${name} must be at least 0, got ${length}`);
  }, byDefault);

/**
 * @typedef {object} SpeechOptions
 * @property {number} [threshold] The probability, from 0 to 1, from which on speech begins: 0.5 if omitted.
 * @property {number} [neg_threshold] The probability below which silence begins: `threshold` less 0.15, and at least
 *   0.01, if omitted.
 * @property {16000 | 8000} [sampling_rate] The rate of the recording, in samples a second: 16000 if omitted.
 * @property {number} [min_speech_duration_ms] Shorter segments are dropped, in milliseconds: 250 if omitted.
 * @property {number} [max_speech_duration_s] Longer segments are cut at a silence, in seconds: Infinity if omitted.
 * @property {number} [min_silence_duration_ms] Shorter silences are part of the speech, in milliseconds: 100 if
 *   omitted.
 * @property {number} [speech_pad_ms] Milliseconds that are added to both ends of a segment: 30 if omitted.
 * @property {number} [min_silence_at_max_speech] The length of a silence at which a long segment may be cut, in
 *   milliseconds: 98 if omitted.
 * @property {boolean} [use_max_poss_sil_at_max_speech] Whether long segments are cut at their longest silence, and
 *   not at the last one: true if omitted.
 * @property {number} [audio_length_samples] The length of the recording, in samples: that of whole windows if omitted.
 * @property {boolean} [return_seconds] Whether segments are in seconds instead of samples: false if omitted.
 * @property {number} [time_resolution] Decimals of the seconds, from 0 to 20: 1 if omitted.
 */

const table = {
  threshold: threshold(0.5),
  neg_threshold: threshold(),
  sampling_rate: count(16000, 0),
  audio_length_samples: count(undefined, 0),
  use_max_poss_sil_at_max_speech: flag(true),
  return_seconds: flag(false),
  time_resolution: row((name, value) => {
    const digits = readCount(name, value);
    return digits <= maxDigits ? digits : rangeError(`${name} must be in [0, ${maxDigits}], got ${digits}`);
  }, 1),
  min_speech_duration_ms: durationReader(250),
  max_speech_duration_s: durationReader(Infinity),
  min_silence_duration_ms: durationReader(100),
  speech_pad_ms: durationReader(30),
  min_silence_at_max_speech: durationReader(98),
};

/** @typedef {{ start: number, end: number }} SpeechSegment */

/**
 * Finds speech by the probability of each window of 512 samples (256 at 8 kHz), as `get_speech_timestamps` of Silero
 * VAD 6.2 does with what its model gives.
 * @param {TensorLike} probabilities [windows], float32 or float16
 * @param {SpeechOptions} [options]
 * @returns {SpeechSegment[]}
 * @example
 * const probabilities = Tensor.from('float32', [...Array(10).fill(0.9), ...Array(10).fill(0)], [20]);
 * speechSegments(probabilities); // [{ start: 0, end: 5600 }]
 */
export function speechSegments(probabilities, options) {
  return named('speechSegments', () => {
    const { data } = readFloats('probabilities', probabilities, ['windows']);
    const rules = readRules(data.length, readTable(options, table));
    const segments = padSegments(findSegments(data, rules), rules);
    const { digits, rate, length } = rules;
    if (digits === undefined) return segments;
    return segments.map(({ start, end }) => ({
      start: roundDecimals(start / rate, digits),
      end: Math.min(roundDecimals(end / rate, digits), length / rate),
    }));
  });
}

/** @typedef {ReturnType<typeof readRules>} Rules the thresholds, and all lengths in samples */

/** Converts the options to thresholds and to lengths in samples. `lower`: the probability below which silence begins;
 * `digits`: the decimals of results in seconds, undefined for results in samples.
 * @param {number} windowCount
 * @param {{ [Name in keyof typeof table]: ReturnType<(typeof table)[Name]> }} read the options */
function readRules(windowCount, { sampling_rate: rate, threshold: upper, ...read }) {
  const window = windows.get(rate) ?? rangeError(`sampling_rate must be 8000 or 16000, got ${rate}`);
  const length = read.audio_length_samples ?? windowCount * window;
  if (Math.ceil(length / window) !== windowCount)
    rangeError(`audio_length_samples must be of ${windowCount} windows of ${window}, got ${length}`);
  const pad = (rate * read.speech_pad_ms) / 1000;
  return {
    rate,
    window,
    length,
    pad,
    threshold: upper,
    lower: read.neg_threshold ?? Math.max(upper - 0.15, 0.01),
    minSpeech: (rate * read.min_speech_duration_ms) / 1000,
    minSilence: (rate * read.min_silence_duration_ms) / 1000,
    minPause: (rate * read.min_silence_at_max_speech) / 1000,
    // As in Silero: a window and the padding of both ends come on top.
    maxSpeech: rate * read.max_speech_duration_s - window - 2 * pad,
    cutsLongest: read.use_max_poss_sil_at_max_speech,
    digits: read.return_seconds ? read.time_resolution : undefined,
  };
}

/** Collects segments of speech, without padding yet.
 * @type {(probabilities: Float32Array, rules: Rules) => SpeechSegment[]} */
function findSegments(probabilities, rules) {
  const tracker = new SpeechTracker(rules);
  // A loop in JS: an hour has 112,500 windows, which take milliseconds.
  probabilities.forEach((probability, i) => tracker.push(probability, rules.window * i));
  return tracker.finish();
}

/** Walks over the windows. Speech begins at a window whose probability reaches `threshold`, silence at one below
 * `lower`.
 *
 * - A silence of `minSilence` samples ends the segment where the silence began. The segment is dropped if it is not
 *   longer than `minSpeech`.
 * - A segment that becomes longer than `maxSpeech` is cut at its pause: of its silences longer than `minPause`, the
 *   longest one or, without `cutsLongest`, the last one. Without a pause it is cut at the current window. */
class SpeechTracker {
  /** @type {SpeechSegment[]} */
  #segments = [];
  /** @type {number | undefined} the first sample of the current segment; undefined outside of speech */
  #segmentStart;
  /** @type {number | undefined} the first sample of the current silence; undefined while there is speech */
  #silenceStart;
  /** @type {{ start: number, end?: number } | undefined} where the segment is cut if it becomes too long; `end` is
   *   undefined until speech goes on */
  #pause;

  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
  }

  /** Takes the probability of the window whose first sample is `windowStart`.
   * @type {(probability: number, windowStart: number) => void} */
  push(probability, windowStart) {
    const { threshold, lower, maxSpeech } = this.rules;
    const isSpeech = probability >= threshold;
    if (isSpeech && this.#silenceStart !== undefined) this.#endSilence(this.#silenceStart, windowStart);
    if (this.#segmentStart === undefined) {
      // As in Silero, the window that begins speech begins no silence.
      if (isSpeech) this.#segmentStart = windowStart;
      return;
    }
    if (windowStart - this.#segmentStart > maxSpeech) this.#cutSegment(this.#segmentStart, windowStart);
    if (this.#segmentStart !== undefined && probability < lower) this.#addSilence(this.#segmentStart, windowStart);
  }

  /** Ends a silence at the window at which speech goes on; the silence may become the pause.
   * @type {(silenceStart: number, windowStart: number) => void} */
  #endSilence(silenceStart, windowStart) {
    const { cutsLongest, minPause } = this.rules;
    this.#silenceStart = undefined;
    if (cutsLongest) {
      const known = /** @type {Pause | undefined} */ (this.#pause);
      this.#pause = longerPause(known, { start: silenceStart, end: windowStart }, minPause);
    } else if (this.#pause) {
      this.#pause = { start: this.#pause.start, end: this.#pause.end ?? windowStart };
    }
  }

  /** Ends a segment that is too long at its pause, behind which the next one begins, or else at the window.
   * @type {(segmentStart: number, windowStart: number) => void} */
  #cutSegment(segmentStart, windowStart) {
    const pause = this.#pause;
    this.#segments.push({ start: segmentStart, end: pause ? pause.start : windowStart });
    this.#segmentStart = pause?.end;
    this.#silenceStart = undefined;
    this.#pause = undefined;
  }

  /** Begins a silence at the window, or goes on with it, which may make it the pause, or end the segment.
   * @type {(segmentStart: number, windowStart: number) => void} */
  #addSilence(segmentStart, windowStart) {
    const { cutsLongest, minPause, minSilence, minSpeech } = this.rules;
    const silenceStart = this.#silenceStart ?? windowStart;
    this.#silenceStart = silenceStart;
    const length = windowStart - silenceStart;
    if (!cutsLongest && length > minPause) {
      // As in Silero, a pause that ended where this silence began stays ended (`lower` above `threshold`).
      const hasEnded = this.#pause?.end === silenceStart;
      this.#pause = { start: silenceStart, end: hasEnded ? silenceStart : undefined };
    }
    if (length < minSilence) return;
    if (silenceStart - segmentStart > minSpeech) this.#segments.push({ start: segmentStart, end: silenceStart });
    this.#segmentStart = undefined;
    this.#silenceStart = undefined;
    this.#pause = undefined;
  }

  /** Ends the last segment with the recording. */
  finish() {
    const { length, minSpeech } = this.rules;
    const start = this.#segmentStart;
    if (start !== undefined && length - start > minSpeech) this.#segments.push({ start, end: length });
    return this.#segments;
  }
}

/** @typedef {{ start: number, end: number }} Pause */

/** Returns the longer one of two pauses, the known one if they are equally long. A new pause counts only if it is
 * longer than `minLength` samples.
 * @type {(known: Pause | undefined, pause: Pause, minLength: number) => Pause | undefined} */
function longerPause(known, pause, minLength) {
  const length = pause.end - pause.start;
  const knownLength = known ? known.end - known.start : 0;
  return length > Math.max(minLength, knownLength) ? pause : known;
}

/** Lengthens each segment by `pad` samples at both ends, within the recording's `length`. Two segments between which
 * the silence is shorter than 2 * `pad` share it: each gets half.
 * @type {(segments: SpeechSegment[], rules: Rules) => SpeechSegment[]} */
function padSegments(segments, { pad, length }) {
  const padsBefore = segments.map(({ start }, i) => {
    const silence = i === 0 ? Infinity : start - segments[i - 1].end;
    return silence < 2 * pad ? Math.floor(silence / 2) : pad;
  });
  return segments.map((segment, i) => {
    const padBehind = padsBefore[i + 1] ?? pad;
    const start = Math.max(0, segment.start - padsBefore[i]);
    const end = Math.min(length, segment.end + padBehind);
    return { start: Math.trunc(start), end: Math.trunc(end) };
  });
}
