/** What the command line does: one file in, one file out. Node alone, as cli.js; the package's other modules run anywhere. */
import { closeSync, fstatSync, openSync, readFileSync, readSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { cast, flatten, init, reshape, splitToSequence, transpose } from '../index.js';
import { readModel, readNpy, readSafetensors, writeInitializers, writeNpy, writeSafetensors } from '../io/index.js';
import { dataLength, decodeValues, dtypes } from '../tensor/index.js';

const help = `Usage: onnx-layout COMMAND IN [OUT] [options]

  inspect FILE                       names, types, dims, bytes and first values
  transpose IN OUT [--perm 2,0,1]    axis i of the result is axis perm[i]; in reverse if omitted
  reshape IN OUT --shape 1,0,-1      [--allowzero]
  flatten IN OUT [--axis 1]
  split IN OUT [--axis 0]            [--split 4 | --split 1,2,3] [--drop-axis]
  cast IN OUT --to float16           [--no-saturate] [--round-mode up|down|nearest]

IN   a .npy, .safetensors or .onnx file; - for standard input. What it is is seen by its content.
OUT  .npy; .safetensors or .onnx where IN is one too: a copy in which the tensor is replaced; - for .npy on standard output.
     For split: pieces.npy stands for pieces.0.npy, pieces.1.npy and so on; a .safetensors file has the pieces by number.

  --tensor NAME    which tensor of IN, where it has several
  --type TYPE      what the void elements of a .npy file are (|V1, |V2): bfloat16, int4, …
  --opset N        whose rules apply; the newest if omitted
  --json           print JSON
  --help           print this

Exit status: 0 done, 1 bad input, 2 bad usage.
`;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const common = { json: flag, help: flag, type: text, tensor: text };
/** The options of each command beside the common ones. */
const commands = {
  inspect: {},
  transpose: { opset: text, perm: text },
  reshape: { opset: text, shape: text, allowzero: flag },
  flatten: { opset: text, axis: text },
  split: { opset: text, axis: text, split: text, 'drop-axis': flag },
  cast: { opset: text, to: text, 'no-saturate': flag, 'round-mode': text },
};

/** The caller's mistake, as opposed to the file's. */
class UsageError extends Error {}

/** Below this, a file is done before a line about it could be read. */
const longWork = 64 * 2 ** 20;

/** A line on a terminal that the next one replaces. */
function progress({ stderr }, what, bytes) {
  if (stderr.isTTY && bytes >= longWork) stderr.write(`\r\x1b[K${what}`);
}

function clearProgress(streams) {
  progress(streams, '', Infinity);
}

function readUsage(args) {
  const [command] = args;
  if (args.includes('--help') || args.includes('-h')) return { help };
  if (command === undefined || !Object.hasOwn(commands, command))
    throw new UsageError(`unknown command ${command ?? '(none)'}`);
  // parseArgs takes -1 for an option: a number belongs to the option before it.
  const joined = [];
  for (const arg of args.slice(1)) {
    if (/^-\d/.test(arg) && joined.at(-1)?.startsWith('--')) joined.push(`${joined.pop()}=${arg}`);
    else joined.push(arg);
  }
  let parsed;
  try {
    parsed = parseArgs({ args: joined, options: { ...common, ...commands[command] }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
  const { values, positionals: files } = parsed;
  const wanted = command === 'inspect' ? 1 : 2;
  if (files.length !== wanted)
    throw new UsageError(`${command} takes ${wanted === 1 ? 'a file' : 'two files, IN and OUT'}, got ${files.length}`);
  if (values.json && files[1] === '-') throw new UsageError('--json and the tensor cannot both go to standard output');
  return { command, values, files };
}

/** A list of whole numbers. */
function list(name, given) {
  if (given === undefined) return undefined;
  const entries = given === '' ? [] : given.split(',');
  if (!entries.every((entry) => /^-?\d{1,15}$/.test(entry)))
    throw new UsageError(`--${name} must be whole numbers with commas between, got ${given}`);
  return entries.map(Number);
}

function whole(name, given) {
  const numbers = list(name, given);
  if (numbers && numbers.length !== 1) throw new UsageError(`--${name} must be a whole number, got ${given}`);
  return numbers?.[0];
}

/** What a command does to a tensor; an array for split. Read before any file, so that bad usage is seen first. */
function operation(command, values) {
  const opset = whole('opset', values.opset);
  const axis = whole('axis', values.axis);
  switch (command) {
    case 'transpose': {
      const perm = list('perm', values.perm);
      return (tensor) => transpose(tensor, { opset, perm });
    }
    case 'reshape': {
      if (values.shape === undefined) throw new UsageError('reshape needs --shape');
      const shape = list('shape', values.shape);
      const options = values.allowzero ? { opset, allowzero: 1 } : { opset };
      return (tensor) =>
        opset !== undefined && opset < 5
          ? reshape(tensor, undefined, { ...options, shape })
          : reshape(tensor, shape, options);
    }
    case 'flatten':
      return (tensor) => flatten(tensor, { opset, axis });
    case 'split': {
      const sizes = list('split', values.split);
      // One number is the extent of each piece, as a scalar split is.
      const split = sizes?.length === 1 ? sizes[0] : sizes;
      return (tensor) => splitToSequence(tensor, split, { opset, axis, keepdims: values['drop-axis'] ? 0 : 1 });
    }
    default: {
      if (values.to === undefined) throw new UsageError('cast needs --to');
      const options = { opset };
      if (values['no-saturate']) options.saturate = 0;
      if (values['round-mode'] !== undefined) options.round_mode = values['round-mode'];
      return (tensor) => cast(tensor, values.to, options);
    }
  }
}

/** Part of a file beside the model, wherever a symbolic link may lead. */
const externalOf =
  (model) =>
  ({ location, offset, length }) => {
    const folder = realpathSync(model === '-' ? '.' : dirname(model));
    const path = realpathSync(join(folder, location));
    if (!path.startsWith(folder === sep ? sep : folder + sep))
      throw new Error(`external data must be inside the model's folder, got ${location}`);
    const file = openSync(path, 'r');
    try {
      // Checked before memory is taken: the length is the model's word.
      const { size } = fstatSync(file);
      if (offset + length > size) throw new Error(`${location} must have ${offset + length} bytes, got ${size}`);
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length;) {
        const count = readSync(file, bytes, done, Math.min(length - done, 2 ** 30), offset + done);
        if (count === 0) throw new Error(`${location} has become shorter`);
        done += count;
      }
      return bytes;
    } finally {
      closeSync(file);
    }
  };

async function readBytes(streams, path) {
  if (path !== '-') {
    progress(streams, `reading ${path}`, statSync(path).size);
    return readFileSync(path);
  }
  const chunks = [];
  for await (const chunk of streams.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A file's format, by its first bytes, and its tensors by name. A .npy file has one, without a name. */
async function readTensors(streams, path, type) {
  const bytes = await readBytes(streams, path);
  if (bytes.toString('latin1', 0, 6) === '\x93NUMPY')
    return { format: 'npy', bytes, tensors: new Map([['', readNpy(bytes, { type })]]) };
  if (type !== undefined) throw new UsageError('--type is for .npy files');
  // A length of eight bytes, below 2^32, and an object: protobuf does not begin so, because field number 0 is none.
  if (bytes[8] === 0x7b && bytes.readUInt32LE(4) === 0)
    return { format: 'safetensors', bytes, tensors: readSafetensors(bytes) };
  const model = readModel(bytes, { external: externalOf(path) });
  return { format: 'onnx', bytes, tensors: model.initializers, model };
}

const byteLength = ({ data }) =>
  Array.isArray(data) ? data.reduce((total, entry) => total + Buffer.byteLength(entry), 0) : data.byteLength;

/** The first six values; strings of any length are cut. */
function firstValues({ type, data, size }) {
  const dtype = dtypes[type];
  const count = Math.min(size, 6);
  return decodeValues(dtype, data.slice(0, dataLength(dtype, count)), count);
}

/** JSON has no bigint, NaN or infinity: they become text. */
function plain(_, value) {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function printed(value) {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return Array.isArray(value) ? `(${value.join(', ')})` : String(value);
}

/** Control characters of a file's would reach the terminal. */
const safe = (name) =>
  name.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

async function inspect(streams, [path], { json, type, tensor: only }) {
  const { format, tensors, model } = await readTensors(streams, path, type);
  const chosen = only === undefined ? [...tensors] : [[only, choose(tensors, only)]];
  const rows = chosen.map(([name, tensor]) => ({
    name,
    type: tensor.type,
    dims: tensor.dims,
    bytes: byteLength(tensor),
    first: firstValues(tensor),
  }));
  if (json) {
    const nodes = model?.nodes.map(({ attributes, ...node }) => node);
    const graph = model && {
      opsets: Object.fromEntries(model.opsets),
      inputs: model.inputs,
      outputs: model.outputs,
      nodes,
    };
    const metadata = tensors.metadata && { metadata: Object.fromEntries(tensors.metadata) };
    return `${JSON.stringify({ format, ...graph, ...metadata, tensors: rows }, plain, 2)}\n`;
  }
  const lines = rows.map(({ name, type: of, dims, bytes, first }) => {
    const more = first.length < sizeOf(dims) ? ' …' : '';
    return `${name && `${name}: `}${of} [${dims.join(', ')}], ${bytes} bytes: ${first.map(printed).join(' ')}${more}`;
  });
  for (const info of model?.inputs ?? []) lines.push(`input ${described(info)}`);
  for (const info of model?.outputs ?? []) lines.push(`output ${described(info)}`);
  for (const { name, operator, domain, inputs, outputs } of model?.nodes ?? []) {
    lines.push(
      `node ${name && `${name}: `}${domain && `${domain}.`}${operator}(${inputs.join(', ')}) -> ${outputs.join(', ')}`,
    );
  }
  for (const [key, value] of tensors.metadata ?? []) lines.push(`metadata ${key}: ${value}`);
  return lines.map((line) => `${safe(line)}\n`).join('');
}

/** A graph's input or output. */
function described({ name, type, dims, sequence }) {
  return `${name}: ${sequence ? 'sequence of ' : ''}${type ?? '?'} ${dims ? `[${dims.map((extent) => extent ?? '?').join(', ')}]` : '[…]'}`;
}

const sizeOf = (dims) => dims.reduce((product, extent) => product * extent, 1);

function choose(tensors, name) {
  if (name !== undefined) {
    if (!tensors.has(name)) throw new Error(`no tensor ${safe(name)}`);
    return tensors.get(name);
  }
  if (tensors.size !== 1) throw new UsageError(`the file has ${tensors.size} tensors: choose one by --tensor`);
  return tensors.values().next().value;
}

/** Where a result goes: [path, bytes] of each file. */
function outputs(out, source, name, result) {
  const pieces = Array.isArray(result);
  const extension = out === '-' ? '.npy' : extname(out);
  if (extension === '.npy') {
    if (!pieces) return [[out, writeNpy(result)]];
    if (out === '-') throw new UsageError('split needs a file to write to');
    const stem = join(dirname(out), basename(out, extension));
    return result.map((piece, i) => [`${stem}.${i}.npy`, writeNpy(piece)]);
  }
  if (extension === '.safetensors' && pieces)
    return [[out, writeSafetensors(new Map(result.map((piece, i) => [String(i), piece])))]];
  if (extension === '.safetensors') {
    const others = source.format === 'safetensors' ? source.tensors : new Map();
    const metadata = source.tensors.metadata ?? new Map();
    return [[out, writeSafetensors(new Map([...others, [name || 'tensor', result]]), { metadata })]];
  }
  if (extension === '.onnx' && source.format === 'onnx' && !pieces)
    return [[out, writeInitializers(source.bytes, new Map([[name, result]]))]];
  throw new UsageError(
    `OUT must be .npy, .safetensors${source.format === 'onnx' && !pieces ? ', .onnx' : ''} or -, got ${out}`,
  );
}

async function convert(streams, command, [path, out], values, operate) {
  const source = await readTensors(streams, path, values.type);
  const tensor = choose(source.tensors, values.tensor);
  const name = values.tensor ?? source.tensors.keys().next().value;
  if (out !== '-' && path !== '-' && resolve(out) === resolve(path)) throw new UsageError('OUT must not be IN');
  progress(streams, command, source.bytes.length);
  const result = operate(tensor);
  const files = outputs(out, source, name, result);
  const written = [];
  for (const [file, bytes] of files) {
    progress(streams, `writing ${file}`, bytes.length);
    if (file === '-') streams.stdout.write(bytes);
    else writeFileSync(file, bytes);
    written.push(file);
  }
  clearProgress(streams);
  const results = [result].flat();
  if (values.json)
    return `${JSON.stringify({ files: written, type: result.type, dims: results.map(({ dims }) => dims) })}\n`;
  return '';
}

/**
 * Runs a command, and says on stderr what is wrong with it.
 * @param {string[]} args as they stand after the program's name
 * @param {{ stdin: AsyncIterable<Uint8Array>, stdout: { write(chunk: string | Uint8Array): unknown }, stderr: { isTTY?: boolean, write(chunk: string): unknown } }} streams
 *   Node's process has them
 * @returns {Promise<number>} the exit status
 */
export async function run(args, streams) {
  try {
    const usage = readUsage(args);
    if (usage.help) {
      streams.stdout.write(usage.help);
      return 0;
    }
    const { command, values, files } = usage;
    const operate = command === 'inspect' ? undefined : operation(command, values);
    await init();
    streams.stdout.write(
      await (command === 'inspect'
        ? inspect(streams, files, values)
        : convert(streams, command, files, values, operate)),
    );
    return 0;
  } catch (error) {
    const usage = error instanceof UsageError;
    clearProgress(streams);
    streams.stderr.write(`onnx-layout: ${safe(error.message)}\n${usage ? 'onnx-layout --help says more\n' : ''}`);
    return usage ? 2 : 1;
  }
}
