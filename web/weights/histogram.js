/** Counts the values of a tensor that comes in pieces. No DOM. */

/** Most bars of a histogram; at least half as many where the values differ enough. */
const mostBars = 64;

/** Halves a whole number several times, and rounds down. */
const halved = (index, times) => {
  for (let i = 0; i < times; i++) index = Math.floor(index / 2);
  return index;
};

/** The distance from a finite number to the next one of float64. */
function ulp(value) {
  const magnitude = Math.abs(value);
  let step = 2 ** Math.max(-1074, Math.floor(Math.log2(magnitude || Number.MIN_VALUE)) - 52);
  // The logarithm may be one too low or too high.
  while (magnitude / step > 2 ** 53) step *= 2;
  return step;
}

/**
 * A histogram in one pass. Bars begin at multiples of a power of two. As the range grows it is doubled: two bars become
 * one, and all counts stay exact, whatever the order of the values.
 */
export class Histogram {
  least = Infinity;
  most = -Infinity;
  sum = 0;
  zeros = 0;
  nans = 0;
  infinities = 0;
  /** How many values there were. */
  count = 0;
  #width = 0;
  #first = 0;
  #bars = new Float64Array(mostBars);

  /** @param {Float32Array | Float64Array} values */
  add(values) {
    let { least, most, sum, zeros, nans, infinities } = this;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value - value !== 0) {
        if (value === value) infinities++;
        else nans++;
        continue;
      }
      if (value < least) least = value;
      if (value > most) most = value;
      if (value === 0) zeros++;
      sum += value;
    }
    this.count += values.length;
    Object.assign(this, { least, most, sum, zeros, nans, infinities });
    if (least > most) return;
    this.#cover();
    const width = this.#width;
    const first = this.#first;
    const bars = this.#bars;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value - value === 0) bars[Math.floor(value / width) - first]++;
    }
  }

  /** Makes the bars reach from the least value to the greatest. */
  #cover() {
    const { least, most } = this;
    const before = this.#width;
    let width = before || ulp(Math.max(-least, most));
    let doublings = 0;
    while (Math.floor(most / width) - Math.floor(least / width) >= mostBars) {
      width *= 2;
      doublings++;
    }
    const first = Math.floor(least / width);
    if (before && (doublings > 0 || first !== this.#first)) {
      const bars = new Float64Array(mostBars);
      this.#bars.forEach((count, i) => {
        if (count > 0) bars[halved(this.#first + i, doublings) - first] += count;
      });
      this.#bars = bars;
    }
    this.#width = width;
    this.#first = first;
  }

  /**
   * The histogram so far. The bar `i` counts values from `from + i * width` up to the next bar's.
   * @returns {{ count: number, least: number, most: number, mean: number, zeros: number, nans: number,
   *   infinities: number, from: number, width: number, bars: number[] }} `bars` is empty where no value is finite
   */
  result() {
    const { count, least, most, sum, zeros, nans, infinities } = this;
    const numbers = count - nans - infinities;
    const shown = numbers === 0 ? 0 : Math.floor(most / this.#width) - this.#first + 1;
    return {
      ...{ count, least, most, zeros, nans, infinities },
      mean: sum / numbers,
      from: this.#first * this.#width,
      width: this.#width,
      bars: [...this.#bars.subarray(0, shown)],
    };
  }
}

/**
 * The type that holds all values of a type as numbers of JavaScript.
 * @param {{ bits: number, format: { kind: string } }} dtype
 * @returns {'float32' | 'float64' | undefined} undefined for types whose values are not numbers
 */
export function numbersOf({ name, bits, format: { kind } }) {
  if (!['float', 'int', 'bool'].includes(kind)) return undefined;
  return bits <= 16 || name === 'float32' ? 'float32' : 'float64';
}
