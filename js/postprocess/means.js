/** Means of the scores of a text, in the order in which torch and NumPy sum. */
const { ceil, floor, fround, log2, max } = Math;

/** Floats in a vector of torch's, with AVX2. */
const vectorLength = 8;
/** torch gives the numbers of a lane to this many sums in turn, and adds the sums in the end. */
const accumulatorCount = 4;
/** Levels of each sum. A full level is added to the next one, so that each adds few numbers and rounds little. */
const levelCount = 4;

/** Computes the mean of float32 numbers as `torch.mean` does on a CPU: NaN of none.
 * @type {(values: Float32Array) => number} */
export function torchMean(values) {
  const { length } = values;
  if (length < vectorLength) return fround(sumOfLane(values, 0, 1) / length);
  const vectorsEnd = length - (length % vectorLength);
  // The numbers behind the last vector come first, then the lanes of the vectors.
  let sum = 0;
  for (let i = vectorsEnd; i < length; i++) sum = fround(sum + values[i]);
  const vectors = values.subarray(0, vectorsEnd);
  for (let lane = 0; lane < vectorLength; lane++) sum = fround(sum + sumOfLane(vectors, lane, vectorLength));
  return fround(sum / length);
}

/** Sums the numbers of one lane: `lane`, `lane` + `lanes` and so on, as `row_sum` of torch's SumKernel.cpp.
 * @type {(values: Float32Array, lane: number, lanes: number) => number} */
function sumOfLane(values, lane, lanes) {
  const count = values.length / lanes;
  const steps = floor(count / accumulatorCount);
  const sums = new Float32Array(accumulatorCount);
  for (let k = 0; k < accumulatorCount; k++) {
    const first = lane + k * lanes;
    sums[k] = sumInLevels(steps, (step) => values[first + step * accumulatorCount * lanes]);
  }
  for (let i = steps * accumulatorCount; i < count; i++) sums[0] += values[lane + i * lanes];
  return sums.reduce((sum, next) => fround(sum + next));
}

/** Sums `count` float32 numbers into levels, as `multi_row_sum` of torch's SumKernel.cpp.
 * @type {(count: number, numberAt: (i: number) => number) => number} */
function sumInLevels(count, numberAt) {
  const power = max(4, floor(ceil(log2(max(1, count))) / levelCount));
  const stepsPerLevel = 2 ** power;
  const levels = new Float32Array(levelCount);
  for (let i = 0; i < count;) {
    levels[0] += numberAt(i);
    i++;
    // Level 0 is full after `stepsPerLevel` numbers, level 1 after the square of that, and so on.
    for (let level = 1; level < levelCount && i % stepsPerLevel ** level === 0; level++) {
      levels[level] += levels[level - 1];
      levels[level - 1] = 0;
    }
  }
  return levels.reduce((sum, next) => fround(sum + next));
}

/** NumPy sums up to this many numbers at once, and longer lists by halves. */
const blockLength = 128;
/** Sums to which NumPy gives the numbers of a block in turn. */
const numpyAccumulators = 8;

/** Computes the mean of float64 numbers as `np.mean` does: NaN of none.
 * @type {(values: readonly number[]) => number} */
export const numpyMean = (values) => pairwiseSum(values, 0, values.length) / values.length;

/** Sums `count` numbers from `first` on, as NumPy's `pairwise_sum`.
 * @type {(values: readonly number[], first: number, count: number) => number} */
function pairwiseSum(values, first, count) {
  const end = first + count;
  if (count < numpyAccumulators) {
    let sum = 0;
    for (let i = first; i < end; i++) sum += values[i];
    return sum;
  }
  if (count > blockLength) {
    const half = floor(count / 2);
    const front = half - (half % numpyAccumulators);
    return pairwiseSum(values, first, front) + pairwiseSum(values, first + front, count - front);
  }
  const restStart = end - (count % numpyAccumulators);
  const sums = values.slice(first, first + numpyAccumulators);
  for (let i = first + numpyAccumulators; i < restStart; i++) sums[(i - first) % numpyAccumulators] += values[i];
  const [a, b, c, d, e, f, g, h] = sums;
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (let i = restStart; i < end; i++) sum += values[i];
  return sum;
}
