/** Kinds of inputs and attributes: how a call reads each. Tensors are read alike by inference, whose `readTensor` reads
 * what is known of one; the other kinds of inputs have readers of their own in infer.js. */
import * as args from '../../arguments/index.js';
import { checkData, decodeValues, dtypeOf, dtypes, readTensor, readType } from '../../tensor/index.js';
import { checkOne, checkTensor, int64Only, integerCheck, isOmitted, readIntegerTensor } from './integers.js';

/** @import { Attribute, Bounds, Call, DType, Indices, Input, Int64, IntegersOptions } from '../types.js' */
/** @import { IntegersRules, ReadInputs, TypeCheck, TypeName } from '../types.js' */

/** Declares an input that is a tensor of a type that the version takes, or `check` lets pass; undefined if omitted.
 * @type {(name: string, check?: TypeCheck, optional?: boolean) => Input} */
export const tensor = (name, check, optional = false) => ({
  kind: 'tensor',
  name,
  optional,
  check,
  // An optional tensor that is given is checked all the same.
  read: optional ? readIfGiven : readerFor(check),
});

/** Chooses how a tensor that is given is read: with its own check, or with that of the version.
 * @type {(check: TypeCheck | undefined) => Input['read']} */
const readerFor = (check) => (check ? readChecked : readData);

/** Reads an optional tensor; undefined where it is omitted.
 * @type {Input['read']} */
function readIfGiven(input, call, value, options, values) {
  // Without isOmitted() of integers.js, which a bundle of Transpose alone lacks.
  if (value === undefined || value === null) return undefined;
  return readerFor(input.check)(input, call, value, options, values);
}

/** Reads a tensor of a type that the operator's version takes.
 * @type {Input['read']} */
export const readData = ({ name }, call, value) => call.readTensor(name, value, call.checkType);

/** Reads a tensor whose type the input's own check lets pass.
 * @type {Input['read']} */
const readChecked = ({ name, check }, call, value, _, values) =>
  call.readTensor(name, value, (dtype) => /** @type {TypeCheck} */ (check)(dtype, call, values));

/** Declares the one input of an operator that is any number of tensors of one type.
 * @type {(name: string) => Input} */
export const tensors = (name) => ({
  kind: 'tensors',
  name,
  read: (_, call, value) => readAll(name, value, call.checkType, call.readTensor),
});

/** The first indices of a list in messages, made once: a call names each tensor, and most lists are short. */
const firstIndices = ['[0]', '[1]', '[2]', '[3]'];

/** Reads a list of at least one tensor, all of one type. `checkType` may refuse the type; `read` reads each tensor, and
 * passes its type to `check`.
 * @type {<T>(name: string, inputs: unknown, checkType: ((dtype: DType) => void) | undefined, read: (argument: string,
 *   input: any, check: (dtype: DType) => void) => T) => T[]} */
export function readAll(name, inputs, checkType, read) {
  if (!Array.isArray(inputs)) args.typeError(`${name} must be an array of tensors, got ${args.show(inputs)}`);
  const all = args.copyList(name, inputs);
  if (all.length === 0) args.rangeError(`${name} must hold at least one tensor, got []`);
  /** @type {DType | undefined} */
  let firstType;
  for (let i = 0; i < all.length; i++) {
    const argument = name + (firstIndices[i] ?? `[${i}]`);
    all[i] = read(argument, all[i], (/** @type {DType} */ dtype) => {
      if (i === 0) checkType?.(dtype);
      firstType ??= dtype;
      if (dtype !== firstType)
        args.typeError(`${argument} type must be ${firstType.name}, as that of ${name}[0], got ${dtype.name}`);
    });
  }
  return all;
}

/** Declares an input that is one number: itself, or a tensor of one element.
 * @type {(name: string, check: TypeCheck, optional?: boolean) => Input} */
export const number = (name, check, optional = false) => ({ kind: 'number', name, optional, read: readNumber, check });

/** Reads a number as `{ value }`; a tensor of one element as that tensor, with its element added as `value`.
 * @type {Input['read']} */
function readNumber({ name, optional, check }, call, value, _, values) {
  if (optional && isOmitted(value)) return undefined;
  if (typeof value === 'number' || typeof value === 'bigint') return { value };
  const source = readTensor(name, value, (dtype) => /** @type {TypeCheck} */ (check)(dtype, call, values));
  checkOne(name, source.dims);
  return { ...source, value: decodeValues(source.dtype, checkData(source), 1)[0] };
}

/** Declares an input that is indices of any rank; `types` are those that a tensor of indices may have. It is not early:
 * a call reads its tensors and its attributes first.
 * @type {(name: string, types: readonly TypeName[]) => Input} */
export const indices = (name, types) => ({ kind: 'indices', name, isEarly: false, read: readIndices, types });

/** Reads indices: a number or a list as `list`; a tensor as `tensor`, whose elements are checked later.
 * @type {(input: Input, call: Call, value: unknown) => Indices} */
function readIndices({ name: argument, types = [] }, _, value) {
  if (args.isList(value)) {
    const list = args.readList(argument, value);
    return { argument, dims: [list.length], list, tensor: undefined };
  }
  if (typeof value === 'number' || typeof value === 'bigint')
    return { argument, dims: [], list: [args.readWhole(argument, value)], tensor: undefined };
  checkTensor(argument, value, types, 'a number, a list of whole numbers');
  const source = readTensor(argument, value, integerCheck(argument, types));
  return { argument, dims: source.dims, list: [], tensor: source };
}

/** Declares an input that is a list of int64: required, of any length, also a tensor or one number, unless the options
 * say otherwise.
 * @type {(name: string, options?: IntegersOptions) => Input} */
export const integers = (name, { optional = false, ...rules } = {}) => ({
  kind: 'integers',
  name,
  optional,
  isEarly: false,
  read: readIntegersInput,
  rules: { ...anyIntegers, ...rules },
});

/** The rules of an input of `integers` without options. */
const anyIntegers = {
  since: 0, // the first version that has the input: 0 for every one
  types: int64Only,
  check: undefined, // `types` says which are taken
  takesNumber: true,
  maxLength: Infinity,
  lengthSince: 0, // the first version whose inference uses the length of a list of unknown entries
};

/** Reads a list of int64, and refuses one of more entries than the input may have.
 * @type {Input['read']} */
function readIntegersInput(input, call, value, options, values) {
  const list = /** @type {Int64[] | undefined} */ (readEntries(input, call, value, options, values));
  const { maxLength } = /** @type {IntegersRules} */ (input.rules);
  if (list && list.length > maxLength)
    args.rangeError(`${input.name} must have at most ${maxLength} entries, got ${list.length}`);
  return list;
}

/** Reads a list of int64: a list, one number where the input takes it, or a 1-D tensor.
 * @type {Input['read']} */
function readEntries({ name, optional, rules }, call, value, _, values) {
  if (optional && isOmitted(value)) return undefined;
  const { since, types, check, takesNumber } = /** @type {IntegersRules} */ (rules);
  checkSince(name, since, call);
  if (args.isList(value)) return args.readList(name, value);
  if (takesNumber && (typeof value === 'number' || typeof value === 'bigint')) return [args.readWhole(name, value)];
  return readIntegerTensor(name, value, types, check && ((dtype) => check(dtype, call, values)));
}

/** Refuses an input that the call's version does not have yet.
 * @type {(name: string, since: number, call: Call) => void} */
export function checkSince(name, since, { schema, opset }) {
  if (schema.since < since) args.typeError(`${name} needs opset ${since}, got opset ${opset}`);
}

/** Declares an attribute of the versions from `since` up to before `before`. `read` checks its value, and `byDefault`
 * stands for it where it is omitted.
 * @type {(read: Attribute['read'], byDefault: unknown, bounds?: Bounds) => Attribute} */
export const attribute = (read, byDefault, { since = 0, before = Infinity, required = false } = {}) => ({
  since,
  before,
  required,
  byDefault,
  read,
});

/** Declares an attribute that is a list of int64, without a default.
 * @type {(bounds?: Bounds) => Attribute} */
export const list = (bounds) => attribute(args.readWholes, undefined, bounds);

/** Declares an attribute that is an int64, at least `least`.
 * @type {(byDefault: number | undefined, bounds?: Bounds & { least?: number }) => Attribute} */
export const integer = (byDefault, { least, ...bounds } = {}) => {
  /** @type {Attribute['read']} */
  const readInteger = (name, value) => {
    const number = args.readWhole(name, value);
    if (least !== undefined && number < least) args.rangeError(`${name} must be at least ${least}, got ${number}`);
    return number;
  };
  return attribute(readInteger, byDefault, bounds);
};

/** Declares an attribute that is a float.
 * @type {(byDefault: number | undefined, bounds?: Bounds) => Attribute} */
export const real = (byDefault, bounds) => attribute(args.readNumber, byDefault, bounds);

/** Declares an attribute that is 0 or 1 in ONNX; it is read as a boolean, and a call may give one.
 * @type {(byDefault: boolean, bounds?: Bounds) => Attribute} */
export const flag = (byDefault, bounds) =>
  attribute((name, value) => args.readFlag(name, value, byDefault), byDefault, bounds);

/** Declares an attribute that is one of some words, the first if omitted.
 * @type {(words: readonly string[], bounds?: Bounds) => Attribute} */
export const word = (words, bounds) => attribute((name, value) => args.readWord(name, words, value), words[0], bounds);

/** Declares an attribute that ONNX defines without a meaning.
 * @type {(bounds?: Bounds) => Attribute} */
export const ignoredAttribute = (bounds) => attribute(() => undefined, undefined, bounds);

/** Declares an attribute that is a dtype: by its name in a call, by its code in a node.
 * @type {(check: TypeCheck, byDefault: DType | undefined, bounds?: Bounds) => Attribute} */
export const type = (check, byDefault, bounds) => {
  /** @type {Attribute['read']} */
  const readDtype = (_, value, call, values) => {
    const dtype = readType(value);
    check(dtype, call, /** @type {ReadInputs} */ (values));
    return dtype;
  };
  return { ...attribute(readDtype, byDefault, bounds), fromNode: typeOfNode };
};

/** Reads a type from an attribute of a model's node: its code, a number; in the first versions its name in upper case,
 * as FLOAT. `node` and `attribute`: their names in messages.
 * @type {(node: string, attribute: string, value: unknown) => TypeName} */
export function typeOfNode(node, attribute, value) {
  if (typeof value === 'number') {
    const all = Object.values(dtypes);
    const dtype = all.find(({ code }) => code === value);
    const rule = `must be the code of a type, 1 to ${all.length}, got ${value}`;
    return dtype?.name ?? args.rangeError(`${node} ${attribute} ${rule}`);
  }
  const isText = typeof value === 'string';
  const dtype = isText ? dtypeOf(value.toLowerCase()) : undefined;
  const shown = isText ? args.show(value) : 'none';
  return dtype?.name ?? args.rangeError(`${node} ${attribute} must be a type, got ${shown}`);
}
