/** Silero VAD's model, from recordings to segments of speech. */
import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNpy } from 'onnx-layout/io';
import { Tensor } from 'onnx-layout';
import { speechSegments } from 'onnx-layout/postprocess';
import * as ort from 'onnxruntime-web';

/** Samples of a window, and those before it that the model sees too. */
const [windowLength, contextLength] = [512, 64];

/** How far probabilities of two versions of onnxruntime may lie apart. */
const tolerance = 1e-4;

/** @type {(session: any, samples: Float32Array) => Promise<number[]>} */
async function probabilitiesOf(session, samples) {
  const count = Math.ceil(samples.length / windowLength);
  const padded = new Float32Array(contextLength + count * windowLength);
  padded.set(samples, contextLength);
  let state = new ort.Tensor('float32', new Float32Array(2 * 128), [2, 1, 128]);
  const sr = new ort.Tensor('int64', BigInt64Array.of(16000n), []);
  const probabilities = [];
  for (let i = 0; i < count; i++) {
    const part = padded.slice(i * windowLength, (i + 1) * windowLength + contextLength);
    const input = new ort.Tensor('float32', part, [1, part.length]);
    const { output, stateN } = await session.run({ input, state, sr });
    probabilities.push(output.data[0]);
    state = stateN;
  }
  return probabilities;
}

/** @type {(folder: string) => Promise<void>} */
export async function findSpeech(folder) {
  const cases = JSON.parse(readFileSync(new URL('../goldens/models/vad.json', import.meta.url), 'utf8'));
  const session = await ort.InferenceSession.create(readFileSync(join(folder, 'silero_vad.onnx')));
  for (const { input, samples: length, probabilities: expected, segments } of cases) {
    const { type, data } = readNpy(readFileSync(new URL(`../goldens/audio/inputs/${input}.npy`, import.meta.url)));
    const samples = type === 'int16' ? Float32Array.from(data, (sample) => sample / 32768) : data;
    const probabilities = await probabilitiesOf(session, samples);
    const apart = Math.max(...probabilities.map((one, i) => Math.abs(one - expected[i])));
    ok(probabilities.length === expected.length && apart < tolerance, `${input}: ${apart} apart`);
    const tensor = Tensor.from('float32', probabilities);
    deepEqual(speechSegments(tensor, { audio_length_samples: length }), segments);
    console.log(`Silero VAD, ${input}: ${segments.length} segments are equal, probabilities ${apart} apart`);
  }
}
