/** What the tests of files share: programs of the system that read and write the same formats, and a folder that goes away. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

/** A folder for one test file. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-io-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What a command prints, as bytes; a failure throws all of it. */
export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { maxBuffer: 2 ** 28, ...options });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? `exit status ${status}`}\n${stdout}${stderr}`);
  return stdout;
}

/** A Python that has NumPy, Debian's own first; undefined where none does. */
export const python = ['/usr/bin/python3', 'python3'].find(
  (command) => spawnSync(command, ['-c', 'import numpy']).status === 0,
);

export const hasProtoc = spawnSync('protoc', ['--version']).status === 0;

/** Tests that need a program: without it, a line that says so, and a failure where tests have to be complete. */
export function where(present, program, tests) {
  if (present) tests();
  else if (process.env.CI) test(`${program} is there`, () => expect(program).toBe('installed'));
  else test.skip(`NOT RUN: ${program} is not installed`, () => {});
}

/** A file as bytes that stand at an odd place of their buffer. */
export function atOddOffset(bytes) {
  const buffer = new Uint8Array(bytes.length + 1);
  buffer.set(bytes, 1);
  return buffer.subarray(1);
}
