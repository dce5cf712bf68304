#!/usr/bin/env node
/** The program: command.js with the arguments and streams of this process. */
import { run } from './command.js';

process.stdout.on('error', (error) => {
  // Otherwise the reader has seen enough.
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await run(process.argv.slice(2), process);
