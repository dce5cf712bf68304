/** The command `inspect`: what is in a file. */
import { choose, withFiles } from '../files.js';
import { flag } from '../options.js';
import { counted, digitsOf, size } from '../terminal.js';

/** @import { Entry } from '../../io/index.js' */
/** @import { Weights } from '../../node/index.js' */
/** @import { Command, Outcome, Row, ValueInfo } from '../types.js' */

/** Most tensors whose first values are read. */
const maxTensorsWithValues = 32;
/** Values of a tensor that are shown. */
const shownValues = 6;
/** Characters of a text that are shown. */
const shownCharacters = 40;

/** @type {Command} */
export const inspect = {
  form: 'FILE',
  summary: 'show names, types, dims, bytes, first values; the opsets and the graph of a model',
  notes: 'Headers alone are read, and the first values of up to 32 tensors.',
  examples: ['inspect model.onnx', 'inspect folder-of-shards --tree', 'inspect model.safetensors --json'],
  options: { tree: flag('group names by their parts, which dots separate') },
  shared: ['tensor', 'dtype'],
  work: (streams, { inputs, options, values }) =>
    withFiles(streams, inputs, values.dtype, ([source]) => inspectFile(inputs[0], options.tree, values.tensor, source)),
};

/** Describes the tensors of a file, or the one called `only`. `tree`: whether lines group the names, without values;
 * `path`: of the file, for messages.
 * @type {(path: string, tree: boolean, only: string | undefined, source: Weights) => Promise<Outcome>} */
async function inspectFile(path, tree, only, source) {
  const chosen = only === undefined ? source.entries : new Map([[only, choose(path, source.entries, only)]]);
  const withValues = chosen.size <= maxTensorsWithValues && !tree;
  /** @type {Row[]} */
  const rows = [];
  for (const [name, entry] of chosen) {
    const { type, dims, byteLength: bytes } = entry;
    const row = { name, type, dims, bytes };
    rows.push(withValues ? { ...row, first: await firstValues(entry) } : row);
  }
  return { report: reportOf(source, rows), lines: tree ? treeLines(rows) : linesOf(source, rows) };
}

/** Describes a file as --json prints it: without the attributes of nodes, which may hold tensors.
 * @type {(source: Weights, rows: Row[]) => object} */
function reportOf({ format, model, metadata }, rows) {
  const graph = model && {
    opsets: Object.fromEntries(model.opsets),
    inputs: model.inputs,
    outputs: model.outputs,
    nodes: model.nodes.map(({ attributes, ...node }) => node),
  };
  const more = metadata && { metadata: Object.fromEntries(metadata) };
  const tensors = rows.map(({ first, ...row }) => ({
    ...row,
    first: first?.map((value) => shortestFloat(row.type, value)),
  }));
  return { format, ...graph, ...more, tensors };
}

/** Gives a float as the number that its fewest digits spell: of float32 0.1, which float64 has as 0.10000000149, 0.1.
 * Any other value is returned as it is.
 * @type {(type: unknown, value: unknown) => unknown} */
const shortestFloat = (type, value) => (Number.isFinite(value) ? Number(digitsOf(type, value)) : value);

/** Lists the lines of a file for the terminal: its tensors and, of a model, opsets, inputs, outputs and nodes.
 * @type {(source: Weights, rows: Row[]) => string[]} */
function linesOf({ model, metadata }, rows) {
  const lines = rows.map(tensorLine);
  if (rows.length > 1) lines.push(`total ${totalsOf(rows)}`);
  for (const [domain, opset] of model?.opsets ?? []) lines.push(`opset ${domain && `${domain} `}${opset}`);
  for (const info of model?.inputs ?? []) lines.push(`input ${formatInfo(info)}`);
  for (const info of model?.outputs ?? []) lines.push(`output ${formatInfo(info)}`);
  for (const { name, operator, domain, inputs, outputs } of model?.nodes ?? []) {
    const call = `${domain && `${domain}.`}${operator}(${inputs.join(', ')})`;
    lines.push(`node ${name && `${name}: `}${call} -> ${outputs.join(', ')}`);
  }
  for (const [key, value] of metadata ?? []) lines.push(`metadata ${key}: ${value}`);
  return lines;
}

/** Describes a tensor in a line, with its first values if they were read.
 * @type {(row: Row) => string} */
function tensorLine({ name, type, dims, bytes, first }) {
  const label = name && `${name}: `;
  const facts = `${label}${type} [${dims.join(', ')}], ${bytes} bytes`;
  if (!first) return facts;
  const elements = dims.reduce((product, extent) => product * extent, 1);
  const values = first.map((value) => formatValue(type, value)).join(' ');
  return `${facts}: ${values}${first.length < elements ? ' …' : ''}`;
}

/** Counts tensors, and their bytes by type.
 * @type {(rows: readonly Row[]) => string} */
function totalsOf(rows) {
  /** @type {Map<string, number>} */
  const types = new Map();
  for (const { type, bytes } of rows) types.set(type, (types.get(type) ?? 0) + bytes);
  const sum = rows.reduce((total, { bytes }) => total + bytes, 0);
  const texts = Array.from(types, ([type, bytes]) => `${type} ${size(bytes)}`);
  return `${counted(rows.length, 'tensor')}, ${size(sum)}: ${texts.join(', ')}`;
}

/** Deeper levels of a name are shown in one line: each takes a line and a place on the stack, and a name may have a
 * million dots. */
const maxDepth = 32;

/** Writes tensors as a tree of the parts of their names, which dots separate, below a line with the totals.
 * @type {(rows: readonly Row[]) => string[]} */
function treeLines(rows) {
  const lines = [totalsOf(rows)];
  const leaves = rows.map((row) => ({ row, from: 0 }));
  addLevel(lines, leaves, 0);
  return lines;
}

/** A tensor below a level of the tree. `from`: where the level's part begins in its name.
 * @typedef {{ row: Row, from: number }} Leaf */

/** Appends one level of the tree to `lines`: a line for each tensor whose name ends here, and for each other part of
 * the names a line with its totals, then the level inside it.
 * @type {(lines: string[], leaves: readonly Leaf[], depth: number) => void} */
function addLevel(lines, leaves, depth) {
  const indent = '  '.repeat(depth);
  /** @type {Map<string, { tensor?: Row, inside: Leaf[] }>} */
  const branches = new Map();
  for (const { row, from } of leaves) {
    const dot = depth < maxDepth ? row.name.indexOf('.', from) : -1;
    const endsHere = dot < 0;
    // The part has its dot, so that the tensor "a" and the branch of "a.b" have different keys.
    const part = endsHere ? row.name.slice(from) : row.name.slice(from, dot + 1);
    const branch = branches.get(part) ?? { tensor: endsHere ? row : undefined, inside: [] };
    branch.inside.push({ row, from: dot + 1 });
    branches.set(part, branch);
  }
  for (const [part, { tensor, inside }] of branches) {
    if (tensor) {
      lines.push(`${indent}${part} ${tensor.type} [${tensor.dims.join(', ')}], ${size(tensor.bytes)}`);
      continue;
    }
    lines.push(`${indent}${part} ${totalsOf(inside.map(({ row }) => row))}`);
    addLevel(lines, inside, depth + 1);
  }
}

/** Reads the first values of a tensor in row-major order, by a slice that is little more: enough of the innermost axes,
 * and of the other axes the first index alone.
 * @type {(entry: Entry) => Promise<unknown[]>} */
async function firstValues(entry) {
  const { dims } = entry;
  const ends = dims.map(() => 0);
  let neededIndices = shownValues; // of the axis
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    ends[axis] = Math.min(dims[axis], neededIndices);
    // Each index of the next outer axis gives as many values as this one has.
    neededIndices = Math.ceil(neededIndices / Math.max(1, ends[axis]));
  }
  const starts = dims.map(() => 0);
  const part = dims.length === 0 ? entry : entry.slice(starts, ends);
  const tensor = await part.read();
  return tensor.toArray().slice(0, shownValues);
}

/** Writes a value of a tensor of this type; a complex number as `(re, im)`.
 * @type {(type: unknown, value: unknown) => string} */
function formatValue(type, value) {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, shownCharacters));
  if (!Array.isArray(value)) return digitsOf(type, value);
  const partType = type === 'complex64' ? 'float32' : 'float64';
  return `(${value.map((part) => digitsOf(partType, part)).join(', ')})`;
}

/** Describes an input or output of a model: `?` is unknown, `[…]` an unknown rank. Of a sequence, the type and dims are
 * those of its tensors.
 * @type {(info: ValueInfo) => string} */
function formatInfo({ name, type, dims, sequence }) {
  const extents = dims ? `[${dims.map((extent) => extent ?? '?').join(', ')}]` : '[…]';
  return `${name}: ${sequence ? 'sequence of ' : ''}${type ?? '?'} ${extents}`;
}
