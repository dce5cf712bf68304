/** CSS colors, where no browser reads them. */
import { rangeError, show } from '../../arguments/index.js';

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

/** @type {(argument: string, value: string) => number[]} `#rgb`, `#rrggbb`, `rgb(r, g, b)` or a name of HTML 4. */
export function readColor(argument, value) {
  const text = value.trim().toLowerCase();
  const hex = Object.hasOwn(named, text) ? named[/** @type {keyof typeof named} */ (text)] : text.replace(/^#/, '');
  const isHex = text !== hex && /^([0-9a-f]{3}){1,2}$/.test(hex);
  const digits = hex.length === 3 ? Array.from(hex, (digit) => digit + digit) : (hex.match(/../g) ?? []);
  const parts = /^rgb\(\s*(\d+)\s*[,\s]\s*(\d+)\s*[,\s]\s*(\d+)\s*\)$/.exec(text)?.slice(1).map(Number);
  const color = isHex ? digits.map((pair) => parseInt(pair, 16)) : parts;
  if (!color || color.some((part) => part > 255)) {
    rangeError(
      `${argument} must be #rgb, #rrggbb, rgb(r, g, b) or one of ${Object.keys(named).join(', ')}, got ${show(value)}`,
    );
  }
  return [...color, 255];
}
