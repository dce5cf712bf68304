/** The cards with the result of a conversion: dims, planes, the code that makes the tensor, its values. */
import { codeCard } from '../code-card.js';
import { download } from '../download.js';
import { element, facts, scrolled, titled } from '../elements.js';
import { short, showBytes } from '../throughput/statistics.js';
import { sharedWorker } from '../workers.js';
import { codeFor } from './code.js';
import { comparisonCard, pictureCanvas } from './comparison.js';

function planeFigure({ name, ...picture }, i) {
  return element(
    'figure',
    { class: `plane plane-${name}` },
    pictureCanvas(picture, `Channel ${i}: ${name}`),
    element('figcaption', {}, element('b', {}, name), ` channel ${i}`),
  );
}

/**
 * @typedef {object} ResultCards
 * @property {HTMLElement[]} cards
 * @property {(options: object, result: object) => void} show shows a result of the worker's `convertImage`
 * @property {(message: string, isOld?: boolean) => void} refuse shows why there is no new result; `isOld` says that the
 *   result on show is not the one that was asked for
 */

/** @returns {ResultCards} */
export function resultCards() {
  const headline = element('p', { class: 'headline', id: 'image-dims' }, '…');
  const problem = element('p', { class: 'problem', role: 'alert', id: 'image-problem', hidden: true });
  const details = element('div', {});
  const planes = element('div', { class: 'planes', id: 'image-planes' });
  const comparison = comparisonCard();
  const code = codeCard('image');
  const values = scrolled('Values', 'image-values', 'values');
  const npy = element('button', { id: 'image-npy', click: downloadNpy }, 'Download .npy');

  async function downloadNpy() {
    download(new Blob([await sharedWorker().npyFile()], { type: 'application/octet-stream' }), 'tensor.npy');
  }

  /** Fades the result on show, so that nobody takes it for the one that was asked for. */
  function setOld(isOld) {
    for (const node of [headline, details, planes, comparison.body, values]) node.classList.toggle('old', isOld);
    code.setOld(isOld);
    npy.disabled = isOld;
  }

  return {
    cards: [
      element('section', { class: 'card' }, element('h2', {}, 'Tensor'), headline, problem, details, planes),
      comparison.card,
      code.node,
      titled('First and last values', npy, values),
    ],
    show(options, { ms, dims, bytes, text, range, planes: pictures, comparison: compared }) {
      problem.hidden = true;
      setOld(false);
      headline.replaceChildren(element('span', {}, options.type), ` [${dims.join(', ')}]`);
      details.replaceChildren(
        facts({
          Bytes: `${bytes.toLocaleString('en')} (${showBytes(bytes)})`,
          Range: range.map(short).join(' to '),
          'Time, drawing included': `${short(ms)} ms`,
        }),
      );
      planes.replaceChildren(...pictures.map(planeFigure));
      comparison.show(compared, options.filter === 'canvas');
      code.show(codeFor(options, dims));
      values.textContent = text;
    },
    refuse(message, isOld = false) {
      if (isOld) setOld(true);
      problem.textContent = message;
      problem.hidden = false;
    },
  };
}
