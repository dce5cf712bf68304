/** The modules of the page that need no DOM. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dtypes, init, resize, Tensor } from 'onnx-layout';
import { imageProcessor } from 'onnx-layout/processors';
import {
  bytesOfCodes,
  codeField,
  codesOfBytes,
  dataOfCodes,
  fieldsOf,
  formulaOf,
  groupOf,
  hex,
  kindOf,
  packingOf,
  readValue,
  rolesOf,
} from '../../web/dtype/bits.js';
import { codeFor } from '../../web/image/code.js';
import { differenceOf } from '../../web/image/difference.js';
import { latestOnly } from '../../web/image/latest.js';
import { channelIndices, greyPlane, thinned } from '../../web/image/planes.js';
import { allFilters, backends, libraries, pythonOf, resizingOf } from '../../web/image/resizing.js';
import { indexOf, moved, permFor, readLengths, readNumbers } from '../../web/lens/layout.js';
import { codeFor as codeForProcessor, configs, textOf } from '../../web/processor/files.js';
import { flag, oneOf, readState, text, whole, wholes, writeState } from '../../web/state.js';
import { engineOf } from '../../web/throughput/engine.js';
import { loopsFor } from '../../web/throughput/loops.js';
import { pictureLoops } from '../../web/throughput/picture-loops.js';
import { resizeLoops } from '../../web/throughput/resize-loops.js';
import { quantile, short, showBytes, summarize } from '../../web/throughput/statistics.js';
import { bytesMoved, describe as describeWorkload, sizeOf, workloads } from '../../web/throughput/workloads.js';
import { presets, tensorOf } from '../image/image.reference.js';
import { pillowResize } from '../image/pillow-resize.reference.js';
import { transposed } from '../support/reference.js';

describe('the state in the address', () => {
  const fields = {
    layout: oneOf('NCHW', ['NCHW', 'NHWC']),
    width: whole(224, 1, 4096),
    keepdims: flag(true),
    shape: text('0, -1', 10),
    dims: wholes([2, 3], 3, 0, 9),
    code: codeField,
  };
  const initial = { layout: 'NCHW', width: 224, keepdims: true, shape: '0, -1', dims: [2, 3], code: undefined };

  test('is as at first where the address says nothing', () => {
    const state = readState(fields, new URLSearchParams(''));
    expect(state).toEqual(initial);
    expect(state.dims).not.toBe(fields.dims.initial);
    expect(writeState(fields, state, 'lens')).toBe('?panel=lens');
  });

  test('comes back from the address that it wrote', () => {
    const state = { layout: 'NHWC', width: 1, keepdims: false, shape: 'a b&c=d,e', dims: [], code: 0x3fn };
    const query = writeState(fields, state, 'lens');
    expect(query).toBe('?panel=lens&layout=NHWC&width=1&keepdims=0&shape=a+b%26c%3Dd,e&dims=&code=3f');
    expect(readState(fields, new URLSearchParams(query))).toEqual(state);
  });

  test.each([
    'layout=HWC',
    'width=0',
    'width=4097',
    'width=1.5',
    'width=1e2',
    'width=',
    'keepdims=2',
    'shape=01234567890',
    'dims=1,2,3,4',
    'dims=1,,2',
    'dims=10',
    'code=g',
    'code=-1',
  ])('ignores %s', (query) => expect(readState(fields, new URLSearchParams(query))).toEqual(initial));
});

describe('image processors', () => {
  beforeAll(() => init());
  const image = { data: new Uint8Array(640 * 480 * 3), width: 640, height: 480, channels: 3 };

  test.each(Object.keys(configs))('the sample %s is a configuration, of which all keys are read', (name) => {
    const processor = imageProcessor(textOf(name));
    expect(processor.ignored).toEqual([]);
    expect(processor(image).pixel_values.type).toBe('float32');
  });

  test('the code names all outputs', () =>
    expect(
      codeForProcessor('pil', {
        pixel_values: { type: 'float32', dims: [1, 3, 2, 2] },
        pixel_mask: { type: 'int64', dims: [1, 2, 2] },
      }).split('\n'),
    ).toEqual(
      expect.arrayContaining([
        "const processor = imageProcessorAsync(config, { backend: 'pil' });",
        'const { pixel_values, pixel_mask } = await processor(file);',
        '// pixel_values: float32 [1, 3, 2, 2]',
        '// pixel_mask: int64 [1, 2, 2]',
      ]),
    ));
});

describe('the code for an image', () => {
  // The program's own words, run with stand-ins for the package and the file.
  async function run(source) {
    const calls = [];
    const body = source.replace(/^import .*\n/, '').replace('const tensor =', 'return');
    const AsyncFunction = (async () => {}).constructor;
    await new AsyncFunction('imageToTensorAsync', 'init', 'file', body)(
      async (...given) => calls.push(given),
      async () => calls.push('init'),
      'the file',
    );
    return calls;
  }

  test('makes the call that is shown', async () => {
    const options = {
      width: 224,
      height: 128,
      fit: 'cover',
      backend: 'torchvision',
      filter: 'bicubic',
      layout: 'NCHW',
      channels: 'BGR',
      type: 'float16',
      preset: 'imagenet',
    };
    expect(await run(codeFor(options, [1, 3, 128, 224]))).toEqual(['init', ['the file', options]]);
  });

  test('writes a letterbox', async () => {
    const letterbox = { width: 640, height: 480, filter: 'linear' };
    const options = { letterbox, layout: 'NCHW', channels: 'RGB', type: 'float32', preset: 'yolo' };
    const source = codeFor(options, [1, 3, 480, 640]);
    expect(source).toContain("\n  letterbox: { width: 640, height: 480, filter: 'linear' },\n");
    expect(await run(source)).toEqual(['init', ['the file', options]]);
  });

  test('leaves out what is not asked for', async () => {
    const options = {
      width: 1,
      height: 1,
      fit: 'fill',
      filter: 'canvas',
      layout: 'HWC',
      channels: 'L',
      type: 'uint8',
      preset: undefined,
    };
    const source = codeFor(options, [1, 1, 1]);
    expect(source).toBe(`import { imageToTensorAsync, init } from 'onnx-layout';

await init();
// file: a File or Blob, an <img>, <canvas> or <video>
const tensor = await imageToTensorAsync(file, {
  width: 1, height: 1, fit: 'fill',
  filter: 'canvas',
  layout: 'HWC', channels: 'L', type: 'uint8',
});
// uint8 [1, 1, 1], for a session:
// new ort.Tensor(tensor.type, tensor.data, tensor.dims)
`);
    expect(await run(source)).toEqual([
      'init',
      ['the file', { width: 1, height: 1, fit: 'fill', filter: 'canvas', layout: 'HWC', channels: 'L', type: 'uint8' }],
    ]);
  });
});

test('pictures and channel planes are thinned out evenly', () => {
  const image = { data: Uint8ClampedArray.from({ length: 5 * 3 * 4 }, (_, i) => i), width: 5, height: 3 };
  expect(thinned(image, 5)).toEqual(image);
  expect(thinned(image, 3)).toEqual({
    width: 3,
    height: 2,
    data: Uint8ClampedArray.from([0, 8, 16, 40, 48, 56].flatMap((first) => [0, 1, 2, 3].map((i) => first + i))),
  });
  expect(greyPlane(image, 1, 5).data.filter((_, i) => i % 4 === 0)).toEqual(image.data.filter((_, i) => i % 4 === 1));
  expect(greyPlane(image, 2, 3)).toEqual({
    width: 3,
    height: 2,
    data: Uint8ClampedArray.from([2, 10, 18, 42, 50, 58].flatMap((grey) => [grey, grey, grey, 255])),
  });
  expect(['RGB', 'BGR', 'RGBA', 'L'].map(channelIndices)).toEqual([[0, 1, 2], [2, 1, 0], [0, 1, 2, 3], [0]]);
});

describe('resizing', () => {
  beforeAll(() => init());

  test.each(Object.entries(libraries))(
    'like %s has the filters that the package has',
    (backend, { filters, usual }) => {
      const image = { data: Uint8Array.from({ length: 48 }, (_, i) => (i * 83) % 256), width: 4, height: 4 };
      const call = (filter) => resize(image, { width: 2, height: 3, backend, filter });
      for (const filter of filters) expect(call(filter).data.length).toBe(18);
      expect(() => call(allFilters.find((filter) => !filters.includes(filter)))).toThrow(
        `filter of backend '${backend}' must be one of ${filters.join(', ')}, got`,
      );
      expect(call(usual)).toEqual(call(undefined));
    },
  );

  test('takes the usual filter where the library lacks the one that was chosen', () => {
    expect(
      backends.flatMap((backend) =>
        ['box', 'bicubic', 'nearest_exact'].map((filter) => pythonOf({ backend, filter, fit: 'fill' })),
      ),
    ).toEqual([
      { backend: 'pil', filter: 'box' },
      { backend: 'pil', filter: 'bicubic' },
      { backend: 'pil', filter: 'bicubic' },
      { backend: 'torchvision', filter: 'bilinear' },
      { backend: 'torchvision', filter: 'bicubic' },
      { backend: 'torchvision', filter: 'nearest_exact' },
      { backend: 'opencv', filter: 'linear' },
      { backend: 'opencv', filter: 'linear' },
      { backend: 'opencv', filter: 'nearest_exact' },
      { backend: 'pil', filter: 'bicubic' },
      { backend: 'pil', filter: 'bicubic' },
      { backend: 'pil', filter: 'bicubic' },
    ]);
    const size = { width: 5, height: 3 };
    const fill = { ...size, fit: 'fill' };
    expect(resizingOf({ ...fill, backend: 'canvas', filter: 'box' })).toEqual({ ...fill, filter: 'canvas' });
    expect(resizingOf({ ...fill, backend: 'pil', filter: 'box' })).toEqual({ ...fill, backend: 'pil', filter: 'box' });
  });

  test.each(backends)('a letterbox has the filters of OpenCV, whatever the backend: %s', (backend) => {
    const state = { width: 5, height: 3, fit: 'letterbox', backend };
    expect(pythonOf({ ...state, filter: 'area' })).toEqual({ backend: 'opencv', filter: 'area' });
    expect(resizingOf({ ...state, filter: 'bicubic' })).toEqual({
      letterbox: { width: 5, height: 3, filter: 'linear' },
    });
  });

  describe('in two ways gives pictures that are apart', () => {
    const picture = (...bytes) => ({ data: Uint8ClampedArray.from(bytes), width: bytes.length / 4, height: 1 });
    const [a, b] = [picture(10, 20, 30, 255, 0, 0, 0, 100), picture(7, 20, 50, 255, 1, 0, 0, 90)];

    test('by their colours', () =>
      expect(differenceOf(a, b, 3)).toEqual({
        greatest: 20,
        mean: 24 / 6,
        factor: 8,
        picture: picture(24, 0, 160, 255, 8, 0, 0, 255),
      }));

    test('by their alpha, which is grey', () =>
      expect(differenceOf(a, b, 4)).toEqual({
        greatest: 20,
        mean: 34 / 8,
        factor: 8,
        picture: picture(24, 0, 160, 255, 80, 80, 80, 255),
      }));

    test('not at all', () =>
      expect(differenceOf(a, a, 4)).toEqual({
        greatest: 0,
        mean: 0,
        factor: 128,
        picture: picture(0, 0, 0, 255, 0, 0, 0, 255),
      }));

    test('and a hundredth of the distances is cut off', () => {
      const apart = (distance) => picture(...Array(100).fill([1, 1, 1, 255]).flat(), ...distance, 255);
      const zero = picture(...Array(101).fill([0, 0, 0, 255]).flat());
      const few = differenceOf(apart([200, 200, 200]), zero, 3);
      expect([few.greatest, few.mean, few.factor]).toEqual([200, 900 / 303, 128]);
      expect(few.picture.data.slice(-8)).toEqual(Uint8ClampedArray.of(128, 128, 128, 255, 255, 255, 255, 255));
    });
  });
});

test('of requests that come during work, the last one is done', async () => {
  const done = [];
  let wanted = 'first';
  const work = latestOnly(async () => {
    const mine = wanted;
    await null;
    done.push(mine);
  });
  const first = work();
  for (wanted of ['second', 'third']) work();
  await first;
  expect(done).toEqual(['first', 'third']);
  wanted = 'fourth';
  await work();
  expect(done).toEqual(['first', 'third', 'fourth']);
});

describe('the loops that ours is measured against', () => {
  test.each([
    [
      [6, 5, 3],
      [2, 0, 1],
    ],
    [
      [2, 4, 5, 3],
      [0, 3, 1, 2],
    ],
    [
      [1, 7, 3, 5],
      [0, 2, 3, 1],
    ],
    [
      [1, 5, 3, 4],
      [0, 2, 1, 3],
    ],
    [
      [37, 18],
      [1, 0],
    ],
    [
      [3, 4, 5, 6],
      [3, 2, 1, 0],
    ],
  ])('all give the transpose of %j by %j', (dims, perm) => {
    const source = Float32Array.from({ length: sizeOf(dims) }, (_, i) => i);
    const target = new Float32Array(source.length);
    const loops = loopsFor({ type: 'float32', dims, perm }, source, target);
    expect(loops.length).toBe(dims.at(-1) === 3 && dims.length > 2 ? 3 : 2);
    for (const loop of loops) {
      target.fill(-1);
      loop();
      expect([...target]).toEqual(transposed([...source], dims, perm));
    }
  });

  test('all make the tensor of a picture', () => {
    const data = Uint8Array.from({ length: 4 * 256 }, (_, i) => (i >> 2) * (2 * (i & 3) + 1));
    const expected = tensorOf([{ data, width: 64, height: 4, channels: 4 }], presets.imagenet);
    const target = new Float32Array(3 * 256);
    const loops = pictureLoops(data, target);
    expect(loops.length).toBe(2);
    for (const loop of loops) {
      target.fill(-1);
      loop();
      expect(target).toEqual(expected.data);
    }
  });

  test.each([
    [
      [9, 11],
      [4, 5],
    ],
    [
      [7, 5],
      [13, 6],
    ],
    [
      [6, 40],
      [2, 3],
    ],
  ])('all resize pixels of %j to %j as Pillow does', (dims, size) => {
    const [height, width] = dims;
    const data = Uint8Array.from({ length: 3 * height * width }, (_, i) => (i % 7 ? (i * i * 83) % 256 : 255));
    const expected = pillowResize({ data, width, height, channels: 3 }, size[1], size[0], {
      filter: 'bicubic',
      premultiply: false,
    });
    const target = new Uint8Array(3 * sizeOf(size));
    const loops = resizeLoops({ type: 'uint8', dims: [...dims, 3], size }, data, target);
    expect(loops.length).toBe(2);
    for (const loop of loops) {
      target.fill(1);
      loop();
      expect(target).toEqual(expected.data);
    }
  });

  test('know the bytes that a workload moves', () => {
    expect(bytesMoved(workloads.resize)).toBe(3 * 1080 * 1920 + 3 * 224 * 224);
    expect(describeWorkload(workloads.resize)).toBe(
      'Photograph resized: 1920 × 1080 to 224 × 224, RGB, Pillow’s bicubic',
    );
    expect(bytesMoved(workloads.picture)).toBe(1080 * 1920 * (4 + 3 * 4));
    expect(describeWorkload(workloads.picture)).toBe('Picture to tensor: 1920 × 1080, RGBA to float32, ImageNet');
    expect(bytesMoved(workloads.photo)).toBe(2 * 1080 * 1920 * 3);
    expect(bytesMoved(workloads.matrix)).toBe(2 * 4 * 2048 ** 2);
    expect(describeWorkload(workloads.photo)).toBe('Photograph, HWC to CHW: uint8 [1080, 1920, 3], perm 2, 0, 1');
  });
});

test('samples are summed up by their median and 95th percentile', () => {
  const samples = Array.from({ length: 20 }, (_, i) => 20 - i);
  expect([quantile(samples, 0.5), quantile(samples, 0.95), quantile(samples, 1), quantile([3], 0.5)]).toEqual([
    10, 19, 20, 3,
  ]);
  expect(summarize(samples, 5e6)).toEqual({ median: 10, p95: 19, gigabytes: 0.5, count: 20 });
  expect([0.012345, 1, 123456].map(short)).toEqual(['0.0123', '1', '123,000']);
  expect([0, 999, 1000, 14239897, 3.2e12].map(showBytes)).toEqual(['0 B', '999 B', '1 kB', '14.2 MB', '3,200 GB']);
});

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    'Chromium 140 (V8)',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
      'Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge 140 (V8)',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140 (SpiderMonkey)'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/18.5 Safari/605.1.15',
    'Safari 18.5 (JavaScriptCore)',
  ],
  ['something else', 'something else'],
])('engine of %s', (userAgent, engine) => expect(engineOf(userAgent)).toBe(engine));

test('elements, axes and what is written of them', () => {
  expect(Array.from({ length: 6 }, (_, i) => indexOf(i, [2, 3]))).toEqual([
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
    [1, 1],
    [1, 2],
  ]);
  expect([moved([0, 1, 2], 0, 2), moved([0, 1, 2], 2, 0), moved([0, 1, 2], 1, 1)]).toEqual([
    [1, 2, 0],
    [2, 0, 1],
    [0, 1, 2],
  ]);
  expect([permFor([1, 0], 2), permFor([1, 0], 3), permFor([0, 0], 2), permFor([0, 2], 2)]).toEqual([
    [1, 0],
    [2, 1, 0],
    [1, 0],
    [1, 0],
  ]);
  expect(
    ['', ' 2, -1', '[2 3]', '2', '1.5', 'x', '9223372036854775808'].map((written) => readNumbers(written)),
  ).toEqual([[], [2, -1], [2, 3], [2], [1.5], [NaN], [2n ** 63n]]);
  expect(['', '3', '[3]', '3,', '1, 2'].map((written) => readNumbers(written, true))).toEqual([
    undefined,
    3,
    [3],
    [3],
    [1, 2],
  ]);
});

test('lengths are read by their names', () =>
  expect(['', ' h=2', 'h=2, w=-3', 'h', 'h=x'].map((written) => readLengths(written))).toEqual([
    {},
    { h: 2 },
    { h: 2, w: -3 },
    { h: NaN },
    { h: NaN },
  ]));

describe('bits', () => {
  const numeric = Object.values(dtypes).filter(({ bits }) => bits > 0);

  test.each(numeric.map((dtype) => [dtype.name, dtype]))(
    'of %s each have a role, and codes come back from bytes',
    (name, dtype) => {
      const roles = rolesOf(dtype, dtypes);
      expect(roles.length).toBe(dtype.bits);
      const codes = [
        1n,
        BigInt.asUintN(dtype.bits, 0x123456789abcdef0fedcba9876543211n),
        BigInt.asUintN(dtype.bits, -1n),
      ];
      const bytes = bytesOfCodes(codes, dtype.bits);
      expect(bytes.length).toBe(Math.ceil((3 * dtype.bits) / 8));
      expect(codesOfBytes(bytes, dtype.bits, 3)).toEqual(codes);
      expect(new Tensor(name, dataOfCodes(dtype, codes), [3]).size).toBe(3);
    },
  );

  test('have the roles of their format', () => {
    const show = (name) =>
      rolesOf(dtypes[name], dtypes)
        .map(([letter]) => letter)
        .join('');
    expect(
      Object.fromEntries(
        ['float8e4m3fn', 'bfloat16', 'float8e8m0', 'float6e2m3', 'float6e3m2', 'int4', 'uint2', 'bool'].map((name) => [
          name,
          show(name),
        ]),
      ),
    ).toEqual({
      float8e4m3fn: 'seeeemmm',
      bfloat16: 'seeeeeeeemmmmmmm',
      float8e8m0: 'eeeeeeee',
      float6e2m3: 'seemmm',
      float6e3m2: 'seeemm',
      int4: 'svvv',
      uint2: 'vv',
      bool: 'vvvvvvvv',
    });
    expect(show('complex64')).toBe(show('float32').repeat(2));
  });

  test('fill bytes together in packed types', () => {
    expect([2, 4, 6].map(packingOf)).toEqual(['4 elements a byte', '2 elements a byte', '4 elements in 3 bytes']);
  });

  test('put each type into one of five groups', () => {
    const names = (title) =>
      Object.values(dtypes)
        .filter((dtype) => groupOf(dtype) === title)
        .map(({ name }) => name);
    expect(names('Packed')).toEqual(['uint4', 'int4', 'float4e2m1', 'uint2', 'int2', 'float6e2m3', 'float6e3m2']);
    expect(names('8-bit floats').length).toBe(5);
    expect(names('Others')).toEqual(['string', 'bool', 'complex64', 'complex128']);
    expect(['Floats', '8-bit floats', 'Packed', 'Integers', 'Others'].flatMap(names).sort()).toEqual(
      Object.keys(dtypes).sort(),
    );
  });

  test('pack as ONNX has it, the tail zero', () => {
    expect(bytesOfCodes([1n, 2n, 3n], 4)).toEqual(Uint8Array.of(0x21, 0x03));
    expect(bytesOfCodes([1n, 2n, 3n, 0n, 1n], 2)).toEqual(Uint8Array.of(0b00111001, 0b01));
    expect(bytesOfCodes([1n, 0x22n, 0x1fn, 0x3fn, 1n], 6)).toEqual(Uint8Array.of(0x81, 0xf8, 0xfd, 0x01));
    expect(bytesOfCodes([0x1234n], 16)).toEqual(Uint8Array.of(0x34, 0x12));
    expect([hex(0xan, 4), hex(1n, 2), hex(0x3c00n, 16)]).toEqual(['0xa', '0x1', '0x3c00']);
  });

  test.each(
    numeric.filter(({ format, bits }) => format.kind === 'float' && bits <= 16).map((dtype) => [dtype.name, dtype]),
  )('of every code of %s make the value that is said', (name, dtype) => {
    const size = 2 ** dtype.bits;
    const data = dataOfCodes(dtype, dtype.bits < 8 ? Array.from({ length: size }, (_, i) => BigInt(i)) : []);
    const all = dtype.bits < 8 ? data : new globalThis[dtype.array](Array.from({ length: size }, (_, i) => i));
    const values = new Tensor(name, all, [size]).toArray();
    const wrong = values.filter((value, i) => {
      const kind = kindOf(dtype, BigInt(i), value);
      const formula = formulaOf(dtype, BigInt(i), kind);
      if (formula === undefined) return Number.isFinite(value);
      const [, sign, field, bias, hidden, mantissa, width] =
        /^(−?)2\^\((\d+) − (\d+)\)(?: × \((\d) \+ (\d+) \/ 2\^(\d+)\))?$/.exec(formula);
      const made = 2 ** (field - bias) * (hidden === undefined ? 1 : Number(hidden) + mantissa / 2 ** width);
      const isSubnormal = kind === 'subnormal' || kind === 'zero';
      return !Object.is(sign ? -made : made, value) || (hidden !== undefined && isSubnormal !== (hidden === '0'));
    });
    expect(wrong).toEqual([]);
  });

  test('come apart into sign, exponent and mantissa', () => {
    expect(fieldsOf(dtypes.float32.format, 0xc0490fdbn)).toEqual({
      negative: true,
      exponent: 128,
      mantissa: 0x490fdbn,
    });
  });

  test('come of what is written', () => {
    const read = (type, ...written) => written.map((entry) => readValue(dtypes[type], entry));
    expect(read('float32', '0.1', ' -3e2 ', 'inf', '-Infinity', 'nan', '', '+1', '−2')).toEqual([
      0.1,
      -300,
      Infinity,
      -Infinity,
      NaN,
      NaN,
      1,
      -2,
    ]);
    expect(read('int64', '9223372036854775807', '-5', '+5', '0xff')).toEqual([9223372036854775807n, -5n, 5n, 255n]);
    expect(read('int4', '1.5', 'x')).toEqual([1.5, NaN]);
    expect(read('bool', 'true', 'False', '2')).toEqual([true, false, 2]);
    expect(read('complex64', '1+2j', '1 - 2j', '-1.5e-3', '-inf+infj', '2j', '1 2')).toEqual([
      [1, 2],
      [1, -2],
      [-0.0015, 0],
      [-Infinity, Infinity],
      [0, 2],
      [1, 2],
    ]);
  });
});
