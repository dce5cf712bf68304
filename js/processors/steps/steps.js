/** The steps from a picture to a picture that come before numbers. Each says in `reads` which settings it reads. */
import { rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import {
  areaSize,
  both,
  boundedRatioSize,
  boundedSize,
  centered,
  edgeOf,
  exactSize,
  gemmaSize,
  longestEdgeSize,
  multipleAbove,
  multipleBelow,
  multipleSize,
  pixelBounds,
  pixtralSize,
  resizePicture,
  samSize,
  shortestEdgeSize,
  sizeBySetting,
  sizeOf,
  square,
  squareSide,
  volumeSize,
  yolosSize,
} from '../pictures/index.js';

/** @import { Backend, Call, Picture, Size, Step } from '../types.js' */

/** Makes a step of a function that changes a picture. `reads`: the settings that it reads
 * @type {(reads: readonly string[], step: (call: Call, picture: Picture) => Picture) => Step} */
export const step = (reads, step) => Object.assign(step, { reads });

/** Resizes a picture to `size` by the filter of the setting `resample`, or bilinear.
 * @type {(call: Call, picture: Picture, size: Size) => Picture} */
export const resizeTo = ({ backend, settings }, picture, size) =>
  resizePicture(picture, size, resizeMethodOf(backend, settings.resample ?? 'bilinear'));

/** The library that resizes, and its name of the filter, which settings name as Pillow does.
 * @type {(backend: Backend, filter: string) => Picture['resizeMethod']} */
export const resizeMethodOf = (backend, filter) => ({
  backend,
  filter: backend === 'pil' ? filter : torchFilter(filter),
});

/** torchvision's name of a filter. Its `nearest` is torch's older rule, which settings call nearest_floor.
 * @type {(filter: string) => string} */
function torchFilter(filter) {
  if (filter === 'nearest') return 'nearest_exact';
  return filter === 'nearest_floor' ? 'nearest' : filter;
}

/** Refuses numbers of tokens of a picture that Gemma 4 was not trained with.
 * @type {(tokens: number) => void} */
export function checkSoftTokens(tokens) {
  if (![70, 140, 280, 560, 1120].includes(tokens))
    rangeError(`max_soft_tokens must be 70, 140, 280, 560 or 1120, got ${tokens}`);
}

/** Resizes a picture to at most `max_soft_tokens` tokens if `do_resize` is on, as Gemma 4 does. Its filter goes to
 * torch by name, so `nearest` is torch's older rule of the nearest pixel, not Pillow's as in `torchFilter`.
 * @type {(call: Call, picture: Picture) => Picture} */
export function resizeGemma({ backend, settings }, picture) {
  const { do_resize: resizes, resample: filter = 'bilinear', patch_size: patch, pooling_kernel_size: pool } = settings;
  const patchesOfToken = pool ** 2;
  const maxPatches = settings.max_soft_tokens * patchesOfToken;
  // Also without resizing, because this refuses a limit that leaves no token.
  const size = gemmaSize(sizeOf(picture), patch, maxPatches, pool);
  const method = { backend, filter: filter === 'nearest_floor' ? 'nearest' : filter };
  return resizes ? resizePicture(picture, size, method) : picture;
}

/** Makes a step that resizes pictures to the size that `rule` gives for theirs, if `do_resize` is on. `reads`: the
 * settings that `rule` reads; the step's `sizeFor` gives the size after the step, without a picture
 * @type {(reads: readonly string[], rule: (call: Call, size: Size) => Size) => Step & { sizeFor: typeof rule }} */
export const resizing = (reads, rule) => {
  /** @type {typeof rule} */
  const sizeFor = (call, size) => (call.settings.do_resize ? rule(call, size) : size);
  const resize = step(['do_resize', 'resample', ...reads], (call, picture) =>
    call.settings.do_resize ? resizeTo(call, picture, rule(call, sizeOf(picture))) : picture,
  );
  return Object.assign(resize, { sizeFor });
};

/** The settings of a size: whether a number is a square or a shortest edge is up to `default_to_square`. */
export const sizeKeys = ['size', 'default_to_square'];

/** Resizes to the setting `size`. */
export const resize = resizing(sizeKeys, ({ settings }, size) => sizeBySetting(size, settings.size));

/** Resizes to `size` if `do_resize` is on. torchvision does not antialias then; Pillow always does. */
export const resizePoint = step(resize.reads, ({ backend, settings }, picture) => {
  if (!settings.do_resize) return picture;
  const method = { ...resizeMethodOf(backend, settings.resample ?? 'bilinear'), antialias: false };
  // torchvision refuses lanczos then, too. The message has Pillow's numbers of filters.
  if (backend === 'torchvision' && method.filter === 'lanczos')
    rangeError('resample must be 0, 2 or 3 here, where nothing is antialiased, got 1');
  return resizePicture(picture, sizeBySetting(sizeOf(picture), settings.size), method);
});

/** Resizes to `size` as YOLOS does: to multiples of 16 where `size` has a shortest and a longest edge. */
export const resizeYolos = resizing([...sizeKeys, 'max_size'], ({ settings }, size) =>
  sizeBySetting(size, settings.size, yolosSize),
);

/** Resizes to `size` as DETR does. Older files call its longest edge `max_size`. */
export const resizeDetr = resizing([...sizeKeys, 'max_size'], ({ settings }, size) =>
  sizeBySetting(size, settings.size, boundedSize),
);

/** Resizes to `size`, with sides rounded up to multiples of `size_divisor`, as MaskFormer does. */
export const resizeMaskFormer = resizing([...sizeKeys, 'max_size', 'size_divisor'], ({ settings }, size) => {
  const divisor = settings.size_divisor || 1;
  return both(sizeBySetting(size, settings.size), (extent) => multipleAbove(extent, divisor));
});

/** From this edge on ConvNeXt crops nothing. */
const convNextLargeEdge = 384;

/** Resizes as ConvNeXt does: to a square of `size` where that is large, else the shorter side to `size / crop_pct`, of
 * which the middle is cropped. */
export const resizeConvNext = step(['do_resize', 'resample', 'crop_pct', ...sizeKeys], (call, picture) => {
  const { settings } = call;
  if (!settings.do_resize) return picture;
  const edge = edgeOf(settings.size, 'shortest_edge');
  if (edge >= convNextLargeEdge) return resizeTo(call, picture, square(edge));
  const share = settings.crop_pct ?? 224 / 256; // Python's default
  const larger = shortestEdgeSize(sizeOf(picture), Math.trunc(edge / share));
  const resized = resizeTo(call, picture, larger);
  return centered(call, resized, square(edge));
});

/** Resizes to `size / crop_pct`: a shortest edge or a square is the shorter side, other sizes are both sides. */
export const resizePoolFormer = resizing(['crop_pct', ...sizeKeys], ({ settings }, size) => {
  const { crop_pct: share, size: setting = {} } = settings;
  if (share === undefined) return sizeBySetting(size, setting);
  if (setting.shortest_edge !== undefined) return shortestEdgeSize(size, Math.trunc(setting.shortest_edge / share));
  const larger = both(exactSize(setting), (extent) => Math.trunc(extent / share));
  const isSquare = setting.width === setting.height;
  return isSquare ? shortestEdgeSize(size, larger.height) : larger;
});

/** Resizes the shorter side to `size`, the longer to at most 1333 / 800 of it, both down to multiples of
 * `size_divisor`, as BridgeTower and ViLT do. */
export const resizeBridgeTower = resizing(['size_divisor', ...sizeKeys], ({ settings }, size) =>
  boundedRatioSize(size, edgeOf(settings.size, 'shortest_edge'), settings.size_divisor ?? 1),
);

/** Resizes the shorter side to `resize_short`, and rounds both up to multiples of `size_divisor`, as PP-LCNet does; to
 * `size` without that key. */
export const resizeLcnet = resizing(['resize_short', 'size_divisor', ...sizeKeys], ({ settings }, size) => {
  const { resize_short: edge, size_divisor: divisor } = settings;
  if (edge === undefined) return sizeBySetting(size, settings.size);
  const scale = edge / Math.min(size.width, size.height);
  return both(size, (extent) => multipleAbove(roundHalfToEven(extent * scale), divisor || 1));
});

/** Resizes the longer side to `longest_edge`, as TVP does; the other one is truncated. To `size` without that key. */
export const resizeTvp = resizing(sizeKeys, ({ settings }, { width, height }) => {
  const edge = settings.size?.longest_edge;
  if (edge === undefined) return sizeBySetting({ width, height }, settings.size);
  const isTall = height >= width;
  if (isTall) return { width: Math.trunc(edge * (width / height)), height: edge };
  return { width: edge, height: Math.trunc(edge * (height / width)) };
});

/** Resizes to `size` as Video-LLaVA does, which ignores a longest edge beside the shortest one. */
export const resizeVideoLlava = resizing(sizeKeys, ({ settings: { size = {} } }, pictureSize) =>
  size.shortest_edge === undefined
    ? sizeBySetting(pictureSize, size)
    : shortestEdgeSize(pictureSize, size.shortest_edge),
);

/** Resizes to sides of multiples of `spatial_factor` with `min_pixels` to `max_pixels` pixels, as Emu 3 does. */
export const resizeEmu3 = resizing(['spatial_factor', 'min_pixels', 'max_pixels'], ({ settings }, size) =>
  areaSize(size, {
    factor: settings.spatial_factor,
    minPixels: settings.min_pixels,
    maxPixels: settings.max_pixels,
  }),
);

/** Resizes to multiples of `spatial_factor` with as many pixels as the bounds in `size` say, as Apertus does. */
export const resizeApertus = resizing(['spatial_factor', ...sizeKeys], ({ settings }, size) => {
  const { min_pixels: minPixels, max_pixels: maxPixels } = settings.size;
  if (minPixels === undefined) rangeError('size must have the keys min_pixels and max_pixels here');
  return areaSize(size, { factor: settings.spatial_factor, minPixels, maxPixels });
});

/** Fits the picture into `size`, on black, as Sapiens 2 does; without padding resizes to it. */
export const resizeSapiens2 = step(['do_pad', ...resize.reads], (call, picture) => {
  const { settings } = call;
  if (!settings.do_resize || !settings.do_pad) return resize(call, picture);
  const to = exactSize(settings.size);
  const fitted = resizeTo(call, picture, fittedSize(sizeOf(picture), to));
  return centered(call, fitted, to);
});

/** The largest size in the picture's ratio that fits into `to`. @type {(size: Size, to: Size) => Size} */
const fittedSize = (size, to) => sizeBySetting(size, { max_height: to.height, max_width: to.width });

/** Shrinks the picture into `size`, as Fuyu does; never enlarges it. The settings of padding are for Fuyu's class. */
export const resizeFuyu = step([...resize.reads, 'do_pad', 'padding_value'], (call, picture) => {
  const { settings } = call;
  if (!settings.do_resize) return picture;
  const pictureSize = sizeOf(picture);
  const to = exactSize(settings.size);
  const fits = pictureSize.width <= to.width && pictureSize.height <= to.height;
  return fits ? picture : resizeTo(call, picture, fittedSize(pictureSize, to));
});

/** Resizes the shorter side to 256 / 224 of `shortest_edge`, as LeViT does; to `size` without that key. */
export const resizeLevit = resizing(sizeKeys, ({ settings }, size) => {
  const edge = settings.size?.shortest_edge;
  if (edge === undefined) return exactSize(settings.size);
  return shortestEdgeSize(size, Math.trunc((256 / 224) * edge));
});

/** Resizes the longer side to the longest edge of `size`, as SAM does. */
export const resizeSam = resizing(sizeKeys, ({ settings }, size) =>
  samSize(size, edgeOf(settings.size, 'longest_edge')),
);

/** Resizes to `size` with sides rounded to multiples of `ensure_multiple_of`, as DPT does; in the picture's ratio with
 * `keep_aspect_ratio`. */
export const resizeDpt = resizing(['keep_aspect_ratio', 'ensure_multiple_of', ...sizeKeys], ({ settings }, size) => {
  const to = exactSize(settings.size);
  const { keep_aspect_ratio: keepsAspect = false, ensure_multiple_of: multiple = 1 } = settings;
  return multipleSize(size, to, { keepsAspect, multiple });
});

/** Cuts both sides down to multiples of `size_divisor`, as GLPN does. */
export const resizeGlpn = resizing(['size_divisor'], ({ settings }, size) =>
  both(size, (extent) => multipleBelow(extent, settings.size_divisor ?? 32)),
);

/** Resizes the shorter side to the shortest edge of `size`, and rounds both up to multiples of `size_divisor`, as
 * TextNet does. */
export const resizeTextNet = resizing(['size_divisor', ...sizeKeys], ({ settings }, size) => {
  const { size_divisor: divisor = 32 } = settings;
  const scaled = shortestEdgeSize(size, edgeOf(settings.size, 'shortest_edge'));
  return both(scaled, (extent) => multipleAbove(extent, divisor));
});

/** Shrinks a picture into `size`, or into a square of its longest edge, and rounds up to whole patches, as Pixtral
 * does. */
export const resizePixtral = resizing(['patch_size', ...sizeKeys], ({ settings }, size) => {
  const edge = settings.size?.longest_edge;
  const to = edge === undefined ? exactSize(settings.size) : square(edge);
  return pixtralSize(size, to, exactSize(settings.patch_size, 'patch_size'));
});

/** Resizes to whole tokens within bounds of the number of pixels, as Qwen2-VL does. The bounds are the edges of `size`,
 * in whose place the class puts `min_pixels` and `max_pixels`. */
export const resizeQwen = resizing(
  ['patch_size', 'merge_size', 'min_pixels', 'max_pixels', ...sizeKeys],
  ({ settings }, size) => {
    const tokenSide = settings.patch_size * settings.merge_size;
    return areaSize(size, { factor: tokenSide, ...pixelBounds(settings.size) });
  },
);

/** Resizes to whole tokens within bounds of the number of pixels, those of all frames of a patch together, as GLM-4V
 * does. */
export const resizeGlm = resizing(
  ['patch_size', 'merge_size', 'temporal_patch_size', ...sizeKeys],
  ({ settings }, size) => {
    const tokenSide = settings.patch_size * settings.merge_size;
    const { temporal_patch_size: frames } = settings;
    return volumeSize(size, { factor: tokenSide, ...pixelBounds(settings.size), frames });
  },
);

/** Resizes the longer side to that of the square `size`, and both to at least `min_size`, as Janus does. */
export const resizeJanus = resizing(['min_size', ...sizeKeys], ({ settings }, size) =>
  longestEdgeSize(size, squareSide(settings.size), settings.min_size ?? 1),
);
