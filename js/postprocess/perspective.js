/** The perspective of four corners, in OpenCV's order of operations. */

const { abs, fround } = Math;

/** Computes the 3 x 3 matrix, by rows, that maps points of a rectangle [0, width] x [0, height] to the quadrilateral of
 * four corners, which are x and y each, clockwise from the top left. It is the inverse of the matrix that OpenCV's
 * `getPerspectiveTransform(corners, rectangle)` gives. Undefined if there is none, as for corners on one line.
 * @type {(corners: Float32Array, size: readonly number[]) => Float32Array | undefined} */
export function perspectiveOf(corners, [height, width]) {
  // x, then y, of the rectangle's corners, to which the four corners are mapped.
  const ends = [0, width, width, 0, 0, 0, height, height];
  // The corner (x, y) is mapped to end = (a x + b y + c) / (g x + h y + 1): an equation that is linear in a ... h.
  const equations = ends.map((end, i) => {
    const [x, y] = corners.subarray(2 * (i % 4));
    const factors = i < 4 ? [x, y, 1, 0, 0, 0] : [0, 0, 0, x, y, 1];
    return [...factors, fround(-x * end), fround(-y * end), end];
  });
  const unknowns = solved(equations);
  if (!unknowns) return undefined;
  // The inverse of the 3 x 3 matrix: its cofactors, rows and columns swapped, divided by its determinant.
  const m = [...unknowns, 1];
  const minors = m.map((_, i) => {
    const at = (/** @type {number} */ down, /** @type {number} */ across) =>
      m[(((i % 3) + down) % 3) * 3 + ((Math.trunc(i / 3) + across) % 3)];
    return at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1);
  });
  const scale = 1 / (m[0] * minors[0] + m[1] * minors[3] + m[2] * minors[6]);
  const inverse = Float32Array.from(minors, (minor) => minor * scale);
  return inverse.every(Number.isFinite) ? inverse : undefined;
}

/** Solves n linear equations by Gaussian elimination, with OpenCV's order of operations. Each equation is a row of n
 * factors and the right side; the rows are overwritten. Undefined if the equations have no single solution: a pivot,
 * the greatest factor that is left of an unknown, is near 0.
 * @type {(equations: number[][]) => number[] | undefined} */
function solved(equations) {
  const count = equations.length;
  for (let i = 0; i < count; i++) {
    let pivot = i;
    for (let j = i + 1; j < count; j++) if (abs(equations[j][i]) > abs(equations[pivot][i])) pivot = j;
    [equations[i], equations[pivot]] = [equations[pivot], equations[i]];
    const equation = equations[i];
    // OpenCV's bound.
    if (abs(equation[i]) < 100 * Number.EPSILON) return undefined;
    const factor = -1 / equation[i];
    for (const row of equations.slice(i + 1)) {
      const share = row[i] * factor;
      for (let k = i + 1; k <= count; k++) row[k] += share * equation[k];
    }
  }
  /** @type {number[]} */
  const unknowns = Array(count).fill(0);
  // From the last equation, which has a single unknown, back to the first.
  for (let i = count - 1; i >= 0; i--) {
    let value = equations[i][count];
    for (let k = i + 1; k < count; k++) value -= equations[i][k] * unknowns[k];
    unknowns[i] = value / equations[i][i];
  }
  return unknowns;
}
