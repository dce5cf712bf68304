/** Pillow and torchvision in a Python process that times itself, so that no call between processes counts. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const build = join(import.meta.dirname, '../../build/bench');
const requirements = join(import.meta.dirname, 'resize-python.txt');

/** Runs a program that installs something. */
const succeeds = (command, args) => spawnSync(command, args, { stdio: ['ignore', 2, 2] }).status === 0;

/** A Python that has Pillow, installed in an environment of its own. Undefined where Python is missing. */
function findPython() {
  const environment = join(build, 'python');
  const python = join(environment, 'bin/python');
  const marker = join(environment, 'installed');
  if (existsSync(marker)) return python;
  mkdirSync(build, { recursive: true });
  const isReady =
    succeeds('python3', ['-m', 'venv', environment]) &&
    succeeds(python, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
  if (!isReady) {
    console.error('bench: without Pillow, which needs python3 and pip');
    return undefined;
  }
  writeFileSync(marker, '');
  return python;
}

/**
 * Starts the process. Its `contender` prepares a library for a workload: the hash of its result, and what `race` times.
 * @returns {Promise<undefined | { versions: Record<string, string>, contender: Function, end: () => void }>} with the
 *   versions of the libraries that are there
 */
export async function startPython() {
  const python = findPython();
  if (python === undefined) return undefined;
  const child = spawn(python, [join(import.meta.dirname, 'resize-python.py')], { stdio: ['pipe', 'pipe', 2] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('resize-python.py has ended');
    return JSON.parse(value);
  };
  const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-bench-'));
  const file = join(folder, 'pixels');
  return {
    versions: await ask({}),
    contender: async (library, { data, width, height, channels }, size, filter, premultiply) => {
      writeFileSync(file, data);
      const { sha256 } = await ask({ library, file, width, height, channels, size, filter, premultiply });
      return { sha256, time: async (calls) => (await ask({ time: library, calls })).ms };
    },
    end: () => {
      child.stdin.end();
      rmSync(folder, { recursive: true });
    },
  };
}
