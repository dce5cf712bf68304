/** The program as a process: signals while it computes, and standard streams that are full or closed. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, openSync, readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { writeSafetensors } from 'onnx-layout/io';
import { inFolder, program, words } from './streams.js';

const folder = inFolder();

/** Writes a file of a square of zeros of half a byte, which takes no room on the disk. */
function writeSquare(name, extent) {
  const header = JSON.stringify({ w: { dtype: 'F4', shape: [extent, extent], data_offsets: [0, extent ** 2 / 2] } });
  const file = Buffer.alloc(8 + header.length);
  file.writeBigUInt64LE(BigInt(header.length));
  file.write(header, 8);
  writeFileSync(name, file);
  truncateSync(name, file.length + extent ** 2 / 2);
}

const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Waits until a process has a file open; reading it takes less than the pause behind. */
async function untilOpen(pid, name) {
  const links = () =>
    readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return '';
      }
    });
  while (!links().includes(join(folder, name))) await pause(20);
  await pause(500);
}

/** Sends signals to a command while it compares 270 million elements, which takes 10 s. */
async function endedBy(...signals) {
  const child = spawn(process.execPath, [program, ...words('diff square.safetensors other.safetensors')]);
  const ended = new Promise((resolve) => {
    child.on('close', (status, signal) => resolve(signal ?? status));
  });
  await untilOpen(child.pid, 'other.safetensors');
  const start = performance.now();
  for (const signal of signals) child.kill(signal);
  return { status: await ended, isQuick: performance.now() - start < 3000 };
}

// Linux alone lists the descriptors of a process.
if (existsSync('/proc/self/fd'))
  test('a signal ends a command that computes', async () => {
    for (const name of ['square', 'other']) writeSquare(`${name}.safetensors`, 2 ** 14);
    const ends = [endedBy('SIGINT'), endedBy('SIGTERM'), endedBy('SIGHUP')];
    expect(await Promise.all(ends)).toEqual([130, 143, 129].map((status) => ({ status, isQuick: true })));
    // The second signal comes before or after the end. Of two that are pending, the kernel runs the later one's handler
    // first, so either may be the one that ends the command.
    const { status, isQuick } = await endedBy('SIGINT', 'SIGTERM', 'SIGTERM');
    expect([[130, 143, 'SIGTERM'].includes(status), isQuick]).toEqual([true, true]);
  }, 60_000);

const manyNames = () => {
  const empty = Tensor.from('int8', [], [0]);
  const names = Array.from({ length: 20_000 }, (_, i) => [`tensor ${i}`, empty]);
  writeFileSync('names.safetensors', writeSafetensors(new Map(names)));
};

if (existsSync('/dev/full'))
  test('standard output that is full is an error of one line', () => {
    manyNames();
    for (const args of ['inspect names.safetensors', 'convert names.safetensors - --as safetensors']) {
      const stdio = ['ignore', openSync('/dev/full', 'w'), 'pipe'];
      const { status, stderr } = spawnSync(process.execPath, [program, ...words(args)], { stdio });
      expect([status, `${stderr}`]).toEqual([1, 'onnx-layout: standard output: no space left on device\n']);
    }
  });

test('a reader that has seen enough ends the output, and is no error', async () => {
  manyNames();
  for (const args of ['inspect names.safetensors', 'convert names.safetensors - --as safetensors']) {
    const child = spawn(process.execPath, [program, ...words(args)]);
    child.stdout.once('data', () => child.stdout.destroy());
    const errors = [];
    child.stderr.on('data', (data) => errors.push(data));
    const status = await new Promise((resolve) => {
      child.on('close', resolve);
    });
    expect([status, Buffer.concat(errors).toString()]).toEqual([0, '']);
  }
});

test('standard input that stays open does not keep an error waiting', async () => {
  const child = spawn(process.execPath, [program, ...words('features - out.npy --config none.json --stream')]);
  const status = await new Promise((resolve) => {
    child.on('close', resolve);
  });
  child.stdin.destroy();
  expect(status).toBe(1);
  writeFileSync('lasr.json', '{"feature_extractor_type":"LasrFeatureExtractor"}');
  const other = spawn(process.execPath, [program, ...words('features - out.npy --config lasr.json --stream')]);
  other.stdin.write('this is no WAV file');
  const end = await new Promise((resolve) => {
    other.on('close', resolve);
  });
  other.stdin.destroy();
  expect(end).toBe(1);
});

if (existsSync('/bin/sh'))
  test('standard input is left to others by a command that reads none', () => {
    const script = `"$0" "$1" --version > /dev/null; cat`;
    const { stdout } = spawnSync('/bin/sh', ['-c', script, process.execPath, program], { input: 'rest' });
    expect(`${stdout}`).toBe('rest');
  });
