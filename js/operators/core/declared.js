/** Operators of the caller: what a declaration must have, and how such an operator is called. */
import {
  isList,
  named,
  readEntries,
  readFunction,
  readText,
  show,
  showClass,
  typeError,
} from '../../arguments/index.js';
import { define, isOperator } from './define.js';
import { runNamed } from './named.js';

/** @import { Declaration, Operator } from '../types.js' */

/**
 * Declares an operator of the caller's own.
 * @template {object} [Inputs=any] what inference knows of the inputs, by their ONNX names
 * @template {object} [Attributes=any]
 * @param {Declaration} declaration
 * @returns {Operator<Inputs, Attributes>}
 */
export function defineDeclared(declaration) {
  named('define', () => checkDeclaration(declaration));
  return define(declaration);
}

/** Refuses a declaration that lacks a part of an operator, or has one of another kind.
 * @type {(declaration: Declaration) => void} */
function checkDeclaration(declaration) {
  checkObject('declaration', declaration);
  const { name, versions, inputs, attributes = {}, outputs = 1, shape, move } = declaration;
  readText('name', name);
  checkObject('versions', versions);
  // By the first opset of each version, the ONNX IR version `ir` whose types it takes.
  for (const [since, ir] of Object.entries(versions))
    if (typeof ir !== 'number') typeError(`versions ${since} must be a number, got ${show(ir)}`);
  for (const input of readEntries('inputs', inputs)) {
    const isInput = typeof input?.name === 'string' && typeof input.read === 'function';
    if (!isInput) typeError(`inputs must hold what tensor() and its kin give, got ${show(input)}`);
  }
  checkObject('attributes', attributes);
  for (const [key, attribute] of Object.entries(attributes)) {
    const hasVersions = typeof attribute?.since === 'number' && typeof attribute.before === 'number';
    const isAttribute = hasVersions && typeof attribute.read === 'function';
    if (!isAttribute)
      typeError(`attributes ${show(key)} must be what attribute() and its kin give, got ${show(attribute)}`);
  }
  if (typeof outputs !== 'number') typeError(`outputs must be a number, got ${show(outputs)}`);
  readFunction('shape', shape);
  if (typeof move?.run !== 'function') typeError(`move must be what computed() and its kin give, got ${show(move)}`);
}

/** Refuses a primitive, null, a list or a typed array in place of an object.
 * @type {(argument: string, value: unknown) => void} */
function checkObject(argument, value) {
  if (typeof value !== 'object' || value === null || isList(value) || ArrayBuffer.isView(value))
    typeError(`${argument} must be an object, got ${showClass(value)}`);
}

/**
 * Calls an operator that {@link define} gives. Inputs behind the first tensors may stand in their places, or in the
 * options; the options may stand in the place of the first input that is omitted.
 * @param {unknown} operator
 * @param {readonly unknown[]} inputs
 * @param {unknown} [options] attributes, inputs by their names, `out`, `opset` and `strict`
 * @param {number} [outputs] how many a node has, of an operator with any number of them
 * @returns {any} the result
 */
export function runDeclared(operator, inputs, options, outputs) {
  // A copy, because the call changes its list of inputs.
  const inputList = named('run', () => {
    if (!isOperator(operator)) typeError(`operator must be what define() gives, got ${show(operator)}`);
    if (!Array.isArray(inputs)) typeError(`inputs must be an array, got ${showClass(inputs)}`);
    if (outputs !== undefined && typeof outputs !== 'number')
      typeError(`outputs must be a number, got ${show(outputs)}`);
    return readEntries('inputs', inputs);
  });
  return runNamed(/** @type {Operator} */ (operator), inputList, options, outputs);
}
