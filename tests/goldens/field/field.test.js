/**
 * Situations from public bug reports about other tools, rebuilt as small inputs; each expected value is that of the
 * Python library whose behavior the package has. README.md says what each kind asks.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, test } from '@jest/globals';
import * as audio from 'onnx-layout/audio';
import * as convert from 'onnx-layout/convert';
import * as image from 'onnx-layout/image';
import * as io from 'onnx-layout/io';
import * as node from 'onnx-layout/node';
import * as operators from 'onnx-layout';
import * as postprocess from 'onnx-layout/postprocess';
import * as processors from 'onnx-layout/processors';
import { goldenJson } from '../../support/goldens.js';

const doors = [operators, image, processors, postprocess, io, convert, audio, node];
const L = Object.assign({}, ...doors.toReversed());

beforeAll(async () => {
  for (const door of doors) await door.init?.();
});

const bytesOf = (text) => new Uint8Array(Buffer.from(text, 'base64'));
const rawOf = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
const sha = (tensor) => createHash('sha256').update(rawOf(tensor)).digest('hex').slice(0, 16);
const special = { nan: NaN, inf: Infinity, '-inf': -Infinity };
const numbers = (list) => list.map((x) => (typeof x === 'string' ? special[x] : x));
const show = (x) =>
  JSON.stringify(x, (_, v) =>
    typeof v === 'bigint' ? Number(v) : typeof v === 'number' && !Number.isFinite(v) ? String(v) : v,
  )?.slice(0, 110);
const fail = (text) => {
  throw new Error(text);
};
const same = (what, got, want, near = 0) => {
  const a = Array.from(got, (x) => (typeof x === 'string' ? x : Number(x)));
  const isNear = (x, y) => Object.is(x, y) || x === y || Math.abs(x - y) <= near;
  if (a.length !== want.length || !a.every((x, i) => isNear(x, want[i])))
    fail(`${what}: got ${show(a)}, want ${show(want)}`);
};
const dimsOf = ({ dims }) => Array.from(dims, Number);
function picture([height, width, channels]) {
  const data = new Uint8Array(height * width * channels);
  let at = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const all = [x * 13 + y * 3, x * 5 + y * 17, x * x + y, x * 29 + y * 7];
      for (let k = 0; k < channels; k++) data[at++] = all[k] % 256;
    }
  return { data, width, height, channels };
}
const tone = Float32Array.from({ length: 900 }, (_, t) => 0.3 * Math.sin(t * 0.05) + 0.2 * Math.sin(t * 0.31));
function outputsOf(outputs, want) {
  const list = [...outputs.values()];
  want.forEach(([dims, values], i) => {
    same('dims', dimsOf(list[i]), dims);
    same('values', list[i].toArray ? list[i].toArray() : list[i].data, numbers(values));
  });
}

const kinds = {
  quantize({ model, bits, expect }) {
    const result = L.quantizeWeights(bytesOf(model), { bits, blockSize: 32, symmetric: true });
    for (const name of expect.nodes) {
      const row = result.report.find(({ node }) => String(node).includes(name));
      if (!row) fail(`the report must name '${name}', got ${result.report.length} rows`);
      if (expect.packed && !row.packed) fail(`'${name}' must be packed: ${row.why}`);
    }
    for (const hex of expect.packed ?? [])
      if (!Buffer.from(result.model).includes(Buffer.from(hex, 'hex')))
        fail("onnxruntime's packed bytes must be in the model");
    if (expect.inputs)
      same(
        'inputs',
        L.readModel(result.model).inputs.map(({ name }) => name),
        expect.inputs,
      );
  },
  dequantize({ model, expect }) {
    const result = L.dequantizeWeights(bytesOf(model));
    if (result.report.length !== expect.rows)
      fail(`the report must have ${expect.rows} rows, got ${result.report.length}`);
    if (Buffer.from(result.model).includes('MatMulNBits')) fail('MatMulNBits must be gone');
  },
  external({ model, data, expect }) {
    const file = bytesOf(data);
    const external = ({ offset = 0, length }) => file.subarray(offset, length ? offset + length : undefined);
    outputsOf(L.runModel(L.readModel(bytesOf(model), { external }), new Map()), [[[2, 3], expect]]);
  },
  run: ({ model, expect }) => outputsOf(L.runModel(L.readModel(bytesOf(model)), new Map()), expect),
  wav({ data, expect }) {
    const { sampleRate, channelData } = L.decodeWav(bytesOf(data));
    same('rate and channels', [sampleRate, channelData.length], [expect.rate, expect.channels.length]);
    channelData.forEach((samples, i) => {
      const got = rawOf({ data: samples }).toString('hex');
      if (got !== expect.channels[i])
        fail(
          `channel ${i}: got ${samples.length} samples ${show([...samples.slice(0, 3)])}, want another ` +
            `${expect.channels[i].length / 8}`,
        );
    });
  },
  resample({ rates: [orig_freq, new_freq], expect }) {
    const got = L.resampleAudio(tone, { backend: 'soxr', orig_freq, new_freq });
    same('length', [got.length], [expect.length]);
    same('samples', got.slice(0, expect.samples.length), expect.samples, expect.near);
  },
  'image config'({ files, shape, pil, expect }) {
    const got = L.imageProcessor(files, pil ? { backend: 'pil' } : {})(picture(shape));
    for (const [name, [dims, hash]] of Object.entries(expect)) {
      if (!got[name]) fail(`output ${name} is missing`);
      same(`${name} dims`, dimsOf(got[name]), dims);
      if (sha(got[name]) !== hash) fail(`${name}: other bytes`);
    }
  },
  'audio config'({ files, expect }) {
    const extract = L.featureExtractor(files);
    const name = extract.className ?? extract.name;
    if (extract.className && name !== expect.class) fail(`class: got ${name}, want ${expect.class}`);
    if (!expect.outputs) return;
    const got = extract(tone, { sampling_rate: 16000 });
    same('names', Object.keys(got).sort(), Object.keys(expect.outputs).sort());
    same('first samples', got.input_values.data.slice(0, 4), expect.first, 1e-6);
  },
  'answers config'({ files, expect }) {
    const methods = L.postProcessor(files);
    for (const name of expect) if (typeof methods[name] !== 'function') fail(`${name} is missing`);
  },
  whisper({ samples, expect }) {
    const raw = bytesOf(samples);
    const { input_features } = L.featureExtractor({ feature_extractor_type: 'WhisperFeatureExtractor' })(
      new Float32Array(raw.buffer, 0, raw.length / 4),
      { sampling_rate: 16000 },
    );
    if (sha(input_features) !== expect) fail('other bytes');
  },
  async picture({ data, expect }) {
    const { data: pixels, width, height, channels } = await L.readImage(bytesOf(data));
    same('size', [width, height], expect.size);
    const rgb = Buffer.alloc(3 * width * height);
    for (let i = 0; i < width * height; i++)
      for (let k = 0; k < 3; k++) rgb[3 * i + k] = pixels[i * channels + (channels > 2 ? k : 0)];
    if (rgb.toString('hex') !== expect.rgb)
      fail(
        `pixels: got ${show([...rgb.subarray(0, 12)])}, ` +
          `want ${show([...Buffer.from(expect.rgb, 'hex').subarray(0, 12)])}`,
      );
  },
  async 'picture config'({ data, config, expect }) {
    const { pixel_values } = await L.imageProcessorAsync(config, { decode: L.readImage, backend: 'pil' })(
      bytesOf(data),
    );
    same('pixel_values', pixel_values.data, expect);
  },
  npy({ data, expect }) {
    const got = L.readNpy(bytesOf(data));
    same('dims', dimsOf(got), expect.dims);
    same(
      'values',
      got.toArray(),
      expect.values.some((x) => typeof x === 'string' && !(x in special)) ? expect.values : numbers(expect.values),
    );
  },
  async npz({ data, expect }) {
    const name = ['readNpz', ...Object.keys(L).filter((key) => /npz/i.test(key) && !/^(write|save)/.test(key))].find(
      (key) => L[key],
    );
    if (!name) fail('no call reads .npz');
    let got = await L[name](bytesOf(data));
    got = got.entries instanceof Map ? got.entries : got;
    for (const key of Object.keys(expect)) {
      let tensor =
        typeof got.get === 'function' ? (got.get(key) ?? got.get(`${key}.npy`)) : (got[key] ?? got[`${key}.npy`]);
      if (tensor?.read) tensor = await tensor.read();
      same(key, tensor.toArray(), expect[key]);
    }
  },
  async message({ call, data, name, expect }) {
    const bytes = bytesOf(data);
    const folder = call === 'path' && mkdtempSync(join(tmpdir(), 'field-'));
    try {
      if (call === 'npy') L.readNpy(bytes);
      if (call === 'safetensors') L.readSafetensors(bytes);
      if (call === 'model') L.readModel(bytes);
      if (folder) {
        writeFileSync(join(folder, name), bytes);
        await L.openWeights(join(folder, name));
      }
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      if (!new RegExp(expect, 'i').test(error.message))
        fail(`the message must say what is wrong (/${expect}/), got: ${error.message.slice(0, 130)}`);
      return;
    } finally {
      if (folder) rmSync(folder, { recursive: true });
    }
    fail('must be refused');
  },
  safetensors({ data, expect }) {
    if (!expect) {
      try {
        L.readSafetensors(bytesOf(data));
      } catch (error) {
        if (error instanceof TypeError || error instanceof RangeError) return;
        throw error;
      }
      fail('must be refused');
    }
    const got = L.readSafetensors(bytesOf(data));
    same('names', got.keys(), expect.names);
    const metadata = got.metadata instanceof Map ? Object.fromEntries(got.metadata) : { ...got.metadata };
    if (JSON.stringify(metadata) !== JSON.stringify(expect.metadata)) fail(`metadata: got ${show(metadata)}`);
  },
  async 'header sizes'({ expect }) {
    for (const middle of expect)
      for (const more of [-8, -1, 0, 1, 8]) {
        const size = middle + more;
        const file = Buffer.alloc(8 + size + 3, ' ');
        file.writeBigUInt64LE(BigInt(size));
        file.write('{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}', 8);
        file.set([1, 2, 3], 8 + size);
        const opened = await L.openSafetensors(new Blob([file]));
        same(`header of ${size}`, (await opened.get('a').read()).toArray(), [1, 2, 3]);
      }
  },
  nms({ boxes, scores, threshold, expect }) {
    const got = L.nms(
      L.Tensor.from('float32', numbers(boxes), [boxes.length / 4, 4]),
      L.Tensor.from('float32', numbers(scores)),
      threshold,
    );
    same('indices', got.data, expect);
  },
  yolo({ pred, dims, options, expect }) {
    const [got] = L.decodeYolo(L.Tensor.from('float32', numbers(pred), dims), options);
    same('labels', got.labels.data, expect.labels);
    same('boxes', (got.rboxes ?? got.boxes).data, numbers(expect.boxes));
  },
  interpolate({ x, dims, options, expect }) {
    same('values', L.interpolate(L.Tensor.from('float32', numbers(x), dims), options).data, numbers(expect));
  },
};

const cases = goldenJson('field/cases.json');

describe.each([...new Set(cases.map(({ kind }) => kind))])('%s', (kind) => {
  for (const item of cases.filter((one) => one.kind === kind)) {
    const name = `${item.id} (${item.report})`;
    test(name, async () => kinds[kind](item));
  }
});
