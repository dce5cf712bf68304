/** The background of bars and borders: a byte for all channels, a list of bytes, or a CSS color. */
import { copyList, rangeError, readWhole, show, showList, typeError } from '../../arguments/index.js';

/** @import { Background } from '../types.js' */

/** The sixteen names of HTML 4. */
const named = {
  black: '000000',
  silver: 'c0c0c0',
  gray: '808080',
  white: 'ffffff',
  maroon: '800000',
  red: 'ff0000',
  purple: '800080',
  fuchsia: 'ff00ff',
  green: '008000',
  lime: '00ff00',
  olive: '808000',
  yellow: 'ffff00',
  navy: '000080',
  blue: '0000ff',
  teal: '008080',
  aqua: '00ffff',
};

/** Reads the option `background`: the byte 0 for all channels if omitted.
 * @type {(name: string, value: unknown) => Background} */
export const readBackgroundOption = (_, value = 0) => readBackground(value);

/** Reads a background: a CSS color stays a text. `checkCss`: throws for a text that is no color
 * @type {(value: unknown, checkCss?: (text: string) => unknown) => Background} */
export function readBackground(value, checkCss = colorOf) {
  if (typeof value === 'string') {
    checkCss(value);
    return value;
  }
  const isList = Array.isArray(value);
  if (typeof value !== 'number' && !isList)
    typeError(`background must be a byte, a list of bytes or a CSS color, got ${show(value)}`);
  const list = isList ? copyList('background', value) : [value];
  const bytes = list.map((byte) => Number(readWhole('background', byte)));
  if (bytes.some((byte) => byte < 0 || byte > 255))
    rangeError(`background must be from 0 to 255, got ${isList ? showList(list) : show(value)}`);
  return isList ? bytes : bytes[0];
}

/** Makes the bytes of a pixel of the background, one for each channel. A CSS color is opaque, and gray for 1 channel.
 * @type {(background: Background, channels: number) => number[]} */
export function pixelOf(background, channels) {
  if (typeof background === 'number') return Array.from({ length: channels }, () => background);
  if (typeof background === 'string') {
    const [red, green, blue] = colorOf(background);
    return channels === 1 ? [grayOf(red, green, blue)] : [red, green, blue, 255].slice(0, channels);
  }
  if (background.length !== channels)
    rangeError(`background must hold ${channels} bytes, one for each channel, got ${showList(background)}`);
  return background;
}

/** Refuses lists that are not three bytes, which are red, green and blue in this order whatever channels the tensor
 * has.
 * @type {(background: Background) => Background} */
export function checkTensorBackground(background) {
  if (Array.isArray(background) && background.length !== 3)
    rangeError(`background must hold 3 bytes, for red, green and blue, got ${showList(background)}`);
  return background;
}

/** Makes the RGBA bytes of a background. Around a picture with alpha, a byte for all channels is the alpha too, as with
 * Ultralytics' LetterBox.
 * @type {(background: Background, hasAlpha: boolean) => number[]} */
export function rgbaOf(background, hasAlpha) {
  if (typeof background === 'number') return [background, background, background, hasAlpha ? background : 255];
  return [...(typeof background === 'string' ? colorOf(background) : background), 255];
}

/** The gray of a color, as Pillow's mode L: by the weights of ITU-R BT.601 times 2^16, rounded.
 * @type {(red: number, green: number, blue: number) => number} */
const grayOf = (red, green, blue) => (19595 * red + 38470 * green + 7471 * blue + 32768) >> 16;

/** Parses a color: `#rgb`, `#rrggbb`, `rgb(r, g, b)` or a name of HTML 4. Gives red, green and blue from 0 to 255.
 * @type {(value: string) => number[]} */
function colorOf(value) {
  const text = value.trim().toLowerCase();
  const color = colorOfHex(hexOf(text)) ?? colorOfFunction(text);
  if (!color || color.some((part) => part > 255)) {
    rangeError(
      `background must be #rgb, #rrggbb, rgb(r, g, b) or one of ${Object.keys(named).join(', ')}, got ${show(value)}`,
    );
  }
  return color;
}

/** The hexadecimal digits of `#rgb`, `#rrggbb` or a color's name. @type {(text: string) => string | undefined} */
function hexOf(text) {
  if (Object.hasOwn(named, text)) return named[/** @type {keyof typeof named} */ (text)];
  return text.startsWith('#') ? text.slice(1) : undefined;
}

/** Red, green and blue of three or six hexadecimal digits; undefined for other text.
 * @type {(hex: string | undefined) => number[] | undefined} */
function colorOfHex(hex) {
  if (hex === undefined || !/^([0-9a-f]{3}){1,2}$/.test(hex)) return undefined;
  const pairs = hex.length === 3 ? Array.from(hex, (digit) => digit + digit) : (hex.match(/../g) ?? []);
  return pairs.map((pair) => parseInt(pair, 16));
}

/** The numbers of `rgb(r, g, b)`; undefined for other text. @type {(text: string) => number[] | undefined} */
const colorOfFunction = (text) =>
  /^rgb\(\s*(\d+)\s*[,\s]\s*(\d+)\s*[,\s]\s*(\d+)\s*\)$/.exec(text)?.slice(1).map(Number);
