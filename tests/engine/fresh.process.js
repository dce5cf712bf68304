/**
 * Prints the outcomes of calls as JSON. With the index of a row, this process makes that call alone. Without one, it
 * makes all calls from the last to the first, then from the first to the last, of which it prints the outcomes.
 */
import { outcomeOf } from '../fuzz/painted.js';
import { rows } from '../fuzz/painted-calls.js';

const outcomeAt = (index) => {
  const [, options, call] = rows[index];
  return outcomeOf(() => call({ ...options }));
};
const all = [...rows.keys()];
const [, , index] = process.argv;
if (index === undefined) for (const each of all.toReversed()) outcomeAt(each);
console.log(JSON.stringify((index === undefined ? all : [Number(index)]).map(outcomeAt)));
