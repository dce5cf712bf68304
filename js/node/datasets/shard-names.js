/** The names of shards and of what lies beside them. */
import { join } from 'node:path';

/** The folder of the target for what is not the data set: records, locks, rows that are being collected. */
export const partsFolder = '.parts';
export const indexName = 'index.json';
export const errorsName = 'errors.jsonl';
export const planName = 'plan.json';

export const lockExtension = '.lock';

/** The path of the lock of a shard, or of another file of the data set.
 * @type {(target: string, stem: string) => string} */
export const lockPath = (target, stem) => join(target, partsFolder, `${stem}${lockExtension}`);

const digits = 5;

/** @type {(name: string, index: number, count: number) => string} */
export const shardStem = (name, index, count) =>
  `${name}-${String(index).padStart(digits, '0')}-of-${String(count).padStart(digits, '0')}`;

/** Whether a name is safe in every file system, and short enough for the numbers behind it.
 * @type {(value: unknown) => boolean} */
export const isShardName = (value) => typeof value === 'string' && /^\w[\w.-]{0,59}$/.test(value);
