/** Checks whether the files of a data set are those that its index names. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { namedAsync, readFunction, readSignal, readTable, row, show } from '../../arguments/index.js';
import { readPath } from '../paths.js';
import { openShard, readIndex } from './open-dataset.js';

/** @import { CheckOptions, DatasetCheck } from './types.js' */

const table = { onProgress: row(readFunction, undefined), signal: readSignal };

/**
 * Reads all of a data set, and compares each shard's bytes, rows and keys with the index.
 * @param {string} folder
 * @param {CheckOptions} [options]
 * @returns {Promise<DatasetCheck>} with what is wrong, in `faults`
 * @example
 * const config = { image_processor_type: 'ViTImageProcessor' };
 * for await (const shard of buildDataset('photos', 'checked', { config, jobs: 1 })) console.log(shard.file);
 * const { rows, faults } = await checkDataset('checked');
 * [rows, faults]; // [1, []]
 */
export async function checkDataset(folder, options) {
  return namedAsync('checkDataset', async () => {
    const { onProgress, signal } = readTable(options, table);
    const path = readPath('folder', folder);
    const index = await readIndex(path);
    const bytes = index.shards.reduce((sum, shard) => sum + shard.bytes, 0);
    /** @type {DatasetCheck['faults']} */
    const faults = [];
    /** The file of each key. @type {Map<string, string>} */
    const files = new Map();
    let rows = 0;
    let done = 0;
    for (const shard of index.shards) {
      signal?.throwIfAborted();
      const { file } = shard;
      try {
        const { keys } = await openShard(path, index, shard);
        rows += keys.length;
        const repeated = keys.find((key) => files.has(key));
        if (repeated !== undefined)
          faults.push({ file, fault: `key ${show(repeated)} is in ${show(files.get(repeated))}, too` });
        for (const key of keys) files.set(key, file);
        const sha256 = await hashOfFile(join(path, file), signal);
        if (sha256 !== shard.sha256) faults.push({ file, fault: `sha256 must be ${shard.sha256}, got ${sha256}` });
      } catch (error) {
        // Any other error than the caller's abort is a fault of this shard alone.
        if (signal?.aborted) throw error;
        faults.push({ file, fault: /** @type {Error} */ (error).message });
      }
      done += shard.bytes;
      onProgress?.({ done, total: bytes });
    }
    return { shards: index.shards.length, rows, bytes, faults };
  });
}

/** The SHA-256 of a file, in hexadecimal digits.
 * @type {(path: string, signal: AbortSignal | undefined) => Promise<string>} */
async function hashOfFile(path, signal) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20, signal })) hash.update(chunk);
  return hash.digest('hex');
}
