/** The card that shows how elements lie in bytes. */
import { Tensor } from 'onnx-layout';
import { card, element, note, row, textField, setChildren } from '../shared/elements.js';
import { readValue } from './bits.js';

/** The greatest number of elements that are shown. */
const most = 9;

/** An example that suits the type: an odd number of values, so that packed types have tail bits. */
function exampleOf({ bits, format }) {
  if (format.kind === 'complex') return '1+2j, -0.5j';
  if (format.kind === 'bool') return '1, 0, 1';
  if (format.special === 'e8m0') return '1, 2, 0.5';
  if (format.kind === 'float') return bits > 16 ? '1, -2' : '1, -2, 0.5, 3, -1';
  if (bits > 16) return format.signed ? '1, -2' : '1, 2';
  return format.signed ? '1, -2, 0, -1, 1' : '1, 2, 3, 0, 1';
}

/** The names of the elements in a byte, in the order in which the byte shows them. */
function ownersOf(byte, bits, used) {
  const first = Math.floor((8 * byte) / bits);
  const last = Math.floor((Math.min(8 * byte + 8, used) - 1) / bits);
  const names = Array.from({ length: last - first + 1 }, (_, k) => `x${last - k}`);
  return names.join(' ');
}

/** A byte's bits, the highest at the left, as bytes are written. So the first element of a byte is at its right. */
function byteItem(byte, i, bits, used) {
  const shown = Array.from({ length: 8 }, (_, k) => {
    const bit = 8 * i + 7 - k;
    const owner = bit < used ? `owner-${Math.floor(bit / bits) % 6}` : 'tail';
    return element('span', { class: owner }, String((byte >> (7 - k)) & 1));
  });
  return element(
    'li',
    { class: 'byte' },
    element('div', { class: 'byte-bits', 'aria-hidden': 'true' }, shown),
    element('code', {}, byte.toString(16).padStart(2, '0')),
    element('span', { class: 'byte-owners' }, ownersOf(i, bits, used)),
  );
}

/** A tensor's bytes, and a sentence about them. */
function picture({ data, size }, bits) {
  const bytes = [...new Uint8Array(data.buffer)];
  const used = size * bits;
  const tail = bytes.length * 8 - used;
  const unused = tail ? `, the last ${tail} bits unused and zero` : '';
  const orders = { '-1': ' The first element is in the low bits.', 1: ' Within an element the low byte comes first.' };
  const order = orders[Math.sign(bits - 8)] ?? '';
  return [
    element(
      'ol',
      { class: 'bytes', 'aria-label': 'Bytes' },
      bytes.map((byte, i) => byteItem(byte, i, bits, used)),
    ),
    note(`${size} elements of ${bits} bits: ${bytes.length} bytes${unused}.${order}`),
  ];
}

/**
 * @param {import('../../js/tensor/index.js').DType} dtype
 * @param {string} given values, or nothing for an example
 * @param {(values: string) => void} onChange
 */
export function packingCard(dtype, given, onChange) {
  const area = element('div', { class: 'result-area', id: 'dtype-bytes' });

  function show(list) {
    const parts = list.split(',').map((part) => part.trim());
    try {
      const values = parts
        .filter(Boolean)
        .slice(0, most)
        .map((part) => readValue(dtype, part));
      setChildren(area, picture(Tensor.from(dtype.name, values), dtype.bits));
    } catch ({ message }) {
      area.replaceChildren(element('p', { class: 'problem', role: 'alert' }, message));
    }
  }

  const start = given || exampleOf(dtype);
  show(start);
  const update = (list) => {
    onChange(list);
    show(list);
  };
  const field = textField('Values', start, update, { id: 'dtype-values' });
  return card('In memory', row(field), area);
}
