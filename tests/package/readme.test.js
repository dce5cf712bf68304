/**
 * The README and the site tell the truth: their long examples run, and the table of types is that of the tables.
 * tests/browser runs the page and the worker, tests/io the Node scripts, tests/docs the short examples.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { dtypes, schemas } from 'onnx-layout';
import { programFolder } from '../docs/program-folder.js';
import { runProgram } from '../docs/run-example.js';
import { example } from '../support/examples.js';
import { modelOf } from '../support/models.js';
import { root, run } from '../support/packed.js';

/** Inside of the repository, so that the package finds itself by its name. */
const newFolder = () => mkdtempSync(fileURLToPath(new URL('../../build/readme-', import.meta.url)));

test("the README's program prints the best class of a picture", async () => {
  const folder = await programFolder();
  try {
    // The photograph's sky and lake are blue, and the model gives the means of the channels.
    expect(runProgram(example(), folder)).toBe('[ 2 ]\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a session of onnxruntime-web runs between two of our calls', () => {
  const folder = newFolder();
  try {
    writeFileSync(join(folder, 'session.mjs'), example('// A model between'));
    // It exchanges the rows and columns of each plane.
    const model = {
      nodes: [{ operator: 'Transpose', inputs: ['x'], outputs: ['y0'], attributes: { perm: [0, 1, 3, 2] } }],
      inputs: { x: ['float32', [1, 3, 2, 2]] },
      outputs: { y0: ['float32', [1, 3, 2, 2]] },
    };
    writeFileSync(join(folder, 'model.onnx'), modelOf(model));
    expect(run(process.execPath, [join(folder, 'session.mjs'), join(folder, 'model.onnx')])).toBe(
      '[[[[ 0.  1.  2.]\n   [ 6.  7.  8.]]\n\n  [[ 3.  4.  5.]\n   [ 9. 10. 11.]]]]\n',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the table of types is what the tables say', () => {
  const page = readFileSync(join(root, 'web/docs/pages/reference/types.md'), 'utf8');
  const operators = Object.keys(schemas);
  // Pad-11 takes numbers alone.
  const lacks = {
    Cast: (since, { name, format }) => format.kind === 'complex' || (name === 'string' && since < 9),
    EyeLike: (_, { name, format }) => format.kind === 'complex' || name === 'string',
    Pad: (since, { name, format }) => since === 11 && (format.kind === 'complex' || ['string', 'bool'].includes(name)),
  };
  const takes = (row, dtype) =>
    row.types?.includes(dtype.name) ?? (dtype.ir <= row.ir && !lacks[row.operator]?.(row.since, dtype));
  const cells = (line) => line.slice(2, -2).split(' | ');
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  const sets = cells(rows[0]).slice(1).map(Number);
  expect(rows.slice(1).map((line) => cells(line)[0])).toEqual(operators);
  const firstsOf = (name, line) => {
    const [most, ...exceptions] = cells(line)[1 + sets.indexOf(dtypes[name].ir)].split('; ');
    return exceptions.find((exception) => exception.startsWith(`${name} `))?.split(' ')[1] ?? most;
  };
  const table = rows.slice(1).map((line) => Object.keys(dtypes).map((name) => firstsOf(name, line)));
  const firstOf = (operator, dtype) => schemas[operator].find((row) => takes(row, dtype))?.since ?? '-';
  expect(table).toEqual(operators.map((name) => Object.values(dtypes).map((dtype) => `${firstOf(name, dtype)}`)));
  const versions = operators.map(
    (operator) => `- ${operator} ${schemas[operator].map(({ since }) => since).join(', ')}\n`,
  );
  expect(page).toContain(versions.join(''));
});
