/** Files of 5 GB, made sparse, and the memory that transforms take. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { openWeights } from 'onnx-layout/node';
import { modelOf, weightsModel } from '../support/models.js';
import { temporaryFolder } from '../support/programs.js';
import { hasHoles, sparseSafetensors } from '../support/sparse-files.js';

beforeAll(() => init());

const folder = temporaryFolder();
const at = (name) => join(folder, name);
const { bavail, bsize } = statfsSync(folder);
const free = bavail * bsize;

const sparse = (name, ...content) => sparseSafetensors(at(name), ...content);

if (free < 2e9 || !hasHoles(folder)) test.skip('NOT RUN: no disk with 2 GB free and sparse files', () => {});
else {
  describe('a file of 5 GB', () => {
    const total = 5_000_000_000;
    const first = 4_500_000_000;

    test('a tensor past 4 GiB is read, and its rows', async () => {
      const header = {
        front: { dtype: 'U8', shape: [first], data_offsets: [0, first] },
        back: { dtype: 'F32', shape: [125_000_000 / 1000, 1000], data_offsets: [first, total] },
      };
      const floats = (...values) => Buffer.from(Float32Array.from(values).buffer);
      sparse('five.safetensors', header, total, [
        [first - 1, Buffer.of(7)],
        [first, floats(1, 2)],
        [total - 8, floats(3, 4)],
      ]);
      const { entries, byteLength, close } = await openWeights(at('five.safetensors'));
      expect(byteLength).toBeGreaterThan(total);
      const [front, back] = [entries.get('front'), entries.get('back')];
      expect([...(await front.read({ rows: [first - 2, first] })).data]).toEqual([0, 7]);
      expect([...(await back.read({ rows: [0, 1] })).data.slice(0, 3)]).toEqual([1, 2, 0]);
      expect([...(await back.read({ rows: [124_999, 125_000] })).data.slice(-3)]).toEqual([0, 3, 4]);
      expect((await back.cast('int8').slice([-1], [125_000]).read()).toArray().slice(-2)).toEqual([3, 4]);
      let [sum, rows] = [0, 0];
      for await (const { data, dims } of back.slice([100_000], [125_000]).pieces()) {
        for (const value of data) sum += value;
        rows += dims[0];
      }
      expect([sum, rows]).toEqual([7, 25_000]);
      await close();
      rmSync(at('five.safetensors'));
    });
  });

  // The peak of a process's own memory stands in /proc alone.
  (existsSync('/proc/self/status') ? describe : describe.skip)('memory', () => {
    const [rows, columns] = [8192, 8192];
    const bytes = rows * columns * 4;

    /** The lines that the process prints, and the last bytes that it writes. */
    function done(work, output, input = 'm.safetensors') {
      const script = join(import.meta.dirname, 'large.process.js');
      const { stdout, stderr } = spawnSync(process.execPath, [script, work, at(input), at(output)]);
      expect(stderr.toString()).toBe('');
      const descriptor = openSync(at(output));
      const { size } = statSync(at(output));
      const last = Buffer.alloc(4);
      readSync(descriptor, last, 0, 4, size - 4);
      closeSync(descriptor);
      rmSync(at(output));
      return { ...JSON.parse(stdout), size, last: [...last] };
    }

    beforeAll(() => {
      const header = { w: { dtype: 'F32', shape: [rows, columns], data_offsets: [0, bytes] } };
      const one = Buffer.from(Float32Array.of(1).buffer);
      sparse('m.safetensors', header, bytes, [[bytes - 4, one]]);
    });

    // The file has 268 MB. Beside the pieces, the engine's heap grows by what it likes.
    test.each([
      ['cast', 'cast.safetensors', bytes / 2, [0, 0, 0, 0x3c]],
      ['transpose', 'transpose.npy', bytes + 128, [0, 0, 0x80, 0x3f]],
      ['slice', 'slice.npy', bytes / 2 + 128, [0, 0, 0x80, 0x3f]],
      ['concat', 'concat.npy', 2 * bytes + 128, [0, 0, 0x80, 0x3f]],
    ])('%s of 268 MB takes less than 128 MB', (work, output, size, last) => {
      const result = done(work, output);
      expect(result.last).toEqual(last);
      expect(Math.abs(result.size - size)).toBeLessThan(200);
      expect(result.grown).toBeLessThan(128e6);
    });

    /** A model, and its data as a sparse file with these bytes at these places. */
    function sparseModel(name, bytes, length, marks) {
      writeFileSync(at(`${name}.onnx`), bytes);
      const descriptor = openSync(at(`${name}.data`), 'w');
      ftruncateSync(descriptor, length);
      for (const [place, mark] of marks) writeSync(descriptor, mark, 0, mark.length, place);
      closeSync(descriptor);
    }

    // A matrix of 1.07 GB: its scales have 34 MB, which are too many to keep.
    test('quantizing 1 GB takes less than 128 MB', () => {
      const dims = [4096, 65536];
      const length = dims[0] * dims[1] * 4;
      const weights = { type: 'float32', dims, location: 'q.data', offset: 0, length };
      const one = Buffer.from(Float32Array.of(1).buffer);
      sparseModel('q', weightsModel('MatMul', weights), length, [[length - 4, one]]);
      const result = done('quantize', 'q.out', 'q.onnx');
      // The last scale: -1 / 8.
      expect([result.last, result.size]).toEqual([[0, 0, 0, 0xbe], length / 8 + length / 32]);
      expect(result.grown).toBeLessThan(128e6);
    });

    test('unpacking 268 MB takes less than 128 MB', () => {
      const packed = rows * columns * 0.5;
      const scales = (rows / 32) * columns * 4;
      const outside = { location: 'd.data' };
      const model = modelOf({
        nodes: [
          {
            ...{ operator: 'MatMulNBits', domain: 'com.microsoft', inputs: ['x', 'B', 's'], outputs: ['y'] },
            attributes: { K: rows, N: columns, bits: 4, block_size: 32 },
          },
        ],
        initializers: {
          B: { ...outside, type: 'uint8', dims: [columns, rows / 32, 16], offset: 0, length: packed },
          s: { ...outside, type: 'float32', dims: [columns, rows / 32], offset: packed, length: scales },
        },
      });
      const half = Buffer.from(Float32Array.of(-0.125).buffer);
      sparseModel('d', model, packed + scales, [[packed + scales - 4, half]]);
      const result = done('dequantize', 'd.out', 'd.onnx');
      // The last weight: (0 - 8) * -1 / 8.
      expect([result.last, result.size]).toEqual([[0, 0, 0x80, 0x3f], bytes]);
      expect(result.grown).toBeLessThan(128e6);
    });
  });
}
