/** Test data: seeded, so that a failure repeats, and laid out in every way a caller may bring it. */
import { types, byteCount } from './reference.js';

const { imul } = Math;

/**
 * mulberry32 by Tommy Ettinger (public domain): a generator of uint32 whose whole state is its seed.
 * @param {number} seed
 * @returns {() => number}
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
 * @type {(random: () => number, limit: number) => number}
 */
export const below = (random, limit) => Math.floor((random() / 2 ** 32) * limit);

/**
 * Data for `size` elements. Every bit is random, the padding of packed types too (it means nothing in an input).
 * @param {string} type
 * @param {number} size
 * @param {number} seed
 * @param {number} [offset] of the data's first byte in its buffer
 * @param {typeof ArrayBuffer | typeof SharedArrayBuffer} [Memory]
 * @returns {any} the array class of the type
 */
export function randomData(type, size, seed, offset = 0, Memory = ArrayBuffer) {
  const random = generator(seed);
  const { array } = types[type];
  if (array === Array) return Array.from({ length: size }, (_, i) => `${i}:${random() % 1000}`);
  const byteLength = byteCount(type, size);
  // Bytes before and after the data, so that a read beyond it shows. Their number is a multiple of 8.
  const buffer = new Memory(offset + byteLength + 16 - ((offset + byteLength) % 8));
  const words = new Uint32Array(buffer);
  for (let i = 0; i < words.length; i++) words[i] = random();
  return new array(buffer, offset, byteLength / array.BYTES_PER_ELEMENT);
}

/**
 * The byte offsets 0..15 at which the class of a type can stand.
 * @param {string} type
 * @returns {number[]}
 */
export function offsetsOf(type) {
  const step = types[type].array.BYTES_PER_ELEMENT;
  return Array.from({ length: 16 / step }, (_, i) => i * step);
}

/**
 * Every order of 0..rank-1, the identity first.
 * @param {number} rank
 * @returns {number[][]}
 */
export function permutations(rank) {
  if (rank === 0) return [[]];
  /** @type {number[][]} */
  const orders = [];
  const extend = (/** @type {number[]} */ order) => {
    if (order.length === rank) orders.push(order);
    for (let axis = 0; axis < rank; axis++) if (!order.includes(axis)) extend([...order, axis]);
  };
  extend([]);
  return orders;
}

/**
 * One random order of 0..rank-1 (Fisher-Yates).
 * @param {() => number} random
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
