#!/usr/bin/env node
/**
 * The program. A thread runs the command, so that this one sees signals while it computes: the first ends the thread
 * and deletes the files that are not whole yet, the second kills the process at once.
 */
import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const { stdin, stdout, stderr } = process;
const worker = new Worker(new URL('./cli-worker.js', import.meta.url), {
  argv: process.argv.slice(2),
  stdin: true,
  workerData: { isTTY: Boolean(stderr.isTTY) },
});
/** @type {Set<string>} */
const temporaries = new Set();
let isEnding = false;

worker.on('message', ({ wantsInput, temporary, isThere }) => {
  if (wantsInput) stdin.pipe(/** @type {NodeJS.WritableStream} */ (worker.stdin));
  else if (isThere) temporaries.add(temporary);
  else temporaries.delete(temporary);
});
worker.on('exit', (status) => {
  // An open pipe would keep the process alive.
  stdin.destroy();
  if (!isEnding) process.exitCode = status;
});

/** Ends the thread that runs the command, deletes the files that it has not written to their end, clears a line of
 * progress, and exits. `why`: what stderr says. A second call does nothing.
 * @type {(status: number, why?: string) => Promise<void>} */
async function end(status, why) {
  if (isEnding) return;
  isEnding = true;
  await worker.terminate();
  for (const path of temporaries) rmSync(path, { force: true });
  if (stderr.isTTY) stderr.write('\r\x1b[K');
  if (why !== undefined) stderr.write(`onnx-layout: ${why}\n`);
  process.exit(status);
}

/** Exit statuses are those of shells. */
const statuses = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
for (const [signal, status] of Object.entries(statuses))
  process.once(signal, () => {
    for (const other of Object.keys(statuses)) process.removeAllListeners(other);
    return end(status);
  });

worker.on('error', (/** @type {NodeJS.ErrnoException} */ { code, message }) =>
  end(1, code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : JSON.stringify(message)),
);
stdout.on('error', (/** @type {NodeJS.ErrnoException} */ { code, message }) => {
  if (code !== 'EPIPE') return end(1, `standard output: ${code === 'ENOSPC' ? 'no space left on device' : message}`);
  // The reader has seen enough: what is left is dropped.
  worker.stdout.resume();
  return worker.postMessage('closed');
});
// There is nowhere to say it.
stderr.on('error', () => {});
