/** For tests of files: other programs that read and write the same formats, and a temporary folder. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

/**
 * A folder for one test file, which is removed after its tests.
 * @returns {string}
 */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-io-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/**
 * Runs a command.
 * @param {string} command
 * @param {string[]} args
 * @param {object} [options] of `spawnSync`
 * @returns {any} what it prints, as bytes unless options give an encoding
 * @throws {Error} all that it prints, if it fails
 */
export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { maxBuffer: 2 ** 28, ...options });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? `exit status ${status}`}\n${stdout}${stderr}`);
  return stdout;
}

/** A Python that has NumPy, Debian's own if that has it; undefined if none has. */
export const python = ['/usr/bin/python3', 'python3'].find(
  (command) => spawnSync(command, ['-c', 'import numpy']).status === 0,
);

export const hasProtoc = spawnSync('protoc', ['--version']).status === 0;

/**
 * Defines tests that need a program. Without it, they are skipped with a line that says so, or fail where tests have to
 * be complete.
 * @param {unknown} present
 * @param {string} program
 * @param {() => void} tests
 */
export function where(present, program, tests) {
  if (present) tests();
  else if (process.env.CI) test(`${program} is there`, () => expect(program).toBe('installed'));
  else test.skip(`NOT RUN: ${program} is not installed`, () => {});
}

/**
 * A copy of bytes that begins at an odd offset of its buffer.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function atOddOffset(bytes) {
  const buffer = new Uint8Array(bytes.length + 1);
  buffer.set(bytes, 1);
  return buffer.subarray(1);
}
