/** Runs an example of the documents, and compares what it states with what it gives. */
import ts from 'typescript';
import { expect } from '@jest/globals';

const AsyncFunction = (async () => {}).constructor;

/**
 * Runs a program. After an expression, a comment on the same line states the value: a literal, or a typed array such as
 * `Uint8Array [1, 2]`. A list in brackets alone stands for any array with these entries.
 * @param {string} program
 * @param {Record<string, unknown>} scope what the program finds, by name
 * @returns {Promise<number>} how many values were compared
 */
export async function runExample(program, scope) {
  let checks = 0;
  const check = async (value, stated) => {
    checks++;
    const [expected, given] = [await evaluate(stated), plain(value, stated)];
    expect(given).toEqual(expected);
  };
  await new AsyncFunction('check', ...Object.keys(scope), `{${withChecks(program)}\n}`)(check, ...Object.values(scope));
  return checks;
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

/** The value that a comment states. */
function evaluate(stated) {
  const [, className, entries] = /^(\w+Array) \[(.*)\]$/.exec(stated) ?? [];
  return new AsyncFunction(`return ${className ? `${className}.of(${entries})` : `(${stated})`};`)();
}

const plain = (value, stated) => (stated.startsWith('[') && ArrayBuffer.isView(value) ? Array.from(value) : value);
