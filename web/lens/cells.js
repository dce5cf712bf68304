/**
 * Elements in memory as coloured cells. A cell's colour and its `data-element` tell which element of the source it
 * holds.
 */
import { element, svgElement } from '../elements.js';

/** @type {(node: HTMLElement | SVGElement, address: number, size: number) => any} */
function paint(node, address, size) {
  node.dataset.element = address;
  node.style.setProperty('--place', size > 1 ? address / (size - 1) : 0);
  return node;
}

/**
 * A strip of memory. Tab moves the focus to one cell, the arrow keys to the others.
 * @param {string} label
 * @param {readonly number[]} elements for each cell, the address that its element has in the source
 * @param {number} size the number of elements in the source
 * @param {number} [columns] cells in a row; all of them if omitted
 */
export function strip(label, elements, size, columns = elements.length) {
  const cells = elements.map((address, place) =>
    paint(
      element(
        'button',
        {
          class: `cell${address > 0.36 * size ? ' bright' : ''}`,
          tabindex: place === 0 ? '0' : '-1',
          'aria-label': `Address ${place}: element ${address}`,
        },
        element('span', {}, String(address)),
      ),
      address,
      size,
    ),
  );
  const node = element(
    'div',
    {
      class: `strip${columns > 16 ? ' dense' : ''}`,
      role: 'group',
      'aria-label': label,
      keydown: (event) => {
        const place = cells.indexOf(document.activeElement);
        const next = {
          ArrowRight: place + 1,
          ArrowLeft: place - 1,
          ArrowDown: place + columns,
          ArrowUp: place - columns,
          Home: 0,
          End: cells.length - 1,
        }[event.key];
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

/**
 * Lines from each cell of one strip to the cell of the same element in the strip below.
 * @param {readonly number[]} elements of the lower strip
 */
export function threads(elements) {
  const size = elements.length;
  const paths = elements.map((from, to) =>
    paint(
      svgElement('path', {
        d: `M${from + 0.5} 0C${from + 0.5} 55 ${to + 0.5} 45 ${to + 0.5} 100`,
        'vector-effect': 'non-scaling-stroke',
      }),
      from,
      size,
    ),
  );
  return svgElement(
    'svg',
    { class: 'threads', viewBox: `0 0 ${size} 100`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
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
