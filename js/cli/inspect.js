/** The command `inspect`: what is in a file. */
import { dtypes, init } from '../index.js';
import { choose, withFiles } from './files.js';
import { flag, UsageError } from './options.js';
import { safe, size } from './terminal.js';

/** @import { Entry } from '../io/index.js' */
/** @import { Weights } from '../node/index.js' */
/** @import { Row, SpecialCommand, ValueInfo, Values } from './types.js' */

/** Most tensors whose first values are read. */
const mostValues = 32;

/** @type {SpecialCommand} */
export const inspect = {
  help: ['FILE [--tree]', 'names, types, dims, bytes and first values; totals'],
  options: { tree: flag },
  read(values, files) {
    if (files.length !== 1) throw new UsageError(`inspect takes a file, got ${files.length}`);
    return (streams) =>
      withFiles(streams, files, values.dtype, async ([source]) => ({ printed: await inspected(values, source) }));
  },
};

/** @type {(values: Values, source: Weights) => Promise<string>} */
async function inspected({ json, tree, tensor: only }, source) {
  const chosen = only === undefined ? source.entries : new Map([[only, choose(source.entries, only)]]);
  const withValues = chosen.size <= mostValues && !tree;
  // Values of whole bytes in the order of the file are read as they are.
  const isPlain = source.format === 'safetensors' && [...chosen.values()].every(({ type }) => dtypes[type].bits >= 8);
  if (withValues && !isPlain) await init();
  /** @type {Row[]} */
  const rows = [];
  for (const [name, entry] of chosen) {
    const { type, dims, byteLength: bytes } = entry;
    const row = { name, type, dims, bytes };
    rows.push(withValues ? { ...row, first: await firstValues(entry) } : row);
  }
  if (json) return asJson(source, rows);
  const lines = tree ? treeLines(rows) : linesOf(source, rows);
  return lines.map((line) => `${safe(line)}\n`).join('');
}

/** @type {(source: Weights, rows: Row[]) => string} */
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

/** @type {(source: Weights, rows: Row[]) => string[]} */
function linesOf({ model, metadata }, rows) {
  const lines = rows.map(({ name, type, dims, bytes, first }) => {
    const label = name && `${name}: `;
    const facts = `${label}${type} [${dims.join(', ')}], ${bytes} bytes`;
    if (!first) return facts;
    const more = first.length < dims.reduce((product, extent) => product * extent, 1) ? ' …' : '';
    return `${facts}: ${first.map(printed).join(' ')}${more}`;
  });
  if (rows.length > 1) lines.push(`total ${totalsOf(rows)}`);
  for (const info of model?.inputs ?? []) lines.push(`input ${described(info)}`);
  for (const info of model?.outputs ?? []) lines.push(`output ${described(info)}`);
  for (const { name, operator, domain, inputs, outputs } of model?.nodes ?? []) {
    const call = `${domain && `${domain}.`}${operator}(${inputs.join(', ')})`;
    lines.push(`node ${name && `${name}: `}${call} -> ${outputs.join(', ')}`);
  }
  for (const [key, value] of metadata ?? []) lines.push(`metadata ${key}: ${value}`);
  return lines;
}

/** @type {(rows: readonly Row[]) => string} */
function totalsOf(rows) {
  /** @type {Map<string, number>} */
  const types = new Map();
  for (const { type, bytes } of rows) types.set(type, (types.get(type) ?? 0) + bytes);
  const sum = rows.reduce((total, { bytes }) => total + bytes, 0);
  const parts = Array.from(types, ([type, bytes]) => `${type} ${size(bytes)}`);
  return `${rows.length} tensor${rows.length === 1 ? '' : 's'}, ${size(sum)}: ${parts.join(', ')}`;
}

/**
 * Groups the tensors by the parts of their names, which dots separate. `depth`: how many parts stand above.
 * @type {(rows: readonly Row[], indent?: string, depth?: number) => string[]}
 */
function treeLines(rows, indent = '', depth = 0) {
  /** @type {Map<string, Row[]>} */
  const branches = new Map();
  for (const row of rows) {
    const parts = row.name.split('.');
    // A tensor stands beside a branch of its name.
    const key = depth < parts.length - 1 ? `${parts[depth]}.` : parts.slice(depth).join('.');
    branches.set(key, [...(branches.get(key) ?? []), row]);
  }
  const lines = depth === 0 ? [totalsOf(rows)] : [];
  for (const [key, inside] of branches) {
    const [{ type, dims, bytes }] = inside;
    if (key.endsWith('.') && depth < mostDepth) {
      lines.push(`${indent}${key} ${totalsOf(inside)}`, ...treeLines(inside, `${indent}  `, depth + 1));
    } else lines.push(`${indent}${key} ${type} [${dims.join(', ')}], ${size(bytes)}`);
  }
  return lines;
}

/** A name of a million dots is shown as it is from here on: deeper levels would fill the stack. */
const mostDepth = 100;

/**
 * The first six values: as many of the innermost axes as make six, and of the others the first.
 * @type {(entry: Entry) => Promise<unknown[]>}
 */
async function firstValues(entry) {
  let wanted = 6;
  const ends = entry.dims.map(() => 0);
  for (let axis = ends.length - 1; axis >= 0; axis--) {
    ends[axis] = Math.min(entry.dims[axis], wanted);
    wanted = Math.ceil(wanted / Math.max(1, ends[axis]));
  }
  const part =
    ends.length === 0
      ? entry
      : entry.slice(
          ends.map(() => 0),
          ends,
        );
  return (await part.read()).toArray().slice(0, 6);
}

/** @type {(_: string, value: unknown) => unknown} JSON has no bigint, NaN or infinity: they become text. */
function plain(_, value) {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** @type {(value: unknown) => string} strings of any length are cut */
function printed(value) {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return Array.isArray(value) ? `(${value.join(', ')})` : String(value);
}

/** @type {(info: ValueInfo) => string} */
function described({ name, type, dims, sequence }) {
  const extents = dims ? `[${dims.map((extent) => extent ?? '?').join(', ')}]` : '[…]';
  return `${name}: ${sequence ? 'sequence of ' : ''}${type ?? '?'} ${extents}`;
}
