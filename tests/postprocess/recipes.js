/** Inputs from a seed: the twin of tests/goldens/postprocess/recipes.py, which gives the same bytes. */
const mix = (x) => {
  let bits = x;
  for (const [shift, factor] of [
    [16, 0x7feb352d],
    [15, 0x846ca68b],
  ]) {
    bits ^= bits >>> shift;
    bits = Math.imul(bits, factor);
  }
  return (bits ^ (bits >>> 16)) >>> 0;
};

/** Uniform in [0, 1), a multiple of 2^-24. */
export const uniform = (seed, i) => (mix(mix(i) ^ mix(seed)) >>> 8) * 2 ** -24;

/** Nearly normal, mean 0, deviation 1. */
const normal = (seed, i) =>
  (uniform(seed, 4 * i) + uniform(seed, 4 * i + 1) + uniform(seed, 4 * i + 2) + uniform(seed, 4 * i + 3) - 2) *
  1.7320508075688772;

const count = (dims) => dims.reduce((product, extent) => product * extent, 1);
const fill = (dims, at) => Array.from({ length: count(dims) }, (_, i) => at(i));

/** Corners. Every third box lies near its predecessor if `near` is given. */
function boxes({ dims, seed, near, corners, scale = 1 }) {
  let last;
  return Array.from({ length: count(dims) / 4 }, (_, row) => {
    const at = [0, 1, 2, 3].map((j) => uniform(seed, 4 * row + j));
    let [x, y, w, h] = [0.05 + 0.9 * at[0], 0.05 + 0.9 * at[1], 0.03 + 0.4 * at[2], 0.03 + 0.4 * at[3]];
    if (near && row % 3) {
      const d = [0, 1, 2, 3].map((j) => near * (uniform(seed + 1, 4 * row + j) - 0.5));
      [x, y, w, h] = [last[0] + d[0], last[1] + d[1], last[2] * (1 + d[2]), last[3] * (1 + d[3])];
    }
    last = [x, y, w, h];
    const box = corners ? [x - w * 0.5, y - h * 0.5, x + w * 0.5, y + h * 0.5] : last;
    return box.map((value) => value * scale);
  }).flat();
}

const kinds = {
  uniform: ({ dims, seed }) => fill(dims, (i) => uniform(seed, i)),
  normal: ({ dims, seed, mean = 0, std = 1 }) => fill(dims, (i) => mean + std * normal(seed, i)),
  ints: ({ dims, seed, lo, hi }) => fill(dims, (i) => lo + Math.floor(uniform(seed, i) * (hi - lo))),
  boxes,
};

/** The tensor of a recipe. */
export function make(recipe) {
  const { kind, dims, type = 'float32' } = recipe;
  const values = kinds[kind](recipe);
  return { type, dims, data: type === 'int64' ? BigInt64Array.from(values, BigInt) : Float32Array.from(values) };
}
