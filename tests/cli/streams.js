/** The commands of the command line, run in this process. Where no argument has a space, they stand in one text. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { init } from 'onnx-layout';
import { run as runCommand } from '../../js/cli/command.js';
import { temporaryFolder } from '../support/programs.js';

/** A folder of a suite's own, in which its tests run, and where the module is there. */
export function inFolder() {
  const [folder, home] = [temporaryFolder(), process.cwd()];
  beforeAll(async () => {
    process.chdir(folder);
    await init();
  });
  afterAll(() => process.chdir(home));
  return folder;
}

/** The program as users have it. */
export const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export const words = (line) => (typeof line === 'string' ? line.trim().split(/\s+/) : line);

/**
 * Runs a command on streams that keep what is written to them.
 * @returns what the program leaves: the exit status, standard output as bytes, standard error as text
 */
export async function written(args, input = Buffer.of(), isTTY = false) {
  const chunks = { stdout: [], stderr: [] };
  const stream = (name) => ({ isTTY, write: (chunk) => chunks[name].push(Buffer.from(chunk)) });
  // Standard input comes in pieces.
  const status = await runCommand(words(args), {
    stdin: [input.subarray(0, 5), input.subarray(5)],
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  });
  return { status, stdout: Buffer.concat(chunks.stdout), stderr: Buffer.concat(chunks.stderr).toString() };
}

/** The same with standard output as text. */
export async function cli(args, input) {
  const { stdout, ...others } = await written(args, input);
  return { ...others, stdout: stdout.toString() };
}

/** The output of a command that does its work. */
export const output = async (args, input) => (await cli(args, input)).stdout;

/** A command that does its work and says nothing. */
export const quiet = async (args) => expect(await cli(args)).toEqual(done(''));

/** The end of a command that does its work and says this. */
export const done = (stdout) => ({ status: 0, stdout, stderr: '' });

/** Expects a command to print nothing, to end with a status, and to say first why. */
export async function expectRefusal(args, status, message) {
  const { stdout, stderr, status: end } = await cli(args);
  expect([end, stdout, stderr.slice(0, 13 + message.length)]).toEqual([status, '', `onnx-layout: ${message}`]);
}

/** Sends a signal to the program once a file begins to be there, and gives its status and the files that are left. */
export async function leftBy(args, signal) {
  const child = spawn(process.execPath, [program, ...words(args)]);
  const ended = new Promise((resolve) => {
    child.on('close', (status) => resolve(status));
  });
  const left = () => readdirSync('.').filter((name) => name.startsWith('ended'));
  while (left().length === 0)
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  child.kill(signal);
  return { status: await ended, left: left() };
}
