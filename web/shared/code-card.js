/** The card with a program, which can be copied. */
import { element, scrolled, titled } from './elements.js';

/**
 * @param {string} panel begins the ids
 * @returns {{ node: HTMLElement, show: (program: string) => void, setOld: (isOld: boolean) => void }} `setOld` fades
 *   a program that is not the one that was asked for
 */
export function codeCard(panel) {
  const code = scrolled('Code', `${panel}-code`, 'code');
  const copy = element('button', { id: `${panel}-copy`, click: copyCode }, 'Copy');

  async function copyCode() {
    try {
      await navigator.clipboard.writeText(code.textContent);
      copy.textContent = 'Copied';
    } catch {
      // Without permission or https, the user can still copy the selection.
      getSelection().selectAllChildren(code);
      copy.textContent = 'Selected';
    }
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 1500);
  }

  return {
    node: titled('The same in your program', copy, code),
    show(program) {
      code.textContent = program;
    },
    setOld(isOld) {
      code.classList.toggle('old', isOld);
      copy.disabled = isOld;
    },
  };
}
