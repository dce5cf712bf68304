/** The image panel: a picture, what the model wants, and the resulting tensor. */
import { transfer } from 'comlink';
import { card, element, problemLine, row, setProblem, twoColumns } from '../shared/elements.js';
import { fileDrop } from '../shared/file-drop.js';
import { oneOf } from '../shared/state.js';
import { sharedWorker } from '../shared/workers.js';
import { playCamera } from './camera.js';
import { latestOnly } from '../shared/latest.js';
import { optionFields, optionsCard, optionsOf } from './options.js';
import { Picture } from '../shared/pictures/picture.js';
import { pythonOf } from './resizing.js';
import { ResultCards } from './result.js';
import { drawSample, sampleNames } from '../shared/pictures/samples.js';

export const fields = { sample: oneOf('balloons', sampleNames), ...optionFields };

export function mount(root, state, save) {
  const panel = new ImagePanel(state, save);
  root.append(panel.node);
  panel.picture.openSample(state.sample);
  return (isShown) => panel.setShown(isShown);
}

class ImagePanel {
  #camera;
  #drop;
  #options;
  #problem = problemLine('image-picture-problem');
  #result;
  #samples;
  #save;
  #state;
  #video;
  #stopCamera;
  /** @type {ImageBitmap | undefined} */
  #nextPicture;
  #update = latestOnly(() => this.#showResult());

  constructor(state, save) {
    this.#state = state;
    this.#save = save;
    this.#result = new ResultCards();
    this.picture = new Picture(
      'image',
      (bitmap, sample) => this.#open(bitmap, sample),
      (message) => setProblem(this.#problem, message),
    );
    this.#options = optionsCard(state, (name, value) => {
      this.#set(name, value);
      this.#update();
    });
    this.#video = element('video', {
      class: 'preview',
      muted: true,
      playsinline: true,
      hidden: true,
      'aria-label': 'The camera',
    });
    this.#camera = element('button', { id: 'image-camera', click: () => this.#toggleCamera() }, 'Camera');
    this.#samples = sampleNames.map((name) => this.#sampleButton(name));
    this.#drop = this.#fileDrop();
    this.node = this.#twoColumns();
  }

  setShown(isShown) {
    this.#drop.setShown(isShown);
    if (!isShown) this.#endCamera();
  }

  #fileDrop() {
    return fileDrop(
      {
        id: 'image',
        accept: 'image/*',
        label: 'Choose an image file',
        hint: 'Drop it',
        isWanted: ({ type }) => type.startsWith('image/'),
        onFiles: ([file]) => this.picture.openFile(file),
      },
      this.picture.preview,
      this.#video,
    );
  }

  #twoColumns() {
    const pictureCard = card(
      'Picture',
      this.#drop.node,
      this.picture.about,
      this.#problem,
      element('div', { class: 'samples', role: 'group', 'aria-label': 'Samples' }, this.#samples),
      row(this.#drop.controls, this.#camera, element('span', { class: 'note' }, 'or drop or paste one')),
    );
    return twoColumns([pictureCard, this.#options.node], [this.#result.cards]);
  }

  #sampleButton(name) {
    const thumbnail = drawSample(name, 0.3);
    thumbnail.setAttribute('aria-hidden', 'true');
    return element(
      'button',
      {
        class: 'sample',
        id: `sample-${name.replace(' ', '-')}`,
        'aria-pressed': 'false',
        'data-sample': name,
        'aria-label': `Sample: ${name}`,
        click: () => {
          this.#set('sample', name);
          this.picture.openSample(name);
        },
      },
      thumbnail,
      element('span', {}, name),
    );
  }

  #set(name, value) {
    this.#state[name] = value;
    this.#save();
  }

  /** Converts a new picture. */
  #open(bitmap, sample) {
    setProblem(this.#problem);
    this.#hideCamera();
    for (const button of this.#samples) button.setAttribute('aria-pressed', button.dataset.sample === sample);
    this.#convert(bitmap);
  }

  #convert(picture) {
    this.#nextPicture?.close();
    this.#nextPicture = picture;
    return this.#update();
  }

  /** Converts the latest picture as the state asks for. */
  async #showResult() {
    const given = this.#nextPicture && transfer(this.#nextPicture, [this.#nextPicture]);
    this.#nextPicture = undefined;
    const wanted = optionsOf(this.#state);
    this.#options.showState();
    try {
      this.#result.show(wanted, await sharedWorker().convertImage(given, wanted, pythonOf(this.#state)));
    } catch ({ message }) {
      this.#result.refuse(message, true);
    }
  }

  async #toggleCamera() {
    if (this.#stopCamera) {
      this.#endCamera();
      return;
    }
    const video = this.#video;
    try {
      this.#stopCamera = await playCamera(video, (frame) => this.#convert(frame));
      this.picture.skipPending();
      this.#camera.textContent = 'Stop the camera';
      [this.picture.preview.hidden, video.hidden] = [true, false];
      this.picture.about.textContent = `The camera, ${video.videoWidth} × ${video.videoHeight}`;
    } catch ({ message }) {
      setProblem(this.#problem, `No camera: ${message}`);
    }
  }

  /** Stops the camera; its last frame remains the picture. */
  #endCamera() {
    if (!this.#stopCamera) return;
    this.picture.draw(this.#video, this.#video.videoWidth, this.#video.videoHeight);
    this.#hideCamera();
  }

  #hideCamera() {
    this.#stopCamera?.();
    this.#stopCamera = undefined;
    this.#camera.textContent = 'Camera';
    [this.picture.preview.hidden, this.#video.hidden] = [false, true];
  }
}
