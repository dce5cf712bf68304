/**
 * The workloads of resizing, with their bars: upper limits of the time of `resize` as a multiple of another's time in
 * the same run, as [must, aim]. Channels: 1 is L, 3 RGB, 4 RGBA, whose last channel is one like the others unless
 * `premultiply` says otherwise.
 */

import { files } from './processors-workloads.js';

const hd = [1920, 1080];
const photo = [4928, 3279];
const icon = [224, 224];

/** Must and aim of one backend against three others; a dash where there is no bar. */
function barsOf(text) {
  if (text === undefined) return undefined;
  const limits = text.split('/').map((part) => (part.trim() === '-' ? undefined : part.trim().split(' ').map(Number)));
  return { Pillow: limits[0], memcpy: limits[1], fast_image_resize: limits[2] };
}

export const resizeWorkloads = [
  ['R1', 4, hd, icon, 'bilinear', '.31 .20 / 4.7 3.4 / .95 .71', '.25 .15 / 3.8 2.7 / .76 .54'],
  ['R2', 3, hd, icon, 'bilinear', '.30 .16 / 6.1 4.2 / .88 .63', '.26 .13 / 5.0 3.5 / .72 .52'],
  ['R3', 3, hd, icon, 'bicubic', '.25 .18 / 8.3 5.5 / .89 .66', '.22 .16 / 7.1 4.9 / .76 .57'],
  ['R4', 3, hd, icon, 'lanczos', '.23 .16 / 12 9.0 / .82 .61', '.17 .13 / 9.5 6.8 / .65 .46'],
  ['R5a', 3, photo, [852, 567], 'bilinear', '.30 .21 / 3.6 2.7 / 1.11 .79', '.26 .18 / 3.1 2.3 / .96 .67'],
  ['R5b', 3, photo, [852, 567], 'bicubic', '.28 .19 / 5.8 4.0 / 1.05 .74', '.26 .14 / 4.8 3.5 / .90 .63'],
  ['R5c', 3, photo, [852, 567], 'lanczos', '.24 .18 / 10.7 5.8 / .94 .71', '.19 .12 / 6.9 4.5 / .72 .46'],
  ['R6', 3, [640, 480], [384, 384], 'bicubic', '.35 .27 / - / .84 .62', '.28 .21 / - / .67 .48'],
  ['R7', 3, icon, [1024, 1024], 'bicubic', '.22 .16 / - / .42 .32', '.16 .10 / - / .30 .20'],
  ['R8', 1, hd, [512, 512], 'bilinear', '.30 .21 / 12.9 9.5 / .69 .46', '.23 .17 / 9.7 7.4 / .52 .36'],
  ['R9', 4, hd, [640, 360], 'bilinear', '.32 .23 / 10.7 5.6 / 1.04 .77', undefined, true],
  ['R10', 4, [4032, 3024], icon, 'bicubic', '.23 .17 / 4.6 3.1 / .74 .51', '.23 .14 / 4.0 2.7 / .74 .39'],
].map(([name, channels, from, to, filter, pil, torchvision, premultiply = false]) => ({
  name,
  channels,
  from,
  to,
  filter,
  premultiply,
  bars: { pil: barsOf(pil), torchvision: barsOf(torchvision) },
}));

const toPixelValues = { 'transformers.js': [0.13, 0.08] };

/** From pixels to a model's float32 [1, 3, 224, 224]: what each processor of transformers.js is asked for. */
export const pixelValuesWorkloads = [
  {
    name: 'R11v',
    title: 'ViT',
    options: { width: 224, height: 224, filter: 'bilinear', scale: 1 / 255, mean: 0.5, std: 0.5 },
  },
  {
    name: 'R11c',
    title: 'CLIP',
    options: { width: 224, height: 224, fit: 'cover', filter: 'bicubic', preset: 'clip' },
  },
].map((workload) => ({
  channels: 4,
  from: hd,
  bars: { pil: { ...toPixelValues, memcpy: [5.3, 3.3] }, torchvision: { memcpy: [4.3, 2.7] } },
  ...workload,
  processor: `${workload.title}ImageProcessor`,
  config: files[workload.title],
}));

/** A picture whose rows are resized before its columns. Its bar is the time of a source pixel, relative to R2's. */
export const verticalFirst = { name: 'RV', channels: 3, from: [1080, 2400], to: icon, filter: 'bilinear', most: 1.15 };
