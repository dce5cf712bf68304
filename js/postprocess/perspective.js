/** The perspective of four corners, in OpenCV's order of operations. */

const { abs, fround } = Math;

/** Computes the 3 x 3 matrix, by rows, that maps points of a rectangle [0, width] x [0, height] to the quadrilateral of
 * four corners, which are x and y each, clockwise from the top left. It is the inverse of the matrix that OpenCV's
 * `getPerspectiveTransform(corners, rectangle)` gives. Undefined if there is none, as for corners on one line.
 * @type {(corners: Float32Array, size: readonly number[]) => Float32Array | undefined} */
export function perspectiveOf(corners, [height, width]) {
  // A corner (x, y) is mapped to an end (u, v): u = (a x + b y + c) / (g x + h y + 1), and v the same with d, e and f.
  // Both are linear equations of a to h.
  const ends = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
  const cornerAt = (/** @type {number} */ i) => [corners[2 * i], corners[2 * i + 1]];
  const equationsOfU = ends.map(([u], i) => {
    const [x, y] = cornerAt(i);
    return [x, y, 1, 0, 0, 0, fround(-x * u), fround(-y * u), u];
  });
  const equationsOfV = ends.map(([, v], i) => {
    const [x, y] = cornerAt(i);
    return [0, 0, 0, x, y, 1, fround(-x * v), fround(-y * v), v];
  });
  const unknowns = solveEquations([...equationsOfU, ...equationsOfV]);
  const lastEntry = 1; // of the matrix, whose scale is free
  return unknowns && invertMatrix([...unknowns, lastEntry]);
}

/** Inverts a 3 x 3 matrix by rows: the adjugate divided by the determinant. Undefined if there is no inverse.
 * @type {(matrix: number[]) => Float32Array | undefined} */
function invertMatrix([a, b, c, d, e, f, g, h, i]) {
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
function solveEquations(equations) {
  for (let i = 0; i < equations.length; i++) {
    const pivot = pivotRow(equations, i);
    [equations[i], equations[pivot]] = [equations[pivot], equations[i]];
    if (abs(equations[i][i]) < minPivot) return undefined;
    eliminate(equations, i);
  }
  return substituteBack(equations);
}

/** Finds the row, from row `i` on, that has the greatest factor of unknown `i`.
 * @type {(equations: number[][], i: number) => number} */
function pivotRow(equations, i) {
  let pivot = i;
  for (let row = i + 1; row < equations.length; row++)
    if (abs(equations[row][i]) > abs(equations[pivot][i])) pivot = row;
  return pivot;
}

/** Removes unknown `i` from the rows below row `i`. @type {(equations: number[][], i: number) => void} */
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
function substituteBack(equations) {
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
