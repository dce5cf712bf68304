/**
 * The fuzzers' corpora (tests/fuzz/corpus) through the wasm module. A native replay of a corpus prints its calls with
 * their bytes, after loops over single bits and exact arithmetic agreed with them. The module must give the same bytes,
 * and leave those around the result alone.
 */
import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as images from '../../dist/bridge/images.js';
import { writeQuantization, writeQuantizedColumns } from '../../dist/bridge/tensors.js';
import { ready } from '../../js/engines/images/load.js';
import { ready as readyLayout } from '../../js/engines/tensors/load.js';
import { callBlock } from '../../js/engines/images/module.js';
import { storeNumbers } from '../../js/engines/memory/index.js';
import { root } from '../support/packed.js';

let layout;
let pictures;
let scratch;

beforeAll(() => {
  pictures = ready();
  layout = readyLayout();
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
    const call = callBlock;
    call.set([to, sourceChannels, channels, planeBytes, source, destination, count]);
    const [first, words] = [images.pixelNumbersChannels, images.channelWords];
    new Float32Array(call.buffer, call.byteOffset + 4 * first).set(block);
    for (let at = 0; at < words * channels; at += words) call[first + at + images.channelSource] = block[at];
    pictures.pixels(1);
  },
  quantize(block, numbers, source, destination) {
    writeScaled(block, [0, ...numbers], source, destination);
    layout.quantize();
  },
  dequantize(block, numbers, source, destination) {
    writeScaled(block, numbers, source, destination);
    layout.dequantize();
  },
  columns(
    [symmetric, after, joined, measured],
    [bits, lowest, zero, rounded, rows, columns, stride, block],
    source,
    destination,
  ) {
    const count = Math.ceil(rows / block) * columns;
    writeQuantizedColumns(layout.call(), {
      rule: { bits, symmetric, after, joined, measured, lowest, zero, rounded },
      matrix: { src: source, rows, columns, stride, block },
      scales: destination,
      zeros: destination + 4 * count,
      codes: destination + 5 * count,
    });
    layout.quantizeColumns();
  },
  resize(block, [width], source, destination, bytes) {
    const [picture, other] = [scratch.slice(source - scratch.byteOffset), scratch.slice()];
    const result = new Uint8Array(bytes);
    storeNumbers(new DataView(scratch.buffer, scratch.byteOffset), images.ResizeRequest.runs, block);
    pictures.planResize();
    const step = new Int32Array(scratch.buffer, scratch.byteOffset);
    const [channels, wide] = [block[1], block[13]];
    while (pictures.resizeStep() === 1) {
      const [at, row, rows, column, columns, first, count, runs] = step;
      for (let i = 0; i < rows; i++) {
        const from = at + i * columns * channels;
        result.set(scratch.subarray(from, from + columns * channels), ((row + i) * wide + column) * channels);
      }
      for (let run = 8; run < 8 + 3 * runs; run += 3)
        for (let i = 0; i < step[run + 2]; i++) {
          const from = ((step[run + 1] + i) * width + first) * channels;
          scratch.set(picture.subarray(from, from + count * channels), step[run] + i * count * channels);
        }
    }
    scratch.set(other);
    scratch.set(result, destination - scratch.byteOffset);
  },
};

/** The address of a quarter of the scratch area, for scales. */
const tableAt = () => scratch.byteOffset + (scratch.length / 4) * 3;

/** Writes the struct of a quantization, and its scales. */
function writeScaled(table, [from, to, count, width, rows, block, row, column], source, destination) {
  const [scales, zeros] = scalesOf(table);
  const grid = { width, rows, block, row, column };
  writeQuantization(layout.call(), { from, to, count, grid, src: source, scales, zeros, dst: destination });
}

/** Writes scales and, behind them, zero points. */
function scalesOf(block) {
  const at = tableAt();
  new Float32Array(scratch.buffer, at, block.length).set(block);
  return [at, at + 2 * block.length];
}

/** Bytes on each side of the result. */
const margin = 64;
const untouched = Buffer.alloc(margin, 0xa5);

describe.each(['transpose', 'copy_rows', 'convert', 'pixels', 'quantize', 'plan'])('%s', (target) => {
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
      const bytes = after.length / 2;
      // Cases take all alignments in turn.
      const sourceAt = i % 16;
      const destinationAt = scratch.length / 2 + (i % 7);
      scratch.set(Buffer.from(src, 'hex'), sourceAt);
      scratch.set(Buffer.concat([untouched, Buffer.from(before, 'hex'), untouched]), destinationAt - margin);
      calls[call](block, list, scratch.byteOffset + sourceAt, scratch.byteOffset + destinationAt, bytes);
      const expected = Buffer.concat([untouched, Buffer.from(after, 'hex'), untouched]);
      return (
        !expected.equals(scratch.subarray(destinationAt - margin, destinationAt + bytes + margin)) ||
        !Buffer.from(src, 'hex').equals(scratch.subarray(sourceAt, sourceAt + src.length / 2))
      );
    });
    expect(differing.map(({ call, block, arguments: list }) => ({ call, block, list }))).toEqual([]);
  });
});
