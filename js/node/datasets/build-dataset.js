/** Builds a data set: any number of inputs become shards, files with a part of the rows each. The inputs of a shard and
 * its name are the same on every machine. */
import { mkdir, readdir, rm } from 'node:fs/promises';
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
import { isShardName, partsFolder, shardStem } from './shard-names.js';
import { findRecord, fingerprintOf, writePlan, writeRecord } from './shard-records.js';
import { openShard } from './shard-writer.js';

/** @import { Processed, Run } from '../types.js' */
/** @import { DatasetSource, SourcePaths } from './list-inputs.js' */
/** @import { ShardWriter } from './shard-writer.js' */
/** @import { BuildOptions, FailedInput, FinishedShard, Input, InputProcessing, Plan, ShardRecord } from './types.js' */

/** @typedef {{ target: string, plan: Plan, isForced: boolean, run: Run<Input>, temporaries: string[], call: BuildCall,
 *   onRow: (done: number, failed: number) => void }} Build */
/** @typedef {{ stem: string, inputs: Input[], from: number }} Shard */

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

/** Reads the option `name`, with which the names of shards begin.
 * @type {(name: string, value: string) => string} */
function readName(name, value) {
  if (!isShardName(value))
    args.rangeError(`${name} must be 1 to 60 letters, digits, dots and dashes, got ${args.show(value)}`);
  return value;
}

/** Reads the option `shard`: a call makes part `index`, from 0 on, of `count` parts of all shards. Refuses an index
 * that is not below the count.
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

/** Reads the option `settings`, whose content the processor checks. Arrays are refused here, before the plan holds them
 * as JSON: one of 2^32 - 1 entries would not fit.
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

/** Reads the options of `buildDataset`. `processing` has those that a thread needs to process an input.
 * @param {BuildOptions} options */
function readCall(options) {
  const call = args.readTable(options, callOptions);
  if (call.config === undefined) args.typeError('config must be an object or its JSON, got undefined');
  const entries = Object.entries(call).filter(([name]) => name in processingOptions);
  return { ...call, processing: /** @type {Omit<InputProcessing, 'kind'>} */ (Object.fromEntries(entries)) };
}

/** Builds the shards of a call one after the other, and yields each when it is on the disk: lists the inputs, writes
 * the plan of all shards, finds or makes each, and writes the index unless the call makes only a part of the shards.
 * @type {(source: SourcePaths, target: string, call: BuildCall) => AsyncGenerator<FinishedShard, void, undefined>} */
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
    from: k * rows,
  }));
  const progress = { done: 0, failed: 0, total: shards.reduce((sum, shard) => sum + shard.inputs.length, 0) };
  // Adds inputs that are done, of which some failed, to the progress, and reports it.
  const onRow = (/** @type {number} */ done, /** @type {number} */ failed) => {
    progress.done += done;
    progress.failed += failed;
    call.onProgress?.({ ...progress });
  };
  const pool = await openPool(call.jobs, processing, inputProcessor(processing));
  // Files that killed calls left, of which each shard deletes its own.
  const temporaries = [];
  for (const folder of [target, join(target, partsFolder)])
    for (const name of await ofSystem(readdir(folder))) if (name.endsWith('.tmp')) temporaries.push(join(folder, name));
  /** @type {Build} */
  const build = { target, plan, isForced: call.force, run: pool.run, temporaries, call, onRow };
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
 * `from`: the index of its first input. A shard that is done, also by another process before this one got the lock,
 * counts as progress of all its inputs at once.
 * @type {(build: Build, shard: Shard) => Promise<FinishedShard>} */
async function finishShard(build, { stem, inputs, from }) {
  const { target, plan, isForced, onRow } = build;
  const fingerprint = await fingerprintOf(plan, inputs);
  const find = () => findRecord(target, stem, fingerprint, isForced);
  /** @type {(record: ShardRecord, isNew: boolean) => FinishedShard} */
  const finished = ({ shard, failed }, isNew) => ({ ...shard, failed, isNew });
  /** @type {(record: ShardRecord) => FinishedShard} */
  const foundDone = (record) => {
    onRow(inputs.length, record.failed.length);
    return finished(record, false);
  };
  const known = await find();
  if (known) return foundDone(known);
  const unlock = await lockShard(join(target, partsFolder, `${stem}.lock`), stem);
  try {
    // Another process may have made it since.
    const madeSince = await find();
    if (madeSince) return foundDone(madeSince);
    return finished(await makeShard(build, { stem, inputs, from }, fingerprint), true);
  } finally {
    await unlock();
  }
}

/** Makes a shard of its inputs, row by row, and writes its record. First it deletes the `temporaries`, files that a
 * killed call left, of this shard. `fingerprint`: a hash of all that the shard is made of.
 * @type {(build: Build, shard: Shard, fingerprint: string) => Promise<ShardRecord>} */
async function makeShard({ target, plan, run, temporaries, call, onRow }, { stem, inputs, from }, fingerprint) {
  for (const path of temporaries) if (basename(path).startsWith(`${stem}.`)) await rm(path, { force: true });
  const writer = await openShard(target, stem, plan);
  /** @type {FailedInput[]} */
  const failed = [];
  const keys = [];
  try {
    for await (const row of runInOrder(listsOf(inputs), run, { jobs: call.jobs, signal: call.signal })) {
      const { key, error } = await appendRow(writer, row, call.onError === 'throw');
      if (error === undefined) keys.push(key);
      else failed.push({ key, error });
      onRow(1, error === undefined ? 0 : 1);
    }
    const { file, bytes, sha256 } = await writer.finish();
    const shard = { file, rows: keys.length, bytes, sha256, inputs: [from, from + inputs.length] };
    // A .npy file has no metadata for the keys.
    const record = { fingerprint, shard: plan.extension === '.npy' ? { ...shard, keys } : shard, failed };
    await writeRecord(target, stem, /** @type {ShardRecord} */ (record));
    return /** @type {ShardRecord} */ (record);
  } finally {
    // The collected rows are not needed any more, whether the shard was written or not.
    await writer.drop();
  }
}

/** Yields each input as a list of one, because threads take lists.
 * @type {(inputs: Input[]) => AsyncGenerator<Input[], void, undefined>} */
async function* listsOf(inputs) {
  for (const input of inputs) yield [input];
}

/** Appends the outputs of an input to the shard, and returns the input's key. If the input failed, or its outputs are
 * no row of the data set, returns the reason as `error`, too; throws it if `isThrowing`, or if the system could not
 * read the input (`isSystem`), because that may come right later. A row is of one input, so each list has one entry.
 * @type {(writer: ShardWriter, row: Processed<Input>, isThrowing: boolean) =>
 *   Promise<{ key: string, error?: string }>} */
async function appendRow(writer, { paths, outputs, failed, isSystem }, isThrowing) {
  let [key] = paths;
  let error;
  if (outputs === undefined) {
    const [{ path, error: cause }] = failed;
    // Where a thread ended, the input itself is in the place of its key.
    key = typeof path === 'string' ? path : path.key;
    error = cause.message;
  } else error = await writer.append(key, outputs);
  if (error !== undefined && (isThrowing || isSystem)) args.rangeError(`${args.show(key)}: ${error}`);
  return { key, error };
}
