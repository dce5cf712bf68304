/**
 * Fuzzes the command line: `node tests/fuzz/commands.mjs [--seconds N] [--seed N]`. Random command lines run in this
 * process, and of each hundred one as a program whose standard output is closed, and one where it is full. Ends with a
 * line `N passed, M failed`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../support/packed.js';
import { generator } from '../support/samples.js';
import { fillFolder, randomLine, tryLines } from './command-lines.js';

const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? 1);
const seconds = Number(values.seconds ?? 60);
const folder = mkdtempSync(join(tmpdir(), 'commands-'));
process.chdir(folder);
await fillFolder(folder);

let faults = 0;
const report = ({ args }, fault) => {
  faults++;
  console.log(`${JSON.stringify(args.map((arg) => (arg.length > 100 ? `${arg.slice(0, 9)}...` : arg)))}: ${fault}`);
};
const end = performance.now() + 1000 * seconds;
const tried = await tryLines(seed, () => performance.now() < end, report);

/** A program whose reader is gone, or whose disk is full, ends with a documented status and without a stack. */
function faultOfProgram({ args, input }, isFull) {
  const shell = isFull ? '"$@" > /dev/full' : '"$@" | true; exit ${PIPESTATUS[0]}';
  const command = ['-c', shell, 'bash', process.execPath, join(root, 'dist/cli.js'), ...args];
  const { status, stderr } = spawnSync('bash', command, { input, encoding: 'utf8', timeout: 60_000 });
  const isPlain = /^(onnx-layout.*\n)*$/.test(stderr) && stderr.length < 1500;
  return [0, 1, 2, 3].includes(status ?? -1) && isPlain ? undefined : `status ${status}: ${stderr.slice(0, 400)}`;
}
const random = generator(seed + 1);
const spawned = Math.ceil(tried / 100);
for (let i = 0; i < spawned; i++)
  for (const isFull of existsSync('/dev/full') ? [false, true] : [false]) {
    const line = randomLine(random);
    const fault = faultOfProgram(line, isFull);
    if (fault) report(line, `with output ${isFull ? 'full' : 'closed'}: ${fault}`);
  }
process.chdir(root);
rmSync(folder, { recursive: true });
console.log(`${tried + spawned - faults} passed, ${faults} failed`);
process.exitCode = faults > 0 ? 1 : 0;
