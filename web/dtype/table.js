/** The card with all codes of a type of 8 bits or fewer. */
import { Tensor } from 'onnx-layout';
import { card, element, placeByKey } from '../shared/elements.js';
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

/** A cell of the table: a button with the value of a code. */
function codeCell(dtype, code, value, onPick) {
  const isFloat = dtype.format.kind === 'float';
  const text = brief(value);
  const kind = isFloat ? kindOf(dtype, code, value) : value === 0 ? 'zero' : 'normal';
  return element(
    'button',
    {
      class: `code-cell ${kind}${value < 0 ? ' negative' : ''}`,
      tabindex: '-1',
      id: `dtype-code-${code}`,
      'aria-label': `${text}, code ${hex(code, dtype.bits)}${isFloat ? `, ${kind}` : ''}`,
      click: () => onPick(code),
    },
    text,
  );
}

/** Cells in rows, with the high digits of their codes at the left and the low ones above. */
function tableOf(cells, columns, bits, keydown) {
  const rows = Array.from({ length: cells.length / columns }, (_, row) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, hex(BigInt(row * columns), bits)),
      cells.slice(row * columns, (row + 1) * columns).map((cell) => element('td', {}, cell)),
    ),
  );
  const titles = Array.from({ length: columns }, (_, i) => element('th', { scope: 'col' }, `+${i.toString(16)}`));
  return element(
    'table',
    { class: `codes codes-${columns}`, keydown },
    element('thead', {}, element('tr', {}, element('td', {}), titles)),
    element('tbody', {}, rows),
  );
}

/**
 * @param {import('../../js/tensor/index.js').DType} dtype
 * @param {(code: bigint) => void} onPick
 * @returns {{ node: HTMLElement, select: (code: bigint) => void }}
 */
export function codeTable(dtype, onPick) {
  const size = 2 ** dtype.bits;
  const columns = dtype.bits === 2 ? 4 : 16;
  const codes = Array.from({ length: size }, (_, i) => BigInt(i));
  const values = new Tensor(dtype.name, dataOfCodes(dtype, codes), [size]).toArray();
  const cells = codes.map((code, i) => codeCell(dtype, code, values[i], onPick));
  let selected = 0;
  const select = (code) => {
    cells[selected].removeAttribute('aria-current');
    cells[selected].tabIndex = -1;
    selected = Number(code);
    cells[selected].setAttribute('aria-current', 'true');
    cells[selected].tabIndex = 0;
  };
  const table = tableOf(cells, columns, dtype.bits, (event) => {
    const next = placeByKey(event.key, selected, columns, size);
    if (!cells[next]) return;
    event.preventDefault();
    onPick(BigInt(next));
    cells[next].focus();
  });
  const frame = element('div', { class: 'scroll', role: 'region', 'aria-label': 'All codes' }, table);
  return { node: card(`All ${size} codes`, frame), select };
}
