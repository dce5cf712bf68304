/**
 * `npm run lines [-- FOLDER]` counts the lines of js/, cpp/ and tests/ by room, in this tree or in another one. Lines
 * of code are neither blank nor comment. Then it lists the functions and files that are too long, and the functions
 * that have too many parameters.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { root } from './packed.js';

process.chdir(resolve(process.argv[2] ?? root));

/** @typedef {{ code: number, comments: number }} Lines */
/** @typedef {{ path: string, name: string, line: number, parameters: string[], lines: number }} Routine a function */

/**
 * Counts lines. A line with both is code.
 * @param {string} text
 * @param {(line: number) => boolean} hasCode
 * @returns {Lines}
 */
function countLines(text, hasCode) {
  const lines = text.split('\n');
  const filled = lines.flatMap((line, i) => (line.trim() === '' ? [] : [i]));
  const code = filled.filter(hasCode).length;
  return { code, comments: filled.length - code };
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {{ lines: Lines, routines: Routine[] }}
 */
function readJs(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (/** @type {number} */ position) => source.getLineAndCharacterOfPosition(position).line;
  const code = new Set();
  /** @type {Routine[]} */
  const routines = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const [first, last] = [lineAt(node.getStart()), lineAt(node.getEnd())];
    const children = node.getChildren();
    if (children.length === 0 && node.getEnd() > node.getStart()) for (let i = first; i <= last; i++) code.add(i);
    if (ts.isFunctionLike(node) && 'body' in node) {
      const owner = /** @type {any} */ (node.name ? node : node.parent);
      const parameters = node.parameters.map((parameter) => parameter.name.getText());
      routines.push({ path, name: owner.name?.getText() ?? '', line: first + 1, parameters, lines: last - first + 1 });
    }
    children.forEach(visit);
  };
  visit(source);
  return { lines: countLines(text, (i) => code.has(i)), routines };
}

/** A declaration's parameters: a call's arguments are seldom all a type and a name. */
const declaration = /(\w+)\(((?:[^()]|\(\))*)\)\s*(?:const\s*)?[;{]/g;

/**
 * @param {string} path
 * @param {string} text
 * @returns {{ lines: Lines, routines: Routine[] }}
 */
function readCpp(path, text) {
  const blank = (/** @type {string} */ comment) => comment.replace(/[^\n]/g, ' ');
  const code = text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/.*|\/\*[^]*?\*\//g, (part) =>
    part[0] === '"' ? part : blank(part),
  );
  const lines = code.split('\n');
  const routines = [...code.matchAll(declaration)].flatMap(({ 1: name, 2: list, index }) => {
    const parameters = list.replace(/<[^<>]*>/g, '').split(',');
    if (!parameters.every((parameter) => /^\s*[\w:]+[\w:\s*&]*[\s*&]\w+(\[\w*\])?\s*$/.test(parameter))) return [];
    return [{ path, name, line: code.slice(0, index).split('\n').length, parameters, lines: 0 }];
  });
  return { lines: countLines(text, (i) => lines[i].trim() !== ''), routines };
}

/** By folder, the names of the files that count. */
const countedFiles = { js: /\.js$/, cpp: /\.(cpp|h|def)$/, tests: /\.(js|mjs|cpp)$/ };
/** @type {Record<string, Lines & { files: number }>} */
const rooms = {};
/** @type {Routine[]} */
const routines = [];
/** @type {string[]} */
const longFiles = [];

for (const [top, pattern] of Object.entries(countedFiles))
  for (const file of readdirSync(top, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(top, file);
    if (!pattern.test(file) || /(^|\/)(node_modules|goldens)\//.test(file)) continue;
    const text = readFileSync(path, 'utf8');
    const { lines, routines: fileRoutines } = (/\.m?js$/.test(file) ? readJs : readCpp)(path, text);
    for (const room of [`all of ${top}`, file.includes('/') ? join(top, file.split('/')[0]) : `${top}/`]) {
      rooms[room] ??= { files: 0, code: 0, comments: 0 };
      rooms[room].files++;
      rooms[room].code += lines.code;
      rooms[room].comments += lines.comments;
    }
    if (top === 'tests') continue;
    routines.push(...fileRoutines);
    const length = text.trimEnd().split('\n').length;
    if (length > 300) longFiles.push(`${path} ${length}`);
  }

/** @param {Lines} lines */
const commentShare = ({ code, comments }) => `${((100 * comments) / (code + comments)).toFixed(0)} %`;

/**
 * @param {string} title
 * @param {string[]} list
 */
function show(title, list) {
  console.log(`\n${title}: ${list.length}`);
  for (const line of list) console.log(`  ${line}`);
}

for (const [room, lines] of Object.entries(rooms))
  console.log(
    room.padEnd(20),
    `${lines.files}`.padStart(4),
    'files',
    `${lines.code}`.padStart(6),
    'lines of code',
    `${lines.comments}`.padStart(6),
    `of comment (${commentShare(lines)})`,
  );
const describe = (/** @type {Routine} */ { path, name, line }) => `${path}:${line} ${name}`;
const choose = (/** @type {(routine: Routine) => boolean} */ isChosen) => routines.filter(isChosen).map(describe);
console.log(`\njs and cpp: ${rooms['all of js'].code + rooms['all of cpp'].code} lines of code`);
console.log(`functions with a parameter prefix: ${choose((routine) => routine.parameters.includes('prefix')).length}`);
show(
  'functions of more than six parameters',
  choose((routine) => routine.parameters.length > 6),
);
show(
  'functions of js over 40 lines',
  choose((routine) => routine.lines > 40),
);
show('files of js and cpp over 300 lines', longFiles);
