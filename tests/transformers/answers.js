/** Answers of pipelines as their goldens have them. Pages import it too. */

/** Whether an answer is Python's: numbers within a share of themselves.
 * @type {(answer: any, expected: any, tolerance?: number) => boolean} */
export function isNear(answer, expected, tolerance = 2e-6) {
  if (typeof expected === 'number' && typeof answer === 'number')
    return Math.abs(answer - expected) <= tolerance * Math.max(1e-3, Math.abs(expected));
  if (!Array.isArray(expected)) return answer === expected;
  return (
    Array.isArray(answer) &&
    answer.length === expected.length &&
    expected.every((value, i) => isNear(answer[i], value, tolerance))
  );
}

/** Labels with their scores. */
export const pairs = (answers) => answers.map(({ label, score }) => [label, score]);

/** Labels, scores and boxes, the surest first. */
export const boxList = (answers) =>
  answers
    .map(({ label, score, box: { xmin, ymin, xmax, ymax } }) => [label, score, [xmin, ymin, xmax, ymax]])
    .toSorted(([, a], [, b]) => b - a);
