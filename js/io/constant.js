/** Constant: the one node of a model that has no input. */
import { rangeError, show } from '../arguments/index.js';
import { Tensor } from '../tensor/index.js';

/** @import { TypeName } from '../tensor/index.js' */

/** By the name of an attribute that Constant may have instead of a tensor, the type of its elements. Attributes that
 * are lists have the same names with an s.
 * @type {Map<string, TypeName>} */
const typeOfAttribute = new Map(Object.entries({ value_float: 'float32', value_int: 'int64', value_string: 'string' }));

/** A node that runModel runs, as an operator of the table is. */
export const Constant = {
  inputs: [],
  schemas: [],
  optional: [],
  /** Gives the tensor of a Constant node, which has one attribute. `value` and `sparse_value` are tensors already;
   * `value_float`, `value_int` and `value_string` become one of rank 0, and lists, such as `value_ints`, one of rank 1.
   * @type {(_: unknown[], options: { opset: unknown, [attribute: string]: any }, node: string) => Tensor} */
  run(_, { opset, ...attributes }, node) {
    const names = Object.keys(attributes);
    const [name = ''] = names;
    const value = attributes[name];
    const isList = name.endsWith('s');
    const type = typeOfAttribute.get(isList ? name.slice(0, -1) : name);
    const isTensor = value instanceof Tensor;
    const hasTensor = type === undefined && isTensor;
    const hasPlainValue = type !== undefined && value !== undefined && !isTensor;
    if (names.length !== 1 || !(hasTensor || hasPlainValue))
      rangeError(`${node} must have one value of a kind other than sparse, got ${show(names.join(', '))}`);
    if (type === undefined) return value;
    const elements = Array.isArray(value) ? value : [value];
    return Tensor.from(type, elements, isList ? [elements.length] : []);
  },
};
