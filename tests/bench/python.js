/** Python programs of this folder that time themselves, so that no call between processes counts. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const folder = import.meta.dirname;
const build = join(folder, '../../build/bench');

/** Runs a program that installs something. */
const succeeds = (command, args) => spawnSync(command, args, { stdio: ['ignore', 2, 2] }).status === 0;

/** A Python that has what a file lists, in an environment of this name. Undefined where Python is missing. */
function findPython(requirements, name) {
  const environment = join(build, name);
  const python = join(environment, 'bin/python');
  const marker = join(environment, `installed-${requirements}`);
  if (existsSync(marker)) return python;
  mkdirSync(build, { recursive: true });
  const isReady =
    (existsSync(python) || succeeds('python3', ['-m', 'venv', environment])) &&
    succeeds(python, ['-m', 'pip', 'install', '--quiet', '--requirement', join(folder, requirements)]);
  if (!isReady) {
    console.error(`bench: without what ${requirements} lists, which needs python3 and pip`);
    return undefined;
  }
  writeFileSync(marker, '');
  return python;
}

/**
 * Starts a program, which reads requests and writes answers, a line of JSON each. An empty request is answered with the
 * versions of its libraries.
 * @param {string} program
 * @param {string} requirements
 * @param {string} [environment] one for all, but for packages that want another version of what the others have
 * @returns {Promise<undefined | { ask: (request: object) => Promise<any>, versions: Record<string, string>,
 *   folder: string, end: () => void }>} with a temporary folder for what both read
 */
export async function startPython(program, requirements, environment = 'python') {
  const python = findPython(requirements, environment);
  if (python === undefined) return undefined;
  const child = spawn(python, ['-B', join(folder, program)], { stdio: ['pipe', 'pipe', 2] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} has ended`);
    return JSON.parse(value);
  };
  const files = mkdtempSync(join(tmpdir(), 'onnx-layout-bench-'));
  return {
    ask,
    versions: await ask({}),
    folder: files,
    end: () => {
      child.stdin.end();
      rmSync(files, { recursive: true });
    },
  };
}
