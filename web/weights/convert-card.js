/** The card that writes files: what to make, how far it is, and the program that does the same. */
import { proxy } from 'comlink';
import { codeCard } from '../code-card.js';
import { download } from '../download.js';
import { card, checkbox, choice, element, select } from '../elements.js';
import { latestOnly } from '../image/latest.js';
import { flag, oneOf } from '../state.js';
import { showBytes } from '../throughput/statistics.js';
import { sharedWorker } from '../workers.js';
import { asStored, formatsOf, isFloat, targetTypes } from './cast.js';
import { codeFor } from './code.js';
import { mostDownloaded } from './files.js';
import { askPlaces, canStream } from './place.js';
import { duration, progressText } from './rate.js';
import { reportTable } from './report.js';

const actions = ['convert', 'quantize', 'dequantize'];
const allFormats = ['onnx', 'safetensors', 'npy'];
const bits = ['2', '4', '8'];
const blocks = ['16', '32', '64', '128', '256'];
const forms = ['matmulnbits', 'qdq'];

export const convertFields = {
  action: oneOf('convert', actions),
  to: oneOf('float16', targetTypes),
  format: oneOf('as the source', ['as the source', ...allFormats]),
  bits: oneOf('4', bits),
  block: oneOf('32', blocks),
  symmetric: flag(false),
  form: oneOf('matmulnbits', forms),
};

const limit = canStream
  ? ''
  : 'This browser cannot write to a file piece by piece. The result is put together first and then downloaded: ' +
    `at most ${showBytes(mostDownloaded)}.`;

const fileText = ({ name, byteLength }) => (byteLength === undefined ? name : `${name}, ${showBytes(byteLength)}`);

/** @param {Record<string, any>} state */
export function convertCards(state, save) {
  /** What is open, and the tensor that is chosen. */
  let source;
  let row;
  /** The files of the result, once they are known. @type {{ name: string, byteLength?: number }[] | undefined} */
  let planned;
  let isSaving = false;
  const controls = element('div', { class: 'options' });
  const code = codeCard('weights');
  const files = element('p', { class: 'note', id: 'weights-result' });
  const note = element('p', { class: 'note', id: 'weights-note' });
  const problem = element('p', { class: 'problem', role: 'alert', id: 'weights-save-problem', hidden: true });
  const bar = element('progress', { 'aria-label': 'Written', max: 1, value: 0, hidden: true });
  const progress = element('p', { class: 'status', id: 'weights-progress' });
  const status = element('p', { class: 'status', role: 'status', id: 'weights-saved' });
  const button = element('button', {
    class: 'primary',
    id: 'weights-save',
    click: () => (isSaving ? stop() : start()),
  });
  const report = element('div', { class: 'scroll', id: 'weights-report' });
  const node = card(
    'Convert and save',
    controls,
    element('div', {}, note, files),
    problem,
    element('div', { class: 'row' }, button, element('p', { class: 'note' }, limit)),
    element('div', {}, bar, progress, status, report),
  );

  const change = (name) => (value) => {
    state[name] = value;
    save();
    refresh();
  };

  const formatNow = () => {
    const possible = formatsOf(source.format);
    return possible.includes(state.format) ? state.format : possible[0];
  };

  /** What the worker is asked for. */
  const wanted = () => ({
    action: source.format === 'onnx' ? state.action : 'convert',
    to: row && formatNow() === 'npy' && !isFloat.test(row.type) ? asStored : state.to,
    format: formatNow(),
    tensor: row?.name ?? '',
    quantize: {
      bits: Number(state.bits),
      block: Number(state.block),
      symmetric: state.symmetric,
      form: state.form,
    },
  });

  const converting = element('div', { class: 'row' });
  const quantizing = element(
    'div',
    { class: 'row' },
    choice('Bits', bits, state.bits, change('bits')),
    choice('Form', forms, state.form, change('form')),
    select('Block', blocks, state.block, change('block'), { id: 'weights-block' }),
    checkbox('Symmetric', state.symmetric, change('symmetric')),
  );

  /** Builds what depends on the source's format. */
  function build() {
    converting.replaceChildren(
      choice('File', formatsOf(source.format), formatNow(), change('format')),
      select('Floats become', targetTypes, state.to, change('to'), { id: 'weights-to' }),
    );
    const doing = source.format === 'onnx' ? [choice('Do', actions, state.action, change('action'))] : [];
    controls.replaceChildren(...doing, converting, quantizing);
  }

  function refresh() {
    const asked = wanted();
    converting.hidden = asked.action !== 'convert';
    quantizing.hidden = asked.action !== 'quantize';
    note.textContent = noteFor(asked);
    setPlanned(undefined);
    update();
  }

  function setPlanned(now) {
    planned = now;
    button.disabled = !isSaving && !planned;
  }

  function noteFor({ action, format, to }) {
    if (action === 'quantize')
      return 'Constant weights of MatMul nodes get fewer bits, as onnxruntime’s own quantizer gives them.';
    if (action === 'dequantize') return 'Packed weights become plain ones again, but for what rounding lost.';
    if (format === 'npy' && source.format !== 'npy') return 'A .npy file holds one tensor: the one that is chosen.';
    if (format === 'onnx' && to !== asStored)
      return (
        'The initializers get the new type; the nodes stay. ' +
        'Where a node also takes an input of the old type, add a Cast yourself.'
      );
    return '';
  }

  /** Shows the files of the result, and the program. */
  const update = latestOnly(async () => {
    const asked = wanted();
    try {
      setPlanned(await sharedWorker().weights('plan', asked));
      setProblem();
      const place =
        canStream && planned.length > 1 ? '. Both go into a folder, where they replace files of their names.' : '';
      files.textContent = planned.map(fileText).join('; ') + place;
      code.show(codeFor(source, asked, planned));
      code.setOld(false);
    } catch ({ message }) {
      setProblem(message);
      files.textContent = '';
      code.setOld(true);
    }
  });

  function setProblem(message = '') {
    problem.textContent = message;
    problem.hidden = message === '';
  }

  function setSaving(isNow) {
    isSaving = isNow;
    bar.hidden = !isNow;
    bar.removeAttribute('value');
    progress.textContent = '';
    setPlanned(planned);
    button.textContent = isNow ? 'Cancel' : canStream ? 'Save as…' : 'Download';
  }

  async function start() {
    const asked = wanted();
    status.textContent = '';
    report.replaceChildren();
    setProblem();
    try {
      // Browsers ask for a place only soon after a click, so nothing else is waited for before.
      const places = await askPlaces(planned);
      setSaving(true);
      const begin = performance.now();
      let [phase, start] = ['', begin];
      const onProgress = proxy((what, done, total) => {
        if (!isSaving) return;
        if (what !== phase) [phase, start] = [what, performance.now()];
        bar.value = done / total;
        progress.textContent = `${what}: ${progressText(done, total, performance.now() - start)}`;
      });
      const result = await sharedWorker().weights('save', asked, places, onProgress);
      for (const { name, blob } of result.files) if (blob) download(blob, name);
      const size = result.files.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const names = result.files.map(({ name }) => name).join(' and ');
      status.textContent = `${names}: ${showBytes(size)} in ${duration(performance.now() - begin)}.`;
      if (result.report) report.replaceChildren(reportTable(result.report));
    } catch ({ name, message }) {
      if (name === 'AbortError') status.textContent = isSaving ? 'Cancelled. Nothing was written.' : '';
      else setProblem(message);
    } finally {
      setSaving(false);
    }
  }

  const stop = () => sharedWorker().weights('stopSaving');

  setSaving(false);
  return {
    nodes: [node, code.node],
    /** Shows what can be made of a source and of one of its tensors. */
    show(nextSource, nextRow) {
      const [isOther, hasOtherFormat] = [source !== nextSource, source?.format !== nextSource.format];
      source = nextSource;
      row = nextRow;
      if (hasOtherFormat) build();
      // Headers of thousands of tensors are not made again for another choice among them.
      if (isOther || formatNow() === 'npy') refresh();
    },
  };
}
