/**
 * The part of `@jest/globals` that the operators' tests use, for engines that Jest does not run in: the same test files are bundled with
 * this in its place. Tests are gathered at import and run by {@link runTests}.
 */
import { chai, GLOBAL_EXPECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect';

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
export const { expect } = chai;
globalThis[GLOBAL_EXPECT] = expect;

const path = [];
const preparations = [];
const tests = [];

export const beforeAll = (prepare) => {
  preparations.push(prepare);
};

export function describe(name, define) {
  path.push(name);
  define();
  path.pop();
}

export const test = (name, run) => {
  tests.push({ name: [...path, name].join(' > '), run });
};
test.skip = () => {};

/** One call a row; the name keeps its placeholders and gets the row's number. */
const each = (declare) => (rows) => (name, run) => {
  Array.from(rows).forEach((row, i) => declare(`${name} #${i}`, () => run(...(Array.isArray(row) ? row : [row]))));
};
test.each = each(test);
describe.each = each(describe);

/** @returns {Promise<{ passed: number, failures: string[] }>} */
export async function runTests() {
  for (const prepare of preparations) await prepare();
  const failures = [];
  for (const { name, run } of tests) {
    try {
      await run();
    } catch (error) {
      failures.push(`${name}: ${error?.name}: ${error?.message}`);
    }
  }
  return { passed: tests.length - failures.length, failures };
}
