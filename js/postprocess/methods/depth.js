/** Depth: a map of a picture's size. */
import { mirroredMean, Planes } from '../../engines/results/index.js';
import { dtypes } from '../../tensor/index.js';
import { floats, PendingMap } from '../tensors.js';
import { floatOutput, method, optionalOutput } from './define.js';
import { dataOfPicture, makeList } from './detection.js';
import { flag, optional, sizes } from './options.js';

/** @import { ResizeMode } from '../../engines/results/index.js' */
/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Extents, Method, PictureSize, ReadTensor } from '../types.js' */

const depthOutput = { predicted_depth: floatOutput('batch', 'height', 'width') };

/** Makes one plane of the depth of picture `i`, of a tensor [batch, height, width].
 * @type {(tensor: ReadTensor, i: number) => Planes} */
function planeOf(tensor, i) {
  const [, height, width] = tensor.dims;
  return new Planes(dataOfPicture(tensor, i), { planes: 1, channels: 1, height, width });
}

/** Makes a pending map [height, width] of a plane. @type {(plane: Planes) => PendingMap} */
const mapOf = (plane) => new PendingMap(dtypes.float32, [plane.height, plane.width], (to) => plane.numbers(to));

/** Makes a pending map of a plane without the axes whose extent is 1: [height, width], [height], [width] or []. Python
 * squeezes a depth that it has resized.
 * @type {(plane: Planes) => PendingMap} */
function squeezedMapOf(plane) {
  const dims = [plane.height, plane.width].filter((extent) => extent !== 1);
  return new PendingMap(dtypes.float32, dims, (to) => plane.numbers(to));
}

/** Declares a method that only resizes the depth, by torch's `mode`. `align`: torch's `align_corners`; `keepsSides`:
 * axes of extent 1 stay.
 * @type {(mode: ResizeMode, options?: { align?: boolean, keepsSides?: boolean }) => Method} */
export const depth = (mode, { align = false, keepsSides = false } = {}) =>
  method({
    outputs: depthOutput,
    options: { target_sizes: sizes },
    makeAnswer: ({ predicted_depth: tensor }, options) =>
      makeList(tensor.dims[0], (i) => {
        const plane = planeOf(tensor, i);
        const size = options.target_sizes?.[i];
        const resized = size ? plane.resize(size, mode, align) : plane;
        return { predicted_depth: size && !keepsSides ? squeezedMapOf(resized) : mapOf(resized) };
      }),
  });

/** Computes the focal length, in pixels, of a picture of this width whose field of view is `angle` degrees:
 * width / 2 / tan(angle / 2), in torch's float32 steps.
 * @type {(angle: number, width: number) => number} */
function focalLength(angle, width) {
  const { fround } = Math;
  const radians = fround(angle * fround(Math.PI / 180));
  const tangent = fround(Math.tan(fround(0.5 * radians)));
  // torch divides a number by a tensor by multiplying it with the tensor's reciprocal.
  return fround(fround(1 / tangent) * fround(0.5 * width));
}

/** Depth Pro: the model's inverse depth is multiplied by width / focal length if the field of view is there, resized,
 * clamped to [1e-4, 1e4] and inverted to depth. */
export const depthPro = method({
  outputs: { ...depthOutput, field_of_view: optionalOutput(floatOutput('batch')) },
  options: { target_sizes: sizes },
  makeAnswer: ({ predicted_depth: tensor, field_of_view: angles }, options) =>
    makeList(tensor.dims[0], (i) => {
      const size = options.target_sizes?.[i];
      const angle = angles?.data[i] ?? null;
      const plane = planeOf(tensor, i);
      if (!size) return { predicted_depth: mapOf(toDepth(plane)), field_of_view: scalarOf(angle), focal_length: null };
      const [, width] = size;
      const focal = angle === null ? null : focalLength(angle, width);
      const scaled = focal === null ? plane : plane.scale(width, focal);
      return {
        predicted_depth: squeezedMapOf(toDepth(scaled.resize(size))),
        field_of_view: scalarOf(angle),
        focal_length: scalarOf(focal),
      };
    }),
});

/** Inverts Depth Pro's inverse depth, clamped to [1e-4, 1e4], to depth. @type {(plane: Planes) => Planes} */
const toDepth = (plane) => plane.clamp(1e-4, 1e4).invert();

/** Makes a tensor without axes of a number; null stays. @type {(value: number | null) => Tensor | null} */
const scalarOf = (value) => (value === null ? null : floats(Float32Array.of(value), []));

/** Computes ZoeDepth's padding in pixels, on each side, of a height or width: 3 times the root of half of it. */
const paddingOf = (/** @type {number} */ extent) => Math.trunc(Math.sqrt(extent / 2) * 3);

/** Resizes a plane by cubic interpolation, unless it has the size already.
 * @type {(plane: Planes, size: readonly number[]) => Planes} */
function resizeCubic(plane, [height, width]) {
  const hasSize = plane.height === height && plane.width === width;
  return hasSize ? plane : plane.resize([height, width], 'bicubic');
}

/** Resizes ZoeDepth's depth to the padded picture, and cuts the padding off. `source`: the picture's [height, width].
 * @type {(plane: Planes, source: PictureSize, isPadded: boolean) => Planes} */
function toSource(plane, source, isPadded) {
  const [height, width] = source;
  const [top, left] = isPadded ? source.map(paddingOf) : [0, 0];
  return resizeCubic(plane, [height + 2 * top, width + 2 * left]).crop(top, left, height, width);
}

/** ZoeDepth: if the outputs of the mirrored picture are there, the depth is the mean with them. It is resized to the
 * padded picture, whose padding is cut off, and then to the target. */
export const zoeDepth = method({
  outputs: depthOutput,
  options: {
    source_sizes: sizes,
    target_sizes: sizes,
    do_remove_padding: flag(undefined),
    outputs_flipped: optional(readFlipped),
  },
  makeAnswer({ predicted_depth: tensor }, options, settings) {
    // Without the option, the setting tells whether pictures were padded.
    const isPadded = options.do_remove_padding ?? settings.do_pad;
    const { dims } = tensor;
    const flipped = options.outputs_flipped;
    const data = flipped ? mirroredMean(tensor.data, flipped.data, dims[2]) : tensor.data;
    return makeList(dims[0], (i) => {
      const [source, target] = [options.source_sizes?.[i], options.target_sizes?.[i]];
      const plane = planeOf({ dims, data }, i);
      const ofPicture = source ? toSource(plane, source, Boolean(isPadded)) : plane;
      return { predicted_depth: mapOf(target ? resizeCubic(ofPicture, target) : ofPicture) };
    });
  },
});

/** Reads the depth of mirrored pictures, which is a tensor or an object of outputs with `predicted_depth`.
 * @type {(name: string, value: unknown, known: Extents) => ReadTensor} */
function readFlipped(name, value, known) {
  const outputs = /** @type {{ predicted_depth?: unknown } | null | undefined} */ (value);
  const depth = outputs?.predicted_depth ?? value;
  return floatOutput('batch', 'height', 'width').readOutput(`${name}.predicted_depth`, depth, known);
}
