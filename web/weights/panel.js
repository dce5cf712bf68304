/** The weights panel: files of any size, the tree of their tensors, the values of one, and what can be made of them. */
import {
  card,
  choice,
  clearChoice,
  element,
  facts,
  problemLine,
  setProblem,
  row,
  twoColumns,
} from '../shared/elements.js';
import { fileDrop } from '../shared/file-drop.js';
import { flag, oneOf, text } from '../shared/state.js';
import { showBytes } from '../shared/number-text.js';
import { sharedWorker } from '../shared/workers.js';
import { ConvertCards, convertFields } from './convert-card.js';
import { mainOf, missing, sampleNames, mergedFiles } from './files.js';
import { TensorCard } from './tensor-card.js';
import { totalsOf } from './tree.js';
import { showChosen, treeView } from './tree-view.js';

export const fields = {
  sample: oneOf(sampleNames[0], sampleNames),
  tensor: text(''),
  log: flag(false),
  ...convertFields,
};

const counted = new Intl.NumberFormat('en');

/** The types of all tensors, as a table. */
const totalsTable = (rows) =>
  element(
    'table',
    { class: 'numbers', id: 'weights-totals' },
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ['Type', 'Tensors', 'Elements', 'Bytes'].map((title) => element('th', { scope: 'col' }, title)),
      ),
    ),
    element(
      'tbody',
      {},
      totalsOf(rows).map(({ type, tensors, elements, bytes }) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, type),
          [counted.format(tensors), counted.format(elements), showBytes(bytes)].map((cell) => element('td', {}, cell)),
        ),
      ),
    ),
  );

export function mount(root, state, save) {
  const panel = new WeightsPanel(state, save);
  root.append(panel.node);
  panel.openSample(state.sample);
  return panel.drop.setShown;
}

/** The facts about what is open. */
const aboutSource = ({ format, rows, nodes, opsets, metadata, files, byteLength }) =>
  facts({
    Format: format,
    Size: `${showBytes(byteLength)}${files > 1 ? ` in ${files} files` : ''}`,
    Tensors: counted.format(rows.length),
    ...(nodes !== undefined && { Nodes: counted.format(nodes) }),
    ...(opsets && { Opsets: opsets.map(([domain, version]) => `${domain} ${version}`.trim()).join(', ') }),
    ...Object.fromEntries((metadata ?? []).map(([key, value]) => [`metadata: ${key}`, value])),
  });

class WeightsPanel {
  #convert;
  #samples;
  #save;
  #state;
  #tensor;
  /** Counts openings, so that a slow one does not replace a later one. */
  #latest = 0;
  /** All files of what is open. @type {File[]} */
  #files = [];
  /** Whether the files that were chosen last need another one. */
  #isWaiting = false;
  #source;

  #about = element('div', { id: 'weights-about', class: 'stack' });
  #problem = problemLine('weights-problem');
  #totals = element('div', { class: 'scroll' });
  #tree = element('div', { class: 'tree-frame', role: 'region', 'aria-label': 'Tensors' });

  constructor(state, save) {
    this.#state = state;
    this.#save = save;
    this.#samples = choice('Sample', sampleNames, state.sample, (name) => {
      Object.assign(state, { sample: name, tensor: '' });
      save();
      this.openSample(name);
    });
    this.drop = fileDrop(
      {
        id: 'weights',
        label: 'Choose files of weights',
        hint: 'Drop files of weights',
        multiple: true,
        isWanted: () => true,
        onFiles: (files) => this.#openFiles(files),
      },
      this.#about,
    );
    this.#tensor = new TensorCard(state, save);
    this.#convert = new ConvertCards(state, save);
    this.node = twoColumns(
      [this.#filesCard(), card('Tensors', this.#totals, this.#tree)],
      [this.#tensor.node, this.#convert.nodes],
    );
  }

  #filesCard() {
    const note =
      'or drop .safetensors, .onnx or .npy of any size; shards with their model.safetensors.index.json; ' +
      'a model with its data files. They are read here and sent nowhere.';
    return card(
      'Weights',
      this.drop.node,
      this.#problem,
      this.#samples,
      row(this.drop.controls, element('span', { class: 'note' }, note)),
    );
  }

  openSample(name) {
    return this.#openBy(() => [[], sharedWorker().weights('openSample', name)]);
  }

  #openFiles(given) {
    return this.#openBy(() => {
      const all = mergedFiles(this.#files, given, this.#isWaiting);
      const found = mainOf(all);
      const names = given.map(({ name }) => name).join(', ');
      if (!found) throw new Error(`Choose a .safetensors, .onnx or .npy file, got ${names}.`);
      return [all, sharedWorker().weights('open', found.format, found.main, all)];
    });
  }

  /**
   * Opens something and shows it.
   * @param {() => [files: File[], opened: Promise<object>]} open
   */
  async #openBy(open) {
    const mine = ++this.#latest;
    let all = this.#files;
    try {
      const [given, opening] = open();
      all = given;
      const opened = await opening;
      if (mine !== this.#latest) return;
      [this.#files, this.#isWaiting] = [all, false];
      // A sample can be chosen again once another file is open.
      if (all.length > 0) clearChoice(this.#samples);
      this.#show(opened);
    } catch ({ name, message }) {
      if (mine !== this.#latest) return;
      if (name === missing) [this.#files, this.#isWaiting] = [all, true];
      setProblem(this.#problem, message);
    }
  }

  #show(opened) {
    const { format, name, rows, files, shards } = opened;
    setProblem(this.#problem);
    this.#source = { format, isSplit: files > 1, isJoined: shards > 1 };
    this.#about.replaceChildren(element('p', { class: 'headline' }, name), aboutSource(opened));
    this.#totals.replaceChildren(totalsTable(rows));
    const chosen = rows.find((row) => row.name === this.#state.tensor) ?? rows[0];
    this.#tree.replaceChildren(
      treeView(rows, chosen?.name, (chosenName) => {
        this.#state.tensor = chosenName;
        this.#save();
        this.#choose(rows.find((row) => row.name === chosenName));
      }),
    );
    showChosen(this.#tree);
    this.#choose(chosen);
  }

  #choose(row) {
    this.#tensor.show(row);
    this.#convert.show(this.#source, row);
  }
}
