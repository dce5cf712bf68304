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
  // The move takes tensors as they are read, and not the Tensors of a sequence that `runModel` holds.
  inputs: [sequence(name, readSequence)],
  attributes: { axis: integer(undefined, { required: true }), new_axis: flag(false) },
  /** Plans the result. In inference there are no tensors: it knows the dims that they share, and not how many there
   * are, so that the extent of the axis is unknown. */
  shape(_, { axis: axisOption, new_axis: isNewAxis }, { dims: sharedDims, tensors }) {
    if (tensors) checkNotEmpty(tensors);
    const dims = tensors ? tensors[0].dims : sharedDims;
    const rank = dims?.length;
    if (!isNewAxis) checkHasAxis(`${name}[0]`, rank);
    const unusedDefault = 0; // because the axis is required
    const axis = isNewAxis ? readNewAxis(axisOption, rank) : readAxis(axisOption, unusedDefault, rank);
    if (tensors) return isNewAxis ? stackPlan(name, tensors, axis) : concatPlan(name, tensors, axis);
    const replacedAxes = isNewAxis ? 0 : 1;
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
