/* global Image, OffscreenCanvas */
/**
 * Makes the pictures of the site's home page: `node tests/demo/home-pictures.mjs`. The photograph at 224 x 224,
 * by Pillow's bytes and by Chromium's canvas, and eight times the difference of the two.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { resize } from 'onnx-layout/image';
import { readImage } from 'onnx-layout/node';

const size = 224;
const photo = join(import.meta.dirname, 'photo.jpg');
const folder = join(import.meta.dirname, '../../web/docs/pages/public');

/** The photograph as the canvas scales it, RGB. */
async function drawOnCanvas() {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const page = await browser.newPage();
  const address = `data:image/jpeg;base64,${readFileSync(photo).toString('base64')}`;
  const rgba = await page.evaluate(
    async ([source, side]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const context = new OffscreenCanvas(side, side).getContext('2d');
      context.drawImage(image, 0, 0, side, side);
      return [...context.getImageData(0, 0, side, side).data];
    },
    [address, size],
  );
  await browser.close();
  return Uint8Array.from(rgba.filter((_, i) => i % 4 < 3));
}

const python = resize(await readImage(photo), { width: size, height: size, filter: 'bilinear' }).data;
const canvas = await drawOnCanvas();
const difference = python.map((value, i) => Math.min(255, 8 * Math.abs(value - canvas[i])));
for (const [name, data] of Object.entries({ python, canvas, difference })) {
  const picture = sharp(data, { raw: { width: size, height: size, channels: 3 } });
  await picture.webp({ lossless: true }).toFile(join(folder, `${name}.webp`));
}
const levels = python.map((value, i) => Math.abs(value - canvas[i]));
const differing = levels.filter((level) => level > 0).length / levels.length;
const greatest = levels.reduce((most, level) => Math.max(most, level));
console.log(`${(100 * differing).toFixed(0)} % of the values differ, by up to ${greatest}`);
