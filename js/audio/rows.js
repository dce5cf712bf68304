/**
 * The steps that most feature extractors share: waveforms, or their frames, are padded, and each item becomes features
 * and a mask. A row of the table is one class of extractors: its settings, and the steps of its own in place of these.
 */
import { readBoolean } from '../arguments/index.js';
import { makeSpectrum } from '../engines/audio/index.js';
import { monoOf } from './audio.js';
import { keepFrames } from './frame-stream.js';
import { featuresOf } from './frames.js';
import { maskOf, ownItem, padItems, padOptions, readPadding } from './padding.js';
import { batchOf, checkEven, stackOf } from './tensors.js';

/** @import { Spectrum, SpectrumSettings } from '../engines/audio/types.js' */
/** @import { Call, Outputs, PaddedItem, Padding, Row, Settings, StreamCall, StreamSteps } from './types.js' */

/** Settings of every class. */
const base = { feature_size: 1, sampling_rate: 16000, padding_side: 'right', padding_value: 0 };

/** Whether a call returns its mask. All but `always` go by the option `return_attention_mask`; they differ in what
 * holds without it: the file's setting of that name, yes, or no. */
export const returnsMask = {
  always: () => true,
  bySetting: (/** @type {StreamCall} */ { options, return_attention_mask: stated }) =>
    options.return_attention_mask ?? stated,
  unlessRefused: (/** @type {StreamCall} */ { options }) => options.return_attention_mask ?? true,
  ifAsked: (/** @type {StreamCall} */ { options }) => options.return_attention_mask,
};

/** Makes the windows and filters of a class, from the settings that have the same names in most classes, and from those
 * of the class's row, which win.
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

/** Makes the outputs of a batch of padded waveforms or frames: features and, if the call returns it, the mask. Their
 * names are the first two of the row's `axes`.
 * @type {(call: StreamCall, items: PaddedItem[]) => Outputs} */
export function outputsOf(call, items) {
  const { row } = call;
  const [featuresName, maskName] = Object.keys(row.axes);
  if (row.needsEqualLengths) checkEven(items.map(({ length }) => length));
  const features = items.map((item) => row.makeItem(item, call, items));
  row.changeItems?.(features, call);
  const join = row.mustStack ? stackOf : batchOf;
  /** @type {Outputs} */
  const outputs = { [featuresName]: join('float32', features) };
  if (maskName && row.givesMask(call)) {
    const masks = items.map((item, i) => row.makeMask(item, call, features[i]));
    outputs[maskName] = join(row.maskType, masks);
  }
  return outputs;
}

/** Cuts and pads the waveforms of a call or, if the row pads frames, makes their frames and pads these.
 * @type {(call: Call) => PaddedItem[]} */
export function itemsOf(call) {
  const { changeWave, padsFrames, byColumns, changeFrames } = call.row;
  const padding = paddingOf(call);
  const items = monoOf(call.batch).map((samples) => {
    const data = changeWave(samples, call);
    return padsFrames ? changeFrames(featuresOf(call.prepared, data, { byColumns }), call) : { data };
  });
  return padItems(items, padding);
}

/** Makes the steps of a stream that computes frames as samples come, and gives all outputs at the end. Without the
 * row's `changeWave`: a row that pads frames and changes waveforms has a `stream` of its own.
 * @type {(call: StreamCall) => StreamSteps} */
function framesAtEnd(call) {
  const { row } = call;
  const frameStore = keepFrames(call.prepared);
  return {
    push: (samples) => void frameStore.push(samples),
    end() {
      const frames = row.changeFrames(frameStore.end(row.byColumns), call);
      return outputsOf(call, padItems([frames], paddingOf(call)));
    },
  };
}

/** The steps of a row that does not have its own.
 * @type {Omit<Row, 'defaults'>} */
const sharedSteps = {
  axes: { input_features: 1, attention_mask: 1 },
  options: { ...padOptions, return_attention_mask: readBoolean },
  // A class without a spectrogram prepares undefined.
  prepare: (settings, { spectrum: settingsOfRow }) => settingsOfRow && spectrumOf(settings, settingsOfRow(settings)),
  padding: () => ({}),
  mustStack: true,
  changeWave: (samples) => samples,
  changeFrames: (features) => features,
  makeItem: ownItem,
  // Features that state how many of their frames are real have a mask of frames; others one of the item's rows.
  makeMask: (item, _, { count, frames }) =>
    maskOf(count === undefined ? item : { length: /** @type {number} */ (frames), end: count }),
  maskType: 'int32',
  givesMask: returnsMask.bySetting,
  makeOutputs: (call) => outputsOf(call, itemsOf(call)),
  stream: (call) => (call.row.padsFrames ? framesAtEnd(call) : undefined),
};

/** Completes a row of the table by the steps and settings that all classes share; those of the row win.
 * @type {(row: Partial<Row>) => Row} */
export const rowOf = (row) => ({
  ...sharedSteps,
  ...row,
  defaults: { ...base, return_attention_mask: true, ...row.defaults },
});
