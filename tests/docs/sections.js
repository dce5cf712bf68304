/**
 * The generated sections, by the names of their markers. Each gives its Markdown, or undefined while its source is
 * missing.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dtypes, schemas } from 'onnx-layout';
import { chart } from '../bench/chart.js';
import { markdownTable } from '../bench/report.js';
import { root } from '../support/packed.js';
import { classHead, imageClasses, videoClasses } from './class-tables.js';

const columns = 120;
/** A few workloads of each kind: the small chart's rows. */
const charted = ['T1', 'T2', 'T4', 'T8', 'T11', 'S2', 'float32-float16'];

/** @type {Record<string, () => string | undefined>} */
export const sections = {
  types: typesTable,
  versions: versionsList,
  scripts,
  'image-classes': () => table(classHead, imageClasses()),
  'video-classes': () => table(classHead, videoClasses()),
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

/**
 * The rows of the table of types: the set of each IR version, and the first opset in which an operator takes it. A cell
 * names each type that has another opset than most of its set.
 */
function typesTable() {
  const sets = [...new Set(Object.values(dtypes).map(({ ir }) => ir))].map((ir) =>
    Object.values(dtypes).filter((dtype) => dtype.ir === ir),
  );
  const members = (set) => set.map(({ name, array }) => `${name} (${array})`).join(', ');
  const list = sets.map((set) => `- **${set[0].ir}**: ${members(set)}`).join('\n');
  const rows = Object.keys(schemas).map((operator) => [operator, ...sets.map((set) => typesCell(operator, set))]);
  return `${reflow(list)}\n\n${table(['Operator', ...sets.map(([{ ir }]) => ir)], rows)}`;
}

function typesCell(operator, set) {
  const firsts = set.map((dtype) => schemas[operator].find((version) => takes(version, dtype))?.since ?? '-');
  const count = (since) => firsts.filter((other) => other === since).length;
  const [most] = [...new Set(firsts)].sort((a, b) => count(b) - count(a));
  const exceptions = set.flatMap(({ name }, i) => (firsts[i] === most ? [] : `${name} ${firsts[i]}`));
  return [most, ...exceptions].join('; ');
}

const takes = (version, dtype) =>
  version.types
    ? version.types.includes(dtype.name)
    : dtype.ir <= version.ir && !version.lacks.includes(dtype.format.kind);

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
