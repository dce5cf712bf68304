/** The command `inspect`: what is in a file. */
import { dtypes, Tensor } from '../index.js';
import { choose, readTensors } from './files.js';
import { UsageError } from './options.js';
import { safe } from './terminal.js';

/** @import { Model, Source } from './files.js' */
/** @import { Streams } from './terminal.js' */
/** @import { SpecialCommand, Values } from './options.js' */

/** @typedef {Model['inputs'][number]} ValueInfo */

/**
 * What is shown of a tensor.
 * @typedef {object} Row
 * @property {string} name
 * @property {string} type
 * @property {readonly number[]} dims
 * @property {number} bytes
 * @property {unknown[]} first values
 */

/** @type {SpecialCommand} */
export const inspect = {
  help: ['FILE', 'names, types, dims, bytes and first values'],
  options: {},
  read(values, files) {
    if (files.length !== 1) throw new UsageError(`inspect takes a file, got ${files.length}`);
    return async (streams) => ({ printed: await inspected(streams, values, files[0]) });
  },
};

/**
 * @param {Streams} streams
 * @param {Values} values
 * @param {string} path
 * @returns {Promise<string>} what is printed
 */
async function inspected(streams, { json, type, tensor: only }, path) {
  const source = await readTensors(streams, path, type);
  /** @type {[string, Tensor][]} */
  const chosen = only === undefined ? [...source.tensors] : [[only, choose(source.tensors, only)]];
  const rows = chosen.map(([name, tensor]) => ({
    name,
    type: tensor.type,
    dims: tensor.dims,
    bytes: byteLength(tensor),
    first: firstValues(tensor),
  }));
  if (json) return asJson(source, rows);
  return linesOf(source, rows)
    .map((line) => `${safe(line)}\n`)
    .join('');
}

/**
 * @param {Source} source
 * @param {Row[]} rows
 * @returns {string}
 */
function asJson({ format, model, metadata }, rows) {
  const graph = model && {
    opsets: Object.fromEntries(model.opsets),
    inputs: model.inputs,
    outputs: model.outputs,
    nodes: model.nodes.map(({ attributes, ...node }) => node),
  };
  const more = metadata && { metadata: Object.fromEntries(metadata) };
  return `${JSON.stringify({ format, ...graph, ...more, tensors: rows }, plain, 2)}\n`;
}

/**
 * @param {Source} source
 * @param {Row[]} rows
 * @returns {string[]}
 */
function linesOf({ model, metadata }, rows) {
  const lines = rows.map(({ name, type, dims, bytes, first }) => {
    const more = first.length < dims.reduce((product, extent) => product * extent, 1) ? ' …' : '';
    const label = name && `${name}: `;
    return `${label}${type} [${dims.join(', ')}], ${bytes} bytes: ${first.map(printed).join(' ')}${more}`;
  });
  for (const info of model?.inputs ?? []) lines.push(`input ${described(info)}`);
  for (const info of model?.outputs ?? []) lines.push(`output ${described(info)}`);
  for (const { name, operator, domain, inputs, outputs } of model?.nodes ?? []) {
    const call = `${domain && `${domain}.`}${operator}(${inputs.join(', ')})`;
    lines.push(`node ${name && `${name}: `}${call} -> ${outputs.join(', ')}`);
  }
  for (const [key, value] of metadata ?? []) lines.push(`metadata ${key}: ${value}`);
  return lines;
}

/**
 * @param {Tensor} tensor
 * @returns {number}
 */
const byteLength = ({ data }) =>
  Array.isArray(data) ? data.reduce((total, entry) => total + Buffer.byteLength(entry), 0) : data.byteLength;

/**
 * The first six values.
 * @param {Tensor} tensor
 * @returns {unknown[]}
 */
function firstValues({ type, data, size }) {
  const count = Math.min(size, 6);
  const entries = Array.isArray(data) ? count : Math.ceil((count * dtypes[type].bits) / (8 * data.BYTES_PER_ELEMENT));
  return new Tensor(type, data.slice(0, entries), [count]).toArray();
}

/**
 * JSON has no bigint, NaN or infinity: they become text.
 * @param {string} _
 * @param {unknown} value
 * @returns {unknown}
 */
function plain(_, value) {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/**
 * A value as a line shows it; strings of any length are cut.
 * @param {unknown} value
 * @returns {string}
 */
function printed(value) {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return Array.isArray(value) ? `(${value.join(', ')})` : String(value);
}

/**
 * A graph's input or output.
 * @param {ValueInfo} info
 * @returns {string}
 */
function described({ name, type, dims, sequence }) {
  const extents = dims ? `[${dims.map((extent) => extent ?? '?').join(', ')}]` : '[…]';
  return `${name}: ${sequence ? 'sequence of ' : ''}${type ?? '?'} ${extents}`;
}
