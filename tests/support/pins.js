/** The versions of PyPI's packages that goldens, benchmarks and models use: tests/goldens/constraints.txt. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packed.js';

/** @type {Record<string, string>} version by name */
export const pins = Object.fromEntries(
  readFileSync(join(root, 'tests/goldens/constraints.txt'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('=='))
    .map((line) => line.split('==')),
);
