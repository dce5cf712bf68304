/** The cards with the result of a conversion: dims, planes, the code that makes the tensor, its values. */
import { codeCard } from '../shared/code-card.js';
import { download } from '../shared/download.js';
import { card, element, facts, problemLine, setProblem, scrolled, titled, setChildren } from '../shared/elements.js';
import { short, showBytes } from '../shared/number-text.js';
import { pictureCanvas } from '../shared/pictures/canvas.js';
import { sharedWorker } from '../shared/workers.js';
import { codeFor } from './code.js';
import { comparisonCard } from './comparison.js';

function planeFigure({ name, ...picture }, i) {
  return element(
    'figure',
    { class: `plane plane-${name}` },
    pictureCanvas(picture, `Channel ${i}: ${name}`),
    element('figcaption', {}, element('b', {}, name), ` channel ${i}`),
  );
}

/** The cards of a result of the worker's `convertImage`. */
export class ResultCards {
  #headline = element('p', { class: 'headline', id: 'image-dims' }, '…');
  #problem = problemLine('image-problem');
  #details = element('div', {});
  #planes = element('div', { class: 'planes', id: 'image-planes' });
  #comparison = comparisonCard();
  #code = codeCard('image');
  #values = scrolled('Values', 'image-values', 'values');
  #npy = element('button', { id: 'image-npy', click: downloadNpy }, 'Download .npy');
  cards = [
    card('Tensor', this.#headline, this.#problem, this.#details, this.#planes),
    this.#comparison.card,
    this.#code.node,
    titled('First and last values', this.#npy, this.#values),
  ];

  show(options, { ms, dims, bytes, text, range, planes, comparison }) {
    setProblem(this.#problem);
    this.#setOld(false);
    this.#headline.replaceChildren(element('span', {}, options.dtype), ` [${dims.join(', ')}]`);
    this.#details.replaceChildren(
      facts({
        Bytes: `${bytes.toLocaleString('en')} (${showBytes(bytes)})`,
        Range: range.map(short).join(' to '),
        'Time, drawing included': `${short(ms)} ms`,
      }),
    );
    setChildren(this.#planes, planes.map(planeFigure));
    this.#comparison.show(comparison, options.filter === 'canvas');
    this.#code.show(codeFor(options, dims));
    this.#values.textContent = text;
  }

  /**
   * Shows why there is no new result.
   * @param {string} message
   * @param {boolean} [isOld] whether the result on show is not the one that was asked for
   */
  refuse(message, isOld = false) {
    if (isOld) this.#setOld(true);
    setProblem(this.#problem, message);
  }

  /** Fades the result on show, so that nobody takes it for the one that was asked for. */
  #setOld(isOld) {
    for (const node of [this.#headline, this.#details, this.#planes, this.#comparison.body, this.#values])
      node.classList.toggle('old', isOld);
    this.#code.setOld(isOld);
    this.#npy.disabled = isOld;
  }
}

async function downloadNpy() {
  download(new Blob([await sharedWorker().npyFile()], { type: 'application/octet-stream' }), 'tensor.npy');
}
