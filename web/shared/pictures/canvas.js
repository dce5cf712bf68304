/** Pictures as they are shown. */
import { element } from '../elements.js';

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
