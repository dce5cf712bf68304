/**
 * An operator, declared: its versions, its inputs and attributes, one shape rule, and how its bytes move. The call, the
 * node of a model, the view of a chain and shape inference follow from that.
 */
/** @import { Attribute, Declaration, Input, Kind, Operator, Schema } from '../types.js' */

/**
 * Makes an operator of its declaration, which is not checked.
 * @template {object} [Inputs=any] what inference knows of the inputs, by their ONNX names
 * @template {object} [Attributes=any]
 * @param {Declaration} declaration
 * @returns {Operator<Inputs, Attributes>}
 */
export function define(declaration) {
  const { name, inputs, firstInputs, outputs = 1, attributes = {}, undefinedFor = [] } = declaration;
  const { shape, move, inferred, value } = declaration;
  const attributeNames = namesOfAttributes(inputs, attributes);
  const defaults = Object.fromEntries(attributeNames.map((key) => [key, attributes[key].byDefault]));
  const declaredInputs = inputs.map((input) => ({ ...noInput, ...input, attribute: attributes[input.name] }));
  // An `argument`, such as the type that Cast casts to, is an input of a call, but an attribute of a node.
  const inputsOfNodes = declaredInputs.filter(({ kind }) => kind !== 'argument');
  // Nodes of older versions may have an input as an attribute.
  const mayBeMissing = inputsOfNodes.filter((input) => input.optional || input.attribute);
  return {
    name,
    schemas: schemasOf(declaration, attributes),
    inputs: inputsOfNodes.map((input) => input.name),
    firstInputs,
    optional: mayBeMissing.map((input) => input.name),
    variadic: inputs[0]?.kind === 'tensors',
    several: outputs !== 1,
    outputs: outputs === Infinity ? undefined : outputs, // undefined: any number
    undefinedFor,
    calls: [], // filled as opsets are asked for
    declaredInputs,
    firstNamed: undefined, // found by the first call that may name inputs
    argument: declaredInputs.find(({ kind }) => kind === 'argument'),
    attributes: attributeNames.map((key) => ({ name: key, fromNode: undefined, ...attributes[key] })),
    defaults,
    needsOptions: attributeNames.some((key) => attributes[key].required),
    shape,
    move,
    inferred,
    value,
  };
}

/** Lists the attributes that are read as such: one of older versions that newer ones have as an input, perhaps under
 * another name (`former` is the attribute's), is read as that.
 * @type {(inputs: readonly Input[], attributes: Record<string, Attribute>) => string[]} */
function namesOfAttributes(inputs, attributes) {
  const becameInput = (/** @type {string} */ key) => inputs.some(({ name, former }) => key === name || key === former);
  return Object.keys(attributes).filter((key) => !becameInput(key));
}

/** The properties of an input, in one order: V8 then reads them from one hidden class. */
const noInput = {
  kind: undefined,
  name: '',
  former: undefined,
  optional: false,
  isEarly: true,
  read: undefined,
  check: undefined,
  types: undefined,
  rules: undefined,
  known: undefined,
  fromNode: undefined,
  attribute: undefined,
};

/** Makes the schemas of all versions, oldest first. `versions` has, by the first opset of each version, the ONNX IR
 * version `ir` whose types it takes; `lacks` has, by the version in which it changed, the list of the kinds of types
 * that versions lack from there on.
 * @type {(declaration: Declaration, attributes: Record<string, Attribute>) => readonly Readonly<Schema>[]} */
function schemasOf({ name, versions, lacks = {}, types, negativeAxis = Infinity }, attributes) {
  /** @type {Readonly<Schema>[]} */
  const schemas = [];
  let lacked = Object.freeze(/** @type {Kind[]} */ ([]));
  for (const [key, ir] of Object.entries(versions)) {
    const since = Number(key);
    if (lacks[since]) lacked = Object.freeze(lacks[since]);
    const names = Object.keys(attributes).filter((attribute) => isInVersion(attributes[attribute], since));
    /** @type {Schema} */
    const schema = {
      operator: name,
      since,
      ir,
      lacks: lacked,
      attributes: Object.freeze(names),
      negativeAxis: since >= negativeAxis,
    };
    if (types) schema.types = Object.freeze(types[since]);
    schemas.push(Object.freeze(schema));
  }
  return Object.freeze(schemas);
}

/** Tells whether the version whose first opset is `since` has an attribute.
 * @type {(attribute: Attribute, since: number) => boolean} */
const isInVersion = (attribute, since) => attribute.since <= since && since < attribute.before;

/** Tells whether a value is what {@link define} gives, by two of its properties.
 * @type {(value: unknown) => value is Operator} */
export const isOperator = (value) => {
  const { schemas, declaredInputs } = /** @type {Partial<Operator>} */ (value ?? {});
  return typeof value === 'object' && Array.isArray(schemas) && Array.isArray(declaredInputs);
};
