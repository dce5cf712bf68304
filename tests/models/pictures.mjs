/** A hundred pictures made of the repository's own by crop, size and rotation, with Pillow's bytes. */
import { readFileSync } from 'node:fs';
import { readImage } from 'onnx-layout/node';
import { crop, resize } from 'onnx-layout/image';

/** @typedef {{ data: Uint8Array, width: number, height: number, channels: number }} Picture */

/** parts.json has for each its file, the part that is cut, the size that becomes, and the quarter turns. */
const list = JSON.parse(readFileSync(new URL('../goldens/models/parts.json', import.meta.url), 'utf8'));

/** @type {(kind: 'text' | 'photos') => AsyncGenerator<Picture>} */
export async function* pictures(kind) {
  /** @type {Map<string, Picture>} */
  const files = new Map();
  for (const { file, box, size, turns } of list[kind]) {
    if (!files.has(file)) files.set(file, rgb(await readImage(new URL(`../../${file}`, import.meta.url))));
    const part = crop(files.get(file), { box });
    const [width, height] = size;
    yield Array.from({ length: turns }).reduce(turned, resize(part, { width, height, filter: 'bicubic' }));
  }
}

/** @type {(picture: Picture) => Picture} */
function rgb({ data, width, height, channels }) {
  if (channels === 3) return { data, width, height, channels };
  const bytes = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 3; c++) bytes[3 * i + c] = data[channels * i + (channels < 3 ? 0 : c)];
  return { data: bytes, width, height, channels: 3 };
}

/** @type {(picture: Picture) => Picture} a quarter turn to the left, as Pillow's ROTATE_90 */
function turned({ data, width, height }) {
  const bytes = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++) bytes[3 * ((width - 1 - x) * height + y) + c] = data[3 * (y * width + x) + c];
  return { data: bytes, width: height, height: width, channels: 3 };
}
