/** The processor panel: a preprocessor_config.json and a picture, each step, and the tensors. */
import { transfer } from 'comlink';
import { card, choice, clearChoice, element, problemLine, row, setProblem, twoColumns } from '../shared/elements.js';
import { fileDrop } from '../shared/file-drop.js';
import { latestOnly } from '../shared/latest.js';
import { Picture } from '../shared/pictures/picture.js';
import { sampleNames } from '../shared/pictures/samples.js';
import { oneOf, text } from '../shared/state.js';
import { sharedWorker } from '../shared/workers.js';
import { AnswerCard, pointsOf } from './answer-card.js';
import { configs, textOf } from './files.js';
import { ResultCards } from './result.js';
import { TheirsCard } from './theirs-card.js';

const names = Object.keys(configs);
const backends = ['torchvision', 'pil'];

export const fields = {
  sample: oneOf('balloons', sampleNames),
  config: oneOf(names[1], names),
  backend: oneOf(backends[0], backends),
  points: text('+215,100'),
};

export function mount(root, state, save) {
  const panel = new ProcessorPanel(state, save);
  root.append(panel.node);
  panel.picture.openSample(state.sample);
  return panel.drop.setShown;
}

class ProcessorPanel {
  #answer;
  #config;
  #configs;
  #pictureProblem = problemLine('processor-picture-problem');
  #result;
  #samples;
  #save;
  #state;
  /** @type {ImageBitmap | undefined} */
  #nextPicture;
  /** Whether a model is to run: its runtime is large, so a user asks for it. */
  #isAnswering = false;
  /** Whether transformers.js is to run: it is asked for too. */
  #isComparing = false;
  #theirs = new TheirsCard(() => {
    this.#isComparing = true;
    this.#update();
  });
  #update = latestOnly(() => this.#process());

  constructor(state, save) {
    this.#state = state;
    this.#save = save;
    this.#result = new ResultCards();
    this.#answer = new AnswerCard({
      points: state.points,
      run: () => {
        this.#isAnswering = true;
        this.#update();
      },
      setPoints: (points) => this.#set('points', points, this.#update),
    });
    this.picture = new Picture(
      'processor',
      (bitmap, sample) => this.#open(bitmap, sample),
      (message) => setProblem(this.#pictureProblem, message),
    );
    this.#config = element('textarea', {
      id: 'processor-config',
      class: 'values config',
      rows: '12',
      spellcheck: 'false',
      'aria-label': 'preprocessor_config.json',
      input: () => this.#update(),
    });
    this.#config.value = textOf(state.config);
    this.drop = this.#fileDrop();
    this.node = twoColumns(
      [this.#pictureCard(), this.#configCard()],
      [...this.#answer.cards, this.#theirs.card, ...this.#result.cards],
    );
  }

  #fileDrop() {
    return fileDrop(
      {
        id: 'processor',
        accept: 'image/*,.json,application/json',
        label: 'Choose a picture or a configuration',
        hint: 'Drop a picture or a configuration',
        isWanted: ({ type, name }) => type.startsWith('image/') || name.endsWith('.json'),
        onFiles: async ([file]) => {
          if (!file.name.endsWith('.json')) return this.picture.openFile(file);
          clearChoice(this.#configs);
          this.#openConfig(await file.text());
        },
      },
      this.picture.preview,
    );
  }

  #pictureCard() {
    const openSample = (name) => this.#set('sample', name, () => this.picture.openSample(name));
    this.#samples = choice('Sample', sampleNames, this.#state.sample, openSample);
    return card(
      'Picture',
      this.drop.node,
      this.picture.about,
      this.#pictureProblem,
      this.#samples,
      row(this.drop.controls, element('span', { class: 'note' }, 'or drop a picture or a preprocessor_config.json')),
    );
  }

  #configCard() {
    const openConfig = (name) => this.#set('config', name, () => this.#openConfig(textOf(name)));
    this.#configs = choice('Model', names, this.#state.config, openConfig);
    return card(
      'preprocessor_config.json',
      this.#configs,
      this.#config,
      this.#result.problem,
      choice('Backend', backends, this.#state.backend, (name) => this.#set('backend', name, this.#update)),
    );
  }

  #set(name, value, act) {
    this.#state[name] = value;
    this.#save();
    act();
  }

  #openConfig(text) {
    this.#config.value = text;
    this.#update();
  }

  #open(bitmap, sample) {
    setProblem(this.#pictureProblem);
    if (sample === undefined) clearChoice(this.#samples);
    this.#nextPicture?.close();
    this.#nextPicture = bitmap;
    this.#update();
  }

  async #process() {
    const given = this.#nextPicture && transfer(this.#nextPicture, [this.#nextPicture]);
    this.#nextPicture = undefined;
    const { backend } = this.#state;
    try {
      this.#result.show(await sharedWorker().processImage(given, this.#config.value, backend), backend);
    } catch ({ message }) {
      this.#result.setProblem(message);
      return;
    }
    if (this.#isComparing) await this.#showTheirs();
    if (this.#isAnswering) await this.#showAnswer();
  }

  async #showTheirs() {
    this.#theirs.setBusy();
    try {
      this.#theirs.show(await sharedWorker().compareWithTheirs(this.#config.value, this.#state.backend));
    } catch ({ message }) {
      this.#theirs.setProblem(message);
    }
  }

  async #showAnswer() {
    const { backend, points } = this.#state;
    this.#answer.setBusy();
    try {
      const shown = await sharedWorker().answer(this.#config.value, backend, pointsOf(points));
      await this.#answer.show(this.picture.preview, shown);
    } catch ({ message }) {
      this.#answer.setProblem(message);
    }
  }
}
