/** Large files that take no room on the disk. */
import { closeSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a safetensors file whose data are zeros, except for some bytes.
 * @param {string} path
 * @param {object} header
 * @param {number} total bytes of data
 * @param {[place: number, bytes: Buffer][]} marks bytes, and where they stand in the data
 */
export function sparseSafetensors(path, header, total, marks) {
  const text = JSON.stringify(header);
  const file = Buffer.alloc(8 + text.length);
  file.writeBigUInt64LE(BigInt(text.length));
  file.write(text, 8);
  const descriptor = openSync(path, 'w');
  writeSync(descriptor, file, 0, file.length, 0);
  ftruncateSync(descriptor, file.length + total);
  for (const [place, bytes] of marks) writeSync(descriptor, bytes, 0, bytes.length, file.length + place);
  closeSync(descriptor);
}

/**
 * Whether the file system has holes. One without them would take all of a file.
 * @param {string} folder
 */
export function hasHoles(folder) {
  const probe = join(folder, 'probe');
  sparseSafetensors(probe, {}, 10e6, []);
  return statSync(probe).blocks * 512 < 1e6;
}
