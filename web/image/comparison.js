/** The card that compares resizing with Python's numbers and the browser's canvas. */
import { card, element, note } from '../elements.js';
import { short } from '../throughput/statistics.js';
import { libraries } from './resizing.js';

/** A picture of at most as many pixels a side is shown with its pixels as squares. */
const fewPixels = 96;

/**
 * @param {{ data: Uint8ClampedArray, width: number, height: number }} picture RGBA
 * @param {string} label
 */
export function pictureCanvas({ data, width, height }, label) {
  const isCoarse = Math.max(width, height) <= fewPixels;
  const canvas = element('canvas', {
    width,
    height,
    role: 'img',
    'aria-label': label,
    class: isCoarse && 'coarse',
  });
  canvas.getContext('2d').putImageData(new ImageData(data, width, height), 0, 0);
  return canvas;
}

const line = (...content) => element('span', {}, ...content);
const milliseconds = (ms) => `${short(ms)} ms`;
const inTensor = (isIn) => (isIn ? [element('em', {}, 'in the tensor')] : []);

/**
 * @param {object} picture
 * @param {string} title
 * @param {...Node} about
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
      ...inTensor(!isCanvas),
    ),
    figure(canvas, 'The canvas', line(milliseconds(canvas.ms), ', reading included'), ...inTensor(isCanvas)),
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
      body.replaceChildren(
        ...(comparison ? figuresOf(comparison, isCanvas) : [note('This picture has the size of the tensor already.')]),
      );
    },
  };
}
