/** The results of a measurement, as rows of a table and as bars. */
import { element } from '../shared/elements.js';
import { short } from '../shared/number-text.js';
import { summarize } from './statistics.js';

const isOurs = (name) => name.startsWith('onnx-layout');

/** How a contender's result compares with ours. */
function outcomeOf({ isEqual, isOther }) {
  if (isOther) return 'other pixels';
  if (isEqual === undefined) return 'a copy';
  return isEqual ? 'equal' : 'differs, not timed';
}

/**
 * @param {{ name: string, isEqual: boolean | undefined, isOther: boolean }[]} contenders
 * @param {Record<string, number[]>} samples in milliseconds
 * @param {number} bytes that a call moves
 */
export const rowsOf = (contenders, samples, bytes) =>
  contenders.map((contender) => ({
    name: contender.name,
    outcome: outcomeOf(contender),
    ...(samples[contender.name]?.length ? summarize(samples[contender.name], bytes) : {}),
  }));

const ratio = (times) => (times >= 1 ? `${short(times)}× faster` : `${short(1 / times)}× slower`);

/** @param {ReturnType<typeof rowsOf>} rows */
export function tableRows(rows) {
  const ours = rows.find(({ name }) => isOurs(name))?.median;
  return rows.map(({ name, outcome, median, p95, gigabytes }) =>
    element(
      'tr',
      { class: isOurs(name) ? 'ours' : undefined },
      element('th', { scope: 'row' }, name),
      [median, p95, gigabytes].map((value) => element('td', {}, value === undefined ? '–' : short(value))),
      element('td', {}, ours === undefined || median === undefined || isOurs(name) ? '' : ratio(median / ours)),
      element('td', {}, outcome),
    ),
  );
}

/** @param {ReturnType<typeof rowsOf>} rows */
export const barsOf = (rows) =>
  rows.map(({ name, gigabytes }) => ({
    name,
    value: gigabytes ?? 0,
    text: gigabytes === undefined ? '' : short(gigabytes),
    isOurs: isOurs(name),
  }));

const titles = ['Contender', 'median ms', 'p95 ms', 'GB/s', 'ours is', 'result'];

/** @param {HTMLElement} body gets the rows */
export const contendersTable = (body) =>
  element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Times' },
    element(
      'table',
      { class: 'numbers', id: 'throughput-table' },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          titles.map((title) => element('th', { scope: 'col' }, title)),
        ),
      ),
      body,
    ),
  );
