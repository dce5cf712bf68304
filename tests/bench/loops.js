/**
 * The loops that people write in JavaScript without a library. Each workload has a naive loop, and a tuned one: blocked
 * for the cache, with runs copied by `set`, or with a lookup table. Nested loops are generated for each shape, with all
 * extents and strides as constants, as a patient programmer would write them.
 */
import { types } from '../support/reference.js';
import { castLoops } from './cast-loops.js';

/** The extent of a block along both axes: 16 x 16 elements of 16 bytes on either side fit in a 32 kB cache. */
const blockExtent = 16;

/** A typed array over the same memory that moves elements as they are, without BigInts and with all NaN bits kept. */
function lanesOf(data, bits) {
  const Lanes = { 16: Uint16Array, 32: Uint32Array, 64: Float64Array, 128: Float64Array }[bits] ?? Uint8Array;
  return new Lanes(data.buffer, data.byteOffset, data.byteLength / Lanes.BYTES_PER_ELEMENT);
}

/** Source text that reads element `at`; for packed types it gives the code in the low bits. */
function readElement(bits, at) {
  if (bits >= 8) return `source[${at}]`;
  const [shift, mask] = bits === 4 ? [1, 1] : [2, 3];
  return `(source[(${at}) >> ${shift}] >> (((${at}) & ${mask}) * ${bits}) & ${2 ** bits - 1})`;
}

/**
 * Source text that moves neighboring elements of the output: one element, or for packed types as many as share a byte.
 */
function moveElement(bits, to, from, step) {
  if (bits === 128)
    return `target[2 * (${to})] = source[2 * (${from})]; target[2 * (${to}) + 1] = source[2 * (${from}) + 1];`;
  if (bits >= 8) return `target[${to}] = source[${from}];`;
  const parts = Array.from(
    { length: 8 / bits },
    (_, i) => `${readElement(bits, `${from} + ${i * step}`)} << ${i * bits}`,
  );
  return `target[(${to}) >> ${bits === 4 ? 1 : 2}] = ${parts.join(' | ')};`;
}

const loop = (index, from, to, step, body) =>
  `for (let ${index} = ${from}; ${index} < ${to}; ${index} += ${step}) {\n${body}\n}`;

function stridesOf(dims) {
  const strides = dims.map(() => 1);
  for (let axis = dims.length - 2; axis >= 0; axis--) strides[axis] = strides[axis + 1] * dims[axis + 1];
  return strides;
}

/** Loops over the axes of the output, in their order. */
function naiveTranspose({ type, dims, perm }) {
  const { bits } = types[type];
  const strides = stridesOf(dims);
  const inner = perm.length - 1;
  const together = Math.max(1, 8 / bits);
  if (dims[perm[inner]] % together) return undefined;
  const from = perm.map((axis, i) => `i${i} * ${strides[axis]}`).join(' + ');
  let body = `${moveElement(bits, 'to', from, strides[perm[inner]])} to += ${together};`;
  for (let i = inner; i >= 0; i--) body = loop(`i${i}`, 0, dims[perm[i]], i === inner ? together : 1, body);
  return new Function('source', 'target', `let to = 0;\n${body}`);
}

/** Blocks of the source's innermost axis by the target's. If that is the same axis, runs of it are copied. */
function blockedTranspose({ type, dims, perm }) {
  const { bits } = types[type];
  const strides = stridesOf(dims);
  const outDims = perm.map((axis) => dims[axis]);
  const outStrides = stridesOf(outDims);
  const rank = dims.length;
  const to = perm.map((_, i) => `i${i} * ${outStrides[i]}`).join(' + ');
  const from = perm.map((axis, i) => `i${i} * ${strides[axis]}`).join(' + ');
  if (perm[rank - 1] === rank - 1) {
    if (bits < 8 || bits === 128) return undefined;
    const run = outDims[rank - 1];
    let body = `const from = ${from}; target.set(source.subarray(from, from + ${run}), ${to});`.replaceAll(
      `i${rank - 1} *`,
      '0 *',
    );
    for (let i = rank - 2; i >= 0; i--) body = loop(`i${i}`, 0, outDims[i], 1, body);
    return new Function('source', 'target', body);
  }
  const [a, b] = [rank - 1, perm.indexOf(rank - 1)];
  const together = Math.max(1, 8 / bits);
  if (outDims[a] % together) return undefined;
  const end = (i) => `Math.min(block${i} + ${blockExtent}, ${outDims[i]})`;
  let body = moveElement(bits, to, from, strides[perm[a]]);
  body = loop(`i${b}`, `block${b}`, `end${b}`, 1, loop(`i${a}`, `block${a}`, `end${a}`, together, body));
  body = loop(`block${a}`, 0, outDims[a], blockExtent, `const end${a} = ${end(a)};\n${body}`);
  body = loop(`block${b}`, 0, outDims[b], blockExtent, `const end${b} = ${end(b)};\n${body}`);
  for (let i = rank - 1; i >= 0; i--) if (i !== a && i !== b) body = loop(`i${i}`, 0, outDims[i], 1, body);
  return new Function('source', 'target', body);
}

function splitLoops({ dims, axis, size }) {
  const rows = dims.slice(0, axis).reduce((a, b) => a * b, 1);
  const inner = dims.slice(axis + 1).reduce((a, b) => a * b, 1);
  const run = size * inner;
  const rowLength = dims[axis] * inner;
  return {
    naive: (source, targets) => {
      for (let row = 0; row < rows; row++)
        for (let piece = 0; piece < targets.length; piece++) {
          const target = targets[piece];
          const from = row * rowLength + piece * run;
          for (let i = 0; i < run; i++) target[row * run + i] = source[from + i];
        }
    },
    tuned: (source, targets) => {
      for (let row = 0; row < rows; row++)
        for (let piece = 0; piece < targets.length; piece++) {
          const from = row * rowLength + piece * run;
          targets[piece].set(source.subarray(from, from + run), row * run);
        }
    },
  };
}

/**
 * The loops of a workload, ready to run from its data to the given outputs.
 * @returns {{ naive?: () => void, tuned?: () => void }}
 */
export function loopsFor(workload, data, outputs) {
  const { operator, type, to } = workload;
  if (operator === 'SplitToSequence') {
    const { naive, tuned } = splitLoops(workload);
    return { naive: () => naive(data, outputs), tuned: () => tuned(data, outputs) };
  }
  if (operator === 'Cast') {
    const { naive, tuned } = castLoops(type, to);
    return { naive: () => naive(data, outputs[0]), tuned: tuned && (() => tuned(data, outputs[0])) };
  }
  const { bits } = types[type];
  const [source, target] = [lanesOf(data, bits), lanesOf(outputs[0], bits)];
  const [naive, tuned] = [naiveTranspose(workload), blockedTranspose(workload)];
  return { naive: naive && (() => naive(source, target)), tuned: tuned && (() => tuned(source, target)) };
}
