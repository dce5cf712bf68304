/** Paths that are none, and the system's errors: in the package's words, with the code and the cause. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  fileSource,
  openWeights,
  readConfigurationFolder,
  readImage,
  readWav,
  saveOutputs,
  writeFiles,
} from 'onnx-layout/node';
import { temporaryFolder } from '../support/programs.js';

const folder = temporaryFolder();
const shown = (path) => (path.length > 60 ? `'${path.slice(0, 60)}…'` : `'${path}'`);
const batches = () => [{ paths: ['a'], outputs: { pixel_values: null }, failed: [] }];
const readers = { readWav, readImage, fileSource, openWeights, readConfigurationFolder };
const names = { readImage: 'image', openWeights: 'file', readConfigurationFolder: 'folder' };

describe.each(Object.entries(readers))('%s', (name, read) => {
  const argument = names[name] ?? 'path';

  test.each([
    [join(folder, 'none'), 'ENOENT', 'no such file or directory'],
    ['x'.repeat(100_000), 'ENAMETOOLONG', 'name too long'],
  ])('of %#: a path that the system refuses', async (path, code, words) => {
    const error = await read(path).catch((thrown) => thrown);
    const message = `${name}: ${shown(path)} must be accessible, got ${code}: ${words}`;
    expect(error).toMatchObject({ constructor: RangeError, message, code, path });
    expect(error.cause).toMatchObject({ code, syscall: error.syscall });
  });

  test.each([
    ['data', `data:text/plain,${'A'.repeat(100_000)}`],
    ['https', new URL(`https://example.com/${'A'.repeat(100_000)}`)],
    ['blob', 'blob:https://example.com/1'],
  ])('an address of %s is not shown', async (scheme, url) => {
    if (url instanceof URL && ['openWeights', 'readConfigurationFolder'].includes(name)) url = String(url);
    await expect(read(url)).rejects.toThrow(
      new RangeError(`${name}: ${argument} must be that of a file, got a URL of ${scheme}:`),
    );
  });

  test.each([
    ['', "''"],
    ['a\0b', "'a\0b'"],
  ])('%j', async (path, text) => {
    await expect(read(path)).rejects.toThrow(
      new RangeError(`${name}: ${argument} must be that of a file, got ${text}`),
    );
  });
});

test.each([[5], [null], [undefined], [{}]])('readWav(%p) and fileSource: a TypeError', async (path) => {
  const got = path && typeof path === 'object' ? 'an object' : String(path);
  const rule = `path must be a string or a URL, got ${got}`;
  await expect(readWav(path)).rejects.toThrow(new TypeError(`readWav: ${rule}`));
  await expect(fileSource(path)).rejects.toThrow(new TypeError(`fileSource: ${rule}`));
});

test('what writes', async () => {
  const inside = join(folder, 'none/out.npy');
  const error = await writeFiles({ [inside]: Uint8Array.of(1) }).catch((thrown) => thrown);
  expect(error).toMatchObject({ constructor: RangeError, code: 'ENOENT' });
  expect(error.message).toMatch(/^writeFiles: '.+' must be accessible, got ENOENT: no such file or directory$/);
  writeFileSync(join(folder, 'file'), '');
  await expect(writeFiles({ [join(folder, 'file/a')]: Uint8Array.of(1) })).rejects.toMatchObject({ code: 'ENOTDIR' });
  for (const [path, got] of [
    [5, '5'],
    [null, 'null'],
    [{}, 'an object'],
  ])
    await expect(saveOutputs(path, batches())).rejects.toThrow(
      new TypeError(`saveOutputs: path must be a string, got ${got}`),
    );
  for (const [list, got] of [
    [undefined, 'undefined'],
    [5, '5'],
    [{}, 'an object'],
  ])
    await expect(saveOutputs(inside, list)).rejects.toThrow(
      new TypeError(`saveOutputs: batches must be an async iterable, got ${got}`),
    );
});
