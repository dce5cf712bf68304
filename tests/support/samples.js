/** Test data. It is seeded, so that a failure repeats, and laid out in all ways in which a caller may bring it. */
import { types, byteCount } from './reference.js';

// A constant of the module: Jest looks a global up anew each time, which is a hundred times slower.
const { imul } = Math;

/**
 * mulberry32 by Tommy Ettinger (public domain): a random generator whose whole state is 32 bits.
 * @param {number} seed
 * @returns {() => number} gives the next uint32
 */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = imul(state ^ (state >>> 15), state | 1);
    t = (t + imul(t ^ (t >>> 7), t | 61)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}

/**
 * A whole number in [0, limit).
 * @param {() => number} random as {@link generator} gives it
 * @param {number} limit
 * @returns {number}
 */
export const below = (random, limit) => Math.floor((random() / 2 ** 32) * limit);

/**
 * Data for `size` elements. Every bit is random, also the tail bits of packed types, which mean nothing in an input.
 * @param {string} type
 * @param {number} size in elements
 * @param {number} seed
 * @param {number} [offset] of the data's first byte in its buffer
 * @param {typeof ArrayBuffer | typeof SharedArrayBuffer} [Memory]
 * @returns {any}
 */
export function randomData(type, size, seed, offset = 0, Memory = ArrayBuffer) {
  const random = generator(seed);
  const { array } = types[type];
  if (array === Array) return Array.from({ length: size }, (_, i) => `${i}:${random() % 1000}`);
  const byteLength = byteCount(type, size);
  // Random bytes stand before and after the data too, so that a read beyond it shows.
  const buffer = new Memory(offset + byteLength + 16 - ((offset + byteLength) % 8));
  const bytes = new Uint8Array(buffer);
  for (let i = 0; i < bytes.length; i += 4) {
    const word = random();
    for (let b = 0; b < 4 && i + b < bytes.length; b++) bytes[i + b] = word >>> (8 * b);
  }
  return new array(buffer, offset, byteLength / array.BYTES_PER_ELEMENT);
}

/**
 * The byte offsets from 0 to 15 at which the class of a type can begin.
 * @param {string} type
 * @returns {number[]}
 */
export function offsetsOf(type) {
  const step = types[type].array.BYTES_PER_ELEMENT;
  return Array.from({ length: 16 / step }, (_, i) => i * step);
}

/**
 * Every order of 0 to rank - 1, the identity first.
 * @param {number} rank
 * @returns {number[][]}
 */
export function permutations(rank) {
  if (rank === 0) return [[]];
  const orders = [];
  const extend = (order) => {
    if (order.length === rank) orders.push(order);
    for (let axis = 0; axis < rank; axis++) if (!order.includes(axis)) extend([...order, axis]);
  };
  extend([]);
  return orders;
}

/**
 * One random order of 0 to rank - 1 (Fisher-Yates).
 * @param {() => number} random as {@link generator} gives it
 * @param {number} rank
 * @returns {number[]}
 */
export function randomPermutation(random, rank) {
  const order = Array.from({ length: rank }, (_, i) => i);
  for (let i = rank - 1; i > 0; i--) {
    const j = below(random, i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
