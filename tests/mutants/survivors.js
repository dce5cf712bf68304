/** Generated mistakes that no test can catch, by what `run.js` prints of them, and why. @type {Map<string, string>} */
export const survivors = new Map([
  [
    'js/arguments/nearest.js: const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]; -> ' +
      'const swapped = i >= 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];',
    'there is no letter at -1, and undefined is no letter',
  ],
  [
    'js/arguments/lists.js: let allSafe = true; -> let allSafe = false;',
    'readInt64s() gives safe entries as they are, in more time',
  ],
  [
    'js/postprocess/operators.js: const isUnlimited = score === -Infinity; -> ' +
      'const isUnlimited = score === (Infinity);',
    'both give the order of all scores, in another time',
  ],
  [
    'js/image/sources/frame-pixels.js: const mostRounds = 3; -> const mostRounds = 4;',
    'one picture more is read in both ways, before the faster one is known',
  ],
]);
