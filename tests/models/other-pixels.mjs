/** The pixels of other libraries: transformers.js in Node, and the canvas of Chromium, which it takes in pages. */
import { chromium } from 'playwright-core';

/** @typedef {import('./difference.mjs').Resize} Resize */

/** @type {(transformers: any) => Resize} */
export const byTransformers =
  ({ RawImage }) =>
  async ({ data, width, height, channels }, size) => {
    const { data: bytes } = await new RawImage(data, width, height, channels).resize(size.width, size.height);
    return { data: bytes, ...size, channels };
  };

/** @returns {Promise<{ resize: Resize, close: () => Promise<void> }>} */
export async function byCanvas() {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const page = await browser.newPage();
  return {
    async resize({ data, width, height }, size) {
      const pixels = Buffer.from(data).toString('base64');
      const text = await page.evaluate(drawn, { pixels, width, height, size });
      return { data: new Uint8Array(Buffer.from(text, 'base64')), ...size, channels: 3 };
    },
    close: () => browser.close(),
  };
}

/* global ImageData, OffscreenCanvas -- the page's */
/** Runs in the page: as RawImage.resize of transformers.js. */
async function drawn({ pixels, width, height, size }) {
  const bytes = Uint8Array.from(atob(pixels), (character) => character.charCodeAt(0));
  const image = new ImageData(width, height);
  for (let i = 0; i < width * height; i++) image.data.set([...bytes.subarray(3 * i, 3 * i + 3), 255], 4 * i);
  const source = new OffscreenCanvas(width, height);
  source.getContext('2d').putImageData(image, 0, 0);
  const context = new OffscreenCanvas(size.width, size.height).getContext('2d');
  context.drawImage(source, 0, 0, size.width, size.height);
  const { data } = context.getImageData(0, 0, size.width, size.height);
  let text = '';
  for (let i = 0; i < data.length; i += 4) text += String.fromCharCode(data[i], data[i + 1], data[i + 2]);
  return btoa(text);
}
