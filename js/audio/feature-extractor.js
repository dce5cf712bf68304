/** Feature extractors, as transformers has them: from a configuration to what a model takes. */
import * as args from '../arguments/index.js';
import { ready, SampleBuffer } from '../engines/audio/index.js';
import { dtypeOf } from '../tensor/index.js';
import { batchName, monoOf, rateOf, readBatch, readWaveform } from './audio.js';
import { readCall, readClass, readExtractorFiles, readSettings, throwHeldErrors } from './configuration.js';
import { withType } from './tensors.js';

/** @import { Waveform } from './audio.js' */
/** @import { AudioClassName, AudioClassOf, Call, CallOptions, Extractor, ExtractorOptions } from './types.js' */
/** @import { ExtractorStream, FeatureExtractor, Outputs, StreamCall, StreamOut, StreamSteps } from './types.js' */
/** @import { Spectrum } from '../engines/audio/types.js' */
/** @import { DType } from '../tensor/index.js' */

const floatTypes = ['float32', 'float16', 'bfloat16'];

/**
 * Makes a feature extractor of a configuration. It gives the tensors that transformers 5 gives in Python by its NumPy
 * path, under their names there; the README says for each class how near.
 *
 * - The configuration is a parsed file, its text, or files by name: an object whose keys end in .json. The `model_type`
 *   of `config.json` tells the class where nothing else does.
 * - Audio is a Float32Array, a Float64Array, an Int16Array (scaled by 1 / 32768, which Python does not do), numbers,
 *   `{ channelData, sampleRate }`, an AudioBuffer or an AudioData. A list of these is a batch. Where shapes differ, an
 *   output is a list of tensors.
 * - The function's options are those of Python's call, by name. `sampling_rate`, or the rate that the audio carries,
 *   must be the model's. CLAP's random places may be given as `offsets`. `dtype` is that of float outputs: float16 and
 *   bfloat16 are the float32 numbers, rounded once.
 * - `stream(options)` takes audio in pieces: `push(samples)` and `end()` give `{ name: Tensor }` or undefined. Where an
 *   output needs all of the audio, as Whisper's maximum does, it comes at the end.
 * @template {object | string} const Config
 * @template {AudioClassName | (string & {})} [Name=AudioClassOf<Config>]
 * @param {Config} config
 * @param {ExtractorOptions<Name>} [options]
 * @returns {FeatureExtractor<Name>} with its `className`, its `sampling_rate` and the configuration's `ignored` keys
 * @example
 * const extract = featureExtractor({ feature_extractor_type: 'WhisperFeatureExtractor' });
 * extract(new Float32Array(16000)).input_features.dims; // [1, 80, 3000]
 */
export function featureExtractor(config, options) {
  const { extractor, ignored } = args.named('featureExtractor', () => readExtractor(config, options));
  const { className, settings } = extractor;
  /** @type {(audio: unknown, options?: CallOptions) => Outputs} */
  const extract = (audio, options) => args.named(className, () => extractOutputs(extractor, audio, options));
  /** @type {(options?: CallOptions) => ExtractorStream} */
  const stream = (options) => args.named(className, () => openStream(extractor, options));
  const { sampling_rate } = settings;
  return /** @type {FeatureExtractor<Name>} */ (
    Object.assign(extract, { stream, className, sampling_rate, ignored: Object.freeze(ignored) })
  );
}

const makerTable = {
  className: args.later,
  maxBytes: args.readMaxBytes,
  unknown: args.word(['refuse', 'ignore'], 'refuse'),
};

/** Reads a configuration: its class, the settings of the class, and the keys that the class ignores.
 * @type {(config: unknown, options: ExtractorOptions | undefined) => { extractor: Extractor, ignored: string[] }} */
function readExtractor(config, options) {
  const { className: chosen, maxBytes, unknown } = args.readTable(options, makerTable);
  const files = readExtractorFiles(config);
  const { className, row } = readClass(files, chosen);
  const { settings, ignored, heldErrors } = readSettings(row, files.file);
  const ignoresUnknown = unknown === 'ignore';
  return { extractor: { className, row, settings, heldErrors, prepared: {}, maxBytes, ignoresUnknown }, ignored };
}

/** Reads the type of float outputs; undefined if the call leaves it out.
 * @type {(name: string | undefined) => DType | undefined} */
function readDtype(name) {
  if (name === undefined) return undefined;
  const dtype = dtypeOf(name);
  if (dtype && floatTypes.includes(dtype.name)) return dtype;
  return args.typeError(`dtype must be ${args.either(floatTypes)}, got ${args.show(name)}`);
}

/** Reads and checks the options with which a call or a stream starts. The first call also makes the windows and filters
 * of the class, which `prepared` keeps for later calls. `castOutputs` casts outputs to the `dtype` of the options.
 * @type {(extractor: Extractor, callerOptions: CallOptions | undefined) =>
 *   { call: StreamCall, castOutputs: <Given extends Outputs | undefined>(outputs: Given) => Given }} */
function beginCall({ row, settings, heldErrors, prepared, ignoresUnknown }, callerOptions) {
  ready();
  const options = readCall(row, callerOptions, ignoresUnknown);
  throwHeldErrors(heldErrors, settings, options);
  const dtype = readDtype(options.dtype);
  if (options.sampling_rate !== undefined) args.readFinite('sampling_rate', options.sampling_rate);
  // `in`, because a class without tables prepares undefined.
  if (!('value' in prepared)) prepared.value = row.prepare(settings, row);
  /** @type {StreamCall} */
  const call = { ...settings, row, prepared: /** @type {Spectrum} */ (prepared.value), options };
  // Refuses a wrong rate of the options before any audio is read.
  const noAudio = /** @type {Waveform[]} */ ([]);
  checkRates(call, noAudio);
  return { call, castOutputs: (outputs) => outputs && /** @type {typeof outputs} */ (withType(outputs, dtype)) };
}

/** Makes the outputs of a waveform or of a batch. A class that may lack audio takes null as an empty batch.
 * @type {(extractor: Extractor, audio: unknown, options: CallOptions | undefined) => Outputs} */
function extractOutputs(extractor, audio, options) {
  const { row, maxBytes } = extractor;
  const { call, castOutputs } = beginCall(extractor, options);
  const isMissing = audio === undefined || audio === null;
  const batch = row.mayLackAudio && isMissing ? [] : readBatch('audio', audio, row.keepsFloat64);
  checkRates(call, batch);
  const budget = args.makeBudget('audio', maxBytes, batch.length);
  const waveforms = /** @type {Call['batch']} */ (batch);
  return args.spending(budget, () => castOutputs(row.makeOutputs({ ...call, batch: waveforms })));
}

/** Opens a stream. Where the class has no steps for pieces, all samples are kept, and the outputs come at the end.
 * @type {(extractor: Extractor, options: CallOptions | undefined) => ExtractorStream} */
function openStream(extractor, options) {
  const { row, className, maxBytes } = extractor;
  const { call, castOutputs } = beginCall(extractor, options);
  const steps = row.stream(call) ?? keepSamples(call);
  /** Runs a step of the stream within the limit of bytes, and casts its outputs. `work` gets the caller's option `out`.
   * @type {(options: { out?: StreamOut } | undefined, work: (out?: StreamOut) => Outputs | undefined) =>
   *   Outputs | undefined} */
  const runStep = (options, work) =>
    args.named(className, () => {
      const { out } = args.readOptions(options, ['out']);
      return args.spending(args.makeBudget('audio', maxBytes), () => castOutputs(work(out)));
    });
  return {
    push: (samples, options) =>
      runStep(options, (out) => {
        const waveform = readWaveform('samples', samples, row.keepsFloat64);
        if (waveform.rate !== undefined) checkRates(call, [waveform]);
        return steps.push(/** @type {Float32Array} */ (monoOf([waveform])[0]), out);
      }),
    end: (options) => runStep(options, (out) => steps.end(out)),
    axes: row.axes,
  };
}

/** Makes the steps of a stream that keeps all samples and makes the outputs at the end.
 * @type {(call: StreamCall) => StreamSteps} */
function keepSamples(call) {
  const buffer = new SampleBuffer();
  return {
    push: (samples) => void buffer.push(samples),
    end: () => call.row.makeOutputs({ ...call, batch: [{ channels: [/** @type {Float32Array} */ (buffer.data)] }] }),
  };
}

/** Refuses another rate than the model's. Audio without any rate is taken to have the model's.
 * @type {(call: StreamCall, batch: readonly Waveform[]) => void} */
function checkRates({ sampling_rate: rate, options: { sampling_rate: stated } }, batch) {
  const rates = batch.map((waveform, i) => rateOf(batchName(batch, i), waveform.rate, stated));
  for (const audioRate of [...rates, stated])
    if (audioRate !== undefined && audioRate !== rate)
      args.rangeError(`sampling_rate must be ${rate}, got ${audioRate}: resampleAudio changes it`);
}
