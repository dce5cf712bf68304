/** The options of the image panel: what the model wants. */
import { card, choice, element, select } from '../elements.js';
import { oneOf, whole } from '../state.js';
import { allFilters, backendOf, backends, libraries, pythonOf, resizingOf } from './resizing.js';

const layouts = ['NCHW', 'NHWC', 'CHW', 'HWC'];
const channelOrders = ['RGB', 'BGR', 'RGBA', 'L'];
const types = ['float32', 'float16', 'bfloat16', 'uint8', 'int8'];
const fits = ['cover', 'contain', 'fill', 'letterbox'];

/** What each preset does to a byte x. */
const formulas = {
  none: 'x',
  unit: 'x / 255',
  signed: '(x / 255 − 0.5) / 0.5',
  imagenet: '(x / 255 − mean) / std of ImageNet',
  clip: '(x / 255 − mean) / std of CLIP',
  yolo: 'x / 255, divided as YOLO does',
};
const presets = Object.keys(formulas);

/** The fields of the panel's state that are options. */
export const optionFields = {
  width: whole(224, 1, 4096),
  height: whole(224, 1, 4096),
  fit: oneOf('cover', fits),
  backend: oneOf('pil', backends),
  filter: oneOf(libraries.pil.usual, allFilters),
  layout: oneOf('NCHW', layouts),
  channels: oneOf('RGB', channelOrders),
  type: oneOf('float32', types),
  preset: oneOf('imagenet', presets),
};

/** The options that a state stands for, as imageToTensor takes them. */
export function optionsOf(state) {
  const { layout, channels, type, preset } = state;
  const normalization = preset === 'none' ? undefined : preset;
  return { ...resizingOf(state), layout, channels, type, preset: normalization };
}

/**
 * @param {Record<string, any>} state
 * @param {(name: string, value: any) => void} onChange
 * @returns {{ node: HTMLElement, showState: () => void }} `showState` shows the state's backend and its filters, and
 *   what its preset does
 */
export function optionsCard(state, onChange) {
  const set = (name) => (value) => onChange(name, value);
  const formula = element('p', { class: 'note' });
  const extent = (label, name) => {
    const input = element('input', {
      type: 'number',
      min: '1',
      max: '4096',
      value: state[name],
      id: `image-${name}`,
      input: () => {
        const value = optionFields[name].parse(input.value);
        input.setAttribute('aria-invalid', value === undefined);
        if (value !== undefined) onChange(name, value);
      },
    });
    return element('label', { class: 'field' }, element('span', {}, label), input);
  };
  const backendChoice = choice('Backend', backends, state.backend, set('backend'));
  const filters = element('div', {});
  let shownBackend;
  function showBackend() {
    const backend = backendOf(state);
    backendChoice.disabled = state.fit === 'letterbox';
    for (const input of backendChoice.querySelectorAll('input')) input.checked = input.value === backend;
    if (backend === shownBackend) return;
    shownBackend = backend;
    const isCanvas = backend === 'canvas';
    const known = isCanvas ? ['the browser’s own'] : libraries[backend].filters;
    const value = isCanvas ? known[0] : pythonOf(state).filter;
    filters.replaceChildren(select('Filter', known, value, set('filter'), { disabled: isCanvas }));
  }
  const row = (...controls) => element('div', { class: 'row' }, ...controls);
  const node = card(
    'What the model wants',
    element(
      'div',
      { class: 'options' },
      row(extent('Width', 'width'), extent('Height', 'height'), choice('Fit', fits, state.fit, set('fit'))),
      row(backendChoice, filters),
      row(
        choice('Layout', layouts, state.layout, set('layout')),
        choice('Channels', channelOrders, state.channels, set('channels')),
      ),
      row(select('Type', types, state.type, set('type')), choice('Values', presets, state.preset, set('preset'))),
      formula,
    ),
  );
  return {
    node,
    showState: () => {
      showBackend();
      formula.textContent = `Each byte x becomes ${formulas[state.preset]}`;
    },
  };
}
