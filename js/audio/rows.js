/**
 * The steps that all rows of the table share: waveforms, or their frames, are padded, and each item becomes features
 * and a mask. A row that leaves out a step has the one of `row`.
 */
import { makeSpectrum } from '../audio-engine/index.js';
import { monoOf } from './audio.js';
import { FrameStream, joinFrames } from './frame-stream.js';
import { featuresOf } from './frames.js';
import { maskOf, ownData, padItems, padOptions, readPadding } from './padding.js';
import { batchOf, checkEven, stackOf } from './tensors.js';

/** @import { Spectrum } from '../audio-engine/types.js' */
/** @import { Call, Outputs, PaddedItem, Padding, Row, Settings, StreamCall, StreamSteps } from './types.js' */

/** Settings of every class. */
const base = { feature_size: 1, sampling_rate: 16000, padding_side: 'right', padding_value: 0 };

/** Whether a call gives its mask: its option decides, and where it has none these. */
export const asks = {
  always: () => true,
  settings: (/** @type {StreamCall} */ { settings, options }) =>
    options.return_attention_mask ?? settings.return_attention_mask,
  yes: (/** @type {StreamCall} */ { options }) => options.return_attention_mask ?? true,
  no: (/** @type {StreamCall} */ { options }) => options.return_attention_mask,
};

/** The spectrogram of a row: by the names that settings have in most classes, then by the row's own.
 * @type {(row: Row, settings: Settings) => Spectrum | undefined} */
export const spectrumOf = ({ spectrum }, settings) =>
  spectrum &&
  makeSpectrum({
    frameLength: settings.n_fft,
    hop: settings.hop_length,
    filters: settings.num_mel_bins ?? settings.feature_size,
    rate: settings.sampling_rate,
    window: 'hann',
    logarithm: 'log',
    .../** @type {any} */ (spectrum(settings)),
  });

/** @type {(row: Row, call: StreamCall) => Padding} */
const paddingOf = (row, { settings, options }) =>
  readPadding({ ...settings, ...row.fixed }, options, row.padding(settings, options));

/** @type {(row: Row, call: StreamCall, items: PaddedItem[]) => Outputs} The outputs of padded items. */
export function outputsOf(row, call, items) {
  const [name, mask] = Object.keys(row.axes);
  if (row.isEven) checkEven(items.map(({ length }) => length));
  const made = items.map((item) => row.item(item, call, items));
  row.all?.(made, call);
  const join = row.stacks ? stackOf : batchOf;
  /** @type {Outputs} */
  const outputs = { [name]: join('float32', made) };
  if (mask && row.asked(call)) {
    const masks = items.map((item, i) => row.mask(item, call, made[i]));
    outputs[mask] = join(row.maskType, masks);
  }
  return outputs;
}

/** @type {(row: Row, call: Call) => PaddedItem[]} The padded items of a call. */
export function itemsOf(row, call) {
  const { wave, padsFrames, byColumns, finish } = row;
  const padding = paddingOf(row, call);
  const items = monoOf(call.batch).map((samples) => {
    const data = wave(samples, call);
    return padsFrames ? finish(featuresOf(call.prepared, data, { byColumns }), call) : { data };
  });
  return padItems(items, padding);
}

/** @type {(row: Row, call: StreamCall) => StreamSteps} A stream that keeps frames until the end. */
function keptFrames(row, call) {
  const stream = new FrameStream(call.prepared);
  /** @type {any[]} */
  const blocks = [];
  return {
    push: (samples) => void blocks.push(stream.push(samples)),
    end() {
      const made = joinFrames([...blocks, stream.end()], call.prepared.width, row.byColumns);
      return outputsOf(row, call, padItems([row.finish(made, call)], paddingOf(row, call)));
    },
  };
}

/** @type {Omit<Row, 'axes' | 'defaults' | 'prepare' | 'make' | 'stream'>} */
const omitted = {
  options: [...padOptions, 'return_attention_mask'],
  padding: () => ({}),
  stacks: true,
  wave: (samples) => samples,
  finish: (made) => made,
  item: (item) => ({ data: ownData(item), dims: [item.length] }),
  mask: maskOf,
  maskType: 'int32',
  asked: asks.settings,
};

/** @type {(own: Partial<Row>) => Row} A row of the table. */
export function row(own) {
  /** @type {Row} */
  const made = {
    ...omitted,
    axes: { input_features: 1, attention_mask: 1 },
    prepare: (settings) => spectrumOf(made, settings),
    make: (call) => outputsOf(made, call, itemsOf(made, call)),
    stream: (call) => (made.padsFrames ? keptFrames(made, call) : undefined),
    ...own,
    defaults: { ...base, return_attention_mask: true, ...own.defaults },
  };
  return made;
}
