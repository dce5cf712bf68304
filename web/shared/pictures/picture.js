/** The picture that a panel works on: a sample or a file, drawn on a canvas. */
import { element } from '../elements.js';
import { drawSample } from './samples.js';

/** How files are decoded: the stored colors, as Pillow has them, neither matched to a screen nor premultiplied. */
const asStored = /** @type {const} */ ({ colorSpaceConversion: 'none', premultiplyAlpha: 'none' });

export class Picture {
  #onPicture;
  #onProblem;
  /** Counts pictures, so that a picture that takes long to decode does not replace a later one. */
  #latest = 0;

  /**
   * @param {string} id of the panel
   * @param {(bitmap: ImageBitmap, sample?: string) => void} onPicture
   * @param {(message: string) => void} onProblem
   */
  constructor(id, onPicture, onProblem) {
    this.#onPicture = onPicture;
    this.#onProblem = onProblem;
    this.preview = element('canvas', { class: 'preview', role: 'img', 'aria-label': 'The picture' });
    this.about = element('p', { class: 'note', id: `${id}-source` });
  }

  async openSample(name) {
    const mine = ++this.#latest;
    const bitmap = await createImageBitmap(drawSample(name));
    if (mine === this.#latest) this.#show(bitmap, `${name}, drawn by this page`, name);
  }

  async openFile(file) {
    const mine = ++this.#latest;
    try {
      const bitmap = await createImageBitmap(file, asStored);
      if (mine === this.#latest) this.#show(bitmap, file.name);
    } catch {
      this.#onProblem(`${file.name} is no picture that this browser can read.`);
    }
  }

  /** Keeps a file that is still being decoded from being shown later. */
  skipPending() {
    this.#latest++;
  }

  draw(source, width, height) {
    this.preview.width = width;
    this.preview.height = height;
    this.preview.getContext('2d').drawImage(source, 0, 0);
  }

  #show(bitmap, name, sample) {
    this.draw(bitmap, bitmap.width, bitmap.height);
    this.about.textContent = `${name}, ${bitmap.width} × ${bitmap.height}`;
    this.#onPicture(bitmap, sample);
  }
}
