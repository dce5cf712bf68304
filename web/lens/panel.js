/**
 * The lens panel: what the operators do to a small tensor in memory. Its elements are their own addresses, so a result
 * shows where each element came from.
 */
import { card, element, facts, lead, row, select, stack, textField, setChildren } from '../shared/elements.js';
import { flag, oneOf, text, whole, wholes } from '../shared/state.js';
import { linkCells, strip } from './cells.js';
import { indexOf, permFor, sizeOf } from './layout.js';
import { flattenCard, reshapeCard, splitCard, transposeCard } from './operators.js';
import { concatCard, padCard, rearrangeCard, sliceCard } from './surgery.js';

/** A strip with more elements would be unreadable. */
const mostElements = 64;
/** All of them, as a list: `schemas` would bring every operator into the page, 35 kB gzipped. */
const opsets = Array.from({ length: 28 }, (_, i) => String(28 - i));

export const fields = {
  dims: wholes([2, 3, 4], 5, 0, mostElements),
  perm: wholes([2, 0, 1], 5, 0, 4),
  opset: oneOf('newest', ['newest', ...opsets]),
  shape: text('0, -1'),
  allowzero: flag(false),
  axis: whole(1, -5, 5),
  split: text('3'),
  splitAxis: whole(2, -5, 4),
  keepdims: flag(true),
  starts: text('-1'),
  ends: text('0'),
  axes: text('-1'),
  steps: text('-2'),
  pads: text('1, 2'),
  padAxes: text('-1'),
  mode: oneOf('reflect', ['constant', 'reflect', 'edge', 'wrap']),
  concatAxis: whole(1, -5, 4),
  pattern: text('a ... (b c) -> b ... (a c)'),
  lengths: text('c=2'),
};

/** Reads dims while the user is typing them, when a trailing comma is no mistake. */
const dimsOf = (given) => {
  const dims = fields.dims.parse(given.replace(/[\s,]+$/, '').replaceAll(/[\s,]+/g, ','));
  return dims && dims.length > 0 && sizeOf(dims) <= mostElements ? dims : undefined;
};

export function mount(root, state, save) {
  state.dims = dimsOf(state.dims.join()) ?? fields.dims.initial;
  const panel = new LensPanel(state, save);
  root.append(panel.node);
  linkCells(root, (address) => {
    panel.readout.textContent = address === undefined ? '' : addressText(address, state.dims);
  });
  panel.build();
}

const addressText = (address, dims) =>
  `Element ${address} is [${indexOf(address, dims).join(', ')}] of the tensor, ${4 * address} bytes from its start.`;

/** The cards of all operators, each with its result for the tensor. */
const operatorCards = (subject) => [
  transposeCard(subject),
  element('div', { class: 'card-pair' }, reshapeCard(subject), flattenCard(subject)),
  ...[splitCard, sliceCard, padCard, concatCard, rearrangeCard].map((make) => make(subject)),
];

class LensPanel {
  #save;
  #state;
  #problem = element(
    'p',
    { class: 'problem', role: 'alert', hidden: true },
    `Up to five extents whose product is at most ${mostElements}.`,
  );
  readout = element('p', { class: 'readout', id: 'lens-readout', 'aria-live': 'polite' });
  #about = element('div', {});
  #source = element('div', {});
  #cards = stack();

  constructor(state, save) {
    this.#state = state;
    this.#save = save;
    this.node = stack(this.#tensorCard(), this.#cards, this.readout);
  }

  #tensorCard() {
    const state = this.#state;
    const setDims = (given) => {
      const dims = dimsOf(given);
      this.#problem.hidden = dims !== undefined;
      if (dims) this.#change({ dims });
    };
    return card(
      'A tensor',
      lead(
        'The value of each element is its own address, and each has a color of its own. ',
        'The operators of the package are applied to this tensor below. ',
        'Point at a cell, or move the focus there, to follow its element.',
      ),
      row(
        textField('dims', state.dims.join(', '), setDims, { id: 'lens-dims', inputmode: 'numeric' }),
        select('opset', ['newest', ...opsets], state.opset, (opset) => this.#change({ opset })),
      ),
      this.#problem,
      this.#about,
      this.#source,
    );
  }

  #change(entries) {
    Object.assign(this.#state, entries);
    this.#save();
    if ('dims' in entries || 'opset' in entries) this.build();
  }

  /** Builds all that depends on the tensor. */
  build() {
    const state = this.#state;
    const { dims } = state;
    const size = sizeOf(dims);
    state.perm = permFor(state.perm, dims.length);
    const tensor = { type: 'int32', dims, data: Int32Array.from({ length: size }, (_, i) => i) };
    const options = state.opset === 'newest' ? {} : { opset: Number(state.opset) };
    const strides = dims.map((_, axis) => sizeOf(dims.slice(axis + 1)));
    this.#about.replaceChildren(
      facts({
        Type: 'int32',
        Dims: `[${dims.join(', ')}]`,
        Strides: `[${strides.join(', ')}]`,
        Elements: String(size),
      }),
    );
    this.#source.replaceChildren(strip('The tensor in memory', [...tensor.data], size));
    const change = (entries) => this.#change(entries);
    setChildren(this.#cards, operatorCards({ tensor, options, state, change }));
  }
}
