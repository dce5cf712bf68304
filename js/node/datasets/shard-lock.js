/** Locks shards, so that one process at a time makes each: a file beside it, the lock, names the process. */
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { channel } from 'node:diagnostics_channel';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { rangeError, show } from '../../arguments/index.js';
import { ofSystem } from '../paths.js';

/** Milliseconds between two signs of life: a process sets the time of its lock to now. */
const beat = 10_000;
/** A process on another machine counts as ended after so many milliseconds without a sign: nothing else tells. */
const mostSilence = 60_000;
/** Milliseconds within which a process that makes a lock writes its name into it. */
const mostWriting = 2000;

/** The paths of the locks that this process has. @type {Set<string>} */
const locked = new Set();
/** The channel that says which temporary files there are. The command line deletes them when a signal ends it. */
const temporaries = channel('onnx-layout.temporary');

/** Locks a shard by making the file `path`, whose time is set to now every 10 s as a sign that the process works.
 * Returns the function that unlocks. Refuses a shard that another process has locked, unless that has ended: then its
 * lock is removed, and made anew. `shard`: the name in messages.
 * @type {(path: string, shard: string) => Promise<() => Promise<void>>} */
export async function lockShard(path, shard) {
  let handle = await begin(path);
  if (!handle) {
    await removeLeft(path, shard);
    handle = await begin(path);
  }
  // Another process was faster to make the lock anew.
  if (!handle) return rangeError(`${show(shard)} must be made by one process at a time, got another one`);
  locked.add(path);
  temporaries.publish({ temporary: path, isThere: true });
  await handle.writeFile(JSON.stringify({ host: hostname(), pid: process.pid }));
  await handle.close();
  const timer = setInterval(() => {
    const now = new Date();
    // The lock may have been removed by hand.
    utimes(path, now, now).catch(() => {});
  }, beat);
  // The timer does not keep the process alive.
  timer.unref();
  return async () => {
    clearInterval(timer);
    await rm(path, { force: true });
    locked.delete(path);
    temporaries.publish({ temporary: path, isThere: false });
  };
}

/** Makes the file of a lock, and opens it; undefined if there is one already.
 * @type {(path: string) => Promise<import('node:fs/promises').FileHandle | undefined>} */
const begin = (path) =>
  ofSystem(open(path, 'wx').catch((error) => (error.code === 'EEXIST' ? undefined : Promise.reject(error))));

/** Removes a lock if its process has ended; throws if that works. A process of this machine is looked for; one of
 * another machine has ended if its last sign is older than {@link mostSilence}.
 * @type {(path: string, shard: string) => Promise<void>} */
async function removeLeft(path, shard) {
  const { host, pid, age } = await ownerOf(path);
  const isHere = host === hostname();
  if (isHere ? isRunning(path, pid) : age < mostSilence)
    rangeError(`${show(shard)} must be made by one process at a time, got process ${pid} of ${show(host)} at it`);
  await rm(path, { force: true });
}

/** Reads which process has a lock, and the milliseconds since its last sign, `age`. An empty lock is read again every
 * half second until its process has written its name. If that takes longer than {@link mostWriting}, the process was
 * killed before, and the `pid` is 0.
 * @type {(path: string) => Promise<{ host: string, pid: number, age: number }>} */
async function ownerOf(path) {
  for (let wait = 0; ; wait = 500) {
    if (wait > 0) await delay(wait);
    // A lock that is gone meanwhile reads as an empty one of long ago.
    const text = await readFile(path, 'utf8').catch(() => '');
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
    const age = Date.now() - mtimeMs;
    if (text !== '') return { ...JSON.parse(text), age };
    if (age > mostWriting) return { host: hostname(), pid: 0, age };
  }
}

/** Whether the process `pid` of this machine works, whose number a lock names. The number of this process itself may be
 * that of one before it, as in a container, where each run may have the same: then {@link locked} tells.
 * @type {(path: string, pid: number) => boolean} */
function isRunning(path, pid) {
  if (pid === 0) return false;
  if (pid === process.pid) return locked.has(path);
  try {
    // The signal 0 does nothing but fail if there is no such process. EPERM: it is there, of another user.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {{ code?: string }} */ (error).code === 'EPERM';
  }
}
