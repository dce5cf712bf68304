/** The throughput panel. */
import { expect, test } from '@jest/globals';
import { shows } from './controls.js';

/** @type {import('./controls.js').PanelTests} */
export function testThroughputPanel(some, onPage) {
  test.each([
    ['equal results', '', ['equal', 'a copy']],
    ['equal pixels, beside those of the canvas', '&workload=resize', ['equal', 'other pixels']],
  ])('throughput is measured, of %s', (_, workload, outcomes) =>
    onPage(`?panel=throughput${workload}`, async (page) => {
      await page.locator('#throughput-start').click();
      await shows(page, '#throughput-status', /Round ([2-9]|\d\d+) of/);
      await page.locator('#throughput-start').click();
      await shows(page, '#throughput-status', 'Stopped.');
      const results = await page.locator('#throughput-table tbody tr td:last-child').allTextContents();
      expect(results.length).toBeGreaterThan(2);
      expect(results.filter((entry) => !outcomes.includes(entry))).toEqual([]);
    })(),
  );
}
