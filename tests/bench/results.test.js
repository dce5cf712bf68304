/** The committed results: everything that is shown of them can be made from them again. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { chart } from './chart.js';
import { markdownTable } from './report.js';
import { workloads } from './workloads.js';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const results = JSON.parse(read('results.json'));

test('chart.svg shows results.json', () => expect(read('chart.svg')).toBe(chart(results)));

test('results.json has a row for each workload that the table shows', () => {
  const table = markdownTable(results).split('\n');
  const names = results.rows.map(({ name }) => name);
  expect(workloads.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  expect(table.filter((line) => line.startsWith('| ')).length).toBe(1 + names.length);
});
