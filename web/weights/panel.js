/** The weights panel: files of any size, the tree of their tensors, the values of one, and what can be made of them. */
import { card, choice, element, facts } from '../elements.js';
import { fileDrop } from '../file-drop.js';
import { flag, oneOf, text } from '../state.js';
import { showBytes } from '../throughput/statistics.js';
import { sharedWorker } from '../workers.js';
import { convertCards, convertFields } from './convert-card.js';
import { mainOf, missing, sampleNames, together } from './files.js';
import { tensorCard } from './tensor-card.js';
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
  /** Counts openings, so that a slow one does not replace a later one. */
  let latest = 0;
  /** All files of what is open. @type {File[]} */
  let files = [];
  /** Whether the files that were chosen last need another one. */
  let isWaiting = false;
  let source;

  const about = element('div', { id: 'weights-about', class: 'stack' });
  const problem = element('p', { class: 'problem', role: 'alert', id: 'weights-problem', hidden: true });
  const totals = element('div', { class: 'scroll' });
  const tree = element('div', { class: 'tree-frame', role: 'region', 'aria-label': 'Tensors' });
  const drop = fileDrop(
    {
      id: 'weights',
      label: 'Choose files of weights',
      hint: 'Drop files of weights',
      multiple: true,
      isWanted: () => true,
      onFiles: openFiles,
    },
    about,
  );
  const samples = choice('Sample', sampleNames, state.sample, (name) => {
    Object.assign(state, { sample: name, tensor: '' });
    save();
    openSample(name);
  });
  const tensor = tensorCard(state, save);
  const convert = convertCards(state, save);

  root.append(
    element(
      'div',
      { class: 'two-columns' },
      element(
        'div',
        { class: 'stack' },
        card(
          'Weights',
          drop.node,
          problem,
          samples,
          element(
            'div',
            { class: 'row' },
            drop.controls,
            element(
              'span',
              { class: 'note' },
              'or drop .safetensors, .onnx or .npy of any size; shards with their model.safetensors.index.json; ' +
                'a model with its data files. They are read here and sent nowhere.',
            ),
          ),
        ),
        card('Tensors', totals, tree),
      ),
      element('div', { class: 'stack' }, tensor.node, convert.nodes),
    ),
  );
  openSample(state.sample);

  function openSample(name) {
    return openBy(() => [[], sharedWorker().weights('openSample', name)]);
  }

  function openFiles(given) {
    return openBy(() => {
      const all = together(files, given, isWaiting);
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
  async function openBy(open) {
    const mine = ++latest;
    let all = files;
    try {
      const [given, opening] = open();
      all = given;
      const opened = await opening;
      if (mine !== latest) return;
      [files, isWaiting] = [all, false];
      // A sample can be chosen again once another file is open.
      if (all.length > 0) for (const sample of samples.querySelectorAll('input')) sample.checked = false;
      show(opened);
    } catch ({ name, message }) {
      if (mine !== latest) return;
      if (name === missing) [files, isWaiting] = [all, true];
      problem.textContent = message;
      problem.hidden = false;
    }
  }

  function show({ format, name, rows, nodes, opsets, metadata, files: count, shards, byteLength }) {
    problem.hidden = true;
    source = { format, isSplit: count > 1, isJoined: shards > 1 };
    about.replaceChildren(
      element('p', { class: 'headline' }, name),
      facts({
        Format: format,
        Size: `${showBytes(byteLength)}${count > 1 ? ` in ${count} files` : ''}`,
        Tensors: counted.format(rows.length),
        ...(nodes !== undefined && { Nodes: counted.format(nodes) }),
        ...(opsets && { Opsets: opsets.map(([domain, version]) => `${domain} ${version}`.trim()).join(', ') }),
        ...Object.fromEntries((metadata ?? []).map(([key, value]) => [`metadata: ${key}`, value])),
      }),
    );
    const chosen = rows.find((row) => row.name === state.tensor) ?? rows[0];
    totals.replaceChildren(totalsTable(rows));
    tree.replaceChildren(
      treeView(rows, chosen?.name, (chosenName) => {
        state.tensor = chosenName;
        save();
        choose(rows.find((row) => row.name === chosenName));
      }),
    );
    showChosen(tree);
    choose(chosen);
  }

  function choose(row) {
    tensor.show(row);
    convert.show(source, row);
  }

  return drop.setShown;
}
