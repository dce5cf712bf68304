/** Writes one shard: its rows are collected in a file for each output, and then joined to one file. */
import { createHash } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bytesOf } from '../../arguments/index.js';
import { saveNpy, saveSafetensors } from '../../io/index.js';
import { dtypes } from '../../tensor/index.js';
import { entryOf, FileSource, openSource } from '../../weights/index.js';
import { openRegular } from '../path-source.js';
import { ofSystem } from '../paths.js';
import { allOrNone, writeAll } from '../write-files.js';
import { faultOf, isVarying } from './output-forms.js';
import { partsFolder } from './shard-names.js';

/** @import { Entry, FileWriter } from '../../io/index.js' */
/** @import { Outputs } from '../../processors/types.js' */
/** @import { Handle } from '../types.js' */
/** @import { Plan } from './types.js' */

/** The file in which the rows of an output are collected, and its length.
 * @typedef {{ path: string, handle: Handle, end: number, rows: SpooledRow[] }} Spool */
/** @typedef {{ key: string, at: number, dims: number[] }} SpooledRow `at`: the first byte */

/**
 * @typedef {object} ShardWriter
 * @property {(key: string, outputs: Outputs) => Promise<string | undefined>} append adds the outputs of an input, or
 *   says why they do not fit
 * @property {() => Promise<{ file: string, bytes: number, sha256: string }>} finish writes the shard
 * @property {() => Promise<void>} deleteRows deletes the collected rows
 */

/** Opens the writer of a shard. It collects the rows of each output in a file of their own, and joins these files to
 * the file of the shard in the end.
 * @type {(target: string, stem: string, plan: Plan) => Promise<ShardWriter>} */
export async function openShardWriter(target, stem, { outputs: forms, extension }) {
  const folder = join(target, partsFolder);
  await ofSystem(mkdir(folder, { recursive: true }));
  /** @type {Record<string, Spool>} */
  const spools = {};
  for (const name of Object.keys(forms)) {
    const path = join(folder, `${stem}.${name}.rows`);
    spools[name] = { path, handle: await ofSystem(open(path, 'w')), end: 0, rows: [] };
  }
  return {
    async append(key, outputs) {
      const fault = faultOf(forms, outputs);
      if (fault !== undefined) return fault;
      for (const [name, spool] of Object.entries(spools)) {
        const { data, dims } = outputs[name];
        const bytes = bytesOf(data);
        await writeAll(spool.handle, bytes, spool.end);
        spool.rows.push({ key, at: spool.end, dims: /** @type {number[]} */ (dims) });
        spool.end += bytes.length;
      }
      return undefined;
    },
    finish: () => writeShard({ target, stem, extension, forms, spools }),
    async deleteRows() {
      for (const { path, handle } of Object.values(spools)) {
        await handle.close().catch(() => {});
        await rm(path, { force: true });
      }
    },
  };
}

/** @type {(shard: { target: string, stem: string, extension: string, forms: Plan['outputs'],
 *   spools: Record<string, Spool> }) => Promise<{ file: string, bytes: number, sha256: string }>} */
async function writeShard({ target, stem, extension, forms, spools }) {
  const file = `${stem}${extension}`;
  /** @type {import('../types.js').PathSource[]} */
  const opened = [];
  try {
    /** @type {Map<string, Entry>} */
    const entries = new Map();
    for (const [name, spool] of Object.entries(spools)) {
      const source = await openRegular(spool.path);
      opened.push(source);
      for (const [label, entry] of await entriesOf(name, forms[name], spool, source)) entries.set(label, entry);
    }
    // All outputs have the same rows.
    const [{ rows }] = Object.values(spools);
    const keys = JSON.stringify(rows.map(({ key }) => key));
    const [only] = entries.values();
    const writer =
      extension === '.npy' ? saveNpy(only) : saveSafetensors(entries, { metadata: new Map([['keys', keys]]) });
    return { file, ...(await writeSynced(join(target, file), writer)) };
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
}

/** Makes the tensors of an output for the shard's file, with their names: one of all rows, which lie side by side, or,
 * if the dims of rows differ, one for each row, `KEY/NAME`. `source`: the file of collected rows.
 * @type {(name: string, form: Plan['outputs'][string], spool: Spool, source: unknown) =>
 *   Promise<[string, Entry][]>} */
async function entriesOf(name, form, { rows }, source) {
  const dtype = dtypes[form.dtype];
  const file = await openSource('source', source);
  const entry = (/** @type {number[]} */ dims, /** @type {number} */ at) =>
    entryOf(new FileSource(dtype, dims, async () => file, at));
  if (isVarying(form)) return rows.map(({ key, at, dims }) => [`${key}/${name}`, entry(dims, at)]);
  const [rowsOfInput, ...others] = /** @type {number[]} */ (form.dims);
  return [[name, entry([rowsOfInput * rows.length, ...others], 0)]];
}

/** Writes a file, and waits until it is on the disk before it gets its name: after a power cut, a file with the name of
 * a shard counts as whole. `sha256`: in hexadecimal digits.
 * @type {(path: string, writer: FileWriter) => Promise<{ bytes: number, sha256: string }>} */
export async function writeSynced(path, writer) {
  const hash = createHash('sha256');
  let at = 0;
  await allOrNone(async (begin) => {
    const { handle } = await begin(path);
    for await (const bytes of writer) {
      hash.update(bytes);
      await writeAll(handle, bytes, at);
      at += bytes.length;
    }
    await ofSystem(handle.sync());
  });
  await syncFolder(dirname(path));
  return { bytes: at, sha256: hash.digest('hex') };
}

/** Waits until the names in a folder are on the disk. Does nothing on Windows, which opens no folders.
 * @type {(folder: string) => Promise<void>} */
async function syncFolder(folder) {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
