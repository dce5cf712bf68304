/** Files by patterns and folders, where the shell has not expanded them: quoted, or on Windows. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { UsageError } from './options.js';

/** Files of a folder that are taken for pictures: those that sharp decodes everywhere. */
const pictureName = /\.(jpe?g|png|webp|gif|tiff?|avif)$/i;

/** Lists the files that arguments stand for: a folder stands for the pictures in it and below, a pattern for the files
 * that it matches, both in the order of their names. A name that exists is no pattern; any other argument stays as it
 * is. `separators`: the system's characters between names of a path.
 * @type {(args: readonly string[], separators?: string) => string[]} */
export const expand = (args, separators = sep === '\\' ? '\\/' : '/') =>
  args.flatMap((arg) => {
    if (arg === '-') return arg;
    if (existsSync(arg)) return statSync(arg).isDirectory() ? picturesIn(arg) : arg;
    return /[*?[{]/.test(arg) ? filesMatching(arg, separators) : arg;
  });

/** Replaces patterns by the files that they match. Folders and other arguments stay as they are.
 * @type {(args: readonly string[]) => string[]} */
export const expandPatterns = (args) =>
  args.flatMap((arg) =>
    /[*?[{]/.test(arg) && !existsSync(arg) ? filesMatching(arg, sep === '\\' ? '\\/' : '/') : arg,
  );

/** Lists the pictures in a folder and below.
 * @type {(folder: string) => string[]} */
function picturesIn(folder) {
  const files = [...walk(folder, ['**', '*'])].filter((path) => pictureName.test(path));
  if (files.length === 0) throw new Error(`${folder}: has no picture (.jpg, .png, .webp, .gif, .tiff, .avif)`);
  return files;
}

/** Lists the files that a pattern such as `photos/*.jpg` matches, and refuses a pattern that matches none.
 * @type {(pattern: string, separators: string) => string[]} */
function filesMatching(pattern, separators) {
  const segments = segmentsOf(pattern, separators);
  // A trailing ** stands for all files below.
  if (segments.at(-1) === '**') segments.push('*');
  // The names before the first pattern are the folder to begin in.
  const first = segments.findIndex((part) => /[*?[{]/.test(part));
  const files = [...walk(baseOf(segments.slice(0, first)), segments.slice(first))];
  if (files.length === 0) throw new Error(`${pattern}: no file is called so`);
  return files;
}

/** Joins the names in front of a pattern to a folder: '' for none, which is the current one; '/' for the root, and C:/
 * for C: alone, which would be the current folder of the drive.
 * @type {(segments: readonly string[]) => string} */
const baseOf = (segments) =>
  segments.length === 1 && /^([A-Z]:)?$/i.test(segments[0]) ? `${segments[0]}/` : segments.join('/');

/** Splits a path into names.
 * @type {(pattern: string, separators: string) => string[]} */
export const segmentsOf = (pattern, separators) => pattern.split(separators === '/' ? '/' : /[\\/]/);

/** Yields the files below a folder whose path matches the segments of a pattern, of which the first is that of the
 * names in this folder. `**` stands for any number of folders, none too; it does not enter links, which may lead in a
 * circle.
 * @type {(folder: string, segments: readonly string[]) => Iterable<string>} */
function* walk(folder, [part, ...rest]) {
  // `**`: `rest` is looked for here and in all folders below, but those whose names begin with a dot.
  const isDeep = part === '**';
  const name = nameOf(isDeep ? '*' : part);
  const entries = listFolder(folder).filter((entry) => name.test(entry.name));
  if (isDeep && rest.length > 0) yield* walk(folder, rest);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isDeep) {
      if (entry.isDirectory()) yield* walk(path, [part, ...rest]);
    } else if (rest.length === 0) {
      if (entry.isFile() || (entry.isSymbolicLink() && isAt(path, 'isFile'))) yield path;
    } else if (entry.isDirectory() || (entry.isSymbolicLink() && isAt(path, 'isDirectory'))) yield* walk(path, rest);
  }
}

/** Lists the entries of a folder in the order of their names; none if there is no such folder. '' is the current one.
 * @type {(folder: string) => import('node:fs').Dirent[]} */
function listFolder(folder) {
  if (folder !== '' && !isAt(folder, 'isDirectory')) return [];
  return readdirSync(folder || '.', { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @type {(path: string, is: 'isFile' | 'isDirectory') => boolean} */
const isAt = (path, is) => statSync(path, { throwIfNoEntry: false })?.[is]() ?? false;

/** Makes the regular expression of a pattern for one name: `*` is any text, `?` one character, `[a-z]` one of them,
 * `[!a]` any other one, `{a,b}` either. Only a pattern that begins with a dot matches names that do.
 * @type {(part: string) => RegExp} */
function nameOf(part) {
  let depth = 0; // of open braces
  // A token is a set in brackets or any one character.
  const text = part.replace(/\[!?[^\]]+\]|[^]/g, (token) => {
    if (token.length > 1) return `[${token.slice(1, -1).replace(/^!/, '^').replace(/\\/g, '\\\\')}]`;
    if (token === '*') return '.*';
    if (token === '?') return '.';
    if (token === '{') return `${++depth && '('}`;
    if (token === '}' && depth > 0) return `${depth-- && ')'}`;
    if (token === ',' && depth > 0) return '|';
    return token.replace(/[\\^$.|()[\]{}+]/, '\\$&');
  });
  try {
    // s: `.` is a line feed, too; u: `?` is a whole character, of two units as well.
    return new RegExp(`^${part.startsWith('.') ? '' : '(?!\\.)'}${text}$`, 'su');
  } catch {
    throw new UsageError(`a pattern must have brackets in pairs, and ranges that rise, got ${part}`);
  }
}
