/**
 * The steps that all rows of the table share: waveforms, or their frames, are padded, and each item becomes features
 * and a mask. A row that leaves out a step has the one of `row`.
 */
import { readBoolean } from '../arguments/index.js';
import { makeSpectrum } from '../engines/audio/index.js';
import { monoOf } from './audio.js';
import { keepFrames } from './frame-stream.js';
import { featuresOf } from './frames.js';
import { maskOfFirst, maskOf, ownItem, padItems, padOptions, readPadding } from './padding.js';
import { batchOf, checkEven, stackOf } from './tensors.js';

/** @import { Spectrum, SpectrumSettings } from '../engines/audio/types.js' */
/** @import { Call, Outputs, PaddedItem, Padding, Row, Settings, StreamCall, StreamSteps } from './types.js' */

/** Settings of every class. */
const base = { feature_size: 1, sampling_rate: 16000, padding_side: 'right', padding_value: 0 };

/** Ways to decide whether a call returns its mask: all but `always` by the option `return_attention_mask` or, if it is
 * omitted, by the setting of that name, with yes, or with no. */
export const returnsMask = {
  always: () => true,
  bySetting: (/** @type {StreamCall} */ { options, return_attention_mask: stated }) =>
    options.return_attention_mask ?? stated,
  unlessRefused: (/** @type {StreamCall} */ { options }) => options.return_attention_mask ?? true,
  ifAsked: (/** @type {StreamCall} */ { options }) => options.return_attention_mask,
};

/** `settings` have names that most classes share; those of a row win.
 * @type {(settings: Settings, settingsOfRow: Partial<SpectrumSettings>) => Spectrum} */
export const spectrumOf = (settings, settingsOfRow) =>
  makeSpectrum({
    frameLength: settings.n_fft,
    hop: settings.hop_length,
    filters: settings.num_mel_bins ?? settings.feature_size,
    rate: settings.sampling_rate,
    window: 'hann',
    logarithm: 'log',
    ...settingsOfRow,
  });

/** @type {(call: StreamCall) => Padding} */
const paddingOf = (call) => readPadding({ ...call, ...call.row.fixedSettings }, call.row.padding(call));

/** Features and, if the call returns it, the mask, under the first two names of the row's `axes`.
 * @type {(call: StreamCall, items: PaddedItem[]) => Outputs} */
export function outputsOf(call, items) {
  const { row } = call;
  const [name, mask] = Object.keys(row.axes);
  if (row.needsEqualLengths) checkEven(items.map(({ length }) => length));
  const results = items.map((item) => row.makeItem(item, call, items));
  row.changeItems?.(results, call);
  // A list instead of a tensor if the row allows items that differ in length.
  const join = row.mustStack ? stackOf : batchOf;
  /** @type {Outputs} */
  const outputs = { [name]: join('float32', results) };
  if (mask && row.givesMask(call)) {
    const masks = items.map((item, i) => row.makeMask(item, call, results[i]));
    outputs[mask] = join(row.maskType, masks);
  }
  return outputs;
}

/** @type {(call: Call) => PaddedItem[]} */
export function itemsOf(call) {
  const { changeWave, padsFrames, byColumns, changeFrames } = call.row;
  const padding = paddingOf(call);
  const items = monoOf(call.batch).map((samples) => {
    const data = changeWave(samples, call);
    return padsFrames ? changeFrames(featuresOf(call.prepared, data, { byColumns }), call) : { data };
  });
  return padItems(items, padding);
}

/** Keeps frames until the end. The row's `changeWave` is left out: a row that pads frames and changes waveforms has a
 * `stream` of its own.
 * @type {(call: StreamCall) => StreamSteps} */
function framesAtEnd(call) {
  const { row } = call;
  const { push, end } = keepFrames(call.prepared);
  return {
    push: (samples) => void push(samples),
    end: () => outputsOf(call, padItems([row.changeFrames(end(row.byColumns), call)], paddingOf(call))),
  };
}

/** @type {Omit<Row, 'defaults'>} */
const omitted = {
  axes: { input_features: 1, attention_mask: 1 },
  options: { ...padOptions, return_attention_mask: readBoolean },
  prepare: (settings, { spectrum }) => spectrum && spectrumOf(settings, spectrum(settings)),
  padding: () => ({}),
  mustStack: true,
  changeWave: (samples) => samples,
  changeFrames: (features) => features,
  makeItem: ownItem,
  makeMask: (item, _, { count, frames }) =>
    count === undefined ? maskOf(item) : maskOfFirst(count, /** @type {number} */ (frames)),
  maskType: 'int32',
  givesMask: returnsMask.bySetting,
  makeOutputs: (call) => outputsOf(call, itemsOf(call)),
  stream: (call) => (call.row.padsFrames ? framesAtEnd(call) : undefined),
};

/** Completes a row of the table by the steps and the settings that all classes share; those of the row win.
 * @type {(row: Partial<Row>) => Row} */
export const rowOf = (row) => ({
  ...omitted,
  ...row,
  defaults: { ...base, return_attention_mask: true, ...row.defaults },
});
