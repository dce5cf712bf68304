/** The steps of each dtype. */
import { float16Step } from './float16/convert-float16.js';

/** @import { Choice, Step } from './types.js' */

/** @type {Record<string, (choice: Choice) => Step[]>} */
const steps = {
  fp16: (choice) => [float16Step(choice)],
};

/** @type {(choice: Choice) => Step[]} */
export const stepsOf = (choice) => steps[choice.dtype](choice);
