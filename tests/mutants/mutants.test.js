/** The lists of planted bugs fit the code: a snippet that has moved would stop a run of hours at its beginning. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as cpp from './cpp.js';
import * as js from './js.js';

const root = join(import.meta.dirname, '../..');

test.each(Object.entries({ cpp, js }))('%s: each snippet stands in its file once, and changes it', (_, kind) => {
  const wrong = [];
  for (const [file, list] of Object.entries(kind.mutants)) {
    const source = readFileSync(join(root, file), 'utf8');
    if (!kind.tests[file]?.length) wrong.push(`${file}: no tests`);
    for (const [from, to] of list)
      if (from === to || source.split(from).length !== 2) wrong.push(`${file}: ${JSON.stringify(from)}`);
  }
  expect(wrong).toEqual([]);
});
