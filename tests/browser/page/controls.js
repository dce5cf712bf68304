/** A picture and files that are dropped on the page, and the controls that all panels have. */
import { expect } from '@jest/globals';
import { PNG } from 'pngjs';

/**
 * Declares the tests of a panel: `some` a test of which a run takes every fifth, `onPage` the body of a test, on a page
 * that is opened before and must have stayed silent afterwards.
 * @typedef {(some: (...args: any[]) => void, onPage: OnPage) => void} PanelTests
 * @typedef {(query: string, use: (page: any) => Promise<void>) => () => Promise<void>} OnPage
 */

/** 5 x 3 pixels of as many colors. */
export const picture = new PNG({ width: 5, height: 3 });
for (let i = 0; i < picture.data.length; i++) picture.data[i] = i % 4 === 3 ? 255 : (37 * i) % 251;
const png = PNG.sync.write(picture);

/** Drops files, each with its name, bytes and type. */
export const dropAll = (page, files) =>
  page.evaluate(
    (files) => {
      const dataTransfer = new DataTransfer();
      for (const [name, base64, type] of files) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name, { type }));
      }
      for (const type of ['dragenter', 'dragover', 'drop'])
        document
          .querySelector('section:not([hidden]) .drop')
          .dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    files.map(([name, bytes, type]) => [name, Buffer.from(bytes).toString('base64'), type]),
  );
export const drop = (page, bytes = png, name = 'colours.png', type = 'image/png') =>
  dropAll(page, [[name, bytes, type]]);

export const shows = (page, selector, text) => page.locator(selector).filter({ hasText: text }).first().waitFor();
export const card = (page, title) =>
  page.locator('section.card', { has: page.getByRole('heading', { name: title, exact: true }) });
export const choose = (page, group, option) =>
  page.getByRole('group', { name: group, exact: true }).getByRole('radio', { name: option, exact: true }).check();

/** Waits for as many elements as there are texts, and compares all texts. */
export async function expectTexts(locator, expected) {
  await locator.nth(expected.length - 1).waitFor();
  expect(await locator.allTextContents()).toEqual(expected);
}
