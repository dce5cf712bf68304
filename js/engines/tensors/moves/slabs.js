/** How a box larger than the scratch area moves: slab by slab, and each slab strip by strip; see pieces.js. Addresses
 * and strides are in bits. */
import { bytesBetween } from '../../../arguments/index.js';
import { destinationByte, layout, lineBytes, mend, placeInLine, scratch, scratchByte, setAxis } from '../module.js';
import { bytesOfEach, planPiece } from './move.js';
import { destinationLayout, sourceLayout } from './layouts.js';
import { advance, memoryBits } from './pieces.js';

/** @import { Cuts, PlannedBox, Slab, Strip } from '../types.js' */

/** Most strips that a slab keeps: packed tensors of odd extents have another layout at each bit of a line. */
const maxStrips = 64;

/** Moves a box slab by slab: copies each into the scratch area, and moves it strip by strip. Layouts of slabs are kept
 * by the axes that are cut short and the bit of a byte at which they begin (`key`).
 * @type {(box: PlannedBox & Cuts & { slabs: Map<number, Slab> }, sources: unknown[], destinations: unknown[]) =>
 *   void} */
export function moveSlabs(box, sources, destinations) {
  const { axes, from, to, extents, slab, slabs } = box;
  const inputs = bytesOfEach(sources, box.source, box.sources);
  const outputs = bytesOfEach(destinations, box.destination, box.destinations);
  const at = axes.map(() => 0);
  do {
    // The address of the slab's lowest bit in the source, and of its first bit in the destination.
    let low = from;
    let start = to;
    let cutAxes = 0; // a bit for each axis that is cut short
    for (let i = 0; i < axes.length; i++) {
      const { source, destination } = axes[i];
      const size = Math.min(slab[i], extents[i] - at[i]);
      if (size < slab[i]) cutAxes += 2 ** i;
      const lowestIndex = source < 0 ? at[i] + size - 1 : at[i];
      low += lowestIndex * source;
      start += at[i] * destination;
    }
    const phase = low % 8;
    const key = 8 * cutAxes + phase; // unique, because the phase is below 8
    let piece = slabs.get(key);
    if (!piece) {
      piece = laySlab(box, at, phase);
      slabs.set(key, piece);
    }
    copyIn(piece, inputs, low);
    moveStrips(box, piece, outputs, start);
  } while (advance(at, extents, slab));
}

/** Moves a slab that lies in the scratch area strip by strip to the destination, where it begins at bit `to`: the
 * kernel writes a strip to the scratch area, and its runs are copied out. Layouts of strips are kept by the axes that
 * are cut short and the places of their first bits (`key`).
 * @type {(box: PlannedBox & Cuts, slab: Slab, outputs: Uint8Array[], to: number) => void} */
function moveStrips(box, slab, outputs, to) {
  const { axes, strip, isLong } = box;
  const { size, staged, strips } = slab;
  const at = axes.map(() => 0);
  // Runs are staged at their place of a line where they are long, otherwise at their place of a byte.
  const lineBits = isLong ? 8 * lineBytes : 8;
  const firstBit = isLong ? 8 * placeInLine(outputs[0], 0) : 0;
  do {
    // The addresses of the strip's first element in the scratch area, and of its first bit in the destination.
    let first = slab.first;
    let start = to;
    let cutAxes = 0; // a bit for each axis that is cut short
    for (let i = 0; i < axes.length; i++) {
      if (size[i] - at[i] < strip[i]) cutAxes += 2 ** i;
      first += at[i] * staged.strides[i];
      start += at[i] * axes[i].destination;
    }
    const place = (firstBit + start) % lineBits;
    // Unique, because `place` is below `lineBits`, and the bit of a byte below 8.
    const key = 8 * (lineBits * cutAxes + place) + (first % 8);
    let part = strips.get(key);
    if (!part) {
      if (strips.size === maxStrips) strips.clear();
      part = layStrip(box, slab, at, place);
      strips.set(key, part);
    }
    // Not planned yet, or the module's slot holds another plan by now.
    if (part.slot < 0) {
      for (let i = 0; i < axes.length; i++) setAxis(i, part.size[i], staged.strides[i], part.staged.strides[i]);
      planPiece(part, box.bits, axes.length, first, part.first);
    }
    layout.move(part.slot, first, part.first);
    copyOut(part, outputs, start);
  } while (advance(at, size, strip));
}

/** Plans the slab that begins at index `slabAt` of the box: its extents, and its layout in the scratch area. `phase`:
 * the place in a byte of its lowest bit.
 * @type {(box: PlannedBox & Cuts, slabAt: readonly number[], phase: number) => Slab} */
function laySlab(box, slabAt, phase) {
  const { extents, slab } = box;
  const size = slab.map((step, i) => Math.min(step, extents[i] - slabAt[i]));
  const staged = sourceLayout(box, extents, size, phase);
  // The address of the element at index 0, which is the highest one along an axis of negative stride.
  let first = 8 * scratchByte + phase;
  for (let i = 0; i < size.length; i++) {
    const stride = staged.strides[i];
    if (stride < 0) first += (size[i] - 1) * -stride;
  }
  return { size, staged, phase, first, strips: new Map() };
}

/** Plans the strip that begins at index `stripAt` of the slab: its extents, its layout in the scratch area, and views
 * of its runs there. `place`: the place of its first bit in a line, or in a byte if runs are short.
 * @type {(box: PlannedBox & Cuts, slab: Slab, stripAt: readonly number[], place: number) => Strip} */
function layStrip(box, slab, stripAt, place) {
  const { strip, isLong } = box;
  const size = strip.map((step, i) => Math.min(step, slab.size[i] - stripAt[i]));
  const staged = destinationLayout(box, size, place % 8, isLong);
  const { places, offsets, runBits } = staged;
  const first = 8 * destinationByte + place;
  const views = Array.from(places, (at) =>
    bytesBetween(scratch, Math.floor((first + at) / 8), Math.ceil((first + at + runBits) / 8)),
  );
  const isPartial = [place, runBits, ...offsets].some((bit) => bit % 8 !== 0);
  return { slot: -1, size, staged, first: 8 * scratchByte + first, views, isPartial };
}

/** Copies a slab's runs from the sources into the scratch area. `low`: the address of the slab's lowest bit, in which
 * source k begins at k * `memoryBits`.
 * @type {(slab: Slab, inputs: Uint8Array[], low: number) => void} */
function copyIn({ staged: { places, offsets, runBits }, phase }, inputs, low) {
  for (let k = 0; k < places.length; k++) {
    const address = low + offsets[k];
    const input = Math.floor(address / memoryBits);
    const bit = address - input * memoryBits;
    const run = bytesBetween(inputs[input], Math.floor(bit / 8), Math.ceil((bit + runBits) / 8));
    scratch.set(run, Math.floor((phase + places[k]) / 8));
  }
}

/** Copies a strip's runs from the scratch area to the destinations, where the strip begins at address `start`;
 * destination k begins at k * `memoryBits`. Bits beside a run in its first and last byte are kept.
 * @type {(strip: Strip, outputs: Uint8Array[], start: number) => void} */
function copyOut({ staged: { offsets, runBits }, views, isPartial }, outputs, start) {
  for (let k = 0; k < views.length; k++) {
    const address = start + offsets[k];
    const output = outputs[Math.floor(address / memoryBits)];
    const byte = Math.floor((address % memoryBits) / 8);
    if (isPartial) {
      const bitsBefore = address % 8;
      const bitsInLastByte = (address + runBits) % 8; // 0: all
      mend(views[k], bitsBefore, bitsInLastByte, output, byte);
    }
    output.set(views[k], byte);
  }
}
