/** Tests in each browser. */
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { launch, open } from '../engines/browsers.js';
import { commitHash, chooseSample } from '../support/sample.js';

/**
 * Declares tests in one browser, which the commit's hash chooses, or in each of them where WHOLE is set. The browser is
 * started before them. They get what opens a page in it, its name, and `test` for long ones, which takes every fifth.
 */
export function inBrowsers(tests, starts = launch) {
  describe.each(chooseSample(Object.entries(starts), 2))('%s', (name, start) => {
    let browser;
    beforeAll(async () => {
      browser = await start();
    });
    afterAll(() => browser?.close());

    let declared = 0;
    // Another digit, because the last one chooses the browser.
    const first = Number.parseInt(commitHash().at(-2), 16);
    /** @type {(...args: any[]) => void} */
    const some = (...args) => {
      if (process.env.WHOLE || (declared++ + first) % 5 === 0) test(...args);
    };
    tests((url, options) => open(browser, url, options), name, some);
  });
}
