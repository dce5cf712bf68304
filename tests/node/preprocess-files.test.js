/** `preprocessFiles`: what threads give is what a loop gives, in order, and failures are reports. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { Tensor } from 'onnx-layout';
import { preprocessFiles, readImage } from 'onnx-layout/node';
import { imageProcessor, init } from 'onnx-layout/processors';
import { expectRejection } from '../support/assertions.js';
import { temporaryFolder } from '../support/programs.js';

const folder = temporaryFolder();
const vit = { image_processor_type: 'ViTImageProcessor', size: { height: 8, width: 8 } };
const eomt = { image_processor_type: 'EomtImageProcessor', size: { shortest_edge: 8, longest_edge: 8 } };
/** Its `num_tiles` are lists of numbers. */
const mllama = { image_processor_type: 'MllamaImageProcessor', size: { height: 8, width: 8 } };
const paths = Array.from({ length: 7 }, (_, i) => join(folder, `${i}.png`));
const broken = join(folder, 'broken.png');

beforeAll(async () => {
  await init();
  writeFileSync(broken, 'no picture');
  for (const [i, path] of paths.entries()) {
    const raw = { width: 20 + i, height: 10, channels: 3 };
    const data = Buffer.from(Array.from({ length: 3 * raw.width * raw.height }, (_, k) => (k * (i + 3)) % 251));
    await sharp(data, { raw }).toFile(path);
  }
});

async function all(...args) {
  const batches = [];
  for await (const batch of preprocessFiles(...args)) batches.push(batch);
  return batches;
}

/** The batches of a loop in one thread. */
async function looped(config, size, options, call) {
  const processor = imageProcessor(config, options);
  const batches = [];
  for (let at = 0; at < paths.length; at += size) {
    const part = paths.slice(at, at + size);
    const images = await Promise.all(part.map((path) => readImage(path)));
    batches.push({ paths: part, outputs: processor(images, call), failed: [] });
  }
  return batches;
}

test.each([
  [1, 1, vit],
  [1, 3, vit],
  [2, 1, vit],
  [3, 3, vit],
  [2, 1, eomt],
  [2, 2, mllama],
])('%i threads, batches of %i', async (jobs, batch, config) => {
  const batches = await all(paths, config, { jobs, batch });
  expect(batches).toEqual(await looped(config, batch));
  expect(Object.values(batches[0].outputs).flat()[0]).toBeInstanceOf(Tensor);
});

test.each([1, 2])('options and settings, %i threads', async (jobs) => {
  const options = { backend: 'pil', dtype: 'float16' };
  const settings = { do_normalize: false };
  expect(await all(paths, vit, { jobs, ...options, settings })).toEqual(await looped(vit, 1, options, settings));
  const named = await all([paths[0]], {}, { jobs, className: 'ViTImageProcessor', orientation: 'ignore' });
  expect(named[0].outputs.pixel_values.dims).toEqual([1, 3, 224, 224]);
});

test.each([1, 2])('steps: what was done to each picture, %i threads', async (jobs) => {
  const [{ images }] = await all(paths.slice(0, 2), vit, { jobs, batch: 2, steps: true });
  const names = images.map(({ steps }) => steps.map(({ name }) => name));
  expect(images.map(({ width, height }) => [width, height])).toEqual([
    [20, 10],
    [21, 10],
  ]);
  expect(names).toEqual([
    ['resize', 'rescale', 'normalize'],
    ['resize', 'rescale', 'normalize'],
  ]);
});

test.each([1, 2])('maxPixels and maxBytes, %i threads', async (jobs) => {
  const batches = await all(paths, vit, { jobs, maxPixels: 220, onError: 'skip' });
  expect(batches.map(({ failed }) => failed.length)).toEqual([0, 0, 0, 1, 1, 1, 1]);
  const bounds = 'must have at most 220 pixels, option maxPixels, got 23 x 10';
  expect(batches[3].failed[0].error.message).toBe(`readImage: '${paths[3]}' ${bounds}`);
  const large = 'imageProcessor: an image must become at most 100 bytes (maxBytes), got 768';
  // An error of a thread has a class of another realm.
  await expect(all([paths[0]], vit, { jobs, maxBytes: 100 })).rejects.toThrow(large);
  const message = 'preprocessFiles: maxPixels must be a whole number from 1 on, got 0';
  await expectRejection(() => all(paths, vit, { jobs, maxPixels: 0 }), RangeError, message);
});

test('URLs, and as many threads as there are cores', async () => {
  const [{ outputs }] = await all([pathToFileURL(paths[0])], JSON.stringify(vit));
  expect(outputs).toEqual((await looped(vit, 1))[0].outputs);
});

test.each([
  [5, TypeError, 'paths must have strings and URLs, got 5'],
  [() => {}, TypeError, 'paths must have strings and URLs, got a function'],
  [Symbol('x'), TypeError, 'paths must have strings and URLs, got Symbol(x)'],
  [new URL('https://x.org/a.png'), RangeError, "paths must have URLs of files, got 'https://x.org/a.png'"],
])('refuses the path %p', async (path, Class, message) => {
  for (const jobs of [1, 2]) {
    const work = () => all([paths[0], path], vit, { jobs, onError: 'skip' });
    await expectRejection(work, Class, `preprocessFiles: ${message}`);
  }
});

test.each([1, 2])('a signal is seen while paths stall, %i threads', async (jobs) => {
  let isClosed = false;
  async function* stalled() {
    try {
      yield paths[0];
      setTimeout(() => end.abort(new Error('enough')), 50);
      await new Promise(() => {});
    } finally {
      isClosed = true;
    }
  }
  const end = new AbortController();
  await expect(all(stalled(), vit, { jobs, signal: end.signal })).rejects.toThrow('enough');
  expect(isClosed).toBe(false);
});

test('paths are closed where the caller has seen enough', async () => {
  let isClosed = false;
  function* closing() {
    try {
      for (;;) yield paths[0];
    } finally {
      isClosed = true;
    }
  }
  const batches = preprocessFiles(closing(), vit, { jobs: 1, signal: new AbortController().signal });
  await batches.next();
  await batches.return();
  expect(isClosed).toBe(true);
});

test.each([1, 2])('no more is read than there is room for, %i threads', async (jobs) => {
  let read = 0;
  async function* endless() {
    for (;;) yield paths[read++ % paths.length];
  }
  let seen = 0;
  for await (const { outputs } of preprocessFiles(endless(), vit, { jobs, batch: 2 })) {
    expect(outputs.pixel_values.dims[0]).toBe(2);
    expect(read).toBeLessThanOrEqual(2 * (seen + 2 * jobs));
    if (++seen === 6) break;
  }
});

describe.each([1, 2])('failures, %i threads', (jobs) => {
  const mixed = [paths[0], broken, paths[1], join(folder, 'none.png')];
  const unsupported = "must be a JPEG, PNG, GIF, WebP, AVIF or TIFF picture, got text of 10 bytes: 'no picture'";

  test('end the work', async () => {
    const { name, message } = await all(mixed, vit, { jobs }).catch((error) => error);
    const shown = broken.length > 60 ? `${broken.slice(0, 60)}…` : broken;
    expect([name, message]).toEqual(['RangeError', `readImage: '${shown}' ${unsupported}`]);
  });

  test('are skipped and counted', async () => {
    const reports = [];
    const batches = await all(mixed, vit, {
      jobs,
      batch: 2,
      onError: 'skip',
      onProgress: (step) => reports.push(step),
    });
    expect(batches.map(({ paths: made }) => made)).toEqual([[paths[0]], [paths[1]]]);
    expect(batches.map(({ failed }) => failed.map(({ path }) => path))).toEqual([[broken], [mixed[3]]]);
    expect(batches[1].failed[0].error.message).toMatch('ENOENT');
    expect(batches.map(({ outputs }) => outputs.pixel_values.dims[0])).toEqual([1, 1]);
    expect(reports).toEqual([
      { done: 2, failed: 1, total: 4 },
      { done: 4, failed: 2, total: 4 },
    ]);
  });

  test('of a whole batch leave no outputs', async () => {
    const same = { ...vit, do_resize: false };
    const [batch] = await all([paths[0], paths[1]], same, { jobs, batch: 2, onError: 'skip' });
    expect([batch.paths, batch.outputs]).toEqual([[], undefined]);
    expect(batch.failed.map(({ path, error }) => [path, error.message])).toEqual(
      paths
        .slice(0, 2)
        .map((path) => [path, 'imageProcessor: images[1] must become 20 x 10 pixels as the first, got 21 x 10']),
    );
    expect((await all([broken], vit, { jobs, onError: 'skip' }))[0].outputs).toBe(undefined);
  });

  test('a signal ends the work', async () => {
    const end = new AbortController();
    const reason = new Error('enough');
    let seen = 0;
    const work = async () => {
      for await (const _ of preprocessFiles(paths, vit, { jobs, signal: end.signal }))
        if (++seen === 2) end.abort(reason);
    };
    await expect(work()).rejects.toBe(reason);
    expect(seen).toBe(2);
  });

  test('a wrong configuration is refused', () =>
    expect(all(paths, vit, { jobs, backend: 'slow' })).rejects.toThrow(
      new RangeError("imageProcessor: backend must be 'torchvision' or 'pil', got 'slow'"),
    ));
});

describe('threads that die', () => {
  const { postMessage } = Worker.prototype;
  let left = 0;
  beforeEach(() => {
    Worker.prototype.postMessage = function die(...args) {
      if (left-- <= 0) postMessage.apply(this, args);
      // A thread that has ended, whose id is -1 then, has no listeners any more, and sends no error.
      else setImmediate(() => this.threadId !== -1 && this.emit('error', new Error('no memory')));
    };
  });
  afterEach(() => {
    Worker.prototype.postMessage = postMessage;
  });

  test.each([1, 2, 4, 7])('%i of them, while batches wait: these fail, and others take the rest', async (count) => {
    left = count;
    const batches = await all(paths, vit, { jobs: 2, onError: 'skip' });
    const failed = batches.flatMap((batch) => batch.failed.map(({ path, error }) => [path, error.message]));
    expect(failed).toEqual(paths.slice(0, count).map((path) => [path, 'no memory']));
    expect(batches.flatMap((batch) => batch.paths)).toEqual(paths.slice(count));
  });

  test('end the work where a failure does', async () => {
    left = Infinity;
    await expect(all(paths, vit, { jobs: 3 })).rejects.toThrow('no memory');
  });
});

test('settings that no thread can take', () =>
  expect(all(paths, vit, { jobs: 2, settings: { onStep: () => {} } })).rejects.toThrow('could not be cloned'));

test.each([
  [['a.png', vit], TypeError, "paths must be an array or an iterable of paths, got 'a.png'"],
  [[new Float32Array(2), vit], TypeError, 'paths must be an array or an iterable of paths, got Float32Array'],
  [[undefined, vit], TypeError, 'paths must be an array or an iterable of paths, got undefined'],
  [[paths, vit, { jobs: 0 }], RangeError, 'jobs must be a whole number from 1 on, got 0'],
  [[paths, vit, { batch: 1.5 }], RangeError, 'batch must be a whole number from 1 on, got 1.5'],
  [[paths, vit, { onError: 'stop' }], RangeError, "onError must be 'throw' or 'skip', got 'stop'"],
  [[paths, vit, { onProgress: 5 }], TypeError, 'onProgress must be a function, got 5'],
  [
    [paths, vit, { settings: { out: {} } }],
    TypeError,
    'settings must not have out, which the next batch would overwrite',
  ],
  [[paths, vit, { signal: 5 }], TypeError, 'signal must be an AbortSignal, got 5'],
  [
    [paths, vit, { job: 5 }],
    TypeError,
    "unknown option 'job', did you mean 'jobs'? Known: backend, batch, className, ",
  ],
])('refuses %j', async (args, Class, message) => {
  const error = await all(...args).catch((reason) => reason);
  expect(error).toBeInstanceOf(Class);
  expect(error.message.slice(0, 17 + message.length)).toBe(`preprocessFiles: ${message}`);
});
