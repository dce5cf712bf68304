/** The calls of tensor surgery. */
import * as layout from 'onnx-layout';

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

/** @type {Record<string, (...args: any[]) => any>} the calls by their names */
export const calls = /** @type {any} */ (layout);
