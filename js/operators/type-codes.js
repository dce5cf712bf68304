/** The types that a node of a model names by their codes. */
import { rangeError, show } from '../arguments/index.js';
import { dtypeOf, dtypes } from '../tensor/index.js';

/** @import { TypeName } from './types.js' */

/**
 * The type that an attribute names: by its code, in the first versions by its name in upper case.
 * @type {(node: string, attribute: string, value: unknown) => TypeName}
 */
export function typeOfNode(node, attribute, value) {
  if (typeof value === 'number') {
    const all = Object.values(dtypes);
    const coded = all.find(({ code }) => code === value);
    const rule = `must be the code of a type, 1 to ${all.length}, got ${value}`;
    return coded?.name ?? rangeError(`${node} ${attribute} ${rule}`);
  }
  const named = typeof value === 'string' ? dtypeOf(value.toLowerCase()) : undefined;
  const given = typeof value === 'string' ? show(value) : 'none';
  return named?.name ?? rangeError(`${node} ${attribute} must be a type, got ${given}`);
}
