/** The tree of tensors on the page. What is folded is made when it is opened. */
import { element } from '../elements.js';
import { showBytes } from '../throughput/statistics.js';
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
  const open = openAtFirst(rows, mostAtFirst, chosen);

  function tensorRow({ label: text, row: { name, type, dims, bytes } }) {
    const button = element(
      'button',
      {
        class: 'tree-row',
        'aria-pressed': String(name === chosen),
        'data-name': name,
        click: () => {
          tree.querySelector('[aria-pressed=true]')?.setAttribute('aria-pressed', 'false');
          button.setAttribute('aria-pressed', 'true');
          chosen = name;
          onChoose(name);
        },
      },
      label(text || '(no name)'),
      about(`${type} [${dims.join(', ')}]`),
      about(showBytes(bytes)),
    );
    return element('li', {}, button);
  }

  function branchRow({ label: text, path, rows: inside }) {
    const bytes = inside.reduce((sum, row) => sum + row.bytes, 0);
    const list = element('ul', {});
    const node = element(
      'details',
      {
        toggle: () => {
          if (node.open && list.childElementCount === 0) fill(list, branchesOf(inside, path.length));
        },
      },
      element(
        'summary',
        { class: 'tree-row' },
        label(text),
        about(`${counted.format(inside.length)} tensors`),
        about(showBytes(bytes)),
      ),
      list,
    );
    // Filled here too: the event comes later, and rows that appear one after another would jump.
    if (open.has(path)) {
      fill(list, branchesOf(inside, path.length));
      node.open = true;
    }
    return element('li', {}, node);
  }

  /** Adds rows, with a button for the rest of a long list. */
  function fill(list, branches) {
    list.append(...branches.slice(0, mostAtOnce).map((branch) => (branch.row ? tensorRow : branchRow)(branch)));
    const rest = branches.slice(mostAtOnce);
    if (rest.length === 0) return;
    const more = element(
      'button',
      {
        class: 'tree-more',
        click: () => {
          item.remove();
          fill(list, rest);
        },
      },
      `${counted.format(rest.length)} more`,
    );
    const item = element('li', {}, more);
    list.append(item);
  }

  const tree = element('ul', { class: 'tree', id: 'weights-tree' });
  fill(tree, branchesOf(rows));
  return tree;
}

/** Scrolls a frame, and nothing else, so that the chosen tensor is seen. */
export function showChosen(frame) {
  const chosen = frame.querySelector('[aria-pressed=true]');
  const [inner, outer] = [chosen?.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (inner && (inner.top < outer.top || inner.bottom > outer.bottom))
    frame.scrollTop += inner.top - outer.top - outer.height / 2;
}
