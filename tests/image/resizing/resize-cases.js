/** Calls of resize and thumbnail at random: every mode, filter and option, in sizes and values where they differ. */
import { below, generator } from '../../support/samples.js';

const { floor, fround, max, min, round } = Math;

export const backends = {
  pil: ['nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos'],
  torchvision: ['nearest', 'nearest_exact', 'bilinear', 'bicubic', 'lanczos'],
};

export const openCvFilters = ['nearest', 'nearest_exact', 'linear', 'linear_exact', 'area', 'cubic', 'lanczos4'];

/** The bound of a picture's size, so that most cases take a fraction of a millisecond. */
const [usualPixels, largePixels] = [12_000, 500_000];

const oneOf = (random, list) => list[below(random, list.length)];
const chance = (random, part) => random() < part * 2 ** 32;
/** A number in [low, high). */
const between = (random, low, high) => low + (random() / 2 ** 32) * (high - low);

/** A side of a picture: small, or any, or often beside a multiple of 4 or 16. */
function randomSide(random, most) {
  const side = oneOf(random, [
    () => 1 + below(random, 6),
    () => 4 * (1 + below(random, 12)) + below(random, 3) - 1,
    () => 16 * (1 + below(random, 8)) + below(random, 3) - 1,
    () => 2 + below(random, 80),
    () => 2 + below(random, 80),
    () => 100 + below(random, 500),
  ])();
  return min(side, most);
}

/** Both sides of a picture, within a number of pixels. */
function randomSize(random, pixels) {
  const first = randomSide(random, pixels);
  const second = randomSide(random, max(1, floor(pixels / first)));
  return chance(random, 0.5) ? [first, second] : [second, first];
}

/** The side of a result: 1/50 to 8 times that of the picture, or the same, or any. */
function randomTarget(random, side, most) {
  const target = oneOf(random, [
    () => side,
    () => randomSide(random, most),
    () => round(side * 50 ** -between(random, 0, 1)),
    () => round(side * 8 ** between(random, 0, 1)),
    () => round(side * 2 ** between(random, -1, 1)),
    () => side + below(random, 3) - 1,
  ])();
  return max(1, min(target, most));
}

/** Bytes of one kind. Flats and near flats show a wrong sum of weights, extremes a wrong clamp. */
const byteFills = [
  (random) => random() & 255,
  (random) => (random() & 1) * 255,
  (random) => (random() % 16 === 0 ? 255 : 0),
  (random) => (random() % 16 === 0 ? 0 : 255),
  (_random, _i, constant) => constant,
  (random, _i, constant) => (constant & 254) + (random() & 1),
  (_random, i, constant) => (i * (constant | 1)) & 255,
];

const alphaFills = [
  (random) => random() & 255,
  (random) => (random() & 1) * 255,
  (random) => [0, 1, 2, 253, 254, 255][random() % 6],
  (random) => random() % 4,
  () => 0,
  () => 255,
];

/**
 * float32 numbers of one kind, those among them that overflow, vanish, or are none. Large numbers that cancel stay out:
 * their sum would be the last bits of the sines in the weights, in which engines differ.
 */
const floatFills = [
  (random) => random() & 255,
  (random) => between(random, -1000, 1000),
  (random) => between(random, -1, 1) * 1e30,
  (random) => between(random, -1, 1) * 1e-40,
  (_random, _i, constant) => constant / 7,
  () => -0,
  (random) => [0, -0, 3e38, 1e-40, 1, Infinity, -Infinity, NaN][random() % (random() % 8 === 0 ? 8 : 5)],
];

/**
 * Writes a picture's rows into memory with something before, between and after them.
 * @returns {object} the image
 */
function randomImage(random, width, height, channels, isFloat) {
  const isPadded = chance(random, 0.3);
  const row = width * channels;
  const stride = row + (isPadded ? 1 + below(random, 20) : 0);
  const isLastRowCut = isPadded && chance(random, 0.5);
  const length = isLastRowCut ? stride * (height - 1) + row : stride * height;
  const PixelArray = isFloat ? Float32Array : chance(random, 0.2) ? Uint8ClampedArray : Uint8Array;
  const offset = chance(random, 0.5) ? below(random, 20) : 0;
  const data = new PixelArray(length + offset).subarray(offset);
  const constant = below(random, 256);
  const fill = oneOf(random, isFloat ? floatFills : byteFills);
  const fillAlpha = !isFloat && channels % 2 === 0 && chance(random, 0.7) ? oneOf(random, alphaFills) : fill;
  for (let i = 0; i < length; i++) {
    const isAlpha = (i % stride) % channels === channels - 1;
    data[i] = (isAlpha ? fillAlpha : fill)(random, i, constant);
  }
  const image = { data, width, height };
  if (isPadded || chance(random, 0.5)) image.channels = channels;
  if (isPadded) image.rowstride = stride * data.BYTES_PER_ELEMENT;
  return image;
}

/** Two numbers in order from 0 to a side. */
function randomRange(random, side) {
  const ends = [between(random, 0, side), between(random, 0, side)];
  return ends[0] < ends[1] ? ends : ends.reverse();
}

/** A box in a picture, and the size of the result, which some boxes choose. */
function randomBox(random, sides, targets) {
  const whole = () => {
    const starts = sides.map((side) => below(random, side));
    return [starts, starts.map((start, i) => start + 1 + below(random, sides[i] - start))];
  };
  const kind = below(random, 7);
  let [starts, ends] = [sides.map(() => 0), sides.slice()];
  if (kind === 0 || kind === 1) [starts, ends] = whole();
  else if (kind === 2) [[starts[0], ends[0]], [starts[1], ends[1]]] = sides.map((side) => randomRange(random, side));
  else if (kind === 3) {
    // The size of the result at a place between pixels.
    starts = sides.map((side) => (side > 1 ? oneOf(random, [0.5, 0.25, 0]) : 0));
    ends = starts.map((start, i) => (start === 0 ? sides[i] : sides[i] - 1 + start));
  } else if (kind < 6) {
    // One axis whole.
    const axis = kind - 4;
    [starts[axis], ends[axis]] = randomRange(random, sides[axis]);
  } else {
    // Ends that are whole in single precision alone.
    ends = sides.map((side) => side * (1 - 2 ** -40));
  }
  const isSameSize = kind === 0 || (kind === 3 && chance(random, 0.7));
  const size = isSameSize ? starts.map((start, i) => max(1, fround(ends[i] - start))) : targets;
  return { box: [...starts, ...ends], size };
}

const gaps = [1, 1.1, 1.5, 2, 2, 3, 5.5];

/**
 * A call at random.
 * @param {number} seed
 * @param {boolean} [isLarge] whether it may hold some hundred thousand pixels
 * @returns {{ call: 'resize' | 'thumbnail', image: object, options: object }}
 */
export function randomCase(seed, isLarge = false) {
  const random = generator(seed);
  const pixels = isLarge ? largePixels : usualPixels;
  const sides = randomSize(random, pixels);
  const backend = chance(random, 0.6) ? 'pil' : 'torchvision';
  const isFloat = backend === 'pil' && chance(random, 0.2);
  const channels = isFloat ? 1 : 1 + below(random, 4);
  const image = randomImage(random, ...sides, channels, isFloat);
  const first = randomTarget(random, sides[0], pixels);
  let size = [first, randomTarget(random, sides[1], max(1, floor(pixels / first)))];
  const filter = chance(random, 0.95) ? oneOf(random, backends[backend]) : undefined;
  const options = filter === undefined ? {} : { filter };
  if (backend === 'pil') {
    const isThumbnail = chance(random, 0.1);
    if (!isThumbnail && chance(random, 0.45)) ({ box: options.box, size } = randomBox(random, sides, size));
    if (chance(random, 0.35)) options.reducingGap = oneOf(random, gaps);
    if (isThumbnail) return { call: 'thumbnail', image, options: { ...options, width: size[0], height: size[1] } };
    if (chance(random, 0.1)) options.backend = 'pil';
    if (channels % 2 === 0 && !isFloat && chance(random, 0.5)) options.premultiply = chance(random, 0.4);
  } else {
    options.backend = 'torchvision';
    if (chance(random, 0.1)) options.premultiply = false;
    if ((filter === 'bilinear' || filter === 'bicubic') && chance(random, 0.5)) options.antialias = false;
    else if (chance(random, 0.1)) options.antialias = true;
  }
  return { call: 'resize', image, options: { ...options, width: size[0], height: size[1] } };
}

/** A side of which OpenCV's area makes whole cells, or nearly, or what a side of 49 pixels rounds. */
function wholeTarget(random, side) {
  const factors = Array.from({ length: side }, (_, i) => i + 1).filter((factor) => side % factor === 0);
  return max(1, side / oneOf(random, factors) + (chance(random, 0.1) ? 1 : 0));
}

/**
 * A call of resize with backend 'opencv' at random.
 * @param {number} seed
 * @param {boolean} [isLarge] whether it may hold some hundred thousand pixels
 * @returns {{ image: object, options: object }}
 */
export function randomOpenCvCase(seed, isLarge = false) {
  const random = generator(seed);
  const pixels = isLarge ? largePixels : usualPixels;
  const sides = randomSize(random, pixels);
  if (chance(random, 0.1)) sides[below(random, 2)] = 49;
  const image = randomImage(random, ...sides, oneOf(random, [1, 3, 3, 4]), false);
  const isWhole = chance(random, 0.25);
  const first = isWhole ? wholeTarget(random, sides[0]) : randomTarget(random, sides[0], pixels);
  const rest = max(1, floor(pixels / first));
  const second = isWhole ? wholeTarget(random, sides[1]) : randomTarget(random, sides[1], rest);
  const options = { width: first, height: min(second, rest), backend: 'opencv' };
  if (chance(random, 0.95)) options.filter = oneOf(random, openCvFilters);
  if (chance(random, 0.1)) options.premultiply = false;
  return { image, options };
}
