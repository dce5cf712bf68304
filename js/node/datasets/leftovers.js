/** Files that killed calls left: temporary files, collected rows and locks. */
import { readdir, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { ofSystem } from '../paths.js';
import { lockExtension } from './shard-names.js';

const temporaryExtensions = ['.tmp', '.rows'];

/** Lists the paths of the temporary files and the locks in some folders: those of killed calls, and those of the
 * processes that work there now.
 * @type {(folders: readonly string[]) => Promise<string[]>} */
export async function findLeftovers(folders) {
  const paths = [];
  for (const folder of folders)
    for (const name of await ofSystem(readdir(folder)))
      if ([...temporaryExtensions, lockExtension].includes(extname(name))) paths.push(join(folder, name));
  return paths;
}

/** Deletes those of the files that are temporary and belong to `owner`, the stem of a shard or the name of a file. The
 * caller has locked the owner, so no process works with them.
 * @type {(paths: readonly string[], owner: string) => Promise<void>} */
export async function deleteTemporaries(paths, owner) {
  for (const path of paths) {
    const isOfOwner = basename(path).startsWith(`${owner}.`);
    const isTemporary = temporaryExtensions.includes(extname(path));
    if (isOfOwner && isTemporary) await ofSystem(rm(path, { force: true }));
  }
}
