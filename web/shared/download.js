/** Files that the browser downloads. */
import { element } from './elements.js';

/**
 * Hands a file to the browser, which saves it as it saves downloads.
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
