/** ConcatFromSequence: the tensors of a sequence, joined along an axis of theirs or along a new one. */
import { checkHasAxis, define, flag, readAxis, run, integer } from '../core/index.js';
import { sequence } from '../sequence/kinds.js';
import { checkNotEmpty, readSequence } from '../sequence/sequences.js';
import { concatPlan } from './concat.js';
import { joined } from './pieces.js';
import { readNewAxis, stackPlan } from './stack.js';

/** @import { CallOptions, ConcatFromSequenceAttributes, Operator, Results, SequenceLike, Tensor } from '../types.js' */
/** @import { TensorInfo } from '../types.js' */

const name = 'input_sequence';

/** @type {Operator<{ input_sequence?: TensorInfo }, ConcatFromSequenceAttributes>} */
export const ConcatFromSequence = define({
  name: 'ConcatFromSequence',
  versions: { 11: 3 },
  negativeAxis: 11,
  inputs: [sequence(name, readSequence)],
  attributes: { axis: integer(undefined, { required: true }), new_axis: flag(false) },
  /** Inference knows the dims that the tensors share, and not how many there are. */
  shape(_, { axis: axisOption, new_axis: isNew }, { dims: shared, tensors }) {
    if (tensors) checkNotEmpty(tensors);
    const dims = tensors ? tensors[0].dims : shared;
    if (!isNew) checkHasAxis(`${name}[0]`, dims?.length);
    const axis = isNew ? readNewAxis(axisOption, dims?.length) : readAxis(axisOption, 0, dims?.length);
    if (tensors) return isNew ? stackPlan(name, tensors, axis) : concatPlan(name, tensors, axis);
    const replacedAxes = isNew ? 0 : 1;
    const unknownExtent = null;
    return { dims: dims && dims.toSpliced(axis, replacedAxes, unknownExtent) };
  },
  move: joined,
});

/**
 * ConcatFromSequence: the tensors of a sequence joined along an axis, as `concat` does, or along a new one, as `stack`
 * does.
 * @param {SequenceLike} sequence of at least one tensor
 * @param {ConcatFromSequenceAttributes & Results & CallOptions} options
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @example
 * const sequence = [1, 2].map((value) => ({ type: 'uint8', data: Uint8Array.of(value, value), dims: [2] }));
 * concatFromSequence(sequence, { axis: 1, new_axis: 1 }).data; // Uint8Array [1, 2, 1, 2]
 */
export const concatFromSequence = (sequence, options) => run(ConcatFromSequence, [sequence], options);
