/** The processor panel: a preprocessor_config.json and a picture, each step, and the tensors. */
import { transfer } from 'comlink';
import { codeCard } from '../code-card.js';
import { card, choice, element, facts, scrolled } from '../elements.js';
import { fileDrop } from '../file-drop.js';
import { pictureCanvas } from '../image/comparison.js';
import { latestOnly } from '../image/latest.js';
import { drawSample, sampleNames } from '../image/samples.js';
import { oneOf } from '../state.js';
import { short } from '../throughput/statistics.js';
import { sharedWorker } from '../workers.js';
import { codeFor, configs, textOf } from './files.js';

const names = Object.keys(configs);
const backends = ['torchvision', 'pil'];

export const fields = {
  sample: oneOf('balloons', sampleNames),
  config: oneOf(names[1], names),
  backend: oneOf(backends[0], backends),
};

const figure = (picture, title, ...about) =>
  element(
    'figure',
    {},
    picture ? [pictureCanvas(picture, title)] : [],
    element('figcaption', {}, element('b', {}, title), ...about.map((text) => element('span', {}, text))),
  );

const list = (value) => (Array.isArray(value) ? value.map(short).join(', ') : short(value));

/** What a step has done, in words. */
function aboutStep({ name, width, height, filter, x, y, fill, factor, offset, mean, std }) {
  const size = `${width} × ${height}`;
  return {
    resize: () => [size, filter],
    crop: () => [size, `from ${x}, ${y}`],
    pad: () => [size, fill === 0 ? 'with the number 0' : fill ? `with ${fill.join(', ')}` : 'mirrored'],
    turn: () => [size],
    grey: () => [size],
    rescale: () => [`× ${short(factor)}${offset ? ` ${offset}` : ''}`],
    normalize: () => [`− ${list(mean)}`, `÷ ${list(std)}`],
  }[name]();
}

export function mount(root, state, save) {
  let latestPicture = 0;
  /** @type {ImageBitmap | undefined} */
  let nextPicture;

  const preview = element('canvas', { class: 'preview', role: 'img', 'aria-label': 'The picture' });
  const about = element('p', { class: 'note', id: 'processor-source' });
  const drop = fileDrop(
    {
      id: 'processor',
      accept: 'image/*,.json,application/json',
      label: 'Choose a picture or a configuration',
      hint: 'Drop a picture or a configuration',
      isWanted: ({ type, name }) => type.startsWith('image/') || name.endsWith('.json'),
      onFiles: ([file]) => openFile(file),
    },
    preview,
  );
  const config = element('textarea', {
    id: 'processor-config',
    class: 'values',
    rows: '12',
    spellcheck: 'false',
    'aria-label': 'preprocessor_config.json',
    input: () => update(),
  });
  const problem = element('p', { class: 'problem', role: 'alert', id: 'processor-problem', hidden: true });
  const headline = element('p', { class: 'headline', id: 'processor-dims' }, '…');
  const details = element('div', {});
  const steps = element('div', { class: 'comparison', id: 'processor-steps' });
  const planes = element('div', { class: 'comparison', id: 'processor-planes' });
  const compared = element('div', { class: 'comparison', id: 'processor-comparison' });
  const code = codeCard('processor');
  const values = scrolled('Values', 'processor-values', 'values');

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
          choice('Sample', sampleNames, state.sample, (name) => set('sample', name, () => openSample(name))),
          element(
            'div',
            { class: 'row' },
            drop.controls,
            element('span', { class: 'note' }, 'or drop a picture or a preprocessor_config.json'),
          ),
        ),
        card(
          'preprocessor_config.json',
          choice('Model', names, state.config, (name) => set('config', name, () => openConfig(textOf(name)))),
          config,
          choice('Backend', backends, state.backend, (name) => set('backend', name, update)),
        ),
      ),
      element(
        'div',
        { class: 'stack' },
        card('Tensors', headline, problem, details, planes),
        card('Steps', steps),
        card('Drawn on a canvas instead', compared),
        code.node,
        card('First and last values', values),
      ),
    ),
  );

  const update = latestOnly(async () => {
    const given = nextPicture && transfer(nextPicture, [nextPicture]);
    nextPicture = undefined;
    try {
      show(await sharedWorker().processImage(given, config.value, state.backend));
      setProblem();
    } catch ({ message }) {
      setProblem(message);
    }
  });

  config.value = textOf(state.config);
  openSample(state.sample);

  function set(name, value, act) {
    state[name] = value;
    save();
    act();
  }

  function setProblem(message = '') {
    problem.textContent = message;
    problem.hidden = message === '';
    for (const node of [headline, details, planes, steps, compared, values])
      node.classList.toggle('old', message !== '');
    code.setOld(message !== '');
  }

  function openConfig(text) {
    config.value = text;
    update();
  }

  async function openSample(name) {
    const mine = ++latestPicture;
    const bitmap = await createImageBitmap(drawSample(name));
    if (mine === latestPicture) open(bitmap, `${name}, drawn by this page`);
  }

  async function openFile(given) {
    if (given.name.endsWith('.json')) {
      openConfig(await given.text());
      return;
    }
    const mine = ++latestPicture;
    try {
      const bitmap = await createImageBitmap(given, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
      if (mine === latestPicture) open(bitmap, given.name);
    } catch {
      setProblem(`${given.name} is no picture that this browser can read.`);
    }
  }

  function open(bitmap, name) {
    preview.width = bitmap.width;
    preview.height = bitmap.height;
    preview.getContext('2d').drawImage(bitmap, 0, 0);
    about.textContent = `${name}, ${bitmap.width} × ${bitmap.height}`;
    nextPicture?.close();
    nextPicture = bitmap;
    update();
  }

  function show({ ms, type, ignored, outputs, comparison, text, ...pictures }) {
    const { type: kind, dims } = outputs.pixel_values;
    headline.replaceChildren(element('span', {}, kind), ` [${dims.join(', ')}]`);
    const others = Object.entries(outputs).filter(([name]) => name !== 'pixel_values');
    details.replaceChildren(
      facts({
        Processor: type,
        Time: `${short(ms)} ms`,
        ...Object.fromEntries(others.map(([name, output]) => [name, `${output.type} [${output.dims.join(', ')}]`])),
        ...(ignored.length > 0 && { Ignored: ignored.join(', ') }),
      }),
    );
    steps.replaceChildren(...pictures.steps.map((step) => figure(step.picture, step.name, ...aboutStep(step))));
    planes.replaceChildren(...pictures.planes.map((plane, i) => figure(plane, `plane ${i}`)));
    compared.replaceChildren(
      ...(comparison
        ? [
            figure(comparison.canvas, 'The canvas', 'in the place of the first step'),
            figure(
              comparison.difference,
              'Difference',
              `greatest ${comparison.greatest} of 255`,
              `mean ${short(comparison.mean)} over all channels`,
              `amplified × ${comparison.factor}`,
            ),
          ]
        : [element('p', { class: 'note' }, 'The picture is not resized at first, so there is nothing to compare.')]),
    );
    code.show(codeFor(state.backend, outputs));
    values.textContent = text;
  }

  return drop.setShown;
}
