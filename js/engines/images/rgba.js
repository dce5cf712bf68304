/** Pixels of a tensor's numbers, piece by piece through the module's memory. The settings of a call are written to
 * `callBlock`, from which the kernel reads them as a struct: constants of `cpp` are the indices of its members. */
import * as cpp from '../../../dist/bridge/images.js';
import { bytesBetween } from '../../arguments/index.js';
import { dtypes } from '../../tensor/index.js';
import { checkMemory, floatBytes } from '../memory/index.js';
import { conversionBytes, placeInLine } from '../tensors/index.js';
import { ready } from './load.js';
import { area, callBlock, callFloats } from './module.js';
import { resultBytes, sourceBytes } from './pixel-converter.js';

/** @import { DType } from '../../tensor/index.js' */

/** A tensor of an image with `count` channels: each is a plane, or those of a pixel lie side by side.
 * @typedef {{ dtype: DType, data: Uint8Array, count: number, isPlanar: boolean }} ImageTensor */

const rgbaBytesPerPixel = 4;
/** The address for which the kernel makes a byte 255. */
const noNumbers = 0;

/** Makes RGBA pixels of a tensor's numbers, which undoes a normalization: a byte is (number * std + mean) / scale,
 * rounded. `formulas`: for each of the four bytes [channel, scale, mean, std], where the channel's numbers make the
 * byte; a channel of -1 gives 255.
 * @type {(tensor: ImageTensor, formulas: number[][], pixels: Uint8Array | Uint8ClampedArray) => void} */
export function rgbaBytes(tensor, formulas, pixels) {
  const { dtype, data, count, isPlanar } = tensor;
  const { convert, rgba, saturateFlag } = ready();
  const size = pixels.length / rgbaBytesPerPixel;
  checkMemory('read', data, (size * count * dtype.bits) / 8);
  // A piece is at most `conversionBytes` of float32, and a multiple of 16 pixels, of 64 bytes a channel.
  const maxPieceSize = 16 * Math.floor(conversionBytes / (16 * floatBytes * count));
  area.clear();
  const stagedAt = area.allocate(sourceBytes);
  const resultAt = area.allocate(resultBytes) + placeInLine(pixels, 0);
  const isFloat = dtype === dtypes.float32;
  const floatsAt = isFloat ? stagedAt : area.allocate(conversionBytes);
  const staged = area.view(Uint8Array, stagedAt, conversionBytes);
  for (let done = 0; done < size; done += maxPieceSize) {
    const pieceSize = Math.min(maxPieceSize, size - done);
    stageNumbers(tensor, size, done, pieceSize, staged);
    if (!isFloat) convert(dtype.code, dtypes.float32.code, stagedAt, floatsAt, pieceSize * count, saturateFlag);
    callBlock[cpp.rgbaPixelsDst] = resultAt;
    callBlock[cpp.rgbaPixelsCount] = pieceSize;
    callBlock[cpp.rgbaPixelsStep] = isPlanar ? 1 : count; // numbers from one pixel to the next
    writeFormulas(formulas, floatsAt, isPlanar ? floatBytes * pieceSize : floatBytes);
    rgba();
    const rgbaOfPiece = area.view(Uint8Array, resultAt, rgbaBytesPerPixel * pieceSize);
    pixels.set(rgbaOfPiece, rgbaBytesPerPixel * done);
  }
}

/** Writes the formulas of the four bytes to `callBlock`. The first number of channel c lies c * `channelBytes` behind
 * address `floatsAt`.
 * @type {(formulas: number[][], floatsAt: number, channelBytes: number) => void} */
function writeFormulas(formulas, floatsAt, channelBytes) {
  for (let byte = 0; byte < formulas.length; byte++) {
    const [channel, scale, mean, std] = formulas[byte];
    const struct = cpp.rgbaPixelsBytes + byte * cpp.rgbaByteWords;
    callBlock[struct + cpp.rgbaByteNumbers] = channel < 0 ? noNumbers : floatsAt + channel * channelBytes;
    callFloats[struct + cpp.rgbaByteScale] = scale;
    callFloats[struct + cpp.rgbaByteMean] = mean;
    callFloats[struct + cpp.rgbaByteStd] = std;
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
