/** Seeded corruptions of files, which a reader must take or refuse. */

/**
 * A copy of a file with one to four bytes changed: a flipped bit, any byte, a digit (a header with another digit still
 * parses), or a byte of the file itself.
 * @param {Uint8Array} file
 * @param {() => number} random gives uint32
 */
function corrupt(file, random) {
  const bytes = file.slice();
  for (let changes = 1 + (random() % 4); changes > 0; changes--) {
    const at = random() % bytes.length;
    const byte = [
      bytes[at] ^ (1 << (random() % 8)),
      random() & 0xff,
      0x30 + (random() % 10),
      bytes[random() % bytes.length],
    ];
    bytes[at] = byte[random() % 4];
  }
  return bytes;
}

/**
 * Corrupts each of some files in turn.
 * @param {readonly Uint8Array[]} files
 * @param {number} count of corruptions
 * @param {() => number} random gives uint32
 * @returns {Generator<[bytes: Uint8Array, which: number]>} `which` is the file's place in the list
 */
export function* corruptions(files, count, random) {
  for (let round = 0; round < count; round++) {
    const which = round % files.length;
    yield [corrupt(files[which], random), which];
  }
}
