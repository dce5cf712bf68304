/** The options of the image panel: what the model wants. */
import { card, choice, element, row, select } from '../shared/elements.js';
import { oneOf, whole } from '../shared/state.js';
import { allFilters, backendOf, backends, libraries, pythonOf, resizingOf } from './resizing.js';

const layouts = ['NCHW', 'NHWC', 'CHW', 'HWC'];
const channelOrders = ['RGB', 'BGR', 'RGBA', 'L'];
const types = ['float32', 'float16', 'bfloat16', 'uint8', 'int8'];
const fits = ['cover', 'contain', 'fill', 'letterbox'];

/** The arithmetic of each preset, for a byte x. */
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
  return { ...resizingOf(state), layout, channels, dtype: type, preset: normalization };
}

/** A field for a number of pixels. */
function extentField(label, name, value, onChange) {
  const input = element('input', {
    type: 'number',
    min: '1',
    max: '4096',
    value,
    id: `image-${name}`,
    input: () => {
      const extent = optionFields[name].parse(input.value);
      input.setAttribute('aria-invalid', extent === undefined);
      if (extent !== undefined) onChange(extent);
    },
  });
  return element('label', { class: 'field' }, element('span', {}, label), input);
}

/** Controls of the backend and its filters; `show` shows those of the state. */
function backendControls(state, set) {
  const control = choice('Backend', backends, state.backend, set('backend'));
  const filters = element('div', {});
  let shown;
  const show = () => {
    const backend = backendOf(state);
    control.disabled = state.fit === 'letterbox';
    for (const input of control.querySelectorAll('input')) input.checked = input.value === backend;
    if (backend === shown) return;
    shown = backend;
    const isCanvas = backend === 'canvas';
    const known = isCanvas ? ['the browser’s own'] : libraries[backend].filters;
    const value = isCanvas ? known[0] : pythonOf(state).filter;
    filters.replaceChildren(select('Filter', known, value, set('filter'), { disabled: isCanvas }));
  };
  return { nodes: [control, filters], show };
}

/**
 * @param {Record<string, any>} state
 * @param {(name: string, value: any) => void} onChange
 * @returns {{ node: HTMLElement, showState: () => void }} `showState` shows the state's backend and its filters, and
 *   what its preset does
 */
export function optionsCard(state, onChange) {
  const set = (name) => (value) => onChange(name, value);
  const extent = (label, name) => extentField(label, name, state[name], set(name));
  const choiceOf = (label, options, name) => choice(label, options, state[name], set(name));
  const formula = element('p', { class: 'note' });
  const backend = backendControls(state, set);
  const node = card(
    'What the model wants',
    element(
      'div',
      { class: 'options' },
      row(extent('Width', 'width'), extent('Height', 'height'), choiceOf('Fit', fits, 'fit')),
      row(backend.nodes),
      row(choiceOf('Layout', layouts, 'layout'), choiceOf('Channels', channelOrders, 'channels')),
      row(select('Type', types, state.type, set('type')), choiceOf('Values', presets, 'preset')),
      formula,
    ),
  );
  const showState = () => {
    backend.show();
    formula.textContent = `Each byte x becomes ${formulas[state.preset]}`;
  };
  return { node, showState };
}
