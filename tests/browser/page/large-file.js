/** A file of 5 GB on the weights panel. */
import { readFileSync, statfsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { launch, open } from '../../engines/browsers.js';
import { temporaryFolder } from '../../support/programs.js';
import { hasHoles, sparseSafetensors } from '../../support/sparse-files.js';
import { shows } from './controls.js';

/** @param {() => string} urlOf the page, which is served only once tests run */
export function testLargeFile(urlOf) {
  const folder = temporaryFolder();
  const { bavail, bsize } = statfsSync(folder);

  if (bavail * bsize < 6e9 || !hasHoles(folder))
    test.skip('NOT RUN: no disk with 6 GB free and sparse files', () => {});
  else
    describe('a file of 5 GB in Chromium', () => {
      let browser;
      let tab;
      const path = join(folder, 'five.safetensors');
      // Float32 up to 4 GiB and more, then a tensor whose values are known.
      const wide = 1_100_000_000;
      const [start, end] = [4 * wide, 5_000_000_000];
      const marks = Float32Array.of(1, -3, NaN, 2);
      beforeAll(async () => {
        const header = {
          'blocks.0.wide': { dtype: 'F32', shape: [wide / 1000, 1000], data_offsets: [0, start] },
          'blocks.1.far': { dtype: 'F32', shape: [end / 4 - wide], data_offsets: [start, end] },
        };
        sparseSafetensors(path, header, end, [[start + 1000, Buffer.from(marks.buffer)]]);
        browser = await launch.Chromium();
        tab = await open(browser, `${urlOf()}?panel=weights&sample=wave.npy`);
        await shows(tab.page, '#weights-read', 'All 65,536 values');
      });
      afterAll(() => browser?.close());

      /** The most memory that each of the browser's processes had at once, in bytes. */
      async function peaks() {
        const session = await browser.newBrowserCDPSession();
        const { processInfo } = await session.send('SystemInfo.getProcessInfo');
        return processInfo.map(({ id }) => {
          const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'));
          return 1024 * Number(kilobytes);
        });
      }

      test('is opened at once, and a tensor past 4 GiB is read while another one is not read to its end', async () => {
        const { page } = tab;
        const before = Math.max(...(await peaks()));
        await page.locator('#weights-file').setInputFiles(path);
        await shows(page, '#weights-about', 'five.safetensors');
        await shows(page, '#weights-about', '5 GB');
        await shows(page, '#weights-dims', 'float32 [1100000, 1000]');
        // The histogram is drawn before all is read, and choosing another tensor ends it.
        await shows(page, '#weights-histogram', 'So far: all finite numbers are 0.');
        await page.locator('[data-name="blocks.1.far"]').click();
        // It takes 3 s on a quiet machine.
        await page.locator('#weights-read').filter({ hasText: 'All 150,000,000 values, 600 MB' }).waitFor();
        const text = await page.locator('#weights-values').textContent();
        expect(text).toBe('Least−3Greatest2Mean0Zero149,999,996 (almost 100 %)NaN1 (0.000000667 %)Infinite0');
        expect(Math.max(...(await peaks()))).toBeLessThan(before + 200e6);
      });

      test('is converted piece by piece, and cancelled without a trace', async () => {
        const { page } = tab;
        const before = Math.max(...(await peaks()));
        await page.evaluate(() => {
          globalThis.showSaveFilePicker = async ({ suggestedName }) =>
            (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
        });
        const names = () =>
          page.evaluate(async () => {
            const found = [];
            for await (const name of (await navigator.storage.getDirectory()).keys()) found.push(name);
            return found;
          });
        await shows(page, '#weights-result', 'five.float16.safetensors, 2.5 GB');
        await page.locator('#weights-save').click();
        await shows(page, '#weights-progress', /^Writing: .* MB of 2\.5 GB, .* a second, .* left$/);
        expect(await names()).toContain('five.float16.safetensors');
        await page.locator('#weights-save').click();
        await shows(page, '#weights-saved', 'Cancelled. Nothing was written.');
        expect((await names()).filter((name) => name.startsWith('five'))).toEqual([]);
        expect(Math.max(...(await peaks()))).toBeLessThan(before + 200e6);
        expect(tab.complaints).toEqual([]);
      });

      test('is not read once it has changed', async () => {
        const { page } = tab;
        const now = new Date();
        utimesSync(path, now, now);
        await page.locator('[data-name="blocks.0.wide"]').click();
        await shows(page, '#weights-tensor-problem', 'A file cannot be read, or has changed since it was chosen');
        expect(tab.complaints).toEqual([]);
      });
    });
}
