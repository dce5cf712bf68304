/**
 * The versions of the engines that the suites last ran on. The table of engines in the documentation is made from
 * them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, 'versions.json');

/**
 * The stated version of each engine: the first numbers of its version, as many as matter to a user.
 * @returns {Record<string, string>}
 */
export const statedVersions = () => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Whether a version that ran is the one that is stated.
 * @param {string | undefined} stated
 * @param {string} version
 */
const agrees = (stated, version) => stated !== undefined && `${version}.`.startsWith(`${stated}.`);

/**
 * Compares what ran with what is stated.
 * @param {Record<string, string>} versions of the engines that ran
 * @returns {string[]} a sentence for each engine that is stated otherwise
 */
export function disagreements(versions) {
  const stated = statedVersions();
  return Object.entries(versions)
    .filter(([name, version]) => !agrees(stated[name], version))
    .map(
      ([name, version]) =>
        `${name}: versions.json has ${stated[name] ?? 'no version'}, and ${version} ran; --accept writes what ran`,
    );
}

/**
 * States the versions that ran, in as many numbers as before; two for an engine that is new.
 * @param {Record<string, string>} versions of the engines that ran
 */
export function acceptVersions(versions) {
  const stated = statedVersions();
  for (const [name, version] of Object.entries(versions)) {
    const count = stated[name]?.split('.').length ?? 2;
    stated[name] = version.split('.').slice(0, count).join('.');
  }
  writeFileSync(file, `${JSON.stringify(stated, null, 2)}\n`);
}
