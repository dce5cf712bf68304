/** The perspective of four corners, in OpenCV's order of operations. */

const { abs, fround } = Math;

/** Computes the 3 x 3 matrix, by rows, that maps points of a rectangle [0, width] x [0, height] to the quadrilateral of
 * four corners, which are x and y each, clockwise from the top left. It is the inverse of the matrix that OpenCV's
 * `getPerspectiveTransform(corners, rectangle)` gives. Undefined if there is none, as for corners on one line.
 * @type {(corners: Float32Array, size: readonly number[]) => Float32Array | undefined} */
export function perspectiveOf(corners, [height, width]) {
  const endsX = [0, width, width, 0];
  const endsY = [0, 0, height, height];
  // The corner (x, y) is mapped to end = (a x + b y + c) / (g x + h y + 1) across, and with d x + e y + f down: an
  // equation that is linear in a ... h.
  const equation = (/** @type {number} */ corner, /** @type {number} */ end, /** @type {boolean} */ isAcross) => {
    const [x, y] = corners.subarray(2 * corner);
    const factors = isAcross ? [x, y, 1, 0, 0, 0] : [0, 0, 0, x, y, 1];
    return [...factors, fround(-x * end), fround(-y * end), end];
  };
  const across = endsX.map((end, corner) => equation(corner, end, true));
  const down = endsY.map((end, corner) => equation(corner, end, false));
  const unknowns = solved([...across, ...down]);
  const lastEntry = 1; // of the matrix, whose scale is free
  return unknowns && inverted([...unknowns, lastEntry]);
}

/** Inverts a 3 x 3 matrix by rows: the adjugate divided by the determinant. Undefined if there is no inverse.
 * @type {(matrix: number[]) => Float32Array | undefined} */
function inverted([a, b, c, d, e, f, g, h, i]) {
  const adjugate = [
    [e * i - f * h, h * c - i * b, b * f - c * e],
    [f * g - d * i, i * a - g * c, c * d - a * f],
    [d * h - e * g, g * b - h * a, a * e - b * d],
  ];
  const determinant = a * adjugate[0][0] + b * adjugate[1][0] + c * adjugate[2][0];
  const scale = 1 / determinant;
  const inverse = Float32Array.from(adjugate.flat(), (minor) => minor * scale);
  return inverse.every(Number.isFinite) ? inverse : undefined;
}

/** The bound of OpenCV below which a pivot counts as 0. */
const minPivot = 100 * Number.EPSILON;

/** Solves n linear equations by Gaussian elimination, with OpenCV's order of operations. Each equation is a row of n
 * factors and the right side; the rows are overwritten. Undefined if the equations have no single solution.
 * @type {(equations: number[][]) => number[] | undefined} */
function solved(equations) {
  for (let i = 0; i < equations.length; i++) {
    const pivot = pivotRow(equations, i);
    [equations[i], equations[pivot]] = [equations[pivot], equations[i]];
    if (abs(equations[i][i]) < minPivot) return undefined;
    eliminate(equations, i);
  }
  return substituted(equations);
}

/** Finds the row, from row `i` on, that has the greatest factor of unknown `i`.
 * @type {(equations: number[][], i: number) => number} */
function pivotRow(equations, i) {
  let pivot = i;
  for (let row = i + 1; row < equations.length; row++)
    if (abs(equations[row][i]) > abs(equations[pivot][i])) pivot = row;
  return pivot;
}

/** Removes unknown `i` from the rows below row `i`.
 * @type {(equations: number[][], i: number) => void} */
function eliminate(equations, i) {
  const equation = equations[i];
  const factor = -1 / equation[i];
  for (const row of equations.slice(i + 1)) {
    const share = row[i] * factor;
    for (let k = i + 1; k < equation.length; k++) row[k] += share * equation[k];
  }
}

/** Computes the unknowns from the last equation, which has a single one, back to the first.
 * @type {(equations: number[][]) => number[]} */
function substituted(equations) {
  const count = equations.length;
  /** @type {number[]} */
  const unknowns = Array(count).fill(0);
  for (let i = count - 1; i >= 0; i--) {
    let value = equations[i][count];
    for (let k = i + 1; k < count; k++) value -= equations[i][k] * unknowns[k];
    unknowns[i] = value / equations[i][i];
  }
  return unknowns;
}
