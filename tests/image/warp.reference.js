/** OpenCV's warpAffine and warpPerspective of bytes, pixel by pixel, by the rules in tests/goldens/opencv. */
const { floor, fround, max, min } = Math;

/** A fused operation of float32: the product is exact in float64. */
const fused = (a, b, c) => fround(a * b + c);

const roundEven = (x) => {
  const nearest = Math.round(x);
  return nearest - x === 0.5 && nearest % 2 !== 0 ? nearest - 1 : nearest;
};
const toInt = (x) => (Math.abs(x) < 2 ** 31 ? x : -(2 ** 31));

/** The adjugate by the determinant, of a 3x3 matrix; of 2x3 the last row is 0, 0, 1. */
function inverted(m) {
  if (m.length === 6) {
    const factor = 1 / (m[0] * m[4] - m[1] * m[3]);
    const [a, b, c, d] = [m[4] * factor, -m[1] * factor, -m[3] * factor, m[0] * factor];
    return [a, b, -a * m[2] - b * m[5], c, d, -c * m[2] - d * m[5]];
  }
  const at = (row, column) => m[3 * (row % 3) + (column % 3)];
  const cofactor = (i, j) => at(i + 1, j + 1) * at(i + 2, j + 2) - at(i + 1, j + 2) * at(i + 2, j + 1);
  // The second term has the opposite sign of the cofactor, as OpenCV sums.
  const minor = m[3] * m[8] - m[5] * m[6];
  const factor = 1 / (m[0] * cofactor(0, 0) - m[1] * minor + m[2] * cofactor(0, 2));
  return Array.from({ length: 9 }, (_, i) => cofactor(i % 3, floor(i / 3)) * factor);
}

function weights(t) {
  const back = fround(1 - t);
  const square = fround(t * t);
  const first = fround(-0.75 * fround(t * fround(back * back)));
  const last = fround(-0.75 * fround(square * back));
  const second = fused(fused(1.25, t, -2.25), square, 1);
  return [first, second, fround(fround(fround(1 - first) - second) - last), last];
}

/** Where a pixel of the result lies on the picture. */
function placeOf(m, x, y, { width, filter }, source) {
  const starts = [0, 1, 2].map((i) => fround(fround(y * m[3 * i + 1]) + m[3 * i + 2]));
  const isAffine = m.length === 6;
  if (filter === 'cubic') {
    return [source.width, source.height].map((side, i) => {
      const wide = (row) => x * m[3 * row] + starts[row];
      const place = isAffine ? fround(fround(x * m[3 * i]) + starts[i]) : fround(wide(i) / wide(2));
      const most = max(16, side);
      return place > -most ? min(place, 2 * most) : -most;
    });
  }
  const isTail = x >= width - (width % 16);
  const sum = (i) => {
    if (isTail) return fround(fused(x, m[3 * i], fround(y * m[3 * i + 1])) + m[3 * i + 2]);
    return fused(x, m[3 * i], starts[i]);
  };
  return [0, 1].map((i) => (isAffine ? sum(i) : fround(sum(i) / sum(2))));
}

/**
 * @param {{ data: ArrayLike<number>, width: number, height: number, channels: number }} source
 * @param {readonly number[]} matrix 6 or 9 numbers
 * @param {{ width: number, height: number, filter: string, border: string, background: readonly number[],
 *   inverse: boolean }} options
 */
export function warpedPixels(source, matrix, options) {
  const { width, height, filter, border, background, inverse } = options;
  const { channels } = source;
  const m = Array.from(inverse ? matrix : inverted(matrix), fround);
  const data = new Uint8Array(width * height * channels);
  const isBeside = (first, count, side) => first + count <= 0 || first >= side;
  for (let i = 0; i < width * height; i++) {
    const [sx, sy] = placeOf(m, i % width, floor(i / width), options, source);
    const count = { nearest: 1, linear: 2, cubic: 4 }[filter];
    const lead = filter === 'cubic' ? 1 : 0;
    const whole = (x) => toInt(filter === 'nearest' ? roundEven(x) : floor(x));
    const [x, y] = [whole(sx), whole(sy)];
    const isOut = isBeside(x - lead, count, source.width) || isBeside(y - lead, count, source.height);
    const [tx, ty] = [fround(sx - x), fround(sy - y)];
    const [wx, wy] = [weights(tx), weights(ty)];
    for (let c = 0; c < channels; c++) {
      const at = (dx, dy) => {
        const column = min(max(x + dx, 0), source.width - 1);
        const row = min(max(y + dy, 0), source.height - 1);
        if (border === 'constant' && (column !== x + dx || row !== y + dy)) return background[c];
        return source.data[(row * source.width + column) * channels + c];
      };
      let value = 0;
      if (border === 'constant' && isOut) value = background[c];
      else if (filter === 'nearest') value = at(0, 0);
      else if (filter === 'linear') {
        const [upper, lower] = [0, 1].map((dy) => fused(tx, at(1, dy) - at(0, dy), at(0, dy)));
        value = fused(ty, fround(lower - upper), upper);
      } else {
        for (let j = 0; j < 4; j++) {
          let row = 0;
          for (let k = 0; k < 4; k++) row = fused(at(k - 1, j - 1), wx[k], row);
          value = fused(row, wy[j], value);
        }
      }
      // NaN is stored as 0.
      data[i * channels + c] = min(max(roundEven(value), 0), 255);
    }
  }
  return { data, width, height, channels };
}
