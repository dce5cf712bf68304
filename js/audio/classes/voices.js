/** Rows of voices for speech synthesis: waveforms at a level, or that end on a pause. */
import { largest, readBoolean } from '../../arguments/index.js';
import { decimalLog, fadeOut, mapNumbers, powerOf, reduceNumbers } from '../../engines/audio/index.js';
import { checkSamples } from '../frames.js';
import { channelItem, extendNumbers, padOptions } from '../padding.js';
import { returnsMask } from '../rows.js';

/** @import { Row, Settings } from '../types.js' */

const { truncation: _, ...voiceOptions } = padOptions;

/** The steps that voices share: waveforms [batch, 1, length], padded to a multiple that the file states.
 * @type {Partial<Row>} */
const voice = {
  axes: { input_values: 2, padding_mask: 1 },
  options: { ...voiceOptions, return_attention_mask: readBoolean },
  padding: ({ pad_to_multiple_of }) => ({ padding: true, pad_to_multiple_of }),
  makeItem: channelItem,
  givesMask: returnsMask.unlessRefused,
};

/** Scales a copy of the samples so that their root mean square is `target_dB_FS` decibels (0 dB is 1). If a sample then
 * exceeds 1, divides all of them by the largest magnitude, so that none does.
 * @type {(samples: Float32Array, settings: Settings) => Float32Array} */
function scaleToLevel(samples, { target_dB_FS: target, eps }) {
  checkSamples(samples.length, 1);
  const result = samples.slice();
  // Each step is rounded to float32, as NumPy has it. `eps` keeps silence from a division by 0.
  const squares = reduceNumbers(samples, 'wideSquares');
  const rms = Math.fround(Math.sqrt(squares / samples.length));
  const targetRms = Math.fround(powerOf(10, target / 20));
  const small = Math.fround(eps);
  const gain = Math.fround(targetRms / Math.fround(rms + small));
  mapNumbers(result, 'multiply', [gain]);
  const peak = reduceNumbers(result, 'largest');
  const noMean = 0;
  if (peak > 1) mapNumbers(result, 'standardize', [noMean, Math.fround(peak + small)]);
  return result;
}

/** Computes the root mean square of samples in decibels (0 dB is 1). 1e-12 keeps that of silence finite: -240 dB.
 * @type {(samples: Float32Array) => number} */
function levelOf(samples) {
  const squares = reduceNumbers(samples, 'wideSquares');
  return 20 * decimalLog(Math.sqrt(squares / samples.length) + 1e-12);
}

/** Cuts a voice behind its last frame that is less than `silence_floor_db` below the loudest one, fades out, and
 * appends a pause. Durations of the settings are in seconds. Samples behind the last whole frame are cut off. Audio of
 * less than a frame stays as it is.
 * @type {(samples: Float32Array, settings: Settings) => Float32Array} */
function endOnPause(samples, settings) {
  const { sampling_rate: rate, pause_duration: pause, fade_out_duration: fade, silence_floor_db: floor } = settings;
  const frameLength = Math.max(1, Math.floor(settings.analysis_frame_duration * rate));
  const frames = Math.floor(samples.length / frameLength);
  if (frames === 0) return samples;
  const levels = Array.from({ length: frames }, (_, i) => {
    const frame = samples.subarray(i * frameLength, (i + 1) * frameLength);
    return levelOf(frame);
  });
  const loudest = largest(levels);
  const lastVoiced = levels.findLastIndex((level) => level > loudest - floor);
  const end = (lastVoiced + 1) * frameLength;
  const pauseLength = Math.floor(pause * rate);
  const result = extendNumbers(samples.subarray(0, end), end + pauseLength);
  const fadeLength = Math.min(Math.floor(fade * rate), end);
  fadeOut(result.subarray(end - fadeLength, end));
  return result;
}

/** @type {Record<string, Partial<Row>>} */
export const voices = {
  VibeVoiceAcousticTokenizer: {
    ...voice,
    defaults: {
      sampling_rate: 24000,
      normalize_audio: true,
      target_dB_FS: -25,
      eps: 1e-6,
      pad_to_multiple_of: 3200,
    },
    /** Scales a waveform to `target_dB_FS` if the file asks for that. */
    changeWave: (samples, call) => (call.normalize_audio ? scaleToLevel(samples, call) : samples),
  },
  PocketTTS: {
    ...voice,
    defaults: {
      sampling_rate: 24000,
      frame_size: 1920,
      pad_to_multiple_of: 1920,
      end_on_pause: true,
      pause_duration: 0.08,
      fade_out_duration: 0.02,
      silence_floor_db: 35,
      analysis_frame_duration: 0.02,
    },
    options: { ...voice.options, end_on_pause: readBoolean },
    /** Ends a waveform on a pause if the call asks for that; without that option, if the file does. */
    changeWave(samples, call) {
      const endsOnPause = call.options.end_on_pause ?? call.end_on_pause;
      return endsOnPause ? endOnPause(samples, call) : samples;
    },
  },
};
