/** The steps of each dtype. */
import { bnb4Step } from './bnb4/convert-bnb4.js';
import { eightBitStep } from './eight-bits/quantize-model.js';
import { matrixStep } from './nbits/pack-matrices.js';
import { float16Step } from './float16/convert-float16.js';

/** @import { Choice, Step } from './types.js' */

/** @type {Record<string, (choice: Choice) => Step[]>} */
const makers = {
  fp16: (choice) => [float16Step(choice)],
  q8: (choice) => [eightBitStep(choice)],
  int8: (choice) => [eightBitStep(choice)],
  uint8: (choice) => [eightBitStep(choice)],
  bnb4: (choice) => [bnb4Step(choice)],
  q4: (choice) => [matrixStep(choice, 4)],
  q4f16: (choice) => [matrixStep(choice, 4), float16Step(choice)],
  q2: (choice) => [matrixStep(choice, 2)],
  q2f16: (choice) => [matrixStep(choice, 2), float16Step(choice)],
};

/** @type {(choice: Choice) => Step[]} */
export const stepsOf = (choice) => makers[choice.dtype](choice);
