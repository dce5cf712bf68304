/** Times work on files of weights: `inspect`, casts from file to file, and what lies past 4 GiB. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { saveSafetensors } from '../../js/io/index.js';
import { fileSource, openWeights, writeFiles } from '../../js/node/index.js';
import { sparseSafetensors } from '../support/sparse-files.js';
import { checksOf } from './contest.js';
import { operatorContests } from './weights-operators.js';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'build/bench/weights');
const program = join(root, 'dist/cli.js');
/** Bytes of a piece of the copy that casts are compared with. */
const pieceBytes = 8 * 2 ** 20;

/** A safetensors file of some matrices of bfloat16; without `isFilled` it has holes. */
function writeMatrices(name, count, rows, columns, isFilled) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const bytes = rows * columns * 2;
  const header = {};
  for (let i = 0; i < count; i++)
    header[`layer.${i}`] = { dtype: 'BF16', shape: [rows, columns], data_offsets: [i * bytes, (i + 1) * bytes] };
  // Numbers near 1, of which a cast to float16 changes every one.
  const row = Buffer.from(Uint16Array.from({ length: columns }, (_, i) => 0x3f80 + (i % 64)).buffer);
  const marks = Array.from({ length: isFilled ? count * rows : 0 }, (_, i) => [i * row.length, row]);
  sparseSafetensors(path, header, count * bytes, marks);
  return { path, size: statSync(path).size };
}

/** Copies a file as one would by hand. */
async function copyFile(from, to) {
  const [source, target] = [await open(from), await open(to, 'w')];
  const buffer = new Uint8Array(pieceBytes);
  for (let at = 0; ;) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) break;
    await target.write(buffer, 0, bytesRead, at);
    at += bytesRead;
  }
  await Promise.all([source.close(), target.close()]);
}

/** The whole command on 1.6 GB, in milliseconds beside those of a Node that does nothing. */
function inspect() {
  const { path, size } = writeMatrices('inspect.safetensors', 200, 2048, 1953, false);
  const run = (...args) => {
    const { status, stderr } = spawnSync(process.execPath, args);
    if (status !== 0) throw new Error(String(stderr));
  };
  return {
    title: `weights-inspect: inspect of a safetensors file of ${(size / 1e9).toFixed(1)} GB, the whole command`,
    contenders: { ours: () => run(program, 'inspect', path), 'node alone': () => run('--eval', '0') },
    references: () => ({ '0.2 s': 200 }),
    bars: { ours: { '0.2 s': [1, 0.6] } },
    end: () => rmSync(path),
  };
}

/** bfloat16 to float16 from file to file, beside a copy of the file. */
async function cast({ quick }) {
  const { path, size } = writeMatrices('cast.safetensors', quick ? 4 : 32, 8192, 4096, true);
  const [out, copy] = [join(folder, 'cast.out'), join(folder, 'copy.out')];
  const { entries, close } = await openWeights(path);
  const half = new Map(Array.from(entries, ([name, entry]) => [name, entry.cast('float16')]));
  return {
    title: `weights-cast: bfloat16 to float16 of ${(size / 1e9).toFixed(1)} GB, file to file`,
    contenders: { ours: () => writeFiles({ [out]: saveSafetensors(half) }), copy: () => copyFile(path, copy) },
    bars: { ours: { copy: [1 / 0.6, 1 / 0.85] } },
    end: async () => {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** One row of a tensor past 4 GiB of a sparse file of 5 GB. */
async function sparse() {
  const { path } = writeMatrices('sparse.safetensors', 5, 250_000, 2000, false);
  const { entries, close } = await openWeights(path);
  const source = await fileSource(path);
  const last = entries.get('layer.4');
  const target = new Uint8Array(4000);
  return {
    title: 'weights-sparse: a row past 4 GiB of a sparse file of 5 GB',
    contenders: {
      ours: () => last.read({ rows: [249_999, 250_000] }),
      read: () => source.read(target, source.byteLength - 4000),
    },
    references: () => ({ 'a millisecond': 1 }),
    bars: { ours: { 'a millisecond': [1, 0.2] } },
    end: async () => {
      await Promise.all([close(), source.close()]);
      rmSync(path);
    },
  };
}

/** Leaves a contest out where the disk is too small. */
const withRoom = (bytes, prepare) => (options) => {
  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize > bytes) return prepare(options);
  console.error(`bench: a check needs ${bytes / 1e9} GB of disk, and is left out`);
  return { title: 'left out: no room on the disk', contenders: {}, bars: {} };
};

/** The checks by the name that `--only` takes: `weights` takes all of them. */
export const weightsChecks = checksOf('weights', {
  inspect,
  cast: withRoom(8e9, cast),
  sparse,
  ...operatorContests,
});
