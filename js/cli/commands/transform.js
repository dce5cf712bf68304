/** How a command that makes tensors of tensors, such as transpose, runs: on entries of any size, whose data are read
 * when they are written, if it can, otherwise on whole tensors. `row` is the command's row of the table. */
import { dtypes, inferShape, schemas } from '../../index.js';
import { UsageError } from '../options.js';
import { allFiles, choose, openFile, outputFiles, readEntry, withFiles, writeFiles } from '../files.js';
import { packed, unpackedView } from './packed-view.js';
import { openPicture } from './pixels.js';
import { progress } from '../terminal.js';

/** @import { Entry } from '../../io/index.js' */
/** @import { Weights } from '../../node/index.js' */
/** @import { Tensor } from '../../index.js' */
/** @import { Call, Command, OptionValues, Outcome, Outgoing, Streams, TensorCommand } from '../types.js' */

/** Makes the command of a row of the table of tensor commands: IN becomes OUT by the function of the row.
 * @type {(row: TensorCommand) => Command} */
export const tensorCommand = (row) => ({
  form: 'IN OUT',
  ...row,
  shared: [...(row.operator ? ['opset'] : []), 'tensor', 'dtype', 'view-as', 'as', 'force'],
  work: (streams, call) => transform(streams, row, call),
});

/** Opens the inputs, and runs the command of a row on them.
 * @type {(streams: Streams, row: TensorCommand, call: Call) => Promise<Outcome>} */
function transform(streams, row, call) {
  const { inputs, options, values } = call;
  if (options.all) checkAll(call);
  const open = row.takesPictures ? openPicture : openFile;
  return withFiles(streams, inputs, values.dtype, (sources) => outcomeOf(streams, row, call, sources), open);
}

/** Refuses options that exclude --all.
 * @type {(call: Call) => void} */
function checkAll({ extension, values }) {
  if (values.tensor !== undefined) throw new UsageError('--all and --tensor exclude each other');
  if (values.viewAs) throw new UsageError('--all and --view-as exclude each other');
  if (extension === '.onnx')
    throw new UsageError('cast --all must have OUT .safetensors: the graph of a model would keep the old types');
}

/** Makes the result of the chosen tensor of each input, or with --all of all tensors, writes it, and reports its files,
 * type and dims, a list of dims for each piece. Only concat has several inputs; what OUT keeps beside the result, such
 * as metadata, is of the first.
 * @type {(streams: Streams, row: TensorCommand, call: Call, sources: Weights[]) => Promise<Outcome>} */
async function outcomeOf(streams, row, call, sources) {
  const { inputs, options, values } = call;
  if (options.all) return { report: { files: await transformAll(streams, row, call, sources[0]) } };
  const entries = sources.map((source, i) => choose(inputs[i], source.entries, values.tensor));
  const result = await resultOf(streams, row, call, entries);
  // Without --tensor, `choose` has refused inputs of several tensors: the first name is the only one.
  const name = values.tensor ?? /** @type {string} */ (sources[0].entries.keys().next().value);
  const files = await writeFiles(streams, await outputFiles(streams, call, sources[0], name, result));
  const pieces = [result].flat();
  // A split may give no piece; its type is then that of IN.
  const { type } = pieces[0] ?? entries[0];
  return { report: { files, type, dims: pieces.map(({ dims }) => dims) } };
}

/** Makes the result of a command: of entries if the command can, otherwise of whole tensors, which are read first.
 * @type {(streams: Streams, row: TensorCommand, call: Call, entries: Entry[]) => Promise<Outgoing | Outgoing[]>} */
async function resultOf(streams, row, call, entries) {
  const { viewAs } = call.values;
  const result = viewAs === undefined ? resultOfEntries(row, entries, call) : undefined;
  if (result !== undefined) return result;
  const tensors = await readAll(streams, call, entries);
  if (viewAs === undefined) return resultOfTensors(row, tensors, call);
  return packed(resultOfTensors(row, unpackedView(tensors, viewAs), call), viewAs);
}

/** Calls the function of a row, with all tensors if it takes `several`, or else with the only one.
 * @type {(row: TensorCommand, tensors: Tensor[], call: Call) => Tensor | Tensor[]} */
const resultOfTensors = (row, tensors, { options }) =>
  row.several ? row.call(tensors, options) : row.call(tensors[0], options);

/** Transforms all tensors of float types of a file, for `cast --all`, writes them with the others, as they are, and
 * gives the paths of the files. A result is never undefined, because cast can work on any entry.
 * @type {(streams: Streams, row: TensorCommand, call: Call, source: Weights) => Promise<string[]>} */
async function transformAll(streams, row, call, source) {
  const results = Array.from(source.entries, ([name, entry]) => {
    const isFloat = dtypes[entry.type].format.kind === 'float';
    const result = isFloat ? resultOfEntries(row, [entry], call) : entry;
    return /** @type {[string, Outgoing]} */ ([name, result]);
  });
  return writeFiles(streams, await allFiles(streams, call, source, new Map(results)));
}

/** @type {(streams: Streams, call: Call, entries: Entry[]) => Promise<Tensor[]>} */
async function readAll(streams, { name, inputs }, entries) {
  const tensors = [];
  for (const [i, entry] of entries.entries()) tensors.push(await readEntry(streams, inputs[i], entry));
  const bytes = entries.reduce((sum, { byteLength }) => sum + byteLength, 0);
  progress(streams, name, bytes);
  return tensors;
}

/** Makes the result of a command of entries, without reading them; undefined if the command cannot. Checks the
 * arguments by shape inference if the row names the operator's first input (`inferred`), because messages are the
 * operator's then.
 * @type {(row: TensorCommand, entries: Entry[], call: Call) => Outgoing | Outgoing[] | undefined} */
function resultOfEntries({ operator, inferred, entries: transformEntries }, entries, { options }) {
  if (!transformEntries) return undefined;
  if (inferred && operator) {
    // Concat's only input, `inputs`, is a list of tensors.
    const first = inferred === 'inputs' ? entries : entries[0];
    checkShape(operator, { [inferred]: first }, options);
  }
  return transformEntries(entries, options);
}

/** Refuses arguments as the operator would, by inferring its shape. An option is an attribute if the operator's version
 * at this opset has it as one, as older versions do, and otherwise an input: a list of int64. `first`: its first input.
 * @type {(operator: keyof typeof schemas, first: Record<string, unknown>, options: OptionValues) => void} */
function checkShape(operator, first, { opset, ...options }) {
  const version = schemas[operator].findLast(({ since }) => since <= (opset ?? Infinity));
  const attributeNames = version?.attributes ?? [];
  /** @type {Record<string, unknown>} */
  const inputs = { ...first };
  /** @type {Record<string, unknown>} */
  const attributes = opset === undefined ? {} : { opset };
  for (const [name, value] of Object.entries(options))
    if (attributeNames.includes(name)) attributes[name] = value;
    else inputs[name] = { type: 'int64', dims: [value.length], value };
  inferShape(operator, inputs, attributes);
}
