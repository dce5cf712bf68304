/** The settings of each class where a file names nothing but the class, as Python has them in classes.json. */
import { describe, expect, test } from '@jest/globals';
import { table } from '../../js/processors/classes/table.js';
import { readFileSettings } from '../../js/processors/settings/index.js';
import { videoRows } from '../../js/processors/videos/video-rows.js';
import { goldenJson } from '../support/goldens.js';

const classes = goldenJson('processors/classes.json');

/** Values that mean the same of a setting: a number for each of three channels, and null where a flag is off. */
function plain(name, value) {
  if (name === 'default_to_square') return value ?? true;
  if (/_?image_(mean|std)$/.test(name) && typeof value === 'number') return [value, value, value];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value || undefined;
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null && part !== undefined));
}

/** The settings of a file, as calls read them. */
const read = (row, file) => readFileSettings(row, file).file;

/** The settings in which a class differs from Python, with both values. */
function differences(row, settings) {
  const [ours, theirs] = [{}, settings].map((file) => read(row, file));
  const names = Object.keys({ ...ours, ...theirs });
  const pairs = names.map((name) => [name, [plain(name, ours[name]), plain(name, theirs[name])]]);
  return Object.fromEntries(pairs.filter(([, [a, b]]) => JSON.stringify(sortKeys(a)) !== JSON.stringify(sortKeys(b))));
}

const sortKeys = (value) =>
  typeof value === 'object' && !Array.isArray(value)
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    : value;

/**
 * Python's class attributes are null, and its code does what the flag says. Python cannot take a size of one number for
 * Inkling; here it is a square.
 */
const known = {
  InklingImageProcessor: { default_to_square: [true, false] },
  Inkling2ImageProcessor: { do_convert_rgb: [undefined, true] },
  TimmWrapperImageProcessor: { do_convert_rgb: [true, undefined] },
};

describe.each([
  ['image', table],
  ['video', videoRows],
])('%s', (kind, rows) => {
  test.each(Object.entries(classes[kind]))('%s', (name, { settings }) => {
    const row = rows[name.replace(/(Image|Video)Processor$/, '')];
    expect(differences(row, settings)).toEqual(known[name] ?? {});
  });
});
