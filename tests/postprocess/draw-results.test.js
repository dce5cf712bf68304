/** Results over a picture: what is drawn, in which order, and what is refused. */
import { describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { drawResults } from 'onnx-layout/postprocess';

/** A context that notes what is called of it. */
function recorder(width = 640, height = 480) {
  const calls = [];
  const state = { canvas: { width, height }, globalAlpha: 1 };
  const context = new Proxy(state, {
    get(target, name) {
      if (name in target) return target[name];
      return (...args) => {
        calls.push([name, ...args.map((value) => (typeof value === 'number' ? Math.round(value) : value))]);
        return { width: 50 };
      };
    },
    set(target, name, value) {
      target[name] = value;
      if (name === 'fillStyle' || name === 'strokeStyle') calls.push([name, value]);
      return true;
    },
  });
  return { context, calls };
}

const boxes = Tensor.from('float32', [10, 40, 110, 90, 600, 0, 640, 20], [2, 4]);

test('boxes with their labels and scores', () => {
  const { context, calls } = recorder();
  const labels = Tensor.from('int32', [1, 8]);
  const scores = Tensor.from('float32', [0.914, 0.5]);
  drawResults(context, { boxes, labels, scores }, { labels: ['cat', 'dog'] });
  expect(calls).toEqual([
    ['strokeStyle', '#175cd3'],
    ['strokeRect', 10, 40, 100, 50],
    ['measureText', 'dog 91 %'],
    ['fillStyle', '#175cd3'],
    ['fillRect', 9, 20, 60, 20],
    ['fillStyle', '#fff'],
    ['fillText', 'dog 91 %', 14, 35],
    ['strokeStyle', '#d92d20'],
    ['strokeRect', 600, 0, 40, 20],
    ['measureText', '8 50 %'],
    ['fillStyle', '#d92d20'],
    // Inside of the picture.
    ['fillRect', 580, 0, 60, 20],
    ['fillStyle', '#fff'],
    ['fillText', '8 50 %', 585, 15],
  ]);
});

test('a mask is filled under the boxes, scaled to the picture', () => {
  const { context, calls } = recorder(8, 8);
  const masks = Tensor.from('bool', [0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0], [1, 4, 4]);
  drawResults(context, { masks, boxes: Tensor.from('float32', [2, 2, 6, 6], [1, 4]) }, { colors: ['red'] });
  expect(calls).toEqual([
    ['beginPath'],
    ['moveTo', 3, 3],
    ['lineTo', 3, 5],
    ['lineTo', 5, 5],
    ['lineTo', 5, 3],
    ['closePath'],
    ['fillStyle', 'red'],
    ['fill'],
    ['strokeStyle', 'red'],
    ['strokeRect', 2, 2, 4, 4],
  ]);
  expect(context.globalAlpha).toBe(1);
});

test('the part of a mask that is the picture', () => {
  const { context, calls } = recorder(8, 4);
  const masks = Tensor.from('bool', [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0], [1, 4, 4]);
  drawResults(context, { masks }, { maskPart: { x: 0, y: 1, width: 4, height: 2 } });
  expect(calls.filter(([name]) => name === 'moveTo' || name === 'lineTo').map(([, , y]) => y)).toEqual([1, 3, 3, 1]);
});

test('keypoints that are visible', () => {
  const { context, calls } = recorder();
  drawResults(context, { keypoints: Tensor.from('float32', [5, 6, 0.9, 7, 8, 0.2], [1, 2, 3]) });
  expect(calls.filter(([name]) => name === 'arc')).toEqual([['arc', 5, 6, 3, 0, 6]]);
});

describe('refuses', () => {
  const { context } = recorder();
  test.each([
    [null, { boxes }, undefined, TypeError, 'context must be a 2D context, got null'],
    [context, null, undefined, TypeError, 'results must be those of one picture, got null'],
    [context, [{ boxes }], undefined, TypeError, 'results must be those of one picture, got Array'],
    [context, {}, undefined, TypeError, 'results must have boxes, masks or keypoints, got []'],
    [
      context,
      { boxes, labels: Tensor.from('int32', [1]) },
      undefined,
      RangeError,
      'labels must have dims [2], got [1]',
    ],
    [context, { boxes }, { colors: [] }, RangeError, 'colors must have an entry at least, got []'],
    [
      context,
      { boxes },
      { color: ['red'] },
      TypeError,
      "unknown option 'color', did you mean 'colors'? Known: labels, colors, maskPart",
    ],
  ])('%#', (target, results, options, Class, message) => {
    let thrown;
    try {
      drawResults(target, results, options);
    } catch (error) {
      thrown = error;
    }
    expect([thrown?.constructor, thrown?.message]).toEqual([Class, `drawResults: ${message}`]);
  });
});
