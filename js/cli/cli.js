#!/usr/bin/env node
/** The program: runs command.js with the arguments and the streams of this process. */
import { run } from './command.js';

process.stdout.on('error', (error) => {
  // EPIPE: the reader has seen enough.
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error;
});
const end = new AbortController();
// The second one ends the process as if nothing had caught the first. Exit statuses are those of shells.
const statuses = /** @type {const} */ ({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 });
let stopped = 0;
for (const [signal, status] of Object.entries(statuses))
  process.once(signal, () => {
    stopped ||= status;
    end.abort();
  });
const { stdin, stdout, stderr } = process;
const status = await run(process.argv.slice(2), { stdin, stdout, stderr, signal: end.signal });
process.exitCode = stopped || status;
