/** The thread of the program: runs command.js with the arguments and the streams of the process. */
import { subscribe } from 'node:diagnostics_channel';
import { parentPort, workerData } from 'node:worker_threads';
import { run } from './command.js';

/** @import { MessagePort } from 'node:worker_threads' */

const port = /** @type {MessagePort} */ (parentPort);
const stdout = Object.assign(process.stdout, { isClosed: false });
port.on('message', () => void (stdout.isClosed = true));
port.unref();
subscribe('onnx-layout.temporary', (message) => port.postMessage(message));

const stdin = {
  /** Yields the chunks of standard input. */
  async *[Symbol.asyncIterator]() {
    // Ask the main thread for standard input now, not before: a command that does not read it leaves it to the next
    // process of the shell.
    port.postMessage({ wantsInput: true });
    yield* process.stdin;
  },
};
const stderr = { isTTY: workerData.isTTY, write: (/** @type {string} */ text) => process.stderr.write(text) };
const status = await run(process.argv.slice(2), { stdin, stdout, stderr });
/** Waits until the other thread has what was written: a write of nothing is done when those before it are.
 * @type {(stream: NodeJS.WriteStream) => Promise<unknown>} */
const flushed = (stream) => new Promise((resolve) => void stream.write('', resolve));
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// Standard input that is not read to its end would keep the thread alive.
process.exit(status);
