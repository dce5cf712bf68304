/**
 * The versions of the operators, one row each: what `opset` selects, which element types it takes, which attributes it has.
 *
 * Source: ONNX's operator changelog up to opset 28. The newest rows are Flatten-25, Reshape-25, Transpose-25, SplitToSequence-24 and Cast-25.
 */
/** @import { DType } from '../tensor/index.js' */
/** @typedef {import('../tensor/index.js').NumberFormat['kind']} Kind */

/**
 * @typedef {object} Schema
 * @property {OperatorName} operator
 * @property {number} since the first opset that has this version
 * @property {number} ir a dtype is in the version's type list when its own `ir` is not above this
 * @property {readonly Kind[]} lacks kinds of types that are not in the list whatever their `ir`
 * @property {readonly string[]} attributes that come as options, by their ONNX names
 * @property {boolean} negativeAxis whether an axis may count from the back
 */

/** @typedef {{ lacks?: Kind[], attributes?: string[], negativeAxis?: boolean }} Flags */

/** @typedef {[since: number, ir: number, change?: Flags]} Row */

// One row a version: since, ir, and what changed in its meaning. A version keeps the flags of the one before it.
const rows = /** @satisfies {Record<string, Row[]>} */ ({
  Flatten: [
    [1, 1, { attributes: ['axis'], negativeAxis: false }],
    [9, 3],
    [11, 3, { negativeAxis: true }],
    [13, 4],
    [21, 10],
    [23, 11],
    [24, 12],
    [25, 13],
  ],
  Reshape: [
    [1, 1, { attributes: ['shape', 'consumed_inputs'] }],
    [5, 3, { attributes: [] }],
    [13, 4],
    [14, 4, { attributes: ['allowzero'] }],
    [19, 9],
    [21, 10],
    [23, 11],
    [24, 12],
    [25, 13],
  ],
  Transpose: [
    [1, 3, { attributes: ['perm'] }],
    [13, 4],
    [21, 10],
    [23, 11],
    [24, 12],
    [25, 13],
  ],
  SplitToSequence: [
    [11, 3, { attributes: ['axis', 'keepdims'], negativeAxis: true }],
    [24, 4],
  ],
  Cast: [
    [1, 3, { lacks: ['string', 'complex'], attributes: [] }],
    [6, 3],
    [9, 3, { lacks: ['complex'] }],
    [13, 4],
    [19, 9, { attributes: ['saturate'] }],
    [21, 10],
    [23, 11],
    [24, 12, { attributes: ['saturate', 'round_mode'] }],
    [25, 13],
  ],
});

/** @typedef {keyof typeof rows} OperatorName */

/** The newest opset whose rules are known; the default of every call. */
export const newestOpset = 28;

/**
 * Every version of every operator, oldest first. Read-only.
 * @type {Readonly<Record<OperatorName, readonly Readonly<Schema>[]>>}
 */
export const schemas = Object.freeze(
  /** @type {any} */ (
    Object.fromEntries(
      Object.entries(rows).map(([operator, versions]) => [operator, Object.freeze(withFlags(operator, versions))]),
    )
  ),
);

/** @type {(operator: string, versions: Row[]) => object[]} */
function withFlags(operator, versions) {
  /** @type {Required<Flags>} */
  let flags = { lacks: [], attributes: [], negativeAxis: false };
  return versions.map(([since, ir, change]) => {
    flags = { ...flags, ...change };
    return Object.freeze({
      operator,
      since,
      ir,
      ...flags,
      lacks: Object.freeze(flags.lacks),
      attributes: Object.freeze(flags.attributes),
    });
  });
}

/**
 * The version of an operator that an opset selects: the last one that is not newer.
 * @param {OperatorName} operator
 * @param {number} opset
 * @returns {Readonly<Schema> | undefined} undefined before the operator's first version
 */
export function schemaAt(operator, opset) {
  return schemas[operator].findLast(({ since }) => since <= opset);
}

/**
 * Whether a version's type list has a dtype.
 * @param {Schema} schema
 * @param {DType} dtype
 */
export function allows(schema, dtype) {
  return dtype.ir <= schema.ir && !schema.lacks.includes(dtype.format.kind);
}

/**
 * The first opset whose version of the operator takes a dtype.
 * @param {OperatorName} operator
 * @param {DType} dtype
 * @returns {number | undefined} undefined where none does
 */
export function firstOpsetFor(operator, dtype) {
  return schemas[operator].find((schema) => allows(schema, dtype))?.since;
}

/**
 * The first opset after a version that brings an attribute.
 * @param {Schema} schema
 * @param {string} attribute
 * @returns {number | undefined} undefined where no later version has it
 */
export function firstWithAttribute({ operator, since }, attribute) {
  return schemas[operator].find((later) => later.since > since && later.attributes.includes(attribute))?.since;
}
