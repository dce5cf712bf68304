/**
 * The fuzzers' corpora (tests/fuzz/corpus) through the wasm module. A native replay of a corpus prints its calls with
 * their bytes, after loops over single bits and exact arithmetic agreed with them. The module must give the same bytes,
 * and leave those around the result alone.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import load from '../../dist/layout.mjs';
import { root } from '../support/packed.js';

let layout;
let scratch;

beforeAll(async () => {
  layout = await load({
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(readFileSync(new URL('../../dist/layout.wasm', import.meta.url)), imports).then(
        ({ instance }) => done(instance),
      );
      return {};
    },
  });
  scratch = layout.scratch();
});

/**
 * Makes a call, with its memories at these addresses. A transpose's bits are where the element at index 0 begins: with
 * negative strides it lies inside its memory.
 */
const calls = {
  transpose(block, [bits, rank, sourceBit, destinationBit], source, destination) {
    layout.axes().set(block);
    layout.plan(0, bits, rank, (sourceBit | destinationBit) % 8 === 0);
    layout.move(0, 8 * source + sourceBit, 8 * destination + destinationBit);
  },
  convert(block, [from, to, count, flags], source, destination) {
    layout.convert(from, to, source, destination, count, flags);
  },
  pixels(block, [to, sourceChannels, channels, planeBytes, count], source, destination) {
    layout.channels().set(block);
    layout.pixels(to, sourceChannels, channels, planeBytes, source, destination, count);
  },
};

/** Bytes on each side of the result. */
const margin = 64;
const untouched = Buffer.alloc(margin, 0xa5);

describe.each(['transpose', 'copy_rows', 'convert', 'pixels'])('%s', (target) => {
  const replay = () =>
    execFileSync(`${root}/build/native/replay_${target}`, [`${root}/tests/fuzz/corpus/${target}.txt`], {
      encoding: 'utf8',
      maxBuffer: Infinity,
    });

  test('the wasm gives the bytes of the native replay', () => {
    const cases = replay()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(cases.length).toBeGreaterThan(30);
    const differing = cases.filter(({ call, block, arguments: list, src, before, after }, i) => {
      // Cases take all alignments in turn.
      const sourceAt = i % 16;
      const destinationAt = scratch.length / 2 + (i % 7);
      scratch.set(Buffer.from(src, 'hex'), sourceAt);
      scratch.set(Buffer.concat([untouched, Buffer.from(before, 'hex'), untouched]), destinationAt - margin);
      calls[call](block, list, scratch.byteOffset + sourceAt, scratch.byteOffset + destinationAt);
      const bytes = after.length / 2;
      const expected = Buffer.concat([untouched, Buffer.from(after, 'hex'), untouched]);
      return (
        !expected.equals(scratch.subarray(destinationAt - margin, destinationAt + bytes + margin)) ||
        !Buffer.from(src, 'hex').equals(scratch.subarray(sourceAt, sourceAt + src.length / 2))
      );
    });
    expect(differing.map(({ call, block, arguments: list }) => ({ call, block, list }))).toEqual([]);
  });
});
