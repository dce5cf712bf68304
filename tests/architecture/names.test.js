/** The type check does not read most tests: a name that an entry point exports no more would fail when it is used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { root, run } from '../support/packed.js';

const files = run('git', ['ls-files', 'tests', 'web', '*.js', '*.mjs'])
  .trim()
  .split('\n')
  .filter((file) => /\.m?js$/.test(file));

/**
 * @param {string} text a source
 * @returns {[string, string][]} each entry point that it imports as a namespace, beside each name it takes from that
 */
function namesTaken(text) {
  const spaces = new Map(
    [...text.matchAll(/import \* as (\w+) from '(onnx-layout(?:\/\w+)?)'/g)].map(([, space, entry]) => [space, entry]),
  );
  /** @type {[string, string][]} */
  const names = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node) && spaces.has(node.expression.getText()))
      names.push([spaces.get(node.expression.getText()), node.name.text]);
    ts.forEachChild(node, visit);
  };
  if (spaces.size > 0) visit(ts.createSourceFile('file.js', text, ts.ScriptTarget.ESNext, true));
  return names;
}

test('sees what a namespace lacks', () =>
  expect(
    namesTaken("import * as pixels from 'onnx-layout/image';\npixels.pad(x); other.pixels.no; pixels.init"),
  ).toEqual([
    ['onnx-layout/image', 'pad'],
    ['onnx-layout/image', 'init'],
  ]));

test('each name that a test takes from an entry point is exported there', async () => {
  const missing = [];
  for (const file of files) {
    for (const [entryPoint, name] of namesTaken(readFileSync(join(root, file), 'utf8')))
      if (!(name in (await import(entryPoint)))) missing.push(`${file}: ${entryPoint} has no ${name}`);
  }
  expect(missing).toEqual([]);
});
