/**
 * Processors against their steps one after the other, each on a whole picture: `resize` of the package, which has its
 * own goldens, and plain loops. Random sizes, so that crops and borders fall on every side.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, resize } from 'onnx-layout/image';
import { imageProcessor } from 'onnx-layout/processors';
import { expectTensor } from '../support/assertions.js';
import { below, generator, randomData } from '../support/samples.js';

beforeAll(() => init());

// Under Jest, looking up a global takes a hundred times as long as a constant of the module.
const { floor, fround, max, min, round, trunc } = Math;

/** A picture of RGB bytes. */
const makeRgb = (width, height, valueAt) => {
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) for (let c = 0; c < 3; c++) data[3 * (y * width + x) + c] = valueAt(x, y, c);
  return { data, width, height, channels: 3 };
};

/** An image as RGB: on white, or without its alpha. */
function toRgb({ data, width, height, channels, rowstride = width * channels }, isOnWhite) {
  const hasAlpha = channels % 2 === 0;
  return makeRgb(width, height, (x, y, c) => {
    const at = y * rowstride + x * channels;
    const color = data[at + (channels < 3 ? 0 : c)];
    if (!hasAlpha || !isOnWhite) return color;
    const alpha = data[at + channels - 1];
    if (alpha === 0) return 255;
    const t = (color * alpha + 255 * (255 - alpha)) * 128 + 16384;
    return (((t >> 8) + t) >> 8) >> 7;
  });
}

/** Cuts a rectangle out of a picture; `fill` is the color of what lies beside it. */
const cutOut = (picture, x0, y0, width, height, fill = [0, 0, 0]) =>
  makeRgb(width, height, (x, y, c) => {
    const [sx, sy] = [x + x0, y + y0];
    const isInside = sx >= 0 && sy >= 0 && sx < picture.width && sy < picture.height;
    return isInside ? picture.data[3 * (sy * picture.width + sx) + c] : fill[c];
  });

const filters = ['nearest', 'lanczos', 'bilinear', 'bicubic', 'box', 'hamming'];

function resizePicture(picture, width, height, code, backend) {
  const name = filters[code];
  const filter = backend === 'torchvision' && name === 'nearest' ? 'nearest_exact' : name;
  return resize(picture, { width, height, filter, backend });
}

function cropCenter(picture, width, height, backend) {
  const half = backend === 'pil' ? floor : trunc;
  return cutOut(picture, half((picture.width - width) / 2), half((picture.height - height) / 2), width, height);
}

/** The pixels, divided by 255 and normalized, as planes. */
function normalizePlanes({ data, width, height }, backend, mean, std) {
  const scale = fround(1 / (1 / 255));
  const planes = new Float32Array(data.length);
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 3; c++) {
      const byte = data[3 * i + c];
      planes[c * width * height + i] =
        backend === 'pil'
          ? fround(fround(fround(byte * (1 / 255)) - fround(mean[c])) / fround(std[c]))
          : fround(fround(byte - fround(fround(mean[c]) * scale)) / fround(fround(std[c]) * scale));
    }
  return planes;
}

function sizeOfShortestEdge({ width, height }, edge) {
  const other = trunc((edge * max(width, height)) / min(width, height));
  return width <= height ? [edge, other] : [other, edge];
}

const mean = [0.48145466, 0.4578275, 0.40821073];
const std = [0.26862954, 0.26130258, 0.27577711];

function randomImage(random, index) {
  const [width, height] = [4 + below(random, 60), 4 + below(random, 60)];
  const channels = [3, 4, 1, 2][index % 4];
  const padding = below(random, 3);
  const rowstride = width * channels + padding;
  return {
    data: randomData('uint8', rowstride * height, index),
    width,
    height,
    channels,
    ...(padding && { rowstride }),
  };
}

describe.each(['torchvision', 'pil'])('%s', (backend) => {
  const codes = backend === 'pil' ? 6 : 4;

  test('CLIP: resized, cropped or bordered, converted', () => {
    const random = generator(1);
    for (let i = 0; i < 120; i++) {
      const image = randomImage(random, i);
      const [edge, width, height] = [1, 1, 1].map(() => 1 + below(random, 60));
      const [resample, white] = [below(random, codes), below(random, 4) > 0];
      if (max(...sizeOfShortestEdge(image, edge)) > 400) continue;
      const config = { size: edge, crop_size: { width, height }, resample, do_convert_rgb: white };
      const { pixel_values: values } = imageProcessor(config, { className: 'CLIP', backend })(image);
      const resized = resizePicture(toRgb(image, white), ...sizeOfShortestEdge(image, edge), resample, backend);
      const expected = normalizePlanes(cropCenter(resized, width, height, backend), backend, mean, std);
      expectTensor(values, 'float32', [1, 3, height, width], expected, JSON.stringify({ ...config, i }));
    }
  });

  test('ViT: without resizing, cropped, in a frame of zeros', () => {
    const random = generator(2);
    for (let i = 0; i < 100; i++) {
      const image = randomImage(random, i);
      const [width, height] = [1 + below(random, 60), 1 + below(random, 60)];
      const pad = { width: width + below(random, 9), height: height + below(random, 9) };
      const config = {
        do_resize: false,
        do_center_crop: true,
        crop_size: { width, height },
        do_pad: true,
        pad_size: pad,
        image_mean: mean,
        image_std: std,
      };
      const { pixel_values: values } = imageProcessor(config, { className: 'ViT', backend })(image);
      const planes = normalizePlanes(cropCenter(toRgb(image, false), width, height, backend), backend, mean, std);
      const expected = new Float32Array(3 * pad.width * pad.height);
      for (let c = 0; c < 3; c++)
        for (let y = 0; y < height; y++)
          for (let x = 0; x < width; x++)
            expected[(c * pad.height + y) * pad.width + x] = planes[(c * height + y) * width + x];
      expectTensor(values, 'float32', [1, 3, pad.height, pad.width], expected, JSON.stringify({ ...config, i }));
    }
  });

  test('ConvNeXt: resized and cropped, then cropped again', () => {
    const random = generator(3);
    for (let i = 0; i < 60; i++) {
      const image = randomImage(random, 4 * i);
      const [edge, side] = [3 + below(random, 40), 1 + below(random, 60)];
      const config = {
        size: edge,
        crop_pct: 0.8,
        do_center_crop: true,
        crop_size: side,
        image_mean: mean,
        image_std: std,
      };
      const size = sizeOfShortestEdge(image, trunc(edge / 0.8));
      if (max(...size) > 400) continue;
      const { pixel_values: values } = imageProcessor(config, { className: 'ConvNext', backend })(image);
      const first = cropCenter(resizePicture(toRgb(image), ...size, 3, backend), edge, edge, backend);
      const expected = normalizePlanes(cropCenter(first, side, side, backend), backend, mean, std);
      expectTensor(values, 'float32', [1, 3, side, side], expected, JSON.stringify({ ...config, i }));
    }
  });

  test('Llava: a colored border before resizing', () => {
    const random = generator(4);
    for (let i = 0; i < 60; i++) {
      const image = randomImage(random, i);
      const [edge, side] = [1 + below(random, 40), 1 + below(random, 60)];
      const config = { size: edge, crop_size: side, do_pad: true, do_resize: i % 3 > 0 };
      const { pixel_values: values } = imageProcessor(config, { className: 'Llava', backend })(image);
      const longest = max(image.width, image.height);
      const [x, y] = [floor((longest - image.width) / 2), floor((longest - image.height) / 2)];
      const fill = mean.map((value) => trunc(value * 255));
      const square = cutOut(toRgb(image, true), -x, -y, longest, longest, fill);
      const resized = config.do_resize ? resizePicture(square, edge, edge, 3, backend) : square;
      const expected = normalizePlanes(cropCenter(resized, side, side, backend), backend, mean, std);
      expectTensor(values, 'float32', [1, 3, side, side], expected, JSON.stringify({ ...config, i }));
    }
  });

  test('Donut: turned, resized twice, bordered', () => {
    const random = generator(5);
    for (let i = 0; i < 60; i++) {
      const image = randomImage(random, 4 * i);
      const [width, height] = [20 + below(random, 40), 20 + below(random, 40)];
      let picture = toRgb(image);
      if ((width < height && picture.width > picture.height) || (width > height && picture.width < picture.height)) {
        const turned = picture;
        picture = makeRgb(
          turned.height,
          turned.width,
          (x, y, c) => turned.data[3 * ((turned.height - 1 - x) * turned.width + y) + c],
        );
      }
      const size = sizeOfShortestEdge(picture, min(width, height));
      if (max(...size) > 400) continue;
      picture = resizePicture(picture, ...size, 2, backend);
      let [w, h] = [min(picture.width, width), min(picture.height, height)];
      if (w !== picture.width || h !== picture.height) {
        if (picture.height > picture.width) w = trunc((picture.width * h) / picture.height);
        else if (picture.width > picture.height) h = trunc((picture.height * w) / picture.width);
        if (w < 1 || h < 1) continue;
        picture = resizePicture(picture, w, h, 2, backend);
      }
      const [x, y] = [floor((width - picture.width) / 2), floor((height - picture.height) / 2)];
      const expected = normalizePlanes(cutOut(picture, -x, -y, width, height), backend, mean, std);
      const config = { size: { width, height }, do_align_long_axis: true, image_mean: mean, image_std: std };
      const { pixel_values: values } = imageProcessor(config, { className: 'Donut', backend })(image);
      expectTensor(values, 'float32', [1, 3, height, width], expected, `${i}: ${width} x ${height}`);
    }
  });

  test('Qwen2-VL: patches of large pictures, strip by strip', () => {
    const image = { data: randomData('uint8', 1500 * 900 * 3, 1), width: 1500, height: 900, channels: 3 };
    const [patch, merge, frames] = [14, 2, 2];
    const size = { shortest_edge: 1, longest_edge: 1e7 };
    const { pixel_values: values, image_grid_thw: grid } = imageProcessor(
      { size },
      { className: 'Qwen2VL', backend },
    )(image);
    const [width, height] = [1500, 900].map((side) => round(side / 28) * 28);
    const planes = normalizePlanes(resizePicture(image, width, height, 3, backend), backend, mean, std);
    const [rows, columns] = [height / patch, width / patch];
    const expected = new Float32Array(rows * columns * 3 * frames * patch * patch);
    let at = 0;
    for (let gy = 0; gy < rows / merge; gy++)
      for (let gx = 0; gx < columns / merge; gx++)
        for (let my = 0; my < merge; my++)
          for (let mx = 0; mx < merge; mx++)
            for (let c = 0; c < 3; c++)
              for (let t = 0; t < frames; t++)
                for (let y = 0; y < patch; y++) {
                  const from = (c * height + (gy * merge + my) * patch + y) * width + (gx * merge + mx) * patch;
                  expected.set(planes.subarray(from, from + patch), at);
                  at += patch;
                }
    expect([...grid.data]).toEqual([1n, BigInt(rows), BigInt(columns)]);
    expectTensor(values, 'float32', [rows * columns, 3 * frames * patch * patch], expected);
  });

  test('Qwen2-VL: patches larger than a piece', () => {
    const patch = 256;
    const image = { data: randomData('uint8', 3 * 2 * patch * patch, 1), width: 2 * patch, height: patch, channels: 3 };
    const config = { do_resize: false, patch_size: patch, merge_size: 1, temporal_patch_size: 1 };
    const { pixel_values: values } = imageProcessor(config, { className: 'Qwen2VL', backend })(image);
    const patches = [0, patch].map((x) => normalizePlanes(cutOut(image, x, 0, patch, patch), backend, mean, std));
    expectTensor(values, 'float32', [2, 3 * patch * patch], new Float32Array(patches.flatMap((planes) => [...planes])));
  });

  test('a large picture, whose rows come in pieces', () => {
    const image = { data: randomData('uint8', 3000 * 700 * 4, 1), width: 3000, height: 700, channels: 4 };
    for (const [type, edge, side] of [
      ['CLIP', 224, 224],
      ['CLIP', 900, 1100],
    ]) {
      const { pixel_values: values } = imageProcessor(
        { size: edge, crop_size: side },
        { className: type, backend },
      )(image);
      const resized = resizePicture(toRgb(image, true), ...sizeOfShortestEdge(image, edge), 3, backend);
      const expected = normalizePlanes(cropCenter(resized, side, side, backend), backend, mean, std);
      expectTensor(values, 'float32', [1, 3, side, side], expected, `${edge} ${side}`);
    }
  });
});

test('a batch is its images, one after the other', () => {
  const random = generator(6);
  const images = Array.from({ length: 5 }, (_, i) => randomImage(random, i));
  const settings = {
    ViT: { size: { height: 12, width: 10 } },
    CLIP: { size: 9, crop_size: 8 },
    Owlv2: { size: 20 },
    Sam: { size: { longest_edge: 30 }, pad_size: 32 },
    Qwen2VL: { patch_size: 4 },
    Siglip2: { patch_size: 4, max_num_patches: 20 },
    LlavaNext: { size: 8, crop_size: 8, image_grid_pinpoints: [[16, 24]] },
    Gemma3: { size: 9 },
  };
  for (const [type, config] of Object.entries(settings)) {
    const processor = imageProcessor(config, { className: type });
    const batch = processor(images);
    const single = images.map((image) => processor(image));
    for (const [name, tensor] of Object.entries(batch)) {
      const parts = single.map((outputs) => outputs[name]);
      const all = tensor.data.slice();
      let at = 0;
      for (const { data } of parts) {
        all.set(data, at);
        at += data.length;
      }
      expectTensor(tensor, parts[0].type, tensor.dims, all, `${type} ${name}`);
      expect([type, name, at, tensor.dims.slice(1)]).toEqual([type, name, all.length, parts[0].dims.slice(1)]);
    }
  }
});
