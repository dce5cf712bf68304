/** Generated mistakes that no test can catch, by what `run.js` prints of them, and why. @type {Map<string, string>} */
export const survivors = new Map([]);
