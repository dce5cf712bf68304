/** Each door works without `init`, which may be called all the same; without the text of its wasm, it takes a file. */
import { execFileSync } from 'node:child_process';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { root } from '../support/packed.js';

beforeEach(() => jest.resetModules());

const pixels = { data: Uint8Array.of(0, 255, 51), width: 1, height: 1 };
const samples = Float32Array.of(0, 1, 0, -1);

/** A call of each door that needs its wasm module. */
const calls = {
  '': ({ transpose }) => transpose({ type: 'uint8', data: Uint8Array.of(1), dims: [1] }),
  '/operators': ({ define, filled, run, tensor }) => {
    const shape = (call, attributes, { dims }) => ({ dims });
    const move = filled((plan, data, [source]) => data.set(source));
    const Copy = define({ name: 'Copy', versions: { 1: 1 }, inputs: [tensor('x')], shape, move });
    return run(Copy, [{ type: 'float32', data: samples, dims: [4] }]);
  },
  '/image': ({ imageToTensor }) => imageToTensor(pixels),
  '/io': ({ runModel }) => {
    const attributes = new Map();
    const node = { name: '', operator: 'Transpose', domain: '', inputs: ['x'], outputs: ['y'], attributes };
    const inputs = [{ name: 'x', type: 'float32', dims: null, sequence: false }];
    const graph = { nodes: [node], initializers: new Map(), inputs, outputs: [{ name: 'y' }] };
    return runModel({ opsets: new Map([['', 21]]), ...graph }, { x: { type: 'float32', data: samples, dims: [2, 2] } });
  },
  '/convert': ({ convertModel }) => convertModel(new Uint8Array([8, 8, 58, 0]), { dtype: 'fp16' }),
  '/processors': ({ imageProcessor }) => imageProcessor({ image_processor_type: 'ViTImageProcessor' })(pixels),
  '/audio': ({ resampleAudio }) => resampleAudio(samples, { orig_freq: 2, new_freq: 1 }),
  '/postprocess': ({ softmax }) => softmax({ type: 'float32', data: samples, dims: [4] }),
};

test.each(Object.entries(calls))('onnx-layout%s', async (door, call) => {
  const module = await import(`onnx-layout${door}`);
  const first = call(module);
  expect(first).toBeDefined();
  await module.init();
  expect(call(module)).toEqual(first);
});

const doors = { '/image': ['image', 'layout'], '/processors': ['image', 'layout'], '/audio': ['audio'] };
const files = (door) => doors[door] ?? [door === '/postprocess' ? 'postprocess' : 'layout'];

/** A process of a bundle that has no text. */
test.each(Object.entries(calls))('onnx-layout%s without the text of its wasm', (door, call) => {
  const [file, base] = files(door);
  const program = `
    import { readFileSync } from 'node:fs';
    const module = await import('onnx-layout${door}');
    const pixels = { data: Uint8Array.of(0, 255, 51), width: 1, height: 1 };
    const samples = Float32Array.of(0, 1, 0, -1);
    const call = ${call};
    const outcome = (work) => work().then((result) => typeof result, (error) => String(error));
    const load = async (file, init) => init({ wasm: readFileSync('dist/' + file + '.wasm') });
    const results = [await outcome(async () => call(module)), await outcome(() => module.init())];
    if (${Boolean(base)}) {
      results.push(await outcome(() => load('image', module.init)));
      await load('layout', (await import('onnx-layout')).init);
    }
    await load('${file}', module.init);
    results.push(await outcome(async () => call(module)));
    console.log(JSON.stringify(results));`;
  const flags = ['--conditions=onnx-layout-external-wasm', '--input-type=module', '-e', program];
  const results = JSON.parse(execFileSync(process.execPath, flags, { cwd: root, encoding: 'utf8' }));
  const entryPoint = file === 'layout' ? 'onnx-layout' : `onnx-layout/${file}`;
  const name = {
    '': 'transpose',
    '/convert': 'convertModel',
    '/operators': 'copy',
    '/image': 'imageToTensor',
    '/io': 'runModel',
  };
  const asked = { ...name, '/processors': 'imageProcessor', '/audio': 'resampleAudio', '/postprocess': 'softmax' }[
    door
  ];
  expect(results).toEqual([
    `Error: ${asked}: call await init({ wasm }) of '${entryPoint}' first`,
    'TypeError: init: wasm must be a WebAssembly.Module, bytes or a URL, got undefined',
    ...(base ? ["Error: init: call await init({ wasm }) of 'onnx-layout' first"] : []),
    'object',
  ]);
});

test('onnx-layout/node loads what onnx-layout does', async () => {
  const { init } = await import('onnx-layout/node');
  await init();
  const { transpose } = await import('onnx-layout');
  expect(calls['']({ transpose }).dims).toEqual([1]);
});
