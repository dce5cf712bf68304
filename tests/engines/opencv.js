/**
 * The results of OpenCV and of the projects above it, byte for byte. `globalThis.openCv` has the goldens and their
 * pictures: a formula, or bytes in base64.
 */
import { beforeAll, expect, runTests, test } from '@jest/globals';
import { init } from 'onnx-layout/image';
import { callOf } from '../image/resizing/opencv-calls.js';
import { channelsOf, formulaPicture } from '../support/formula-picture.js';

beforeAll(() => init());

const { goldens, inputs } = globalThis.openCv;
const pictures = new Map();

function pictureOf(key) {
  const { mode, width, height, base64 } = inputs[key];
  if (!pictures.has(key)) {
    const data = base64 && Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    pictures.set(key, data ? { data, width, height, channels: channelsOf[mode] } : formulaPicture(inputs[key]));
  }
  return pictures.get(key);
}

async function sha256({ buffer, byteOffset, byteLength }) {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(buffer, byteOffset, byteLength));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

test.each(goldens)('a golden', async (golden) => {
  const { id, input, output } = golden;
  expect([id, await sha256(callOf(pictureOf(input), golden).data)]).toEqual([id, output.sha256]);
});

globalThis.report = runTests();
