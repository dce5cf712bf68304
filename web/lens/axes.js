/** A list of axes whose order the user changes, by dragging or with the arrow keys. */
import { element } from '../shared/elements.js';
import { moved } from './layout.js';

/**
 * @param {readonly number[]} perm
 * @param {readonly number[]} dims of the source
 * @param {(perm: number[]) => void} onChange
 */
export const axisList = (perm, dims, onChange) => new AxisList(perm, dims, onChange).node;

class AxisList {
  #dims;
  #onChange;
  #order;
  #chips;
  #spoken = element('span', { class: 'visually-hidden', 'aria-live': 'polite' });

  constructor(perm, dims, onChange) {
    this.#dims = dims;
    this.#onChange = onChange;
    this.#order = [...perm];
    this.#chips = new Map(perm.map((axis) => [axis, this.#chip(axis)]));
    this.node = element(
      'div',
      { class: 'axes', role: 'group', 'aria-label': 'Axes of the result, outermost first', id: 'lens-axes' },
      [...this.#chips.values()],
      this.#spoken,
    );
    this.#describe();
  }

  #describe() {
    this.#order.forEach((axis, place) => {
      const text = `${this.#dims[axis]} axis ${axis}, place ${place + 1} of ${this.#order.length}. Arrow keys move it.`;
      this.#chips.get(axis).setAttribute('aria-label', text);
    });
  }

  /** Moves the other nodes around the dragged one, because a node that leaves the document loses focus and pointer. */
  #move(axis, to) {
    const from = this.#order.indexOf(axis);
    if (to < 0 || to >= this.#order.length || to === from) return;
    const passed = this.#order
      .slice(Math.min(from, to), Math.max(from, to) + 1)
      .filter((other) => other !== axis)
      .map((other) => this.#chips.get(other));
    const chip = this.#chips.get(axis);
    if (to > from) for (const other of passed) chip.before(other);
    else for (const other of passed.reverse()) chip.after(other);
    this.#order = moved(this.#order, from, to);
    this.#describe();
    this.#spoken.textContent = `Axis ${axis} at place ${to + 1}`;
    this.#onChange(this.#order);
  }

  #chip(axis) {
    const node = element(
      'button',
      {
        class: `axis axis-${axis}`,
        'data-axis': axis,
        'aria-roledescription': 'movable axis',
        keydown: (event) => {
          const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
          if (!step) return;
          event.preventDefault();
          this.#move(axis, this.#order.indexOf(axis) + step);
        },
      },
      element('b', {}, String(this.#dims[axis])),
      ' ',
      element('span', {}, `axis ${axis}`),
    );
    this.#makeDraggable(node, axis);
    return node;
  }

  #makeDraggable(node, axis) {
    let grabbed;
    node.addEventListener('pointerdown', (event) => {
      node.setPointerCapture(event.pointerId);
      grabbed = event.clientX - node.offsetLeft;
      node.classList.add('dragged');
    });
    node.addEventListener('pointermove', ({ clientX }) => {
      if (grabbed === undefined) return;
      const middle = clientX - grabbed + node.offsetWidth / 2;
      const others = this.#order.filter((other) => other !== axis).map((other) => this.#chips.get(other));
      const isLeft = ({ offsetLeft, offsetWidth }) => offsetLeft + offsetWidth / 2 < middle;
      this.#move(axis, others.filter(isLeft).length);
      node.style.transform = `translateX(${clientX - grabbed - node.offsetLeft}px)`;
    });
    node.addEventListener('lostpointercapture', () => {
      grabbed = undefined;
      node.classList.remove('dragged');
      node.style.transform = '';
    });
  }
}
