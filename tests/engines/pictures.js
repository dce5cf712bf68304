/**
 * imageToTensorAsync of picture files: every pixel is the one that Pillow decodes. Written as Jest's test files are,
 * and run in pages and in workers.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageToTensor, imageToTensorAsync, init } from 'onnx-layout/image';
import all from '../image/sources/pictures/pixels.json';
import jpeg420 from '../image/sources/pictures/jpeg-420.jpg';
import jpeg422 from '../image/sources/pictures/jpeg-422.jpg';
import jpeg444 from '../image/sources/pictures/jpeg-444.jpg';
import jpegGray from '../image/sources/pictures/jpeg-grey.jpg';
import jpegOrientation from '../image/sources/pictures/jpeg-orientation-6.jpg';
import jpegProfile from '../image/sources/pictures/jpeg-profile.jpg';
import jpegProgressive from '../image/sources/pictures/jpeg-progressive.jpg';
import pngAlpha from '../image/sources/pictures/png-alpha.png';
import pngGamma from '../image/sources/pictures/png-gamma.png';
import pngOrientation from '../image/sources/pictures/png-orientation-5.png';
import pngProfile from '../image/sources/pictures/png-profile.png';
import pngTranslucent from '../image/sources/pictures/png-translucent.png';
import webpAlpha from '../image/sources/pictures/webp-alpha.webp';
import webpLossy from '../image/sources/pictures/webp-lossy.webp';
import webpOrientation from '../image/sources/pictures/webp-orientation-8.webp';

/** The bytes of each file, which the bundler puts in. */
const files = {
  'jpeg-420.jpg': jpeg420,
  'jpeg-422.jpg': jpeg422,
  'jpeg-444.jpg': jpeg444,
  'jpeg-grey.jpg': jpegGray,
  'jpeg-orientation-6.jpg': jpegOrientation,
  'jpeg-profile.jpg': jpegProfile,
  'jpeg-progressive.jpg': jpegProgressive,
  'png-alpha.png': pngAlpha,
  'png-gamma.png': pngGamma,
  'png-orientation-5.png': pngOrientation,
  'png-profile.png': pngProfile,
  'png-translucent.png': pngTranslucent,
  'webp-alpha.webp': webpAlpha,
  'webp-lossy.webp': webpLossy,
  'webp-orientation-8.webp': webpOrientation,
};

/** Browsers convert cyan, magenta, yellow and black by a profile of their own. */
const pictures = all.filter(({ file }) => file !== 'jpeg-cmyk.jpg');

/** The contexts that the package makes, which a test loses. */
const contexts = [];

beforeAll(async () => {
  const { getContext } = OffscreenCanvas.prototype;
  OffscreenCanvas.prototype.getContext = function getNotedContext(kind, settings) {
    const context = getContext.call(this, kind, settings);
    if (kind === 'webgl2' && context) contexts.push(context);
    return context;
  };
  await init();
});

const hasWebGL2 = new OffscreenCanvas(1, 1).getContext('webgl2') !== null;
/** The pictures that are exact here: without WebGL2, opaque ones. */
const exact = pictures.filter(({ opaque }) => opaque || hasWebGL2);
const translucent = exact.filter(({ opaque }) => !opaque);

const options = { channels: 'RGBA', layout: 'HWC', dtype: 'uint8' };
const blobOf = (file) => new Blob([files[file]], { type: `image/${file.split('-')[0]}` });

async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const summary = async ({ dims: [height, width], data }) => ({ width, height, sha256: await sha256(data) });

/** Neither browser reads the EXIF of a WebP. */
const uprightOf = ({ file, stored, upright }) => (file.endsWith('.webp') ? stored : upright);

test('every picture is there', () => expect(Object.keys(files)).toEqual(pictures.map(({ file }) => file).sort()));

describe('a file', () => {
  test.each(exact)('upright', async (picture) => {
    const tensor = await imageToTensorAsync(blobOf(picture.file), options);
    expect([picture.file, await summary(tensor)]).toEqual([picture.file, uprightOf(picture)]);
  });

  test.each(exact)('as it is stored', async (picture) => {
    const tensor = await imageToTensorAsync(blobOf(picture.file), { ...options, orientation: 'ignore' });
    expect([picture.file, await summary(tensor)]).toEqual([picture.file, picture.stored]);
  });

  test.each(exact)('resized by the filter of Pillow', async ({ file, resized }) => {
    const size = { width: 48, height: 40 };
    const upright = await imageToTensorAsync(blobOf(file), { ...options, ...size });
    const stored = await imageToTensorAsync(blobOf(file), { ...options, ...size, orientation: 'ignore' });
    const isTurned = uprightOf({ file, stored: false, upright: true });
    expect([file, await summary(upright)]).toEqual([
      file,
      { ...size, sha256: resized[isTurned ? 'upright' : 'stored'] },
    ]);
    expect([file, await summary(stored)]).toEqual([file, { ...size, sha256: resized.stored }]);
  });
});

async function elementOf(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

describe.each('Image' in globalThis ? [0] : [])('an image element', () => {
  // Where alpha and the conversion of colors meet, the canvas cannot confirm what WebGL2 reads.
  test.each(exact.filter(({ file }) => file !== 'png-gamma.png'))('has the pixels of its file', async (picture) => {
    const element = await elementOf(URL.createObjectURL(blobOf(picture.file)));
    const tensor = await imageToTensorAsync(element, options);
    expect([picture.file, await summary(tensor)]).toEqual([picture.file, uprightOf(picture)]);
  });

  test.each(['width="20" height="10"', 'viewBox="0 0 20 10"'])('is drawn if it is an SVG', async (size) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><path d="M0 0H20V10H0Z" fill="#ff804080"/></svg>`;
    const element = await elementOf(URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })));
    const drawn = imageToTensor(element, options);
    const { dims, data } = await imageToTensorAsync(element, options);
    expect([size, dims, await sha256(data)]).toEqual([size, drawn.dims, await sha256(drawn.data)]);
    expect(Math.abs(data[0] - 255) + Math.abs(data[1] - 128) + Math.abs(data[2] - 64)).toBeLessThan(4);
  });
});

describe("a caller's bitmap", () => {
  test.each(translucent)('that keeps colors apart from alpha', async ({ file, stored }) => {
    const bitmap = await createImageBitmap(blobOf(file), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
    expect([file, await summary(imageToTensor(bitmap, options))]).toEqual([file, stored]);
  });

  test.each(translucent)('that multiplies colors by alpha is read by the canvas', async ({ file }) => {
    const bitmap = await createImageBitmap(blobOf(file), { premultiplyAlpha: 'premultiply' });
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    expect([file, await sha256(imageToTensor(bitmap, options).data)]).toEqual([file, await sha256(data)]);
  });
});

describe.each(hasWebGL2 ? [0] : [])('WebGL2', () => {
  test('is asked for one context, which may be lost', async () => {
    const { file, stored } = pictures.find(({ opaque }) => !opaque);
    for (let turn = 0; turn < 3; turn++) {
      for (let i = 0; i < 5; i++)
        expect(await summary(await imageToTensorAsync(blobOf(file), options))).toEqual(stored);
      contexts.at(-1).getExtension('WEBGL_lose_context').loseContext();
    }
    expect(contexts.length).toBe(3);
  });
});

export { runTests } from '@jest/globals';
