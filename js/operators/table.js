/** The table of operators: `inferShape`, `runModel`, `schemas` and the tests of versions follow from it. */
import * as declarations from './declarations.js';

/** @import { Schema } from './types.js' */

export const operators = Object.freeze({ ...declarations });

/** @typedef {keyof typeof operators} OperatorName */

/** Every version of every operator, oldest first. Read-only.
 * @type {Readonly<Record<OperatorName, readonly Readonly<Schema & { operator: OperatorName }>[]>>} */
export const schemas = Object.freeze(
  /** @type {any} */ (
    Object.fromEntries(Object.entries(operators).map(([name, operator]) => [name, operator.schemas]))
  ),
);
