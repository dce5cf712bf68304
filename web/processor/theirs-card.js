/** The card that shows what transformers.js makes of the picture, beside Python's numbers. */
import { card, element, note, problemLine, row, setChildren, setProblem } from '../shared/elements.js';
import { short, showBytes } from '../shared/number-text.js';
import { figure } from './figure.js';

/** @type {(part: { differing: number, count: number }) => string} */
const shareOf = ({ differing, count }) => `${short((100 * differing) / count)} % of the numbers differ`;

/** The figures of a comparison that the worker has made.
 * @type {(shown: any) => Node[]} */
function figuresOf({ dims, milliseconds, pictures, difference, part }) {
  const about = [1, 0].map((i) => [`[${dims[i].join(', ')}]`, `${short(milliseconds[i])} ms`]);
  const apart = difference && [
    shareOf(part),
    `by up to ${short(part.maxDifference)}`,
    `amplified × ${difference.factor}`,
  ];
  return [
    figure(pictures[1], 'Python’s numbers', about[0]),
    figure(pictures[0], 'transformers.js', about[1]),
    ...(difference ? [figure(difference.picture, 'Difference', apart)] : []),
  ];
}

/** A sentence about what pictures cannot show.
 * @type {(shown: any) => string} */
function sentenceOf({ isMissing, className, difference, part }) {
  if (isMissing) return `transformers.js has no ${className}.`;
  if (difference) return '';
  if (!part) return 'The tensors have other sizes, so there is no difference to draw.';
  return `${shareOf(part)}. They are patches, which are no picture.`;
}

export class TheirsCard {
  #figures = element('div', { class: 'comparison', id: 'processor-theirs' });
  #problem = problemLine('processor-theirs-problem');
  #status = element('p', { class: 'note', role: 'status', id: 'processor-theirs-status', hidden: true });
  #offer;

  /** @param {() => void} run */
  constructor(run) {
    this.#offer = row(
      element('button', { class: 'primary', id: 'processor-theirs-run', click: run }, 'Run transformers.js'),
      note(`loads it, ${showBytes(__TRANSFORMERS_BYTES__)}`),
    );
    const about = 'The same configuration and picture in @huggingface/transformers, beside Python’s numbers.';
    this.card = card('In transformers.js', note(about), this.#offer, this.#status, this.#problem, this.#figures);
  }

  #setStatus(message) {
    this.#status.textContent = message;
    this.#status.hidden = message === '';
  }

  setProblem(message = '') {
    this.#setStatus('');
    setProblem(this.#problem, message);
    this.#figures.classList.toggle('old', message !== '');
  }

  /** Says that it is at work. From now on it runs by itself. */
  setBusy() {
    this.#offer.hidden = true;
    if (this.#figures.childElementCount === 0) this.#setStatus('transformers.js is at work …');
  }

  /** Shows a result of the worker's `compareWithTheirs`. */
  show(shown) {
    this.setProblem();
    this.#setStatus(sentenceOf(shown));
    setChildren(this.#figures, shown.isMissing ? [] : figuresOf(shown));
  }
}
