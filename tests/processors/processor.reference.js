/**
 * The image processors of transformers 5.23.0, step by step from their rules, in plain loops. Each
 * step makes a whole picture: `{ data, width, height }`, RGB bytes without padding. Imports nothing of js/.
 */
import { resize as resizeBytes } from '../image/resizing/resize.reference.js';

// Under Jest, looking up a global takes a hundred times as long as a constant of the module.
const { abs, ceil, floor, fround, max, min, sqrt, trunc } = Math;

/** A result that the oracle leaves out, because computing it in loops would take too long. */
export class TooLarge extends Error {}
/** Refusals of processors: a result without pixels, or a picture of a shape that Qwen2-VL does not take. */
export class Refused extends Error {}

const mostPixels = 120_000;

const filters = ['nearest', 'lanczos', 'bilinear', 'bicubic', 'box', 'hamming'];

const blank = (width, height) => {
  if (!(width >= 1 && height >= 1)) throw new Refused();
  if (width * height > mostPixels) throw new TooLarge();
  return { data: new Uint8Array(3 * width * height), width, height };
};

/** An image as RGB: on white by its alpha, or without its alpha. */
export function toRgb({ data, width, height, channels, rowstride = width * channels }, isOnWhite) {
  const picture = blank(width, height);
  let i = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * rowstride + x * channels;
      const alpha = isOnWhite && channels % 2 === 0 ? data[at + channels - 1] : 255;
      for (let c = 0; c < 3; c++) {
        const color = data[at + (channels < 3 ? 0 : c)];
        const t = (color * alpha + 255 * (255 - alpha)) * 128 + 16384;
        picture.data[i++] = alpha === 255 ? color : alpha === 0 ? 255 : (((t >> 8) + t) >> 8) >> 7;
      }
    }
  }
  return picture;
}

function resize(picture, [height, width], code, backend) {
  if (width === picture.width && height === picture.height) return picture;
  blank(width, height);
  const filter = backend === 'torchvision' && code === 0 ? 'nearest_exact' : filters[code];
  return resizeBytes({ ...picture, channels: 3 }, { width, height, filter, backend });
}

/** A part of a picture; what lies beyond is 0. */
function part(picture, top, left, height, width) {
  const result = blank(width, height);
  for (let y = max(0, -top); y < min(height, picture.height - top); y++)
    for (let x = max(0, -left); x < min(width, picture.width - left); x++)
      for (let c = 0; c < 3; c++)
        result.data[3 * (y * width + x) + c] = picture.data[3 * ((y + top) * picture.width + x + left) + c];
  return result;
}

/** A picture on black, with as many rows above and columns before it. */
const bordered = (picture, top, left, height, width) => part(picture, -top, -left, height, width);

function centerCrop(picture, height, width, backend) {
  const { width: w, height: h } = picture;
  if (backend === 'pil') {
    const [top, left] = [floor((h - height) / 2), floor((w - width) / 2)];
    if (top >= 0 && left >= 0) return part(picture, top, left, height, width);
    const [newH, newW] = [max(h, height), max(w, width)];
    // The odd row and column of the border go to the top and the left.
    const [above, before] = [ceil((newH - h) / 2), ceil((newW - w) / 2)];
    const large = bordered(picture, above, before, newH, newW);
    return part(large, top + above, left + before, height, width);
  }
  const [above, before] = [floor(max(height - h, 0) / 2), floor(max(width - w, 0) / 2)];
  const large = bordered(picture, above, before, max(h, height), max(w, width));
  return part(large, trunc((large.height - height) / 2), trunc((large.width - width) / 2), height, width);
}

const entry = (list, c) => (Array.isArray(list) ? list[c] : list);

/** The number that a byte becomes. */
function numberOf(byte, c, { do_rescale, rescale_factor: factor, do_normalize, image_mean, image_std }, backend) {
  const [mean, std] = [fround(entry(image_mean, c) ?? 0), fround(entry(image_std, c) ?? 1)];
  if (backend === 'torchvision' && do_rescale && do_normalize) {
    const k = fround(1 / factor);
    return fround(fround(byte - fround(mean * k)) / fround(std * k));
  }
  let value = byte;
  if (do_rescale) value = fround(byte * (backend === 'pil' ? factor : fround(factor)));
  return do_normalize ? fround(fround(value - mean) / std) : value;
}

/** Planes of numbers: `{ data, width, height }`, of three channels; bytes where nothing is done to them. */
function numbers({ data, width, height }, settings, backend) {
  const size = width * height;
  const isBytes = !settings.do_rescale && !settings.do_normalize;
  const planes = new (isBytes ? Uint8Array : Float32Array)(3 * size);
  for (let c = 0; c < 3; c++) {
    const table = Array.from({ length: 256 }, (_, byte) => numberOf(byte, c, settings, backend));
    for (let i = 0; i < size; i++) planes[c * size + i] = table[data[3 * i + c]];
  }
  return { data: planes, width, height };
}

/** Planes in a frame of zeros. */
function framed({ data, width, height }, frameHeight, frameWidth, top = 0, left = 0) {
  const channels = data.length / width / height;
  const result = new data.constructor(channels * frameWidth * frameHeight);
  for (let c = 0; c < channels; c++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        result[(c * frameHeight + y + top) * frameWidth + x + left] = data[(c * height + y) * width + x];
  return { data: result, width: frameWidth, height: frameHeight };
}

/** Python's round: ties to even. */
function round(value) {
  const below = floor(value);
  // Not floor(value + 0.5): that sum rounds 0.49999999999999994 up to 1.
  if (value - below !== 0.5) return value - below < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}

const up = (value, multiple) => value + ((multiple - (value % multiple)) % multiple);

// Sizes are [height, width], as in Python.

function shortest(h, w, edge) {
  const long = trunc((edge * max(h, w)) / min(h, w));
  return w <= h ? [long, edge] : [edge, long];
}

function detrSize(h, w, edge, longest, isYolos = false) {
  const [low, high] = [min(h, w), max(h, w)];
  let [short, exact] = [edge, edge];
  if ((high / low) * edge > longest) {
    exact = (longest * low) / high;
    short = round(exact);
  }
  const stays = (h <= w && h === short) || (w <= h && w === short);
  let size;
  if (stays && !isYolos) size = [h, w];
  else if (w < h) size = [trunc((exact * h) / w), short];
  else if (stays) size = [h, w];
  else size = [short, trunc((exact * w) / h)];
  return isYolos ? [size[0] - (size[0] % 16), size[1] - (size[1] % 16)] : size;
}

function dptSize(h, w, { size, keep_aspect_ratio: keeps, ensure_multiple_of: multiple }) {
  let [down, across] = [size.height / h, size.width / w];
  if (keeps) {
    if (abs(1 - across) < abs(1 - down)) down = across;
    else across = down;
  }
  return [round((down * h) / multiple) * multiple, round((across * w) / multiple) * multiple];
}

function qwenSize(h, w, { size, patch_size: patch, merge_size: merge }) {
  if (max(h, w) / min(h, w) > 200) throw new Refused();
  const unit = patch * merge;
  const rounded = [round(h / unit) * unit, round(w / unit) * unit];
  const { shortest_edge: least, longest_edge: most } = size;
  if (rounded[0] * rounded[1] > most) {
    const scale = sqrt((h * w) / most);
    return [h, w].map((side) => max(unit, floor(side / scale / unit) * unit));
  }
  if (rounded[0] * rounded[1] < least) {
    const scale = sqrt(least / (h * w));
    return [h, w].map((side) => ceil((side * scale) / unit) * unit);
  }
  return rounded;
}

function pixtralSize(h, w, { size, patch_size: patch }) {
  const [height, width] = [size.longest_edge ?? size.height, size.longest_edge ?? size.width];
  const ratio = max(h / height, w / width);
  const [down, across] = ratio > 1 ? [floor(h / ratio), floor(w / ratio)] : [h, w];
  return [(floor((down - 1) / patch.height) + 1) * patch.height, (floor((across - 1) / patch.width) + 1) * patch.width];
}

function siglip2Size(h, w, { patch_size: patch, max_num_patches: most }) {
  const scaled = (scale, side) => max(patch, ceil((side * scale) / patch) * patch);
  let [low, high] = [1e-5 / 10, 100];
  while (high - low >= 1e-5) {
    const scale = (low + high) / 2;
    if ((scaled(scale, h) / patch) * (scaled(scale, w) / patch) <= most) low = scale;
    else high = scale;
  }
  return [scaled(low, h), scaled(low, w)];
}

/** The size by the keys of `size`. */
function sizeByKeys(h, w, size) {
  const { shortest_edge: edge, longest_edge: longest, max_height: maxHeight, max_width: maxWidth } = size;
  if (edge !== undefined && longest !== undefined) return detrSize(h, w, edge, longest);
  if (edge !== undefined) return shortest(h, w, edge);
  if (maxHeight === undefined) return [size.height, size.width];
  const scale = min(maxHeight / h, maxWidth / w);
  return [trunc(h * scale), trunc(w * scale)];
}

/** Processors that resize to a size of their own rule. */
const sizeRules = {
  Detr: (h, w, { size }) => sizeByKeys(h, w, size),
  Yolos: (h, w, { size }) =>
    size.longest_edge === undefined
      ? sizeByKeys(h, w, size)
      : detrSize(h, w, size.shortest_edge, size.longest_edge, true),
  Sam: (h, w, { size: { longest_edge: longest } }) => [h, w].map((side) => trunc(side * (longest / max(h, w)) + 0.5)),
  DPT: dptSize,
  CHMv2: dptSize,
  TextNet: (h, w, { size, size_divisor: divisor }) =>
    shortest(h, w, size.shortest_edge).map((side) => up(side, divisor)),
  GLPN: (h, w, { size_divisor: divisor }) => [h, w].map((side) => floor(side / divisor) * divisor),
  Levit: (h, w, { size }) =>
    size.shortest_edge === undefined
      ? [size.height, size.width]
      : shortest(h, w, trunc((256 / 224) * size.shortest_edge)),
  PoolFormer: (h, w, { size, crop_pct: share }) =>
    share ? shortest(h, w, trunc((size.shortest_edge ?? size.height) / share)) : sizeByKeys(h, w, size),
  Qwen2VL: qwenSize,
  Pixtral: pixtralSize,
  Siglip2: siglip2Size,
};

function donut(picture, settings, backend) {
  const { size, resample, do_align_long_axis, do_resize, do_thumbnail, do_pad } = settings;
  const { height: th, width: tw } = size;
  let made = picture;
  if (do_align_long_axis && ((tw < th && made.width > made.height) || (tw > th && made.width < made.height))) {
    const { width: h, height: w } = made;
    const turned = blank(w, h);
    for (let y = 0; y < h; y++)
      for (let x = 0; x < w; x++)
        for (let c = 0; c < 3; c++) turned.data[3 * (y * w + x) + c] = made.data[3 * ((w - 1 - x) * h + y) + c];
    made = turned;
  }
  if (do_resize) made = resize(made, shortest(made.height, made.width, min(th, tw)), resample, backend);
  if (do_thumbnail) {
    const { height: h, width: w } = made;
    let [height, width] = [min(h, th), min(w, tw)];
    if (height !== h || width !== w) {
      if (h > w) width = trunc((w * height) / h);
      else if (w > h) height = trunc((h * width) / w);
      made = resize(made, [height, width], backend === 'pil' && resample === 0 ? 3 : resample, backend);
    }
  }
  if (!do_pad) return made;
  return bordered(made, floor((th - made.height) / 2), floor((tw - made.width) / 2), th, tw);
}

function convNext(picture, { size: { shortest_edge: edge }, crop_pct: share, resample }, backend) {
  if (edge >= 384) return resize(picture, [edge, edge], resample, backend);
  const larger = resize(picture, shortest(picture.height, picture.width, trunc(edge / share)), resample, backend);
  return centerCrop(larger, edge, edge, backend);
}

function cropPerceiver(picture, { size, crop_size: crop }, backend) {
  const short = min(picture.height, picture.width);
  const [height, width] = [trunc((size.height / crop.height) * short), trunc((size.width / crop.width) * short)];
  return centerCrop(picture, max(1, height), max(1, width), backend);
}

/** The picture of bytes that a processor makes before numbers. */
function pictureOf(kind, original, settings, backend) {
  const { do_resize, do_center_crop, crop_size: crop, size, resample } = settings;
  let picture = original;
  const { height: h, width: w } = picture;
  if (kind === 'Donut') return donut(picture, settings, backend);
  if (kind === 'Perceiver' && do_center_crop) picture = cropPerceiver(picture, settings, backend);
  if (do_resize && kind === 'ConvNext') picture = convNext(picture, settings, backend);
  else if (do_resize && kind === 'Perceiver') picture = resize(picture, [size.height, size.width], resample, backend);
  else if (do_resize) {
    const rule = sizeRules[kind] ?? (() => sizeByKeys(h, w, size));
    picture = resize(picture, rule(h, w, settings), resample, backend);
  }
  if (do_center_crop && kind !== 'Perceiver') picture = centerCrop(picture, crop.height, crop.width, backend);
  return picture;
}

function mapped({ data, ...size }, change) {
  const plane = size.width * size.height;
  return { ...size, data: Float32Array.from(data, (value, i) => change(value, floor(i / plane))) };
}

function efficientNet(picture, settings, backend) {
  const { do_rescale, do_normalize, rescale_offset, include_top, image_mean: mean, image_std: std } = settings;
  const isOffset = rescale_offset && do_rescale;
  let planes = numbers(picture, isOffset ? { ...settings, do_normalize: false } : settings, backend);
  if (isOffset) {
    planes = mapped(planes, (value) => value - 1);
    if (do_normalize)
      planes = mapped(planes, (value, c) => fround(value - fround(entry(mean, c))) / fround(entry(std, c)));
  }
  return include_top ? mapped(planes, (value, c) => value / fround(entry(std, c))) : planes;
}

/** Mirrored on the right and at the bottom, the outermost pixels twice. */
function swin2Sr({ data, width, height }, divisor) {
  const [w, h] = [width + divisor - (width % divisor), height + divisor - (height % divisor)];
  const mirror = (at, extent) => {
    const place = at % (2 * extent);
    return place < extent ? place : 2 * extent - 1 - place;
  };
  const result = new data.constructor(3 * w * h);
  for (let c = 0; c < 3; c++)
    for (let y = 0; y < h; y++)
      for (let x = 0; x < w; x++)
        result[(c * h + y) * w + x] = data[(c * height + mirror(y, height)) * width + mirror(x, width)];
  return { data: result, width: w, height: h };
}

/** A picture's planes, in a frame of its own where the processor has one. */
function planesOf(kind, picture, settings, backend) {
  const { do_pad, size_divisor: divisor, pad_size: pad } = settings;
  if (kind === 'EfficientNet') return efficientNet(picture, settings, backend);
  let planes = numbers(picture, settings, backend);
  if (kind === 'MobileViT' && settings.do_flip_channel_order) {
    const size = planes.data.length / 3;
    const flipped = [2, 1, 0].flatMap((c) => [...planes.data.subarray(c * size, (c + 1) * size)]);
    planes = { ...planes, data: planes.data.constructor.from(flipped) };
  }
  if (!do_pad) return planes;
  const { width: w, height: h } = planes;
  if (kind === 'Swin2SR') return swin2Sr(planes, divisor);
  if ((kind === 'DPT' || kind === 'CHMv2') && divisor) {
    const [height, width] = [up(h, divisor), up(w, divisor)];
    return framed(planes, height, width, floor((height - h) / 2), floor((width - w) / 2));
  }
  return pad && !padsBatch.includes(kind) ? framed(planes, pad.height, pad.width) : planes;
}

const padsBatch = ['Detr', 'GroundingDino', 'Yolos', 'RTDetr', 'Pixtral'];

/** Patches in groups, each with its channels, its frames (all alike), its rows. */
function qwenPatches({ data, width, height }, { patch_size: patch, merge_size: merge, temporal_patch_size: frames }) {
  const [rows, columns] = [height / patch, width / patch];
  const result = new data.constructor(frames * data.length);
  let i = 0;
  for (let gy = 0; gy < rows; gy += merge)
    for (let gx = 0; gx < columns; gx += merge)
      for (let my = 0; my < merge; my++)
        for (let mx = 0; mx < merge; mx++)
          for (let c = 0; c < 3; c++)
            for (let frame = 0; frame < frames; frame++)
              for (let y = (gy + my) * patch; y < (gy + my + 1) * patch; y++)
                for (let x = (gx + mx) * patch; x < (gx + mx + 1) * patch; x++)
                  result[i++] = data[(c * height + y) * width + x];
  return { data: result, rows, columns };
}

/** Patches row by row, each with its rows, its pixels, their channels. */
function siglipPatches({ data, width, height }, { patch_size: patch }) {
  const result = new data.constructor(data.length);
  let i = 0;
  for (let gy = 0; gy < height; gy += patch)
    for (let gx = 0; gx < width; gx += patch)
      for (let y = gy; y < gy + patch; y++)
        for (let x = gx; x < gx + patch; x++)
          for (let c = 0; c < 3; c++) result[i++] = data[(c * height + y) * width + x];
  return { data: result, rows: height / patch, columns: width / patch };
}

function joined(lists) {
  const result = new lists[0].constructor(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    result.set(list, at);
    at += list.length;
  }
  return result;
}

const typeOf = (data) => ({ Float32Array: 'float32', Uint8Array: 'uint8' })[data.constructor.name];
const values = (data, dims) => ({ type: typeOf(data), dims, data });
const int64 = (rows, dims) => ({ type: 'int64', dims, data: BigInt64Array.from(rows.flat(), BigInt) });
const sizes = (pictures) =>
  int64(
    pictures.map(({ height, width }) => [height, width]),
    [pictures.length, 2],
  );
const stacked = (planes) =>
  values(joined(planes.map(({ data }) => data)), [planes.length, 3, planes[0].height, planes[0].width]);

/** Where pictures lie in a frame at whose left and top they stand. */
function mask(pictures, frameHeight, frameWidth, dims = [pictures.length, frameHeight, frameWidth]) {
  const ones = new BigInt64Array(pictures.length * frameHeight * frameWidth);
  pictures.forEach(({ width, height }, i) => {
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) ones[(i * frameHeight + y) * frameWidth + x] = 1n;
  });
  return { type: 'int64', dims, data: ones };
}

/** The tiles of a picture whose sides are multiples of a tile's. */
function tiles(picture, side) {
  const list = [];
  for (let y = 0; y < picture.height; y += side)
    for (let x = 0; x < picture.width; x += side) list.push(part(picture, y, x, side, side));
  return list;
}

function idefics3(pictures, settings, backend) {
  const { size, max_image_size, do_image_splitting, do_pad, resample } = settings;
  const side = max_image_size.longest_edge;
  const all = pictures.flatMap((original) => {
    const ratio = original.width / original.height;
    const isWide = original.width >= original.height;
    let other = trunc(isWide ? size.longest_edge / ratio : size.longest_edge * ratio);
    other = max(1, other + (other % 2));
    const even = isWide ? [other, size.longest_edge] : [size.longest_edge, other];
    const whole = resize(original, even, resample, backend);
    if (!do_image_splitting) return [resize(whole, [side, side], resample, backend)];
    const [h, w] = even;
    const [height, width] =
      w >= h
        ? [up(trunc(up(w, side) / (w / h)), side), up(w, side)]
        : [up(h, side), up(trunc(up(h, side) * (w / h)), side)];
    const large = resize(whole, [height, width], resample, backend);
    if (height <= side && width <= side) return [large];
    return [...tiles(large, side), resize(large, [side, side], resample, backend)];
  });
  const { dims, data } = stacked(all.map((tile) => numbers(tile, settings, backend)));
  // torchvision pads into float32, also what is neither rescaled nor normalized.
  const isFloat = backend === 'torchvision' && do_pad;
  const outputs = { pixel_values: values(isFloat ? Float32Array.from(data) : data, [1, ...dims]) };
  if (do_pad) outputs.pixel_attention_mask = mask(all, side, side, [1, all.length, side, side]);
  return outputs;
}

function llavaNext(pictures, settings, backend) {
  const { size, crop_size: crop, image_grid_pinpoints: grids, resample } = settings;
  const side = crop.height;
  const square = size.height === undefined ? [size.shortest_edge, size.shortest_edge] : [size.height, size.width];
  const stacks = pictures.map((original) => {
    const { height: h, width: w } = original;
    let [best, most, least] = [undefined, 0, Infinity];
    for (const [height, width] of grids) {
      const scale = min(width / w, height / h);
      const used = min(trunc(w * scale) * trunc(h * scale), w * h);
      const wasted = width * height - used;
      if (used > most || (used === most && wasted < least)) [best, most, least] = [[height, width], used, wasted];
    }
    const [height, width] = best;
    const [across, down] = [width / w, height / h];
    const [newH, newW] = across < down ? [min(ceil(h * across), height), width] : [height, min(ceil(w * down), width)];
    const inside = resize(original, [newH, newW], resample, backend);
    const large = bordered(inside, floor((height - newH) / 2), floor((width - newW) / 2), height, width);
    return [resize(original, square, resample, backend), ...tiles(large, side)];
  });
  const most = max(...stacks.map(({ length }) => length));
  const planes = stacks.flatMap((stack) => [
    ...stack.map((tile) => numbers(tile, settings, backend)),
    ...Array.from({ length: most - stack.length }, () => {
      const { data, width, height } = numbers(stack[0], settings, backend);
      return { data: new data.constructor(data.length), width, height };
    }),
  ]);
  const { data } = stacked(planes);
  return {
    pixel_values: values(data, [stacks.length, most, 3, side, side]),
    image_sizes: sizes(pictures),
  };
}

function siglip2(pictures, settings, backend) {
  const { patch_size: patch, max_num_patches: most } = settings;
  const made = pictures.map((picture) =>
    siglipPatches(numbers(pictureOf('Siglip2', picture, settings, backend), settings, backend), settings),
  );
  const length = 3 * patch * patch;
  const [data, mask32] = [
    new made[0].data.constructor(made.length * most * length),
    new Int32Array(made.length * most),
  ];
  made.forEach((one, i) => {
    data.set(one.data, i * most * length);
    mask32.fill(1, i * most, i * most + one.rows * one.columns);
  });
  return {
    pixel_values: values(data, [made.length, most, length]),
    pixel_attention_mask: { type: 'int32', dims: [made.length, most], data: mask32 },
    spatial_shapes: int64(
      made.map(({ rows, columns }) => [rows, columns]),
      [made.length, 2],
    ),
  };
}

function qwen2Vl(pictures, settings, backend) {
  const made = pictures.map((picture) =>
    qwenPatches(numbers(pictureOf('Qwen2VL', picture, settings, backend), settings, backend), settings),
  );
  const bytes = joined(made.map((one) => one.data));
  // The PIL classes of patches always make floats.
  const data = backend === 'pil' ? Float32Array.from(bytes) : bytes;
  const length = 3 * settings.temporal_patch_size * settings.patch_size ** 2;
  return {
    pixel_values: values(data, [data.length / length, length]),
    image_grid_thw: int64(
      made.map(({ rows, columns }) => [1, rows, columns]),
      [made.length, 3],
    ),
  };
}

/** The picture and its trimap, which is rescaled alone. */
function vitMatte([picture], settings, backend, trimap) {
  const planes = numbers(picture, settings, backend);
  const gray = numbers(toRgb(trimap, false), { ...settings, do_normalize: false }, backend);
  const size = picture.width * picture.height;
  const all = new planes.data.constructor(4 * size);
  all.set(planes.data);
  all.set(gray.data.subarray(0, size), 3 * size);
  const divisor = settings.do_pad ? settings.size_divisor : 1;
  const [height, width] = [up(picture.height, divisor), up(picture.width, divisor)];
  const { data } = framed({ ...picture, data: all }, height, width);
  return { pixel_values: values(data, [1, 4, height, width]) };
}

const special = {
  Idefics3: idefics3,
  SmolVLM: idefics3,
  LlavaNext: llavaNext,
  Siglip2: siglip2,
  Qwen2VL: qwen2Vl,
  VitMatte: vitMatte,
};

const besideOf = {
  Gemma3: ({ originals }) => ({
    num_crops: int64(
      originals.map(() => 0),
      [originals.length],
    ),
  }),
  Sam2: ({ originals }) => ({ original_sizes: sizes(originals) }),
  Sam3: ({ originals }) => ({ original_sizes: sizes(originals) }),
  Sam: ({ originals, pictures }) => ({ original_sizes: sizes(originals), reshaped_input_sizes: sizes(pictures) }),
  Pixtral: ({ pictures }) => ({ image_sizes: sizes(pictures) }),
};

/**
 * The outputs of a processor.
 * @param {string} kind its name without ImageProcessor
 * @param {object[]} images as the package takes them
 * @param {object} settings all of them, as Python has them: sizes as objects
 * @param {'torchvision' | 'pil'} backend
 * @param {object} [trimap] VitMatte's
 * @returns {Record<string, { type: string, dims: number[], data: any }>} undefined where the pictures become of
 *   different sizes, and so no batch
 */
export function processed(kind, images, settings, backend, trimap) {
  const originals = images.map((image) => toRgb(image, settings.do_convert_rgb));
  if (special[kind]) return special[kind](originals, settings, backend, trimap);
  const pictures = originals.map((picture) => pictureOf(kind, picture, settings, backend));
  let planes = pictures.map((picture) => planesOf(kind, picture, settings, backend));
  const beside = besideOf[kind]?.({ originals, pictures }) ?? {};
  if (padsBatch.includes(kind) && settings.do_pad) {
    const pad = kind === 'Pixtral' ? undefined : settings.pad_size;
    const [height, width] = ['height', 'width'].map((side) => pad?.[side] ?? max(...planes.map((one) => one[side])));
    if (planes.some((one) => one.height > height || one.width > width)) return undefined;
    if (kind !== 'Pixtral') beside.pixel_mask = mask(pictures, height, width);
    planes = planes.map((one) => framed(one, height, width));
  }
  if (planes.some(({ width, height }) => width !== planes[0].width || height !== planes[0].height)) return undefined;
  const { dims, ...rest } = stacked(planes);
  return { pixel_values: { ...rest, dims: kind === 'VideoMAE' ? [1, ...dims] : dims }, ...beside };
}
