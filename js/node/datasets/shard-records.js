/** Records of finished shards: who goes on knows by them which are done, and the index follows from all of them. */
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
export const encoded = (value) => new TextEncoder().encode(`${JSON.stringify(value)}\n`);

/** @typedef {import('../paths.js').SystemError} SystemError */

/** Reads a file of JSON; undefined where there is none, or none that is JSON.
 * @type {(path: string) => Promise<any>} */
async function readJson(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const { code, name } = /** @type {SystemError} */ (error);
    return code === 'ENOENT' || name === 'SyntaxError' ? undefined : refuseSystem(error);
  }
}

/** Hashes what a shard is made of: its inputs' names, sizes and times of change, the options and the version.
 * @type {(plan: Plan, inputs: readonly Input[]) => Promise<string>} */
export async function fingerprintOf({ version, configHash, outputs, extension }, inputs) {
  /** @type {Map<string, [size: number, time: number]>} */
  const stats = new Map();
  const rows = [];
  for (const { key, path, start, length } of inputs) {
    let known = stats.get(path);
    if (!known) {
      const { size, mtimeMs } = await ofSystem(statFile(path));
      known = [size, mtimeMs];
      // Of an archive once; of files, each of which comes once, none.
      if (start !== undefined) stats.set(path, known);
    }
    rows.push([key, ...known, start, length]);
  }
  return hashOf([version, configHash, outputs, extension, rows]);
}

/** Finds the record of a shard that is done. One of other inputs is refused, unless it is to be replaced.
 * @type {(target: string, stem: string, fingerprint: string, isForced: boolean) => Promise<ShardRecord | undefined>} */
export async function findRecord(target, stem, fingerprint, isForced) {
  const record = await readJson(recordPath(target, stem));
  if (record === undefined) return undefined;
  if (record.fingerprint !== fingerprint) {
    if (!isForced) refuseOther(target, `${stem}${record.extension ?? ''}`);
    return undefined;
  }
  const size = await statFile(join(target, record.shard.file)).then(
    (stats) => stats.size,
    () => -1,
  );
  return size === record.shard.bytes ? record : undefined;
}

/** Refuses shards of other inputs or options.
 * @type {(target: string, name: string) => never} */
const refuseOther = (target, name) =>
  rangeError(
    `${show(target)} must hold shards of the same inputs and options, got ${show(name)} of others: ` +
      'option force replaces it',
  );

/** @type {(target: string, stem: string, record: ShardRecord) => Promise<void>} */
export const writeRecord = (target, stem, record) => writeFiles({ [recordPath(target, stem)]: encoded(record) });

/** Writes what the shards have in common, and removes shards of another cut where they are to be replaced.
 * @type {(target: string, plan: Plan, isForced: boolean) => Promise<void>} */
export async function writePlan(target, plan, isForced) {
  const path = join(target, partsFolder, planName);
  const known = await readJson(path);
  if (JSON.stringify(known) === JSON.stringify(plan)) return;
  if (known !== undefined) {
    if (!isForced) refuseOther(target, shardStem(known.name, 0, known.count));
    await removeOthers(target, plan);
  }
  await writeFiles({ [path]: encoded(plan) });
}

/** Removes shards of another cut. Those of the same names are replaced one by one, because other processes may have
 * begun with them.
 * @type {(target: string, plan: Plan) => Promise<void>} */
async function removeOthers(target, plan) {
  const stems = new Set(Array.from({ length: plan.count }, (_, k) => shardStem(plan.name, k, plan.count)));
  for (const file of [indexName, errorsName]) await rm(join(target, file), { force: true });
  for (const { stem, record } of await readRecords(target)) {
    if (stems.has(stem) && record.shard.file === `${stem}${plan.extension}`) continue;
    await rm(join(target, basename(record.shard.file)), { force: true });
    await rm(recordPath(target, stem));
  }
}

/** Reads the records that are there, sorted by name.
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

/** Reads the plan and the records of all shards, and refuses a data set that lacks some.
 * @type {(target: string) => Promise<{ plan: Plan, records: ShardRecord[] }>} */
export async function readParts(target) {
  const plan = /** @type {Plan | undefined} */ (await readJson(join(target, partsFolder, planName)));
  if (!plan) return rangeError(`${show(target)} must have shards of buildDataset, got none`);
  const stems = Array.from({ length: plan.count }, (_, k) => shardStem(plan.name, k, plan.count));
  /** @type {ShardRecord[]} */
  const records = [];
  const missing = [];
  for (const stem of stems) {
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
