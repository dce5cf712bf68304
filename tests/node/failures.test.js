/** A full disk, a process that is killed: what was there stays, and no half file has the final name. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { writeFiles } from 'onnx-layout/node';
import { temporaryFolder } from '../support/programs.js';

const folder = temporaryFolder();
const at = (name) => join(folder, name);

/** A program that writes 64 MB in pieces to a path, and says when it begins. */
const program = `
  import { writeFiles } from 'onnx-layout/node';
  const pieces = async function* () {
    for (let i = 0; i < 64; i++) {
      yield new Uint8Array(1e6).fill(1);
      if (i === 1) process.stdout.write('begun');
      await new Promise((resolve) => setTimeout(resolve, Number(process.env.PAUSE ?? 0)));
    }
  };
  await writeFiles({ [process.env.TARGET]: pieces() }).catch(({ code }) => {
    process.stdout.write(code);
    process.exitCode = 1;
  });`;
const script = ['--input-type=module', '--eval', program];
const root = join(import.meta.dirname, '../..');

test('a process that is killed leaves the final name as it was', async () => {
  writeFileSync(at('killed'), 'old');
  const child = spawn(process.execPath, script, {
    cwd: root,
    env: { ...process.env, TARGET: at('killed'), PAUSE: '50' },
  });
  await new Promise((resolve) => {
    child.stdout.once('data', resolve);
  });
  child.kill('SIGKILL');
  await new Promise((resolve) => {
    child.on('close', resolve);
  });
  expect(readFileSync(at('killed'), 'utf8')).toBe('old');
});

describe('a full disk', () => {
  const small = at('small');
  mkdirSync(small);
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small]).status === 0;

  // Few machines of CI let a process mount.
  if (!isMounted) test.skip('NOT RUN: no right to mount a small disk', () => {});
  else {
    test('leaves what was there, and no other file', () => {
      try {
        const target = join(small, 'full');
        writeFileSync(target, 'old');
        const { status, stdout } = spawnSync(process.execPath, script, {
          cwd: root,
          env: { ...process.env, TARGET: target },
        });
        expect([status, stdout.toString()]).toEqual([1, 'begunENOSPC']);
        expect([readdirSync(small), readFileSync(target, 'utf8')]).toEqual([['full'], 'old']);
      } finally {
        spawnSync('umount', [small]);
      }
    });
  }
});

/** The descriptors of this process, by what they lead to. */
const descriptors = () =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [[readlinkSync(`/proc/self/fd/${fd}`), Number(fd)]];
    } catch {
      return [];
    }
  });

// Linux alone lists the descriptors of a process.
if (existsSync('/proc/self/fd'))
  test.each([['first'], ['second']])('a file whose close fails leaves what was there: the %s of two', async (bad) => {
    const own = at(`close ${bad}`);
    mkdirSync(own);
    const paths = ['first', 'second'].map((name) => join(own, name));
    for (const path of paths) writeFileSync(path, 'old');
    const content = async function* content(path) {
      yield Uint8Array.of(1);
      // Behind the last bytes: the descriptor is closed under the file.
      const isOwn = ([target]) => target.startsWith(`${path}.`);
      if (path.endsWith(bad)) closeSync(descriptors().find(isOwn)[1]);
    };
    const files = () => Object.fromEntries(paths.map((path) => [path, content(path)]));
    await expect(writeFiles(files())).rejects.toMatchObject({ code: 'EBADF' });
    expect(readdirSync(own).sort()).toEqual(['first', 'second']);
    expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(['old', 'old']);
    await writeFiles(Object.fromEntries(paths.map((path) => [path, Uint8Array.of(2)])));
    expect(paths.map((path) => [...readFileSync(path)])).toEqual([[2], [2]]);
  });
