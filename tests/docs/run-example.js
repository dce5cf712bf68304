/** Runs an example of the documents, and compares what it states with what it gives. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { root, run } from '../support/packed.js';
import { check } from './check.js';

const AsyncFunction = (async () => {}).constructor;

/**
 * Runs an example. After an expression, a comment on the same line states the value: see check.js.
 * @param {string} program
 * @param {Record<string, unknown>} scope what the program finds, by name
 * @returns {Promise<number>} how many values were compared
 */
export async function runExample(program, scope) {
  let checks = 0;
  const counted = (value, stated) => {
    checks++;
    return check(value, stated);
  };
  const names = Object.keys(scope);
  await new AsyncFunction('check', ...names, `{${withChecks(program)}\n}`)(counted, ...Object.values(scope));
  return checks;
}

/**
 * Runs a whole program in a process of its own, in a folder inside of the repository, where the package finds itself.
 * @param {string} program whose first comment may say its command: `node name.mjs ARGUMENTS`
 * @param {string} folder with the files that it reads
 * @returns {string} what it printed
 */
export function runProgram(program, folder) {
  const [, name = 'program.mjs', args = ''] = /^(?:\/\/.*\n)*?\/\/.*\bnode (\S+\.mjs) ?(.*)$/m.exec(program) ?? [];
  const checks = pathToFileURL(join(root, 'tests/docs/check.js')).href;
  writeFileSync(join(folder, name), `import { check } from '${checks}';\n${withChecks(program)}\n`);
  return run(process.execPath, [name, ...args.split(' ').filter(Boolean)], folder);
}

/**
 * Each expression, or argument of `console.log`, that has a value behind it or in a comment on the next line becomes a
 * call of `check`.
 */
function withChecks(program) {
  const source = ts.createSourceFile('example.js', program, ts.ScriptTarget.Latest, true);
  const lines = source.statements.map((statement) => {
    const code = program.slice(statement.pos, statement.end);
    if (!ts.isExpressionStatement(statement)) return code;
    const { expression } = statement;
    const isPrinted = ts.isCallExpression(expression) && expression.expression.getText(source) === 'console.log';
    const comment = commentOf(program, statement.end, isPrinted);
    if (!comment) return code;
    const stated = JSON.stringify(program.slice(comment.pos, comment.end).replace(/^\/\/\s*/, ''));
    if (!isPrinted) return `await check(${expression.getText(source)}, ${stated});`;
    return `console.log(await check(${expression.arguments[0].getText(source)}, ${stated}));`;
  });
  return lines.join('\n');
}

/** The comment that states a value: behind a statement, or where it prints, on the next line. */
function commentOf(program, end, isPrinted) {
  const [trailing] = ts.getTrailingCommentRanges(program, end) ?? [];
  if (trailing || !isPrinted) return trailing;
  const [leading] = ts.getLeadingCommentRanges(program, end) ?? [];
  const isNext = leading && /^\n *$/.test(program.slice(end, leading.pos));
  return isNext && /^\/\/ ([[{'"\d-]|\w+Array \[|true$|false$)/.test(program.slice(leading.pos)) ? leading : undefined;
}
