/** What the README says is so: its example runs, and its table of types is that of the tables. */
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, jest, test } from '@jest/globals';
import { dtypes, schemas } from 'onnx-layout';

const readme = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');

test('the first example prints its tensor as NumPy does', async () => {
  const [, code] = /```js\n(.*?)```/s.exec(readme);
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(16);
  // Inside of the repository, so that the package finds itself by its name.
  const folder = mkdtempSync(fileURLToPath(new URL('../build/readme-', import.meta.url)));
  const log = jest.spyOn(console, 'log').mockImplementation(() => {});
  try {
    writeFileSync(join(folder, 'example.mjs'), `${code}\nexport { chw, batch, planes, half };\n`);
    const { chw, batch, planes, half } = await import(pathToFileURL(join(folder, 'example.mjs')).href);
    expect(log.mock.calls.map(([text]) => text.split('\n').slice(0, 3))).toEqual([[
      '[[[  0   3   6 ... 119 122 125]', '  [128 131 134 ... 247 250 253]', '  [  0   3   6 ... 119 122 125]']]);
    expect([chw.dims, batch.dims, planes.length, planes.type, half.type]).toEqual([[3, 1080, 1920], [1, 3, 1080, 1920], 3, 'uint8', 'float16']);
    expect(batch.data).toBe(chw.data);
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true });
  }
});

test('the table of types is what the tables say', () => {
  const operators = Object.keys(schemas);
  const takes = (row, { ir, name, format }) => ir <= row.ir && !(row.operator === 'Cast' && (format.kind === 'complex' || (name === 'string' && row.since < 9)));
  const rows = Object.values(dtypes).map((dtype) => {
    const first = operators.map((operator) => schemas[operator].find((row) => takes(row, dtype))?.since ?? '-');
    return `| ${[dtype.name, dtype.array, ...first].join(' | ')} |`;
  });
  expect(readme.split('\n').filter((line) => /^\| \w+ \| (\w+Array|Array) \|/.test(line))).toEqual(rows);
  expect(readme).toContain(`| dtype | \`data\` | ${operators.join(' | ')} |`);
  const versions = operators.map((operator) => `${operator} ${schemas[operator].map(({ since }) => since).join(', ')}`).join('; ');
  expect(readme.replaceAll('\n', ' ')).toContain(`Versions: ${versions}.`);
});
