/**
 * The generated sections, by the names of their markers. Each gives its Markdown, or undefined while its source is
 * missing.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dtypes, schemas } from 'onnx-layout';
import { operators } from '../../js/operators/index.js';
import { chart } from '../bench/chart.js';
import { markdownTable } from '../bench/report.js';
import { root } from '../support/packed.js';
import { publicEntries } from './docblocks.js';

const columns = 120;
/** A few workloads of each kind: the small chart's rows. */
const charted = ['T1', 'T2', 'T4', 'T8', 'T11', 'S2', 'float32-float16'];

/** @type {Record<string, () => string | undefined>} */
export const sections = {
  types: typesTable,
  versions: versionsList,
  calls: () => reference('onnx-layout'),
  'calls-io': () => reference('onnx-layout/io'),
  'calls-processors': () => reference('onnx-layout/processors'),
  'calls-audio': () => reference('onnx-layout/audio'),
  'calls-postprocess': () => reference('onnx-layout/postprocess'),
  'calls-node': () => reference('onnx-layout/node'),
  scripts,
  engines: () => enginesTable(readJson('tests/engines/versions.json')),
  speed: () => ifThere(results(), markdownTable),
};

/** The chart of the README, or undefined while there are no results. */
export const smallChart = () =>
  ifThere(results(), (all) => chart({ ...all, rows: all.rows.filter(({ name }) => charted.includes(name)) }));

const results = () => readJson('tests/bench/results.json');

const ifThere = (value, render) => (value === undefined ? undefined : render(value));

/** Undefined, with a warning, where there is no such file. */
function readJson(path) {
  if (existsSync(join(root, path))) return JSON.parse(readFileSync(join(root, path), 'utf8'));
  console.warn(`docs: ${path} is missing, so what is made of it stays as it is`);
  return undefined;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** The first opset of each operator that takes each dtype. */
function typesTable() {
  const operators = Object.keys(schemas);
  const takes = (dtype) => (version) =>
    version.types
      ? version.types.includes(dtype.name)
      : dtype.ir <= version.ir && !version.lacks.includes(dtype.format.kind);
  const rows = Object.values(dtypes).map((dtype) => [
    dtype.name,
    dtype.array,
    ...operators.map((operator) => schemas[operator].find(takes(dtype))?.since ?? '-'),
  ]);
  return table(['dtype', '`data`', ...operators], rows);
}

function versionsList() {
  const line = ([operator, versions]) => `- ${operator} ${versions.map(({ since }) => since).join(', ')}`;
  return Object.entries(schemas).map(line).join('\n');
}

function scripts() {
  const folder = join(root, 'tests/io/scripts');
  return readdirSync(folder)
    .sort()
    .map((name) => fenced(readFileSync(join(folder, name), 'utf8')))
    .join('\n\n');
}

const enginesTable = (versions) => ifThere(versions, () => table(['Engine', 'Version'], Object.entries(versions)));

const fenced = (code) => `\`\`\`js\n${code.trimEnd()}\n\`\`\``;

/** A door's exports, as their docblocks say it. */
function reference(door) {
  return publicEntries()
    .filter((entry) => entry.door === door)
    .map(entryText)
    .join('\n\n');
}

/** @import { Entry } from './docblocks.js' */
/** @param {Entry} entry */
function entryText({ kind, name, signature, text, params, returns, throws, examples }) {
  const heading = kind === 'member' ? `#### \`${signature}\`` : `### ${name}`;
  const parts = [heading, kind === 'function' ? `\`${signature}\`` : '', reflow(text), reflow(versionsOf(name))];
  const described = params.filter((param) => param.text || param.type);
  if (described.length > 0) parts.push(table(['Argument', 'Type', 'Meaning'], described.map(argumentCells)));
  for (const { type, text: meaning } of returns)
    parts.push(reflow(`Returns \`${oneLine(type)}\`${meaning && `: ${meaning}`}`));
  parts.push(throws.map(({ type, text: reason }) => reflow(`- \`${type}\`: ${reason}`)).join('\n'));
  parts.push(...examples.map(fenced));
  return parts.filter(Boolean).join('\n\n');
}

/** An operator's versions, and whether a call of it needs no wasm module; empty for everything else. */
function versionsOf(name) {
  const operator = operators[name[0].toUpperCase() + name.slice(1)];
  if (!operator) return '';
  const list = operator.schemas.map(({ since }) => since).join(', ');
  return `ONNX ${operator.name}-${list}.${operator.move.isMoving ? '' : ' Needs no `init()`.'}`;
}

const oneLine = (text) => text.replace(/\s+/g, ' ');

function argumentCells({ name, type, text, optional }) {
  const cell = (content) => oneLine(content).replaceAll('|', '\\|');
  return [`\`${name}${optional ? '?' : ''}\``, `\`${cell(type)}\``, cell(text)];
}

/** Paragraphs and lists in lines of at most 120 columns. */
function reflow(text) {
  const paragraphs = text.split(/\n{2,}|\n(?=- )/g);
  const isItem = (paragraph) => paragraph.startsWith('- ');
  return paragraphs
    .map((paragraph, i) => {
      const gap = i === 0 ? '' : isItem(paragraph) && isItem(paragraphs[i - 1]) ? '\n' : '\n\n';
      return gap + filled(paragraph, isItem(paragraph) ? '  ' : '');
    })
    .join('');
}

function filled(paragraph, indent) {
  const lines = [''];
  for (const word of paragraph.trim().split(/\s+/)) {
    const line = lines.at(-1);
    // A line that begins with one of these would become a list, a heading or a quote.
    if (line.length + 1 + word.length <= columns || /^([-+*#>]|\d+\.)$/.test(word))
      lines[lines.length - 1] += (line.trim() && ' ') + word;
    else lines.push(indent + word);
  }
  return lines.join('\n');
}
