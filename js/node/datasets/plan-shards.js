/** Plans how a data set is cut into shards: what all of them have in common, and which of them a call makes. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import * as args from '../../arguments/index.js';
import { readFiles } from '../../arguments/configurations/index.js';
import { inputProcessor, makerOf } from './input-processor.js';
import { byteLengthOf, checkNpyForms, formsOf, isVarying } from './output-forms.js';

/** @import { Input, InputProcessing, Plan } from './types.js' */

/** Bytes of a shard if the options do not say. */
const usualBytes = 256 * 2 ** 20;

/** @typedef {{ plan: Plan, rows: number }} Cut `rows`: how many inputs each shard has but the last */

/** @typedef {{ name: string, format: string, shardRows?: number, shardBytes?: number }} CutOptions of `buildDataset` */

/** Plans the shards of a data set: how many inputs each has, and which outputs, whose types and dims made-up inputs
 * tell.
 * @type {(inputs: Input[], processing: InputProcessing, options: CutOptions) => Promise<Cut>} */
export async function planShards(inputs, processing, { name, format, shardRows, shardBytes }) {
  const { config, ...options } = processing;
  const { makeSamples } = await makerOf(processing);
  const outputs = formsOf(makeSamples());
  if (format === 'npy') checkNpyForms(outputs);
  const files = readFiles(config);
  const rows = shardRows ?? rowsPerShard(shardBytes ?? usualBytes, await bytesOfFirst(inputs, processing, outputs));
  /** @type {Plan} */
  const plan = {
    format: 'onnx-layout dataset',
    version: versionOf(),
    config: files,
    configHash: hashOf({ files, options }),
    options,
    outputs,
    count: Math.ceil(inputs.length / rows),
    name,
    extension: `.${format}`,
  };
  return { plan, rows };
}

/** Computes how many inputs make a shard of at most `shardBytes` bytes, but at least one. An input may have no bytes.
 * @type {(shardBytes: number, inputBytes: number) => number} */
const rowsPerShard = (shardBytes, inputBytes) => Math.max(1, Math.floor(shardBytes / Math.max(1, inputBytes)));

/** Counts the bytes of the outputs of the first input that does not fail. If all dims are fixed, every input has as
 * many, so a made-up one is counted. Refuses a source of which every input fails.
 * @type {(inputs: Input[], processing: InputProcessing, outputs: Plan['outputs']) => Promise<number>} */
async function bytesOfFirst(inputs, processing, outputs) {
  if (!Object.values(outputs).some(isVarying)) {
    const { makeSamples } = await makerOf(processing);
    return byteLengthOf(makeSamples()[0]);
  }
  const run = inputProcessor(processing);
  for (const input of inputs) {
    const result = await run([input]);
    if (result.outputs) return byteLengthOf(result.outputs);
  }
  return args.rangeError('source must have inputs that do not fail, got none');
}

/** @type {() => string} */
const versionOf = () => createRequire(import.meta.url)('onnx-layout/package.json').version;

/** The SHA-256, in hexadecimal digits, of a value's JSON, whose keys are sorted so that their order does not count.
 * @type {(value: unknown) => string} */
export const hashOf = (value) => createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex');

/** Sorts the keys of objects, as a replacer of JSON.stringify.
 * @type {(key: string, value: unknown) => unknown} */
const sorted = (_, value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Lists the indices of the shards that a part makes: parts follow one another, and differ by one shard at most.
 * @type {(count: number, part: { index: number, count: number }) => number[]} */
export function shardsOf(count, { index, count: partCount }) {
  const from = Math.floor((index * count) / partCount);
  const to = Math.floor(((index + 1) * count) / partCount);
  return Array.from({ length: to - from }, (_, i) => from + i);
}
