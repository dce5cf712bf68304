/**
 * The README and the site tell the truth: their long examples run, and the table of types is that of the tables.
 * tests/browser runs the page and the worker, tests/io the Node scripts, tests/docs the short examples.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, jest, test } from '@jest/globals';
import { dtypes, schemas } from 'onnx-layout';
import { modelFor, modelOf } from '../bench/model.js';
import { example } from '../support/examples.js';
import { root, run } from '../support/packed.js';

/** Inside of the repository, so that the package finds itself by its name. */
const newFolder = () => mkdtempSync(fileURLToPath(new URL('../../build/readme-', import.meta.url)));

test('the example of tensors prints its tensor as NumPy does', async () => {
  const code = example('import { init, Tensor');
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(16);
  const folder = newFolder();
  const log = jest.spyOn(console, 'log').mockImplementation(() => {});
  try {
    writeFileSync(join(folder, 'example.mjs'), `${code}\nexport { chw, batch, planes, half };\n`);
    const { chw, batch, planes, half } = await import(pathToFileURL(join(folder, 'example.mjs')).href);
    expect(log.mock.calls.map(([text]) => text.split('\n').slice(0, 3))).toEqual([
      ['[[[  0   3   6 ... 119 122 125]', '  [128 131 134 ... 247 250 253]', '  [  0   3   6 ... 119 122 125]'],
    ]);
    expect([chw.dims, batch.dims, planes.length, planes.type, half.type]).toEqual([
      [3, 1080, 1920],
      [1, 3, 1080, 1920],
      3,
      'uint8',
      'float16',
    ]);
    expect(batch.data).toBe(chw.data);
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true });
  }
});

test('the three lines of the first screen: a file, pixels, a session', () => {
  const folder = newFolder();
  const lines = example();
  expect(lines.trim().split('\n').length).toBe(3);
  const program = `
    import { readFileSync } from 'node:fs';
    import * as ort from 'onnxruntime-web';
    import { init, transpose } from 'onnx-layout';
    import { imageProcessor } from 'onnx-layout/processors';
    await init();
    const session = await ort.InferenceSession.create(readFileSync('model.onnx'));
    const pixels = { data: Uint8Array.from({ length: 60 }, (_, i) => 4 * i), width: 5, height: 4 };
    ${lines}
    const { data, dims } = transpose(pixel_values, { perm: [0, 2, 3, 1] });
    console.log(JSON.stringify([pixel_values.dims, dims, outputs.y.dims, String(data) === String(outputs.y.data)]));`;
  const config = { image_processor_type: 'ViTImageProcessor', size: 2 };
  try {
    writeFileSync(join(folder, 'preprocessor_config.json'), JSON.stringify(config));
    const model = modelOf({
      name: 'vision',
      nodes: [['Transpose', ['pixel_values'], ['y'], { perm: [0, 2, 3, 1] }]],
      inputs: [['pixel_values', 'float32', [1, 3, 2, 2]]],
      outputs: [['y', 'float32', [1, 2, 2, 3]]],
    });
    writeFileSync(join(folder, 'model.onnx'), model);
    writeFileSync(join(folder, 'lines.mjs'), program);
    const printed = JSON.parse(run(process.execPath, ['lines.mjs'], folder));
    expect(printed).toEqual([[1, 3, 2, 2], [1, 2, 2, 3], [1, 2, 2, 3], true]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);

test('a session of onnxruntime-web runs between two of our calls', () => {
  const folder = newFolder();
  try {
    writeFileSync(join(folder, 'session.mjs'), example('// A model between'));
    // It exchanges the rows and columns of each plane.
    writeFileSync(
      join(folder, 'model.onnx'),
      modelFor({ operator: 'Transpose', type: 'float32', dims: [1, 3, 2, 2], perm: [0, 1, 3, 2] }).bytes,
    );
    expect(run(process.execPath, [join(folder, 'session.mjs'), join(folder, 'model.onnx')])).toBe(
      '[[[[ 0.  1.  2.]\n   [ 6.  7.  8.]]\n\n  [[ 3.  4.  5.]\n   [ 9. 10. 11.]]]]\n',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);

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
