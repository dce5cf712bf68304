/** How a command that makes tensors of tensors runs: on entries of any size where it can, else on whole tensors. */
import { dtypes, inferShape, schemas } from '../../index.js';
import { UsageError } from '../options.js';
import { allFiles, choose, outputFiles, readEntry, withFiles, writeFiles } from '../files.js';
import { progress } from '../terminal.js';

/** @import { Weights } from '../../node/index.js' */
/** @import { Tensor } from '../../index.js' */
/** @import { Call, Command, Outcome, Outgoing, Streams, TensorCommand } from '../types.js' */

/** @type {(row: TensorCommand) => Command} */
export const tensorCommand = (row) => ({
  form: 'IN OUT',
  ...row,
  shared: [...(row.operator ? ['opset'] : []), 'tensor', 'dtype', 'as', 'force'],
  work: (streams, call) => transform(streams, row, call),
});

/** @type {(streams: Streams, row: TensorCommand, call: Call) => Promise<Outcome>} */
function transform(streams, row, call) {
  const { inputs, extension, options, values } = call;
  if (options.all && values.tensor !== undefined) throw new UsageError('--all and --tensor exclude each other');
  if (options.all && extension === '.onnx')
    throw new UsageError('cast --all must have OUT .safetensors: the graph of a model would keep the old types');
  return withFiles(streams, inputs, values.dtype, async (sources) => {
    if (options.all) return { report: { files: await transformAll(streams, row, call, sources[0]) } };
    const entries = sources.map((source, i) => choose(inputs[i], source.entries, values.tensor));
    const result = resultOfEntries(row, entries, call) ?? row.call(await readAll(streams, row, call, entries), options);
    const name = values.tensor ?? /** @type {string} */ (sources[0].entries.keys().next().value);
    const files = await writeFiles(streams, await outputFiles(streams, call, sources[0], name, result));
    const list = [result].flat();
    return { report: { files, type: (list[0] ?? entries[0]).type, dims: list.map(({ dims }) => dims) } };
  });
}

/** @type {(streams: Streams, row: TensorCommand, call: Call, source: Weights) => Promise<string[]>} */
async function transformAll(streams, row, call, source) {
  const results = Array.from(source.entries, ([name, entry]) => {
    const isFloat = dtypes[entry.type].format.kind === 'float';
    return /** @type {[string, any]} */ ([name, isFloat ? resultOfEntries(row, [entry], call) : entry]);
  });
  return writeFiles(streams, await allFiles(streams, call, source, new Map(results)));
}

/** @type {(streams: Streams, row: TensorCommand, call: Call, entries: any[]) => Promise<Tensor | Tensor[]>} */
async function readAll(streams, { several }, { name, inputs }, entries) {
  const tensors = [];
  for (const [i, entry] of entries.entries()) tensors.push(await readEntry(streams, inputs[i], entry));
  const bytes = entries.reduce((sum, { byteLength }) => sum + byteLength, 0);
  progress(streams, name, bytes);
  return several ? tensors : tensors[0];
}

/** @type {(row: TensorCommand, entries: any[], call: Call) => Outgoing | Outgoing[] | undefined} */
function resultOfEntries({ operator, inferred, entries: transformEntries }, entries, { options }) {
  if (!transformEntries) return undefined;
  if (inferred && operator) checkShape(operator, { [inferred]: inferred === 'inputs' ? entries : entries[0] }, options);
  return transformEntries(entries, options);
}

/** Refuses as the operator would. Older versions have attributes for some inputs.
 * @type {(operator: keyof typeof schemas, first: Record<string, any>, options: Record<string, any>) => void} */
function checkShape(operator, first, { opset, ...options }) {
  const attributes = schemas[operator].findLast(({ since }) => since <= (opset ?? Infinity))?.attributes ?? [];
  /** @type {Record<string, any>[]} */
  const [inputs, named] = [{ ...first }, opset === undefined ? {} : { opset }];
  for (const [name, value] of Object.entries(options))
    if (attributes.includes(name)) named[name] = value;
    else inputs[name] = { type: 'int64', dims: [value.length], value };
  inferShape(operator, /** @type {any} */ (inputs), named);
}
