/** Pillow and torchvision in a Python process that times itself. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPython as start } from './python.js';

/**
 * Starts the process. Its `contender` prepares a library for a workload: the hash of its result, and what `race` times.
 * @returns {Promise<undefined | { versions: Record<string, string>, contender: Function, end: () => void }>} with the
 *   versions of the libraries that are there
 */
export async function startPython() {
  const python = await start('resize-python.py', 'resize-python.txt');
  if (python === undefined) return undefined;
  const { ask, versions, folder, end } = python;
  const file = join(folder, 'pixels');
  return {
    versions,
    contender: async (library, { data, width, height, channels }, size, filter, premultiply) => {
      writeFileSync(file, data);
      const { sha256 } = await ask({ library, file, width, height, channels, size, filter, premultiply });
      return { sha256, time: async (calls) => (await ask({ time: library, calls })).ms };
    },
    end,
  };
}
