/** Locks shards, so that one process at a time makes each: a file, the lock, names the process. Two
 * processes get it only where three find the lock of a dead one in the same instant: see `removeLeft`. */
import { open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
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
 * Returns the function that unlocks. Throws if another process has locked the shard and still works. If that has ended,
 * its lock is removed, and made anew; of two processes that find it, one gets the new lock, the other throws.
 * `shard`: the name in messages.
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

/** Removes a lock if its process has ended; throws if the process still works. A process of this machine is looked for;
 * one of another machine has ended if its last sign is older than {@link mostSilence}. In the meantime another process
 * may have found the same lock, removed it, and made its own. So the lock is renamed first, which one process alone
 * can do, and put back if it is not the one that was looked at.
 * @type {(path: string, shard: string) => Promise<void>} */
async function removeLeft(path, shard) {
  const { host, pid, age, mtimeMs, text } = await ownerOf(path);
  const isHere = host === hostname();
  if (isHere ? isRunning(path, pid) : age < mostSilence)
    rangeError(`${show(shard)} must be made by one process at a time, got process ${pid} of ${show(host)} at it`);
  // Where a process is killed before it has removed this file, the next one that makes the shard does.
  const away = `${path}.${crypto.randomUUID().slice(-12)}.tmp`;
  const isMoved = await ofSystem(
    rename(path, away).then(
      () => true,
      (error) => (error.code === 'ENOENT' ? false : Promise.reject(error)),
    ),
  );
  if (!isMoved) return; // another process was faster
  const moved = await contentOf(away);
  if (moved.text === text && moved.mtimeMs === mtimeMs) await rm(away, { force: true });
  // In this instant a third process may have made a lock, which is lost then: two work on the shard.
  else await ofSystem(rename(away, path));
}

/** Reads the text of a lock, and the time of its last sign in milliseconds. A lock that is gone reads as an empty one
 * of long ago.
 * @type {(path: string) => Promise<{ text: string, mtimeMs: number }>} */
async function contentOf(path) {
  const text = await readFile(path, 'utf8').catch(() => '');
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
  return { text, mtimeMs };
}

/** Reads which process has a lock, the milliseconds since its last sign, `age`, and what {@link contentOf} reads. An
 * empty lock is read again every half second until its process has written its name. If that takes longer than
 * {@link mostWriting}, the process was killed before, and the `pid` is 0.
 * @type {(path: string) => Promise<{ host: string, pid: number, age: number, text: string, mtimeMs: number }>} */
async function ownerOf(path) {
  for (let wait = 0; ; wait = 500) {
    if (wait > 0) await delay(wait);
    const content = await contentOf(path);
    const age = Date.now() - content.mtimeMs;
    if (content.text !== '') return { ...JSON.parse(content.text), ...content, age };
    if (age > mostWriting) return { host: hostname(), pid: 0, ...content, age };
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
