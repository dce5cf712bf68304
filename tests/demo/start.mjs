/**
 * Turns a picture into the inputs of two models, compares them with Python's, and shows what four operators do to it.
 * Each of these is timed beside the plain JavaScript loop that it replaces. `npm start [-- PICTURE]`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import sharp from 'sharp';
import { Tensor, flatten, reshape, splitToSequence, transpose } from 'onnx-layout';
import { init } from 'onnx-layout/image';
import { showProcessors } from './processors.mjs';

const runs = 15;
const folder = 'build/demo';
const file = process.argv[2] ?? fileURLToPath(new URL('photo.jpg', import.meta.url));

/** The pixels that Pillow decodes. */
async function decode() {
  const upright = sharp(file, { autoOrient: true, ignoreIcc: true }).removeAlpha();
  const { data, info } = await upright.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

function transposeLoop({ data, dims: [height, width, channels] }) {
  const result = new Uint8Array(data.length);
  for (let channel = 0, to = 0; channel < channels; channel++)
    for (let from = channel; from < data.length; from += channels) result[to++] = data[from];
  return { data: result, dims: [channels, height, width] };
}

function copyLoop(data, dims) {
  const result = new Uint8Array(data.length);
  for (let i = 0; i < result.length; i++) result[i] = data[i];
  return { data: result, dims };
}

function splitLoop({ data, dims: [channels, height, width] }) {
  const size = height * width;
  return Array.from({ length: channels }, (_, channel) => {
    const result = new Uint8Array(size);
    for (let i = 0; i < size; i++) result[i] = data[channel * size + i];
    return { data: result, dims: [1, height, width] };
  });
}

/**
 * Times both in turn, so that neither gets the quieter machine.
 * @returns the latest result of the call, and both medians in milliseconds
 */
function race(call, loop) {
  const times = { call: [], loop: [] };
  let result;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    result = call();
    const middle = performance.now();
    const expected = loop();
    times.loop.push(performance.now() - middle);
    times.call.push(middle - start);
    if (run === 0) assertEqual(result, expected);
  }
  const median = (list) => list.sort((a, b) => a - b)[runs >> 1];
  return { result, callMs: median(times.call), loopMs: median(times.loop) };
}

function assertEqual(result, expected) {
  const plain = (value) => [value].flat().map(({ dims, data }) => ({ dims: [...dims], data }));
  if (!isDeepStrictEqual(plain(result), plain(expected))) throw new Error("the result differs from the plain loop's");
}

const columns = [
  ['step', -20],
  ['dims', -20],
  ['dtype', -5],
  ['bytes', 8],
  ['first values', -19],
  ['ms', 7],
  ['GB/s', 6],
  ['loop ms', 7],
  ['GB/s', 6],
];

function printRow(cells) {
  console.log(
    cells
      .map((cell, i) => (columns[i][1] < 0 ? cell.padEnd(-columns[i][1]) : cell.padStart(columns[i][1])))
      .join('  ')
      .trimEnd(),
  );
}

/** Prints a row. GB/s counts the bytes in and the bytes out. */
function printStep(step, { result, callMs, loopMs }, isShared) {
  const tensors = [result].flat();
  const [first] = tensors;
  const bytes = tensors.reduce((sum, { data }) => sum + data.byteLength, 0);
  const speed = (ms) => ((2 * bytes) / ms / 1e6).toFixed(2);
  printRow([
    step,
    `${tensors.length > 1 ? `${tensors.length} x ` : ''}[${first.dims.join(', ')}]`,
    first.type,
    String(bytes),
    `${first.data.subarray(0, 4).join(' ')} ...`,
    callMs.toFixed(3),
    isShared ? 'shared' : speed(callMs),
    loopMs.toFixed(3),
    speed(loopMs),
  ]);
}

function writeNpy(path, { dims, data }) {
  const header = `{'descr': '|u1', 'fortran_order': False, 'shape': (${dims.join(', ')}), }`;
  // The data begins at a multiple of 64.
  const padded = `${header.padEnd(Math.ceil((10 + header.length + 1) / 64) * 64 - 10 - 1)}\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(padded.length);
  writeFileSync(
    path,
    Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, Buffer.from(padded, 'latin1'), data]),
  );
}

const writeGray = (path, { dims: [, height, width], data }) =>
  sharp(data, { raw: { width, height, channels: 1 } })
    .toColorspace('b-w')
    .png()
    .toFile(path);

const start = performance.now();
const pixels = await decode();
const decoded = performance.now();
await init();
const { width, height } = pixels;
const hwc = new Tensor('uint8', pixels.data, [height, width, 3]);
const [decodeMs, initMs] = [(decoded - start).toFixed(0), (performance.now() - decoded).toFixed(1)];
console.log(`${basename(file)}: ${width} x ${height}, decoded by sharp in ${decodeMs} ms; init() took ${initMs} ms\n`);
await showProcessors(file, pixels);
console.log('');

printRow(columns.map(([title]) => title));
printRow(columns.map(([, size]) => '-'.repeat(Math.abs(size))));
const chw = race(
  () => transpose(hwc, { perm: [2, 0, 1] }),
  () => transposeLoop(hwc),
);
printStep('transpose [2, 0, 1]', chw, false);
const nchwDims = [1, 3, height, width];
const nchw = race(
  () => reshape(chw.result, nchwDims),
  () => copyLoop(chw.result.data, nchwDims),
);
printStep('reshape', nchw, true);
const flat = race(
  () => flatten(nchw.result),
  () => copyLoop(nchw.result.data, [1, hwc.size]),
);
printStep('flatten', flat, true);
const planes = race(
  () => splitToSequence(chw.result, 1),
  () => splitLoop(chw.result),
);
printStep('splitToSequence 1', planes, false);
console.log(`
Medians of ${runs} runs. Each result equals that of the loop. GB/s counts the bytes in and out.
A shared result is a view of its input, where the loop copies.`);

mkdirSync(folder, { recursive: true });
const written = ['red', 'green', 'blue'].map((name) => join(folder, `${name}.png`));
await Promise.all(written.map((path, i) => writeGray(path, planes.result[i])));
written.push(join(folder, 'chw.npy'));
writeNpy(written.at(-1), chw.result);
console.log(`Wrote ${written.join(', ')}.`);
console.log('The page: npm run web, then http://localhost:4173');
