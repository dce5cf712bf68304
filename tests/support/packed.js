/** The package as its users get it: packed, and installed without a network. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs a command. A failure throws all that the command printed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} [cwd] the repository's root if omitted
 * @returns {string} what the command printed
 */
export function run(command, args, cwd = root) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: Infinity });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `exit status ${status}`}\n${stdout}${stderr}`);
  return stdout;
}

/** @typedef {{ filename: string, files: { path: string }[] }} Packed what npm prints about a tarball */

/**
 * Packs the package and makes an app that has it installed.
 * @param {string} folder is made; gets the tarball and the app
 * @returns {{ app: string, tarball: string, packed: Packed }}
 */
export function installPacked(folder) {
  const app = join(folder, 'app');
  mkdirSync(app, { recursive: true });
  writeFileSync(join(app, 'package.json'), '{ "private": true }\n');
  const [packed] = JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]));
  const tarball = join(folder, packed.filename);
  run('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund'], app);
  return { app, tarball, packed };
}
