/** The cards with the outputs of a processor: the tensors, each step, and the same drawn on a canvas. */
import { codeCard } from '../shared/code-card.js';
import { card, element, facts, note, problemLine, setProblem, scrolled, setChildren } from '../shared/elements.js';
import { short } from '../shared/number-text.js';
import { figure } from './figure.js';
import { codeFor } from './files.js';

const list = (value) => (Array.isArray(value) ? value.map(short).join(', ') : short(value));

/** Describes a step. */
function aboutStep({ name, width, height, filter, x, y, fill, factor, offset, mean, std }) {
  const size = `${width} × ${height}`;
  return {
    resize: () => [size, filter],
    crop: () => [size, `from ${x}, ${y}`],
    pad: () => [size, fill === 0 ? 'with the number 0' : fill ? `with ${fill.join(', ')}` : 'mirrored'],
    turn: () => [size],
    gray: () => [size],
    rescale: () => [`× ${short(factor)}${offset ? ` ${offset}` : ''}`],
    normalize: () => [`− ${list(mean)}`, `÷ ${list(std)}`],
  }[name]();
}

/** Figures beside each other. */
const figures = (id) => element('div', { class: 'comparison', id });

export class ResultCards {
  #headline = element('p', { class: 'headline', id: 'processor-dims' }, '…');
  /** Stands below the configuration, which most problems are of. */
  problem = problemLine('processor-problem');
  #details = element('div', {});
  #planes = figures('processor-planes');
  #steps = figures('processor-steps');
  #compared = figures('processor-comparison');
  #code = codeCard('processor');
  #values = scrolled('Values', 'processor-values', 'values');
  cards = [
    card('Tensors', this.#headline, this.#details, this.#planes),
    card('Steps', this.#steps),
    card('Drawn on a canvas instead', this.#compared),
    this.#code.node,
    card('First and last values', this.#values),
  ];

  /** Says why there is no new result, and fades the old one. */
  setProblem(message = '') {
    setProblem(this.problem, message);
    for (const node of [this.#headline, this.#details, this.#planes, this.#steps, this.#compared, this.#values])
      node.classList.toggle('old', message !== '');
    this.#code.setOld(message !== '');
  }

  /** Shows a result of the worker's `processImage`. */
  show({ ms, type, ignored, outputs, comparison, text, steps, planes }, backend) {
    this.setProblem();
    this.#showTensors(outputs, { type, ms, ignored });
    setChildren(
      this.#steps,
      steps.map((step) => figure(step.picture, step.name, aboutStep(step))),
    );
    setChildren(
      this.#planes,
      planes.map((plane, i) => figure(plane, `plane ${i}`)),
    );
    setChildren(this.#compared, comparisonFigures(comparison));
    this.#code.show(codeFor(backend, outputs));
    this.#values.textContent = text;
  }

  #showTensors({ pixel_values, ...others }, { type, ms, ignored }) {
    const { type: kind, dims } = pixel_values;
    this.#headline.replaceChildren(element('span', {}, kind), ` [${dims.join(', ')}]`);
    const about = Object.entries(others).map(([name, output]) => [name, `${output.type} [${output.dims.join(', ')}]`]);
    this.#details.replaceChildren(
      facts({
        Processor: type,
        Time: `${short(ms)} ms`,
        ...Object.fromEntries(about),
        ...(ignored.length > 0 && { Ignored: ignored.join(', ') }),
      }),
    );
  }
}

/** The canvas's own resizing beside ours, where the picture is resized at first. */
function comparisonFigures(comparison) {
  if (!comparison) return [note('The picture is not resized at first, so there is nothing to compare.')];
  const { canvas, difference, greatest, mean, factor } = comparison;
  const about = [`greatest ${greatest} of 255`, `mean ${short(mean)} over all channels`, `amplified × ${factor}`];
  return [figure(canvas, 'The canvas', ['in the place of the first step']), figure(difference, 'Difference', about)];
}
