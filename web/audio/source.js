/** The card of the sound: its outline and its player, or what the microphone hears. */
import {
  card,
  choice,
  clearChoice,
  element,
  note,
  problemLine,
  row,
  setProblem,
  svgElement,
} from '../shared/elements.js';
import { fileDrop } from '../shared/file-drop.js';
import { short } from '../shared/number-text.js';
import { Player } from './player.js';
import { sampleNames } from './samples.js';

const time = (seconds) => `${short(seconds)} s`;

/** The outline as a path: along the greatest samples to the right, and along the least ones back. */
function pathOf(outline) {
  const columns = outline.length / 2;
  const top = Array.from({ length: columns }, (_, i) => `${i} ${-outline[2 * i + 1].toFixed(3)}`);
  const bottom = Array.from({ length: columns }, (_, i) => `${columns - 1 - i} ${-outline.at(-2 - 2 * i).toFixed(3)}`);
  return `M${[...top, ...bottom].join('L')}Z`;
}

export class SourceCard {
  #about = note();
  #wave = element('div', { class: 'wave', id: 'audio-wave' });
  #live = element('canvas', {
    class: 'spectrogram',
    id: 'audio-live',
    width: '300',
    height: '80',
    hidden: true,
    role: 'img',
    'aria-label': 'What the microphone hears, as a mel spectrogram',
  });
  player = new Player();
  #microphone;
  #problem = problemLine('audio-source-problem');
  #samples;

  /**
   * @param {string} sample
   * @param {{ openSample: (name: string) => void, openFile: (file: File) => void, listen: () => void }} on
   */
  constructor(sample, { openSample, openFile, listen }) {
    this.#about.id = 'audio-source';
    this.#microphone = element('button', { id: 'audio-microphone', click: listen }, 'Use the microphone');
    this.drop = fileDrop(
      {
        id: 'audio',
        accept: 'audio/*,video/webm,video/mp4,.json,application/json',
        label: 'Choose a sound or a configuration',
        hint: 'Drop a sound or a configuration',
        isWanted: ({ type, name }) => /^(audio|video)\//.test(type) || /\.(wav|flac|json)$/.test(name),
        onFiles: ([file]) => openFile(file),
      },
      this.#wave,
      this.#live,
    );
    this.#samples = choice('Sample', sampleNames, sample, openSample);
    this.node = card(
      'Sound',
      this.drop.node,
      this.#about,
      this.#problem,
      this.#samples,
      row(this.drop.controls, this.#microphone, this.player.node),
    );
  }

  /** Says why there is no new sound. */
  setProblem(message = '') {
    setProblem(this.#problem, message);
  }

  /** Shows a sound of the worker's. */
  show(name, { seconds, channels, sampleRate, outline, samples, ms }, isSample = false) {
    this.setListening(false);
    this.setProblem();
    if (!isSample) clearChoice(this.#samples);
    const path = svgElement('path', { d: pathOf(outline) });
    const viewBox = `0 -1 ${outline.length / 2} 2`;
    this.#wave.replaceChildren(
      svgElement('svg', { viewBox, preserveAspectRatio: 'none', role: 'img', 'aria-label': 'The waveform' }, path),
    );
    const facts = [
      name,
      time(seconds),
      `${sampleRate} Hz`,
      channels === 1 ? 'mono' : `the mean of ${channels} channels`,
    ];
    if (ms !== undefined) facts.push(`decoded in ${short(ms)} ms`);
    this.#about.textContent = facts.join(', ');
    this.player.sound = { samples, sampleRate };
  }

  setListening(isOn) {
    this.#microphone.textContent = isOn ? 'Stop' : 'Use the microphone';
    this.#live.hidden = !isOn;
    this.#wave.hidden = isOn;
    if (!isOn) return;
    this.#about.textContent = 'The microphone';
    const context = this.#live.getContext('2d');
    context.fillStyle = '#000004';
    context.fillRect(0, 0, this.#live.width, this.#live.height);
  }

  /** Moves the picture of the microphone to the left, and adds columns. */
  scroll({ data, width, height }) {
    const context = this.#live.getContext('2d');
    context.drawImage(this.#live, -width, 0);
    context.putImageData(new ImageData(data, width, height), this.#live.width - width, 0);
  }
}
