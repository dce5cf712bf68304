/** Steps that planes of numbers pass through, such as a resize, as a list of numbers that the module reads. See
 * cpp/postprocess/rows.h. */
import * as cpp from '../../../dist/bridge/results.js';
import { arena } from './module.js';

/** @import { Struct } from '../memory/index.js' */

/** @typedef {(typeof cpp.Step)[number]} StepKind */

/** The struct behind the kind of a step. Not all have one.
 * @type {Partial<Record<StepKind, Struct<any>>>} */
const stepStructs = {
  resize: cpp.ResizeNumbers,
  crop: cpp.CropNumbers,
  gather: cpp.GatherNumbers,
  scale: cpp.ScaleNumbers,
  clamp: cpp.ClampNumbers,
  mix: cpp.MixNumbers,
};

/** @typedef {{ data: ArrayBufferView, bytes: number }} PutArray an array, and how many bytes of it kernels read */

/**
 * @typedef {object} PlaneStep
 * @property {StepKind} kind
 * @property {Record<string, number | boolean>} values of the struct's members
 * @property {string} [name] the member that is the address of `array`
 * @property {PutArray} [array]
 */

/** Lists a step as the numbers that the module reads: its kind, then the members of its struct. Puts the step's array,
 * if it has one, into the module, and its address into the struct.
 * @type {(step: PlaneStep) => number[]} */
export function listStep({ kind, values, name, array }) {
  const members = name && array ? { ...values, [name]: arena.copyIn(array.data, array.bytes) } : values;
  return [cpp.Step.indexOf(kind), ...(stepStructs[kind]?.list(members) ?? [])];
}
