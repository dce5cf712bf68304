/** Pixels of a tensor's numbers, piece by piece through the module's memory. */
import * as cpp from '../../../dist/bridge/images.js';
import { bytesBetween } from '../../arguments/index.js';
import { dtypes } from '../../tensor/index.js';
import { checkMemory } from '../memory/index.js';
import { conversionBytes, placeInLine } from '../tensors/index.js';
import { ready } from './load.js';
import { area, callBlock, callFloats } from './module.js';
import { resultBytes, sourceBytes } from './pixel-converter.js';

/** @import { DType } from '../../tensor/index.js' */

/** @typedef {{ dtype: DType, data: Uint8Array, count: number, isPlanar: boolean }} ImageTensor `count`: of its
 *   channels */

/** The address for which the kernel makes a byte 255. */
const noNumbers = 0;

/** Makes RGBA pixels of a tensor's numbers, which undoes a normalization: a byte is (number * std + mean) / scale,
 * rounded. `formulas`: for each of the four bytes the channel whose numbers it takes, scale, mean and std; a channel of
 * -1 gives 255.
 * @type {(tensor: ImageTensor, formulas: number[][], pixels: Uint8Array | Uint8ClampedArray) => void} */
export function rgbaBytes(tensor, formulas, pixels) {
  const { dtype, data, count, isPlanar } = tensor;
  const { convert, rgba, saturateFlag } = ready();
  const size = pixels.length / 4;
  checkMemory('read', data, (size * count * dtype.bits) / 8);
  // A piece is at most `conversionBytes` of float32, and a multiple of 16 pixels, of 64 bytes a channel.
  const step = 16 * Math.floor(conversionBytes / (64 * count));
  area.clear();
  const stagedAt = area.allocate(sourceBytes);
  const to = area.allocate(resultBytes) + placeInLine(pixels, 0);
  const isFloat = dtype === dtypes.float32;
  const floatsAt = isFloat ? stagedAt : area.allocate(conversionBytes);
  const staged = area.view(Uint8Array, stagedAt, conversionBytes);
  for (let done = 0; done < size; done += step) {
    const pieceSize = Math.min(step, size - done);
    stageNumbers(tensor, size, done, pieceSize, staged);
    if (!isFloat) convert(dtype.code, dtypes.float32.code, stagedAt, floatsAt, pieceSize * count, saturateFlag);
    callBlock[cpp.rgbaPixelsDst] = to;
    callBlock[cpp.rgbaPixelsCount] = pieceSize;
    callBlock[cpp.rgbaPixelsStep] = isPlanar ? 1 : count;
    const channelBytes = isPlanar ? 4 * pieceSize : 4;
    formulas.forEach(([channel, scale, mean, std], byte) => {
      const struct = cpp.rgbaPixelsBytes + byte * cpp.rgbaByteWords;
      callBlock[struct + cpp.rgbaByteNumbers] = channel < 0 ? noNumbers : floatsAt + channel * channelBytes;
      callFloats[struct + cpp.rgbaByteScale] = scale;
      callFloats[struct + cpp.rgbaByteMean] = mean;
      callFloats[struct + cpp.rgbaByteStd] = std;
    });
    rgba();
    pixels.set(area.view(Uint8Array, to, 4 * pieceSize), 4 * done);
  }
}

/** Copies the numbers of `pieceSize` of a tensor's `size` pixels, from pixel `first` on, to `staged`: of planes that of
 * each plane, one behind the other.
 * @type {(tensor: ImageTensor, size: number, first: number, pieceSize: number, staged: Uint8Array) => void} */
function stageNumbers({ dtype, data, count, isPlanar }, size, first, pieceSize, staged) {
  const [planes, numbersPerPixel] = isPlanar ? [count, 1] : [1, count];
  const pixelBytesInPlane = (numbersPerPixel * dtype.bits) / 8;
  const pieceBytes = pieceSize * pixelBytesInPlane;
  for (let plane = 0; plane < planes; plane++) {
    const from = (plane * size + first) * pixelBytesInPlane;
    staged.set(bytesBetween(data, from, from + pieceBytes), plane * pieceBytes);
  }
}
