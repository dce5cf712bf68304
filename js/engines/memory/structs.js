/** Structs of C++, written as wasm32 lays them out: bridge.mjs reads their members from the headers of cpp/. */

/**
 * A struct: its size, where its numbers lie, and a function that lists the numbers of its members, in their order. A
 * member without a value has its initial one, and a struct without a value none.
 * @template Values
 * @typedef {{ readonly bytes: number, readonly runs: Runs, readonly list: (values: Values) => number[] }} Struct
 */
/** The numbers of a struct, as runs of numbers of one type: the byte at which a run begins, its type as a DataView
 * names it (such as 'Float32'), and how many numbers it has.
 * @typedef {readonly (readonly [byte: number, kind: string, count: number])[]} Runs */

/** Writes a number at a byte of a view, little endian. `kind`: its type, as a DataView names it.
 * @type {(view: DataView, byte: number, kind: string, number: number) => void} */
function storeNumber(view, byte, kind, number) {
  if (kind === 'Int32') view.setInt32(byte, number, true);
  else if (kind === 'Float64') view.setFloat64(byte, number, true);
  else if (kind === 'Float32') view.setFloat32(byte, number, true);
  else if (kind === 'Uint32') view.setUint32(byte, number, true);
  else view.setUint8(byte, number);
}

/** Bytes of a number, by its type as a DataView names it.
 * @type {Record<string, number>} */
const kindBytes = { Uint8: 1, Int32: 4, Uint32: 4, Float32: 4, Float64: 8 };

/** Writes the numbers of a struct, in the order of its members, to a view of its bytes. The list may be shorter than
 * the struct: the members at the end are left as they are then.
 * @type {(view: DataView, runs: Runs, numbers: readonly number[]) => void} */
export function storeNumbers(view, runs, numbers) {
  let stored = 0;
  for (const [firstByte, kind, count] of runs) {
    const bytes = kindBytes[kind];
    for (let i = 0; i < count && stored < numbers.length; i++) {
      storeNumber(view, firstByte + bytes * i, kind, numbers[stored]);
      stored++;
    }
  }
}

/** Makes the bytes of a struct with these values.
 * @template Values
 * @param {Struct<Values>} struct
 * @param {Values} values
 * @returns {Uint8Array} */
export function structBytes({ bytes, runs, list }, values) {
  const result = new Uint8Array(bytes);
  storeNumbers(new DataView(result.buffer), runs, list(values));
  return result;
}
