/** Files by patterns and folders, where the shell has not expanded them: quoted, or on Windows. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { UsageError } from './options.js';

/** @import { Dirent } from 'node:fs' */

/** Files of a folder that are taken for pictures: those that sharp decodes everywhere. */
const pictureName = /\.(jpe?g|png|webp|gif|tiff?|avif)$/i;

/** The system's characters between names of a path. */
const systemSeparators = sep === '\\' ? '\\/' : '/';

/** @type {(name: string) => boolean} */
const isPattern = (name) => /[*?[{]/.test(name);

/** Lists the files that arguments stand for: a folder stands for the pictures in it and below, a pattern for the files
 * that it matches, both in the order of their names. A name that exists is no pattern.
 * @type {(args: readonly string[], separators?: string) => string[]} */
export const expand = (args, separators = systemSeparators) =>
  args.flatMap((arg) => {
    if (arg === '-') return arg;
    if (existsSync(arg)) return statSync(arg).isDirectory() ? picturesIn(arg) : arg;
    return isPattern(arg) ? filesMatching(arg, separators) : arg;
  });

/** Replaces patterns by the files that they match. Folders stay as they are.
 * @type {(args: readonly string[]) => string[]} */
export const expandPatterns = (args) =>
  args.flatMap((arg) => (isPattern(arg) && !existsSync(arg) ? filesMatching(arg, systemSeparators) : arg));

/** @type {(folder: string) => string[]} */
function picturesIn(folder) {
  const files = [...walk(folder, ['**', '*'])].filter((path) => pictureName.test(path));
  if (files.length === 0) throw new Error(`${folder}: has no picture (.jpg, .png, .webp, .gif, .tiff, .avif)`);
  return files;
}

/** Lists the files that a pattern such as `photos/*.jpg` matches, and refuses a pattern that matches none.
 * @type {(pattern: string, separators: string) => string[]} */
function filesMatching(pattern, separators) {
  const segments = segmentsOf(pattern, separators);
  // A trailing ** stands for all files below, so `walk` never gets one.
  if (segments.at(-1) === '**') segments.push('*');
  const firstPattern = segments.findIndex(isPattern);
  const folder = baseOf(segments.slice(0, firstPattern));
  // Two `**` can match one path in several ways.
  const files = [...new Set(walk(folder, segments.slice(firstPattern)))];
  if (files.length === 0) throw new Error(`${pattern}: no file is called so`);
  return files;
}

/** Joins the names in front of a pattern to a folder: '' for none, which is the current one; '/' for the root, and C:/
 * for C: alone, which would be the current folder of the drive.
 * @type {(segments: readonly string[]) => string} */
const baseOf = (segments) =>
  segments.length === 1 && /^([A-Z]:)?$/i.test(segments[0]) ? `${segments[0]}/` : segments.join('/');

/** @type {(pattern: string, separators: string) => string[]} */
export const segmentsOf = (pattern, separators) => pattern.split(separators === '/' ? '/' : /[\\/]/);

/** Yields the files below a folder whose path matches the segments of a pattern, of which the first is that of the
 * names in this folder. `**` stands for any number of folders, none too, and is never the last segment. It does not
 * enter links, which may lead in a circle, nor folders whose names begin with a dot.
 * @type {(folder: string, segments: readonly string[]) => Iterable<string>} */
function* walk(folder, segments) {
  const [part, ...rest] = segments;
  if (part === '**') {
    // For no folder the rest of the pattern is matched here; for more, `**` goes on in each folder.
    yield* walk(folder, rest);
    const folders = matchingEntries(folder, '*').filter((entry) => entry.isDirectory());
    for (const { name } of folders) yield* walk(join(folder, name), segments);
    return;
  }
  const isLast = rest.length === 0;
  for (const entry of matchingEntries(folder, part)) {
    const path = join(folder, entry.name);
    if (isLast && isOfKind(entry, path, 'isFile')) yield path;
    if (!isLast && isOfKind(entry, path, 'isDirectory')) yield* walk(path, rest);
  }
}

/** @type {(folder: string, pattern: string) => Dirent[]} */
function matchingEntries(folder, pattern) {
  const name = nameOf(pattern);
  return listFolder(folder).filter((entry) => name.test(entry.name));
}

/** Whether an entry, or the target of an entry that is a link, is a file or a folder.
 * @type {(entry: Dirent, path: string, is: 'isFile' | 'isDirectory') => boolean} */
const isOfKind = (entry, path, is) => entry[is]() || (entry.isSymbolicLink() && isAt(path, is));

/** Lists the entries of a folder in the order of their names; none if there is no such folder. '' is the current one.
 * @type {(folder: string) => Dirent[]} */
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
  let openBraces = 0;
  // A token is a set in brackets or any one character.
  const text = part.replace(/\[!?[^\]]+\]|[^]/g, (token) => {
    if (token.length > 1) return `[${token.slice(1, -1).replace(/^!/, '^').replace(/\\/g, '\\\\')}]`;
    if (token === '*') return '.*';
    if (token === '?') return '.';
    if (token === '{') {
      openBraces++;
      return '(';
    }
    if (token === '}' && openBraces > 0) {
      openBraces--;
      return ')';
    }
    if (token === ',' && openBraces > 0) return '|';
    return token.replace(/[\\^$.|()[\]{}+]/, '\\$&');
  });
  try {
    const noDot = part.startsWith('.') ? '' : '(?!\\.)';
    // s: `.` is a line feed, too; u: `?` is a whole character, of two units as well.
    return new RegExp(`^${noDot}${text}$`, 'su');
  } catch {
    throw new UsageError(`a pattern must have brackets in pairs, and ranges that rise, got ${part}`);
  }
}
