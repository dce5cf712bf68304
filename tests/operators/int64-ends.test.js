/** The ends of int64 where the operators' own tests have none: indices, positions, axes, and what inference knows. */
import { beforeAll, expect, test } from '@jest/globals';
import * as core from 'onnx-layout';
import { expectError, refuses, gives } from '../support/assertions.js';
import { bytes, int64, largest, smallest } from './operands.js';

const { init, concatFromSequence, gather, gatherElements, gatherND, inferShape, reverseSequence, sequenceAt } = core;
const { sequenceErase, sequenceInsert, shape, split } = core;

beforeAll(() => init());

/** Facts for inference: the dims of bytes, or the elements of a list of int64. */
const known = (dims, type = 'uint8') => ({ type, dims });
const list = (...value) => ({ type: 'int64', dims: [value.length], value });

gives({
  'int64 [0]': [
    () => shape(bytes([2, 3]), { start: largest }),
    () => shape(bytes([2, 3]), { start: smallest, end: smallest }),
  ],
  'int64 [2] 2n 3n': () => shape(bytes([2, 3]), { start: smallest, end: largest }),
});

refuses('ReverseSequence-28', reverseSequence, {
  'RangeError: sequence_lens must be in [0, 2], got 9223372036854775807 at 0': [bytes([2, 3]), [largest, 0, 0]],
  'RangeError: sequence_lens must be in [0, 2], got -9223372036854775808 at 2': [bytes([2, 3]), [0, 0, smallest]],
  'RangeError: sequence_lens must be in [0, 2], got 9223372036854775807 at 2': [bytes([2, 3]), int64([0, 0, largest])],
  'RangeError: time_axis must be 0 or 1, got 9223372036854775807': [bytes([2, 3]), [0, 0, 0], { time_axis: largest }],
  'RangeError: batch_axis must be 0 or 1, got -9223372036854775808': () =>
    reverseSequence(bytes([2, 3]), [0, 0, 0], { batch_axis: smallest }),
});

refuses('ConcatFromSequence-11', concatFromSequence, {
  'RangeError: axis must be in [-1, 0], got 9223372036854775807': [[bytes([2])], { axis: largest }],
  'RangeError: axis must be in [-1, 0], got -9223372036854775808': [
    () => concatFromSequence([bytes([2])], { axis: smallest }),
    () => inferShape('ConcatFromSequence', { input_sequence: { sequence: true, ...known([2]) } }, { axis: smallest }),
  ],
  'RangeError: new_axis must be 0 or 1, got 9223372036854775807': [[bytes([2])], { axis: 0, new_axis: largest }],
});

/** Places beyond both ends: a call by the end, what it names, and the bounds. */
test.each([
  ['GatherElements-13', 'axis', '[-2, 1]', (end) => gatherElements(bytes([2, 3]), int64([0], [1, 1]), { axis: end })],
  ['Gather-13', 'axis', '[-1, 0]', (end) => gather(bytes([2]), [0], { axis: end })],
  ['SequenceAt-11', 'position', '[-1, 0]', (end) => sequenceAt([bytes([2])], end)],
  ['SequenceInsert-11', 'position', '[-1, 1]', (end) => sequenceInsert([bytes([2])], bytes([2]), end)],
  ['SequenceErase-11', 'position', '[-1, 0]', (end) => sequenceErase([bytes([2])], end)],
  ['Split-18', 'axis', '[-1, 0]', (end) => split(bytes([6]), [3, 3], { axis: end })],
  ['Split-18', 'num_outputs', '[1, 1000000]', (end) => split(bytes([6]), undefined, { num_outputs: end })],
  ['Concat-13', 'axis', '[-1, 0]', (end) => inferShape('Concat', { inputs: [known([2])] }, { axis: end })],
])('%s: %s must be in %s', (name, argument, bounds, call) => {
  for (const end of [largest, smallest])
    expectError(() => call(end), RangeError, `${name}: ${argument} must be in ${bounds}, got ${end}`);
});

refuses('', {
  'RangeError: GatherElements-13: indices must be in [-2, 1], got 9223372036854775807 at 0': () =>
    gatherElements(bytes([2, 3]), int64([largest], [1, 1])),
  'RangeError: GatherND-13: indices must be in [-2, 1], got -9223372036854775808 at 0': () =>
    gatherND(bytes([2, 3]), int64([smallest])),
  'RangeError: GatherND-13: batch_dims must be in [0, 0], got 9223372036854775807': () =>
    gatherND(bytes([2, 3]), int64([0]), { batch_dims: largest }),
  'RangeError: GatherND-13: batch_dims must be at least 0, got -9223372036854775808': () =>
    gatherND(bytes([2, 3]), int64([0]), { batch_dims: smallest }),
  'RangeError: Gather-13: indices must be in [-3, 2], got -9223372036854775808 at 0': () =>
    inferShape('Gather', { data: list(1, 2, 3), indices: list(smallest) }),
  'RangeError: Pad-25: result dims must be at most 9007199254740991, got [9223372036854776000]': () =>
    inferShape('Pad', { data: known([6]), pads: list(largest, 0) }),
  'RangeError: Expand-13: result dims must be at most 9007199254740991, got [9223372036854775807]': () =>
    inferShape('Expand', { input: known(['N']), shape: list(largest) }),
  'RangeError: Tile-13: result dims must be at most 9007199254740991, got [27670116110564327000]': () =>
    inferShape('Tile', { input: known([3]), repeats: list(largest) }),
  'RangeError: CenterCropPad-18: shape entries must be in [0, 9007199254740991], got [9223372036854775807]': () =>
    inferShape('CenterCropPad', { input_data: known([6]), shape: list(largest) }),
  'RangeError: DepthToSpace-28: result dims must be at most 9007199254740991, got [1, 0, null, 9223372036854776000]':
    () => inferShape('DepthToSpace', { input: known([1, 0, 'H', 1]) }, { blocksize: largest }),
  'RangeError: Unsqueeze-25: axes must be in [-2, 1], got [9223372036854775807]': () =>
    inferShape('Unsqueeze', { data: known(['N']), axes: list(largest) }),
  'RangeError: Squeeze-25: axes must be in [-1, 0], got [-9223372036854775808]': () =>
    inferShape('Squeeze', { data: known([1]), axes: list(smallest) }),
});

test('inference counts in exact numbers', () => {
  const dimsOf = (operator, inputs, options) => [inferShape(operator, inputs, options)].flat().map(({ dims }) => dims);
  const cuts = { starts: list(smallest), ends: list(largest), steps: list(largest) };
  expect(dimsOf('Slice', { data: known([6]), ...cuts })).toEqual([[1]]);
  expect(dimsOf('Slice', { data: known([6]), ...cuts, steps: list(smallest) })).toEqual([[0]]);
  expect(dimsOf('Slice', { data: known(['N']), ...cuts })).toEqual([[null]]);
  expect(dimsOf('Pad', { data: known(['N']), pads: list(largest, smallest) })).toEqual([[null]]);
  expect(dimsOf('Split', { input: known(['N']), split: list(largest, smallest) })).toEqual([[null], [null]]);
  expect(dimsOf('DepthToSpace', { input: known(['N', 'C', 'H', 'W']) }, { blocksize: largest })).toEqual([
    ['N', null, null, null],
  ]);
  expect(inferShape('Shape', { data: known([3, 2]) }, { start: smallest, end: largest }).value).toEqual([3, 2]);
});
