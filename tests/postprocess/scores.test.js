/** Scores of texts and scenes of videos, to the bit of RapidOCR, transformers, NumPy and torch. */
import { beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Tensor } from 'onnx-layout';
import { ctcDecode, init, postProcessor } from 'onnx-layout/postprocess';

beforeAll(() => init());

const file = new URL('../goldens/postprocess/scores.json', import.meta.url);
const { texts, scenes } = JSON.parse(readFileSync(file, 'utf8'));
const characters = ['blank', 'a', 'b', ' '];

/** @type {(steps: number, seed: number) => number[]} as `scores_of` of scores.py */
const scoresOf = (steps, seed) =>
  Array.from({ length: steps }, (_, i) => 0.7 + (0.3 * ((i * 7919 + seed * 104729) % 9973)) / 9973);

/** The text abab…: no step is a repeat or a blank. @type {(scores: number[]) => Tensor} */
function probabilitiesOf(scores) {
  const data = new Float32Array(4 * scores.length);
  scores.forEach((score, step) => (data[4 * step + 1 + (step % 2)] = score));
  return new Tensor('float32', data, [1, scores.length, 4]);
}

test('scores of texts, rounded as RapidOCR does and not rounded as transformers does', () => {
  const recognize = postProcessor({ image_processor_type: 'PPOCRV5ServerRecImageProcessor' });
  const answers = texts.map(({ steps, seed }) => {
    const probs = probabilitiesOf(scoresOf(steps, seed));
    const outputs = { last_hidden_state: probs };
    const [{ score: exact }] = recognize.post_process_text_recognition(outputs, { character_list: characters });
    const [{ score }] = ctcDecode(probs, { character_list: characters });
    const [{ score: rounded }] = ctcDecode(probs, { character_list: characters, round: 5 });
    expect(score).toBe(exact);
    return { steps, seed, rounded, exact };
  });
  expect(answers).toEqual(texts);
});

test('scenes of videos', () => {
  const answer = postProcessor({}, { className: 'TvpProcessor' });
  const answers = scenes.map(({ logits, duration }) => {
    const outputs = { logits: new Tensor('float32', Float32Array.from(logits), [1, 2]) };
    const scene = answer.post_process_video_grounding(outputs, { video_durations: duration });
    return { logits, duration, scene };
  });
  expect(answers).toEqual(scenes);
});

test.each([
  [0.015625, 5, 0.01562],
  [0.046875, 5, 0.04688],
  [0.5, 0, 0],
  [0.75, 60, 0.75],
  [0.75, 100, 0.75],
])('%f has %i decimals: %f', (score, round, expected) => {
  expect(ctcDecode(probabilitiesOf([score]), { character_list: characters, round })[0].score).toBe(expected);
});
