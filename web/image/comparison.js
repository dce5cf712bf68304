/** The card that compares resizing with Python's numbers and the browser's canvas. */
import { card, element, note, setChildren } from '../shared/elements.js';
import { short } from '../shared/number-text.js';
import { pictureCanvas } from '../shared/pictures/canvas.js';
import { libraries } from './resizing.js';

const line = (...content) => element('span', {}, ...content);
const milliseconds = (ms) => `${short(ms)} ms`;
const inTensor = (isIn) => (isIn ? [element('em', {}, 'in the tensor')] : []);

/**
 * @param {object} picture
 * @param {string} title
 * @param {...(Node | Node[])} about
 */
const figure = (picture, title, ...about) =>
  element('figure', {}, pictureCanvas(picture, title), element('figcaption', {}, element('b', {}, title), ...about));

function figuresOf({ python, read, ours, canvas, difference, greatest, mean, factor }, isCanvas) {
  const { library } = libraries[python.backend];
  return [
    figure(
      ours,
      `${library}’s ${python.filter}`,
      element('strong', {}, `equal to ${library}, bit for bit`),
      line(
        milliseconds(ours.ms),
        `, after ${milliseconds(read.ms)} to read ${read.width}\u00a0×\u00a0${read.height} pixels`,
      ),
      inTensor(!isCanvas),
    ),
    figure(canvas, 'The canvas', line(milliseconds(canvas.ms), ', reading included'), inTensor(isCanvas)),
    figure(
      difference,
      'Difference',
      line(`greatest ${greatest} of 255`),
      line(`mean ${short(mean)} over all channels`),
      line(`amplified × ${factor}`),
    ),
  ];
}

/**
 * @returns {{ card: HTMLElement, body: HTMLElement,
 *   show: (comparison: object | undefined, isCanvas: boolean) => void }} `show` shows what the worker's
 *   `convertImage` compared; `isCanvas` says that the tensor has the canvas' pixels
 */
export function comparisonCard() {
  const body = element('div', { class: 'comparison', id: 'image-comparison' });
  const lead =
    'Models learn from pixels that Pillow, torchvision or OpenCV resized. Each browser’s canvas has its own way.';
  return {
    card: card('Resizing', note(lead), body),
    body,
    show(comparison, isCanvas) {
      setChildren(
        body,
        comparison ? figuresOf(comparison, isCanvas) : note('This picture has the size of the tensor already.'),
      );
    },
  };
}
