/**
 * Makes DOM elements, and the controls that several panels have. Styles are classes, because the page's CSP forbids
 * style attributes.
 */

/**
 * @param {string} name
 * @param {object} [properties] a function listens to the event of its name; `undefined` and false are left out; the
 *   rest are attributes
 * @param {...(Node | string | (Node | string)[])} children
 */
export function element(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

export function svgElement(name, properties = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), properties, children);
}

function fill(node, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') node.addEventListener(key, value);
    else if (value !== undefined && value !== false) node.setAttribute(key, value === true ? '' : String(value));
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) node.append(child);
}

/**
 * Puts children in the place of those that a node has.
 * @param {Element} node
 * @param {...(Node | string | (Node | string)[])} children
 */
export function setChildren(node, ...children) {
  node.replaceChildren();
  append(node, children);
}

/** Counts choices: radio buttons of one name are one choice, in whatever panel they are. */
let choices = 0;

/** A choice of one of a few: radio buttons that look like one control. */
export function choice(label, options, value, onChange) {
  const name = `choice-${++choices}`;
  return element(
    'fieldset',
    { class: 'choice' },
    element('legend', {}, label),
    element(
      'div',
      {},
      options.map((option) => {
        const input = element('input', {
          type: 'radio',
          name,
          value: option,
          checked: option === value,
          change: () => onChange(option),
        });
        return element('label', {}, input, element('span', {}, option));
      }),
    ),
  );
}

/** Leaves all options of a choice unchosen: each can be chosen again. */
export function clearChoice(node) {
  for (const input of node.querySelectorAll('input')) input.checked = false;
}

/** A choice of one of many. An option is a value, or a text and a value. */
export function select(label, options, value, onChange, properties = {}) {
  const list = element(
    'select',
    { change: () => onChange(list.value), ...properties },
    options.map((option) => {
      const [text, key] = Array.isArray(option) ? option : [option, option];
      return element('option', { value: key, selected: key === value }, text);
    }),
  );
  return element('label', { class: 'field' }, element('span', {}, label), list);
}

/** A line of text. `onInput` is called with each change. */
export function textField(label, value, onInput, properties = {}) {
  const input = element('input', {
    type: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    value,
    input: () => onInput(input.value),
    ...properties,
  });
  return element('label', { class: 'field' }, element('span', {}, label), input);
}

export function checkbox(label, checked, onChange) {
  const input = element('input', { type: 'checkbox', checked, change: () => onChange(input.checked) });
  return element('label', { class: 'check' }, input, element('span', {}, label));
}

/**
 * A list of terms and their meanings.
 * @param {Record<string, string>} entries
 */
export function facts(entries) {
  return element(
    'dl',
    { class: 'facts' },
    Object.entries(entries).map(([term, value]) =>
      element('div', {}, element('dt', {}, term), element('dd', {}, value)),
    ),
  );
}

/** A card, which is a titled part of a panel. */
export function card(title, ...children) {
  return element('section', { class: 'card' }, element('h2', {}, title), ...children);
}

export const stack = (...children) => element('div', { class: 'stack' }, ...children);

export const row = (...children) => element('div', { class: 'row' }, ...children);

/** A column at the left and one at the right. */
export const twoColumns = (left, right) => element('div', { class: 'two-columns' }, stack(left), stack(right));

export const note = (...text) => element('p', { class: 'note' }, ...text);

export const lead = (...text) => element('p', { class: 'lead' }, ...text);

/** A line that says what is wrong, empty at first. */
export const problemLine = (id) => element('p', { class: 'problem', role: 'alert', id, hidden: true });

/** Says what is wrong; nothing is if the message is empty. */
export function setProblem(line, message = '') {
  line.textContent = message;
  line.hidden = message === '';
}

/** Text that scrolls, and that the keyboard reaches. */
export const scrolled = (label, id, className) =>
  element('pre', { class: className, id, tabindex: '0', role: 'region', 'aria-label': label });

/** A card with a button beside its title. */
export const titled = (title, button, ...children) =>
  element(
    'section',
    { class: 'card' },
    element('div', { class: 'card-head' }, element('h2', {}, title), button),
    ...children,
  );

/**
 * Where a key moves the focus in a grid of cells.
 * @returns {number | undefined} undefined for keys that move nothing; it may lie outside of the grid
 */
export const placeByKey = (key, place, columns, size) =>
  ({
    ArrowRight: place + 1,
    ArrowLeft: place - 1,
    ArrowDown: place + columns,
    ArrowUp: place - columns,
    Home: 0,
    End: size - 1,
  })[key];
