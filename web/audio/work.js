/** The worker's part of the audio panel: a file, a sample or the microphone through a feature extractor. */
import {
  decodeAudio,
  featureExtractor,
  init,
  melFilterBank,
  resampleAudio,
  resampleStream,
  spectrogramStream,
  toMono,
  windowFunction,
} from 'onnx-layout/audio';
import wasmUrl from 'onnx-layout/audio.wasm?url';
import { outlineOf, pictureOf } from './drawing.js';
import { magma } from './magma.js';
import { sampleOf, sampleRate } from './samples.js';

const columns = 600;
/** A longer sound is not copied to be played. */
const mostPlayedSeconds = 120;

const ready = init({ wasm: wasmUrl });

/**
 * The sound that is shown, of one channel.
 * @type {{ channelData: Float32Array[], sampleRate: number }}
 */
let audio;

/** Tells the panel what to show of the sound. */
function shown(channels, ms) {
  const [data] = audio.channelData;
  const seconds = data.length / audio.sampleRate;
  return {
    seconds,
    channels,
    ms,
    sampleRate: audio.sampleRate,
    outline: outlineOf(data, columns),
    samples: seconds <= mostPlayedSeconds ? data : undefined,
  };
}

/**
 * Opens a file at its own rate.
 * @param {Blob} file
 * @param {(bytes: Uint8Array, rate: number) => Promise<object>} decode of the page, since workers have no decoder
 */
export async function openFile(file, decode) {
  await ready;
  const start = performance.now();
  const decoded = await decodeAudio(file, { decode });
  audio = toMono(decoded);
  return shown(decoded.channelData.length, performance.now() - start);
}

export async function openSample(name) {
  await ready;
  audio = { channelData: [sampleOf(name)], sampleRate };
  return shown(1);
}

/** Times work the second time: the first call of a class makes its tables. */
const timed = (work) => {
  work();
  const start = performance.now();
  const result = work();
  return [result, performance.now() - start];
};

/**
 * Makes the features of the sound.
 * @param {string} config JSON
 */
export async function process(config) {
  await ready;
  const extract = featureExtractor(config);
  const rate = extract.sampling_rate;
  const isOther = audio.sampleRate !== rate;
  const [resampled, resampling] = timed(() => (isOther ? resampleAudio(audio, { new_freq: rate }) : audio));
  const [outputs, extraction] = timed(() => extract(resampled));
  const [name, features] = Object.entries(outputs)[0];
  const { dims } = features;
  return {
    className: extract.className,
    ignored: [...extract.ignored],
    rate,
    resampling: isOther ? resampling : undefined,
    extraction,
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([key, output]) => [key, { type: output.type, dims: [...output.dims] }]),
    ),
    picture: dims.length > 2 ? pictureOf(features, extract.stream().axes[name] === dims.length - 1, magma) : undefined,
    text: String(features),
  };
}

/** The microphone is drawn as Whisper's frames, 100 a second, without their limit below the maximum. */
const liveRate = 16000;
const liveRange = /** @type {const} */ ([-8, 1.5]);
let live;

export async function startLive(rate) {
  await ready;
  const bank = melFilterBank({
    num_frequency_bins: 201,
    num_mel_filters: 80,
    min_frequency: 0,
    max_frequency: 8000,
    sampling_rate: liveRate,
    norm: 'slaney',
    mel_scale: 'slaney',
  });
  live = {
    rate,
    pieces: [],
    resampling: rate === liveRate ? undefined : resampleStream({ orig_freq: rate, new_freq: liveRate }),
    frames: spectrogramStream({
      window: windowFunction(400),
      frame_length: 400,
      hop_length: 160,
      power: 2,
      mel_filters: bank,
      log_mel: 'log10',
    }),
  };
}

/**
 * Takes samples of the microphone.
 * @param {Float32Array} piece
 * @returns {object | undefined} the new columns as a picture
 */
export function pushLive(piece) {
  live.pieces.push(piece);
  const part = live.frames.push(live.resampling ? live.resampling.push(piece) : piece);
  return part && pictureOf(part.spectrogram, true, magma, liveRange);
}

/** Ends the recording, which is the sound from now on. */
export function endLive() {
  const recorded = new Float32Array(live.pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of live.pieces) {
    recorded.set(piece, at);
    at += piece.length;
  }
  audio = { channelData: [recorded], sampleRate: live.rate };
  live = undefined;
  return shown(1);
}
