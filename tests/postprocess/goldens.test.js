/** Every golden of answers: torch's and torchvision's, to the bit. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import * as answers from 'onnx-layout/postprocess';
import { root } from '../support/packed.js';
import { make } from './recipes.js';

const cases = JSON.parse(readFileSync(join(root, 'tests/goldens/postprocess/index.json'), 'utf8'));

/** The calls of the cases: tensors by place, then its options by place or in a bag. */
const calls = {
  nms: ({ boxes, scores }, o) => answers.nms(boxes, scores, o.iou_threshold),
  batched_nms: ({ boxes, scores, idxs }, o) => answers.batchedNms(boxes, scores, idxs, o.iou_threshold),
  box_convert: ({ boxes }, o) => answers.boxConvert(boxes, o.in_fmt, o.out_fmt),
  box_iou: ({ boxes1, boxes2 }) => answers.boxIou(boxes1, boxes2),
  generalized_box_iou: ({ boxes1, boxes2 }) => answers.generalizedBoxIou(boxes1, boxes2),
  box_area: ({ boxes }) => answers.boxArea(boxes),
  clip_boxes_to_image: ({ boxes }, o) => answers.clipBoxesToImage(boxes, o.size),
  remove_small_boxes: ({ boxes }, o) => answers.removeSmallBoxes(boxes, o.min_size),
  masks_to_boxes: ({ masks }) => answers.masksToBoxes(masks),
  interpolate: ({ input }, { align_corners: align, ...o }) =>
    answers.interpolate(input, { ...o, align_corners: align ?? undefined }),
  softmax: ({ input }) => answers.softmax(input),
  sigmoid: ({ input }) => answers.sigmoid(input),
  topk: ({ input }, { k, sorted }) => answers.topk(input, k, { sorted }),
  argmax: ({ input }, o) => answers.argmax(input, o.dim),
  argmin: ({ input }, o) => answers.argmin(input, o.dim),
};

beforeAll(() => answers.init());

const hashOf = ({ buffer, byteOffset, byteLength }) =>
  createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex');

/** A result in the form of the goldens. */
function recordOf(value) {
  if (!value.dims) return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, recordOf(part)]));
  return { type: value.type, dims: [...value.dims], sha256: hashOf(value.data) };
}

test.each(cases.map((one) => [one.id, one]))('%s', (_, { method, outputs, options, expect: expected }) => {
  const tensors = Object.fromEntries(Object.entries(outputs).map(([name, recipe]) => [name, make(recipe)]));
  expect(recordOf(calls[method](tensors, options))).toEqual(expected);
});

test('all 52 cases are there', () => {
  expect(cases).toHaveLength(52);
});
