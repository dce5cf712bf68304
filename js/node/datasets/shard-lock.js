/** A shard is made by one process at a time: a file beside it says by which. */
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { channel } from 'node:diagnostics_channel';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { rangeError, show } from '../../arguments/index.js';
import { ofSystem } from '../paths.js';

/** Milliseconds between two signs of life. */
const beat = 10_000;
/** Of a process on another machine no more is known: after so many milliseconds without a sign it has ended. */
const mostSilence = 60_000;
/** Milliseconds in which a process writes its name. */
const mostWriting = 2000;

/** The files of this process. @type {Set<string>} */
const locked = new Set();
/** The command line deletes what is left where a signal ends it. */
const temporaries = channel('onnx-layout.temporary');

/** Locks a shard by a file, whose time says every 10 s that the process works, and returns the function that unlocks.
 * @type {(path: string, shard: string) => Promise<() => Promise<void>>} */
export async function lockShard(path, shard) {
  let handle = await begin(path);
  if (!handle) {
    await removeLeft(path, shard);
    handle = await begin(path);
  }
  if (!handle) return rangeError(`${show(shard)} must be made by one process at a time, got another one`);
  locked.add(path);
  temporaries.publish({ temporary: path, isThere: true });
  await handle.writeFile(JSON.stringify({ host: hostname(), pid: process.pid }));
  await handle.close();
  const timer = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, beat);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await rm(path, { force: true });
    locked.delete(path);
    temporaries.publish({ temporary: path, isThere: false });
  };
}

/** Makes the file of a lock; undefined where it is there.
 * @type {(path: string) => Promise<import('node:fs/promises').FileHandle | undefined>} */
const begin = (path) =>
  ofSystem(open(path, 'wx').catch((error) => (error.code === 'EEXIST' ? undefined : Promise.reject(error))));

/** Removes the lock of a process that has ended; refuses that of one that works.
 * @type {(path: string, shard: string) => Promise<void>} */
async function removeLeft(path, shard) {
  const { host, pid, age } = await ownerOf(path);
  const isHere = host === hostname();
  if (isHere ? isRunning(path, pid) : age < mostSilence)
    rangeError(`${show(shard)} must be made by one process at a time, got process ${pid} of ${show(host)} at it`);
  await rm(path, { force: true });
}

/** Reads which process locks a shard, and the milliseconds since its last sign. A process that is killed before it has
 * written its name leaves an empty file, whose pid is 0.
 * @type {(path: string) => Promise<{ host: string, pid: number, age: number }>} */
async function ownerOf(path) {
  for (let wait = 0; ; wait = 500) {
    if (wait > 0) await delay(wait);
    const text = await readFile(path, 'utf8').catch(() => '');
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
    const age = Date.now() - mtimeMs;
    if (text !== '') return { ...JSON.parse(text), age };
    if (age > mostWriting) return { host: hostname(), pid: 0, age };
  }
}

/** Whether a process of this machine locks a shard. Numbers of processes come again: in a container each run may have
 * the same one.
 * @type {(path: string, pid: number) => boolean} */
function isRunning(path, pid) {
  if (pid === 0) return false;
  if (pid === process.pid) return locked.has(path);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {{ code?: string }} */ (error).code === 'EPERM';
  }
}
