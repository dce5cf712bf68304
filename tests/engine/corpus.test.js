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
  quantize(block, [to, count, ...grid], source, destination) {
    layout.quantize(to, count, ...grid, source, ...scalesOf(block), destination);
  },
  dequantize(block, [from, to, count, ...grid], source, destination) {
    layout.dequantize(from, to, count, ...grid, source, ...scalesOf(block), destination);
  },
  columns(block, [bits, lowest, zero, rounded, rows, columns, stride, block_size], source, destination) {
    const flags = block.map(Boolean);
    const count = Math.ceil(rows / block_size) * columns;
    const places = [destination, destination + 4 * count, destination + 5 * count];
    const matrix = [rows, columns, stride, block_size];
    layout.quantizeColumns(bits, ...flags, lowest, zero, rounded, ...matrix, source, ...places);
  },
  resizeDown(block, [row, rows, base, rowBytes, gap, destinationGap], source, destination) {
    const { table } = makeTaps(block);
    const [stride, destinationStride] = [rowBytes + gap, rowBytes + destinationGap];
    layout.resizeDown(table, row, rows, base, source, stride, rowBytes, destination, destinationStride);
  },
  resizeAcross(block, [base, extent, channels, gap, rows, destinationGap, moreTile], source, destination) {
    const { table, taps, count, free } = makeTaps(block);
    const bytes = layout.acrossTileBytes(taps, channels) + moreTile;
    const [stride, destinationStride] = [extent * channels + gap, count * channels + destinationGap];
    layout.resizeAcross(
      table,
      base,
      extent,
      channels,
      source,
      stride,
      rows,
      destination,
      destinationStride,
      free,
      bytes,
    );
  },
  changeAlpha(block, [change, channels, count], source, destination) {
    layout.changeAlpha(change, channels, destination, count);
  },
  reduce(block, [width, height, row, channels, isFloat, rows, chunk], source, destination) {
    const stride = row * channels * (isFloat ? 4 : 1);
    const cells = [width, row, channels, isFloat === 1];
    const sums = tableAt();
    scratch.fill(0, sums - scratch.byteOffset, sums - scratch.byteOffset + 8 * row * channels);
    for (let top = 0; top < rows; top += height) {
      const high = Math.min(height, rows - top);
      for (let done = 0; done < high; done += chunk) {
        const from = source + (top + done) * stride;
        layout.addRows(...cells, high, height, from, stride, Math.min(chunk, high - done), sums);
      }
      const to = destination + (top / height) * Math.ceil(row / width) * channels * (isFloat ? 4 : 1);
      layout.finishCells(...cells, false, high, height, sums, to);
    }
  },
  opencv(block, [column, columns, row, rows, base, top, extent, height, stride, whole], source, destination) {
    const [rule, channels, width, toWidth, factorX, all, toHeight, factorY] = block;
    const [across, down] = [
      [rule, width, toWidth, factorX],
      [rule, all, toHeight, factorY],
    ];
    const first = tableAt();
    const second = first + Math.ceil(layout.openCvTableBytes(...across, columns) / 16) * 16;
    const tile = second + Math.ceil(layout.openCvTableBytes(...down, rows) / 16) * 16;
    const sums = tile + layout.openCvTileBytes(extent, channels);
    const [numbers, sumStride] = [columns * channels, 4 * columns * channels + 16];
    layout.makeOpenCvTaps(...across, true, column, columns, first);
    layout.makeOpenCvTaps(...down, false, row, rows, second);
    layout.openCvAcross(rule, first, base, extent, channels, source, stride, height, sums, sumStride, tile);
    layout.openCvDown(rule, second, 0, rows, top, sums, sumStride, numbers, whole, destination, numbers);
  },
};

/** The address of a quarter of the scratch area, for tables, sums and tiles. */
const tableAt = () => scratch.byteOffset + (scratch.length / 4) * 3;

/** Writes scales and, behind them, zero points. */
function scalesOf(block) {
  const at = tableAt();
  new Float32Array(scratch.buffer, at, block.length).set(block);
  return [at, at + 2 * block.length];
}

/** Makes the table of some pixels of an axis. `taps` is the most that a pixel has; `free` is where memory is free. */
function makeTaps([filter, sums, extent, from, to, size, first, count]) {
  const table = tableAt();
  layout.makeTaps(filter, sums, extent, from, to, size, first, count, -1, table);
  const taps = layout.mostTaps(filter, extent, from, to, size);
  const bytes = layout.tableBytes(filter, extent, from, to, size, count);
  return { table, taps, count, free: table + Math.ceil(bytes / 16) * 16 };
}

/** Bytes on each side of the result. */
const margin = 64;
const untouched = Buffer.alloc(margin, 0xa5);

describe.each(['transpose', 'copy_rows', 'convert', 'pixels', 'quantize', 'resize', 'opencv'])('%s', (target) => {
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
