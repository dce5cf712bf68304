/**
 * The wrappers of the postprocess module's kernels. With an extent that does not fit each is refused by a RangeError
 * before anything is written, and the next call works; no result has bytes of another call. Calls that fit are made
 * again by a native program, where each piece of memory has exactly the size that JS took. The commit's hash chooses
 * the calls; `npm run fuzz -- extents` makes others for a minute.
 */
import { beforeAll, expect, test } from '@jest/globals';
import * as engine from '../../js/engines/results/index.js';
import { calls, loadRecorded, recordCall, replay, tryMisfits } from '../fuzz/extents.js';
import { root } from '../support/packed.js';
import { commitHash } from '../support/sample.js';

const program = `${root}/build/native/replay_results`;
const names = Object.keys(calls);
const seed = Number.parseInt(commitHash().slice(0, 6), 16);

let kernels;
beforeAll(async () => {
  kernels = await loadRecorded();
});

test.each(names)('%s: extents that do not fit', (name) => {
  expect(tryMisfits(name, seed, 4).faults).toEqual([]);
});

test('the calls are of all wrappers', () => {
  /** Parts of other wrappers, and what calls no kernel. */
  const others = ['init', 'withMemory', 'putOrder', 'putSorted', 'suppressionBytes'];
  const wrappers = Object.entries(engine).filter(([, value]) => value instanceof Function && value !== engine.Planes);
  const missing = wrappers.map(([name]) => name).filter((name) => !names.includes(name));
  expect(missing.sort()).toEqual(others.sort());
});

test('calls that fit stay within their memory', () => {
  const linesOf = (round) => names.flatMap((name) => recordCall(name, seed + round).lines);
  const kernelOf = (line) => line.slice(0, line.indexOf(' '));
  const uncalled = new Set(kernels);
  const lines = [];
  // Some kernels serve few of the calls that are drawn, such as those of rotated boxes: they get more rounds than six.
  for (let round = 0; round < 6 || (round < 100 && uncalled.size > 0); round++)
    for (const line of linesOf(round)) {
      lines.push(line);
      uncalled.delete(kernelOf(line));
    }
  expect(replay(program, lines)).toBe('');
  expect([...uncalled]).toEqual([]);
});

test('a read of one byte beyond a piece is seen', () => {
  const [line] = recordCall('narrow', 1).lines;
  const shorter = line.replace(/ 12 ([\da-f]+)..\.$/, ' 11 $1.');
  expect(shorter).not.toBe(line);
  expect(replay(program, [shorter])).toMatch('heap-buffer-overflow');
});
