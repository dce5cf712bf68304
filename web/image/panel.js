/** A picture, how a model wants it, and the tensor that comes of it. */
import { transfer } from 'comlink';
import { card, choice, element, select } from '../elements.js';
import { oneOf, whole } from '../state.js';
import { sharedWorker } from '../workers.js';
import { resultCards } from './result.js';
import { drawSample, sampleNames } from './samples.js';
import { acceptFiles, playCamera } from './sources.js';

const layouts = ['NCHW', 'NHWC', 'CHW', 'HWC'];
const channelOrders = ['RGB', 'BGR', 'RGBA', 'L'];
const types = ['float32', 'float16', 'bfloat16', 'uint8', 'int8'];
const presets = ['none', 'unit', 'signed', 'imagenet', 'clip'];
const fits = ['cover', 'contain', 'fill'];

export const fields = {
  sample: oneOf('balloons', sampleNames),
  width: whole(224, 1, 4096),
  height: whole(224, 1, 4096),
  fit: oneOf('cover', fits),
  layout: oneOf('NCHW', layouts),
  channels: oneOf('RGB', channelOrders),
  type: oneOf('float32', types),
  preset: oneOf('imagenet', presets),
};

/** What the presets do to a byte x, for those who do not know them by heart. */
const formulas = {
  none: 'x',
  unit: 'x / 255',
  signed: '(x / 255 − 0.5) / 0.5',
  imagenet: '(x / 255 − mean) / std of ImageNet',
  clip: '(x / 255 − mean) / std of CLIP',
};

export function mount(root, state, save) {
  let isShown = true;
  let stopCamera;
  /** Counts pictures, so that one that takes long to decode does not come in after a later one. */
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
  const file = element('input', {
    type: 'file',
    accept: 'image/*',
    class: 'visually-hidden',
    tabindex: '-1',
    id: 'image-file',
    'aria-label': 'Choose an image file',
    change: () => {
      if (file.files[0]) openFile(file.files[0]);
      file.value = '';
    },
  });
  const camera = element('button', { id: 'image-camera', click: toggleCamera }, 'Camera');
  const formula = element('p', { class: 'note' });
  const drop = element('div', { class: 'drop' }, preview, video, element('p', { class: 'drop-hint' }, 'Drop it'));
  const result = resultCards();

  const set = (name) => (value) => {
    state[name] = value;
    save();
    convert();
  };
  const extent = (label, name) => {
    const input = element('input', {
      type: 'number',
      min: '1',
      max: '4096',
      value: state[name],
      id: `image-${name}`,
      input: () => {
        const value = fields[name].parse(input.value);
        input.setAttribute('aria-invalid', value === undefined);
        if (value !== undefined) set(name)(value);
      },
    });
    return element('label', { class: 'field' }, element('span', {}, label), input);
  };

  root.append(
    element(
      'div',
      { class: 'two-columns' },
      element(
        'div',
        { class: 'stack' },
        card(
          'Picture',
          drop,
          about,
          element('div', { class: 'samples', role: 'group', 'aria-label': 'Samples' }, sampleNames.map(sampleButton)),
          element(
            'div',
            { class: 'row' },
            element('button', { id: 'image-choose', click: () => file.click() }, 'Choose a file'),
            camera,
            file,
            element('span', { class: 'note' }, 'or drop or paste one'),
          ),
        ),
        card(
          'What the model wants',
          element(
            'div',
            { class: 'options' },
            element(
              'div',
              { class: 'row' },
              extent('Width', 'width'),
              extent('Height', 'height'),
              choice('Fit', fits, state.fit, set('fit')),
            ),
            element(
              'div',
              { class: 'row' },
              choice('Layout', layouts, state.layout, set('layout')),
              choice('Channels', channelOrders, state.channels, set('channels')),
            ),
            element(
              'div',
              { class: 'row' },
              select('Type', types, state.type, set('type')),
              choice('Values', presets, state.preset, set('preset')),
            ),
            formula,
          ),
        ),
      ),
      element('div', { class: 'stack' }, result.cards),
    ),
  );

  acceptFiles(
    openFile,
    (isOver) => drop.classList.toggle('is-target', isOver),
    () => isShown,
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
      const bitmap = await createImageBitmap(given);
      if (mine === latestPicture) open(bitmap, given.name);
    } catch {
      result.refuse(`${given.name} is no picture that this browser can read.`);
    }
  }

  /** Shows another picture and converts it. */
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

  /** The last frame stays what is converted. */
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

  const optionsNow = () => {
    const { width, height, fit, layout, channels, type, preset } = state;
    return { width, height, fit, layout, channels, type, preset: preset === 'none' ? undefined : preset };
  };

  // Conversions one at a time: what is asked for meanwhile waits, and only the last of it is done.
  let isBusy = false;
  let isWanted = false;
  /** @type {ImageBitmap | undefined} */
  let nextPicture;

  /** Converts another picture, or the same one as the state says now. @param {ImageBitmap} [picture] */
  async function convert(picture) {
    if (picture) {
      nextPicture?.close();
      nextPicture = picture;
    }
    isWanted = true;
    if (isBusy) return;
    isBusy = true;
    while (isWanted) {
      const given = nextPicture && transfer(nextPicture, [nextPicture]);
      isWanted = false;
      nextPicture = undefined;
      const options = optionsNow();
      formula.textContent = `Of each byte x: ${formulas[state.preset]}`;
      try {
        result.show(options, await sharedWorker().convertImage(given, options));
      } catch ({ message }) {
        result.refuse(message, true);
      }
    }
    isBusy = false;
  }

  return (nowShown) => {
    isShown = nowShown;
    if (!nowShown) endCamera();
  };
}
