/** A picture with its title and lines about it. */
import { element } from '../shared/elements.js';
import { pictureCanvas } from '../shared/pictures/canvas.js';

export const figure = (picture, title, about = []) =>
  element(
    'figure',
    {},
    picture ? [pictureCanvas(picture, title)] : [],
    element(
      'figcaption',
      {},
      element('b', {}, title),
      about.map((text) => element('span', {}, text)),
    ),
  );
