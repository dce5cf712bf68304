/** For the tests of files: programs of the system that read and write the same formats, and temporary folders. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

/**
 * Makes a folder that is removed after the test file's last test.
 * @returns {string}
 */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-io-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/**
 * Runs a command. A failure throws all that the command printed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 * @returns {any} what the command printed, as bytes unless `options` name an encoding
 */
export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { maxBuffer: 2 ** 28, ...options });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? `exit status ${status}`}\n${stdout}${stderr}`);
  return stdout;
}

/** A Python that has NumPy; Debian's own where both have it. Undefined where none does. */
export const python = ['/usr/bin/python3', 'python3'].find(
  (command) => spawnSync(command, ['-c', 'import numpy']).status === 0,
);

export const hasProtoc = spawnSync('protoc', ['--version']).status === 0;

/**
 * Declares tests that need a program. Where it is missing, a line says so, and in CI a test fails.
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
 * Copies bytes to an odd offset of a buffer.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function atOddOffset(bytes) {
  const buffer = new Uint8Array(bytes.length + 1);
  buffer.set(bytes, 1);
  return buffer.subarray(1);
}
