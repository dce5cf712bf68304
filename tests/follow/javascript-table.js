/** The table of transformers.js, like those that tables.py makes of Python's packages: digests of its processing. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'acorn';

/** The files of src/ that read, prepare or answer. */
const followed = [
  /^models\/\w+\/(image_processing|feature_extraction|processing)_\w+\.js$/,
  /^pipelines\/[\w-]+\.js$/,
  /^(image_processors|feature_extraction|processing)_utils\.js$/,
  /^utils\/(image|audio|video|maths|tensor)\.js$/,
];

/** Leaves out places, so that neither comments nor the layout count; JSON has no bigint.
 * @type {(key: string, value: unknown) => unknown} */
const withoutPlaces = (key, value) =>
  key === 'start' || key === 'end' ? undefined : typeof value === 'bigint' ? `${value}n` : value;

/** @type {(node: object) => string} */
const digest = (node) => createHash('sha256').update(JSON.stringify(node, withoutPlaces)).digest('hex').slice(0, 8);

/** @type {(statement: any) => any} */
const declared = (statement) => statement.declaration ?? statement;

/**
 * The digests of a module's classes by method, and of its functions.
 * @param {string} name
 * @param {string} text
 * @returns {[name: string, digest: string][]}
 */
function moduleRows(name, text) {
  const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  return body.map(declared).flatMap((node) => {
    if (node.type === 'FunctionDeclaration') return [[`${name}.${node.id.name}`, digest(node)]];
    if (node.type !== 'ClassDeclaration') return [];
    const members = node.body.body.filter(({ key }) => key);
    const bases = [`${name}.${node.id.name}`, digest({ superClass: node.superClass })];
    return [bases, ...members.map((member) => [`${name}.${node.id.name}.${member.key.name}`, digest(member)])];
  });
}

/**
 * @param {string} folder the unpacked package
 * @returns {import('./compare.js').Table}
 */
export function javascriptTable(folder) {
  const source = join(folder, 'src');
  const files = readdirSync(source, { recursive: true }).map((path) => String(path).replaceAll('\\', '/'));
  const rows = files
    .filter((path) => followed.some((pattern) => pattern.test(path)))
    .sort()
    .flatMap((path) => moduleRows(path.replace(/\.js$/, ''), readFileSync(join(source, path), 'utf8')));
  return { 'shared code': Object.fromEntries(rows) };
}
