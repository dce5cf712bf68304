/** The card of the chosen tensor: what it is, and a histogram of its values, which is drawn while they are read. */
import { proxy } from 'comlink';
import { card, checkbox, element, facts, note, problemLine, setProblem } from '../shared/elements.js';
import { short, showBytes } from '../shared/number-text.js';
import { sharedWorker } from '../shared/workers.js';
import { histogramChart } from './chart.js';
import { percent, shortValue } from './rate.js';

const counted = new Intl.NumberFormat('en');
const value = (number) => (Number.isFinite(number) ? shortValue(number, 6) : 'none');

/** How many values are of a kind, and their part. */
const part = (some, all) => (some === 0 ? '0' : `${counted.format(some)} (${percent(some, all)})`);

const valueFacts = ({ count, least, most, mean, zeros, nans, infinities }) =>
  facts({
    Least: value(least),
    Greatest: value(most),
    Mean: value(mean),
    Zero: part(zeros, count),
    NaN: part(nans, count),
    Infinite: part(infinities, count),
  });

/** The card of a tensor. `show` ends reading the tensor before. */
export class TensorCard {
  #log;
  #state;
  /** Counts tensors, so that what comes late from one of them is not shown with another. */
  #latest = 0;
  #drawn;
  #headline = element('p', { class: 'headline', id: 'weights-dims' }, '…');
  #name = element('p', { class: 'tensor-name', id: 'weights-name' });
  #problem = problemLine('weights-tensor-problem');
  #bar = element('progress', { 'aria-label': 'Values read', max: 1, value: 0 });
  #status = element('p', { class: 'note', role: 'status', id: 'weights-read' });
  #numbers = element('div', { id: 'weights-values' });
  #chart = element('div', { id: 'weights-histogram' });

  /**
   * @param {{ log: boolean }} state
   * @param {() => void} save
   */
  constructor(state, save) {
    this.#state = state;
    this.#log = checkbox('Logarithmic heights', state.log, (isLog) => {
      state.log = isLog;
      save();
      if (this.#drawn) this.#draw(this.#drawn);
    });
    this.node = card(
      'Tensor',
      this.#name,
      this.#headline,
      this.#problem,
      this.#numbers,
      this.#chart,
      this.#log,
      element('div', {}, this.#bar, this.#status),
    );
    this.#clear();
  }

  /** @param {import('./tree.js').Row} [row] */
  async show(row) {
    const mine = ++this.#latest;
    this.#clear();
    this.#name.textContent = row?.name ?? '';
    if (!row) {
      this.#headline.textContent = 'No tensor';
      return;
    }
    this.#headline.replaceChildren(element('span', {}, row.type), ` [${row.dims.join(', ')}]`);
    this.#bar.hidden = false;
    try {
      await this.#read(row, mine);
    } catch ({ message }) {
      if (mine !== this.#latest) return;
      setProblem(this.#problem, message);
    } finally {
      if (mine === this.#latest) this.#bar.hidden = true;
    }
  }

  async #read({ name, type, bytes }, mine) {
    const start = performance.now();
    const onProgress = proxy((result, done, total) => {
      if (mine !== this.#latest) return;
      this.#bar.value = done / total;
      this.#draw(result, false);
    });
    const result = await sharedWorker().weights('histogram', name, onProgress);
    if (mine !== this.#latest) return;
    if (result) this.#draw(result);
    const ms = performance.now() - start;
    this.#status.textContent = result
      ? `All ${counted.format(result.count)} values, ${showBytes(bytes)}, read in ${short(ms)} ms.`
      : `${showBytes(bytes)}. There is no histogram of ${type}.`;
  }

  #draw(result, isDone = true) {
    this.#drawn = result;
    const { least, most, bars } = result;
    this.#numbers.replaceChildren(valueFacts(result));
    const isRange = least < most;
    this.#log.hidden = !isRange;
    const alone = bars.length === 0 ? 'No number is finite.' : `All finite numbers are ${value(least)}.`;
    const text = isDone ? alone : `So far: ${alone.toLowerCase()}`;
    this.#chart.replaceChildren(isRange ? histogramChart(result, this.#state.log) : note(text));
  }

  #clear() {
    this.#drawn = undefined;
    setProblem(this.#problem);
    this.#log.hidden = true;
    this.#status.textContent = '';
    [this.#bar.hidden, this.#bar.value] = [true, 0];
    this.#numbers.replaceChildren();
    this.#chart.replaceChildren();
  }
}
