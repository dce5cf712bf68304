/**
 * Plants the bugs of cpp.js and js.js, one at a time, in a copy of the tree for each core, and runs the tests that must catch it: a line for each that
 * none caught, and as last line `N passed, M failed`. Arguments choose files: `js/shapes.js`, or `cpp` for all of a folder.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import * as cpp from './cpp.js';
import * as js from './js.js';

const root = join(import.meta.dirname, '../..');
/** A mutant may loop for ever. */
const limit = 600_000;

/** @returns {Promise<boolean>} whether a command succeeds in a folder */
function succeeds(folder, command, ...args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: folder, stdio: 'ignore', detached: true });
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), limit);
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve(status === 0);
    });
  });
}

/** Copies what differs, which then is newer than what was built of it: a bug that the run before left in a source or in an object file goes. */
function copyTree(folder) {
  rmSync(join(folder, 'js'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const differs = (from, to) =>
    !from.includes('node_modules') &&
    (statSync(from).isDirectory() || !existsSync(to) || !readFileSync(from).equals(readFileSync(to)));
  for (const part of ['cpp', 'js', 'dist', 'tests', 'CMakeLists.txt', 'package.json', 'README.md']) {
    cpSync(join(root, part), join(folder, part), { filter: differs, recursive: true });
  }
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) symlinkSync(join(root, 'node_modules'), modules);
}

const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  '--bail',
  '--runInBand',
];

const kinds = {
  cpp: {
    ...cpp,
    async passes(folder, test) {
      if (
        !existsSync(join(folder, 'build/build.ninja')) &&
        !(await succeeds(folder, 'cmake', '-S', '.', '-B', 'build', '-G', 'Ninja', '-DCMAKE_CXX_COMPILER=clang++'))
      ) {
        throw new Error('cmake failed');
      }
      if (!(await succeeds(folder, 'cmake', '--build', 'build', '--target', test))) throw new Error('does not compile');
      return succeeds(folder, 'ctest', '--test-dir', 'build', '-R', `^${test}$`, '--no-tests=error');
    },
  },
  js: { ...js, passes: (folder, suite) => succeeds(folder, process.execPath, ...jest, `/${suite}.test.js`) },
};

/** @returns {Promise<string | undefined>} the test that catches a mutant */
async function catches(folder, { kind, file, from, to }) {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    for (const test of kind.tests[file]) if (!(await kind.passes(folder, test))) return test;
    return undefined;
  } finally {
    writeFileSync(path, source);
  }
}

const chosen = process.argv.slice(2);
const queue = [];
const stale = [];
for (const kind of Object.values(kinds)) {
  for (const [file, list] of Object.entries(kind.mutants)) {
    if (chosen.length > 0 && !chosen.some((part) => file.startsWith(part))) continue;
    const source = readFileSync(join(root, file), 'utf8');
    for (const [from, to] of list) {
      queue.push({ kind, file, from, to });
      if (source.split(from).length !== 2) stale.push(`${file}: ${JSON.stringify(from)} must be there once`);
    }
  }
}
if (stale.length > 0) throw new Error(`The code has changed:\n${stale.join('\n')}`);

let passed = 0;
let failed = 0;
// Without a bug all of them have to pass, or nothing is caught by them.
const baseline = [
  ...new Map(queue.flatMap(({ kind, file }) => kind.tests[file].map((test) => [test, { kind, test }]))).values(),
];
await Promise.all(
  Array.from({ length: availableParallelism() }, async (_, i) => {
    const folder = join(root, 'build/mutants', String(i));
    copyTree(folder);
    for (let next = baseline.shift(); next; next = baseline.shift()) {
      if (!(await next.kind.passes(folder, next.test))) throw new Error(`${next.test} fails without a mutant`);
    }
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      let outcome = 'not caught';
      const test = await catches(folder, mutant).catch((error) => {
        outcome = error.message;
      });
      if (test) passed++;
      else failed++;
      if (!test)
        console.log(`${mutant.file}: ${JSON.stringify(mutant.from)} -> ${JSON.stringify(mutant.to)}: ${outcome}`);
    }
  }),
);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
