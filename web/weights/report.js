/** The table of what became of a model's weights. */
import { element, note } from '../shared/elements.js';
import { short, showBytes } from '../shared/number-text.js';

/**
 * @param {{ weights: string, node: string, packed?: boolean, unpacked?: boolean, why?: string, before?: number,
 *   after?: number, rms?: number }[]} rows as quantizeWeightsAsync or dequantizeWeightsAsync reports them
 */
export function reportTable(rows) {
  if (rows.length === 0) return note('No node of the model has such weights.');
  const cell = (text) => element('td', {}, text);
  const hasErrors = rows.some(({ rms }) => rms !== undefined);
  const titles = ['Weights', 'Before', 'After', ...(hasErrors ? ['Root-mean-square error'] : [])];
  const table = element(
    'table',
    { class: 'numbers' },
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        titles.map((title) => element('th', { scope: 'col' }, title)),
      ),
    ),
    element(
      'tbody',
      {},
      rows.map(({ node, weights, packed, unpacked, why, before, after, rms }) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, weights || node),
          ...(packed || unpacked
            ? [cell(showBytes(before)), cell(showBytes(after)), ...(hasErrors ? [cell(short(rms))] : [])]
            : [element('td', { colspan: titles.length - 1 }, `left: ${why}`)]),
        ),
      ),
    ),
  );
  return element(
    'div',
    { class: 'report', tabindex: '0', role: 'region', 'aria-label': 'What became of the weights' },
    table,
  );
}
