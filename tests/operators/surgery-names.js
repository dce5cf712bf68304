/** The calls of tensor surgery, and whether each has to be there. */
import * as layout from 'onnx-layout';

/**
 * Whether a call that the package lacks fails the tests. Without it, what is there is tested, and the rest is named in
 * a line of the test's output.
 */
export const isComplete = true;

/** The package's calls, and the operators of ONNX that they run. */
export const operatorOf = {
  concat: 'Concat',
  split: 'Split',
  slice: 'Slice',
  pad: 'Pad',
  gather: 'Gather',
  gatherElements: 'GatherElements',
  gatherND: 'GatherND',
  squeeze: 'Squeeze',
  unsqueeze: 'Unsqueeze',
  expand: 'Expand',
  tile: 'Tile',
  depthToSpace: 'DepthToSpace',
  spaceToDepth: 'SpaceToDepth',
  where: 'Where',
  identity: 'Identity',
  shape: 'Shape',
  size: 'Size',
  centerCropPad: 'CenterCropPad',
  reverseSequence: 'ReverseSequence',
  sequenceConstruct: 'SequenceConstruct',
  sequenceEmpty: 'SequenceEmpty',
  sequenceAt: 'SequenceAt',
  sequenceInsert: 'SequenceInsert',
  sequenceErase: 'SequenceErase',
  sequenceLength: 'SequenceLength',
  concatFromSequence: 'ConcatFromSequence',
};

/** The calls beside ONNX. */
export const ownCalls = ['rearrange', 'repeat', 'stack', 'unstack'];

/** The name of the call of an operator. */
export const callOf = Object.fromEntries(Object.entries(operatorOf).map(([call, operator]) => [operator, call]));

/** Every call's name. */
export const callNames = [...Object.keys(operatorOf), ...ownCalls];

/** @type {Record<string, (...args: any[]) => any>} */
const exported = /** @type {any} */ (layout);

/**
 * Whether the package has a call. Where the package is complete every call counts as there, so that a missing one
 * fails.
 * @param {string} call
 * @returns {boolean}
 */
export const isThere = (call) => isComplete || typeof exported[call] === 'function';

/** The calls that the package lacks. */
export const missingCalls = callNames.filter((call) => typeof exported[call] !== 'function');

/** The calls by their names. */
export const calls = exported;
