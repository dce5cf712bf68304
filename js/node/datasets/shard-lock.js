/** Locks shards, so that one process at a time makes each: a file, the lock, names the process. Two processes get it
 * only where three find the lock of a dead one in the same instant: see `removeAbandoned`. */
import { open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { rangeError, show } from '../../arguments/index.js';
import { ofSystem } from '../paths.js';
import { announceTemporary, announceTemporaryGone } from '../temporaries.js';

/** Between two signs of life: a process sets the time of its lock to now. */
const beatMs = 10_000;
/** A process on another machine counts as ended after so long without a sign: nothing else tells. */
const maxSilenceMs = 60_000;
/** A process that makes a lock writes its name into it within this time. */
const maxWritingMs = 2000;
/** Between two looks for the name. */
const lookMs = 500;
/** Stands for a process that was killed before it wrote its name. */
const noProcess = 0;

/** The paths of the locks that this process has. @type {Set<string>} */
const locked = new Set();

/** Locks a shard by making the file `path`. Returns the function that unlocks. Throws if another process has locked the
 * shard and still works. If that has ended, its lock is removed, and made anew; of two processes that find it, one gets
 * the new lock, the other throws. `shard`: the name in messages.
 * @type {(path: string, shard: string) => Promise<() => Promise<void>>} */
export async function lockShard(path, shard) {
  let handle = await openNew(path);
  if (!handle) {
    await removeAbandoned(path, shard);
    handle = await openNew(path);
  }
  // Another process was faster to make the lock anew.
  if (!handle) return rangeError(`${show(shard)} must be made by one process at a time, got another one`);
  locked.add(path);
  announceTemporary(path);
  try {
    await ofSystem(handle.writeFile(JSON.stringify({ host: hostname(), pid: process.pid })));
  } catch (error) {
    await removeLock(path);
    throw error;
  } finally {
    await handle.close();
  }
  const timer = setInterval(() => {
    const now = new Date();
    // The lock may have been removed by hand.
    utimes(path, now, now).catch(() => {});
  }, beatMs);
  // The timer does not keep the process alive.
  timer.unref();
  return async () => {
    clearInterval(timer);
    await removeLock(path);
  };
}

/** Removes a lock of this process. @type {(path: string) => Promise<void>} */
async function removeLock(path) {
  await rm(path, { force: true });
  locked.delete(path);
  announceTemporaryGone(path);
}

/** Makes a file and opens it; undefined if there is one already.
 * @type {(path: string) => Promise<import('node:fs/promises').FileHandle | undefined>} */
const openNew = (path) =>
  ofSystem(open(path, 'wx').catch((error) => (error.code === 'EEXIST' ? undefined : Promise.reject(error))));

/** Removes a lock if its process has ended; throws if the process still works. In the meantime another process may have
 * found the same lock, removed it, and made its own. So the lock is renamed first, which one process alone can do, and
 * put back if it is not the one that was looked at.
 * @type {(path: string, shard: string) => Promise<void>} */
async function removeAbandoned(path, shard) {
  const { host, pid, age, mtimeMs, text } = await ownerOf(path);
  const works = host === hostname() ? isRunning(path, pid) : age < maxSilenceMs;
  if (works)
    rangeError(`${show(shard)} must be made by one process at a time, got process ${pid} of ${show(host)} at it`);
  // Where a process is killed before it has removed this file, the next call that makes the shard, or finds it done,
  // does.
  const away = `${path}.${crypto.randomUUID().slice(-12)}.tmp`;
  const isMoved = await renameIfThere(path, away);
  if (!isMoved) return; // another process was faster
  const moved = await contentOf(away);
  const isSame = moved.text === text && moved.mtimeMs === mtimeMs;
  if (isSame) await rm(away, { force: true });
  // In this instant a third process may have made a lock, which is lost then: two work on the shard.
  else await ofSystem(rename(away, path));
}

/** Returns whether the file was there.
 * @type {(from: string, to: string) => Promise<boolean>} */
const renameIfThere = (from, to) =>
  ofSystem(
    rename(from, to).then(
      () => true,
      (error) => (error.code === 'ENOENT' ? false : Promise.reject(error)),
    ),
  );

/** `mtimeMs`: the time of the last sign. A lock that is gone reads as an empty one of long ago.
 * @type {(path: string) => Promise<{ text: string, mtimeMs: number }>} */
async function contentOf(path) {
  const text = await readFile(path, 'utf8').catch(() => '');
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
  return { text, mtimeMs };
}

/** Reads which process has a lock, and the milliseconds since its last sign, `age`. Waits until the process has written
 * its name.
 * @type {(path: string) => Promise<{ host: string, pid: number, age: number, text: string, mtimeMs: number }>} */
async function ownerOf(path) {
  for (;;) {
    const content = await contentOf(path);
    const age = Date.now() - content.mtimeMs;
    if (content.text !== '') return { ...JSON.parse(content.text), ...content, age };
    if (age > maxWritingMs) return { host: hostname(), pid: noProcess, ...content, age };
    await delay(lookMs);
  }
}

/** Whether the process that a lock of this machine names still runs. In containers each run may have the same process
 * number: a lock with the number of this process may be that of an earlier run, unless this process has made it.
 * @type {(path: string, pid: number) => boolean} */
function isRunning(path, pid) {
  if (pid === noProcess) return false;
  if (pid === process.pid) return locked.has(path);
  try {
    // The signal 0 does nothing but fail if there is no such process. EPERM: it is there, of another user.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {{ code?: string }} */ (error).code === 'EPERM';
  }
}
