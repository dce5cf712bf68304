/** Tensors and pictures as pixels: the commands `resize` and `letterbox`. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { kindBytes, kindOf } from '../../arguments/index.js';
import { Tensor } from '../../index.js';
import { Entry } from '../../io/index.js';
import { readImage } from '../../node/index.js';
import { ofFile, openFile, readBytes } from '../files.js';

/** @import { Weights } from '../../node/index.js' */
/** @import { Pixels, Streams } from '../types.js' */

/** @typedef {{ data: ArrayBufferView, width: number, height: number }} Picture */

/** Opens a file as {@link openFile} does or, if it is a picture, decodes it to a tensor of uint8 [H, W, C]. The
 * beginning of the file tells which; standard input is read whole for that.
 * @type {(streams: Streams, path: string, dtype: Tensor['type'] | undefined) => Promise<Weights>} */
export async function openPicture(streams, path, dtype) {
  const start = path === '-' ? await readBytes(streams, path) : firstBytes(path);
  const isPicture = kindOf(start)?.endsWith('picture');
  // Standard input is used up, so `openFile` gets its bytes once more; it reads other files by their paths.
  if (!isPicture) return openFile({ ...streams, stdin: yieldOnce(start) }, path, dtype);
  const bytes = path === '-' ? start : await readBytes(streams, path);
  const { data, width, height, channels } = await ofFile(path, () => readImage(bytes));
  // As a .npy file, whose one tensor has no name.
  const entry = new Entry(new Tensor('uint8', data, [height, width, channels]));
  return { format: 'npy', entries: new Map([['', entry]]), byteLength: data.length, close: async () => {} };
}

/** Yields standard input that was read to tell its kind.
 * @type {(bytes: Buffer) => AsyncGenerator<Buffer>} */
async function* yieldOnce(bytes) {
  yield bytes;
}

/** Reads the first bytes of a file, by which its kind is told. Zeros, which are no picture, for a path that is no file:
 * {@link openFile} opens or refuses that.
 * @type {(path: string) => Buffer} */
function firstBytes(path) {
  const bytes = Buffer.alloc(kindBytes);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return bytes;
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Makes a function of tensors from one of pixels, `operate`; the result has as many axes. `hasFloats`: whether float32
 * [H, W] (Pillow's mode F) may be the input, too; `name`: of the command, for messages.
 * @type {(name: string, operate: (image: Pixels, options: any) => Picture, hasFloats: boolean) =>
 *   (tensor: Tensor, options: unknown) => Tensor} */
export const onPixels =
  (name, operate, hasFloats) =>
  ({ type, dims, data }, options) => {
    const isBytes = type === 'uint8' && (dims.length === 2 || dims.length === 3);
    const isFloats = hasFloats && type === 'float32' && dims.length === 2;
    if (!isBytes && !isFloats) {
      const rule = `uint8 [H, W] or [H, W, C]${hasFloats ? ', or float32 [H, W]' : ''}`;
      throw new TypeError(`${name}: IN must be ${rule}, got ${type} [${dims.join(', ')}]`);
    }
    const [height, width, channels = 1] = dims;
    const result = operate({ data, width, height, channels }, options);
    return new Tensor(type, result.data, [result.height, result.width, ...dims.slice(2)]);
  };
