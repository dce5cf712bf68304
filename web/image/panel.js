/** A picture, how a model wants it, and the tensor that comes of it. */
import { card, choice, element, facts, select } from '../elements.js';
import { oneOf, whole } from '../state.js';
import { short, showBytes } from '../throughput/statistics.js';
import { sharedWorker } from '../workers.js';
import { codeFor } from './code.js';
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
  none: 'x', unit: 'x / 255', signed: '(x / 255 − 0.5) / 0.5', imagenet: '(x / 255 − mean) / std of ImageNet', clip: '(x / 255 − mean) / std of CLIP',
};

export function mount(root, state, save) {
  let isShown = true;
  let stopCamera;
  /** Counts pictures, so that one that takes long to decode does not come in after a later one. */
  let latestPicture = 0;

  const preview = element('canvas', { class: 'preview', role: 'img', 'aria-label': 'The picture' });
  const video = element('video', { class: 'preview', muted: true, playsinline: true, hidden: true, 'aria-label': 'The camera' });
  const about = element('p', { class: 'note', id: 'image-source' });
  const file = element('input', { type: 'file', accept: 'image/*', class: 'visually-hidden', tabindex: '-1', id: 'image-file', 'aria-label': 'Choose an image file', change: () => {
    if (file.files[0]) openFile(file.files[0]);
    file.value = '';
  } });
  const camera = element('button', { id: 'image-camera', click: toggleCamera }, 'Camera');
  const problem = element('p', { class: 'problem', role: 'alert', id: 'image-problem', hidden: true });
  const headline = element('p', { class: 'headline', id: 'image-dims' }, '…');
  const details = element('div', {});
  const planes = element('div', { class: 'planes', id: 'image-planes' });
  const code = element('pre', { class: 'code', id: 'image-code', tabindex: '0', 'aria-label': 'Code' });
  const values = element('pre', { class: 'values', id: 'image-values', tabindex: '0', 'aria-label': 'Values' });
  const formula = element('p', { class: 'note' });
  const copy = element('button', { id: 'image-copy', click: copyCode }, 'Copy');
  const download = element('button', { id: 'image-npy', click: downloadNpy }, 'Download .npy');
  const drop = element('div', { class: 'drop' }, preview, video, element('p', { class: 'drop-hint' }, 'Drop it'));

  const set = (name) => (value) => {
    state[name] = value;
    save();
    convert();
  };
  const extent = (label, name) => {
    const input = element('input', { type: 'number', min: '1', max: '4096', value: state[name], id: `image-${name}`, input: () => {
      const value = fields[name].parse(input.value);
      input.setAttribute('aria-invalid', value === undefined);
      if (value !== undefined) set(name)(value);
    } });
    return element('label', { class: 'field' }, element('span', {}, label), input);
  };

  root.append(element('div', { class: 'two-columns' },
    element('div', { class: 'stack' },
      card('Picture', drop, about,
        element('div', { class: 'samples', role: 'group', 'aria-label': 'Samples' }, sampleNames.map(sampleButton)),
        element('div', { class: 'row' }, element('button', { id: 'image-choose', click: () => file.click() }, 'Choose a file'), camera, file,
          element('span', { class: 'note' }, 'or drop or paste one'))),
      card('What the model wants',
        element('div', { class: 'options' },
          element('div', { class: 'row' }, extent('Width', 'width'), extent('Height', 'height'), choice('Fit', fits, state.fit, set('fit'))),
          element('div', { class: 'row' }, choice('Layout', layouts, state.layout, set('layout')), choice('Channels', channelOrders, state.channels, set('channels'))),
          element('div', { class: 'row' }, select('Type', types, state.type, set('type')), choice('Values', presets, state.preset, set('preset'))), formula))),
    element('div', { class: 'stack' },
      card('Tensor', headline, problem, details, planes),
      titled('The same in your program', copy, code),
      titled('First and last values', download, values))));

  function titled(title, button, content) {
    return element('section', { class: 'card' }, element('div', { class: 'card-head' }, element('h2', {}, title), button), content);
  }

  acceptFiles(openFile, (isOver) => drop.classList.toggle('is-target', isOver), () => isShown);
  openSample(state.sample);

  function sampleButton(name) {
    const thumbnail = element('canvas', { width: 96, height: 72, 'aria-hidden': 'true' });
    thumbnail.getContext('2d').drawImage(drawSample(name), 0, 0, 96, 72);
    return element('button', { class: 'sample', id: `sample-${name.replace(' ', '-')}`, 'aria-pressed': 'false', 'data-sample': name, 'aria-label': `Sample: ${name}`, click: () => {
      state.sample = name;
      save();
      openSample(name);
    } }, thumbnail, element('span', {}, name));
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
      refuse(`${given.name} is no picture that this browser can read.`);
    }
  }

  /** Shows another picture and converts it. */
  function open(bitmap, name, sample) {
    endCamera();
    preview.width = bitmap.width;
    preview.height = bitmap.height;
    preview.getContext('2d').drawImage(bitmap, 0, 0);
    about.textContent = `${name}, ${bitmap.width} × ${bitmap.height}`;
    for (const button of root.querySelectorAll('.sample')) button.setAttribute('aria-pressed', button.dataset.sample === sample);
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
      refuse(`No camera: ${message}`);
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

  /** The conversion in progress. While there is one, what is asked for waits, and only the last of it is done. */
  let busy;
  let waiting;

  async function convert(bitmap) {
    if (busy) {
      if (bitmap) waiting?.close?.();
      waiting = bitmap ?? waiting ?? 'options';
      return busy;
    }
    busy = convertNow(bitmap);
    await busy;
    busy = undefined;
    if (waiting) {
      const next = waiting === 'options' ? undefined : waiting;
      waiting = undefined;
      await convert(next);
    }
  }

  async function convertNow(bitmap) {
    const options = optionsNow();
    try {
      show(options, await sharedWorker().convertImage(bitmap, options));
    } catch ({ message }) {
      refuse(message);
    }
  }

  function refuse(message) {
    problem.textContent = message;
    problem.hidden = false;
  }

  function show(options, { ms, dims, bytes, text, range, planes: pictures }) {
    problem.hidden = true;
    headline.replaceChildren(element('span', {}, options.type), ` [${dims.join(', ')}]`);
    details.replaceChildren(facts({ Bytes: `${bytes.toLocaleString('en')} (${showBytes(bytes)})`, Range: range.map(short).join(' to '), 'Time, drawing included': `${short(ms)} ms` }));
    formula.textContent = `Of each byte x: ${formulas[state.preset]}`;
    planes.replaceChildren(...pictures.map(({ name, pixels, width, height }, i) => {
      const canvas = element('canvas', { width, height, role: 'img', 'aria-label': `Channel ${i}: ${name}` });
      canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
      return element('figure', { class: `plane plane-${name}` }, canvas, element('figcaption', {}, element('b', {}, name), ` channel ${i}`));
    }));
    code.textContent = codeFor(options, dims);
    values.textContent = text;
  }

  async function copyCode() {
    await navigator.clipboard.writeText(code.textContent);
    copy.textContent = 'Copied';
    setTimeout(() => { copy.textContent = 'Copy'; }, 1500);
  }

  async function downloadNpy() {
    const bytes = await sharedWorker().npyFile();
    const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    element('a', { href: address, download: 'tensor.npy' }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  return (nowShown) => {
    isShown = nowShown;
    if (!nowShown) endCamera();
  };
}
