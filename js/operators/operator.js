/**
 * What an operator is: its versions, its inputs, and what it does for a call. Each operator stands in a file of its
 * own; table.js lists them.
 *
 * Versions and their type lists follow ONNX's operator changelog up to opset 28.
 */
/** @import { Int64 } from '../arguments/index.js' */
/** @import { DType, NumberFormat, Tensor, TypeName } from '../tensor/index.js' */
/** @import { Dim, Open } from './extents.js' */

/** @typedef {NumberFormat['kind']} Kind */
/** @typedef {Tensor[] & { type: TypeName }} TensorSequence an empty one still knows its element type */

/**
 * One version of an operator.
 * @typedef {object} Schema
 * @property {string} operator
 * @property {number} since the first opset that has this version
 * @property {number} ir a dtype is in the version's type list when its own `ir` is not above this
 * @property {readonly Kind[]} lacks kinds of types that are not in the list, whatever their `ir`
 * @property {readonly TypeName[]} [types] the type list itself, where no `ir` says it
 * @property {readonly string[]} attributes that come as options, by their ONNX names
 * @property {boolean} negativeAxis whether an axis may count from the back
 */

/**
 * What shape inference gives. With `sequence`, the result is a sequence of tensors, and type and dims are theirs.
 * `value` is there where the elements are known in part, as those of a shape are: a list of rank 1, or one entry.
 * @typedef {object} Inferred
 * @property {TypeName} type
 * @property {Dim[] | null} dims null where the rank is unknown
 * @property {true} [sequence]
 * @property {(Int64 | Open)[] | Int64 | Open} [value]
 */

/**
 * Where an operator's results lie in its first input, the `source`, of type `dtype`. Reads the options and the other
 * inputs as the call does; `outputs` counts those of the node. Undefined where no strides say it, which is never so of
 * a whole tensor.
 * @callback ViewRule
 * @param {Call} call
 * @param {import('./view.js').View} source
 * @param {any[]} inputs
 * @param {any} options
 * @param {DType} dtype
 * @param {number} [outputs]
 * @returns {import('./view.js').View | import('./view.js').View[] | undefined}
 */

/**
 * @template {object} [Inputs=any]
 * @template {object} [Attributes=any]
 * @typedef {object} Operator
 * @property {string} name
 * @property {readonly Readonly<Schema>[]} schemas every version, oldest first
 * @property {readonly string[]} inputs
 * @property {readonly string[] | undefined} firstInputs
 * @property {readonly string[]} optional
 * @property {boolean} variadic
 * @property {boolean} several
 * @property {number | undefined} outputs
 * @property {readonly Kind[]} undefinedFor
 * @property {(call: Call, inputs: Inputs, options: Attributes | undefined) => Inferred | Inferred[]} [infer] a type
 *   alone: what inference knows of inputs and attributes
 * @property {import('./core/results.js').Move} [move]
 * @property {any} [argument] an attribute that a call takes as an argument behind its inputs
 * @property {readonly import('./core/kinds.js').Input[]} [kinds] the inputs
 * @property {readonly (import('./core/kinds.js').Attribute & { name: string })[]} [attributes]
 * @property {Record<string, any>} [defaults] of the attributes
 * @property {Record<string, any>} [read] the attributes of the call that is running
 * @property {boolean} [needsOptions] whether an attribute is required
 * @property {import('./core/define.js').Declaration['shape']} [shape]
 * @property {import('./core/define.js').Declaration['inferred']} [inferred]
 * @property {import('./core/define.js').Declaration['value']} [value]
 * @property {Call[]} calls those that were made, by their opset; behind them those of `strict: false`
 */

/**
 * What `opset` and `strict` of an options bag say.
 * @typedef {object} Call
 * @property {Operator} operator
 * @property {Schema} schema the version
 * @property {string} name the operator and its version, in messages
 * @property {number} opset
 * @property {boolean} strict
 * @property {number} allowed a bit for the code of each type that the call takes
 * @property {(dtype: DType) => void} checkType rejects an input's type that the version does not take
 * @property {number | null} [outputs] how many outputs the node has, of an operator with any number of them; null where
 *   inference is not told
 */

/** The newest opset whose rules are known; the default of every call. */
export const newestOpset = 28;

/**
 * The version of an operator that an opset selects: the last one that is not newer.
 * @param {Operator} operator
 * @param {number} opset
 * @returns {Readonly<Schema> | undefined} undefined before the operator's first version
 */
export function schemaAt({ schemas }, opset) {
  return schemas.findLast(({ since }) => since <= opset);
}

/**
 * The names of the inputs that an opset's version has.
 * @param {{ inputs: readonly string[], firstInputs?: readonly string[], schemas: Operator['schemas'] }} operator
 * @param {number} opset
 * @returns {readonly string[]}
 */
export const inputsAt = ({ inputs, firstInputs, schemas }, opset) =>
  firstInputs && schemas[1].since > opset ? firstInputs : inputs;

/**
 * Whether a version's type list has a dtype.
 * @param {Schema} schema
 * @param {DType} dtype
 * @returns {boolean}
 */
export function allows(schema, dtype) {
  if (schema.types) return schema.types.includes(dtype.name);
  return dtype.ir <= schema.ir && !schema.lacks.includes(dtype.format.kind);
}

/**
 * The first opset whose version of the operator takes a dtype.
 * @param {Operator} operator
 * @param {DType} dtype
 * @returns {number | undefined} undefined where none does
 */
export function firstOpsetFor({ schemas }, dtype) {
  return schemas.find((schema) => allows(schema, dtype))?.since;
}

/**
 * The first opset after a version that brings an attribute.
 * @param {Operator} operator
 * @param {Schema} schema
 * @param {string} attribute
 * @returns {number | undefined} undefined where no later version has it
 */
export function firstWithAttribute({ schemas }, { since }, attribute) {
  return schemas.find((later) => later.since > since && later.attributes.includes(attribute))?.since;
}
