/** The table of what became of a model's weights. */
import { element } from '../elements.js';
import { short, showBytes } from '../throughput/statistics.js';

/**
 * @param {{ weights: string, node: string, packed: boolean, why?: string, before?: number, after?: number,
 *   rms?: number }[]} rows as quantizeWeights reports them
 */
export function reportTable(rows) {
  const cell = (text) => element('td', {}, text);
  const table = element(
    'table',
    { class: 'numbers' },
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ['Weights', 'Before', 'After', 'Root-mean-square error'].map((title) => element('th', { scope: 'col' }, title)),
      ),
    ),
    element(
      'tbody',
      {},
      rows.map(({ node, weights, packed, why, before, after, rms }) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, weights || node),
          ...(packed
            ? [cell(showBytes(before)), cell(showBytes(after)), cell(short(rms))]
            : [element('td', { colspan: 3 }, `left: ${why}`)]),
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
