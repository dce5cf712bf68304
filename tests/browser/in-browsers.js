/** Tests in each browser, and pages of one module. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { esbuild } from '../engines/app.js';
import { launch, open } from '../engines/browsers.js';
import { root, run } from '../support/packed.js';
import { chooseEveryNth, commitHash } from '../support/sample.js';

/**
 * Declares tests in every other browser, which the commit's hash chooses, or in each of them where BROWSERS is `all`.
 * The browser is started before them. They get its name, and what opens a page in it.
 */
export function inBrowsers(tests, starts = launch) {
  const every = process.env.BROWSERS === 'all' ? 1 : 2;
  describe.each(chooseEveryNth(Object.entries(starts), every, commitHash()))('%s', (name, start) => {
    let browser;
    beforeAll(async () => {
      browser = await start();
    }, 60_000);
    afterAll(() => browser?.close());

    tests((url, options) => open(browser, url, options), name);
  });
}

/** Joins a module of the repository and its imports into a file. */
export const bundle = (entry, out) => run(esbuild, [entry, '--bundle', '--format=esm', `--outfile=${out}`], root);

/** Writes a page of one module. */
export function writePage(folder, entry) {
  bundle(entry, join(folder, 'page.js'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>\n<script type="module" src="page.js"></script>\n');
}
