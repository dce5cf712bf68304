/**
 * Random calls of all image and video processors: every output's type, dims and bytes. 10,000 are held against the
 * rules that tests/goldens/processors/reference.py states apart in NumPy, 3,697 against transformers and timm. The
 * commit's hash chooses neighbors of all. `CALLS=13697 npm test -- tests/processors/random` runs all.
 */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { imageProcessor, init, videoProcessor } from 'onnx-layout/processors';
import { refuseUndeclared } from '../support/declared-settings.js';
import { readBytes, readClip, readPicture } from '../support/processor-goldens.js';
import { chooseSome, commitHash } from '../support/sample.js';

beforeAll(() => init());
beforeAll(refuseUndeclared);

const files = ['random.json.gz', 'asked.json.gz', 'wide.json.gz'];
const calls = files.flatMap((name) => gunzipSync(readBytes(name)).toString().split('\n'));
const groups = 10;
const sample = chooseSome(calls, Number(process.env.CALLS ?? (process.env.WHOLE ? calls.length : 300)), commitHash());

/** Cuts a rectangle out of a picture or of each frame of a clip; a list of sources gives a list. */
function cutOut(source) {
  if (Array.isArray(source[0])) return source.map(cutOut);
  const [file, top, left, height, width] = source;
  if (!file.endsWith('.gz')) {
    const { data, channels, width: columns } = readPicture(file);
    const rowstride = columns * channels;
    const from = top * rowstride + left * channels;
    const part = data.subarray(from, from + (height - 1) * rowstride + width * channels);
    return { data: part, width, height, channels, rowstride };
  }
  const { dims, data } = readClip(file);
  const [frames, rows, columns, channels] = dims;
  const part = new Uint8Array(frames * height * width * channels);
  for (let to = 0, row = 0; row < frames * height; row++, to += width * channels) {
    const from = ((Math.floor(row / height) * rows + top + (row % height)) * columns + left) * channels;
    part.set(data.subarray(from, from + width * channels), to);
  }
  return { type: 'uint8', dims: [frames, height, width, channels], data: part };
}

function addValue(hash, value) {
  if (Array.isArray(value)) {
    hash.update(`[${value.length}`);
    for (const entry of value) addValue(hash, entry);
  } else if (value.dims) {
    hash.update(`${value.type} [${value.dims}]`);
    hash.update(new Uint8Array(value.data.buffer, value.data.byteOffset, value.data.byteLength));
  } else hash.update(JSON.stringify(value));
}

/** Makes a call and adds its results to a hash, as random_calls.py does. */
const addCall = {
  sample: (hash, { settings, metadata, options }) =>
    hash.update(JSON.stringify(videoProcessor(settings).sampleFrames(metadata, options))),
  image(hash, { config, backend, given, options }) {
    const pictures = ['prompt_images', 'prompt_masks', 'trimaps'].filter((name) => options[name]);
    const others = Object.fromEntries(pictures.map((name) => [name, cutOut(options[name])]));
    addOutputs(hash, imageProcessor(config, { backend })(cutOut(given), { ...options, ...others }));
  },
  video: (hash, { config, given, options }) => addOutputs(hash, videoProcessor(config)(cutOut(given), options)),
};

function addOutputs(hash, outputs) {
  for (const name of Object.keys(outputs).sort()) {
    hash.update(name);
    addValue(hash, outputs[name]);
  }
}

/** A call's hash; where it is not the wanted one, with the beginning of what was hashed: names, dims and bytes. */
function hashCall(kind, call, wanted) {
  const hash = createHash('sha256');
  const begins = [];
  const update = (part) => {
    begins.push(typeof part === 'string' ? part : `${part.length} bytes: ${part.slice(0, 16)}`);
    hash.update(part);
  };
  addCall[kind]({ update }, call);
  const digest = hash.digest('hex').slice(0, 16);
  return digest === wanted ? { hash: digest } : { hash: digest, begins };
}

test.each(JSON.parse(readBytes('found.json').toString()))('a call that once differed: %s %s', (kind, _, call, wanted) =>
  expect(hashCall(kind, call, wanted)).toEqual({ hash: wanted }),
);

test('there are 13,697 calls', () => expect(calls.length).toBe(13_697));

test.each(Array.from({ length: groups }, (_, i) => i))('portion %i', (portion) => {
  for (const line of sample.filter((_, i) => i % groups === portion)) {
    const [kind, name, call, wanted] = JSON.parse(line);
    expect({ name, call, ...hashCall(kind, call, wanted) }).toEqual({ name, call, hash: wanted });
  }
});
