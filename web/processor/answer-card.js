/** The card with a model's results, drawn over the picture. */
import { codeCard } from '../shared/code-card.js';
import {
  card,
  choice,
  element,
  facts,
  note,
  problemLine,
  row,
  setProblem,
  textField,
  setChildren,
} from '../shared/elements.js';
import { short, showBytes } from '../shared/number-text.js';
import { answerCode } from './files.js';

const about = [
  'The model of this page knows eleven colors and nothing else. It stands in for a real one: it has the inputs and ',
  'outputs of DETR, SegFormer or SAM.',
];

const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;

/** Points as text: "+215,100 -470,250"; - stands for a point that is not in the object. */
export const pointsOf = (text) =>
  [...text.matchAll(/([+-]?)(\d{1,5}),(\d{1,5})/g)].map(([, sign, x, y]) => ({
    x: Number(x),
    y: Number(y),
    isIn: sign !== '-',
  }));

/** A square of a color, drawn because styles are forbidden. */
function swatch(color) {
  const node = element('canvas', { width: 1, height: 1 });
  const context = node.getContext('2d');
  context.fillStyle = css(color);
  context.fillRect(0, 0, 1, 1);
  return node;
}

function drawPoint(context, { x, y, isIn }, unit) {
  context.beginPath();
  context.arc(x, y, 6 * unit, 0, 2 * Math.PI);
  context.fillStyle = isIn ? '#30a46c' : '#e5484d';
  context.fill();
  context.lineWidth = 2 * unit;
  context.strokeStyle = '#fff';
  context.stroke();
}

/** Half of a picture over another. */
async function drawOverlay(context, { data, width, height }) {
  const bitmap = await createImageBitmap(new ImageData(data, width, height));
  context.globalAlpha = 0.6;
  context.drawImage(bitmap, 0, 0, width, height);
  context.globalAlpha = 1;
  bitmap.close();
}

export class AnswerCard {
  #canvas = element('canvas', {
    class: 'answer',
    id: 'processor-answer-picture',
    role: 'img',
    'aria-label': 'The results over the picture',
    hidden: true,
    click: (event) => this.#click(event),
  });
  #code = codeCard('processor-answer');
  #details = element('div', { id: 'processor-answer-details' });
  #isIn = true;
  #legend = element('ul', { class: 'answer-legend', id: 'processor-answer-legend' });
  #onPoints;
  #points;
  #problem = problemLine('processor-answer-problem');
  #prompts;
  #offer;
  #status = element('p', { class: 'note', role: 'status', id: 'processor-answer-status', hidden: true });
  #takesPoints = false;

  /**
   * @param {{ points: string, run: () => void, setPoints: (text: string) => void }} options
   */
  constructor({ points, run, setPoints }) {
    this.#onPoints = setPoints;
    this.#offer = row(
      element('button', { class: 'primary', id: 'processor-answer-run', click: run }, 'Run a model'),
      note(`loads onnxruntime-web, ${showBytes(__ONNXRUNTIME_BYTES__)}`),
    );
    this.#points = textField('Points, as x,y', points, setPoints, { id: 'processor-answer-points' });
    const clear = element('button', { click: () => this.#setPoints('') }, 'Clear');
    const kinds = choice('A click is', ['in the object', 'outside'], 'in the object', (kind) => {
      this.#isIn = kind === 'in the object';
    });
    this.#prompts = element('div', { class: 'row', hidden: true }, kinds, this.#points, clear);
    this.cards = [
      card(
        'Results',
        note(...about),
        this.#offer,
        this.#status,
        this.#problem,
        this.#prompts,
        this.#canvas,
        this.#legend,
        this.#details,
      ),
      this.#code.node,
    ];
    this.cards[1].hidden = true;
  }

  #setStatus(message = '') {
    this.#status.textContent = message;
    this.#status.hidden = message === '';
  }

  setProblem(message = '') {
    this.#setStatus();
    setProblem(this.#problem, message);
    this.#canvas.classList.toggle('old', message !== '');
    this.#code.setOld(message !== '');
  }

  /** Says that a model is at work. From now on it runs by itself. */
  setBusy() {
    this.#offer.hidden = true;
    if (this.#canvas.hidden) this.#setStatus('The model is at work …');
  }

  /**
   * @param {HTMLCanvasElement} picture
   * @param {any} shown of the worker's `answer`, or undefined if no model is there
   */
  async show(picture, shown) {
    this.setProblem();
    const isThere = shown !== undefined;
    this.#takesPoints = shown?.points !== undefined;
    this.#prompts.hidden = !this.#takesPoints;
    for (const node of [this.#canvas, this.#legend, this.#details, this.cards[1]]) node.hidden = !isThere;
    if (!isThere) {
      this.#setStatus('This page has no model for this processor: choose DETR, SegFormer or SAM.');
      return;
    }
    const { legend, times, method, outputs } = shown;
    await this.#draw(picture, shown);
    const found = legend.map(({ color, text }) => element('li', {}, swatch(color), text));
    setChildren(this.#legend, found.length > 0 ? found : element('li', {}, 'Nothing was found.'));
    const ms = (name) => `${short(times[name])} ms`;
    this.#details.replaceChildren(
      facts({ ...outputs, Processor: ms('processor'), Model: ms('model'), [method]: ms('answer') }),
    );
    this.#code.show(answerCode(method, outputs));
  }

  async #draw(picture, { drawn, overlay, points = [] }) {
    const { width, height } = picture;
    Object.assign(this.#canvas, { width, height });
    this.#canvas.classList.toggle('clickable', this.#takesPoints);
    const context = this.#canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    if (overlay) await drawOverlay(context, overlay);
    const unit = Math.max(width, height) / 640;
    if (drawn) {
      context.drawImage(drawn, 0, 0);
      drawn.close();
    }
    for (const point of points) drawPoint(context, point, unit);
  }

  #click({ offsetX, offsetY }) {
    if (!this.#takesPoints) return;
    const { width, height, clientWidth, clientHeight } = this.#canvas;
    const [x, y] = [(offsetX / clientWidth) * width, (offsetY / clientHeight) * height].map(Math.floor);
    this.#setPoints(`${this.#points.lastChild.value} ${this.#isIn ? '+' : '-'}${x},${y}`.trim());
  }

  #setPoints(text) {
    this.#points.lastChild.value = text;
    this.#onPoints(text);
  }
}
