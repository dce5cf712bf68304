/** The dtype panel: one element of any type, its bits, value and neighbors, and how elements lie in memory. */
import { dtypes, Tensor } from 'onnx-layout';
import { card, element, facts, lead, problemLine, setProblem, row, stack, textField } from '../shared/elements.js';
import { oneOf, text } from '../shared/state.js';
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
  const panel = new DtypePanel(state, save);
  root.append(panel.node);
  panel.build();
}

/** The card of strings, which have no bits to show. */
const stringCard = (dtype) =>
  card(
    'string',
    describe(dtype),
    lead(
      'Strings have no fixed width and no code: data is an array of JavaScript strings. ',
      'The operators move the indices of the strings, and the strings follow.',
    ),
    element('pre', { class: 'values' }, String(Tensor.from('string', ['to', 'be', 'or', 'not', 'to', 'be'], [2, 3]))),
  );

class DtypePanel {
  #save;
  #state;
  #about = stack();

  constructor(state, save) {
    this.#state = state;
    this.#save = save;
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
            names.map((name) => this.#typeButton(name)),
          ),
        ),
      ),
    );
    this.node = stack(card('Type', types), this.#about);
  }

  #typeButton(name) {
    const input = element('input', {
      type: 'radio',
      name: 'dtype',
      value: name,
      id: `dtype-${name}`,
      checked: name === this.#state.type,
      change: () => {
        this.#set({ type: name, code: undefined, values: '' });
        this.build();
      },
    });
    return element('label', {}, input, element('span', {}, name));
  }

  #set(entries) {
    Object.assign(this.#state, entries);
    this.#save();
  }

  /** Builds all that depends on the type. */
  build() {
    const dtype = dtypes[this.#state.type];
    if (dtype.format.kind === 'string') {
      this.#about.replaceChildren(stringCard(dtype));
      return;
    }
    this.#state.code = BigInt.asUintN(dtype.bits, this.#state.code ?? exampleOf(dtype));
    const table = dtype.bits <= 8 ? codeTable(dtype, (code) => inspector.show(code)) : undefined;
    const inspector = new Inspector(dtype, (code) => {
      this.#set({ code });
      table?.select(code);
    });
    const packing = packingCard(dtype, this.#state.values, (values) => this.#set({ values }));
    const cards = element('div', { class: 'card-pair' }, inspector.node, packing);
    this.#about.replaceChildren(cards, ...(table ? [table.node] : []));
    inspector.show(this.#state.code);
  }
}

/** The card with the bits of one element, which can be clicked, and their value. */
class Inspector {
  #buttons;
  #dtype;
  #field;
  #onCode;
  #roles;
  #code = 0n;
  #value = element('output', { class: 'headline', id: 'dtype-value', 'aria-live': 'polite' });
  #details = element('div', { id: 'dtype-details' });
  #problem = problemLine();

  /**
   * @param {import('../../js/tensor/index.js').DType} dtype
   * @param {(code: bigint) => void} onCode
   */
  constructor(dtype, onCode) {
    this.#dtype = dtype;
    this.#onCode = onCode;
    this.#roles = rolesOf(dtype, dtypes);
    this.#buttons = this.#roles.map((role, i) => this.#bitButton(role, dtype.bits - 1 - i));
    this.#field = textField('Value', '', (text) => this.#read(text), {
      id: 'dtype-input',
      placeholder: placeholderOf(dtype.format),
    });
    this.node = card(
      dtype.name,
      this.#value,
      this.#bitRow(),
      element(
        'ul',
        { class: 'legend' },
        [...new Set(this.#roles)].map((role) => element('li', { class: role }, role)),
      ),
      this.#controls(),
      this.#problem,
      this.#details,
      describe(dtype),
    );
  }

  #bitButton(role, bit) {
    const flip = () => this.show(this.#code ^ (1n << BigInt(bit)));
    return element('button', { class: `bit ${role}`, id: `dtype-bit-${bit}`, click: flip });
  }

  #bitRow() {
    const { bits } = this.#dtype;
    const row = element(
      'div',
      { class: `bits${bits > 32 ? ' many' : ''}`, role: 'group', 'aria-label': 'Bits, the highest first' },
      this.#buttons,
    );
    row.style.setProperty('--columns', Math.min(bits, 16));
    return row;
  }

  #controls() {
    const step = (by) => () => this.show(BigInt.asUintN(this.#dtype.bits, this.#code + by));
    return row(
      this.#field,
      element('button', { id: 'dtype-previous', click: step(-1n) }, 'Code − 1'),
      element('button', { id: 'dtype-next', click: step(1n) }, 'Code + 1'),
    );
  }

  #read(text) {
    try {
      setProblem(this.#problem);
      this.show(encode(this.#dtype.name, readValue(this.#dtype, text)), true);
    } catch ({ message }) {
      setProblem(this.#problem, message);
    }
  }

  /**
   * @param {bigint} code
   * @param {boolean} [isTyped] whether the text field has its value
   */
  show(code, isTyped = false) {
    this.#code = code;
    const tensor = new Tensor(this.#dtype.name, dataOfCodes(this.#dtype, [code]), [1]);
    this.#value.textContent = String(tensor).slice(1, -1).trim();
    this.#buttons.forEach((button, i) => {
      const bit = this.#dtype.bits - 1 - i;
      const isSet = (code >> BigInt(bit)) & 1n;
      button.textContent = String(isSet);
      button.setAttribute('aria-pressed', isSet === 1n);
      button.setAttribute('aria-label', `Bit ${bit}, ${this.#roles[i]}: ${isSet}`);
    });
    if (!isTyped) {
      this.#field.lastChild.value = '';
      this.#problem.hidden = true;
    }
    this.#details.replaceChildren(codeFacts(this.#dtype, code, tensor.toArray()[0]));
    this.#onCode(code);
  }
}

/** The facts about a code. */
function codeFacts(dtype, code, decoded) {
  const { bits, format } = dtype;
  const isFloat = format.kind === 'float';
  const kind = isFloat && kindOf(dtype, code, decoded);
  const formula = kind && formulaOf(dtype, code, kind);
  const isExact = isFloat && bits <= 32 && Number.isFinite(decoded);
  return facts({
    Code: hex(code, bits),
    ...(kind && { Kind: kind }),
    ...(formula && { Arithmetic: formula }),
    ...(isExact && { 'As float64': Object.is(decoded, -0) ? '-0' : String(decoded) }),
  });
}
