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

/** Each expression that has a comment behind it becomes a call of `check`. */
function withChecks(program) {
  const { statements } = ts.createSourceFile('example.js', program, ts.ScriptTarget.Latest);
  const lines = statements.map((statement) => {
    const code = program.slice(statement.pos, statement.end);
    const [comment] = ts.getTrailingCommentRanges(program, statement.end) ?? [];
    if (!comment || !ts.isExpressionStatement(statement)) return code;
    const stated = program.slice(comment.pos, comment.end).replace(/^\/\/\s*/, '');
    const { expression } = statement;
    return `await check(${program.slice(expression.pos, expression.end)}, ${JSON.stringify(stated)});`;
  });
  return lines.join('\n');
}
