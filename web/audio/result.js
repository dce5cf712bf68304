/** The cards with the outputs of a feature extractor: the tensors, the features as a picture, times, the program. */
import { codeCard } from '../shared/code-card.js';
import { card, element, facts, note, problemLine, scrolled, setProblem, setChildren } from '../shared/elements.js';
import { pictureCanvas } from '../shared/pictures/canvas.js';
import { short } from '../shared/number-text.js';
import { codeFor } from './files.js';

const milliseconds = (ms) => `${short(ms)} ms`;
const shape = ({ type, dims }) => `${type} [${dims.join(', ')}]`;

const paddingNote = ({ width, frames }) =>
  width < frames ? [note(`${width} of ${frames} frames are drawn; the rest is padding.`)] : [];

export class ResultCards {
  #headline = element('p', { class: 'headline', id: 'audio-dims' }, '…');
  /** Shown below the configuration, because most problems come from it. */
  problem = problemLine('audio-problem');
  #details = element('div', {});
  #picture = element('div', { class: 'features', id: 'audio-features' });
  #code = codeCard('audio');
  #values = scrolled('Values', 'audio-values', 'values');
  cards = [
    card('Features', this.#headline, this.#picture, this.#details),
    this.#code.node,
    card('First and last values', this.#values),
  ];

  /** Says why there is no new result, and fades the old one. */
  setProblem(message = '') {
    setProblem(this.problem, message);
    for (const node of [this.#headline, this.#details, this.#picture, this.#values])
      node.classList.toggle('old', message !== '');
    this.#code.setOld(message !== '');
  }

  /** Shows a result of the worker's `process`. */
  show({ className, ignored, rate, resampling, extraction, outputs, picture, text }) {
    this.setProblem();
    const [[, features], ...others] = Object.entries(outputs);
    this.#headline.replaceChildren(element('span', {}, features.type), ` [${features.dims.join(', ')}]`);
    this.#details.replaceChildren(
      facts({
        Class: className,
        ...(resampling !== undefined && { [`Resampled to ${rate} Hz`]: milliseconds(resampling) }),
        Features: milliseconds(extraction),
        ...Object.fromEntries(others.map(([name, output]) => [name, shape(output)])),
        ...(ignored.length > 0 && { Ignored: ignored.join(', ') }),
      }),
    );
    setChildren(
      this.#picture,
      picture
        ? [pictureCanvas(picture, 'The features'), ...paddingNote(picture)]
        : note('This class gives the waveform itself.'),
    );
    this.#code.show(codeFor(rate, outputs));
    this.#values.textContent = text;
  }
}
