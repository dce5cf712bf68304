/** Patterns of `rearrange` and `repeat`, in the grammar of einops. */
import { rangeError, readText, show } from '../../arguments/index.js';

/** @import { Name, Pattern, Side } from '../types.js' */

/** The name that stands for any number of axes. */
export const ellipsis = '...';

/**
 * An axis: the names that it is made of, none for extent 1; or an ellipsis, which is axes of its own.
 * @typedef {readonly Name[] | typeof ellipsis} Axis
 */

/** @type {Map<string, Pattern>} The latest patterns: reading one takes 1 to 3 us, a look-up .03. */
const patterns = new Map();
const maxPatterns = 64;
/** A longer pattern is a mistake: tensors have at most 64 axes. */
const longestPattern = 10_000;

/** A name as Python has it, with no underscore at an end. */
const namePattern = /^(?!_)[\p{XID_Start}_][\p{XID_Continue}]*(?<!_)$/u;
/** A bracket, or what stands between brackets and spaces. */
const tokens = /[()]|[^ ()]+/gu;

/** Reads a pattern, or finds it in the cache, {@link patterns}, which is emptied once it is full.
 * @type {(operation: 'rearrange' | 'repeat', pattern: unknown) => Pattern} */
export function readPattern(operation, pattern) {
  const text = readText('pattern', pattern);
  const key = `${operation} ${text}`;
  const known = patterns.get(key);
  if (known) return known;
  const parsed = parsePattern(operation, text);
  if (patterns.size === maxPatterns) patterns.clear();
  patterns.set(key, parsed);
  return parsed;
}

/** Parses a pattern to its two sides, and refuses names and numbers that the operation does not take.
 * @type {(operation: 'rearrange' | 'repeat', pattern: string) => Pattern} */
function parsePattern(operation, pattern) {
  /** @type {(rule: string) => never} */
  const refuse = (rule) => rangeError(`pattern must ${rule}, got ${show(pattern)}`);
  if (pattern.length > longestPattern) refuse(`have at most ${longestPattern} characters`);
  const sides = pattern.split('->');
  if (sides.length !== 2) refuse("have one '->'");
  const [left, right] = sides.map((text) => readSide(text, refuse));
  if (left.some((axis) => axis !== ellipsis && axis.includes(ellipsis)))
    refuse('have no ellipsis in brackets on the left');
  checkSides(operation, left.flat(), right.flat(), refuse);
  return { left, right };
}

/** Refuses names of one side alone, and numbers: only `repeat` may have numbers and further names on the right.
 * `refuse` throws, with the rule that the pattern breaks.
 * @type {(operation: 'rearrange' | 'repeat', leftNames: Name[], rightNames: Name[], refuse: (rule: string) => never) =>
 *   void} */
function checkSides(operation, leftNames, rightNames, refuse) {
  const isRepeat = operation === 'repeat';
  if (leftNames.some(isNumber) || (!isRepeat && rightNames.some(isNumber)))
    refuse(`have no number but 1${isRepeat ? ' on the left' : ''}`);
  for (const name of leftNames) if (!rightNames.includes(name)) refuse(`have ${show(name)} on both sides`);
  for (const name of rightNames) {
    const mayBeNew = isRepeat && name !== ellipsis;
    if (!mayBeNew && !leftNames.includes(name)) refuse(`have ${show(name)} on both sides`);
  }
}

/** Tells whether a name is a number, which stands for a new axis of that extent.
 * @type {(name: Name) => boolean} */
const isNumber = (name) => typeof name === 'number';

/** Reads a side of a pattern: the names of each axis, several where brackets join them. `refuse` throws, with a rule.
 * @type {(text: string, refuse: (rule: string) => never) => Side} */
function readSide(text, refuse) {
  /** @type {(Name[] | typeof ellipsis)[]} */
  const axes = [];
  /** @type {Set<Name>} */
  const names = new Set();
  /** The axis whose bracket is open. @type {Name[] | undefined} */
  let openAxis;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '(') {
      if (openAxis) refuse('have brackets one level deep');
      openAxis = [];
      axes.push(openAxis);
    } else if (token === ')') {
      if (!openAxis) refuse('close the brackets that it opens');
      openAxis = undefined;
    } else {
      const name = readName(token, refuse);
      if (names.has(name)) refuse(`have ${show(name)} once a side`);
      // A side may have a number twice.
      if (typeof name === 'string') names.add(name);
      // An axis of extent 1 is made of no names.
      const namesOfAxis = name === 1 ? [] : [name];
      if (openAxis) openAxis.push(...namesOfAxis);
      else axes.push(name === ellipsis ? ellipsis : namesOfAxis);
    }
  }
  if (openAxis) refuse('close the brackets that it opens');
  return axes;
}

/** Reads a token that is no bracket: a name, the ellipsis, or a number of at least 1.
 * @type {(token: string, refuse: (rule: string) => never) => Name} */
function readName(token, refuse) {
  if (token === ellipsis || namePattern.test(token)) return token;
  const number = /^\d+$/.test(token) ? Number(token) : 0;
  if (!Number.isSafeInteger(number) || number < 1)
    refuse(`name axes by letters, digits and inner underscores, not ${show(token)}`);
  return number;
}
