/** Python programs of this folder that time themselves, so that no call between processes counts. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bytesOf } from './data.js';

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
 * Starts a program, which reads requests and writes answers, a line of JSON each. Gives undefined where Python is
 * missing.
 */
function startPython(name, environment) {
  const python = findPython(`${name}-python.txt`, environment);
  if (python === undefined) return undefined;
  const child = spawn(python, ['-B', join(folder, `${name}-python.py`)], { stdio: ['pipe', 'pipe', 2] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name}-python.py has ended`);
    return JSON.parse(value);
  };
  return { ask, end: () => child.stdin.end() };
}

/**
 * Contenders in Python.
 * @typedef {object} PythonContenders
 * @property {string} name of the program `name-python.py` and of what it needs, `name-python.txt`
 * @property {string} [environment] one for all, but for packages that want another version of what the others have
 * @property {ArrayBufferView[]} arrays that it reads from files
 * @property {object[]} requests each of which makes contenders, or none where a library is missing. `expected`: the
 *   result, as the program describes it
 */

/**
 * Starts the contenders in Python, and compares their results: none where Python is missing.
 * @param {string} title of the contest
 * @param {PythonContenders} [declared]
 */
export async function startContenders(title, declared = undefined) {
  const python = declared && startPython(declared.name, declared.environment ?? 'python');
  if (python === undefined) return { contenders: {}, end: () => {} };
  const { ask, end } = python;
  const shared = mkdtempSync(join(tmpdir(), 'onnx-layout-bench-'));
  const files = declared.arrays.map((_, i) => join(shared, `x${i}`));
  declared.arrays.forEach((array, i) => writeFileSync(files[i], bytesOf(array)));
  const contenders = {};
  for (const { expected, ...request } of declared.requests) {
    const { calls, result } = await ask({ ...request, files });
    if (calls.length > 0 && expected !== undefined && result !== expected)
      throw new Error(`${title}: ${calls} in Python gives other results`);
    for (const call of calls) contenders[call] = { time: async (count) => (await ask({ call, count })).ms };
  }
  return {
    contenders,
    versions: await ask({}),
    end: () => {
      end();
      rmSync(shared, { recursive: true });
    },
  };
}
