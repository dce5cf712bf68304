/** Output for a terminal: a line about long work, and names of a file without control characters. */

import { dtypes, Tensor } from '../index.js';

/** @import { Streams } from './types.js' */

/** Bytes. Work on fewer is done before a line about it could be read. */
const minShownBytes = 64 * 2 ** 20;
/** Milliseconds between two drawings of a bar. */
const barInterval = 100;
const barColumns = 24;
/** Moves a terminal to the start of its line, and clears the line. */
const clearLine = '\r\x1b[K';

/** Shows a line on stderr about work on many bytes, which the next one replaces; nothing for less work, with --quiet,
 * or if stderr is no terminal.
 * @type {(streams: Streams, what: string, bytes: number) => void} */
export function progress({ stderr, isQuiet }, what, bytes) {
  if (stderr.isTTY && !isQuiet && bytes >= minShownBytes) stderr.write(`${clearLine}${safe(what)}`);
}

/** @type {(streams: Streams) => void} */
export const clearProgress = (streams) => progress(streams, '', Infinity);

/** Milliseconds between two lines about work of hours, where standard error is no terminal. */
const logInterval = 30_000;

/**
 * Makes a function that shows the progress of work: a bar with the rate and the seconds that are left. `now` gives
 * milliseconds. `rateText` spells what is done in a second, of work that is not counted in bytes; then the bar is shown
 * for any amount of work. With `isLogged` a line comes every 30 s if stderr is no terminal.
 * @type {(streams: Streams, what: string, options?: { now?: () => number, rateText?: (rate: number) => string,
 *   isLogged?: boolean }) => (progress: { done: number, total: number }) => void}
 */
export function meter(streams, what, { now = () => performance.now(), rateText, isLogged = false } = {}) {
  const { stderr, isQuiet } = streams;
  const isLine = isLogged && !stderr.isTTY && !isQuiet;
  const interval = isLine ? logInterval : barInterval;
  let start = NaN;
  let lastShown = -Infinity;
  return ({ done, total }) => {
    const time = now();
    if (Number.isNaN(start)) {
      start = time;
      // Lines wait for an interval, the bar does not.
      if (isLine) lastShown = time;
    }
    const hasRate = time !== start;
    if (!hasRate || time - lastShown < interval) return;
    lastShown = time;
    const rate = (done / (time - start)) * 1000;
    const secondsLeft = Math.ceil((total - done) / rate);
    const percent = Math.floor((done / total) * 100);
    const text = `${percent} % ${(rateText ?? size)(rate)}/s, ${secondsLeft} s left`;
    if (isLine) return void stderr.write(`onnx-layout: ${safe(what)} ${done} of ${total}, ${text}\n`);
    const filled = '='.repeat(Math.round((done / total) * barColumns));
    progress(streams, `${what} [${filled.padEnd(barColumns)}] ${text}`, rateText ? Infinity : total);
  };
}

/** @type {(count: number) => string} */
export const inputs = (count) => pictures(count).replace('pictures', 'inputs');

/** @type {(count: number) => string} */
export const pictures = (count) => `${count < 10 ? count.toFixed(1) : Math.round(count)} pictures`;

/** @type {(count: number, noun: string) => string} */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Writes a count of bytes in a unit of a power of 1000, with at most three digits, such as 1.23 MB.
 * @type {(bytes: number) => string} */
export function size(bytes) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let power = 0;
  // From 999.5 on three digits would show 1000.
  for (; bytes >= 999.5 && power < units.length - 1; power++) bytes /= 1000;
  return `${power === 0 ? Math.round(bytes) : Number(bytes.toPrecision(3))} ${units[power]}`;
}

/** Functions that messages recommend, and what does the same here. */
const remedies = {
  'readImage takes it': 'preprocess takes it',
  'readWav takes it': 'features and resample take it',
  'decodeAudio takes it': 'save it as WAV',
  'resampleAudio changes it': '--resample changes it',
  'toMono gives their mean': '--mono takes their mean',
};

/** Rewrites a message for users of the command line, who know no functions: cuts the name of one in front, and replaces
 * a function that the message recommends at its end by the option or command that does the same. No command does the
 * same as processorNames.
 * @type {(message: string) => string} */
export function withoutFunction(message) {
  const rest = message.replace(/^[a-z]+[A-Z]\w*: /, '').replace(/; processorNames lists all$/, '');
  for (const [advice, remedy] of Object.entries(remedies))
    if (rest.endsWith(advice)) return rest.slice(0, -advice.length) + remedy;
  return rest;
}

/** Characters that a terminal obeys instead of showing: controls, formats such as those that turn the direction of the
 * text, ends of lines, and halves of surrogate pairs. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** @type {(code: number) => string} */
function escaped(code) {
  if (code < 2 ** 8) return `\\x${hex(code, 2)}`;
  if (code < 2 ** 16) return `\\u${hex(code, 4)}`;
  return `\\u{${hex(code, 1)}}`;
}

/** @type {(code: number, digits: number) => string} */
const hex = (code, digits) => code.toString(16).padStart(digits, '0');

/** Escapes the characters of a text that a terminal would obey or hide, such as `\x1b`.
 * @type {(text: string) => string} */
export const safe = (text) =>
  text.replace(unseen, (character) => escaped(/** @type {number} */ (character.codePointAt(0))));

/** Escapes these characters in a text of JSON as `\u001b`, except the ends of its lines.
 * @type {(text: string) => string} */
export const safeJson = (text) =>
  text.replace(unseen, (character) => {
    if (character === '\n') return character;
    // JSON has an escape for each UTF-16 unit.
    const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
    return units.map((unit) => `\\u${hex(unit, 4)}`).join('');
  });

/** Writes a float by the fewest digits that tell it from its type's other numbers: float32 0.1 as 0.1. Any other value
 * is written as String does. `type`: a tensor's.
 * @type {(type: unknown, value: unknown) => string} */
export function digitsOf(type, value) {
  if (!Number.isFinite(value)) return String(value);
  const typeName = /** @type {keyof typeof dtypes} */ (type);
  const isFloat = dtypes[typeName].format.kind === 'float';
  if (!isFloat) return String(value);
  // A tensor of no axes writes its one number by the fewest digits, with .0 behind whole ones.
  const scalar = Tensor.from(/** @type {'float32'} */ (typeName), [Number(value)], []);
  return String(scalar).replace(/\.0$/, '');
}
