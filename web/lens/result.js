/** The parts that all cards of operators have: a call, and its result in memory or its refusal. */
import { element, setChildren } from '../shared/elements.js';
import { strip, threads } from './cells.js';

/**
 * The tensor and the state of a card.
 * @typedef {object} Subject
 * @property {{ type: 'int32', dims: number[], data: Int32Array }} tensor its elements are their own addresses
 * @property {{ opset?: number }} options
 * @property {Record<string, any>} state
 * @property {(entries: Record<string, any>) => void} change sets entries of the state
 */

export const showList = (list) => `[${list.join(', ')}]`;
export const call = (source) => element('code', { class: 'call' }, source);
export const listOptions = (entries) =>
  entries.length ? `, { ${entries.map(([name, value]) => `${name}: ${value}`).join(', ')} }` : '';
export const opsetOf = ({ opset }) => (opset === undefined ? [] : [['opset', opset]]);

const refusal = ({ message }) => element('p', { class: 'problem', role: 'alert' }, message);

/**
 * An area that shows the latest result of work that may take a while, or its error.
 * @returns {[node: HTMLElement, show: (work: () => any) => Promise<void>]}
 */
export function resultArea() {
  const node = element('div', { class: 'result-area' });
  let latest = 0;
  return [
    node,
    async (work) => {
      const mine = ++latest;
      let content;
      try {
        content = await work();
      } catch (error) {
        content = [refusal(error)];
      }
      if (mine === latest) setChildren(node, content);
    },
  ];
}

/**
 * The source above the result, and threads from where each element was to where it is.
 * @param {string} title
 * @param {Subject['tensor']} tensor
 * @param {{ data: Int32Array }} result
 */
export function moves(title, tensor, result) {
  const [elements, size] = [[...result.data], tensor.data.length];
  return element(
    'div',
    { class: 'lens' },
    strip(`${title}: source memory`, [...tensor.data], size),
    threads(elements, size),
    strip(`${title}: result memory`, elements, size),
  );
}
