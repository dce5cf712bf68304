/**
 * The call of a declared operator: find the version, read the arguments, ask the shape rule, move the bytes.
 *
 * A schema is one version of an operator. A Call is what the options `opset` and `strict` select: a schema, and the
 * types that it takes. A plan is what the shape rule gives: the dims of the result, and all that the move needs to make
 * it.
 */
import { layout, ready } from '../../engines/tensors/index.js';
import * as args from '../../arguments/index.js';
import { dtypes, readTensor } from '../../tensor/index.js';
import { readAll } from './kinds.js';

/** @import { Attribute, Call, CallOptions, DType, LazyTensor, Operator, Plan, Schema, Tensor } from '../types.js' */
/** @import { OptionBag, ReadInputs, ViewRule } from '../types.js' */

/** The newest opset whose rules are known; the default of every call. */
export const newestOpset = 28;

/** Finds an operator's version at an opset: the newest of those that the opset has; undefined where it has none.
 * @type {(operator: Operator, opset: number) => Readonly<Schema> | undefined} */
const schemaAt = ({ schemas }, opset) => schemas.findLast(({ since }) => since <= opset);

/** Lists the names of the inputs that an opset's version has: those of the first version may differ.
 * @type {(operator: { inputs: readonly string[], firstInputs?: readonly string[], schemas: Operator['schemas'] },
 *   opset: number) => readonly string[]} */
export function inputsAt({ inputs, firstInputs, schemas }, opset) {
  if (!firstInputs) return inputs;
  const [, secondVersion] = schemas;
  const isFirstVersion = opset < secondVersion.since;
  return isFirstVersion ? firstInputs : inputs;
}

/** Tells whether a version's type list has a dtype. Without a list of its own, a version has the types up to one of
 * ONNX's IR versions, `ir`, but for the kinds in `lacks`.
 * @type {(schema: Schema, dtype: DType) => boolean} */
export function allows(schema, dtype) {
  if (schema.types) return schema.types.includes(dtype.name);
  return dtype.ir <= schema.ir && !schema.lacks.includes(dtype.format.kind);
}

/** Finds the opset of the first version that takes a dtype; undefined where none does.
 * @type {(operator: Operator, dtype: DType) => number | undefined} */
const firstOpsetFor = ({ schemas }, dtype) => schemas.find((schema) => allows(schema, dtype))?.since;

/** Finds the opset of the first version after `schema` that has an attribute; undefined where none has.
 * @type {(operator: Operator, schema: Schema, attribute: string) => number | undefined} */
const firstOpsetWithAttribute = ({ schemas }, { since }, attribute) =>
  schemas.find((later) => later.since > since && later.attributes.includes(attribute))?.since;

/** Runs `work` with the Call that the options select. Messages of its errors begin with the operator and its version,
 * such as `Transpose-25`.
 * @type {<T>(operator: Operator, options: CallOptions | undefined, work: (call: Call) => T) => T} */
export function withCall(operator, options, work) {
  /** @type {Call | undefined} */
  let call;
  try {
    call = readCall(operator, options);
    return work(call);
  } catch (error) {
    throw callError(operator, call, error);
  }
}

/** Puts a name in front of the message of a call's error: of the operator and its version; of the operator alone where
 * the version is not known yet; of the function, such as `transpose`, where the module could not be loaded.
 * @type {(operator: Operator, call: Call | undefined, error: unknown) => unknown} */
function callError({ name }, call, error) {
  if (call) return args.nameError(call.name, error);
  // Wrong arguments give a TypeError or a RangeError.
  const isOfLoading = error?.constructor === Error;
  const functionName = name[0].toLowerCase() + name.slice(1);
  return args.nameError(isOfLoading ? functionName : name, error);
}

/** A call is strict unless `strict: false`: it refuses types that the version does not take. */
const strictByDefault = true;

/** Reads the options `opset` and `strict`, and gives the Call of the version that they select.
 * @type {(operator: Operator, options: CallOptions | undefined) => Call} */
export function readCall(operator, options) {
  if (options === undefined) return cachedCall(operator, newestOpset, strictByDefault);
  if (typeof options !== 'object' || options === null)
    args.typeError(`options must be an object, got ${args.show(options)}`);
  const { opset, strict } = options;
  if (opset === undefined && strict === undefined) return cachedCall(operator, newestOpset, strictByDefault);
  return callAt(operator, opset, strict);
}

/** Checks the options `opset` and `strict`, of which one may be undefined, and gives the Call that they select.
 * @type {(operator: Operator, opset: number | undefined, strict: boolean | undefined) => Call} */
function callAt(operator, opset, strict) {
  const number = opset === undefined ? newestOpset : args.readWhole('opset', opset);
  if (!(number >= 1 && number <= newestOpset)) args.rangeError(`opset must be in [1, ${newestOpset}], got ${number}`);
  const call = cachedCall(operator, Number(number), strict !== false);
  // The version is known by now, so its name stands in this message.
  if (strict !== undefined && typeof strict !== 'boolean')
    args.named(call.name, () => args.typeError(`strict must be true or false, got ${args.show(strict)}`));
  return call;
}

/** Gives the Call of an opset. It is made once, and cached in the operator's list: a small transpose takes four times
 * as long without. Calls that are not strict lie behind the strict ones.
 * @type {(operator: Operator, opset: number, strict: boolean) => Call} */
function cachedCall(operator, opset, strict) {
  const index = strict ? opset : newestOpset + opset;
  return (operator.calls[index] ??= newCall(operator, opset, strict));
}

/** Gives the set of dtypes that a version takes as a number: bit n stands for the dtype whose code in ONNX is n.
 * Without `strict` these are all types that the operator has a meaning for.
 * @type {(schema: Schema, strict: boolean, undefinedFor: Operator['undefinedFor']) => number} */
function allowedBits(schema, strict, undefinedFor) {
  let bits = 0;
  for (const dtype of Object.values(dtypes)) {
    const hasMeaning = !undefinedFor.includes(dtype.format.kind);
    const isAllowed = allows(schema, dtype) || (!strict && hasMeaning);
    if (isAllowed) bits |= 1 << dtype.code;
  }
  return bits;
}

/** Makes the Call of an opset, for all nodes and calls. Refuses an opset before the operator's first version.
 * @type {(operator: Operator, opset: number, strict: boolean) => Call} */
function newCall(operator, opset, strict) {
  const { name, schemas, undefinedFor } = operator;
  const schema = schemaAt(operator, opset);
  if (!schema) args.rangeError(`first appears in opset ${schemas[0].since}, got opset ${opset}`);
  /** @type {Call} */
  const call = {
    operator,
    schema,
    name: `${name}-${schema.since}`,
    opset,
    strict,
    allowed: allowedBits(schema, strict, undefinedFor),
    options: schema.attributes, // and the inputs that may be named, from the first call on that has options
    readTensor, // inference puts another one in its place
    checkType: (dtype) => checkType(call, 'type', dtype),
  };
  return call;
}

/** Rejects a type that the version does not take. `owner`: what has the type, in messages.
 * @type {(call: Call, owner: string, dtype: DType) => void} */
export function checkType(call, owner, dtype) {
  const bitOfType = 1 << dtype.code; // as `allowedBits` sets it
  if ((call.allowed & bitOfType) === 0) refuseType(call, owner, dtype);
}

/** Refuses a type: says the opset that brings it, if there is one.
 * @type {(call: Call, owner: string, dtype: DType) => never} */
function refuseType({ operator, opset }, owner, dtype) {
  const first = firstOpsetFor(operator, dtype);
  const reason = first ? `needs opset ${first}` : 'is in no version';
  return args.typeError(`${owner} ${dtype.name} ${reason}, got opset ${opset}`);
}

/** Rejects options that the version does not have: a misspelt one must not be ignored. `names`: the attributes, and the
 * inputs that a call may name; `further`: an option that is neither, such as `out`.
 * @type {(call: Call, names: readonly string[], options: object | undefined, further?: string) => void} */
export function checkKeys(call, names, options, further) {
  for (const key in options) {
    const isKnown = names.includes(key) || key === 'opset' || key === 'strict' || key === further;
    if (isKnown) continue;
    const isList = 'length' in options; // such as a perm in place of the options
    if (isList) args.typeError(`options must be an object, as { ${names[0] ?? 'opset'} }, got ${args.show(options)}`);
    refuseOption(call, names, key, further);
  }
}

/** Refuses the option `key`, which the version does not have: says the opset that brings it, or the nearest of the
 * names that the version has, which are `names`, `further`, `opset` and `strict`.
 * @type {(call: Call, names: readonly string[], key: string, further: string | undefined) => never} */
export function refuseOption({ operator, schema, opset }, names, key, further) {
  const laterOpset = firstOpsetWithAttribute(operator, schema, key);
  if (laterOpset) args.typeError(`${key} needs opset ${laterOpset}, got opset ${opset}`);
  const furtherNames = further === undefined ? [] : [further];
  return args.unknownName('option', key, [...names, ...furtherNames, 'opset', 'strict']);
}

/** Tells whether the call's version takes `argument` as an attribute, as early versions take what later ones have as an
 * input. If so, refuses an `input`, a value that the caller gives in the place of the later versions' input.
 * @type {(call: Call, argument: string, input: unknown) => boolean} */
export function isAttribute({ operator, schema, opset }, argument, input) {
  if (!schema.attributes.includes(argument)) return false;
  if (input !== undefined && input !== null) {
    const firstWithInput = operator.schemas.find(
      (later) => later.since > schema.since && !later.attributes.includes(argument),
    );
    const before = `before opset ${firstWithInput?.since}`;
    args.typeError(`${argument} is an attribute ${before}, got it as an input at opset ${opset}`);
  }
  return true;
}

/** Loads the wasm module if the operator moves bytes. `layout`, the module's exports, is undefined until it is loaded.
 * @type {(operator: Operator) => void} */
export function loadFor(operator) {
  if (layout !== undefined || !operator.move.isMoving) return;
  try {
    ready();
  } catch (error) {
    throw callError(operator, undefined, error);
  }
}

/** Loads the module and runs a call whose inputs are all positional. Operators that move no bytes use
 * {@link callOperator}, so that their bundles hold no module.
 * @type {(operator: Operator, inputs: unknown[], options?: object, outputs?: number) => any} */
export function run(operator, inputs, options, outputs) {
  if (layout === undefined) loadFor(operator);
  return callOperator(operator, inputs, options, outputs);
}

/** Calls an operator whose inputs are all positional and whose module is loaded. Each input in the list is replaced by
 * the value that is read of it. `outputs`: how many a node has, of an operator with any number of them.
 * @type {(operator: Operator, inputs: ReadInputs, options: object | undefined, outputs?: number) => any} */
export function callOperator(operator, inputs, options, outputs) {
  const { declaredInputs, move } = operator;
  /** @type {Call | undefined} */
  let call;
  try {
    call = readCall(operator, options);
    // A Call is cached for all nodes, so the count goes to a copy.
    if (outputs !== undefined) call = { ...call, outputs };
    const bag = /** @type {OptionBag | undefined} */ (options);
    // Read tensors first (`isEarly`), because the rules of attributes and of other inputs depend on their types.
    for (let i = 0; i < declaredInputs.length; i++) {
      const input = declaredInputs[i];
      if (input.isEarly) inputs[i] = input.read(input, call, inputs[i], bag, inputs);
    }
    return move.run(operator, planOf(call, inputs, bag), inputs, bag);
  } catch (error) {
    throw callError(operator, call, error);
  }
}

/** Reads a call's attributes, and the inputs that are not read before them (`isEarly`), and asks the shape rule for the
 * plan: the dims of the result, and all that the move needs. `values`: the inputs, each replaced once it is read.
 * @type {(call: Call, values: ReadInputs, options: OptionBag | undefined) => Plan} */
export function planOf(call, values, options) {
  const { operator } = call;
  const { declaredInputs } = operator;
  if (options !== undefined) checkKeys(call, call.options, options, operator.move.out);
  const attributes = readAttributes(call, options, values);
  // Input 0 is early, if there is one.
  for (let i = 1; i < declaredInputs.length; i++) {
    const input = declaredInputs[i];
    if (!input.isEarly) values[i] = input.read(input, call, values[i], options, values);
  }
  return applyShapeRule(call, attributes, values);
}

/** Reads the attributes of a call by their names. A call without options gets the defaults unread, unless an attribute
 * is required and has to be refused.
 * @type {(call: Call, options: OptionBag | undefined, values: unknown[]) => OptionBag} */
export function readAttributes(call, options, values) {
  const { attributes, defaults, needsOptions } = call.operator;
  if (options === undefined && !needsOptions) return defaults;
  /** @type {OptionBag} */
  const result = {};
  for (const attribute of attributes)
    result[attribute.name] = readAttribute(attribute.name, attribute, call, options, values);
  return result;
}

/** Reads one attribute, or gives its default where it is omitted; the `read` of a required one refuses undefined.
 * @type {(name: string, attribute: Attribute, call: Call, options: OptionBag | undefined, values?: unknown[]) =>
 *   unknown} */
export function readAttribute(name, { required, byDefault, read }, call, options, values) {
  const value = options?.[name];
  return value === undefined && !required ? byDefault : read(name, value, call, values);
}

/** Plans a call by the shape rule of its operator. `values`: the inputs that were read, in the operator's order.
 * @type {(call: Call, attributes: OptionBag, values: unknown[]) => Plan} */
export const applyShapeRule = (call, attributes, values) =>
  // eslint-disable-next-line architecture/spreads -- few values: a list of tensors is one of them
  call.operator.shape(call, attributes, ...values);

/** Applies an operator to a view of a tensor that is not copied yet: gives the view of the result, or of each of
 * several results. Undefined where strides cannot express it. `inputs`: those behind the tensor, whose type is `dtype`;
 * `outputs`: how many the node has.
 * @type {ViewRule} */
export function declaredView(call, source, inputs, options, dtype, outputs) {
  // Only an operator with any number of outputs reads their count.
  const isCountRead = outputs !== undefined && call.operator.outputs !== 1;
  const callWithCount = isCountRead ? { ...call, outputs } : call;
  const typeAndDims = { dtype, dims: source.dims }; // all that the shape rule reads of the tensor
  const plan = planOf(callWithCount, [typeAndDims, ...inputs], options);
  return call.operator.move.view?.(source, plan);
}

/** Calls an operator that joins tensors, such as Concat, with views that are not copied yet: each is copied to its
 * place in the result.
 * @type {(operator: Operator, sources: LazyTensor[], options: OptionBag | undefined) => Tensor} */
export function runJoined(operator, sources, options) {
  /** @type {Call | undefined} */
  let call;
  try {
    loadFor(operator);
    call = readCall(operator, options);
    const [listName] = operator.inputs;
    // The shape rule needs no elements.
    const typesAndDims = readAll(listName, sources, call.checkType, (_, { tensor, view }, checkTypeInList) => {
      checkTypeInList(tensor.dtype);
      return { dtype: tensor.dtype, dims: view.dims };
    });
    const plan = planOf(call, [typesAndDims], options);
    const join = /** @type {NonNullable<Operator['move']['join']>} */ (operator.move.join);
    return join(plan, sources);
  } catch (error) {
    throw callError(operator, call, error);
  }
}
