/**
 * Transposes 3 GB of uint8 in a Node process with default limits, compares every byte, and prints the peak memory of
 * the process as JSON. The peak has to stay within the input, the output and 100 MB, which includes Node itself.
 */
import { init, transpose } from '../../js/index.js';

const [rows, columns] = [3 * 2 ** 14, 2 ** 16];
const bytes = rows * columns;
const slack = 100e6;

/** The element at (row, column). The factors are prime to the tile sizes, so that a wrong place shows. */
const valueAt = (row, column) => (131 * row + 17 * column + (row >> 8) + (column >> 8)) & 255;

await init();
const data = new Uint8Array(bytes);
for (let row = 0; row < rows; row++) {
  const line = data.subarray(row * columns, (row + 1) * columns);
  for (let column = 0; column < columns; column++) line[column] = valueAt(row, column);
}
const start = performance.now();
const result = transpose({ type: 'uint8', data, dims: [rows, columns] });
const ms = performance.now() - start;
for (let column = 0; column < columns; column++) {
  const line = result.data.subarray(column * rows, (column + 1) * rows);
  for (let row = 0; row < rows; row++)
    if (line[row] !== valueAt(row, column)) throw new Error(`wrong byte at row ${row}, column ${column}`);
}
// maxRSS is in kB on every system.
const peak = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ ms, peak, most: 2 * bytes + slack }));
