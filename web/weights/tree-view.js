/** The tree of tensors on the page. The rows of a folded branch are made when it is opened. */
import { element } from '../shared/elements.js';
import { showBytes } from '../shared/number-text.js';
import { branchesOf, openAtFirst } from './tree.js';

/** At first as many rows are seen, and a long list shows as many at a time. */
const [mostAtFirst, mostAtOnce] = [40, 200];

const counted = new Intl.NumberFormat('en');

const label = (text) => element('span', { class: 'tree-label' }, text);
const about = (text) => element('span', { class: 'tree-about' }, text);

/**
 * @param {readonly import('./tree.js').Row[]} rows
 * @param {string} chosen the name of a tensor
 * @param {(name: string) => void} onChoose
 * @returns {HTMLElement}
 */
export function treeView(rows, chosen, onChoose) {
  const tree = new TreeView(openAtFirst(rows, mostAtFirst, chosen), chosen, onChoose);
  tree.fill(tree.node, branchesOf(rows));
  return tree.node;
}

class TreeView {
  #chosen;
  #onChoose;
  #open;
  node = element('ul', { class: 'tree', id: 'weights-tree' });

  constructor(open, chosen, onChoose) {
    this.#open = open;
    this.#chosen = chosen;
    this.#onChoose = onChoose;
  }

  /** Adds rows, with a button for the rest of a long list. */
  fill(list, branches) {
    for (const branch of branches.slice(0, mostAtOnce))
      list.append(branch.row ? this.#tensorRow(branch) : this.#branchRow(branch));
    const rest = branches.slice(mostAtOnce);
    if (rest.length === 0) return;
    const showRest = () => {
      item.remove();
      this.fill(list, rest);
    };
    const text = `${counted.format(rest.length)} more`;
    const item = element('li', {}, element('button', { class: 'tree-more', click: showRest }, text));
    list.append(item);
  }

  #tensorRow({ label: text, row: { name, type, dims, bytes } }) {
    const button = element(
      'button',
      {
        class: 'tree-row',
        'aria-pressed': String(name === this.#chosen),
        'data-name': name,
        click: () => {
          this.node.querySelector('[aria-pressed=true]')?.setAttribute('aria-pressed', 'false');
          button.setAttribute('aria-pressed', 'true');
          this.#chosen = name;
          this.#onChoose(name);
        },
      },
      label(text || '(no name)'),
      about(`${type} [${dims.join(', ')}]`),
      about(showBytes(bytes)),
    );
    return element('li', {}, button);
  }

  #branchRow({ label: text, path, rows }) {
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    const list = element('ul', {});
    const fillOnce = () => {
      if (list.childElementCount === 0) this.fill(list, branchesOf(rows, path.length));
    };
    const summary = element(
      'summary',
      { class: 'tree-row' },
      label(text),
      about(`${counted.format(rows.length)} tensors`),
      about(showBytes(bytes)),
    );
    const node = element('details', { toggle: () => node.open && fillOnce() }, summary, list);
    // Fill it now: the toggle event comes later, and the rows below would jump.
    if (this.#open.has(path)) {
      fillOnce();
      node.open = true;
    }
    return element('li', {}, node);
  }
}

/** Scrolls a frame, and nothing else, so that the chosen tensor is seen. */
export function showChosen(frame) {
  const chosen = frame.querySelector('[aria-pressed=true]');
  const [inner, outer] = [chosen?.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (inner && (inner.top < outer.top || inner.bottom > outer.bottom))
    frame.scrollTop += inner.top - outer.top - outer.height / 2;
}
