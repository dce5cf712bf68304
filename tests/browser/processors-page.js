/** Image and video processors on a page: goldens' outputs, configurations out of Blobs, and what the documents show. */
import * as processors from 'onnx-layout/processors';
import { digestOf } from '../engines/digest.js';

const { imageProcessor, readConfiguration, videoProcessor, videoProcessorAsync } = processors;

/** An output as its golden has it. */
async function recordOf(output) {
  if (Array.isArray(output) && output.some((one) => one?.dims))
    return { list: await Promise.all(output.map(recordOf)) };
  if (!output.dims) return { values: output };
  return { dtype: output.type, dims: [...output.dims], sha256: await digestOf(output.data) };
}

/** Bytes of an input, whose shape the case has. */
async function inputOf(given) {
  if (Array.isArray(given)) return Promise.all(given.map(inputOf));
  const data = new Uint8Array(await (await fetch(given.url)).arrayBuffer());
  return { ...given, data };
}

/** The outputs of cases, from files that a user chose. */
globalThis.processorRecords = async (cases) => {
  await processors.init();
  const records = [];
  for (const { of, files, backend, inputs, options } of cases) {
    const blobs = Object.entries(files).map(([name, file]) => [name, new Blob([JSON.stringify(file)])]);
    const config = await readConfiguration(Object.fromEntries(blobs));
    const process = of === 'video' ? videoProcessor(config) : imageProcessor(config, { backend });
    const outputs = Object.entries(process(await inputOf(inputs), options));
    const made = outputs.map(async ([name, output]) => [name, await recordOf(output)]);
    records.push(Object.fromEntries(await Promise.all(made)));
  }
  return records;
};

const [width, height, frames] = [32, 24, 6];

/** A canvas of one gray, which names a frame. */
function canvasOf(frame) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  const level = 40 * frame + 10;
  context.fillStyle = `rgb(${level} ${level} ${level})`;
  context.fillRect(0, 0, width, height);
  return canvas;
}

/** Encoded frames, and what a decoder has to know of them. */
async function encodedClip(isKey) {
  const chunks = [];
  const encoder = new VideoEncoder({ output: (chunk) => chunks.push(chunk), error: console.error });
  encoder.configure({ codec: 'vp8', width, height, bitrate: 1e6, framerate: 10 });
  for (let i = 0; i < frames; i++) {
    const frame = new VideoFrame(canvasOf(i), { timestamp: i * 1e5 });
    encoder.encode(frame, { keyFrame: isKey(i) });
    frame.close();
  }
  await encoder.flush();
  return { chunks, config: { codec: 'vp8', codedWidth: width, codedHeight: height } };
}

/** An element of EBML: its id, the length of its content in eight bytes, and that. */
function ebml(id, ...content) {
  const bytes = content.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part));
  const length = Array.from({ length: 4 }, (_, i) => (bytes.length >>> (24 - 8 * i)) & 255);
  return [...id.match(/../g).map((byte) => Number.parseInt(byte, 16)), 1, 0, 0, 0, ...length, ...bytes];
}

/** A WebM file of key frames, a tenth of a second each, in clusters of their own. */
function webm(chunks) {
  const blocks = chunks.flatMap((chunk, i) => {
    const data = new Uint8Array(chunk.byteLength);
    chunk.copyTo(data);
    return ebml('1f43b675', ebml('e7', [(100 * i) >> 8, (100 * i) & 255]), ebml('a3', [0x81, 0, 0, 0x80, ...data]));
  });
  const duration = [...new Uint8Array(Float64Array.of(100 * chunks.length).buffer)].reverse();
  const picture = ebml('e0', ebml('b0', [width]), ebml('ba', [height]));
  const numbers = [ebml('d7', [1]), ebml('73c5', [1]), ebml('83', [1])].flat();
  const nanoseconds = ebml('23e383', [0x05, 0xf5, 0xe1, 0x00]);
  const track = ebml('ae', numbers, nanoseconds, ebml('86', 'V_VP8'), picture);
  const head = ebml('1a45dfa3', ebml('4282', 'webm'), ebml('4287', [2]), ebml('4285', [2]));
  const info = ebml('1549a966', ebml('2ad7b1', [0x0f, 0x42, 0x40]), ebml('4489', duration));
  const segment = ebml('18538067', info, ebml('1654ae6b', track), blocks);
  return new Blob([Uint8Array.from([...head, ...segment])], { type: 'video/webm' });
}

/** The mean level of each frame, in bytes. */
const levelsOf = ({ pixel_values: { data, dims } }) =>
  Array.from({ length: dims[1] }, (_, i) => Math.round(data[(i * data.length) / dims[1]]));

const config = { video_processor_type: 'VideoMAEVideoProcessor', size: { shortest_edge: 24 }, crop_size: 8 };
const bytes = { do_normalize: false, do_rescale: false, do_sample_frames: false };

/** A document's program of WebCodecs: the levels of chosen frames. */
globalThis.levelsOfChunks = async (program) => {
  await processors.init();
  const { framesOf } = await import(program);
  const { chunks, config: decoder } = await encodedClip((i) => i === 0);
  const processor = videoProcessorAsync(config);
  const indices = processor.sampleFrames({ total_num_frames: frames, fps: 10, duration: 0.6 }, { num_frames: 3 });
  return levelsOf(await processor(framesOf(chunks, decoder, indices), bytes));
};

/** A document's program that seeks in a video element: the levels at some times. */
globalThis.levelsOfElement = async (program, times) => {
  await processors.init();
  const { framesAt } = await import(program);
  const { chunks } = await encodedClip(() => true);
  const video = Object.assign(document.createElement('video'), { muted: true, preload: 'auto' });
  const isReady = new Promise((resolve, reject) =>
    Object.assign(video, { oncanplaythrough: resolve, onerror: reject }),
  );
  video.src = URL.createObjectURL(webm(chunks));
  await isReady;
  return levelsOf(await videoProcessorAsync(config)(framesAt(video, times), bytes));
};
