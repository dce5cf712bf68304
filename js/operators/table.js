/** The table of operators: `inferShape`, `runModel`, `schemas` and the tests of versions follow from it. */
import { Cast } from './cast.js';
import { Flatten } from './flatten.js';
import { Identity } from './identity.js';
import { Reshape } from './reshape.js';
import { SplitToSequence } from './split-to-sequence.js';
import { Transpose } from './transpose.js';

/** @import { Schema } from './operator.js' */

export const operators = Object.freeze({
  Flatten,
  Reshape,
  Transpose,
  SplitToSequence,
  Cast,
  Identity,
});

/** @typedef {keyof typeof operators} OperatorName */

/**
 * Every version of every operator, oldest first. Read-only.
 * @type {Readonly<Record<OperatorName, readonly Readonly<Schema & { operator: OperatorName }>[]>>}
 */
export const schemas = Object.freeze(
  /** @type {any} */ (Object.fromEntries(Object.entries(operators).map(([name, { schemas: own }]) => [name, own]))),
);
