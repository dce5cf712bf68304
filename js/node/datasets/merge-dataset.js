/** Writes the common index of a data set whose shards are all there. */
import { join } from 'node:path';
import { namedAsync } from '../../arguments/index.js';
import { readPath } from '../paths.js';
import { writeFiles } from '../write-files.js';
import { jsonLine, readParts } from './shard-records.js';
import { deleteTemporaries, findLeftovers } from './leftovers.js';
import { lockShard } from './shard-lock.js';
import { errorsName, indexName, lockPath } from './shard-names.js';

/** @import { DatasetIndex } from './types.js' */

/**
 * Writes `index.json` and `errors.jsonl` of a data set whose parts were built one by one, on whichever machines: after
 * all calls of {@link buildDataset} with `shard`. A call without `shard` writes them itself.
 * @param {string} target the folder of the shards
 * @returns {Promise<DatasetIndex>}
 * @example
 * const config = { image_processor_type: 'ViTImageProcessor' };
 * for (const index of [0, 1])
 *   for await (const { file } of buildDataset('photos', 'halves', { config, shard: { index, count: 2 } }))
 *     console.log(file);
 * (await mergeDataset('halves')).outputs.pixel_values.dims; // [1, 3, 224, 224]
 */
export async function mergeDataset(target) {
  return namedAsync('mergeDataset', () => writeIndex(readPath('target', target)));
}

/** Writes `index.json` and `errors.jsonl`, a line for each input that failed, by the plan and the records of all
 * shards. Of two processes that do so at a time, one is refused.
 * @type {(target: string) => Promise<DatasetIndex>} */
export async function writeIndex(target) {
  const { plan, records } = await readParts(target);
  const { format, version, config, configHash, options, outputs: forms } = plan;
  const inputs = records.reduce((sum, { shard }) => sum + shard.rows, 0);
  const joined = Object.entries(forms).map(([name, { dtype, dims }]) => [
    name,
    { dtype, dims: joinedDims(dims, inputs) },
  ]);
  const outputs = Object.fromEntries(joined);
  const shards = records.map(({ shard }) => shard);
  const index = { format, version, config, configHash, options, outputs, shards };
  const failed = records.flatMap((record) => record.failed);
  const lines = failed.map((row) => `${JSON.stringify(row)}\n`).join('');
  const unlock = await lockShard(lockPath(target, 'index'), indexName);
  try {
    const leftovers = await findLeftovers([target]);
    // A file that cannot be deleted does no harm.
    for (const name of [errorsName, indexName]) await deleteTemporaries(leftovers, name).catch(() => {});
    await writeFiles({
      [join(target, errorsName)]: new TextEncoder().encode(lines),
      [join(target, indexName)]: jsonLine(index),
    });
  } finally {
    await unlock();
  }
  return index;
}

/** Outputs of fixed dims are joined along axis 0; others are a tensor for each input.
 * @type {(dims: DatasetIndex['outputs'][string]['dims'], inputs: number) => DatasetIndex['outputs'][string]['dims']} */
function joinedDims([rowsOfInput, ...others], inputs) {
  const isJoined = rowsOfInput !== null && !others.includes(null);
  return [isJoined ? rowsOfInput * inputs : null, ...others];
}
