/** How planned boxes move that go through the scratch area in one piece, or from memory to memory. Bytes alone: nothing
 * here knows a dtype. The module plans a piece in one of its slots before it moves it. */
import { bytesOf } from '../../../arguments/index.js';
import { destinationByte, layout, scratchByte, setAxes, stage, unstage } from '../module.js';
import { advance, memoryBits } from './pieces.js';

/** @import { PlannedBox, Spans } from '../types.js' */
/** @import { TensorData } from '../../../tensor/types.js' */

/** The piece that each of the module's slots holds. A piece whose slot was taken plans anew, which costs 1 to 3 us.
 * @type {{ slot: number }[]} */
const owners = [];
let nextSlot = 0;

/** Plans a piece in the module's next slot, in turn, and sets `owner.slot`; the piece that had the slot gets -1. The
 * piece's axes were set before. `bits`: of an element. `first` and `start`: the addresses of its element at index 0 in
 * the source and the destination, in bits.
 * @type {(owner: { slot: number }, bits: number, rank: number, first: number, start: number) => void} */
export function planPiece(owner, bits, rank, first, start) {
  if (owners[nextSlot]) owners[nextSlot].slot = -1;
  owners[nextSlot] = owner;
  owner.slot = nextSlot;
  // Addresses of the scratch area are below 2^31, which `|` takes.
  const onBytes = (first | start) % 8 === 0;
  layout.plan(nextSlot, bits, rank, onBytes);
  nextSlot = (nextSlot + 1) % layout.plans;
}

/** Moves a box in one piece: copies its sources into the scratch area, calls the kernel, and copies the result out. The
 * first move plans the piece, and later ones again if its slot was taken (`slot` is -1).
 * @type {(box: Omit<PlannedBox, 'to' | 'destinations'> & Spans & { slot: number }, sources: unknown[], destinations:
 *   unknown[]) => void} */
export function moveWhole(box, sources, destinations) {
  const { bits, axes, from, low, phase, destination } = box;
  // Addresses in bits. Byte `low` of the source is staged at the start of the scratch area.
  const first = 8 * (scratchByte - low) + from;
  const start = 8 * (scratchByte + destinationByte) + phase;
  if (box.slot < 0) {
    setAxes(axes);
    planPiece(box, bits, axes.length, first, start);
  }
  stage(box, sources);
  layout.move(box.slot, first, start);
  unstage(box, destinations[destination]);
}

/** Views the bytes of `count` memories of a list, from index `first` on.
 * @type {(memories: TensorData[], first: number, count: number) => Uint8Array[]} */
export const bytesOfEach = (memories, first, count) =>
  count === 1 ? [bytesOf(memories[first])] : memories.slice(first, first + count).map(bytesOf);

/** Copies a box run by run, straight from memory to memory. A run is one element of the box's `bits`, which are whole
 * bytes. An address holds the number of its memory: memory k begins at k * `memoryBits`.
 * @type {(box: PlannedBox, sources: unknown[], destinations: unknown[]) => void} */
export function moveRuns(box, sources, destinations) {
  const { bits, axes, from, to } = box;
  const inputs = bytesOfEach(sources, box.source, box.sources);
  const outputs = bytesOfEach(destinations, box.destination, box.destinations);
  const bytes = bits / 8;
  const last = axes.length - 1;
  const { extent, source, destination } = axes[last] ?? { extent: 1, source: 0, destination: 0 };
  const outer = axes.slice(0, last).map((axis) => axis.extent);
  const index = outer.map(() => 0);
  do {
    // Addresses of the run on both sides, in bits.
    let runFrom = from;
    let runTo = to;
    for (let i = 0; i < index.length; i++) {
      runFrom += index[i] * axes[i].source;
      runTo += index[i] * axes[i].destination;
    }
    for (let i = 0; i < extent; i++) {
      const input = box.sources === 1 ? 0 : Math.floor(runFrom / memoryBits);
      const output = box.destinations === 1 ? 0 : Math.floor(runTo / memoryBits);
      const fromByte = (runFrom - input * memoryBits) / 8;
      const toByte = (runTo - output * memoryBits) / 8;
      outputs[output].set(inputs[input].subarray(fromByte, fromByte + bytes), toByte);
      runFrom += source;
      runTo += destination;
    }
  } while (advance(index, outer));
}
