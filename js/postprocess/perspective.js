/** The perspective of four corners, in OpenCV's order of operations. */

const { abs, fround } = Math;

/** The 3 x 3 matrix from places of a rectangle to places between four corners, clockwise from the top left: the inverse
 * of OpenCV's `getPerspectiveTransform`. Undefined if there is none.
 * @type {(corners: Float32Array, size: readonly number[]) => Float32Array | undefined} */
export function perspectiveOf(corners, [height, width]) {
  const ends = [0, width, width, 0, 0, 0, height, height];
  const equations = ends.map((end, i) => {
    const [x, y] = corners.subarray(2 * (i % 4));
    const factors = i < 4 ? [x, y, 1, 0, 0, 0] : [0, 0, 0, x, y, 1];
    return [...factors, fround(-x * end), fround(-y * end), end];
  });
  const unknowns = solved(equations);
  if (!unknowns) return undefined;
  // The inverse of the 3 x 3 matrix: its minors over its determinant.
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

/** Solves n linear equations, rows of n factors and the right side, by LU with the greatest pivot. Undefined if a pivot
 * is near 0. Overwrites the equations.
 * @type {(equations: number[][]) => number[] | undefined} */
function solved(equations) {
  const count = equations.length;
  for (let i = 0; i < count; i++) {
    let pivot = i;
    for (let j = i + 1; j < count; j++) if (abs(equations[j][i]) > abs(equations[pivot][i])) pivot = j;
    [equations[i], equations[pivot]] = [equations[pivot], equations[i]];
    const equation = equations[i];
    if (abs(equation[i]) < 100 * Number.EPSILON) return undefined;
    const factor = -1 / equation[i];
    for (const row of equations.slice(i + 1)) {
      const share = row[i] * factor;
      for (let k = i + 1; k <= count; k++) row[k] += share * equation[k];
    }
  }
  /** @type {number[]} */
  const unknowns = Array(count).fill(0);
  for (let i = count - 1; i >= 0; i--) {
    let value = equations[i][count];
    for (let k = i + 1; k < count; k++) value -= equations[i][k] * unknowns[k];
    unknowns[i] = value / equations[i][i];
  }
  return unknowns;
}
