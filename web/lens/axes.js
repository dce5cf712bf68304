/** A list of axes whose order the user changes, by dragging or with the arrow keys. */
import { element } from '../elements.js';
import { moved } from './layout.js';

/**
 * @param {readonly number[]} perm
 * @param {readonly number[]} dims of the source
 * @param {(perm: number[]) => void} onChange
 */
export function axisList(perm, dims, onChange) {
  let order = [...perm];
  const chips = new Map(perm.map((axis) => [axis, chip(axis)]));
  const list = element(
    'div',
    { class: 'axes', role: 'group', 'aria-label': 'Axes of the result, outermost first', id: 'lens-axes' },
    order.map((axis) => chips.get(axis)),
  );
  const spoken = element('span', { class: 'visually-hidden', 'aria-live': 'polite' });
  list.append(spoken);
  describe();
  return list;

  function describe() {
    order.forEach((axis, place) =>
      chips
        .get(axis)
        .setAttribute(
          'aria-label',
          `${dims[axis]} axis ${axis}, place ${place + 1} of ${order.length}. Arrow keys move it.`,
        ),
    );
  }

  /** Moves the other nodes around the dragged one, because a node that leaves the document loses focus and pointer. */
  function move(axis, to) {
    const from = order.indexOf(axis);
    if (to < 0 || to >= order.length || to === from) return;
    const passed = order
      .slice(Math.min(from, to), Math.max(from, to) + 1)
      .filter((other) => other !== axis)
      .map((other) => chips.get(other));
    if (to > from) chips.get(axis).before(...passed);
    else chips.get(axis).after(...passed);
    order = moved(order, from, to);
    describe();
    spoken.textContent = `Axis ${axis} at place ${to + 1}`;
    onChange(order);
  }

  function chip(axis) {
    let grabbed;
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
          move(axis, order.indexOf(axis) + step);
        },
        pointerdown: (event) => {
          node.setPointerCapture(event.pointerId);
          grabbed = event.clientX - node.offsetLeft;
          node.classList.add('dragged');
        },
        pointermove: ({ clientX }) => {
          if (grabbed === undefined) return;
          const middle = clientX - grabbed + node.offsetWidth / 2;
          const others = order.filter((other) => other !== axis).map((other) => chips.get(other));
          move(axis, others.filter(({ offsetLeft, offsetWidth }) => offsetLeft + offsetWidth / 2 < middle).length);
          node.style.transform = `translateX(${clientX - grabbed - node.offsetLeft}px)`;
        },
        lostpointercapture: () => {
          grabbed = undefined;
          node.classList.remove('dragged');
          node.style.transform = '';
        },
      },
      element('b', {}, String(dims[axis])),
      ' ',
      element('span', {}, `axis ${axis}`),
    );
    return node;
  }
}
