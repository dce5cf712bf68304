/**
 * Letterboxes, borders, grays and blobs, from the rules of Ultralytics and OpenCV. A picture is `{ data, width, height,
 * channels }`, its rows without padding. Imports nothing of js/.
 */
import { cvResize, pick, rint } from './resizing/opencv-resize.reference.js';

const { ceil, floor, fround, max, min, trunc } = Math;

/** A picture with a border of one color: a byte for each channel. */
function framed({ data, width, height, channels }, { top, bottom, left, right }, color) {
  const columns = left + width + right;
  const rows = top + height + bottom;
  const result = new Uint8Array(columns * rows * channels);
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++)
      for (let c = 0; c < channels; c++) {
        const isInside = y >= top && y < top + height && x >= left && x < left + width;
        result[(y * columns + x) * channels + c] = isInside
          ? data[((y - top) * width + x - left) * channels + c]
          : color[c];
      }
  return { data: result, width: columns, height: rows, channels };
}

/** The size of the picture in the letterbox, and its scale. */
function innerSize({ width: w, height: h }, { width, height, scaleup, rounding }) {
  if (rounding === 'aspect')
    return h / w > height / width
      ? [max(1, trunc(height / (h / w))), height, height / h]
      : [width, max(1, trunc(width * (h / w))), max(1, trunc(width * (h / w))) / h];
  if (rounding === 'ceil') return [min(ceil(height * (w / h)), width), height, height / h];
  let r = min(height / h, width / w);
  if (!scaleup) r = min(r, 1);
  const round = rounding === 'floor' ? floor : rint;
  return [max(round(w * r), 1), max(round(h * r), 1), r];
}

/** The letterbox of a picture: its pixels and its geometry. */
export function letterboxOf(picture, options) {
  const all = { auto: false, stride: 32, scaleFill: false, scaleup: true, center: true, background: 114, ...options };
  const { width, height, auto, stride, scaleFill, center, background: color, filter = 'linear', rounding } = all;
  const [fittedWidth, fittedHeight, scale] = innerSize(picture, all);
  let size = [fittedWidth, fittedHeight];
  let bars = [width - fittedWidth, height - fittedHeight];
  if (auto) bars = bars.map((bar) => bar % stride);
  else if (scaleFill)
    [size, bars] = [
      [width, height],
      [0, 0],
    ];
  const before = bars.map((bar) => (center ? rint(bar / 2 - 0.1) : 0));
  const after = bars.map((bar) => rint((center ? bar / 2 : bar) + 0.1));
  const [left, top] = before.map((bar) => bar + 0);
  const inner = cvResize(picture, ...size, filter);
  const bytes = Array.from({ length: picture.channels }, (_, c) => (Array.isArray(color) ? color[c] : (color ?? 0)));
  const result = framed(inner, { top, bottom: after[1], left, right: after[0] }, bytes);
  const isRigid = (rounding === 'floor' || rounding === 'aspect') && !(scaleFill && !auto);
  const source = { width: picture.width, height: picture.height };
  return {
    ...result,
    scale,
    scaleX: isRigid ? scale : size[0] / source.width,
    scaleY: isRigid ? scale : size[1] / source.height,
    left,
    top,
    resized: { width: size[0], height: size[1] },
    source,
    center,
  };
}

/** cv2.copyMakeBorder. */
export function padded(
  picture,
  { top = 0, bottom = 0, left = 0, right = 0, border = 'constant', background: color = 0 },
) {
  const bytes = Array.from({ length: picture.channels }, (_, c) => (Array.isArray(color) ? color[c] : color));
  if (border === 'constant') return framed(picture, { top, bottom, left, right }, bytes);
  const places = (extent, before, after) =>
    Array.from({ length: before + extent + after }, (_, at) => {
      let i = at - before;
      if (border === 'replicate') return max(0, min(i, extent - 1));
      if (extent === 1) return 0;
      while (i < 0 || i >= extent) {
        if (border === 'wrap') i += i < 0 ? extent : -extent;
        else if (border === 'reflect') i = i < 0 ? -1 - i : 2 * extent - 1 - i;
        else i = i < 0 ? -i : 2 * extent - 2 - i;
      }
      return i;
    });
  return pick(picture, places(picture.width, left, right), places(picture.height, top, bottom));
}

/** Gray pixels of RGB or RGBA: OpenCV's. */
export const gray = ({ data, width, height, channels }) => ({
  data: Uint8Array.from({ length: width * height }, (_, i) => {
    const [r, g, b] = data.subarray(i * channels, i * channels + 3);
    return channels === 1 ? r : floor((9798 * r + 19235 * g + 3735 * b + 16384) / 32768);
  }),
  width,
  height,
  channels: 1,
});

/** cv2.dnn.blobFromImage: the numbers of one picture in planes. */
export function blobOf(picture, { scalefactor = 1, width, height, mean = 0, swapRB = false, crop = false }) {
  const size = [width ?? picture.width, height ?? picture.height];
  let resized = picture;
  if (size[0] !== picture.width || size[1] !== picture.height) {
    if (crop) {
      const f = max(...size.map((side, axis) => fround(side / [picture.width, picture.height][axis])));
      const all = cvResize(picture, rint(picture.width * f), rint(picture.height * f), 'linear', f);
      const first = [floor(0.5 * (all.width - size[0])), floor(0.5 * (all.height - size[1]))];
      const range = (axis) => Array.from({ length: size[axis] }, (_, i) => first[axis] + i);
      resized = pick(all, range(0), range(1));
    } else {
      resized = cvResize(picture, ...size);
    }
  }
  const { channels, data } = resized;
  const order = swapRB && channels > 2 ? [2, 1, 0, 3] : [0, 1, 2, 3];
  const area = size[0] * size[1];
  return Float32Array.from({ length: area * channels }, (_, i) => {
    const c = floor(i / area);
    const value = data[(i % area) * channels + order[c]];
    const subtracted = fround(typeof mean === 'number' ? mean : (mean[c] ?? 0));
    return fround(fround(value - subtracted) * fround(scalefactor));
  });
}
