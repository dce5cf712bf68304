/** Generated mistakes that no test can catch, by what `run.js` prints of them, and why. @type {Map<string, string>} */
export const survivors = new Map([
  [
    'js/arguments/nearest.js: const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]; -> ' +
      'const swapped = i >= 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];',
    'there is no letter at -1, and undefined is no letter',
  ],
  [
    'js/arguments/lists.js: let plain = true; -> let plain = false;',
    'wholes() gives plain entries as they are, in more time',
  ],
]);
