/** The contenders of `tests/bench/pixels.js`, in a page: bitmaps, files to pixel_values, and a camera's frame. */
import { imageToTensor, imageToTensorAsync, init } from '../../js/image/index.js';
import { framePixels } from '../../js/image/sources/frame-pixels.js';
import { release } from '../../js/image/sources/frame-copy.js';
import { draw } from '../../js/image/sources/canvas.js';
import { imageProcessorAsync } from '../../js/processors/index.js';

const [width, height] = [1920, 1080];
const asStored = { colorSpaceConversion: 'none', premultiplyAlpha: 'none' };

/** Edges, gradients and noise, as photographs have them. */
function canvasOf() {
  const canvas = new OffscreenCanvas(width, height);
  const data = new Uint8ClampedArray(4 * width * height);
  for (let i = 0, x = 1; i < width * height; i++) {
    x = Math.imul(x, 1664525) + 1013904223;
    const [column, row] = [i % width, Math.floor(i / width)];
    data.set([column / 8 + (x >>> 28), row / 5 + (x >>> 29), (column >> 6) * 8 + (row >> 6) * 5, 255], 4 * i);
  }
  canvas.getContext('2d').putImageData(new ImageData(data, width, height), 0, 0);
  return canvas;
}

/** A frame as cameras give it: YUV of 1280x720. */
function cameraFrame() {
  const [codedWidth, codedHeight] = [1280, 720];
  const data = Uint8Array.from({ length: (codedWidth * codedHeight * 3) / 2 }, (_, i) => 16 + ((i >> 3) % 219));
  return new VideoFrame(data, { format: 'I420', codedWidth, codedHeight, timestamp: 0 });
}

/** The contenders of each row: ours, and what it is compared with. */
const rows = {
  async bitmap() {
    const bitmap = await createImageBitmap(await fileOf(), asStored);
    const size = { width, height };
    return {
      ours: async () => {
        const copy = await framePixels('ImageBitmap', bitmap, size);
        if (copy) release(copy);
        else draw(bitmap, size, size, undefined);
      },
      base: () => draw(bitmap, size, size, undefined),
    };
  },
  async blob() {
    const file = await fileOf();
    const processor = imageProcessorAsync({ image_processor_type: 'ViTImageProcessor' });
    return { ours: () => processor(file), base: async () => (await createImageBitmap(file, asStored)).close() };
  },
  async camera() {
    const frame = cameraFrame();
    const options = { width: 224, height: 224, preset: 'imagenet' };
    return { ours: () => imageToTensorAsync(frame, options), base: () => imageToTensor(frame, options) };
  },
};

const fileOf = () => canvasOf().convertToBlob({ type: 'image/jpeg', quality: 0.9 });

/** The times of each contender of a row, in milliseconds. */
globalThis.measure = async (row, rounds) => {
  await init();
  const contenders = Object.entries(await rows[row]());
  const samples = Object.fromEntries(contenders.map(([name]) => [name, []]));
  // The first calls find out which way is the faster one.
  for (let round = -5; round < rounds; round++)
    for (const [name, run] of contenders) {
      const start = performance.now();
      await run();
      if (round >= 0) samples[name].push(performance.now() - start);
    }
  return samples;
};
