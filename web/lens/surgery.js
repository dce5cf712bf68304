/** The cards of slice, pad, concat and rearrange, each with its threads. */
import { card, facts, lead, row, select, textField } from '../shared/elements.js';
import { sharedWorker } from '../shared/workers.js';
import { readLengths, readNumbers, sizeOf } from './layout.js';
import { call, listOptions, moves, opsetOf, resultArea, showList } from './result.js';

/** @import { Subject } from './result.js' */

/** A result with more elements is not drawn. */
const mostCells = 128;

/** The value of a pad's new elements, which are no elements of the source. */
const constant = -1;

/**
 * A card with controls, of which each change calls again.
 * @param {string} title
 * @param {string} about
 * @param {Subject} subject
 * @param {(update: (entries: object) => void) => Node[]} controls
 * @param {() => [shown: string, name: string, ...given: any[]]} request the call as its user writes it, and as the
 *   worker gets it; throws a refusal
 */
function movingCard(title, about, { tensor, change }, controls, request) {
  const [area, show] = resultArea();
  const update = (entries) => {
    change(entries);
    show(async () => {
      const [shown, name, ...given] = request();
      // eslint-disable-next-line architecture/spreads -- two or three arguments of an operator
      const result = await sharedWorker().surgery(name, ...given);
      return [call(shown), moves(title, tensor, result), facts({ Dims: showList(result.dims) })];
    });
  };
  const line = row(controls(update));
  update({});
  return card(title, lead(about), line, area);
}

/** A field of text that is an entry of the state. */
const field = (label, name, id, state, update) =>
  textField(label, state[name], (given) => update({ [name]: given }), { id });

/** A list of numbers, or undefined where nothing is written. */
const listOrNone = (text) => {
  const list = readNumbers(text);
  return list.length > 0 ? list : undefined;
};

/**
 * The dims of a padded tensor, to see how large it is before it is made. `pad` itself refuses wrong pads: `inferShape`
 * would bring every operator into the page, 35 kB gzipped.
 */
function paddedDims(dims, pads, axes = dims.map((_, i) => i)) {
  const result = [...dims];
  axes.forEach((axis, i) => {
    const at = axis < 0 ? axis + dims.length : axis;
    result[at] = Math.max(0, result[at] + (pads[i] ?? 0) + (pads[i + axes.length] ?? 0));
  });
  return result;
}

const showGiven = (given) => {
  const last = given.findLastIndex((value) => value !== undefined);
  const shown = given.slice(0, last + 1).map((value) => (Array.isArray(value) ? showList(value) : String(value)));
  return shown.map((value) => `, ${value}`).join('');
};

/** @param {Subject} subject */
export function sliceCard(subject) {
  const { tensor, options, state } = subject;
  return movingCard(
    'Slice',
    'From starts up to ends, steps apart. What is negative counts from the back; a negative step goes backwards.',
    subject,
    (update) =>
      ['starts', 'ends', 'axes', 'steps'].map((name) => field(name, name, `lens-slice-${name}`, state, update)),
    () => {
      const [starts, ends] = [readNumbers(state.starts), readNumbers(state.ends)];
      const [axes, steps] = [listOrNone(state.axes), listOrNone(state.steps)];
      if (!(options.opset < 10)) {
        const given = [starts, ends, axes, steps];
        const shown = `slice(tensor${showGiven(given)}${listOptions(opsetOf(options))})`;
        return [shown, 'slice', tensor, ...given, options];
      }
      // Below opset 10 they are attributes, and there are no steps.
      const attributes = { starts, ends, ...(axes && { axes }), ...options };
      const entries = Object.entries(attributes).map(([name, value]) => [
        name,
        Array.isArray(value) ? showList(value) : value,
      ]);
      const given = [undefined, undefined, undefined, steps];
      return [`slice(tensor${showGiven(given)}${listOptions(entries)})`, 'slice', tensor, ...given, attributes];
    },
  );
}

/** @param {Subject} subject */
export function padCard(subject) {
  const { tensor, options, state } = subject;
  return movingCard(
    'Pad',
    'What comes before each axis, then what comes behind each. A negative number cuts.',
    subject,
    (update) => [
      field('pads', 'pads', 'lens-pads', state, update),
      field('axes', 'padAxes', 'lens-pad-axes', state, update),
      select('mode', ['constant', 'reflect', 'edge', 'wrap'], state.mode, (mode) => update({ mode }), {
        id: 'lens-mode',
      }),
    ],
    () => {
      const [pads, axes, { mode }] = [readNumbers(state.pads), listOrNone(state.padAxes), state];
      const isConstant = mode === 'constant';
      const attributes = { ...(!isConstant && { mode }), ...options };
      const dims = paddedDims(tensor.dims, pads, axes);
      if (sizeOf(dims) > mostCells)
        throw new RangeError(`The result ${showList(dims)} has more than the ${mostCells} elements that are drawn.`);
      const given = [pads, isConstant ? constant : undefined, axes];
      const entries = [...(isConstant ? [] : [['mode', `'${mode}'`]]), ...opsetOf(options)];
      return [`pad(tensor${showGiven(given)}${listOptions(entries)})`, 'pad', tensor, ...given, attributes];
    },
  );
}

/** @param {Subject} subject */
export function concatCard(subject) {
  const { tensor, options, state } = subject;
  const rank = tensor.dims.length;
  const axis = () => Math.min(rank - 1, Math.max(-rank, state.concatAxis));
  const axes = Array.from({ length: 2 * rank }, (_, i) => String(i - rank));
  return movingCard(
    'Concat',
    'The tensor joined with itself, so each element goes to two places.',
    subject,
    (update) => [
      select('axis', axes, String(axis()), (value) => update({ concatAxis: Number(value) }), {
        id: 'lens-concat-axis',
      }),
    ],
    () => {
      const attributes = { axis: axis(), ...options };
      const shown = `concat([tensor, tensor]${listOptions(Object.entries(attributes))})`;
      return [shown, 'concat', [tensor, tensor], attributes];
    },
  );
}

/** @param {Subject} subject */
export function rearrangeCard(subject) {
  const { tensor, state } = subject;
  return movingCard(
    'rearrange',
    'A pattern as einops has it: brackets split and merge axes, and ... stands for any number of them.',
    subject,
    (update) => [
      field('pattern', 'pattern', 'lens-pattern', state, update),
      field('lengths', 'lengths', 'lens-lengths', state, update),
    ],
    () => {
      const lengths = readLengths(state.lengths);
      const shown = Object.entries(lengths).map(([name, length]) => `${name}: ${length}`);
      const last = shown.length > 0 ? `, { ${shown.join(', ')} }` : '';
      return [`rearrange(tensor, '${state.pattern}'${last})`, 'rearrange', tensor, state.pattern, lengths];
    },
  );
}
