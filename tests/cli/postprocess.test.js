/** The command `postprocess`, against the method that it calls. */
import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { writeSafetensors } from 'onnx-layout/io';
import { cli, inFolder } from './streams.js';

inFolder();
beforeAll(() => {
  const outputs = {
    logits: Tensor.from('float32', [9, 0, 0, 0, 0, 9, 0, 1, 0], [1, 3, 3]),
    pred_boxes: Tensor.from('float32', [0.5, 0.5, 0.5, 0.5, 0, 0, 1, 1, 0.5, 0.5, 1, 1], [1, 3, 4]),
  };
  writeFileSync('outputs.safetensors', writeSafetensors(new Map(Object.entries(outputs))));
  writeFileSync('detr.json', JSON.stringify({ image_processor_type: 'DetrImageProcessor' }));
});

const call = (method, ...args) =>
  cli(['postprocess', 'outputs.safetensors', '--config', 'detr.json', '--method', method, ...args]);
const float32 = (dims, data) => ({ type: 'float32', dims, data });
const found = {
  scores: float32([2], [0.9997532963752747, 0.5761169195175171]),
  labels: { type: 'int32', dims: [2], data: [0, 1] },
  boxes: float32([2, 4], [20, 10, 60, 30, 0, 0, 80, 40]),
};
const sizes = '{"target_sizes": [[40, 80]]}';

test.each(['object_detection', 'post_process_object_detection'])('%s as JSON', async (method) => {
  const { status, stdout, stderr } = await call(method, '--options', sizes, '--json');
  expect([status, JSON.parse(stdout), stderr]).toEqual([0, [found], '']);
});

test('a line a picture, and a threshold', async () => {
  const { status, stdout } = await call('object_detection', '--options', sizes, '--threshold', '0.9');
  const first = {
    scores: float32([1], [found.scores.data[0]]),
    labels: { type: 'int32', dims: [1], data: [0] },
    boxes: float32([1, 4], [20, 10, 60, 30]),
  };
  expect([status, stdout]).toEqual([0, `${JSON.stringify(first)}\n`]);
});

test('another class', async () => {
  const args = ['--class-name', 'ConditionalDetrImageProcessor', '--options', '{"threshold": 0.99}', '--json'];
  const { stdout } = await call('object_detection', ...args);
  expect(JSON.parse(stdout)[0].labels.data).toEqual([0, 2]);
});

test.each([
  [['object', '--json'], 2, "unknown method of DetrImageProcessor 'object'."],
  [['object_detection', '--options', '[1]'], 2, '--options must be a JSON object, got [1]'],
  [['object_detection', '--options', '{'], 2, '--options must be a JSON object, got {'],
  [
    ['object_detection', '--options', '{"target_sizes": []}'],
    2,
    'DetrImageProcessor.post_process_object_detection: target_sizes must have 1 entries, one a picture, got 0',
  ],
])('%j is refused', async (args, status, message) => {
  const [method, ...more] = args;
  const result = await call(method, ...more);
  expect([result.status, result.stdout, result.stderr.split(/ Known|\n/)[0]]).toEqual([
    status,
    '',
    `onnx-layout: ${message}`,
  ]);
});
