/** Feature extractors, as transformers has them: from a configuration to what a model takes. */
import { either, named, rangeError, readOptions, show, typeError } from '../arguments/index.js';
import { ready } from '../audio-engine/index.js';
import { dtypeOf } from '../tensor/index.js';
import { monoOf, readBatch, readWaveform } from './audio.js';
import { readCall, readClass, readConfiguration, readSettings } from './configuration.js';
import { table } from './table.js';
import { withType } from './tensors.js';

/** @import { AudioLike, Waveform } from './audio.js' */
/** @import { CallOptions, Row, Settings, StreamSteps } from './row.js' */
/** @import { Outputs } from './tensors.js' */

const floatTypes = ['float32', 'float16', 'bfloat16'];

/**
 * A feature extractor that was read.
 * @typedef {{ name: string, row: Row, settings: Settings, prepared: { value?: any } }} Extractor
 */

/**
 * A feature extractor of audio that comes in pieces. Joined along `axes[name]`, the parts of an output are equal in
 * every bit to the output of the whole.
 * @typedef {object} ExtractorStream
 * @property {(samples: AudioLike) => Outputs | undefined} push takes samples of one channel; undefined while nothing is
 *   complete
 * @property {() => Outputs | undefined} end what was left
 * @property {Record<string, number>} axes
 */

/**
 * A feature extractor: a function, and what its configuration says.
 * @typedef {((audio: AudioLike | readonly AudioLike[] | null, options?: CallOptions) => Outputs) & {
 *   className: string, sampling_rate: number, ignored: readonly string[], stream: (options?: CallOptions) =>
 *   ExtractorStream }} FeatureExtractor
 */

/**
 * Makes a feature extractor of a configuration. It gives the tensors that transformers 5 gives in Python by its NumPy
 * path, under their names there; the README says for each class how near.
 *
 * - The configuration is a parsed file, its text, or files by name: an object whose keys end in .json.
 * - Audio is a Float32Array, a Float64Array, an Int16Array (scaled by 1 / 32768, which Python does not do), numbers,
 *   `{ channelData, sampleRate }`, an AudioBuffer or an AudioData. A list of these is a batch. Where shapes differ, an
 *   output is a list of tensors.
 * - The function's options are those of Python's call, by name. `sampling_rate`, or the rate that the audio carries,
 *   must be the model's. CLAP's random places may be given as `offsets`. `dtype` is that of float outputs: float16 and
 *   bfloat16 are the float32 numbers, rounded once.
 * - `stream(options)` takes audio in pieces: `push(samples)` and `end()` give `{ name: Tensor }` or undefined. Where an
 *   output needs all of the audio, as Whisper's maximum does, it comes at the end.
 * @param {object | string} config
 * @param {{ className?: string }} [options] `className`: the class, where the configuration has none or another
 * @returns {FeatureExtractor} with its `className`, its `sampling_rate` and the configuration's `ignored` keys
 * @example
 * await init();
 * const extract = featureExtractor({ feature_extractor_type: 'WhisperFeatureExtractor' });
 * extract(new Float32Array(16000)).input_features.dims; // [1, 80, 3000]
 */
export function featureExtractor(config, options) {
  const { extractor, ignored } = named('featureExtractor', () => readExtractor(config, options));
  /** @type {(audio: any, given?: CallOptions) => Outputs} */
  const extract = (audio, given) => named(`${extractor.name}FeatureExtractor`, () => run(extractor, audio, given));
  const stream = (/** @type {CallOptions | undefined} */ given) =>
    named(`${extractor.name}FeatureExtractor`, () => openStream(extractor, given));
  return Object.assign(extract, {
    stream,
    className: `${extractor.name}FeatureExtractor`,
    sampling_rate: extractor.settings.sampling_rate,
    ignored: Object.freeze(ignored),
  });
}

/**
 * @param {unknown} config
 * @param {{ className?: string } | undefined} options
 */
function readExtractor(config, options) {
  const { className } = readOptions(options, ['className']);
  const file = readConfiguration(config);
  const name = readClass(file, className);
  const row = table[name];
  const { settings, ignored } = readSettings(row, file);
  return { extractor: { name, row, settings, prepared: {} }, ignored };
}

/**
 * @param {Extractor} extractor
 * @param {unknown} audio
 * @param {CallOptions | undefined} given
 * @returns {Outputs}
 */
function run(extractor, audio, given) {
  ready();
  const { row, settings } = extractor;
  const options = readCall(row, given);
  const dtype = readDType(options.dtype);
  const isMissing = row.mayLackAudio && (audio === null || audio === undefined);
  const batch = isMissing ? [] : readBatch('audio', audio, row.wide);
  checkRates(settings.sampling_rate, options.sampling_rate, batch);
  return withType(row.make({ settings, prepared: preparedOf(extractor), batch, options }), dtype);
}

/**
 * @param {Extractor} extractor
 * @param {CallOptions | undefined} given
 * @returns {ExtractorStream}
 */
function openStream(extractor, given) {
  ready();
  const { row, settings, name } = extractor;
  const options = readCall(row, given);
  const dtype = readDType(options.dtype);
  checkRates(settings.sampling_rate, options.sampling_rate, []);
  const prepared = preparedOf(extractor);
  const steps = row.stream?.({ settings, prepared, options }) ?? keptSamples(extractor, options);
  /** @type {(work: () => Outputs | undefined) => Outputs | undefined} */
  const part = (work) =>
    named(`${name}FeatureExtractor`, () => {
      const outputs = work();
      return outputs && withType(outputs, dtype);
    });
  return {
    push: (samples) =>
      part(() => {
        const waveform = readWaveform('samples', samples, row.wide);
        checkRates(settings.sampling_rate, options.sampling_rate, [waveform]);
        return steps.push(monoOf([waveform])[0]);
      }),
    end: () => part(() => steps.end()),
    axes: row.axes,
  };
}

/**
 * Steps that keep samples: for classes of which every output needs all of them.
 * @param {Extractor} extractor
 * @param {CallOptions} options
 * @returns {StreamSteps}
 */
function keptSamples({ row, settings, prepared }, options) {
  /** @type {any[]} */
  const kept = [];
  return {
    push: (samples) => void kept.push(samples.slice()),
    end() {
      const Class = kept[0]?.constructor ?? Float32Array;
      const all = new Class(kept.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const piece of kept) {
        all.set(piece, at);
        at += piece.length;
      }
      return row.make({ settings, prepared: prepared.value, batch: [{ channels: [all] }], options });
    },
  };
}

/**
 * The tables of an extractor, made at its first call.
 * @param {Extractor} extractor
 */
export function preparedOf({ row, settings, prepared }) {
  if (!('value' in prepared)) prepared.value = row.prepare(settings);
  return prepared.value;
}

/**
 * @param {unknown} dtype
 */
function readDType(dtype) {
  if (dtype === undefined) return undefined;
  const found = dtypeOf(dtype);
  if (found && floatTypes.includes(found.name)) return found;
  return typeError(`dtype must be ${either(floatTypes)}, got ${show(dtype)}`);
}

/**
 * Refuses audio of another rate than the model's.
 * @param {number} rate the model's
 * @param {unknown} stated the option
 * @param {readonly Waveform[]} batch
 */
function checkRates(rate, stated, batch) {
  if (stated !== undefined && typeof stated !== 'number')
    typeError(`sampling_rate must be a number, got ${show(stated)}`);
  batch.forEach((one, i) => {
    const which = batch.length > 1 ? `audio[${i}]` : 'audio';
    if (one.rate !== undefined && stated !== undefined && one.rate !== stated)
      rangeError(`sampling_rate must be that of ${which}, ${one.rate}, got ${stated}`);
  });
  for (const given of [stated, ...batch.map((one) => one.rate)]) {
    if (given !== undefined && given !== rate)
      rangeError(`sampling_rate must be ${rate}, got ${given}: resampleAudio changes it`);
  }
}
