/** Whisper's features and those of its kin: log10 of mel energies, at most 8 below the maximum. */
import { countFrom, largest, rangeError, readBoolean, spend } from '../../arguments/index.js';
import { reduceNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { frameSteps, keepFrames, windowOf } from '../frame-stream.js';
import {
  halfFramePadding,
  checkSamples,
  featuresOf,
  raiseByMaximum,
  standardizeSamples,
  torchPadding,
  resizeToFrames,
} from '../frames.js';
import {
  truncatedLength,
  whisperMask,
  makeSteppedMask,
  isUnpadded,
  longest,
  maskOf,
  paddedLength,
  paddedSeconds,
  padItems,
  padOptions,
  readPadding,
  roundDown,
  roundUp,
  windowMask,
  padSamples,
} from '../padding.js';
import { returnsMask, outputsOf } from '../rows.js';
import { batchOf, longs, stackOf } from '../tensors.js';

/** @import { Spectrum } from '../../engines/audio/types.js' */
/** @import { Features, PaddedItem, Row, StreamCall, StreamSteps } from '../types.js' */

/** The settings that both libraries share. */
const melSettings = /** @type {const} */ ({
  high: 8000,
  slaneyNorm: true,
  melScale: 'slaney',
  floor: 1e-10,
  logarithm: 'log10',
});
/** The settings of Whisper's mel energies as NumPy computes them. */
const numpySpectrum = () => ({ ...melSettings, narrowBins: true });
/** The settings of Whisper's mel energies as torch computes them: a float32 window and bank, the rest in float64. */
const torchSpectrum = () =>
  /** @type {const} */ ({ ...melSettings, window: 'torchHann', narrowWindow: true, precision: 'float32' });

const defaults = {
  feature_size: 80,
  hop_length: 160,
  chunk_length: 30,
  n_fft: 400,
  dither: 0,
  return_attention_mask: false,
};
const defaultsOf128Mels = { ...defaults, feature_size: 128 };

const padding = paddedSeconds('chunk_length');

/** Mel frames that Dots3Note joins to one token. */
const framesPerToken = 8;

/** Computes Whisper's features of a waveform, [mels, frames]. Whisper drops the last frame.
 * @type {(spectrum: Spectrum, samples: Float32Array) => Features} */
const whisperFeatures = (spectrum, samples) =>
  raiseByMaximum(featuresOf(spectrum, samples, { ...halfFramePadding(spectrum), dropped: 1, byColumns: true }));

/** Computes Whisper's features as torch does, which refuses audio of half a frame or less.
 * @type {typeof whisperFeatures} */
function torchFeatures(spectrum, samples) {
  torchPadding(spectrum, samples.length);
  return whisperFeatures(spectrum, samples);
}

/** Samples of padding that a stream gets at once. */
const maxPaddingBlock = 2 ** 16;

const bytesPerSample = 4;

/** Pushes `count` samples of padding, all `value`, to a store of frames. Never more than a block of them is in memory.
 * @type {(frameStore: ReturnType<typeof keepFrames>, count: number, value: number) => void} */
function pushPadding(frameStore, count, value) {
  // Counts all bytes towards the call's `maxBytes`, as if they were allocated: a call refuses what a batch refuses.
  spend(bytesPerSample * count);
  for (let pushed = 0; pushed < count; pushed += maxPaddingBlock) {
    const blockLength = Math.min(maxPaddingBlock, count - pushed);
    frameStore.push(new Float32Array(blockLength).fill(value));
  }
}

/** Opens a stream that keeps frames instead of samples until all are there and their maximum is known. Undefined where
 * the samples themselves are needed: to normalize them, or to pad them on the left.
 * @type {(call: StreamCall) => StreamSteps | undefined} */
function whisperStream(call) {
  const { prepared } = call;
  const padded = readPadding(call, padding(call));
  if (call.options.do_normalize || padded.isLeft) return undefined;
  const frameStore = keepFrames(prepared, { ...halfFramePadding(prepared), dropped: 1 });
  const { buffer } = frameStore;
  const mostSamples = truncatedLength(padded);
  return {
    /** Takes samples, except those that truncation cuts off; gives nothing before the end. */
    push(samples) {
      const room = mostSamples - buffer.received;
      frameStore.push(room < samples.length ? samples.subarray(0, room) : samples);
    },
    /** Gives all outputs: the padding is pushed too, and low features are raised by the maximum of all. */
    end() {
      const { received: end } = buffer;
      const length = paddedLength(end, padded);
      const paddingSamples = length - end;
      pushPadding(frameStore, paddingSamples, padded.value);
      const byColumns = true;
      const features = raiseByMaximum(frameStore.end(byColumns));
      // outputsOf gets the features that are there already, and makes the mask from the lengths.
      const rowOfDone = { ...call.row, makeItem: () => features };
      const item = /** @type {PaddedItem} */ ({ length, first: 0, end });
      return outputsOf({ ...call, row: rowOfDone }, [item]);
    },
  };
}

/** Samples of a piece of a waveform, in the form of which `padItems` makes items.
 * @typedef {{ data: Float32Array }} Piece */

/** Cuts samples into pieces of a length, of which the last may be shorter; empty audio is one empty piece. The pieces
 * share the memory of the samples.
 * @type {(samples: Float32Array, length: number) => Piece[]} */
function cutToPieces(samples, length) {
  if (!(length >= 1)) rangeError(`a chunk must have at least 1 sample, got ${length}`);
  const count = Math.max(1, Math.ceil(samples.length / length));
  return Array.from({ length: count }, (_, i) => ({ data: samples.subarray(i * length, (i + 1) * length) }));
}

/** @type {(numbers: readonly number[]) => number} */
const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** Whether a call of Whisper returns its mask: if it asks for that or normalizes. Without both options, the setting of
 * the file decides.
 * @type {Row['givesMask']} */
function returnsWhisperMask({ return_attention_mask: stated, options }) {
  const { return_attention_mask: asked, do_normalize: normalizes } = options;
  if (asked || normalizes) return true;
  return asked === undefined && normalizes === undefined && stated;
}

/** @type {Record<string, Partial<Row>>} */
export const whisper = {
  Whisper: {
    axes: { input_features: 2, attention_mask: 1 },
    defaults,
    options: { ...padOptions, return_attention_mask: readBoolean, do_normalize: readBoolean },
    spectrum: numpySpectrum,
    padding,
    needsEqualLengths: true,
    /** Makes features [mels, frames] of a padded waveform, standardized first if the call asks for that. */
    makeItem({ data, first, end }, { prepared, options, padding_value: value }) {
      // As in Python, as many samples as are real, but always the first ones, even if padding is on the left.
      const samples = options.do_normalize ? standardizeSamples(data, end - first, value) : data;
      return whisperFeatures(prepared, samples);
    },
    /** Makes the mask: an entry for each frame if the call asks for it, as in Python, otherwise one for each sample. */
    makeMask: (item, call) => (returnsMask.ifAsked(call) ? whisperMask(item, call) : maskOf(item)),
    givesMask: returnsWhisperMask,
    stream: whisperStream,
  },
  MossTranscribeDiarize: {
    axes: { input_features: 2, input_features_mask: 1, padding_mask: 1 },
    defaults,
    // `truncation` has no effect: no piece is longer than the model's window.
    options: { truncation: padOptions.truncation, pad_to_multiple_of: padOptions.pad_to_multiple_of },
    spectrum: numpySpectrum,
    makeItem: ({ data }, { prepared }) => whisperFeatures(prepared, data),
    makeMask: whisperMask,
    givesMask: returnsMask.always,
    /** Cuts each waveform into pieces as long as the model's window, and makes an item of the batch of each piece.
     * `padding_mask`, [waveforms, samples], tells the real samples of the whole waveforms. */
    makeOutputs(call) {
      const waves = monoOf(call.batch);
      const toWindow = padding(call);
      const padded = readPadding(call, toWindow);
      const pieces = waves.flatMap((samples) => cutToPieces(samples, toWindow.max_length));
      const longestWave = largest(waves.map(({ length }) => length));
      const outputs = outputsOf(call, padItems(pieces, padded));
      const masks = waves.map(({ length }) => maskOf({ length: longestWave, end: length }));
      return { ...outputs, padding_mask: batchOf('int64', masks) };
    },
  },
  Qwen3ASR: {
    axes: { input_features: 2, attention_mask: 1 },
    defaults: { ...defaultsOf128Mels, return_attention_mask: true, n_window: 50, min_length: 8000 },
    options: { ...padOptions, return_attention_mask: readBoolean, n_window: countFrom(0) },
    spectrum: torchSpectrum,
    padding: (settings) => ({ ...padding(settings), truncation: false }),
    /** Pads a waveform behind with zeros to at least `min_length` samples. */
    changeWave: (samples, { min_length: least }) => padSamples(samples, 0, least - samples.length),
    /** Makes features [mels, frames] of a padded waveform. */
    makeItem({ data }, call) {
      const features = torchFeatures(call.prepared, data);
      // The model's encoder reads blocks of 2 * n_window frames, so zeros fill the last block. roundUp adds none if
      // n_window is 0.
      const halfBlock = call.options.n_window ?? call.n_window;
      const paddedFrames = roundUp(features.frames, 2 * halfBlock);
      return resizeToFrames(features, paddedFrames);
    },
    /** Makes the mask of the features' frames: a frame is real if its first sample is. */
    makeMask(item, { hop_length: hop }, { frames = 0 }) {
      // Samples behind the last whole hop have no frame.
      const end = Math.min(item.end, roundDown(item.length, hop));
      return makeSteppedMask({ ...item, end }, { step: hop, length: frames * hop });
    },
    givesMask: returnsMask.ifAsked,
  },
  Dots3Note: {
    axes: { input_features: 2, chunk_sample_lengths: 0, num_audio_tokens: 0 },
    defaults: { ...defaultsOf128Mels, chunk_length: 60, chunk_seconds: null },
    options: {},
    spectrum: torchSpectrum,
    /** Cuts the waveforms into pieces of `chunk_seconds`, and makes an item of the batch of each. All pieces are padded
     * to full length, but their features [mels, frames] are cut to the tokens of the longest. `chunk_sample_lengths`
     * has the samples of each piece, `num_audio_tokens` the tokens of each waveform. */
    makeOutputs(call) {
      const pieceSeconds = call.chunk_seconds ?? call.chunk_length;
      const pieceLength = pieceSeconds * call.sampling_rate;
      const piecesByWave = monoOf(call.batch).map((samples) => cutToPieces(samples, pieceLength));
      const pieces = piecesByWave.flat();
      const samplesPerToken = call.hop_length * framesPerToken;
      const countTokens = (/** @type {Piece} */ { data }) => Math.ceil(data.length / samplesPerToken);
      const toPieceLength = readPadding({ ...call, options: { padding: 'max_length', max_length: pieceLength } });
      const mostFrames = largest(pieces.map(countTokens)) * framesPerToken;
      const pieceFeatures = padItems(pieces, toPieceLength).map(({ data }) => {
        const features = torchFeatures(call.prepared, data);
        return resizeToFrames(features, Math.min(features.frames, mostFrames));
      });
      const pieceLengths = pieces.map(({ data }) => data.length);
      const tokensOfWaves = piecesByWave.map((piecesOfWave) => sumOf(piecesOfWave.map(countTokens)));
      return {
        input_features: stackOf('float32', pieceFeatures),
        chunk_sample_lengths: longs(pieceLengths),
        num_audio_tokens: longs(tokensOfWaves),
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
    /** Makes the logarithms of mel energies [mels, frames], without the last frame. They become features when
     * `changeItems` raises them. */
    makeItem({ data }, { prepared, options }) {
      const isCentered = options.center ?? true;
      // torch refuses audio without a frame; torchPadding refuses audio too short to reflect.
      if (!isCentered) checkSamples(data.length, prepared.frameLength);
      const halfFrames = isCentered ? torchPadding(prepared, data.length) : {};
      return featuresOf(prepared, data, { ...halfFrames, dropped: 1, byColumns: true });
    },
    /** Raises low features by the file's maximum or, without one, by that of the whole batch. */
    changeItems(items, { global_log_mel_max: stated }) {
      const top = stated ?? largest(items.map(({ data }) => reduceNumbers(data, 'maximum')));
      for (const item of items) raiseByMaximum(item, Math.fround(top));
    },
    makeMask: windowMask,
    maskType: 'bool',
    givesMask: returnsMask.ifAsked,
    /** Opens a stream of frames; undefined where frames depend on what comes later: on the maximum of all without
     * `global_log_mel_max`, on the length to which the call pads or cuts the audio, or on which frame is the last. */
    stream(call) {
      const { prepared, options, hop_length: hop, global_log_mel_max: top } = call;
      // The last frame has to be dropped, so no push may give it. It is known to reach behind the end of the audio only
      // if frames are centered and half a frame is a hop at least.
      const isCentered = options.center ?? true;
      const lastFrameWaits = isCentered && hop <= prepared.frameLength / 2;
      if (!lastFrameWaits || top === null || !isUnpadded(call)) return undefined;
      const cut = { ...halfFramePadding(prepared), byColumns: true, dropped: 1 };
      return frameSteps(prepared, cut, {
        change: (matrix) => raiseByMaximum(matrix, Math.fround(top)),
        maskWindow: returnsMask.ifAsked(call) ? windowOf(call) : undefined,
      });
    },
  },
};
