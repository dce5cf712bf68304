/** The commands of the command line, run in this process. */
import { run as runCommand } from '../../js/cli/command.js';

/**
 * Runs a command on streams that keep what is written to them.
 * @returns what the program leaves: the exit status, standard output as bytes, standard error as text
 */
export async function written(args, input = Buffer.of(), isTTY = false) {
  const chunks = { stdout: [], stderr: [] };
  const stream = (name) => ({ isTTY, write: (chunk) => chunks[name].push(Buffer.from(chunk)) });
  // Standard input comes in pieces.
  const status = await runCommand(args, {
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
