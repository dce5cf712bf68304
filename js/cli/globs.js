/** Files by patterns and folders, where the shell has not expanded them: quoted, or on Windows. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { UsageError } from './options.js';

/** Files of a folder that are taken for pictures: those that sharp decodes everywhere. */
const pictureName = /\.(jpe?g|png|webp|gif|tiff?|avif)$/i;

/** Lists the files that arguments stand for: a folder has the pictures in it and below, a pattern the files that it
 * matches, both in the order of their names. A file of the very name comes before a pattern. `separators`: of the
 * system.
 * @type {(args: readonly string[], separators?: string) => string[]} */
export const expand = (args, separators = sep === '\\' ? '\\/' : '/') =>
  args.flatMap((arg) => {
    if (arg === '-') return arg;
    if (existsSync(arg)) return statSync(arg).isDirectory() ? picturesIn(arg) : arg;
    return /[*?[{]/.test(arg) ? filesMatching(arg, separators) : arg;
  });

/** Lists the files of patterns alone: folders stay folders.
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

/** Lists the files that a pattern matches.
 * @type {(pattern: string, separators: string) => string[]} */
function filesMatching(pattern, separators) {
  const segments = segmentsOf(pattern, separators);
  // A trailing ** stands for all files below.
  if (segments.at(-1) === '**') segments.push('*');
  const first = segments.findIndex((part) => /[*?[{]/.test(part));
  const files = [...walk(baseOf(segments.slice(0, first)), segments.slice(first))];
  if (files.length === 0) throw new Error(`${pattern}: no file is called so`);
  return files;
}

/** The folder before a pattern; of C: alone the root of the drive.
 * @type {(segments: readonly string[]) => string} */
const baseOf = (segments) =>
  segments.length === 1 && /^([A-Z]:)?$/i.test(segments[0]) ? `${segments[0]}/` : segments.join('/');

/** Splits a path into names.
 * @type {(pattern: string, separators: string) => string[]} */
export const segmentsOf = (pattern, separators) => pattern.split(separators === '/' ? '/' : /[\\/]/);

/** Yields the paths that match names, folder by folder. Folders that are links are not entered by `**`, because they
 * may lead in a circle.
 * @type {(folder: string, segments: readonly string[]) => Iterable<string>} */
function* walk(folder, [part, ...rest]) {
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

/** Lists a folder by name; nothing where it is none.
 * @type {(folder: string) => import('node:fs').Dirent[]} */
function listFolder(folder) {
  if (folder !== '' && !isAt(folder, 'isDirectory')) return [];
  return readdirSync(folder || '.', { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @type {(path: string, is: 'isFile' | 'isDirectory') => boolean} */
const isAt = (path, is) => statSync(path, { throwIfNoEntry: false })?.[is]() ?? false;

/** Makes a regular expression of a name's pattern: `*` is any text, `?` one character, `[a-z]` one of them, `[!a]`
 * another one, `{a,b}` either. A name that begins with a dot is matched by a pattern that does.
 * @type {(part: string) => RegExp} */
function nameOf(part) {
  let depth = 0;
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
    return new RegExp(`^${part.startsWith('.') ? '' : '(?!\\.)'}${text}$`, 'su');
  } catch {
    throw new UsageError(`a pattern must have brackets in pairs, and ranges that rise, got ${part}`);
  }
}
