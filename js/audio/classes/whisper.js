/** Whisper's features and those of its kin: log10 of mel energies, at most 8 below the maximum. */
import { countFrom, largest, rangeError, readBoolean, spend } from '../../arguments/index.js';
import { reduceNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { frameSteps, keepFrames } from '../frame-stream.js';
import { centered, checkSamples, featuresOf, raised, standardized, torchCentered, withColumns } from '../frames.js';
import {
  cutOf,
  everyHop,
  steppedMask,
  firstsOf,
  isUnpadded,
  longest,
  maskOf,
  paddedLength,
  paddedSeconds,
  padItems,
  padOptions,
  readPadding,
  roundUp,
  sampleMask,
  surrounded,
} from '../padding.js';
import { returnsMask, outputsOf } from '../rows.js';
import { batchOf, longs, stackOf } from '../tensors.js';

/** @import { Spectrum } from '../../engines/audio/types.js' */
/** @import { Features, PaddedItem, Row, StreamCall, StreamSteps } from '../types.js' */

const mels = /** @type {const} */ ({
  high: 8000,
  slaneyNorm: true,
  melScale: 'slaney',
  floor: 1e-10,
  logarithm: 'log10',
});
/** NumPy's: bins rounded to complex64. */
const numpySpectrum = () => ({ ...mels, narrowBins: true });
/** torch's: a float32 window and bank, everything else in float64. */
const torchSpectrum = () =>
  /** @type {const} */ ({ ...mels, window: 'torchHann', narrowWindow: true, precision: 'float32' });

const defaults = {
  feature_size: 80,
  hop_length: 160,
  chunk_length: 30,
  n_fft: 400,
  dither: 0,
  return_attention_mask: false,
};
const many = { ...defaults, feature_size: 128 };

const padding = paddedSeconds('chunk_length');

/** Computes Whisper's features of a waveform, [mels, frames]: log10 of the energies, at most 8 below the maximum, then
 * plus 4 and divided by 4. Whisper drops the last frame.
 * @type {(spectrum: Spectrum, samples: Float32Array) => Features} */
const whisperFeatures = (spectrum, samples) =>
  raised(featuresOf(spectrum, samples, { ...centered(spectrum), dropped: 1, byColumns: true }));

/** Computes Whisper's features as torch does, which refuses audio of half a frame or less: it has no samples to
 * reflect.
 * @type {typeof whisperFeatures} */
function torchFeatures(spectrum, samples) {
  torchCentered(spectrum, samples.length);
  return whisperFeatures(spectrum, samples);
}

/** Opens a stream that keeps frames instead of samples until all are there and their maximum is known. Undefined where
 * the samples themselves are needed: to normalize them, or to pad them on the left.
 * @type {(call: StreamCall) => StreamSteps | undefined} */
function whisperStream(call) {
  const { prepared } = call;
  const padded = readPadding(call, padding(call));
  if (call.options.do_normalize || padded.isLeft) return undefined;
  const frames = keepFrames(prepared, { ...centered(prepared), dropped: 1 });
  const { buffer } = frames;
  const limit = cutOf(padded);
  return {
    /** Takes samples until there are `limit`, the length at which truncation cuts. */
    push(samples) {
      const room = limit - buffer.received;
      frames.push(room < samples.length ? samples.subarray(0, room) : samples);
    },
    /** Pads the stream, and makes features and mask of the frames. */
    end() {
      const { received: end } = buffer;
      const length = paddedLength(end, padded);
      // Checked against the call's limit of bytes before padding is made: 4 bytes a sample.
      spend(4 * (length - end));
      // Padding, in blocks of at most 65,536 samples.
      while (buffer.received < length)
        frames.push(new Float32Array(Math.min(2 ** 16, length - buffer.received)).fill(padded.value));
      const features = raised(frames.end(true));
      // outputsOf gets the one item of the batch, whose features are there already; the mask reads these members of it.
      const item = /** @type {PaddedItem} */ ({ length, first: 0, end });
      return outputsOf({ ...call, row: { ...call.row, item: () => features } }, [item]);
    },
  };
}

/** Cuts samples into pieces of `length`, the last of which may be shorter. Empty audio is one empty piece. The pieces
 * share the memory of the samples.
 * @type {(samples: Float32Array, length: number) => { data: Float32Array }[]} */
function piecesOf(samples, length) {
  if (!(length >= 1)) rangeError(`a chunk must have at least 1 sample, got ${length}`);
  return Array.from({ length: Math.max(1, Math.ceil(samples.length / length)) }, (_, i) => ({
    data: samples.subarray(i * length, (i + 1) * length),
  }));
}

/** @type {Record<string, Partial<Row>>} */
export const whisper = {
  Whisper: {
    axes: { input_features: 2, attention_mask: 1 },
    defaults,
    options: { ...padOptions, return_attention_mask: readBoolean, do_normalize: readBoolean },
    spectrum: numpySpectrum,
    padding,
    isEven: true,
    /** Makes Whisper's features [mels, frames] of a padded waveform. With `do_normalize` its first samples, as many as
     * are real, get mean 0 and variance 1, and the others become the padding. */
    item({ data, first, end }, { prepared, options, padding_value: value }) {
      const isPlain = !options.do_normalize;
      return whisperFeatures(prepared, isPlain ? data : standardized(data, end - first, value));
    },
    // An entry a frame if the call asks for that, otherwise an entry a sample.
    mask: (item, call) => (returnsMask.ifAsked(call) ? everyHop(item, call) : maskOf(item)),
    asked: ({ return_attention_mask: stated, options: { return_attention_mask: asked, do_normalize: normalizes } }) =>
      asked || normalizes || ((asked ?? normalizes) === undefined && stated),
    stream: whisperStream,
  },
  MossTranscribeDiarize: {
    axes: { input_features: 2, input_features_mask: 1, padding_mask: 1 },
    defaults,
    // `truncation` has no effect: no piece is longer than the model's window.
    options: { truncation: padOptions.truncation, pad_to_multiple_of: padOptions.pad_to_multiple_of },
    spectrum: numpySpectrum,
    item: ({ data }, { prepared }) => whisperFeatures(prepared, data),
    mask: everyHop,
    asked: returnsMask.always,
    /** Cuts each waveform into pieces as long as the model's window, and makes an item of the batch of each piece.
     * `padding_mask`, [waveforms, samples], tells the real samples of the whole waveforms. */
    makeOutputs(call) {
      const waves = monoOf(call.batch);
      // The window has `chunk_length` seconds (`max_length` samples); each piece is padded to it.
      const all = padding(call);
      const padded = readPadding(call, all);
      const pieces = waves.flatMap((samples) => piecesOf(samples, all.max_length));
      const lengths = waves.map(({ length }) => length);
      const longest = largest(lengths);
      return {
        ...outputsOf(call, padItems(pieces, padded)),
        padding_mask: batchOf(
          'int64',
          lengths.map((length) => firstsOf(length, longest)),
        ),
      };
    },
  },
  Qwen3ASR: {
    axes: { input_features: 2, attention_mask: 1 },
    defaults: { ...many, return_attention_mask: true, n_window: 50, min_length: 8000 },
    options: { ...padOptions, return_attention_mask: readBoolean, n_window: countFrom(0) },
    spectrum: torchSpectrum,
    padding: (settings) => ({ ...padding(settings), truncation: false }),
    wave: (samples, { min_length: least }) => surrounded(samples, 0, least - samples.length),
    /** Makes Whisper's features [mels, frames] of a padded waveform. Columns are appended until the frames are a
     * multiple of 2 * n_window. */
    item({ data }, call) {
      const features = torchFeatures(call.prepared, data);
      // A window of 0 appends nothing.
      return withColumns(features, roundUp(features.frames, 2 * (call.options.n_window ?? call.n_window)));
    },
    mask: (item, { hop_length: hop }, { frames = 0 }) =>
      steppedMask({ ...item, end: Math.min(item.end, item.length - (item.length % hop)) }, 0, hop, frames * hop),
    asked: returnsMask.ifAsked,
  },
  Dots3Note: {
    axes: { input_features: 2, chunk_sample_lengths: 0, num_audio_tokens: 0 },
    defaults: { ...many, chunk_length: 60, chunk_seconds: null },
    options: {},
    spectrum: torchSpectrum,
    /** Cuts the waveforms into pieces of `chunk_seconds`, and makes an item of the batch of each. A token is 8 frames.
     * All pieces are padded to full length, but their features [mels, frames] are cut to the tokens of the longest.
     * `chunk_sample_lengths`: samples of each piece; `num_audio_tokens`: tokens of each waveform. */
    makeOutputs(call) {
      const limit = (call.chunk_seconds ?? call.chunk_length) * call.sampling_rate;
      const pieces = monoOf(call.batch).map((samples) => piecesOf(samples, limit));
      const tokensOf = (/** @type {{ data: Float32Array }} */ { data }) =>
        Math.ceil(data.length / (call.hop_length * 8));
      const all = pieces.flat();
      const items = padItems(all, readPadding({ ...call, options: { padding: 'max_length', max_length: limit } }));
      const frameLimit = largest(all.map(tokensOf)) * 8;
      const pieceFeatures = items.map(({ data }) => {
        const features = torchFeatures(call.prepared, data);
        return withColumns(features, Math.min(features.frames, frameLimit));
      });
      return {
        input_features: stackOf('float32', pieceFeatures),
        chunk_sample_lengths: longs(all.map(({ data }) => data.length)),
        num_audio_tokens: longs(pieces.map((list) => list.reduce((sum, piece) => sum + tokensOf(piece), 0))),
      };
    },
  },
  VoxtralRealtime: {
    axes: { input_features: 2, attention_mask: 1 },
    defaults: { feature_size: 128, hop_length: 160, n_fft: 400, win_length: 400, global_log_mel_max: 1.5 },
    nullable: ['global_log_mel_max'],
    options: { ...padOptions, return_attention_mask: readBoolean, center: readBoolean },
    spectrum: torchSpectrum,
    padding: longest,
    /** Computes the logarithms of mel energies, [mels, frames], of a padded waveform without its last frame. `all` then
     * raises them. */
    item({ data }, { prepared, options }) {
      const isCentered = options.center ?? true;
      // torch refuses audio without a frame; torchCentered refuses audio too short to reflect.
      if (!isCentered) checkSamples(data.length, prepared.frameLength);
      const cut = isCentered ? torchCentered(prepared, data.length) : {};
      return featuresOf(prepared, data, { ...cut, dropped: 1, byColumns: true });
    },
    /** Raises the numbers of all items, in place, to at most 8 below `global_log_mel_max` or, if that is null, below
     * the largest of the batch; then x becomes (x + 4) / 4. */
    all(items, { global_log_mel_max: stated }) {
      const top = stated ?? largest(items.map(({ data }) => reduceNumbers(data, 'maximum')));
      for (const item of items) raised(item, Math.fround(top));
    },
    mask: sampleMask,
    maskType: 'bool',
    asked: returnsMask.ifAsked,
    /** Opens a stream of frames; undefined where frames depend on what comes later: on the maximum of all without
     * `global_log_mel_max`, on the length to which the call pads or cuts the audio, or on which frame is the last. */
    stream(call) {
      const { prepared, options, hop_length: hop, global_log_mel_max: top } = call;
      // The last frame is dropped. It reads padding behind the end, so that no push gives it, if frames are centered
      // and a hop is at most half a frame; otherwise a push could give it before the end shows that it is the last.
      const isLastAtEnd = (options.center ?? true) && hop <= prepared.frameLength / 2;
      if (!isLastAtEnd || top === null || !isUnpadded(call)) return undefined;
      return frameSteps(
        prepared,
        { ...centered(prepared), byColumns: true, dropped: 1 },
        {
          change: (matrix) => raised(matrix, Math.fround(top)),
          mask: returnsMask.ifAsked(call) && [call.win_length, call.hop_length],
        },
      );
    },
  },
};
