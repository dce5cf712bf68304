/** Times work on files of weights: `inspect`, casts from file to file, and what lies past 4 GiB. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { saveSafetensors } from '../../js/io/index.js';
import { fileSource, openWeights, writeFiles } from '../../js/node/index.js';
import { sparseSafetensors } from '../support/sparse-files.js';
import { judged, ratioOf } from './contest.js';
import { race } from './measure.js';
import { operatorChecks } from './weights-operators.js';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'build/bench/weights');
const program = join(root, 'dist/cli.js');
/** Bytes of a piece of the copy that casts are compared with. */
const pieceBytes = 8 * 2 ** 20;

/** A safetensors file of some matrices of bfloat16; without `isFilled` it has holes. */
function made(name, count, rows, columns, isFilled) {
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
async function copied(from, to) {
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
async function inspect({ quick }) {
  const { path, size } = made('inspect.safetensors', 200, 2048, 1953, false);
  const run = (...args) => {
    const { status, stderr } = spawnSync(process.execPath, args);
    if (status !== 0) throw new Error(String(stderr));
  };
  const contenders = { ours: () => run(program, 'inspect', path), 'node alone': () => run('--eval', '0') };
  const times = await race(contenders, quick ? 1000 : 8000);
  rmSync(path);
  const title = `weights-inspect: inspect of a safetensors file of ${(size / 1e9).toFixed(1)} GB, the whole command`;
  return judged(title, times, [ratioOf('ours', '0.2 s', times.ours / 200, 1, 0.6)]);
}

/** bfloat16 to float16 from file to file, beside a copy of the file. */
async function cast({ quick }) {
  const count = quick ? 4 : 32;
  const { path, size } = made('cast.safetensors', count, 8192, 4096, true);
  const [out, copy] = [join(folder, 'cast.out'), join(folder, 'copy.out')];
  const { entries, close } = await openWeights(path);
  const half = new Map(Array.from(entries, ([name, entry]) => [name, entry.cast('float16')]));
  const contenders = { ours: () => writeFiles({ [out]: saveSafetensors(half) }), copy: () => copied(path, copy) };
  const times = await race(contenders, quick ? 1000 : 20_000);
  await close();
  rmSync(folder, { recursive: true });
  const title = `weights-cast: bfloat16 to float16 of ${(size / 1e9).toFixed(1)} GB, file to file`;
  return judged(title, times, [ratioOf('ours', 'copy', times.ours / times.copy, 1 / 0.6, 1 / 0.85)]);
}

/** One row of a tensor past 4 GiB of a sparse file of 5 GB. */
async function sparse({ quick }) {
  const { path } = made('sparse.safetensors', 5, 250_000, 2000, false);
  const { entries, close } = await openWeights(path);
  const source = await fileSource(path);
  const last = entries.get('layer.4');
  const target = new Uint8Array(4000);
  const contenders = {
    ours: () => last.read({ rows: [249_999, 250_000] }),
    read: () => source.read(target, source.byteLength - 4000),
  };
  const times = await race(contenders, quick ? 200 : 2000);
  await Promise.all([close(), source.close()]);
  rmSync(path);
  return judged('weights-sparse: a row past 4 GiB of a sparse file of 5 GB', times, [
    ratioOf('ours', 'a millisecond', times.ours, 1, 0.2),
  ]);
}

/** Leaves a check out where the disk is too small. */
const withRoom = (bytes, check) => (options) => {
  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize > bytes) return check(options);
  console.error(`bench: a check needs ${bytes / 1e9} GB of disk, and is left out`);
  return { title: 'left out: no room on the disk', times: {}, ratios: [], pass: true };
};

/** The checks by the name that `--only` takes: `weights` takes all of them. */
export const weightsChecks = {
  'weights-inspect': inspect,
  'weights-cast': withRoom(8e9, cast),
  'weights-sparse': sparse,
  ...operatorChecks,
};
