/** The calls of tensor surgery. */
import * as layout from 'onnx-layout';
import { words } from '../support/tables.js';

/** The package's calls, and the operators of ONNX that they run. */
export const operatorOf = Object.fromEntries(
  words(`
    concat split slice pad gather gatherElements gatherND squeeze unsqueeze expand tile depthToSpace
    spaceToDepth where identity shape size centerCropPad reverseSequence sequenceConstruct sequenceEmpty
    sequenceAt sequenceInsert sequenceErase sequenceLength concatFromSequence
  `).map((call) => [call, call[0].toUpperCase() + call.slice(1)]),
);

/** The calls beside ONNX. */
export const ownCalls = ['rearrange', 'repeat', 'stack', 'unstack'];

/** The name of the call of an operator. */
export const callOf = Object.fromEntries(Object.entries(operatorOf).map(([call, operator]) => [operator, call]));

/** @type {Record<string, (...args: any[]) => any>} the calls by their names */
export const calls = /** @type {any} */ (layout);
