/** The card of the chosen tensor: what it is, and a histogram of its values, which is drawn while they are read. */
import { proxy } from 'comlink';
import { card, checkbox, element, facts } from '../elements.js';
import { short, showBytes } from '../throughput/statistics.js';
import { sharedWorker } from '../workers.js';
import { histogramChart } from './chart.js';
import { percent, shortValue } from './rate.js';

const counted = new Intl.NumberFormat('en');
const value = (number) => (Number.isFinite(number) ? shortValue(number, 6) : 'none');

/** How many values are of a kind, and their part. */
const part = (some, all) => (some === 0 ? '0' : `${counted.format(some)} (${percent(some, all)})`);

/**
 * @param {{ log: boolean }} state
 * @param {() => void} save
 * @returns {{ node: HTMLElement, show: (row?: import('./tree.js').Row) => Promise<void> }} `show` ends what is read of
 *   another tensor
 */
export function tensorCard(state, save) {
  /** Counts tensors, so that what comes late from one of them is not shown with another. */
  let latest = 0;
  let drawn;
  const headline = element('p', { class: 'headline', id: 'weights-dims' }, '…');
  const name = element('p', { class: 'tensor-name', id: 'weights-name' });
  const problem = element('p', { class: 'problem', role: 'alert', id: 'weights-tensor-problem', hidden: true });
  const bar = element('progress', { 'aria-label': 'Values read', max: 1, value: 0 });
  const status = element('p', { class: 'note', role: 'status', id: 'weights-read' });
  const numbers = element('div', { id: 'weights-values' });
  const chart = element('div', { id: 'weights-histogram' });
  const log = checkbox('Logarithmic heights', state.log, (isLog) => {
    state.log = isLog;
    save();
    if (drawn) draw(drawn);
  });

  function draw(result, isDone = true) {
    drawn = result;
    const { count, least, most, mean, zeros, nans, infinities, bars } = result;
    numbers.replaceChildren(
      facts({
        Least: value(least),
        Greatest: value(most),
        Mean: value(mean),
        Zero: part(zeros, count),
        NaN: part(nans, count),
        Infinite: part(infinities, count),
      }),
    );
    log.hidden = !(least < most);
    const alone = bars.length === 0 ? 'No number is finite.' : `All finite numbers are ${value(least)}.`;
    const text = isDone ? alone : `So far: ${alone.toLowerCase()}`;
    chart.replaceChildren(least < most ? histogramChart(result, state.log) : element('p', { class: 'note' }, text));
  }

  function clear() {
    drawn = undefined;
    problem.hidden = true;
    log.hidden = true;
    status.textContent = '';
    [bar.hidden, bar.value] = [true, 0];
    numbers.replaceChildren();
    chart.replaceChildren();
  }

  async function show(row) {
    const mine = ++latest;
    clear();
    if (!row) {
      name.textContent = '';
      headline.textContent = 'No tensor';
      return;
    }
    const { type, dims, bytes } = row;
    name.textContent = row.name;
    headline.replaceChildren(element('span', {}, type), ` [${dims.join(', ')}]`);
    bar.hidden = false;
    const start = performance.now();
    const onProgress = proxy((result, done, total) => {
      if (mine !== latest) return;
      bar.value = done / total;
      draw(result, false);
    });
    try {
      const result = await sharedWorker().weights('histogram', row.name, onProgress);
      if (mine !== latest) return;
      if (result) draw(result);
      const ms = performance.now() - start;
      status.textContent = result
        ? `All ${counted.format(result.count)} values, ${showBytes(bytes)}, read in ${short(ms)} ms.`
        : `${showBytes(bytes)}. There is no histogram of ${type}.`;
    } catch ({ message }) {
      if (mine !== latest) return;
      problem.textContent = message;
      problem.hidden = false;
    } finally {
      if (mine === latest) bar.hidden = true;
    }
  }

  clear();
  return { node: card('Tensor', name, headline, problem, numbers, chart, log, element('div', {}, bar, status)), show };
}
