/** Reads and writes the records of finished shards, files of JSON. A shard's stem is its name without extension. */
import { stat as statFile, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { rangeError, show } from '../../arguments/index.js';
import { ofSystem, refuseSystem } from '../paths.js';
import { writeFiles } from '../write-files.js';
import { hashOf } from './plan-shards.js';
import { errorsName, indexName, partsFolder, planName, shardStem } from './shard-names.js';

/** @import { Input, Plan, ShardRecord } from './types.js' */

/** @type {(target: string, stem: string) => string} */
const recordPath = (target, stem) => join(target, partsFolder, `${stem}.json`);

/** @type {(value: object) => Uint8Array} */
export const jsonLine = (value) => new TextEncoder().encode(`${JSON.stringify(value)}\n`);

/** @typedef {import('../paths.js').SystemError} SystemError */

/** undefined if there is no such file, or if it is no JSON.
 * @type {(path: string) => Promise<any>} */
async function readJson(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const { code, name } = /** @type {SystemError} */ (error);
    return code === 'ENOENT' || name === 'SyntaxError' ? undefined : refuseSystem(error);
  }
}

/** Computes a hash of all that a shard is made of. Inputs count by their keys, the sizes and times of change of their
 * files, and their places in archives.
 * @type {(plan: Plan, inputs: readonly Input[]) => Promise<string>} */
export async function fingerprintOf({ version, configHash, outputs, extension }, inputs) {
  /** Of archives alone, because many inputs may be members of one. @type {Map<string, import('node:fs').Stats>} */
  const statsByArchive = new Map();
  const rows = [];
  for (const { key, path, start, length } of inputs) {
    const isMember = start !== undefined;
    const stats = statsByArchive.get(path) ?? (await ofSystem(statFile(path)));
    if (isMember) statsByArchive.set(path, stats);
    rows.push([key, stats.size, stats.mtimeMs, start, length]);
  }
  return hashOf([version, configHash, outputs, extension, rows]);
}

/** Finds the record of a shard that is done: its fingerprint is this one, and its file has as many bytes as the record
 * says. A record with another fingerprint is refused, unless `isForced`.
 * @type {(target: string, stem: string, fingerprint: string, isForced: boolean) => Promise<ShardRecord | undefined>} */
export async function findRecord(target, stem, fingerprint, isForced) {
  const record = await readJson(recordPath(target, stem));
  if (record === undefined) return undefined;
  if (record.fingerprint !== fingerprint) {
    if (!isForced) refuseOther(target, stem);
    return undefined;
  }
  const stats = await statFile(join(target, record.shard.file)).catch(() => undefined);
  const isComplete = stats !== undefined && stats.size === record.shard.bytes;
  return isComplete ? record : undefined;
}

/** Refuses a folder that has a shard of other inputs or options. `name`: of the shard.
 * @type {(target: string, name: string) => never} */
const refuseOther = (target, name) =>
  rangeError(
    `${show(target)} must hold shards of the same inputs and options, got ${show(name)} of others: ` +
      'option force replaces it',
  );

/** @type {(target: string, stem: string, record: ShardRecord) => Promise<void>} */
export const writeRecord = (target, stem, record) => writeFiles({ [recordPath(target, stem)]: jsonLine(record) });

/** Writes the plan, which says what the shards have in common. If the folder has another plan, it is refused or, if
 * `isForced`, the shards of that are removed.
 * @type {(target: string, plan: Plan, isForced: boolean) => Promise<void>} */
export async function writePlan(target, plan, isForced) {
  const path = join(target, partsFolder, planName);
  const known = await readJson(path);
  if (JSON.stringify(known) === JSON.stringify(plan)) return;
  if (known !== undefined) {
    // Any of its shards stands for all: the first is named.
    if (!isForced) refuseOther(target, shardStem(known.name, 0, known.count));
    await removeOthers(target, plan);
  }
  await writeFiles({ [path]: jsonLine(plan) });
}

/** Removes the index and the shards of another plan. A shard with a name of this plan stays until it is replaced,
 * because another process may have made it already.
 * @type {(target: string, plan: Plan) => Promise<void>} */
async function removeOthers(target, plan) {
  const stems = new Set(stemsOf(plan));
  for (const file of [indexName, errorsName]) await rm(join(target, file), { force: true });
  for (const { stem, record } of await readRecords(target)) {
    const isOfPlan = stems.has(stem) && record.shard.file === `${stem}${plan.extension}`;
    if (isOfPlan) continue;
    // A record is text that anyone may have changed: only a name in this folder is removed.
    await rm(join(target, basename(record.shard.file)), { force: true });
    await rm(recordPath(target, stem));
  }
}

/** Lists the names of all shards of a plan, without their extension.
 * @type {(plan: Plan) => string[]} */
const stemsOf = ({ name, count }) => Array.from({ length: count }, (_, k) => shardStem(name, k, count));

/** Reads all records in the folder, sorted by the stems of their shards; files that are no JSON are left out.
 * @type {(target: string) => Promise<{ stem: string, record: ShardRecord }[]>} */
async function readRecords(target) {
  const names = await ofSystem(readdir(join(target, partsFolder)));
  const stems = names.filter((name) => /-of-\d+\.json$/.test(name)).map((name) => basename(name, '.json'));
  const all = [];
  for (const stem of stems.sort()) {
    const record = await readJson(recordPath(target, stem));
    if (record) all.push({ stem, record });
  }
  return all;
}

/** Refuses a data set that lacks shards.
 * @type {(target: string) => Promise<{ plan: Plan, records: ShardRecord[] }>} */
export async function readParts(target) {
  const plan = /** @type {Plan | undefined} */ (await readJson(join(target, partsFolder, planName)));
  if (!plan) return rangeError(`${show(target)} must have shards of buildDataset, got none`);
  /** @type {ShardRecord[]} */
  const records = [];
  const missing = [];
  for (const stem of stemsOf(plan)) {
    const record = await readJson(recordPath(target, stem));
    if (record) records.push(record);
    else missing.push(stem);
  }
  if (missing.length > 0)
    rangeError(
      `${show(target)} must have all of its ${plan.count} shards, got ${records.length}: ` +
        `${show(missing[0])} is missing`,
    );
  return { plan, records };
}
