/** The dtype panel: one element of any type, its bits, value and neighbours, and how elements lie in memory. */
import { dtypes, Tensor } from 'onnx-layout';
import { card, element, facts, textField } from '../elements.js';
import { oneOf, text } from '../state.js';
import {
  codeField,
  codesOfBytes,
  dataOfCodes,
  formulaOf,
  groupOf,
  hex,
  kindOf,
  packingOf,
  readValue,
  rolesOf,
} from './bits.js';
import { packingCard } from './packing.js';
import { codeTable } from './table.js';

const groups = ['Floats', '8-bit floats', 'Packed', 'Integers', 'Others'].map((title) => ({
  title,
  names: Object.values(dtypes)
    .filter((dtype) => groupOf(dtype) === title)
    .map(({ name }) => name),
}));

export const fields = { type: oneOf('float8e4m3fn', Object.keys(dtypes)), code: codeField, values: text('', 200) };

/**
 * The code that the package gives a value.
 * @type {(type: string, value: any) => bigint}
 */
const encode = (type, value) => {
  const { buffer } = Tensor.from(type, [value]).data;
  return codesOfBytes(new Uint8Array(buffer), dtypes[type].bits, 1)[0];
};

const specials = {
  ieee: 'infinities and NaNs',
  fn: 'NaN, no infinity',
  fnuz: 'one NaN, no infinity, no −0',
  finite: 'nothing but numbers',
  e8m0: 'powers of two and one NaN',
};

const placeholderOf = ({ kind }) => ({ complex: '1 - 2j', float: '0.1, -3, inf', bool: 'true' })[kind] ?? '1';

/**
 * The code that a type shows at first.
 * @type {(dtype: import('../../js/tensor/index.js').DType) => bigint}
 */
function exampleOf({ name, bits, format }) {
  const value = { float: 1.5, complex: [1, -2], bool: true }[format.kind] ?? (bits === 2 ? 1 : 5);
  return encode(name, value);
}

/** The facts about a type. */
function describe({ code, bits, array, ir, format }) {
  const shape = {
    float: () =>
      `${format.exponent} exponent, ${format.mantissa} mantissa bits; bias ${format.bias}; ${specials[format.special]}`,
    int: () => (format.signed ? 'two’s complement' : 'unsigned'),
    bool: () => '0 is false, all else true',
    complex: () => 're in the low half, im in the high half',
    string: () => 'UTF-8 in files',
  }[format.kind]();
  return facts({
    Bits: bits ? String(bits) : 'as many as it needs',
    Format: shape,
    'TensorProto code': String(code),
    Data: array,
    ...(bits > 0 && bits < 8 && { Packing: `${packingOf(bits)}, the first in the low bits` }),
    ...(ir > 3 && { 'Since IR version': String(ir) }),
  });
}

export function mount(root, state, save) {
  const types = element(
    'div',
    { class: 'types', role: 'radiogroup', 'aria-label': 'Type' },
    groups.map(({ title, names }) =>
      element(
        'fieldset',
        { class: 'choice' },
        element('legend', {}, title),
        element(
          'div',
          {},
          names.map((name) =>
            element(
              'label',
              {},
              element('input', {
                type: 'radio',
                name: 'dtype',
                value: name,
                id: `dtype-${name}`,
                checked: name === state.type,
                change: () => change({ type: name, code: undefined, values: '' }),
              }),
              element('span', {}, name),
            ),
          ),
        ),
      ),
    ),
  );
  const about = element('div', { class: 'stack' });
  root.append(element('div', { class: 'stack' }, card('Type', types), about));

  function change(entries) {
    Object.assign(state, entries);
    save();
    build();
  }

  function build() {
    const dtype = dtypes[state.type];
    if (dtype.format.kind === 'string') {
      about.replaceChildren(
        card(
          'string',
          describe(dtype),
          element(
            'p',
            { class: 'lead' },
            'Strings have no fixed width and no code: data is an array of JavaScript strings. ',
            'The operators move the indices of the strings, and the strings follow.',
          ),
          element(
            'pre',
            { class: 'values' },
            String(Tensor.from('string', ['to', 'be', 'or', 'not', 'to', 'be'], [2, 3])),
          ),
        ),
      );
      return;
    }
    state.code = BigInt.asUintN(dtype.bits, state.code ?? exampleOf(dtype));
    const [table, select] = dtype.bits <= 8 ? codeTable(dtype, (code) => inspect(code)) : [undefined, () => {}];
    const [inspector, inspect] = inspectorCard(dtype, (code) => {
      state.code = code;
      save();
      select(code);
    });
    about.replaceChildren(
      element(
        'div',
        { class: 'card-pair' },
        inspector,
        packingCard(dtype, state.values, (values) => {
          state.values = values;
          save();
        }),
      ),
      ...(table ? [table] : []),
    );
    inspect(state.code);
  }

  build();
}

/**
 * The card with the bits of one element, which can be clicked, and their value.
 * @param {import('../../js/tensor/index.js').DType} dtype
 * @param {(code: bigint) => void} onCode
 * @returns {[node: HTMLElement, inspect: (code: bigint) => void]}
 */
function inspectorCard(dtype, onCode) {
  const { name, bits, format } = dtype;
  const roles = rolesOf(dtype, dtypes);
  let code = 0n;
  const value = element('output', { class: 'headline', id: 'dtype-value', 'aria-live': 'polite' });
  const details = element('div', { id: 'dtype-details' });
  const problem = element('p', { class: 'problem', role: 'alert', hidden: true });
  const buttons = roles.map((role, i) => {
    const bit = bits - 1 - i;
    return element('button', {
      class: `bit ${role}`,
      id: `dtype-bit-${bit}`,
      click: () => show(code ^ (1n << BigInt(bit))),
    });
  });
  const step = (by) => show(BigInt.asUintN(bits, code + by));
  const field = textField(
    'Value',
    '',
    (written) => {
      try {
        problem.hidden = true;
        show(encode(name, readValue(dtype, written)), true);
      } catch ({ message }) {
        problem.textContent = message;
        problem.hidden = false;
      }
    },
    { id: 'dtype-input', placeholder: placeholderOf(format) },
  );
  const row = element(
    'div',
    { class: `bits${bits > 32 ? ' many' : ''}`, role: 'group', 'aria-label': 'Bits, the highest first' },
    buttons,
  );
  row.style.setProperty('--columns', Math.min(bits, 16));
  const node = card(
    name,
    value,
    row,
    element(
      'ul',
      { class: 'legend' },
      [...new Set(roles)].map((role) => element('li', { class: role }, role)),
    ),
    element(
      'div',
      { class: 'row' },
      field,
      element('button', { id: 'dtype-previous', click: () => step(-1n) }, 'Code − 1'),
      element('button', { id: 'dtype-next', click: () => step(1n) }, 'Code + 1'),
    ),
    problem,
    details,
    describe(dtype),
  );

  function show(next, isTyped = false) {
    code = next;
    const tensor = new Tensor(name, dataOfCodes(dtype, [code]), [1]);
    const [decoded] = tensor.toArray();
    const kind = format.kind === 'float' ? kindOf(dtype, code, decoded) : undefined;
    const formula = kind && formulaOf(dtype, code, kind);
    value.textContent = String(tensor).slice(1, -1).trim();
    buttons.forEach((button, i) => {
      const bit = bits - 1 - i;
      const isSet = (code >> BigInt(bit)) & 1n;
      button.textContent = String(isSet);
      button.setAttribute('aria-pressed', isSet === 1n);
      button.setAttribute('aria-label', `Bit ${bit}, ${roles[i]}: ${isSet}`);
    });
    if (!isTyped) {
      field.lastChild.value = '';
      problem.hidden = true;
    }
    details.replaceChildren(
      facts({
        Code: hex(code, bits),
        ...(kind && { Kind: kind }),
        ...(formula && { Arithmetic: formula }),
        ...(format.kind === 'float' &&
          bits <= 32 &&
          Number.isFinite(decoded) && { 'As float64': Object.is(decoded, -0) ? '-0' : String(decoded) }),
      }),
    );
    onCode(code);
  }
  return [node, show];
}
