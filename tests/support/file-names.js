/** Names of files in other files: those that lead out of a folder, on any system or in a URL, and those that do not. */

import { words } from './tables.js';

/** @type {readonly string[]} */
export const namesOutside = [
  ...['', 'c:\\x', '\\\\host\\x', 'a\\..\\x', 'a\\b', 'a\0b'],
  ...words('/etc/passwd //host/x .. ../x ../../etc/passwd a/../../x a/.. ./../x C:x c:/x'),
  ...words('https://x.example/y file:///etc/passwd data:,x'),
  // A URL drops control characters and a space in front, reads %2e as a dot, and ends its path at ? and #.
  ...['.\t./x', '.\n./x', 'a\u0085', ' //x.example/y', '%2e%2E/x', 'a/.%2e', '..?x', 'a/..#x'],
];

/** @type {readonly string[]} */
export const namesInside = ['naïve 漢 x', ...words('x a/b .a ..a a.. a/b..bin ... ./x a/C: %2e - ~')];
