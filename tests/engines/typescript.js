/** The oldest TypeScript that reads the package's types, with and without a browser's types and checks of libraries. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/packed.js';

/** How a program may resolve packages, in versions that know `exports` and in the older way. */
const resolutions = [
  ['--moduleResolution', 'bundler', '--module', 'esnext'],
  ['--moduleResolution', 'node16', '--module', 'node16'],
  ['--moduleResolution', 'node10', '--module', 'esnext'],
];

/** @type {(resolution: readonly string[], lib: string, skip: string) => string[]} */
export const flagsOf = (resolution, lib, skip) =>
  ['--noEmit', '--strict', '--target', 'es2022', '--lib', lib, '--skipLibCheck', skip].concat(resolution);

/** Compiles entry-points.ts in every way.
 * @type {(app: string, compile: (flags: string[], file: string) => Promise<unknown>) => Promise<{ passed: number,
 *   failures: string[] }>} */
export async function compileEntryPoints(app, compile) {
  const file = 'entry-points.mts';
  copyFileSync(join(root, 'tests/package/entry-points.ts'), join(app, file));
  const failures = [];
  let passed = 0;
  for (const resolution of resolutions)
    for (const lib of ['es2022', 'es2022,dom'])
      for (const skip of ['true', 'false']) {
        const flags = flagsOf(resolution, lib, skip);
        await compile(flags, file).then(
          () => passed++,
          (error) => failures.push(`${flags.join(' ')}: ${error.message}`),
        );
      }
  return { passed, failures };
}
