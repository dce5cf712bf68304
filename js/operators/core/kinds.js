/** Kinds of inputs and attributes: how a call reads each. Inference has readers of its own, in infer.js. */
import { isList, rangeError, readFlag, readList, readWhole, readWord, show, typeError } from '../../arguments/index.js';
import { readTensor } from '../../tensor/index.js';
import { int64Only, isAttribute, isOmitted, readIntegerTensor } from '../integers.js';

/** @import { TypeName } from '../../tensor/index.js' */
/** @import { Call } from '../operator.js' */

/**
 * An input of an operator.
 * @typedef {object} Input
 * @property {'tensor' | 'integers' | 'tensors' | 'sequence' | 'position'} kind
 * @property {string} name ONNX's
 * @property {boolean} optional
 * @property {boolean} isEarly whether it is read before options and attributes, as tensors are
 * @property {(input: any, call: Call, value: any, options: any, values: any[]) => any} read gets the inputs that were
 *   read before
 * @property {any} [how] what its kind needs beside that
 * @property {(input: any, call: Call, known: any, options: any, values: any[]) => any} [known] reads what inference
 *   knows, of kinds that infer.js does not
 * @property {Attribute} [attribute] what it was in older versions
 */

/**
 * An attribute.
 * @typedef {object} Attribute
 * @property {number} since the first version that has it
 * @property {number} before the version that has it no more
 * @property {boolean} required
 * @property {any} byDefault
 * @property {(name: string, value: any, call: Call) => any} read
 */

/** @typedef {{ since?: number, before?: number, required?: boolean }} Bounds */

/**
 * A tensor of a type that the version takes.
 * @type {(name: string) => Input}
 */
export const tensor = (name) => ({
  kind: 'tensor',
  name,
  optional: false,
  isEarly: true,
  read: readData,
  how: undefined,
});

/** @type {Input['read']} */
export const readData = ({ name }, call, value) => readTensor(name, value, call.checkType);

/**
 * A list of int64.
 * @param {string} name
 * @param {{ optional?: boolean, types?: readonly TypeName[], takesNumber?: boolean, most?: number, lengthSince?: number
 *   }} [how] `takesNumber`: a number stands for a list of one; `most` entries of a call; `lengthSince`: the first
 *   version whose inference reads the length of a list without a value
 * @returns {Input}
 */
export const integers = (name, { optional = false, ...how } = {}) => ({
  ...{ kind: 'integers', name, optional, isEarly: false, read: readIntegersInput },
  how: { types: int64Only, takesNumber: true, most: Infinity, lengthSince: 0, ...how },
});

/** @type {Input['read']} */
function readIntegersInput(input, call, value, options, values) {
  const list = readEntries(input, call, value, options, values);
  const { name, how } = input;
  if (list && list.length > how.most) rangeError(`${name} must have at most ${how.most} entries, got ${list.length}`);
  return list;
}

/** @type {Input['read']} */
function readEntries({ name, optional, attribute, how }, call, value, options) {
  if (attribute && isAttribute(call, name, value)) return readAttribute(name, attribute, call, options);
  if (optional && isOmitted(value)) return undefined;
  if (isList(value)) return readList(name, value);
  if (how.takesNumber && (typeof value === 'number' || typeof value === 'bigint')) return [readWhole(name, value)];
  return readIntegerTensor(name, value, how.types);
}

/** @type {(name: string, attribute: Attribute, call: Call, options: any) => any} */
export function readAttribute(name, { required, byDefault, read }, call, options) {
  const value = options === undefined ? undefined : options[name];
  if (value === undefined && !required) return byDefault;
  return read === readWholes ? readWholes(name, value) : read(name, value, call);
}

/** @type {(read: Attribute['read'], byDefault: any, bounds?: Bounds) => Attribute} */
const attribute = (read, byDefault, { since = 0, before = Infinity, required = false } = {}) => ({
  ...{ since, before, required, byDefault, read },
});

/** @type {(bounds?: Bounds) => Attribute} a list of int64 */
export const list = (bounds) => attribute(readWholes, undefined, bounds);

/** @type {(name: string, value: any) => any} */
function readWholes(name, value) {
  if (!isList(value)) typeError(`${name} must be a list of whole numbers, got ${show(value)}`);
  return readList(name, value);
}

/** @type {(byDefault: number | undefined, bounds?: Bounds & { least?: number }) => Attribute} an int64 */
export const whole = (byDefault, { least, ...bounds } = {}) =>
  attribute(
    (name, value) => {
      const number = readWhole(name, value);
      if (least !== undefined && number < least) rangeError(`${name} must be at least ${least}, got ${number}`);
      return number;
    },
    byDefault,
    bounds,
  );

/** @type {(byDefault: boolean, bounds?: Bounds) => Attribute} 0 or 1 */
export const flag = (byDefault, bounds) =>
  attribute((name, value) => readFlag(name, value, byDefault), byDefault, bounds);

/** @type {(words: readonly string[], bounds?: Bounds) => Attribute} the first if omitted */
export const word = (words, bounds) => attribute((name, value) => readWord(name, words, value), words[0], bounds);

/** @type {(bounds?: Bounds) => Attribute} without meaning */
export const unread = (bounds) => attribute(() => undefined, undefined, bounds);
