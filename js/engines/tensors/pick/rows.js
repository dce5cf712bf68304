/** Rows of a tensor, copied in any order: for operators whose indices are data, so that no plan is made for them. A row
 * is `run` elements that follow one another; row r begins at element r * run. */
import { bytesOf, copyTo } from '../../../arguments/index.js';
import { checkMemory, checkStrings } from '../../memory/index.js';
import { smallView } from '../module.js';
import { wordBytesOf, wordsOf } from '../moves/words.js';

/** @import { Rows } from '../types.js' */
/** @import { TensorData } from '../../../tensor/types.js' */

/** Longer rows are copied by the engine's own method, and neighbors in one copy: its 0.05 us are 1.2 times the loop's
 * time at 64 bytes, 0.8 times at 128 and 0.3 times at 1536 (measured). */
export const longBytes = 96;

/** Copies the rows with the numbers `rows`, in the order of this list, one behind the other to the result; then again
 * from each of `blocks` blocks of the source, which begin `step` rows apart and in which the numbers count anew. The
 * result shares no memory with the source. Bits after a packed result's last element become zero. `bits`: of an
 * element; 0: strings.
 * @type {(bits: number, which: Rows, source: TensorData, result: TensorData) => void} */
export function copyRows(bits, { run, rows, size, blocks = 1, step = 0 }, source, result) {
  if (run === 0 || rows.length === 0 || blocks === 0) return;
  const rowBits = bits * run;
  checkRows(bits, size, 'read', source);
  checkRows(bits, run * rows.length * blocks, 'written', result);
  const rowBytes = rowBits / 8;
  if (bits === 0) copyStrings(run, rows, blocks, step, source, result);
  else if (rowBits % 8 !== 0) copyBits(rowBits, rows, blocks, step, bytesOf(source), bytesOf(result));
  else if (rowBytes >= longBytes) copyLong(rowBytes, rows, blocks, step, bytesOf(source), bytesOf(result));
  else {
    // Rows of a few words. A small result is made in the scratch area, through a view that is kept.
    const wordBytes = wordBytesOf(rowBytes, [source, result]);
    const small = smallView(result, rowBytes * rows.length * blocks);
    const from = wordsOf(wordBytes, source);
    const to = wordsOf(wordBytes, small ?? result);
    copyWords(rowBytes / wordBytes, rows, blocks, step, from, to);
    if (small !== undefined) copyTo(result, small, 0);
  }
}

/** Refuses a memory that has room for fewer than `size` elements of `bits` bits; 0: strings.
 * @type {(bits: number, size: number, use: 'read' | 'written', memory: TensorData) => void} */
export function checkRows(bits, size, use, memory) {
  if (bits === 0) checkStrings(use, memory, size);
  else checkMemory(use, memory, Math.ceil((bits * size) / 8));
}

/** @typedef {Rows['rows']} Numbers */
/** @typedef {Uint8Array | Uint16Array | Int32Array} Words */
/** Copies the rows with some numbers, of `size` entries each, one behind the other to the result, from each of `blocks`
 * blocks of the source that begin `step` rows apart.
 * @template Memory
 * @typedef {(size: number, rows: Numbers, blocks: number, step: number, source: Memory, result: Memory) => void} Copy
 */

/** Copies rows of `run` strings, which never enter the module's memory.
 * @type {Copy<string[]>} */
function copyStrings(run, rows, blocks, step, source, result) {
  let at = 0;
  for (let block = 0; block < blocks; block++)
    for (const row of rows) {
      const from = (block * step + row) * run;
      for (let i = 0; i < run; i++) result[at++] = source[from + i];
    }
}

/** Copies short rows, of `words` words each, word by word. A row of 4 bytes takes 7 ns in order, 18 at random; to stage
 * source, numbers and result takes 7, too (measured).
 * @type {Copy<Words>} */
function copyWords(words, rows, blocks, step, source, result) {
  let at = 0;
  for (let block = 0; block < blocks; block++) {
    const first = block * step;
    if (words === 1) for (let k = 0; k < rows.length; k++) result[at++] = source[first + rows[k]];
    else
      for (let k = 0; k < rows.length; k++) {
        const from = (first + rows[k]) * words;
        for (let word = 0; word < words; word++) result[at++] = source[from + word];
      }
  }
}

/** Copies rows of at least `longBytes` by `set`. Rows that follow one another in the list and in the source are copied
 * by one call.
 * @type {Copy<Uint8Array>} */
function copyLong(rowBytes, rows, blocks, step, source, result) {
  const { buffer, byteOffset } = source;
  let at = 0;
  for (let block = 0; block < blocks; block++) {
    for (let k = 0; k < rows.length;) {
      const first = rows[k];
      let count = 1;
      while (k + count < rows.length && rows[k + count] === first + count) count++;
      const bytes = count * rowBytes;
      result.set(new Uint8Array(buffer, byteOffset + (block * step + first) * rowBytes, bytes), at);
      at += bytes;
      k += count;
    }
  }
}

/** Bits that are read at once: with up to 7 bits before them in their first byte, they lie in 24. */
const maxBits = 16;

/** Copies rows of `rowBits` bits, which may begin within bytes, as a stream of bits, the low bits of a byte first. A
 * kernel with all of the source staged takes .5 of the loop's time for 100,000 elements, but 70 times as long for 12
 * elements of 4 MiB; with each row staged, 7 times as long (measured).
 * @type {Copy<Uint8Array>} */
function copyBits(rowBits, rows, blocks, step, source, result) {
  // `stream` holds the `length` bits that are not written yet, at most 7 + `maxBits`; `at` is the next byte of the
  // result.
  let [stream, length, at] = [0, 0, 0];
  for (let block = 0; block < blocks; block++) {
    for (let k = 0; k < rows.length; k++) {
      let from = (block * step + rows[k]) * rowBits;
      for (let left = rowBits; left > 0;) {
        const taken = left < maxBits ? left : maxBits;
        const byte = Math.floor(from / 8);
        // Beyond the last byte there is undefined, which counts as 0.
        const word = source[byte] | (source[byte + 1] << 8) | (source[byte + 2] << 16);
        const bitInByte = from - 8 * byte;
        const takenBits = (word >>> bitInByte) & ((1 << taken) - 1);
        stream |= takenBits << length;
        length += taken;
        for (; length >= 8; length -= 8) {
          result[at] = stream;
          at++;
          stream >>>= 8;
        }
        from += taken;
        left -= taken;
      }
    }
  }
  if (length > 0) result[at] = stream;
}
