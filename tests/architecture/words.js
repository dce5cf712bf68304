/**
 * The words that CONTRIBUTING.md rules out: names, spelling and sentences. The linter looks for them in JavaScript,
 * words.test.js in everything else.
 */

/**
 * Names that say too little, and the better ones.
 * @type {Map<string, string>}
 */
export const names = new Map([
  ['Parts', 'CheckedTensor'],
  ['Whole', 'Int64'],
  ['Known', 'TensorInfo'],
  ['Extent', 'Dim'],
  ['isOpen', 'isUnknown'],
  ['Composed', 'LazyTensor'],
  ['mostPlans', 'maxPlans'],
  ['leastRun', 'minRun'],
  ['checkRoom', 'checkLength'],
  ['wrongKind', 'typeError'],
  ['wrongValue', 'rangeError'],
  ['Laid', 'StagedLayout'],
  ['layIn', 'sourceLayout'],
  ['layOut', 'destinationLayout'],
  ['Held', 'MemorySource'],
  ['Stored', 'FileSource'],
  ['Saved', 'FileWriter'],
  ['Turn', 'Transpose'],
  ['Doubt', 'RefineCheck'],
  ['told', 'reportStep'],
  ['teller', 'stepListener'],
  ['settled', 'rendered'],
]);

/** British spelling of the words that the code uses. */
export const british =
  /colour|grey|centre|neighbour|behaviour|(?:normal|quant|optim|initial|serial|organ|recogn)is(?:e|ing)/i;

/** Sentences that hide their subject, and words for the code that nobody else uses. */
const riddles = /(?:^|[.:] )What [^?]*?(?:[.:]|$)|\bthe house\b|\bdoor plates?\b/;

/**
 * @param {string} name an identifier, or the name of a file
 * @returns {string | undefined} what is wrong with it
 */
export function faultOfName(name) {
  if (names.has(name)) return `write ${names.get(name)} instead of ${name}`;
  const [word] = british.exec(name) ?? [];
  return word && `write American English instead of ${word}`;
}

/**
 * @param {string} comment or a document
 * @returns {string | undefined} what is wrong with its sentences
 */
export function faultOfProse(comment) {
  const text = comment.replace(/^[\s*/#>-]+/gm, '').replaceAll('\n', ' ');
  const [word] = british.exec(text) ?? [];
  if (word) return `write American English instead of ${word}`;
  const [riddle] = riddles.exec(text) ?? [];
  return riddle && `write plain English instead of '${riddle.trim()}'`;
}

/**
 * Reports wrong words.
 * @type {import('eslint').Rule.RuleModule}
 */
export const wordsRule = {
  create: (context) => ({
    Program({ tokens = [], comments = [] }) {
      const names = tokens.filter(({ type }) => /^(Private)?Identifier$/.test(type));
      const faults = [
        ...names.map(({ loc, value }) => ({ loc, message: faultOfName(value) })),
        ...comments.map(({ loc, value }) => ({ loc, message: faultOfProse(value) })),
      ];
      for (const { loc, message } of faults) if (loc && message) context.report({ loc, message });
    },
  }),
};
