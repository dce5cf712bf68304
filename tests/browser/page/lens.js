/** The lens panel. */
import { expect } from '@jest/globals';
import { concat, flatten, pad, rearrange, reshape, slice, splitToSequence, transpose } from 'onnx-layout';
import { card, expectTexts } from './controls.js';

const dims = [2, 3, 4];
export const count = { type: 'int32', dims, data: Int32Array.from({ length: 24 }, (_, i) => i) };
export const result = (page) => card(page, 'Transpose').locator('figure', { hasText: 'result' }).locator('pre');

/** @type {import('./controls.js').PanelTests} */
export function testLensPanel(some, onPage) {
  some(
    'an axis is dragged, and moved by the keyboard',
    onPage('?panel=lens', async (page) => {
      await result(page)
        .getByText(String(transpose(count, { perm: [2, 0, 1] })), { exact: true })
        .waitFor();
      const box = (axis) => page.locator(`#lens-axes [data-axis="${axis}"]`).boundingBox();
      const [from, to] = [await box(2), await box(1)];
      await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
      await page.mouse.down();
      await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
      await page.mouse.move(to.x + to.width, to.y + to.height / 2, { steps: 4 });
      await page.mouse.up();
      await result(page)
        .getByText(String(transpose(count, { perm: [0, 1, 2] })), { exact: true })
        .waitFor();
      await page.locator('#lens-axes [data-axis="1"]').press('ArrowLeft');
      await result(page)
        .getByText(String(transpose(count, { perm: [1, 0, 2] })), { exact: true })
        .waitFor();
      expect(new URL(page.url()).search).toBe('?panel=lens&perm=1,0,2');
    }),
  );

  some(
    'shapes, axes and splits are those of the package, its refusals too',
    onPage('?panel=lens', async (page) => {
      const messageOf = (call) => {
        try {
          return call();
        } catch ({ message }) {
          return message;
        }
      };
      const text = (title) => card(page, title).locator('.result-area');
      for (const [shape, allowzero] of [
        [[0, -1], 0],
        [[4, -1, 2], 0],
        [[5, 5], 0],
      ]) {
        await page.locator('#lens-shape').fill(shape.join(', '));
        const expected = messageOf(() => `[${reshape(count, shape, { allowzero }).dims.join(', ')}]`);
        await text('Reshape').getByText(expected).waitFor();
      }
      await page.locator('#lens-axis').focus();
      await page.keyboard.press('ArrowRight');
      await text('Flatten')
        .getByText(`[${flatten(count, { axis: 2 }).dims.join(', ')}]`)
        .waitFor();
      for (const split of ['1', '1, 3', '1, 1']) {
        await page.locator('#lens-split').fill(split);
        const list = split.includes(',') ? split.split(',').map(Number) : Number(split);
        const expected = messageOf(() =>
          splitToSequence(count, list, { axis: 2 }).map((piece) => `[${piece.dims.join(', ')}]`),
        );
        if (typeof expected === 'string') await text('SplitToSequence').getByText(expected).waitFor();
        else await expectTexts(text('SplitToSequence').locator('.piece-dims'), expected);
      }
    }),
  );

  some(
    'slices, pads, joins and patterns are those of the package, with their threads',
    onPage('?panel=lens', async (page) => {
      /** The dims, the cells of the result and the elements of the threads, once the call is shown. */
      const shown = async (title, call) => {
        const area = card(page, title).locator('.result-area');
        await area.getByText(call, { exact: true }).waitFor();
        const cells = await area.locator('.strip').nth(1).locator('.cell').allTextContents();
        const paths = area.locator('.threads path');
        const elements = await paths.evaluateAll((all) => all.map((path) => path.dataset.element));
        return [await area.locator('.facts dd').textContent(), cells, elements];
      };
      const expectMoved = async (title, call, { dims: own, data }) => {
        const all = [...data].map(String);
        const [cells, elements] = [all.map((entry) => (entry === '-1' ? '·' : entry)), all.filter((e) => e !== '-1')];
        expect(await shown(title, call)).toEqual([`[${own.join(', ')}]`, cells, elements]);
      };
      await expectMoved('Slice', 'slice(tensor, [-1], [0], [-1], [-2])', slice(count, [-1], [0], [-1], [-2]));
      await page.locator('#lens-slice-steps').fill('');
      await page.locator('#lens-slice-starts').fill('1');
      await page.locator('#lens-slice-ends').fill('9223372036854775807');
      const ends = '9223372036854775807';
      await expectMoved('Slice', `slice(tensor, [1], [${ends}], [-1])`, slice(count, [1], [BigInt(ends)], [-1]));
      await page.locator('#lens-slice-axes').fill('3');
      await card(page, 'Slice').getByText('Slice-13: axes must be in [-3, 2], got [3]', { exact: true }).waitFor();

      const mode = 'reflect';
      await expectMoved(
        'Pad',
        "pad(tensor, [1, 2], undefined, [-1], { mode: 'reflect' })",
        pad(count, [1, 2], null, [-1], { mode }),
      );
      await page.locator('#lens-mode').selectOption('constant');
      await page.locator('#lens-pads').fill('1, -1');
      await expectMoved('Pad', 'pad(tensor, [1, -1], -1, [-1])', pad(count, [1, -1], -1, [-1]));
      await page.locator('#lens-pads').fill('1, 1000000000');
      await card(page, 'Pad').getByText('has more than the 128 elements that are drawn').waitFor();

      await expectMoved('Concat', 'concat([tensor, tensor], { axis: 1 })', concat([count, count], { axis: 1 }));
      await page.locator('#lens-concat-axis').selectOption('-1');
      await expectMoved('Concat', 'concat([tensor, tensor], { axis: -1 })', concat([count, count], { axis: -1 }));

      const pattern = 'a ... (b c) -> b ... (a c)';
      await expectMoved('rearrange', `rearrange(tensor, '${pattern}', { c: 2 })`, rearrange(count, pattern, { c: 2 }));
      await page.locator('#lens-lengths').fill('');
      await page.locator('#lens-pattern').fill('a b');
      await card(page, 'rearrange')
        .getByText("rearrange: pattern must have one '->', got 'a b'", { exact: true })
        .waitFor();
      await page.locator('#lens-pattern').fill('a b c -> (c a) b');
      await expectMoved('rearrange', "rearrange(tensor, 'a b c -> (c a) b')", rearrange(count, 'a b c -> (c a) b'));
      expect(new URL(page.url()).searchParams.get('pattern')).toBe('a b c -> (c a) b');
    }),
  );
}
