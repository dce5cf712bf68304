/** A call after many others gives what it gives in a process that makes no other call. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { rows } from '../fuzz/painted-calls.js';
import { chooseSample } from '../support/sample.js';

const program = fileURLToPath(new URL('fresh.process.js', import.meta.url));
const run = promisify(execFile);

/** @type {(...args: string[]) => Promise<string[]>} the outcomes of the calls that a process makes */
const runProcess = async (...args) => JSON.parse((await run(process.execPath, [program, ...args])).stdout);

let warm;
beforeAll(async () => {
  warm = await runProcess();
});

// A process takes 0.4 s.
test.each(chooseSample([...rows.entries()], 27).map(([index, [name]]) => [name, index]))('%s', async (_, index) => {
  expect([warm[index]]).toEqual(await runProcess(String(index)));
});
