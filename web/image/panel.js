/** The image panel: a picture, what the model wants, and the resulting tensor. */
import { transfer } from 'comlink';
import { card, element } from '../elements.js';
import { fileDrop } from '../file-drop.js';
import { oneOf } from '../state.js';
import { sharedWorker } from '../workers.js';
import { playCamera } from './camera.js';
import { latestOnly } from './latest.js';
import { optionFields, optionsCard, optionsOf } from './options.js';
import { pythonOf } from './resizing.js';
import { resultCards } from './result.js';
import { drawSample, sampleNames } from './samples.js';

/** How files are decoded: the stored colours, as Pillow has them, neither matched to a screen nor premultiplied. */
const asStored = /** @type {const} */ ({ colorSpaceConversion: 'none', premultiplyAlpha: 'none' });

export const fields = { sample: oneOf('balloons', sampleNames), ...optionFields };

export function mount(root, state, save) {
  let stopCamera;
  /** Counts pictures, so that a picture that takes long to decode does not replace a later one. */
  let latestPicture = 0;

  const preview = element('canvas', { class: 'preview', role: 'img', 'aria-label': 'The picture' });
  const video = element('video', {
    class: 'preview',
    muted: true,
    playsinline: true,
    hidden: true,
    'aria-label': 'The camera',
  });
  const about = element('p', { class: 'note', id: 'image-source' });
  const camera = element('button', { id: 'image-camera', click: toggleCamera }, 'Camera');
  const drop = fileDrop(
    {
      id: 'image',
      accept: 'image/*',
      label: 'Choose an image file',
      hint: 'Drop it',
      isWanted: ({ type }) => type.startsWith('image/'),
      onFiles: ([file]) => openFile(file),
    },
    preview,
    video,
  );
  const result = resultCards();

  const options = optionsCard(state, (name, value) => {
    state[name] = value;
    save();
    convert();
  });

  root.append(
    element(
      'div',
      { class: 'two-columns' },
      element(
        'div',
        { class: 'stack' },
        card(
          'Picture',
          drop.node,
          about,
          element('div', { class: 'samples', role: 'group', 'aria-label': 'Samples' }, sampleNames.map(sampleButton)),
          element(
            'div',
            { class: 'row' },
            drop.controls,
            camera,
            element('span', { class: 'note' }, 'or drop or paste one'),
          ),
        ),
        options.node,
      ),
      element('div', { class: 'stack' }, result.cards),
    ),
  );

  openSample(state.sample);

  function sampleButton(name) {
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
          state.sample = name;
          save();
          openSample(name);
        },
      },
      thumbnail,
      element('span', {}, name),
    );
  }

  async function openSample(name) {
    const mine = ++latestPicture;
    const bitmap = await createImageBitmap(drawSample(name));
    if (mine === latestPicture) open(bitmap, `${name}, drawn by this page`, name);
  }

  async function openFile(given) {
    const mine = ++latestPicture;
    try {
      const bitmap = await createImageBitmap(given, asStored);
      if (mine === latestPicture) open(bitmap, given.name);
    } catch {
      result.refuse(`${given.name} is no picture that this browser can read.`);
    }
  }

  /** Shows a new picture and converts it. */
  function open(bitmap, name, sample) {
    endCamera();
    preview.width = bitmap.width;
    preview.height = bitmap.height;
    preview.getContext('2d').drawImage(bitmap, 0, 0);
    about.textContent = `${name}, ${bitmap.width} × ${bitmap.height}`;
    for (const button of root.querySelectorAll('.sample'))
      button.setAttribute('aria-pressed', button.dataset.sample === sample);
    convert(bitmap);
  }

  async function toggleCamera() {
    if (stopCamera) {
      endCamera();
      return;
    }
    try {
      stopCamera = await playCamera(video, convert);
      latestPicture++;
      camera.textContent = 'Stop the camera';
      [preview.hidden, video.hidden] = [true, false];
      about.textContent = `The camera, ${video.videoWidth} × ${video.videoHeight}`;
    } catch ({ message }) {
      result.refuse(`No camera: ${message}`);
    }
  }

  /** Stops the camera; its last frame remains the picture. */
  function endCamera() {
    if (!stopCamera) return;
    preview.width = video.videoWidth;
    preview.height = video.videoHeight;
    preview.getContext('2d').drawImage(video, 0, 0);
    stopCamera();
    stopCamera = undefined;
    camera.textContent = 'Camera';
    [preview.hidden, video.hidden] = [false, true];
  }

  /** @type {ImageBitmap | undefined} */
  let nextPicture;

  const update = latestOnly(async () => {
    const given = nextPicture && transfer(nextPicture, [nextPicture]);
    nextPicture = undefined;
    const wanted = optionsOf(state);
    options.showState();
    try {
      result.show(wanted, await sharedWorker().convertImage(given, wanted, pythonOf(state)));
    } catch ({ message }) {
      result.refuse(message, true);
    }
  });

  /**
   * Converts a picture as the state asks for.
   * @param {ImageBitmap} [picture] the one before if omitted
   */
  function convert(picture) {
    if (picture) {
      nextPicture?.close();
      nextPicture = picture;
    }
    return update();
  }

  return (isShown) => {
    drop.setShown(isShown);
    if (!isShown) endCamera();
  };
}
