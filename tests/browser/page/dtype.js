/** The dtype panel. */
import { expect } from '@jest/globals';
import { Tensor, dtypes } from 'onnx-layout';
import { decodeByFormula } from '../../tensor/codec.reference.js';
import { card, shows } from './controls.js';

/** @type {import('./controls.js').PanelTests} */
export function testDtypePanel(some, onPage) {
  some(
    'bits are clicked, codes picked, values packed',
    onPage('?panel=dtype', async (page) => {
      const printed = (type, code) =>
        String(new Tensor(type, Uint8Array.of(code), [1]))
          .slice(1, -1)
          .trim();
      // 1.5 is code 0x3c.
      await shows(page, '#dtype-value', printed('float8e4m3fn', 0x3c));
      await page.locator('#dtype-bit-7').click();
      await shows(page, '#dtype-value', printed('float8e4m3fn', 0xbc));
      expect(decodeByFormula('float8e4m3fn', 0xbc)).toBe(-1.5);
      await page.locator('#dtype-code-126').click();
      await page.keyboard.press('ArrowRight');
      await shows(page, '#dtype-value', 'nan');
      expect(new URL(page.url()).search).toBe('?panel=dtype&code=7f');
      for (const [type, values] of [
        ['int4', [1, -2, 7]],
        ['float6e2m3', [1, -2, 7.5, 0.125, -7.5]],
      ]) {
        await page.locator(`#dtype-${type}`).check();
        await page.locator('#dtype-values').fill(values.join(', '));
        const bytes = [...Tensor.from(type, values).data].map((byte) => byte.toString(16).padStart(2, '0'));
        expect(await page.locator('#dtype-bytes .byte code').allTextContents()).toEqual(bytes);
      }
      expect(await page.locator('#dtype-bytes .byte-owners').allTextContents()).toEqual([
        'x1 x0',
        'x2 x1',
        'x3 x2',
        'x4',
      ]);
      await card(page, 'float6e2m3').getByText('4 elements in 3 bytes').waitFor();
      for (const type of Object.keys(dtypes)) {
        await page.locator(`#dtype-${type}`).check();
        await card(page, type).waitFor();
      }
    }),
  );
}
