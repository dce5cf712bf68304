/** Why a node stays float32, as the report says it. */
export const reasons = Object.freeze({
  asked: 'asked for',
  function: 'a function of the model',
  unknown: 'an operator that is not known',
  cast: 'made of another type',
  sparse: 'a sparse constant',
  sum: 'sums and means need float32',
  follows: 'follows float32',
  joins: 'meets a sum or a mean',
  feeds: 'feeds float32',
});
