/** Tests in each browser. */
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { launch, open } from '../engines/browsers.js';
import { chooseEveryNth, commitHash } from '../support/sample.js';

/**
 * Declares tests in every other browser, which the commit's hash chooses, or in each of them where BROWSERS is `all`.
 * The browser is started before them. They get what opens a page in it, its name, and `test` for long ones, which takes
 * every other one.
 */
export function inBrowsers(tests, starts = launch) {
  const every = process.env.BROWSERS === 'all' ? 1 : 2;
  describe.each(chooseEveryNth(Object.entries(starts), every, commitHash()))('%s', (name, start) => {
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
      if ((declared++ + first) % every === 0) test(...args);
    };
    tests((url, options) => open(browser, url, options), name, some);
  });
}
