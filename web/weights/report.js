/** The tables of what became of a model's weights and nodes. */
import { element, note } from '../shared/elements.js';
import { short, showBytes } from '../shared/number-text.js';

const cell = (text) => element('td', {}, text);
const line = (title, cells) => element('tr', {}, element('th', { scope: 'row' }, title), cells);

function tableOf(titles, lines) {
  const heads = titles.map((title) => element('th', { scope: 'col' }, title));
  const table = element(
    'table',
    { class: 'numbers' },
    element('thead', {}, element('tr', {}, heads)),
    element('tbody', {}, lines),
  );
  const about = { class: 'report', tabindex: '0', role: 'region', 'aria-label': 'What became of the weights' };
  return element('div', about, table);
}

/**
 * @param {{ node?: string, value?: string, from: string, to: string, reason?: string, clipped?: number }[]} rows as
 *   convertModelAsync reports them
 */
export function conversionTable(rows) {
  if (rows.length === 0) return note('The model stays as it is.');
  const reasonOf = ({ reason = '', clipped }) => (clipped ? `${clipped} numbers beyond 65504` : reason);
  return tableOf(
    ['Weight or node', 'Before', 'After', 'Why'],
    rows.map((entry) => line(entry.value ?? entry.node, [entry.from, entry.to, reasonOf(entry)].map(cell))),
  );
}

/**
 * @param {{ weights: string, node: string, packed?: boolean, unpacked?: boolean, why?: string, before?: number,
 *   after?: number, rms?: number }[]} rows as quantizeWeightsAsync or dequantizeWeightsAsync reports them
 */
export function reportTable(rows) {
  if (rows.length === 0) return note('No node of the model has such weights.');
  const hasErrors = rows.some(({ rms }) => rms !== undefined);
  const titles = ['Weights', 'Before', 'After', ...(hasErrors ? ['Root-mean-square error'] : [])];
  return tableOf(
    titles,
    rows.map(({ node, weights, packed, unpacked, why, before, after, rms }) =>
      line(
        weights || node,
        packed || unpacked
          ? [cell(showBytes(before)), cell(showBytes(after)), ...(hasErrors ? [cell(short(rms))] : [])]
          : [element('td', { colspan: titles.length - 1 }, `left: ${why}`)],
      ),
    ),
  );
}
