/** The card with all codes of a type of 8 bits or fewer. */
import { Tensor } from 'onnx-layout';
import { card, element } from '../elements.js';
import { dataOfCodes, hex, kindOf } from './bits.js';

/**
 * A value, short enough for a cell.
 * @param {number} value
 */
function brief(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value < 0 ? '−∞' : '∞';
  const magnitude = Math.abs(value);
  const text =
    magnitude === 0 || (magnitude >= 0.001 && magnitude < 100_000)
      ? String(Number(magnitude.toPrecision(4)))
      : magnitude.toExponential(1).replace('e+', 'e');
  return (value < 0 || Object.is(value, -0) ? '−' : '') + text.replace(/^0\./, '.').replace('-', '−');
}

/**
 * @param {import('../../js/tensor/index.js').DType} dtype
 * @param {(code: bigint) => void} onPick
 * @returns {[node: HTMLElement, select: (code: bigint) => void]}
 */
export function codeTable(dtype, onPick) {
  const { name, bits, format } = dtype;
  const size = 2 ** bits;
  const columns = Math.min(16, bits === 2 ? 4 : 16);
  const codes = Array.from({ length: size }, (_, i) => BigInt(i));
  const values = new Tensor(name, dataOfCodes(dtype, codes), [size]).toArray();
  const cells = codes.map((code, i) => {
    const value = values[i];
    const text = brief(value);
    const kind = format.kind === 'float' ? kindOf(dtype, code, value) : value === 0 ? 'zero' : 'normal';
    return element(
      'button',
      {
        class: `code-cell ${kind}${value < 0 ? ' negative' : ''}`,
        tabindex: '-1',
        id: `dtype-code-${i}`,
        'aria-label': `${text}, code ${hex(code, bits)}${format.kind === 'float' ? `, ${kind}` : ''}`,
        click: () => onPick(code),
      },
      text,
    );
  });
  let selected = 0;
  const select = (code) => {
    cells[selected].removeAttribute('aria-current');
    cells[selected].tabIndex = -1;
    selected = Number(code);
    cells[selected].setAttribute('aria-current', 'true');
    cells[selected].tabIndex = 0;
  };
  const rows = Array.from({ length: size / columns }, (_, row) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, hex(BigInt(row * columns), bits)),
      cells.slice(row * columns, (row + 1) * columns).map((cell) => element('td', {}, cell)),
    ),
  );
  const table = element(
    'table',
    {
      class: `codes codes-${columns}`,
      keydown: (event) => {
        const next = {
          ArrowRight: selected + 1,
          ArrowLeft: selected - 1,
          ArrowDown: selected + columns,
          ArrowUp: selected - columns,
          Home: 0,
          End: size - 1,
        }[event.key];
        if (!cells[next]) return;
        event.preventDefault();
        onPick(BigInt(next));
        cells[next].focus();
      },
    },
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('td', {}),
        Array.from({ length: columns }, (_, i) => element('th', { scope: 'col' }, `+${i.toString(16)}`)),
      ),
    ),
    element('tbody', {}, rows),
  );
  return [
    card(`All ${size} codes`, element('div', { class: 'scroll', role: 'region', 'aria-label': 'All codes' }, table)),
    select,
  ];
}
