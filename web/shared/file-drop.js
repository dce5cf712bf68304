/** A place for files, which are chosen, dropped or pasted. */
import { element } from './elements.js';

/**
 * @typedef {object} FileDrop
 * @property {HTMLElement} node shows what was chosen, and a hint while files are dragged over the page
 * @property {HTMLElement[]} controls the button that chooses, and its input
 * @property {(isShown: boolean) => void} setShown says whether what is dropped or pasted is meant for this place
 */

/**
 * Takes files that are dropped or pasted anywhere on the page. Otherwise a file that misses the place would replace the
 * page.
 * @param {object} options
 * @param {string} options.id of the button and the input, before `-choose` and `-file`
 * @param {string} [options.accept] of the input
 * @param {string} options.label of the input
 * @param {string} options.hint while files are dragged
 * @param {boolean} [options.multiple] whether several files belong together
 * @param {(file: File) => boolean} options.isWanted
 * @param {(files: File[]) => void} options.onFiles gets at least one; exactly one without `multiple`
 * @param {...Node} children of the node
 * @returns {FileDrop}
 */
export function fileDrop({ id, accept, label, hint, multiple = false, isWanted, onFiles }, ...children) {
  let isShown = true;
  const node = element('div', { class: 'drop' }, ...children, element('p', { class: 'drop-hint' }, hint));
  const take = (files) => {
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
  };
  const input = element('input', {
    type: 'file',
    accept,
    multiple,
    class: 'visually-hidden',
    tabindex: '-1',
    id: `${id}-file`,
    'aria-label': label,
    change: () => {
      take([...input.files]);
      input.value = '';
    },
  });
  const text = `Choose ${multiple ? 'files' : 'a file'}`;
  const choose = element('button', { id: `${id}-choose`, click: () => input.click() }, text);
  listen(node, (transfer) => {
    if (isShown) take([...(transfer?.files ?? [])].filter(isWanted));
  });
  return {
    node,
    controls: [choose, input],
    setShown: (nowShown) => {
      isShown = nowShown;
    },
  };
}

/**
 * @param {HTMLElement} node shows that files are dragged over the page
 * @param {(transfer: DataTransfer | null) => void} take gets what is dropped or pasted
 */
function listen(node, take) {
  const setOver = (isOver) => node.classList.toggle('is-target', isOver);
  const over = (event) => {
    event.preventDefault();
    setOver(true);
  };
  document.addEventListener('dragenter', over);
  document.addEventListener('dragover', over);
  document.addEventListener('dragleave', ({ relatedTarget }) => setOver(relatedTarget !== null));
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer);
  });
  document.addEventListener('paste', ({ clipboardData }) => take(clipboardData));
}
