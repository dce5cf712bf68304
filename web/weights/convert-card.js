/** The card that writes files: what to make, how far it is, and the program that does the same. */
import { proxy } from 'comlink';
import { codeCard } from '../shared/code-card.js';
import { download } from '../shared/download.js';
import { card, checkbox, choice, element, note, problemLine, setProblem, row, select } from '../shared/elements.js';
import { latestOnly } from '../shared/latest.js';
import { flag, oneOf } from '../shared/state.js';
import { showBytes } from '../shared/number-text.js';
import { sharedWorker } from '../shared/workers.js';
import { asStored, formatsOf, isFloat, targetTypes } from './cast.js';
import { codeFor } from './code.js';
import { mostDownloaded } from './files.js';
import { askPlaces, canStream } from './place.js';
import { duration, progressText } from './rate.js';
import { conversionTable, reportTable } from './report.js';

const actions = ['convert', 'model', 'quantize', 'dequantize'];
const dtypes = ['fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'q2', 'q2f16', 'bnb4'];
const allFormats = ['onnx', 'safetensors', 'npy'];
const bits = ['2', '4', '8'];
const blocks = ['16', '32', '64', '128', '256'];
const forms = ['matmulnbits', 'qdq'];

export const convertFields = {
  action: oneOf('convert', actions),
  to: oneOf('float16', targetTypes),
  dtype: oneOf('fp16', dtypes),
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

/** A sentence about the result: its values, or what the user has to do beside it. */
function noteFor(source, { action, format, to }) {
  if (action === 'model')
    return (
      'The whole model gets the number types that transformers.js calls so: weights, nodes and the graphs inside ' +
      'of them. Inputs and outputs stay float32.'
    );
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

/** The cards that say how a source or one of its tensors is converted. */
export class ConvertCards {
  #quantizing;
  #whole;
  #save;
  #state;
  /** The open files, and the chosen tensor. */
  #source;
  #row;
  /** The files of the result, once they are known. @type {{ name: string, byteLength?: number }[] | undefined} */
  #planned;
  #isSaving = false;
  #update = latestOnly(() => this.#plan());

  #controls = element('div', { class: 'options' });
  #converting = row();
  #code = codeCard('weights');
  #files = element('p', { class: 'note', id: 'weights-result' });
  #note = element('p', { class: 'note', id: 'weights-note' });
  #problem = problemLine('weights-save-problem');
  #bar = element('progress', { 'aria-label': 'Written', max: 1, value: 0, hidden: true });
  #progress = element('p', { class: 'status', id: 'weights-progress' });
  #status = element('p', { class: 'status', role: 'status', id: 'weights-saved' });
  #report = element('div', { class: 'scroll', id: 'weights-report' });
  #button = element('button', {
    class: 'primary',
    id: 'weights-save',
    click: () => (this.#isSaving ? sharedWorker().weights('stopSaving') : this.#start()),
  });

  constructor(state, save) {
    this.#state = state;
    this.#save = save;
    this.#quantizing = row(
      this.#choice('Bits', bits, 'bits'),
      this.#choice('Form', forms, 'form'),
      select('Block', blocks, state.block, this.#change('block'), { id: 'weights-block' }),
      checkbox('Symmetric', state.symmetric, this.#change('symmetric')),
    );
    this.#whole = row(select('To', dtypes, state.dtype, this.#change('dtype'), { id: 'weights-dtype' }));
    const saving = card(
      'Convert and save',
      this.#controls,
      element('div', {}, this.#note, this.#files),
      this.#problem,
      row(this.#button, note(limit)),
      element('div', {}, this.#bar, this.#progress, this.#status, this.#report),
    );
    this.nodes = [saving, this.#code.node];
    this.#setSaving(false);
  }

  /** Shows what can be made of a source and of one of its tensors. */
  show(source, row) {
    const [isOther, hasOtherFormat] = [this.#source !== source, this.#source?.format !== source.format];
    this.#source = source;
    this.#row = row;
    if (hasOtherFormat) this.#build();
    // Headers of thousands of tensors are not made again for another choice among them.
    if (isOther || this.#format() === 'npy') this.#refresh();
  }

  #change(name) {
    return (value) => {
      this.#state[name] = value;
      this.#save();
      this.#refresh();
    };
  }

  #choice(label, options, name, value = this.#state[name]) {
    return choice(label, options, value, this.#change(name));
  }

  #format() {
    const possible = formatsOf(this.#source.format);
    return possible.includes(this.#state.format) ? this.#state.format : possible[0];
  }

  /** The request to the worker. */
  #wanted() {
    const { action, to, dtype, bits: width, block, symmetric, form } = this.#state;
    const format = this.#format();
    return {
      action: this.#source.format === 'onnx' ? action : 'convert',
      to: this.#row && format === 'npy' && !isFloat.test(this.#row.type) ? asStored : to,
      format,
      tensor: this.#row?.name ?? '',
      dtype,
      quantize: { bits: Number(width), blockSize: Number(block), symmetric, form },
    };
  }

  /** Builds the controls that depend on the source's format. */
  #build() {
    const { format } = this.#source;
    this.#converting.replaceChildren(
      this.#choice('File', formatsOf(format), 'format', this.#format()),
      select('Floats become', targetTypes, this.#state.to, this.#change('to'), { id: 'weights-to' }),
    );
    const doing = format === 'onnx' ? [this.#choice('Do', actions, 'action')] : [];
    this.#controls.replaceChildren(...doing, this.#converting, this.#whole, this.#quantizing);
  }

  #refresh() {
    const wanted = this.#wanted();
    this.#converting.hidden = wanted.action !== 'convert';
    this.#whole.hidden = wanted.action !== 'model';
    this.#quantizing.hidden = wanted.action !== 'quantize';
    this.#note.textContent = noteFor(this.#source, wanted);
    this.#setPlanned(undefined);
    this.#update();
  }

  #setPlanned(planned) {
    this.#planned = planned;
    this.#button.disabled = !this.#isSaving && !planned;
  }

  /** Shows the files of the result, and the program. */
  async #plan() {
    const wanted = this.#wanted();
    try {
      const planned = await sharedWorker().weights('plan', wanted);
      this.#setPlanned(planned);
      setProblem(this.#problem);
      const place =
        canStream && planned.length > 1 ? '. Both go into a folder, where they replace files of their names.' : '';
      this.#files.textContent = planned.map(fileText).join('; ') + place;
      this.#code.show(codeFor(this.#source, wanted, planned));
      this.#code.setOld(false);
    } catch ({ message }) {
      setProblem(this.#problem, message);
      this.#files.textContent = '';
      this.#code.setOld(true);
    }
  }

  #setSaving(isNow) {
    this.#isSaving = isNow;
    this.#bar.hidden = !isNow;
    this.#bar.removeAttribute('value');
    this.#progress.textContent = '';
    this.#setPlanned(this.#planned);
    this.#button.textContent = isNow ? 'Cancel' : canStream ? 'Save as…' : 'Download';
  }

  async #start() {
    const wanted = this.#wanted();
    this.#status.textContent = '';
    this.#report.replaceChildren();
    setProblem(this.#problem);
    try {
      // Browsers ask for a place only soon after a click, so nothing else is waited for before.
      const places = await askPlaces(this.#planned);
      this.#setSaving(true);
      const start = performance.now();
      const result = await sharedWorker().weights('save', wanted, places, this.#onProgress(start));
      this.#showSaved(result, performance.now() - start);
    } catch ({ name, message }) {
      if (name === 'AbortError') this.#status.textContent = this.#isSaving ? 'Cancelled. Nothing was written.' : '';
      else setProblem(this.#problem, message);
    } finally {
      this.#setSaving(false);
    }
  }

  #onProgress(begin) {
    let [phase, start] = ['', begin];
    return proxy((name, done, total) => {
      if (!this.#isSaving) return;
      if (name !== phase) [phase, start] = [name, performance.now()];
      this.#bar.value = done / total;
      this.#progress.textContent = `${name}: ${progressText(done, total, performance.now() - start)}`;
    });
  }

  #showSaved({ files, report }, ms) {
    for (const { name, blob } of files) if (blob) download(blob, name);
    const size = files.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const names = files.map(({ name }) => name).join(' and ');
    this.#status.textContent = `${names}: ${showBytes(size)} in ${duration(ms)}.`;
    const table = this.#wanted().action === 'model' ? conversionTable : reportTable;
    if (report) this.#report.replaceChildren(table(report));
  }
}
