/**
 * Numbers to quantized ones and back, piece by piece through the scratch area.
 *
 * The numbers of a piece are copied into the scratch area, its scales and zero points to `scalesByte` and `zerosByte`;
 * its results are made there, and copied out. In between its numbers lie in one of two stages. Places (`...At`) are in
 * bytes from the start of the scratch area.
 */
import * as cpp from '../../../../dist/bridge/tensors.js';
import { arrayClasses, bytesBetween, bytesOf } from '../../../arguments/index.js';
import { dataLength, dtypes, newData } from '../../../tensor/index.js';
import { convertBytes } from './convert.js';
import { checkMemory, floatBytes } from '../../memory/index.js';
import { callBlock, destinationByte, layout, placeInLine, scratch, scratchByte, scratchViews } from '../module.js';
import { pieceElements, scalesByte, widened, writeExactScales, writeScales, zerosByte } from './scales.js';

/** @import { TypedArrayClass } from '../../../arguments/types.js' */
/** @import { DType } from '../../../tensor/index.js' */
/** @import { TensorData } from '../../../tensor/types.js' */
/** @import { Grid, Quantization, Rounding, Scales } from '../types.js' */

/** A piece of `count` elements, from element `first` of the tensor on: places of its numbers and of its results.
 * @typedef {{ numbersAt: number, resultsAt: number, first: number, count: number }} StagedPiece */

/** Places of the two stages in the scratch area, in bytes. */
const firstStage = 6 * 2 ** 20;
const secondStage = 8 * 2 ** 20;

/** Chooses a stage for a copy of the numbers at place `at`: the stage that they are not in.
 * @type {(at: number) => number} */
const stageBeside = (at) => (at === firstStage ? secondStage : firstStage);

/** Converts the first `size` numbers of `source` from one format to another, into a new array; returns a view of them
 * if the formats are the same.
 * @type {(from: DType, to: DType, size: number, source: ArrayBufferView) => TensorData} */
export function numbersAs(from, to, size, source) {
  checkMemory('read', source, Math.ceil((size * from.bits) / 8));
  const { buffer, byteOffset } = bytesOf(source);
  if (from === to) {
    const ArrayClass = /** @type {TypedArrayClass} */ (arrayClasses[to.array]);
    return new ArrayClass(buffer, byteOffset, dataLength(to, size));
  }
  const numbers = newData(to, size, undefined);
  convertBytes(from, to, size, bytesOf(source), bytesOf(numbers));
  return numbers;
}

/** Quantizes numbers (ONNX's QuantizeLinear): divides each by its scale in the precision asked for. To an integer, the
 * quotient is rounded to nearest even, the zero point added, and the sum saturated; to a float, the zero point is added
 * in the precision, and the sum rounded as Cast does it. Scales are numbers of the precision, or float64 for exact
 * quotients, which the precision int32 asks for. See cpp/quantize/quantize.h.
 * @type {(work: Quantization, scaling: Scales, rounding: Rounding) => void} */
export function quantizeBytes(work, scaling, { precision, saturate }) {
  const { from, to } = work;
  const { quantize } = layout;
  const division = { from, precision, scales: widened(scaling), convert: converterOf(saturate) };
  const { scales, convert } = division;
  const isInteger = to.format.kind === 'int' && to.bits <= 16;
  // In a precision of 16 bits `stageDividends` divides already: `quantize` then divides by 1, and adds the zero points.
  const isDividedBefore = precision.bits === 16;
  const remainingScales = isDividedBefore ? { ...scales, scales: scales.scales.map(() => 1) } : scales;
  forEachPiece(work, (piece) => {
    if (precision === dtypes.int32) return quantizePieceExactly(division, to, piece);
    const { resultsAt, first, count } = piece;
    const dividendsAt = stageDividends(division, piece);
    const grid = writeScales(remainingScales, first, count);
    if (isInteger) {
      writeCall(dtypes.float32, to, count, grid, dividendsAt, resultsAt);
      return quantize();
    }
    const sumsAt = stageBeside(dividendsAt);
    writeCall(dtypes.float32, dtypes.float32, count, grid, dividendsAt, sumsAt);
    quantize();
    // The sum is rounded to the precision, then to the result's type.
    roundStage(division, sumsAt, count);
    return convert(dtypes.float32, to, sumsAt, resultsAt, count);
  });
}

/** Converts `count` elements from place `fromAt` of the scratch area to place `toAt`.
 * @typedef {(from: DType, to: DType, fromAt: number, toAt: number, count: number) => void} Convert */
/** How numbers of type `from` are divided: by `scales`, in `precision`.
 * @typedef {{ from: DType, precision: DType, scales: Scales, convert: Convert }} Division */

/** Quantizes a piece by exact quotients: divides in float64, in the first stage, and converts to the type `to`.
 * @type {(division: Division, to: DType, piece: StagedPiece) => void} */
function quantizePieceExactly({ from, scales, convert }, to, { numbersAt, resultsAt, first, count }) {
  convert(from, dtypes.float64, numbersAt, firstStage, count);
  writeExactScales(scales, first, count);
  cpp.writeExactQuantization(callBlock, {
    to: to.code,
    hasZeros: scales.zeros !== undefined,
    count,
    numbers: scratchByte + firstStage,
    scales: scratchByte + scalesByte,
    zeros: scratchByte + zerosByte,
  });
  layout.quantizeExactly();
  convert(dtypes.float64, to, firstStage, resultsAt, count);
}

/** Makes the float32 numbers of a piece that `quantize` divides, and returns their place: the piece's numbers; or, in
 * a precision of 16 bits, their quotients rounded to it, which `quantize` divides by 1. Overwrites both stages, scales
 * and zero points.
 * @type {(division: Division, piece: StagedPiece) => number} */
function stageDividends(division, { numbersAt, first, count }) {
  const { from, precision, scales, convert } = division;
  const isNarrow = precision.bits === 16;
  // Where the numbers are, and their type. They are rounded to a precision of 16 bits before they are divided.
  let [at, type] = [numbersAt, from];
  if (isNarrow && from !== precision) {
    convert(from, precision, at, firstStage, count);
    [at, type] = [firstStage, precision];
  }
  if (type !== dtypes.float32) {
    convert(type, dtypes.float32, at, secondStage, count);
    at = secondStage;
  }
  if (!isNarrow) return at;
  // A zero point of -0 changes no quotient.
  const grid = writeScales({ ...scales, zeros: undefined, defaultZeroPoint: -0 }, first, count);
  writeCall(dtypes.float32, dtypes.float32, count, grid, at, firstStage);
  layout.quantize();
  roundStage(division, firstStage, count);
  return firstStage;
}

/** Rounds the float32 numbers of the stage at `at` to the precision, in place, by way of the other stage.
 * @type {(division: Division, at: number, count: number) => void} */
function roundStage({ precision, convert }, at, count) {
  if (precision === dtypes.float32) return;
  const otherStage = stageBeside(at);
  convert(dtypes.float32, precision, at, otherStage, count);
  convert(precision, dtypes.float32, otherStage, at, count);
}

/** Writes the settings of a call of `quantize` or `dequantize` to `callBlock`. `grid`: how the numbers share the staged
 * scales.
 * @type {(from: DType, to: DType, count: number, grid: Grid, numbersAt: number, resultsAt: number) => void} */
function writeCall(from, to, count, grid, numbersAt, resultsAt) {
  cpp.writeQuantization(callBlock, {
    from: from.code,
    to: to.code,
    count,
    grid,
    src: scratchByte + numbersAt,
    scales: scratchByte + scalesByte,
    zeros: scratchByte + zerosByte,
    dst: scratchByte + resultsAt,
  });
}

/** Works through a quantization piece by piece: copies the numbers of a piece into the scratch area, calls
 * `makeResults` for them, and copies the results to the destination, if there is one.
 * @type {(work: Quantization, makeResults: (piece: StagedPiece) => void) => void} */
function forEachPiece({ from, to, size, source, destination }, makeResults) {
  checkMemory('read', source, Math.ceil((size * from.bits) / 8));
  if (destination) checkMemory('written', destination, Math.ceil((size * to.bits) / 8));
  const numbersAt = placeInLine(source, 0);
  const resultsAt = destinationByte + (destination ? placeInLine(destination, 0) : 0);
  for (let first = 0; first < size; first += pieceElements) {
    const end = Math.min(first + pieceElements, size);
    const count = end - first;
    scratch.set(bytesBetween(source, (first * from.bits) / 8, Math.ceil((end * from.bits) / 8)), numbersAt);
    makeResults({ numbersAt, resultsAt, first, count });
    if (!destination) continue;
    const resultBytes = Math.ceil((count * to.bits) / 8);
    destination.set(bytesBetween(scratch, resultsAt, resultsAt + resultBytes), (first * to.bits) / 8);
  }
}

/** Makes a function that converts elements from one place of the scratch area to another. `saturate`: whether float8
 * saturates.
 * @type {(saturate: boolean) => Convert} */
function converterOf(saturate) {
  const { convert, saturateFlag } = layout;
  const flags = saturate ? saturateFlag : 0;
  return (from, to, fromAt, toAt, count) =>
    convert(from.code, to.code, scratchByte + fromAt, scratchByte + toAt, count, flags);
}

/** Dequantizes numbers (ONNX's DequantizeLinear): subtracts from each its zero point, as float32, multiplies by its
 * scale, and rounds to the result's type. The difference of an int32 number and its zero point, which is float64 then,
 * is exact before it is rounded to float32. See cpp/quantize/quantize.h.
 * @type {(work: Quantization, scaling: Scales) => void} */
export function dequantizeBytes(work, scaling) {
  const scales = widened(scaling);
  const { from, to } = work;
  const saturate = true; // of no effect: nothing is converted to float8
  const convert = converterOf(saturate);
  const { dequantize, subtractExactly } = layout;
  // The kernel reads float32 and integers of up to 16 bits; other types are converted to float32 first.
  const isReadByKernel = from === dtypes.float32 || (from.format.kind === 'int' && from.bits <= 16);
  const subtractsBefore = from === dtypes.int32 && scales.zeros !== undefined;
  // Zero points that are subtracted already are not subtracted again.
  const remainingScales = subtractsBefore ? { ...scales, zeros: undefined } : scales;
  forEachPiece(work, ({ numbersAt, resultsAt, first, count }) => {
    if (subtractsBefore) {
      writeExactScales(scales, first, count);
      subtractExactly(count, scratchByte + numbersAt, scratchByte + zerosByte, scratchByte + firstStage);
    } else if (!isReadByKernel) convert(from, dtypes.float32, numbersAt, firstStage, count);
    const grid = writeScales(remainingScales, first, count);
    if (isReadByKernel) writeCall(from, to, count, grid, numbersAt, resultsAt);
    else writeCall(dtypes.float32, to, count, grid, firstStage, resultsAt);
    dequantize();
  });
}

/** Computes the range of `size` numbers of type `from` as float32, which is widened to hold 0. NaN is ignored.
 * @type {(from: DType, size: number, source: Uint8Array) => [lowest: number, highest: number]} */
export function rangeOf(from, size, source) {
  const { widenRange } = layout;
  const saturate = true; // of no effect: the result is not float8
  const convert = converterOf(saturate);
  const isFloat = from === dtypes.float32;
  // The module widens the range in the scratch area piece by piece, in the place of scales.
  const rangeAt = scalesByte;
  const range = scratchViews.Float32Array.subarray(rangeAt / floatBytes, rangeAt / floatBytes + 2);
  range.fill(0);
  forEachPiece({ from, to: from, size, source }, ({ numbersAt, count }) => {
    const floatsAt = isFloat ? numbersAt : firstStage;
    if (!isFloat) convert(from, dtypes.float32, numbersAt, floatsAt, count);
    widenRange(count, scratchByte + floatsAt, scratchByte + rangeAt);
  });
  const [lowest, highest] = range;
  return [lowest, highest];
}

/** Computes the lowest and the highest number of each block of a matrix: `block` columns of a row, fewer at its end.
 * @type {(numbers: Float32Array, dims: readonly [rows: number, columns: number], block: number) => Float32Array |
 *   undefined} [rows, blocks, 2]; undefined where a number is not finite */
export function blockRanges(numbers, [rows, columns], block) {
  const { Float32Array: floats } = scratchViews;
  const blocksPerRow = Math.ceil(columns / block);
  const ranges = new Float32Array(2 * rows * blocksPerRow);
  // The module writes the ranges of a piece to the scratch area, in the place of scales.
  const rangesAt = scalesByte;
  const firstRange = rangesAt / floatBytes;
  let first = 0;
  let writtenBlocks = 0;
  while (first < numbers.length) {
    let end = Math.min(first + pieceElements, numbers.length);
    const isLast = end === numbers.length;
    // A piece ends where a block begins, unless it is the last one.
    const columnOfEnd = end % columns;
    if (!isLast) end -= columnOfEnd % block;
    const count = end - first;
    floats.set(numbers.subarray(first, end));
    // For the module a row of numbers is an axis, whose elements share by blocks.
    const grid = { width: 1, rows: columns, block, row: first % columns, column: 0 };
    cpp.writeBlockRanges(callBlock, { count, grid, src: scratchByte, ranges: scratchByte + rangesAt });
    const blocks = layout.blockRanges();
    if (blocks < 0) return undefined; // a number is not finite
    ranges.set(floats.subarray(firstRange, firstRange + 2 * blocks), 2 * writtenBlocks);
    writtenBlocks += blocks;
    first = end;
  }
  return ranges;
}
