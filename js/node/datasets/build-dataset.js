/** Builds a data set: any number of inputs become shards, files with a part of the rows each. The inputs of a shard and
 * its name are the same on every machine. */
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { availableParallelism } from 'node:os';
import * as args from '../../arguments/index.js';
import { ofSystem, readPath } from '../paths.js';
import { decodingTable, wholeOr } from '../read-image.js';
import { openPool, runInOrder } from '../thread-pool.js';
import { inputProcessor } from './input-processor.js';
import { listInputs, readSource } from './list-inputs.js';
import { writeIndex } from './merge-dataset.js';
import { planShards, shardsOf } from './plan-shards.js';
import { lockShard } from './shard-lock.js';
import { isShardName, lockPath, partsFolder, shardStem } from './shard-names.js';
import { deleteTemporaries, findLeftovers } from './leftovers.js';
import { findRecord, fingerprintOf, writePlan, writeRecord } from './shard-records.js';
import { openShardWriter } from './shard-writer.js';

/** @import { Processed, Run } from '../types.js' */
/** @import { DatasetSource, SourcePaths } from './list-inputs.js' */
/** @import { ShardWriter } from './shard-writer.js' */
/** @import { BuildOptions, FailedInput, FinishedShard, Input, InputProcessing, Plan, ShardRecord } from './types.js' */

/** @typedef {{ target: string, plan: Plan, isForced: boolean, run: Run<Input>, leftovers: string[], call: BuildCall,
 *   onRows: (done: number, failed: number) => void }} Build `leftovers`: paths of files that a killed call may have
 *   left; `onRows`: of the rows that are done, some failed */
/** @typedef {{ stem: string, inputs: Input[], firstInput: number }} Shard */

/**
 * Makes a data set of pictures or audio: shards of tensors, a row for each input, in a folder. It takes any number of
 * inputs, goes on where it was ended, and can make a part of the shards, so that a cluster makes the others.
 *
 * - Inputs are read as a list, sorted by their keys: a file's path, the path of a file inside a folder, or the key of a
 *   member of a tar archive as WebDataset has it. Nothing is unpacked to disk.
 * - Shard k of n is `data-00000-of-00004.safetensors` and so on, whole or not at all, with the `keys` of its rows in
 *   its metadata. It holds the same inputs whatever fails. Outputs whose dims differ are a tensor a row, `KEY/NAME`.
 * - A shard that is there, of inputs of the same names, sizes and times of change, of the same options and version, is
 *   left alone. One of others is an error, unless `force` replaces it.
 * - Without `shard`, `index.json` and `errors.jsonl` are written at the end; with it, {@link mergeDataset} writes them.
 * - An input that the system cannot read ends the call, also with `onError: 'skip'`: a file may be there again.
 * @param {DatasetSource} source a file, a folder, a tar archive, or a list of them
 * @param {string} target a folder, which is made if it is not there
 * @param {BuildOptions} options
 * @returns {AsyncGenerator<FinishedShard, void, undefined>} each shard when it is on the disk
 * @example
 * const config = { image_processor_type: 'ViTImageProcessor' };
 * for await (const { file, rows } of buildDataset('photos', 'shards', { config, jobs: 1 }))
 *   console.log(file, rows); // data-00000-of-00001.safetensors 1
 * const { entries, keys } = await openDataset('shards');
 * [entries.get('pixel_values').dims, keys]; // [[1, 3, 224, 224], ['photo.jpg']]
 */
export function buildDataset(source, target, options) {
  return args.namedEach('buildDataset', () => build(readSource(source), readPath('target', target), readCall(options)));
}

/** @type {(name: string, value: string) => string} */
function readName(name, value) {
  if (!isShardName(value))
    args.rangeError(`${name} must be 1 to 60 letters, digits, dots and dashes, got ${args.show(value)}`);
  return value;
}

/** Reads the option `shard`, which part of all shards the call makes: part `index`, from 0 on, of `count` parts.
 * @type {(name: string, value: { index: number, count: number }) => { index: number, count: number }} */
function readShard(name, value) {
  const { index, count } = /** @type {{ index: number, count: number }} */ (
    args.readOptions(value, ['index', 'count'])
  );
  const isPart = Number.isSafeInteger(index) && Number.isSafeInteger(count) && index >= 0 && index < count;
  if (!isPart)
    args.rangeError(
      `${name} must be { index, count } with 0 <= index < count, got ${args.show(index)} of ${args.show(count)}`,
    );
  return { index, count };
}

/** Reads an option that is an object, whose content the processor checks. Arrays are refused here, before the plan
 * holds them as JSON: one of 2^32 - 1 entries would not fit.
 * @type {(name: string, value: unknown) => unknown} */
const readSettings = (name, value) =>
  Array.isArray(value) ? args.typeError(`${name} must be an object, got ${args.showClass(value)}`) : value;

const processingOptions = {
  ...{ config: args.later, className: args.later, settings: readSettings, backend: args.later, dtype: args.later },
  ...{ maxBytes: args.later, ...decodingTable },
  mono: args.flag(false),
};

const callOptions = {
  ...processingOptions,
  name: args.row(readName, 'data'),
  format: args.word(['safetensors', 'npy'], 'safetensors'),
  shardRows: args.row(wholeOr(0), undefined),
  shardBytes: args.row(wholeOr(0), undefined),
  shard: args.row(readShard, undefined),
  jobs: wholeOr(availableParallelism()),
  onError: args.word(['throw', 'skip'], 'throw'),
  force: args.flag(false),
  onProgress: args.row(args.readFunction, undefined),
  signal: args.readSignal,
};

/** @typedef {ReturnType<typeof readCall>} BuildCall */

/** Reads the options of a call. `processing`: those that a thread needs to process an input.
 * @param {BuildOptions} options */
function readCall(options) {
  const call = args.readTable(options, callOptions);
  if (call.config === undefined) args.typeError('config must be an object or its JSON, got undefined');
  const entries = Object.entries(call).filter(([name]) => name in processingOptions);
  return { ...call, processing: /** @type {Omit<InputProcessing, 'kind'>} */ (Object.fromEntries(entries)) };
}

/** @type {(source: SourcePaths, target: string, call: BuildCall) => AsyncGenerator<FinishedShard, void, undefined>} */
async function* build(source, target, call) {
  const { inputs, kind } = await listInputs(source);
  /** @type {InputProcessing} */
  const processing = { ...call.processing, kind };
  const { plan, rows } = await planShards(inputs, processing, call);
  await ofSystem(mkdir(join(target, partsFolder), { recursive: true }));
  await writePlan(target, plan, call.force);
  const shards = shardsOf(plan.count, call.shard ?? { index: 0, count: 1 }).map((k) => ({
    stem: shardStem(plan.name, k, plan.count),
    inputs: inputs.slice(k * rows, (k + 1) * rows),
    firstInput: k * rows,
  }));
  const progress = { done: 0, failed: 0, total: shards.reduce((sum, shard) => sum + shard.inputs.length, 0) };
  const onRows = (/** @type {number} */ done, /** @type {number} */ failed) => {
    progress.done += done;
    progress.failed += failed;
    call.onProgress?.({ ...progress });
  };
  const leftovers = await findLeftovers([target, join(target, partsFolder)]);
  const pool = await openPool(call.jobs, processing, inputProcessor(processing));
  /** @type {Build} */
  const build = { target, plan, isForced: call.force, run: pool.run, leftovers, call, onRows };
  try {
    for (const shard of shards) {
      call.signal?.throwIfAborted();
      yield await finishShard(build, shard);
    }
    if (!call.shard) await writeIndex(target);
  } finally {
    await pool.close();
  }
}

/** Finds the record of a shard that is done already, or makes the shard, locked against other processes meanwhile.
 * @type {(build: Build, shard: Shard) => Promise<FinishedShard>} */
async function finishShard(build, shard) {
  const { stem, inputs } = shard;
  const { target, plan, isForced, leftovers, onRows } = build;
  const fingerprint = await fingerprintOf(plan, inputs);
  const findDone = async () => {
    const record = await findRecord(target, stem, fingerprint, isForced);
    if (record) onRows(inputs.length, record.failed.length);
    return record && { ...record.shard, failed: record.failed, isNew: false };
  };
  const done = await findDone();
  if (done) {
    await tidyDone(target, stem, leftovers);
    return done;
  }
  const unlock = await lockUnlessDone(target, stem, findDone);
  if (typeof unlock !== 'function') return unlock;
  try {
    await deleteTemporaries(leftovers, stem);
    const doneByAnother = await findDone();
    if (doneByAnother) return doneByAnother;
    const record = await makeShard(build, shard, fingerprint);
    return { ...record.shard, failed: record.failed, isNew: true };
  } finally {
    await unlock();
  }
}

/** Locks a shard, and returns the function that unlocks. Where another process has locked it, the shard may be done by
 * now: then returns it.
 * @type {(target: string, stem: string, findDone: () => Promise<FinishedShard | undefined>) =>
 *   Promise<FinishedShard | (() => Promise<void>)>} */
async function lockUnlessDone(target, stem, findDone) {
  try {
    return await lockShard(lockPath(target, stem), stem);
  } catch (error) {
    const done = await findDone();
    if (done) return done;
    throw error;
  }
}

/** Deletes what a call left of a shard that it had done when it was killed, its lock included. Failing to do so is no
 * error: a shard that is done is of use in a folder that nobody may write to.
 * @type {(target: string, stem: string, leftovers: readonly string[]) => Promise<void>} */
async function tidyDone(target, stem, leftovers) {
  if (!leftovers.some((path) => basename(path).startsWith(`${stem}.`))) return;
  // Another process may be at its last steps with the shard, and deletes its files itself.
  const unlock = await lockShard(lockPath(target, stem), stem).catch(() => undefined);
  if (!unlock) return;
  await deleteTemporaries(leftovers, stem).catch(() => {});
  await unlock();
}

/** Makes a shard of its inputs, row by row, and writes its record.
 * @type {(build: Build, shard: Shard, fingerprint: string) => Promise<ShardRecord>} */
async function makeShard({ target, plan, run, call, onRows }, shard, fingerprint) {
  const { stem, inputs, firstInput } = shard;
  const writer = await openShardWriter(target, stem, plan);
  /** @type {FailedInput[]} */
  const failed = [];
  const keys = [];
  try {
    for await (const row of runInOrder(listsOf(inputs), run, { jobs: call.jobs, signal: call.signal })) {
      const { key, error } = await appendRow(writer, row, call.onError === 'throw');
      if (error === undefined) keys.push(key);
      else failed.push({ key, error });
      onRows(1, error === undefined ? 0 : 1);
    }
    const { file, bytes, sha256 } = await writer.finish();
    const indexed = { file, rows: keys.length, bytes, sha256, inputs: [firstInput, firstInput + inputs.length] };
    // A .npy file has no metadata for the keys.
    const record = { fingerprint, shard: plan.extension === '.npy' ? { ...indexed, keys } : indexed, failed };
    await writeRecord(target, stem, /** @type {ShardRecord} */ (record));
    return /** @type {ShardRecord} */ (record);
  } finally {
    await writer.deleteRows();
  }
}

/** Yields each input as a list of its own, because threads take lists.
 * @type {(inputs: Input[]) => AsyncGenerator<Input[], void, undefined>} */
async function* listsOf(inputs) {
  for (const input of inputs) yield [input];
}

/** Appends the outputs of an input to the shard. If the input failed, or its outputs are no row of the data set,
 * returns the reason as `error`; throws it if `isThrowing`, or if the system could not read the input (`isSystem`),
 * because that may come right later.
 * @type {(writer: ShardWriter, row: Processed<Input>, isThrowing: boolean) => Promise<AppendedRow>} */
async function appendRow(writer, row, isThrowing) {
  const { paths, outputs, isSystem } = row;
  // A row is of one input.
  const [path] = paths;
  const { key, error } =
    outputs === undefined ? failureOf(row) : { key: path, error: await writer.append(path, outputs) };
  if (error !== undefined && (isThrowing || isSystem)) args.rangeError(`${args.show(key)}: ${error}`);
  return { key, error };
}

/** @typedef {{ key: string, error?: string }} AppendedRow */

/** @type {(row: Processed<Input>) => AppendedRow} */
function failureOf({ failed: [{ path, error }] }) {
  // Where a thread ended, the input itself is in the place of its key.
  const key = typeof path === 'string' ? path : path.key;
  return { key, error: error.message };
}
