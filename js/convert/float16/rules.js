/** Which operators stay float32, and which follow a float32 input. The reasons stand in the README of this room. */

/** Sums overflow, or lose the small terms. */
const sums = [...['ReduceSum', 'ReduceL1', 'ReduceL2', 'ReduceSumSquare', 'ReduceProd', 'CumSum', 'CumProd']];

/** Nodes that compute in float32. The CPU has no float16 kernel for those that make random numbers and windows. */
export const float32Operators = new Set([
  ...sums,
  ...['ReduceMean', 'ReduceLogSum', 'ReduceLogSumExp', 'GlobalAveragePool', 'GlobalLpPool', 'LpNormalization'],
  ...['MeanVarianceNormalization', 'QuantizeLinear', 'DynamicQuantizeLinear', 'DFT', 'STFT', 'Bernoulli', 'EyeLike'],
  ...['RandomNormal', 'RandomUniform', 'RandomNormalLike', 'RandomUniformLike'],
  ...['BlackmanWindow', 'HammingWindow', 'HannWindow', 'MelWeightMatrix'],
]);

/** Elementwise and moving operators, which stay float32 where all inputs that change are. */
export const followers = new Set([
  ...sums,
  ...['Abs', 'Neg', 'Sign', 'Floor', 'Ceil', 'Round', 'Sqrt', 'Reciprocal', 'Exp', 'Log', 'Sin', 'Cos', 'Tan', 'Atan'],
  ...['Tanh', 'Sigmoid', 'Erf', 'Relu', 'Softplus', 'Add', 'Sub', 'Mul', 'Div', 'Mod', 'Pow', 'Sum', 'Mean', 'Min'],
  ...['Max', 'Clip', 'Where', 'Identity', 'Cast', 'Reshape', 'Flatten', 'Squeeze', 'Unsqueeze', 'Transpose', 'Expand'],
  ...['Tile', 'Slice', 'Split', 'Concat', 'Gather', 'GatherElements', 'GatherND', 'Pad', 'Trilu', 'Range'],
  ...['ReduceMax', 'ReduceMin'],
]);

/** These follow only from integers with small constants, as rotary embeddings do, or from float16 of the model. */
export const products = new Set(['MatMul', 'Gemm', 'Einsum']);

export const reductions = new Set([...sums, 'ReduceMean', 'ReduceLogSum', 'ReduceLogSumExp']);

/** A value joins the sum or the mean of itself here: x / norm. */
export const joins = new Set(['Sub', 'Div', 'Mul']);

/** These follow behind such a join. */
export const arithmetic = new Set([
  ...reductions,
  ...['Add', 'Sub', 'Mul', 'Div', 'Pow', 'Abs', 'Neg', 'Sqrt', 'Reciprocal', 'Exp', 'Log', 'Clip', 'Min', 'Max'],
  ...['Cast', 'Identity', 'ReduceMax', 'ReduceMin'],
]);

/** The place of a shape among the inputs, which may change from run to run though all else is constant. */
export const shapePlaces = new Map([
  ['Expand', 1],
  ['ConstantOfShape', 0],
  ['Reshape', 1],
  ['Tile', 1],
]);

/** These become float32 where float32 nodes alone use them: squares for a mean of squares. */
export const feeders = new Set(['Pow', 'Mul', 'Abs', 'Exp']);

/** Most elements of a constant that a product with float32 takes along. */
export const maxProductConstant = 4096;
/** Most elements of a weight that exists in both types where both are used. */
export const maxTwice = 256;
export const largestHalf = 65504;
