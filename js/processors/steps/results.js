/** From pictures to the tensors that a processor returns, under Python's names. */
import { bytesOf, largest, rangeError } from '../../arguments/index.js';
import { checkLength, dtypes, newData, readOut, sizeOf as countOf, tensorOf } from '../../tensor/index.js';
import { encoded, normalizing, numbersOf, rowOf } from '../../image/internal.js';
import { checkKept, exactSize, multipleAbove, sizeOf, writePicture } from '../pictures/index.js';
import { resizePixtral, resizeSam } from './steps.js';

/** @import { DType, Tensor } from '../../tensor/index.js' */
/** @import { NumberStep } from '../../image/types.js' */
/** @import { Call, Counting, Make, Made, Numbers, Picture, Rectangle, Size, StepReport } from '../types.js' */

/** @typedef {Rectangle & { isMirrored?: boolean }} Frame where a picture lies, and whether zeros lie beside it */

/** Names the settings that a function reads, in its property `reads`.
 * @type {<F extends (call: Call, pictures: Picture[], layout: Made) => unknown>(reads: readonly string[], of: F) =>
 *   F & { reads: readonly string[] }} */
export const withSettings = (reads, of) => Object.assign(of, { reads });

/** Adds to a class its `get_number_of_image_patches`, which takes a picture without pixels.
 * @type {<M extends Make>(make: M, patches: Counting['patches']) => M & Counting} */
export const counting = (make, patches) => Object.assign(make, { patches });

/** The factor of rescaling, where it is on. @type {(call: Call) => number | undefined} */
const rescaleFactor = ({ settings }) => (settings.do_rescale ? settings.rescale_factor : undefined);

/** The factor, mean and deviation of the steps that are on.
 * @type {(call: Call) => import('../../image/types.js').Scaling} */
export const scalingOf = (call) => ({
  factor: rescaleFactor(call),
  mean: call.settings.do_normalize ? call.settings.image_mean : undefined,
  std: call.settings.do_normalize ? call.settings.image_std : undefined,
});

/** Refuses a flag that is off. @type {(call: Call, name: string) => void} */
export const needs = ({ settings }, name) => settings[name] || rangeError(`${name} must be true, got false`);

/** @typedef {import('../../image/types.js').Scaling} Scaling */

/** The steps of a scaling, for reportNumbers. @type {(scaling: Scaling) => StepReport[]} */
const stepsOf = ({ factor, mean, std }) => [
  ...(factor === undefined ? [] : [{ name: /** @type {const} */ ('rescale'), factor }]),
  ...(mean === undefined ? [] : [{ name: /** @type {const} */ ('normalize'), mean, std }]),
];

/** Reports the steps of numbers and the padding of a picture to the caller's listener.
 * @type {(picture: Picture, numbers: Numbers, frame?: Frame) => void} */
export function reportNumbers(picture, { steps = [] }, frame = ownFrame(picture)) {
  for (const step of steps) picture.onStep?.(step);
  reportFrame(picture, sizeOf(picture), frame);
}

/** Reports padding, where a frame is larger than the picture.
 * @type {({ onStep }: Picture, size: Size, frame: Frame) => void} */
export function reportFrame({ onStep }, { width, height }, { isMirrored, ...frame }) {
  if (frame.width !== width || frame.height !== height)
    onStep?.({ name: 'pad', ...frame, ...(!isMirrored && { fill: 0 }) });
}

const rescaleKeys = ['do_rescale', 'rescale_factor'];
const normalizeKeys = ['do_normalize', 'image_mean', 'image_std'];

/** Numbers by a scaling, with its steps for the caller's listener.
 * @type {(call: Call, scaling: Scaling, options?: { isReversed?: boolean, channels?: number }) => Numbers} */
const scaled = ({ backend, dtype }, scaling, options) => ({
  ...numbersOf(backend, scaling, { dtype, ...options }),
  steps: stepsOf(scaling),
});

/** Numbers that are rescaled and normalized where the flags are on, as most classes have them. */
export const usualNumbers = withSettings([...rescaleKeys, ...normalizeKeys], (call) => scaled(call, scalingOf(call)));

/** The usual numbers, with as many planes as the first image has. */
export const ownChannelNumbers = withSettings(usualNumbers.reads, (call, pictures) =>
  scaled(call, scalingOf(call), { channels: pictures[0].image.channels }),
);

/** The usual numbers, but float32 where neither step is on, not bytes. */
export const floatNumbers = withSettings(usualNumbers.reads, (call) =>
  usualNumbers({ ...call, dtype: call.dtype ?? dtypes.float32 }),
);

/** The usual numbers, in the order blue, green, red. */
export const reversedNumbers = withSettings(usualNumbers.reads, (call) =>
  scaled(call, scalingOf(call), { isReversed: true }),
);

/** Numbers that are rescaled alone. */
export const rescaledNumbers = withSettings(rescaleKeys, (call) => scaled(call, { factor: rescaleFactor(call) }));

/** Numbers that are rescaled, in the order blue, green, red with `do_flip_channel_order`, as MobileViT has them. */
export const flippedNumbers = withSettings([...rescaleKeys, 'do_flip_channel_order'], (call) =>
  scaled(call, { factor: rescaleFactor(call) }, { isReversed: call.settings.do_flip_channel_order }),
);

/** Numbers as EfficientNet has them: `rescale_offset` subtracts 1, and `include_top` divides by the deviation a second
 * time. */
export const efficientNetNumbers = withSettings(
  [...rescaleKeys, ...normalizeKeys, 'rescale_offset', 'include_top'],
  (call) => {
    const { backend, dtype, settings } = call;
    const scaling = scalingOf(call);
    /** @type {NumberStep[]} */
    const then = [];
    const isOffset = settings.rescale_offset && scaling.factor !== undefined;
    if (isOffset) then.push((value) => value - 1);
    // With an offset torchvision does not fuse the two.
    if (isOffset && scaling.mean !== undefined) then.push(normalizing(scaling.mean, settings.image_std));
    if (settings.include_top) then.push(normalizing(0, settings.image_std ?? 1));
    const before = isOffset ? { factor: scaling.factor } : scaling;
    const steps = stepsOf(scaling).map((step) =>
      isOffset && step.name === 'rescale' ? { ...step, offset: -1 } : step,
    );
    if (settings.include_top) steps.push({ name: 'normalize', mean: 0, std: settings.image_std ?? 1 });
    return { ...numbersOf(backend, before, { dtype, then }), steps };
  },
);

/** An int64 tensor of numbers, or of rows of one length.
 * @type {(rows: readonly (number | readonly number[])[], dims?: readonly number[]) => Tensor} */
export function int64(rows, dims = [rows, rows[0]].flatMap((list) => (Array.isArray(list) ? list.length : []))) {
  const values = rows.flat();
  const data = newData(dtypes.int64, values.length, undefined);
  values.forEach((value, i) => (data[i] = BigInt(value)));
  return tensorOf(dtypes.int64, data, [...dims]);
}

/** An int64 tensor [N, 2] of heights and widths. @type {(sizes: readonly Size[]) => Tensor} */
export const sizesTensor = (sizes) => int64(sizes.map(({ height, width }) => [height, width]));

/** The size that all frames have; refuses frames that differ. @type {(frames: readonly Size[]) => Size} */
export function commonFrame(frames) {
  const [{ width, height }] = frames;
  frames.forEach((frame, i) => {
    if (frame.width === width && frame.height === height) return;
    const wanted = `${width} x ${height} pixels as the first`;
    rangeError(`images[${i}] must become ${wanted}, got ${frame.width} x ${frame.height}`);
  });
  return { width, height };
}

/** A tensor for `pixel_values`, filled with zeros: over the memory of the call's `out`, if it has one.
 * @type {(call: Pick<Call, 'out' | 'reshape'>, dtype: DType, extents: readonly number[]) => Tensor} */
export function pixelTensor({ out, reshape }, dtype, extents) {
  const dims = [...(reshape?.(extents) ?? extents)];
  if (out === undefined) return tensorOf(dtype, newData(dtype, countOf(dims), undefined), dims);
  const target = readOut(outName, out, dtype, dims);
  checkLength(target);
  return tensorOf(dtype, target.data.fill(0), dims);
}

/** How messages call a tensor to write to. */
export const outName = 'out pixel_values';

/** The call without `out`, for outputs other than `pixel_values`. @type {(call: Call) => Call} */
export const inOwnMemory = (call) => ({ ...call, out: undefined });

/** Writes pictures one after the other.
 * @param {Call} call
 * @param {readonly Picture[]} pictures
 * @param {Numbers} numbers
 * @param {readonly Frame[]} frames of one size: where each picture lies
 * @param {object} [placement]
 * @param {readonly number[]} [placement.dims] [N, 3, H, W] if omitted
 * @param {number} [placement.border] the number beside pictures
 * @param {readonly number[]} [placement.places] the place of each picture in the result; their order if omitted
 * @returns {Tensor} */
export function toTensor(call, pictures, numbers, frames, { dims, places, border = 0 } = {}) {
  const { width, height } = commonFrame(frames);
  pictures.forEach(checkKept);
  const planes = numbers.channels.sources.length;
  const extents = dims ?? [pictures.length, planes, height, width];
  const tensor = pixelTensor(call, numbers.dtype, extents);
  const bytes = bytesOf(tensor.data);
  if (border !== 0) bytes.set(rowOf(encoded(Float32Array.of(border), numbers.dtype), tensor.data.length));
  const part = (planes * width * height * numbers.dtype.bits) / 8;
  pictures.forEach((picture, i) => reportNumbers(picture, numbers, frames[i]));
  pictures.forEach((picture, i) => {
    const first = (places ? places[i] : i) * part;
    writePicture(picture, numbers, frames[i], true, bytes.subarray(first, first + part));
  });
  return tensor;
}

/** Stacks pictures of equal sizes: [N, 3, H, W].
 * @type {(call: Call, pictures: readonly Picture[], numbers?: (call: Call) => Numbers) => Tensor} */
export const stack = (call, pictures, numbers = usualNumbers) =>
  toTensor(call, pictures, numbers(call), pictures.map(ownFrame));

/** Splits a list with an entry for each image into lists for each sample.
 * @type {<T>(call: Call, list: readonly T[]) => T[][]} */
export function bySample({ samples }, list) {
  let done = 0;
  return samples.map((count) => list.slice(done, (done += count)));
}

/** The frame that a picture fills. @type {(picture: Picture) => Rectangle} */
export const ownFrame = (picture) => ({ x: 0, y: 0, ...sizeOf(picture) });

/** The frames of a batch: pictures at the top left, in the largest width and height or in `size`.
 * @type {(pictures: readonly Picture[], size?: Size) => Rectangle[]} */
export const batchFrames = (pictures, size) => commonFrames(pictures.map(sizeOf), size);

/** The frames for pictures of some sizes: the largest width and height, or `size`, which has to hold each.
 * @type {(sizes: readonly Size[], size?: Size) => Rectangle[]} */
function commonFrames(sizes, size) {
  const width = size?.width ?? largest(sizes.map((entry) => entry.width));
  const height = size?.height ?? largest(sizes.map((entry) => entry.height));
  for (const entry of sizes)
    if (entry.width > width || entry.height > height)
      rangeError(`pad_size must be at least ${entry.width} x ${entry.height}, got ${width} x ${height}`);
  return sizes.map(() => ({ x: 0, y: 0, width, height }));
}

/** The setting `pad_size` as a size; undefined without it. @type {(call: Call) => Size | undefined} */
const padSizeOf = ({ settings: { pad_size: size } }) => size && exactSize(size, 'pad_size');

/** The frames of pictures at their top left: all of `pad_size`, or else as large as the largest, with `do_pad`;
 * without, each of its picture's size. */
export const framesByPadSize = withSettings(['do_pad', 'pad_size'], (call, pictures) =>
  framesOfSizes(call, pictures.map(sizeOf)),
);

/** The frames of `framesByPadSize`, for pictures of some sizes.
 * @type {(call: Call, sizes: readonly Size[]) => Rectangle[]} */
export const framesOfSizes = (call, sizes) =>
  call.settings.do_pad ? commonFrames(sizes, padSizeOf(call)) : sizes.map((size) => ({ x: 0, y: 0, ...size }));

/** The frames of the largest width and height with `do_pad`, as Pixtral has them. */
export const framesByBatch = withSettings(['do_pad'], (call, pictures) =>
  call.settings.do_pad ? batchFrames(pictures) : pictures.map(ownFrame),
);

/** The frames of `pad_size` or the largest width and height, whatever `do_pad` says, as MaskFormer has them. */
export const framesOfBatch = withSettings(['pad_size'], (call, pictures) => batchFrames(pictures, padSizeOf(call)));

/** The frames of the largest width and height, whatever the settings say, as Emu 3 has them. */
export const framesOfLargest = withSettings([], (_, pictures) => batchFrames(pictures));

/** The frames of multiples of `size_divisor` with the picture in the middle, the odd pixel on the right and at the
 * bottom, as DPT has them. */
export const framesByDivisor = withSettings(['do_pad', 'size_divisor'], (call, pictures) =>
  pictures.map((picture) => {
    const { do_pad: pads, size_divisor: divisor } = call.settings;
    if (!pads || divisor === undefined) return ownFrame(picture);
    const pictureSize = sizeOf(picture);
    const [width, height] = [multipleAbove(pictureSize.width, divisor), multipleAbove(pictureSize.height, divisor)];
    return {
      x: Math.floor((width - pictureSize.width) / 2),
      y: Math.floor((height - pictureSize.height) / 2),
      width,
      height,
    };
  }),
);

/** The output `original_sizes`: heights and widths before any step. */
export const originalSizes = withSettings([], (_, __, { originals }) => ({
  original_sizes: sizesTensor(originals),
}));

/** SAM's outputs of sizes: before any step, and after resizing. */
export const samSizes = withSettings([], (call, _, { originals }) => ({
  original_sizes: sizesTensor(originals),
  reshaped_input_sizes: sizesTensor(originals.map((size) => resizeSam.sizeFor(call, size))),
}));

/** The output `image_sizes`: heights and widths before padding. */
export const imageSizes = withSettings([], (_, pictures) => ({ image_sizes: sizesTensor(pictures.map(sizeOf)) }));

/** The output `image_sizes` of Pixtral, whose torchvision class measures before a crop. */
export const pixtralSizes = withSettings([], (call, pictures, { originals }) =>
  call.backend === 'pil'
    ? imageSizes(call, pictures)
    : { image_sizes: sizesTensor(originals.map((size) => resizePixtral.sizeFor(call, size))) },
);

/** The output `pixel_mask`: 1 where the batch's tensor shows a picture, 0 in its border. */
export const pixelMask = withSettings([], (call, pictures, { frames }) => ({
  pixel_mask: maskOf(call, pictures.map(sizeOf), frames[0]),
}));

/** The output `pixel_mask` where `do_pad` is on, as DETR has it. */
export const pixelMaskIfPadded = withSettings(['do_pad'], (call, pictures, layout) =>
  call.settings.do_pad ? pixelMask(call, pictures, layout) : {},
);

/** A mask [N, H, W] that is 1 where a frame shows its picture.
 * @type {(call: Call, sizes: readonly Size[], frame: Size, dims?: readonly number[]) => Tensor} */
export function maskOf({ maskDtype = dtypes.int64 }, sizes, frame, dims) {
  const data = newData(maskDtype, sizes.length * frame.height * frame.width, undefined);
  const shown = maskDtype === dtypes.int64 ? 1n : 1;
  sizes.forEach(({ width, height }, i) => {
    // Rows of the frame's whole width are one run.
    const [runs, length] = width === frame.width ? [1, height * width] : [height, width];
    for (let run = 0; run < runs; run++) {
      const first = (i * frame.height + run) * frame.width;
      data.fill(shown, first, first + length);
    }
  });
  return tensorOf(maskDtype, data, [...(dims ?? [sizes.length, frame.height, frame.width])]);
}
