/** The audio panel: a sound and a preprocessor_config.json, and the features that a model takes. */
import { proxy } from 'comlink';
import { card, choice, clearChoice, element, twoColumns } from '../shared/elements.js';
import { latestOnly } from '../shared/latest.js';
import { oneOf } from '../shared/state.js';
import { sharedWorker } from '../shared/workers.js';
import { configs, textOf } from './files.js';
import { listen } from './microphone.js';
import { ResultCards } from './result.js';
import { sampleNames } from './samples.js';
import { SourceCard } from './source.js';

const names = Object.keys(configs);

export const fields = {
  sample: oneOf(sampleNames[0], sampleNames),
  config: oneOf(names[0], names),
};

export function mount(root, state, save) {
  const panel = new AudioPanel(state, save);
  root.append(panel.node);
  panel.openSample(state.sample);
  return panel.setShown;
}

/** Decodes at the rate of the file; the worker asks for it. */
const decode = proxy(async (bytes, rate) => {
  const buffer = await new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes.buffer);
  const channelData = Array.from({ length: buffer.numberOfChannels }, (_, i) => buffer.getChannelData(i));
  return { channelData, sampleRate: buffer.sampleRate };
});

const work = (task, ...given) => sharedWorker().audio(task, ...given);

class AudioPanel {
  #config;
  #configs;
  #result = new ResultCards();
  #save;
  #source;
  #state;
  /** Stops the microphone, while that is on. */
  #stop;
  /** Counts sounds, so that one that takes long to decode does not replace a later one. */
  #latest = 0;
  #update = latestOnly(() => this.#process());

  constructor(state, save) {
    this.#state = state;
    this.#save = save;
    this.#source = new SourceCard(state.sample, {
      openSample: (name) => this.#set('sample', name, () => this.openSample(name)),
      openFile: (file) => this.#openFile(file),
      listen: () => (this.#stop ? this.#endListening() : this.#listen()),
    });
    this.#config = element('textarea', {
      id: 'audio-config',
      class: 'values config',
      rows: '10',
      spellcheck: 'false',
      'aria-label': 'preprocessor_config.json',
      input: () => this.#update(),
    });
    this.#config.value = textOf(state.config);
    const openConfig = (name) => this.#set('config', name, () => this.#openConfig(textOf(name)));
    this.#configs = choice('Model', names, state.config, openConfig);
    const configCard = card('preprocessor_config.json', this.#configs, this.#config, this.#result.problem);
    this.node = twoColumns([this.#source.node, configCard], this.#result.cards);
    this.setShown = (isShown) => {
      this.#source.drop.setShown(isShown);
      if (isShown) return;
      this.#source.player.stop();
      this.#endListening();
    };
  }

  #set(name, value, act) {
    this.#state[name] = value;
    this.#save();
    act();
  }

  openSample(name) {
    return this.#open(`${name}, computed by this page`, () => work('openSample', name), true);
  }

  #openFile(file) {
    if (!file.name.endsWith('.json')) return this.#open(file.name, () => work('openFile', file, decode));
    clearChoice(this.#configs);
    return file.text().then((text) => this.#openConfig(text));
  }

  async #open(name, open, isSample) {
    await this.#endListening();
    const mine = ++this.#latest;
    try {
      const sound = await open();
      if (mine !== this.#latest) return;
      this.#source.show(name, sound, isSample);
      this.#update();
    } catch ({ message }) {
      this.#source.setProblem(`${name}: ${message}`);
    }
  }

  #openConfig(text) {
    this.#config.value = text;
    this.#update();
  }

  async #listen() {
    try {
      this.#stop = await listen(
        async (rate) => {
          await work('startLive', rate);
          this.#source.setListening(true);
        },
        async (samples) => {
          const columns = await work('pushLive', samples);
          if (columns) this.#source.scroll(columns);
        },
      );
    } catch ({ message }) {
      this.#source.setProblem(`The microphone: ${message}`);
    }
  }

  /** Takes the recording as the sound. */
  async #endListening() {
    const stop = this.#stop;
    if (!stop) return;
    this.#stop = undefined;
    await stop();
    this.#source.show('the microphone', await work('endLive'));
    await this.#update();
  }

  async #process() {
    try {
      this.#result.show(await work('process', this.#config.value));
    } catch ({ message }) {
      this.#result.setProblem(message);
    }
  }
}
