/** SHA-256 on a page. */

/** @type {(data: ArrayBufferView) => Promise<string>} of the bytes, in hexadecimal */
export async function digestOf({ buffer, byteOffset, byteLength }) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(buffer, byteOffset, byteLength)));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
