/**
 * Elements in memory as colored cells. A cell's color and its `data-element` tell which element of the source it
 * holds.
 */
import { element, placeByKey, svgElement } from '../shared/elements.js';

/** @type {(node: HTMLElement | SVGElement, address: number, size: number) => any} */
function paint(node, address, size) {
  node.dataset.element = address;
  node.style.setProperty('--place', size > 1 ? address / (size - 1) : 0);
  return node;
}

/**
 * A strip of memory. Tab moves the focus to one cell, the arrow keys to the others.
 * @param {string} label
 * @param {readonly number[]} elements for each cell, the address that its element has in the source; below 0 where it
 *   has none
 * @param {number} size the number of elements in the source
 * @param {number} [columns] cells in a row; all of them if omitted
 */
export function strip(label, elements, size, columns = elements.length) {
  const cells = elements.map((address, place) => cellOf(address, place, size));
  const node = element(
    'div',
    {
      class: `strip${columns > 16 ? ' dense' : ''}${columns > 64 ? ' crowded' : ''}`,
      role: 'group',
      'aria-label': label,
      keydown: (event) => {
        const place = cells.indexOf(document.activeElement);
        const next = placeByKey(event.key, place, columns, cells.length);
        if (place < 0 || !cells[next]) return;
        event.preventDefault();
        cells[place].tabIndex = -1;
        cells[next].tabIndex = 0;
        cells[next].focus();
      },
    },
    cells,
  );
  node.style.setProperty('--columns', Math.max(1, columns));
  return node;
}

function cellOf(address, place, size) {
  const isElement = address >= 0;
  const kind = isElement ? (address > 0.36 * size ? ' bright' : '') : ' blank';
  const cell = element(
    'button',
    {
      class: `cell${kind}`,
      tabindex: place === 0 ? '0' : '-1',
      'aria-label': `Address ${place}: ${isElement ? `element ${address}` : 'no element'}`,
    },
    element('span', {}, isElement ? String(address) : '·'),
  );
  return isElement ? paint(cell, address, size) : cell;
}

/**
 * Lines from each cell of one strip to the cells of the same element in the strip below, which is as wide.
 * @param {readonly number[]} elements of the lower strip
 * @param {number} size the number of elements in the strip above
 */
export function threads(elements, size) {
  const paths = elements.flatMap((address, place) => {
    if (address < 0) return [];
    const from = address + 0.5;
    const to = ((place + 0.5) * size) / elements.length;
    const d = `M${from} 0C${from} 55 ${to} 45 ${to} 100`;
    return [paint(svgElement('path', { d, 'vector-effect': 'non-scaling-stroke' }), address, size)];
  });
  return svgElement(
    'svg',
    { class: 'threads', viewBox: `0 0 ${size || 1} 100`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    paths,
  );
}

/**
 * Links all cells that show the same element: pointing at one, or moving the focus there, highlights them all.
 * @param {HTMLElement} root
 * @param {(address: number | undefined) => void} onLink
 */
export function linkCells(root, onLink) {
  const link = (address) => {
    for (const node of root.querySelectorAll('.linked')) node.classList.remove('linked');
    root.classList.toggle('linking', address !== undefined);
    if (address !== undefined)
      for (const node of root.querySelectorAll(`[data-element="${address}"]`)) node.classList.add('linked');
    onLink(address);
  };
  const elementAt = (target) => {
    const cell = target.closest?.('[data-element]');
    return cell ? Number(cell.dataset.element) : undefined;
  };
  const focused = () => (root.contains(document.activeElement) ? elementAt(document.activeElement) : undefined);
  root.addEventListener('pointerover', ({ target }) => link(elementAt(target) ?? focused()));
  root.addEventListener('pointerleave', () => link(focused()));
  root.addEventListener('focusin', ({ target }) => link(elementAt(target)));
  root.addEventListener('focusout', () => link(undefined));
}
