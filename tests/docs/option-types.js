/** TypeScript for the options that each class takes: their names, from the rows, and the results of its methods. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowOf } from '../../js/audio/rows.js';
import { table as audioRows } from '../../js/audio/table.js';
import { table as methodRows } from '../../js/postprocess/classes.js';
import { promptOptions } from '../../js/processors/classes/prompts.js';
import { table as imageRows } from '../../js/processors/classes/table.js';
import { videoRows } from '../../js/processors/videos/video-rows.js';
import { root } from '../support/packed.js';

/** Settings that most classes read. */
const usual = [
  ...['do_convert_rgb', 'do_resize', 'size', 'default_to_square', 'resample', 'do_rescale', 'rescale_factor'],
  ...['do_normalize', 'image_mean', 'image_std'],
];
/** Pictures beside those that become `pixel_values`. */
const extraPictures = { VitMatte: ['trimaps'], SegGpt: ['prompt_images', 'prompt_masks'] };

/** @type {(names: Iterable<string>) => string[]} */
const quoted = (names) => [...names].map((name) => `'${name}'`);

/** @type {(key: string, types: readonly string[]) => string} */
const unionMember = (key, types) => `  ${key}: ${types.join(' | ')};`;

/** @type {(row: any, more: readonly string[]) => string[]} */
function settingsOf({ make, fileOnly = [] }, more) {
  const names = new Set(['do_convert_rgb', ...make.reads, ...more]);
  for (const name of fileOnly) names.delete(name);
  const isUsual = usual.every((name) => names.has(name));
  const others = [...names].filter((name) => !(isUsual && usual.includes(name))).sort();
  return [...(isUsual ? ['Usual'] : []), ...quoted(others)];
}

/** Refuses a setting that a step reads and that has no sentence. Readers of other rooms are checked by their types.
 * @type {(names: Iterable<string>) => void} */
function checkSentences(names) {
  const path = 'js/processors/option-types.ts';
  const text = readFileSync(join(root, path), 'utf8');
  const missing = [...new Set(names)].filter((name) => !new RegExp(`\\*/\\n  ${name}\\?: `).test(text));
  if (missing.length > 0) throw new Error(`${path} has no sentence for ${missing.join(', ')}`);
}

/** @type {(name: string, about: string, rows: Record<string, string[]>) => string} */
const namesOf = (name, about, rows) =>
  `/** ${about} */\nexport interface ${name} {\n${Object.entries(rows)
    .map(([key, types]) => unionMember(key, types))
    .join('\n')}\n}\n`;

function processorOptions() {
  /** @type {Record<string, string[]>} */
  const images = {};
  for (const name of Object.keys(imageRows).sort()) {
    const prompts = imageRows[name].prompts ? promptOptions : [];
    images[name] = settingsOf(imageRows[name], [...(extraPictures[name] ?? []), ...prompts]);
  }
  // transformers spells one name in two ways.
  images.Ernie4_5_VL_Moe = images.Ernie4_5_VLMoe;
  const videos = Object.fromEntries(
    Object.keys(videoRows)
      .sort()
      .map((name) => [name, settingsOf(videoRows[name], [])]),
  );
  const names = [...Object.values(images), ...Object.values(videos)].flat().filter((name) => name !== 'Usual');
  const bare = [...usual, ...names.map((name) => name.slice(1, -1))];
  checkSentences(bare);
  return [
    "/** The names of each class's options. `npm run docs` writes this file from the rows of the classes. */",
    `type Usual =\n${quoted(usual)
      .map((name) => `  | ${name}`)
      .join('\n')};\n`,
    namesOf('ImageOptionNames', 'Image processors.', images),
    namesOf('VideoOptionNames', 'Video processors.', videos),
  ].join('\n');
}

function audioOptions() {
  const rows = Object.fromEntries(
    Object.keys(audioRows)
      .sort()
      .map((name) => [name, quoted(Object.keys(rowOf(audioRows[name]).options).sort())]),
  );
  const isNever = Object.entries(rows).map(([name, names]) => [name, names.length > 0 ? names : ['never']]);
  return [
    "/** The names of each class's options. `npm run docs` writes this file from the rows of the classes. */",
    namesOf('AudioOptionNames', 'Feature extractors.', Object.fromEntries(isNever)),
  ].join('\n');
}

/** @type {(types: Iterable<string>) => string} */
const union = (types) => [...new Set(types)].sort().join(' | ');

/** @type {(list: readonly any[]) => string} of values of one place in the results */
function typeOf(list) {
  const types = list.map((value) => {
    if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
    if (Array.isArray(value)) return 'list';
    return 'dims' in value ? `Tensor<'${value.type}'>` : 'object';
  });
  const rest = new Set(types);
  const lists = list.filter(Array.isArray);
  const objects = list.filter((_, i) => types[i] === 'object');
  const parts = [...rest].filter((type) => type !== 'list' && type !== 'object');
  if (lists.length > 0) parts.push(listOf(typeOf(lists.flat())));
  if (objects.length > 0) parts.push(recordOf(objects));
  return union(parts);
}

/** @type {(type: string) => string} */
const listOf = (type) => (/ \| /.test(type) && !/^\{[^]*\}$/.test(type) ? `(${type})[]` : `${type}[]`);

/** @type {(objects: readonly Record<string, any>[]) => string} */
function recordOf(objects) {
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))].sort();
  const members = names.map((name) => {
    const values = objects.flatMap((one) => (name in one ? [one[name]] : []));
    return `${name}${values.length < objects.length ? '?' : ''}: ${typeOf(values)}`;
  });
  if (names.includes('labels') || names.includes('segments_info')) members.push('label_names?: string[]');
  return `{ ${members.join('; ')} }`;
}

/** @type {(row: any, name: string) => { isNeeded: boolean, byDefault?: unknown }} */
function defaultOf(row, name) {
  try {
    return { isNeeded: false, byDefault: row(name, undefined, {}) };
  } catch {
    return { isNeeded: true };
  }
}

/** @type {(value: unknown) => boolean} */
const isStated = (value) => ['number', 'boolean', 'string'].includes(typeof value);

/** Options that give a result another form. */
const flags = ['return_segmentation_scores', 'return_coco_annotation', 'return_binary_maps'];

/** `relatives`: the goldens of all methods of its name, which say the form of a flag that its goldens lack.
 * @type {(method: any, goldens: readonly any[], relatives: readonly any[]) => { docblock: string, type: string }} */
function methodType({ options }, goldens, relatives) {
  const names = Object.keys(options).sort();
  const read = names.map((name) => ({ name, ...defaultOf(options[name], name) }));
  const [needed, free] = [true, false].map((isNeeded) =>
    union(quoted(read.filter((one) => one.isNeeded === isNeeded).map(({ name }) => name))),
  );
  const stated = read.filter(({ byDefault }) => isStated(byDefault));
  const round = (/** @type {any} */ value) => (typeof value === 'number' ? Number(value.toFixed(4)) : value);
  const defaults = stated.map(({ name, byDefault }) => `\`${name}\` ${round(byDefault)}`).join(', ');
  const resultWith = (/** @type {string | undefined} */ flag) => {
    const [own, all] = [goldens, relatives].map((list) =>
      list.filter((one) => flags.find((name) => one.options?.[name]) === flag).map(({ expect }) => expect),
    );
    return typeOf(own.length > 0 ? own : all);
  };
  const rest = needed ? `, ${needed}` : '';
  const flagged = flags
    .filter((flag) => flag in options)
    .map((flag) => `Flagged<'${flag}', ${free}, ${resultWith(flag)}${rest}> & `);
  const type = `${flagged.join('')}Method<${free || 'never'}, ${resultWith(undefined)}${rest}>`;
  return { docblock: defaults && `/** If omitted: ${defaults}. */`, type };
}

function methodTypes() {
  const goldens = JSON.parse(readFileSync(join(root, 'tests/goldens/postprocess/processors.json'), 'utf8'));
  /** @type {Map<unknown, any[]>} the goldens of a method, whichever class has it */
  const results = new Map();
  for (const golden of goldens) {
    const row = methodRows[golden.class]?.methods[golden.method];
    if (row && golden.expect !== undefined) results.set(row, [...(results.get(row) ?? []), golden]);
  }
  const relativesOf = (/** @type {string} */ key) =>
    goldens.filter((/** @type {any} */ one) => one.method === key && one.expect !== undefined);
  const classes = Object.keys(methodRows)
    .sort()
    .map((name) => {
      const members = Object.entries(methodRows[name].methods).map(([key, method]) => {
        const { docblock, type } = methodType(method, results.get(method) ?? [], relativesOf(key));
        return `${docblock ? `    ${docblock}\n` : ''}    ${key}: ${type};`;
      });
      return `  ${name}: {\n${members.join('\n')}\n  };`;
    });
  return [
    '/** The methods of each class. `npm run docs` writes this file from the rows and the goldens of the classes. */',
    "import type { Tensor } from '../tensor/index.js';",
    "import type { Flagged, Method } from './method-options.js';\n",
    `/** The classes that postProcessor knows. */\nexport interface PostProcessClasses {\n${classes.join('\n')}\n}\n`,
  ].join('\n');
}

/** @type {Record<string, () => string>} */
export const optionFiles = {
  'js/processors/option-names.ts': processorOptions,
  'js/audio/option-names.ts': audioOptions,
  'js/postprocess/class-methods.ts': methodTypes,
};
