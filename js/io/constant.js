/** Constant: the one node of a model that has no input. */
import { rangeError, show } from '../arguments/index.js';
import { Tensor } from '../tensor/index.js';

/** @import { TypeName } from '../tensor/index.js' */

/** @type {Map<string, TypeName>} Attributes that Constant may have instead of a tensor; the names of lists end in s. */
const types = new Map(Object.entries({ value_float: 'float32', value_int: 'int64', value_string: 'string' }));

/** A node that runModel runs, as an operator of the table is. */
export const Constant = {
  inputs: [],
  schemas: [],
  optional: [],
  /** Gives the tensor of a Constant node, which has one attribute. `value` and `sparse_value` are tensors already;
   * `value_float`, `value_int` and `value_string` become one of rank 0, and lists, such as `value_ints`, one of rank 1.
   * @type {(_: unknown[], options: { opset: unknown, [attribute: string]: any }, node: string) => Tensor} */
  run(_, { opset, ...attributes }, node) {
    const [[name, value] = ['', undefined], ...others] = Object.entries(attributes);
    const type = types.get(name.replace(/s$/, ''));
    // `type` is undefined for the two attributes that are tensors, and for unknown ones.
    if (others.length > 0 || value === undefined || (type === undefined) !== value instanceof Tensor) {
      const names = show(Object.keys(attributes).join(', '));
      rangeError(`${node} must have one value of a kind other than sparse, got ${names}`);
    }
    if (type === undefined) return value;
    const list = Array.isArray(value) ? value : [value];
    return Tensor.from(type, list, name.endsWith('s') ? [list.length] : []);
  },
};
