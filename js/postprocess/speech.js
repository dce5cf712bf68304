/** Speech in a recording: from the probability of each window to segments. */
import { count, flag, named, rangeError, readCount, readTable, row } from '../arguments/index.js';
import { readThreshold, threshold } from './settings.js';
import { readFloats } from './tensors.js';

/** @import { TensorLike } from '../tensor/index.js' */

/** Samples of a window, by the sampling rate. */
const windows = new Map([
  [16000, 512],
  [8000, 256],
]);

/** The most decimals that a double is rounded to. */
const mostDigits = 20;

/** Makes the row of an option that is a number from 0 on.
 * @type {(byDefault: number) => (name: string, value: unknown) => number} */
const duration = (byDefault) =>
  row((name, value) => {
    const read = readThreshold(name, value);
    return read >= 0 ? read : rangeError(`${name} must be at least 0, got ${read}`);
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
    return digits <= mostDigits ? digits : rangeError(`${name} must be in [0, ${mostDigits}], got ${digits}`);
  }, 1),
  min_speech_duration_ms: duration(250),
  max_speech_duration_s: duration(Infinity),
  min_silence_duration_ms: duration(100),
  speech_pad_ms: duration(30),
  min_silence_at_max_speech: duration(98),
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
    return padded(rawSegments(data, rules), rules).map(({ start, end }) => {
      if (rules.digits === undefined) return { start, end };
      const [from, to] = [start, end].map((samples) => rounded(samples / rules.rate, rules.digits ?? 0));
      return { start: from, end: Math.min(to, rules.length / rules.rate) };
    });
  });
}

/** @typedef {ReturnType<typeof readRules>} Rules the thresholds, and all lengths in samples */

/** Converts the options to thresholds and to lengths in samples, under short names. `lower`: the probability below
 * which silence begins; `digits`: the decimals of results in seconds, undefined for results in samples.
 * @param {number} windowCount
 * @param {{ [Name in keyof typeof table]: ReturnType<(typeof table)[Name]> }} read the options */
function readRules(windowCount, { sampling_rate: rate, threshold: upper, ...read }) {
  const window = windows.get(rate) ?? rangeError(`sampling_rate must be 8000 or 16000, got ${rate}`);
  const length = read.audio_length_samples ?? windowCount * window;
  if (Math.ceil(length / window) !== windowCount)
    rangeError(`audio_length_samples must be of ${windowCount} windows of ${window}, got ${length}`);
  const pad = (rate * read.speech_pad_ms) / 1000;
  return {
    ...{ rate, window, length, pad, threshold: upper },
    lower: read.neg_threshold ?? Math.max(upper - 0.15, 0.01),
    leastSpeech: (rate * read.min_speech_duration_ms) / 1000,
    leastSilence: (rate * read.min_silence_duration_ms) / 1000,
    leastPause: (rate * read.min_silence_at_max_speech) / 1000,
    // As in Silero: a window and the padding of both ends come on top.
    most: rate * read.max_speech_duration_s - window - 2 * pad,
    cutsLongest: read.use_max_poss_sil_at_max_speech,
    digits: read.return_seconds ? read.time_resolution : undefined,
  };
}

/** Walks over the windows and collects segments of speech, without padding yet. Speech begins at a window whose
 * probability reaches `threshold`, silence at one below `lower`; as in Silero, the window that begins speech begins no
 * silence.
 *
 * - A silence of `leastSilence` samples ends the segment where the silence began. The segment is dropped if it is not
 *   longer than `leastSpeech`.
 * - A segment that becomes longer than `most` is cut at its pause: of its silences longer than `leastPause`, the
 *   longest one or, without `cutsLongest`, the last one. Without a pause it is cut at the current window.
 *
 * A loop in JS: an hour has 112,500 windows, which take milliseconds.
 * @type {(probabilities: Float32Array, rules: Rules) => SpeechSegment[]} */
function rawSegments(probabilities, rules) {
  const { window, length, threshold, lower, leastSpeech, leastSilence, leastPause, most, cutsLongest } = rules;
  /** @type {SpeechSegment[]} */
  const segments = [];
  /** @type {number | undefined} the first sample of the current segment; undefined outside of speech */
  let start;
  /** @type {number | undefined} the first sample of the current silence; undefined while there is speech */
  let silence;
  /** @type {{ from: number, to?: number } | undefined} the pause; `to` is undefined until speech goes on */
  let pause;
  probabilities.forEach((probability, i) => {
    const at = window * i;
    // Speech goes on, so the silence before it may become the pause.
    if (probability >= threshold && silence !== undefined) {
      if (!cutsLongest) pause &&= { from: pause.from, to: pause.to ?? at };
      else pause = longer(/** @type {Pause | undefined} */ (pause), { from: silence, to: at }, leastPause);
      silence = undefined;
    }
    // Too long: cut at the pause, behind which the next segment begins. Without a pause, cut here.
    if (start !== undefined && at - start > most) {
      segments.push({ start, end: pause ? pause.from : at });
      start = pause?.to;
      silence = pause = undefined;
    } else if (start === undefined && probability >= threshold) {
      start = at;
      return;
    }
    if (start === undefined || !(probability < lower)) return;
    silence ??= at;
    // As in Silero, a pause that ended in the window where this silence began stays ended (`lower` above `threshold`).
    if (!cutsLongest && at - silence > leastPause)
      pause = { from: silence, to: pause?.to === silence ? silence : undefined };
    // The silence is long enough to end the segment.
    if (at - silence < leastSilence) return;
    if (silence - start > leastSpeech) segments.push({ start, end: silence });
    start = silence = pause = undefined;
  });
  if (start !== undefined && length - start > leastSpeech) segments.push({ start, end: length });
  return segments;
}

/** @typedef {{ from: number, to: number }} Pause */

/** Returns the longer one of two pauses, the known one if they are equally long. A new pause counts only if it is
 * longer than `least` samples; undefined if there is no known one and the new one does not count.
 * @type {(known: Pause | undefined, pause: Pause, least: number) => Pause | undefined} */
const longer = (known, pause, least) =>
  pause.to - pause.from > Math.max(least, known ? known.to - known.from : 0) ? pause : known;

/** Lengthens each segment by `pad` samples at both ends, within the recording's `length`. Two segments between which
 * the silence is shorter than 2 * `pad` share it: each gets half.
 * @type {(segments: SpeechSegment[], rules: Rules) => SpeechSegment[]} */
function padded(segments, { pad, length }) {
  // Samples that are added in front of each segment.
  const before = segments.map(({ start }, i) => {
    const silence = i === 0 ? Infinity : start - segments[i - 1].end;
    return silence < 2 * pad ? Math.floor(silence / 2) : pad;
  });
  return segments.map(({ start, end }, i) => {
    // As many samples behind a segment as in front of the next one.
    const after = before[i + 1] ?? pad;
    return { start: Math.trunc(Math.max(0, start - before[i])), end: Math.trunc(Math.min(length, end + after)) };
  });
}

/** Rounds a number from 0 on to decimals, half to even, as Python does. `toFixed` rounds a tie up.
 * @type {(value: number, digits: number) => number} */
function rounded(value, digits) {
  const near = Number(value.toFixed(digits));
  // A tie: behind the digits that stay, the exact decimals of the double are a 5 and zeros. 40 more of them tell.
  const isTie = /^50*$/.test(value.toFixed(mostDigits + 40).slice(-(mostDigits + 40 - digits)));
  const last = Number(value.toFixed(digits).at(-1));
  return isTie && last % 2 === 1 ? Number((near - 10 ** -digits).toFixed(digits)) : near;
}
