/** Loading: what works before it, what it takes, and that it can be called at any time, any number of times. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test, expect, describe, beforeEach, jest } from '@jest/globals';
import { memoriesOf } from '../support/wasm-memory.js';

const wasmBytes = new Uint8Array(readFileSync(createRequire(import.meta.url).resolve('onnx-layout/layout.wasm')));
const tensor = { type: 'float32', data: Float32Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3] };

const index = { type: 'int32', data: Int32Array.of(0), dims: [1, 1] };

/** @type {typeof import('onnx-layout')} a copy of the package that was not used yet */
let layout;
/** @type {typeof import('onnx-layout/image')} */
let pictures;
beforeEach(async () => {
  jest.resetModules();
  layout = await import('onnx-layout');
  pictures = await import('onnx-layout/image');
});

const pixel = { data: Uint8Array.of(0, 51, 255), width: 1, height: 1 };
const expectPixels = () => expect([...pictures.imageToTensor(pixel, { dtype: 'uint8' }).data]).toEqual([0, 51, 255]);
const expectTranspose = () => expect([...layout.transpose(tensor).data]).toEqual([1, 4, 2, 5, 3, 6]);

describe('without init', () => {
  const calls = {
    transpose: () => layout.transpose(tensor),
    'transpose of strings': () => layout.transpose({ type: 'string', data: ['a'], dims: [] }),
    splitToSequence: () => layout.splitToSequence(tensor),
    slice: () => layout.slice(tensor, [0], [1]),
    concat: () => layout.concat([tensor], { axis: 0 }),
    split: () => layout.split(tensor, [2]),
    pad: () => layout.pad(tensor, [0, 0, 0, 0]),
    'pad of packed elements': () =>
      layout.pad({ type: 'int4', data: Uint8Array.of(1), dims: [2] }, [1, 1], undefined, undefined, { mode: 'edge' }),
    gather: () => layout.gather(tensor, 0),
    gatherElements: () => layout.gatherElements(tensor, index),
    gatherND: () => layout.gatherND(tensor, [0]),
    compress: () => layout.compress(tensor, { type: 'bool', data: Uint8Array.of(1), dims: [1] }),
    trilu: () => layout.trilu(tensor),
    eyeLike: () => layout.eyeLike(tensor),
    range: () => layout.range(0, 1, 1),
    oneHot: () => layout.oneHot(index, 2, { ...tensor, data: Float32Array.of(0, 1), dims: [2] }),
    scatterElements: () => layout.scatterElements(tensor, index, { ...tensor, data: Float32Array.of(1), dims: [1, 1] }),
    scatterND: () =>
      layout.scatterND(tensor, layout.Tensor.from('int64', [0], [1, 1]), {
        ...tensor,
        data: Float32Array.of(1, 2, 3),
        dims: [1, 3],
      }),
    expand: () => layout.expand(tensor, [1]),
    tile: () => layout.tile(tensor, [1, 1]),
    cast: () => layout.cast(tensor, 'float16'),
    quantizeLinear: () => layout.quantizeLinear(tensor, { type: 'float32', data: Float32Array.of(1), dims: [] }),
    dynamicQuantizeLinear: () => layout.dynamicQuantizeLinear(tensor),
    depthToSpace: () => layout.depthToSpace({ ...tensor, dims: [1, 1, 2, 3] }, { blocksize: 1 }),
    spaceToDepth: () => layout.spaceToDepth({ ...tensor, dims: [1, 1, 2, 3] }, { blocksize: 1 }),
    centerCropPad: () => layout.centerCropPad(tensor, [2, 3]),
    reverseSequence: () => layout.reverseSequence(tensor, [1, 1, 1]),
    where: () => layout.where({ type: 'bool', data: Uint8Array.of(1), dims: [] }, tensor, tensor),
    concatFromSequence: () => layout.concatFromSequence([tensor], { axis: 0 }),
    rearrange: () => layout.rearrange(tensor, 'a b -> b a'),
    repeat: () => layout.repeat(tensor, 'a b -> a b 2'),
    stack: () => layout.stack([tensor]),
    unstack: () => layout.unstack(tensor),
    compose: () => layout.compose(tensor).transpose().tensor(),
    pack: () => layout.pack('int4', Int8Array.of(1)),
    unpack: () => layout.unpack('int4', Uint8Array.of(1), 1),
    imageToTensor: () => pictures.imageToTensor(pixel),
    resize: () => pictures.resize(pixel, { width: 2, height: 2 }),
    tensorToImage: () => pictures.tensorToImage({ ...tensor, data: new Float32Array(3), dims: [3, 1, 1] }),
  };

  test.each(Object.entries(calls))('%s loads what it needs', (_, call) => {
    const first = call();
    expect(first).toBeDefined();
    expect(call()).toEqual(first);
  });

  test('reshape and its kin load nothing', () => {
    const compile = jest.spyOn(WebAssembly, 'Module');
    expect(layout.flatten(tensor, { axis: 0 }).dims).toEqual([1, 6]);
    expect(layout.reshape(tensor, [3, -1]).dims).toEqual([3, 2]);
    expect(layout.inferShape('Transpose', { data: tensor }).dims).toEqual([3, 2]);
    expect(layout.Tensor.from('int4', [1, -1]).toArray()).toEqual([1, -1]);
    expect(new layout.Tensor('float32', Float32Array.of(1), []).toString()).toBe('1.0');
    expect(compile.mock.calls.length).toBe(0);
    compile.mockRestore();
  });

  test('a call while init is pending loads by itself, and init then leaves it alone', async () => {
    const pending = [layout.init(), pictures.init()];
    expectTranspose();
    expectPixels();
    const wide = { type: 'uint8', data: Uint8Array.from({ length: 2 ** 16 }, (_, i) => i), dims: [256, 256] };
    const before = layout.transpose(wide).data;
    await Promise.all(pending);
    expect(layout.transpose(wide).data).toEqual(before);
    expectPixels();
  });

  test('an asynchronous call compiles off the thread', async () => {
    const compile = jest.spyOn(WebAssembly, 'Module');
    const { data } = await pictures.imageToTensorAsync(pixel, { dtype: 'uint8' });
    expect([...data]).toEqual([0, 51, 255]);
    expect(compile.mock.calls.length).toBe(0);
    compile.mockRestore();
  });

  test.each([
    [
      "Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not an allowed source of script",
      "the page's policy must have 'wasm-unsafe-eval' in its script-src to run WebAssembly",
    ],
    [
      'WebAssembly.Compile is disallowed on the main thread, if the buffer size is larger than 4KB',
      'this engine compiles no module of this size on the main thread while a call waits: call await init() first',
    ],
    [
      'WebAssembly.Module(): Wasm code generation disallowed by embedder',
      'this engine compiles no WebAssembly: pass the module that its bundler compiled, by await init({ wasm })',
    ],
  ])('where an engine says "%s", the error says what to do', (reason, message) => {
    const cause = new RangeError(reason);
    const compile = jest.spyOn(WebAssembly, 'Module').mockImplementation(() => {
      throw cause;
    });
    let thrown;
    try {
      layout.transpose(tensor);
    } catch (error) {
      thrown = error;
    }
    compile.mockRestore();
    expect([thrown.constructor, thrown.message, thrown.cause]).toEqual([Error, `transpose: ${message}`, cause]);
    expectTranspose();
  });

  test('what an engine says otherwise passes through', () => {
    const cause = new RangeError('out of memory');
    const compile = jest.spyOn(WebAssembly, 'Module').mockImplementation(() => {
      throw cause;
    });
    expect(() => layout.transpose(tensor)).toThrow(cause);
    compile.mockRestore();
    expectTranspose();
  });
});

describe('the module of images', () => {
  const wide = { type: 'uint8', data: Uint8Array.from({ length: 2 ** 16 }, (_, i) => i), dims: [256, 256] };

  test.each([
    ['tensors first', [() => expectTranspose(), () => expectPixels()]],
    ['pixels first', [() => expectPixels(), () => expectTranspose()]],
  ])('works in the memory of tensors: %s', async (_, calls) => {
    const memories = await memoriesOf(async () => calls.forEach((call) => call()));
    expect(memories.length).toBe(1);
    const before = layout.transpose(wide).data;
    expectPixels();
    expect(layout.transpose(wide).data).toEqual(before);
  });

  test("lies behind embind's registry, which alone allocates there", async () => {
    const [memory] = await memoriesOf(async () => expectTranspose());
    const bytes = new Uint8Array(memory.buffer);
    expect(bytes.subarray(bytes.findLastIndex((byte) => byte !== 0)).length).toBeGreaterThan(2 ** 18);
  });

  test('may be loaded beside the other', async () => {
    await Promise.all([layout.init(), pictures.init(), layout.init()]);
    expectTranspose();
    expectPixels();
  });

  test('refuses the file of tensors, and loads again', async () => {
    await expect(pictures.init({ wasm: wasmBytes })).rejects.toThrow();
    expectPixels();
    expectTranspose();
  });
});

describe('init', () => {
  test('gives nothing, and may be called again', async () => {
    expect(await layout.init()).toBe(undefined);
    expectTranspose();
    const loads = [jest.spyOn(WebAssembly, 'instantiate'), jest.spyOn(WebAssembly, 'Instance')];
    expect(await layout.init()).toBe(undefined);
    expect(await layout.init({})).toBe(undefined);
    expect(await layout.init({ wasm: undefined })).toBe(undefined);
    expect(await layout.init({ wasm: wasmBytes })).toBe(undefined);
    expect(loads.map((spy) => spy.mock.calls.length)).toEqual([0, 0]);
    loads.forEach((spy) => spy.mockRestore());
    expectTranspose();
  });

  test('concurrent calls share one load', async () => {
    const spy = jest.spyOn(WebAssembly, 'instantiate');
    const instance = jest.spyOn(WebAssembly, 'Instance');
    await Promise.all([layout.init(), layout.init(), layout.init()]);
    expectTranspose();
    expect(spy.mock.calls.length + instance.mock.calls.length).toBe(1);
    spy.mockRestore();
    instance.mockRestore();
  });

  const address = `data:application/wasm;base64,${Buffer.from(wasmBytes).toString('base64')}`;

  test.each([
    ['a Module', () => new WebAssembly.Module(wasmBytes)],
    ['a Uint8Array', () => wasmBytes],
    ['a Buffer', () => Buffer.from(wasmBytes)],
    ['an ArrayBuffer', () => wasmBytes.slice().buffer],
    ['a URL', () => new URL(address)],
    ['the text of a URL', () => address],
    [
      'a view into a larger buffer',
      () => {
        const larger = new Uint8Array(wasmBytes.length + 7);
        larger.set(wasmBytes, 3);
        return larger.subarray(3, 3 + wasmBytes.length);
      },
    ],
  ])('takes %s', async (_, wasm) => {
    await layout.init({ wasm: wasm() });
    expectTranspose();
  });

  test('says that a server has no such file, and loads again', async () => {
    const fetch = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('', { status: 404 }));
    const message = "init: wasm '/layout.wasm' must be there, got status 404";
    await expect(layout.init({ wasm: '/layout.wasm' })).rejects.toThrow(new RangeError(message));
    fetch.mockRestore();
    await layout.init();
    expectTranspose();
  });

  test.each([
    [{ wasm: 7 }, 'init: wasm must be a WebAssembly.Module, bytes or a URL, got 7'],
    [{ wasm: null }, 'init: wasm must be a WebAssembly.Module, bytes or a URL, got null'],
    [{ wasm: {} }, 'init: wasm must be a WebAssembly.Module, bytes or a URL, got an object'],
    [{ wsm: wasmBytes }, "init: unknown option 'wsm', did you mean 'wasm'? Known: wasm"],
    [null, 'init: options must be an object, got null'],
    [5, 'init: options must be an object, got 5'],
  ])('refuses %p', async (options, message) => {
    const thrown = await layout.init(options).then(
      () => undefined,
      (error) => error,
    );
    expect([thrown?.constructor, thrown?.message]).toEqual([TypeError, message]);
    // Also when the module stands already.
    await layout.init();
    expectTranspose();
    const again = await layout.init(options).then(
      () => undefined,
      (error) => error,
    );
    expect([again?.constructor, again?.message]).toEqual([TypeError, message]);
    expectTranspose();
  });

  test('a failure can be retried', async () => {
    await expect(layout.init({ wasm: Uint8Array.of(1, 2, 3) })).rejects.toThrow();
    const empty = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
    await expect(layout.init({ wasm: empty })).rejects.toThrow();
    await layout.init();
    expectTranspose();
  });

  test('importing does no work: no wasm is compiled', async () => {
    jest.resetModules();
    const compiled = ['Module', 'Instance', 'Memory', 'compile', 'instantiate'].map((name) =>
      jest.spyOn(WebAssembly, name),
    );
    await import('onnx-layout');
    expect(compiled.map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0, 0, 0]);
    compiled.forEach((spy) => spy.mockRestore());
  });
});
