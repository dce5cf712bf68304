/**
 * The part of `@jest/globals` that the suites use, for engines that Jest does not run in. The test files are bundled
 * with this module in its place. They register their tests when they are imported, and {@link runTests} runs them.
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

/** One call for each row. The name keeps its placeholders and gets the row's number. */
const each = (declare) => (rows) => (name, run) => {
  Array.from(rows).forEach((row, i) => declare(`${name} #${i}`, () => run(...(Array.isArray(row) ? row : [row]))));
};
test.each = each(test);
describe.each = each(describe);

/**
 * Runs all tests, in the order of their registration.
 * @returns {Promise<{ passed: number, failures: string[] }>}
 */
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
