/** The card that shows how elements lie in bytes. */
import { Tensor } from 'onnx-layout';
import { card, element, textField } from '../elements.js';
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

/**
 * @param {import('../../js/tensor/index.js').DType} dtype
 * @param {string} written values, or nothing for an example
 * @param {(written: string) => void} onChange
 */
export function packingCard(dtype, written, onChange) {
  const { name, bits } = dtype;
  const area = element('div', { class: 'result-area', id: 'dtype-bytes' });

  function show(list) {
    try {
      const values = list
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
        .slice(0, most)
        .map((part) => readValue(dtype, part));
      area.replaceChildren(...picture(Tensor.from(name, values)));
    } catch ({ message }) {
      area.replaceChildren(element('p', { class: 'problem', role: 'alert' }, message));
    }
  }

  /**
   * Each byte's bits, the highest at the left, as bytes are written. So the first element of a byte is at its right.
   */
  function picture({ data, size }) {
    const bytes = [...new Uint8Array(data.buffer)];
    const used = size * bits;
    const bytesShown = bytes.map((byte, i) =>
      element(
        'li',
        { class: 'byte' },
        element(
          'div',
          { class: 'byte-bits', 'aria-hidden': 'true' },
          Array.from({ length: 8 }, (_, k) => {
            const bit = 8 * i + 7 - k;
            return element(
              'span',
              { class: bit < used ? `owner-${Math.floor(bit / bits) % 6}` : 'tail' },
              String((byte >> (7 - k)) & 1),
            );
          }),
        ),
        element('code', {}, byte.toString(16).padStart(2, '0')),
        element('span', { class: 'byte-owners' }, ownersOf(i, used)),
      ),
    );
    const tail = bytes.length * 8 - used;
    const unused = tail ? `, the last ${tail} bits unused and zero` : '';
    const order =
      bits < 8
        ? ' The first element is in the low bits.'
        : bits > 8
          ? ' Within an element the low byte comes first.'
          : '';
    return [
      element('ol', { class: 'bytes', 'aria-label': 'Bytes' }, bytesShown),
      element('p', { class: 'note' }, `${size} elements of ${bits} bits: ${bytes.length} bytes${unused}.${order}`),
    ];
  }

  /** The names of the elements in a byte, in the order in which the byte shows them. */
  function ownersOf(i, used) {
    const first = Math.floor((8 * i) / bits);
    const last = Math.floor((Math.min(8 * i + 8, used) - 1) / bits);
    const names = Array.from({ length: last - first + 1 }, (_, k) => `x${last - k}`);
    return names.join(' ');
  }

  const start = written || exampleOf(dtype);
  show(start);
  return card(
    'In memory',
    element(
      'div',
      { class: 'row' },
      textField(
        'Values',
        start,
        (list) => {
          onChange(list);
          show(list);
        },
        { id: 'dtype-values' },
      ),
    ),
    area,
  );
}
