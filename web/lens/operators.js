/** The cards of the operators: the attributes, and the result for the tensor. */
import { flatten, reshape, Tensor } from 'onnx-layout';
import { card, checkbox, element, facts, lead, row, select, textField } from '../shared/elements.js';
import { sharedWorker } from '../shared/workers.js';
import { axisList } from './axes.js';
import { strip } from './cells.js';
import { readNumbers, sizeOf } from './layout.js';
import { call, listOptions, moves, opsetOf, resultArea, showList } from './result.js';

/** @import { Subject } from './result.js' */

const printed = (tensor) =>
  element('pre', { class: 'values' }, String(new Tensor(tensor.type, tensor.data, tensor.dims)));
const captioned = (caption, content) => element('figure', {}, element('figcaption', {}, caption), content);

/** @param {Subject} subject */
export function transposeCard({ tensor, options, state, change }) {
  const [area, show] = resultArea();
  const strides = tensor.dims.map((_, axis) => sizeOf(tensor.dims.slice(axis + 1)));
  const update = (perm) =>
    show(async () => {
      const result = await sharedWorker().transpose(tensor, { perm, ...options });
      return [
        call(`transpose(tensor${listOptions([['perm', showList(perm)], ...opsetOf(options)])})`),
        moves('Transpose', tensor, result),
        facts({ Dims: showList(result.dims), 'Steps through the source': showList(perm.map((axis) => strides[axis])) }),
        element(
          'div',
          { class: 'side-by-side' },
          captioned('tensor', printed(tensor)),
          captioned('result', printed(result)),
        ),
      ];
    });
  update(state.perm);
  return card(
    'Transpose',
    lead('Drag an axis to another place, or move it with the arrow keys.'),
    axisList(state.perm, tensor.dims, (perm) => {
      change({ perm });
      update(perm);
    }),
    area,
  );
}

/** The call of Reshape, its dims and its text. */
function reshaped({ tensor, options, state }) {
  // Below opset 14 there is no allowzero, and below 5 the shape is an attribute.
  const attributes = { ...(state.allowzero && { allowzero: 1 }), ...options };
  const shape = readNumbers(state.shape);
  const result =
    options.opset < 5 ? reshape(tensor, undefined, { shape, ...attributes }) : reshape(tensor, shape, attributes);
  const shown = [...(state.allowzero ? [['allowzero', 1]] : []), ...opsetOf(options)];
  return [
    call(`reshape(tensor, ${showList(shape)}${listOptions(shown)})`),
    facts({ Dims: showList(result.dims), Memory: 'the same, nothing is moved' }),
    printed(result),
  ];
}

/** @param {Subject} subject */
export function reshapeCard(subject) {
  const [area, show] = resultArea();
  const { state } = subject;
  const change = (name) => (value) => {
    subject.change({ [name]: value });
    show(() => reshaped(subject));
  };
  show(() => reshaped(subject));
  return card(
    'Reshape',
    lead('One −1 follows from the others. A 0 copies the extent at its place; with allowzero it means 0.'),
    row(
      textField('shape', state.shape, change('shape'), { id: 'lens-shape' }),
      checkbox('allowzero', state.allowzero, change('allowzero')),
    ),
    area,
  );
}

/** @param {Subject} subject */
export function flattenCard({ tensor, options, state, change }) {
  const [area, show] = resultArea();
  const rank = tensor.dims.length;
  const axis = Math.min(rank, Math.max(-rank, state.axis));
  const output = element('output', {}, String(axis));
  const slider = element('input', {
    type: 'range',
    min: -rank,
    max: rank,
    value: axis,
    id: 'lens-axis',
    input: () => update(Number(slider.value)),
  });
  const update = (value) => {
    output.textContent = String(value);
    change({ axis: value });
    show(() => {
      const result = flatten(tensor, { axis: value, ...options });
      const [, columns] = result.dims;
      return [
        call(`flatten(tensor${listOptions([['axis', value], ...opsetOf(options)])})`),
        strip('Flatten: the matrix', [...tensor.data], tensor.data.length, columns),
        facts({ Dims: showList(result.dims), Memory: 'the same, nothing is moved' }),
      ];
    });
  };
  update(axis);
  return card(
    'Flatten',
    lead('The axes before this one become the rows, the others become the columns.'),
    element('label', { class: 'field slider' }, element('span', {}, 'axis ', output), slider),
    area,
  );
}

/** The call of SplitToSequence, and its pieces. */
async function pieces({ tensor, options, state }) {
  const split = readNumbers(state.split, true);
  const attributes = { axis: state.splitAxis, ...(state.keepdims ? {} : { keepdims: 0 }), ...options };
  const results = await sharedWorker().split(tensor, split, attributes);
  const shown = Array.isArray(split) ? showList(split) : String(split);
  const items = results.map(({ dims, data }, i) =>
    element(
      'li',
      {},
      element('span', { class: 'piece-dims' }, showList(dims)),
      strip(`Piece ${i}`, [...data], tensor.data.length, Math.min(data.length, 24)),
    ),
  );
  return [
    call(`splitToSequence(tensor, ${shown}${listOptions(Object.entries(attributes))})`),
    element('ol', { class: 'pieces', 'aria-label': 'Pieces' }, items),
  ];
}

/** @param {Subject} subject */
export function splitCard(subject) {
  const [area, show] = resultArea();
  const { tensor, state } = subject;
  const rank = tensor.dims.length;
  const axis = Math.min(rank - 1, Math.max(-rank, state.splitAxis));
  const update = (entries) => {
    subject.change(entries);
    show(() => pieces(subject));
  };
  update({ splitAxis: axis });
  const axes = Array.from({ length: 2 * rank }, (_, i) => String(i - rank)).map((value) => [value, value]);
  return card(
    'SplitToSequence',
    lead(
      'A number is the extent of each piece. A list has the extents of all pieces. Without either, each extent is 1.',
    ),
    row(
      textField('split', state.split, (split) => update({ split }), { id: 'lens-split' }),
      select('axis', axes, String(axis), (value) => update({ splitAxis: Number(value) })),
      checkbox('keepdims', state.keepdims, (keepdims) => update({ keepdims })),
    ),
    area,
  );
}
