/** TypeScript for the outputs of each class of processors: their names and types. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowOf } from '../../js/audio/rows.js';
import { table as audioRows } from '../../js/audio/table.js';
import { table as imageRows } from '../../js/processors/classes/table.js';
import { videoRows } from '../../js/processors/videos/video-rows.js';
import { root } from '../support/packed.js';
import { goldensOf } from './class-tables.js';
import { optionFiles } from './option-types.js';

/** @typedef {Record<string, string>} Members types by names, which end in ? where an output may be missing */

/** Outputs of prompts, which no golden of the classes has. */
const prompts = ['points', 'labels', 'boxes', 'boxes_labels'].map((name) => [`input_${name}?`, 'Tensor']);

/** @type {(names: string[], type?: string) => Members} */
const optional = (names, type = 'Tensor') => Object.fromEntries(names.map((name) => [`${name}?`, type]));
const tiles = { ...optional(['pixel_attention_mask']), ...optional(['rows', 'cols'], 'number[][]') };
/** @type {Record<string, Members>} Outputs whose settings the goldens lack. */
const rarer = {
  Idefics3: tiles,
  SmolVLM: tiles,
  UltraVBert: tiles,
  Lfm2Vl: optional(['image_cols', 'image_rows', 'image_sizes', 'pixel_attention_mask', 'spatial_shapes']),
};

/** @type {(types: Iterable<string>) => string} without empty lists, whose entries have no type */
const union = (types) =>
  [...new Set(types)]
    .filter((type) => type !== '[]')
    .sort()
    .join(' | ');

/** @type {(types: string) => string} */
const listOf = (types) => (/^[^(].* \| /.test(types) ? `(${types})[]` : `${types}[]`);

/** @type {(value: any) => string} of a golden's value: a tensor, a list of these, or nested lists as in Python */
function typeOf(value) {
  if (Array.isArray(value)) return listOf(union(value.map(typeOf)));
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return 'dims' in value ? 'Tensor' : typeOf(value.list ?? value.values);
}

/** @type {(outputs: readonly Record<string, any>[]) => Members} */
function membersOf(outputs) {
  const names = [...new Set(outputs.flatMap((all) => Object.keys(all)))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const own = outputs.flatMap((all) => (name in all ? [all[name]] : []));
      return [own.length < outputs.length ? `${name}?` : name, union(own.map(typeOf))];
    }),
  );
}

/** @type {(name: string, about: string, classes: Record<string, Members>) => string} */
function interfaceOf(name, about, classes) {
  const rows = Object.entries(classes).map(([key, members]) => {
    const all = Object.entries(members).map(([output, type]) => `${output}: ${type}`);
    const line = `  ${key}: { ${all.join('; ')} };`;
    return line.length <= 120 ? line : `  ${key}: {\n    ${all.join(';\n    ')};\n  };`;
  });
  return `/** ${about} */\nexport interface ${name} {\n${rows.join('\n')}\n}\n`;
}

/**
 * Classes with the same `make` share their goldens, because the case that lacks an output may be of one of them alone.
 * @type {(kind: string, rows: Record<string, { make: unknown }>, more: (name: string) => Members) => Record<string,
 *   Members>}
 */
function classesOf(kind, rows, more) {
  const goldens = goldensOf(kind);
  const names = Object.keys(goldens);
  const outputsOf = (/** @type {string} */ name) =>
    names.flatMap((other) => (rows[other].make === rows[name].make ? goldens[other] : []));
  const membersFor = (/** @type {string} */ name) => ({ ...membersOf(outputsOf(name)), ...more(name) });
  const isListed =
    (/** @type {Members} */ all) =>
    (/** @type {[string, string]} */ [name]) =>
      !(`${name}?` in all);
  return Object.fromEntries(
    names.map((name) => [
      name,
      Object.fromEntries(Object.entries(membersFor(name)).filter(isListed(membersFor(name)))),
    ]),
  );
}

/** @type {(members: Members) => boolean} */
const isUsual = (members) => Object.entries(members).join() === 'pixel_values,Tensor';

function processorTypes() {
  const all = classesOf('ImageProcessor', imageRows, (name) => ({
    ...(imageRows[name].prompts && Object.fromEntries(prompts)),
    ...rarer[name],
  }));
  // transformers spells one name in two ways.
  const spelled = { ...all, Ernie4_5_VL_Moe: all.Ernie4_5_VLMoe };
  const images = Object.entries(spelled).filter(([, members]) => !isUsual(members));
  const seconds = { 'second_per_grid_ts?': 'Tensor' };
  const videos = classesOf('VideoProcessor', videoRows, (name) =>
    name === 'Qwen2VL' ? seconds : name === 'SmolVLM' ? optional(['pixel_attention_mask']) : {},
  );
  return [
    '/** Outputs of image and video processors. `npm run docs` writes this file from the goldens of transformers. */',
    "import type { Tensor } from '../tensor/index.js';\n",
    interfaceOf('ImageClasses', 'Image processors that return more than `pixel_values`.', Object.fromEntries(images)),
    interfaceOf('VideoClasses', 'Video processors.', videos),
  ].join('\n');
}

/** The outputs are those of the rows. The first one and those along axis 0 are there unless a class may lack audio. */
function audioTypes() {
  const goldens = JSON.parse(readFileSync(join(root, 'tests/goldens/audio/index.json'), 'utf8'));
  const typesOf = (/** @type {string} */ name, /** @type {string} */ output) =>
    goldens
      .filter((/** @type {any} */ { extractor, outputs }) => extractor === name && outputs?.[output])
      .map((/** @type {any} */ { outputs }) => typeOf(outputs[output]).replace(/^Tensor\[\]$/, 'Tensor'));
  const classes = Object.entries(audioRows).map(([name, own]) => {
    const { axes, mayLackAudio } = rowOf(own);
    const members = Object.entries(axes).map(([output, axis], i) => [
      (i === 0 || axis === 0) && !mayLackAudio ? output : `${output}?`,
      union(typesOf(name, output)) || 'Tensor',
    ]);
    return [name, Object.fromEntries(members)];
  });
  return [
    '/** The outputs of feature extractors. `npm run docs` writes this file from their rows and goldens. */',
    "import type { Tensor } from '../tensor/index.js';\n",
    interfaceOf('AudioClasses', 'Feature extractors.', Object.fromEntries(classes.sort())),
  ].join('\n');
}

/** @type {Record<string, () => string>} */
export const typeFiles = {
  ...optionFiles,
  'js/processors/outputs.ts': processorTypes,
  'js/audio/outputs.ts': audioTypes,
};
