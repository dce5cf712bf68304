/** A model to weights of 8 bits and activations that are quantized while it runs. */
import { rangeError } from '../../arguments/index.js';
import { dropUnused, importMicrosoft, liftConstants } from '../model/edit.js';
import { freeNames } from '../model/scopes.js';
import { eachNode, namesIn } from '../model/walk.js';
import { ModelTypes } from '../types/infer-types.js';
import { checkNodeNames } from '../read-choice.js';
import { QuantizedGraph } from './quantize-graph.js';

/** @import { Model } from '../model/types.js' */
/** @import { Choice, Step } from '../types.js' */
/** @import { Kind } from './eight-bit-weights.js' */
/** @import { EightBitPlan } from './types.js' */

/** The first opset with DynamicQuantizeLinear. */
const minOpset = 11;
/** With one of these operators q8 means uint8 weights, as in transformers.js' models. */
const unsignedOperators = new Set(['Conv', 'GroupQueryAttention', 'MultiHeadAttention']);

/** The type of a model's weights for a dtype of transformers.js: that of q8 depends on the model's operators.
 * @type {(dtype: string, model: Model) => Kind} */
function kindOf(dtype, { graph }) {
  if (dtype !== 'q8') return dtype === 'uint8' ? 'uint8' : 'int8';
  for (const { operator } of eachNode(graph)) if (unsignedOperators.has(operator)) return 'uint8';
  return 'int8';
}

/** The step that quantizes weights to 8 bits, and adds nodes that quantize activations while the model runs.
 * @type {(choice: Choice) => Step} */
export const eightBitStep = ({ dtype, perChannel, reduceRange, subgraphs, float32 }) => ({
  /** The passes that it gives fill the scales, which the graph has already. */
  apply(model, report) {
    const opset = model.opsets.get('') ?? 0;
    if (opset < minOpset)
      rangeError(`model must import opset ${minOpset} or a newer one for ${dtype}, got opset ${opset}`);
    checkNodeNames(float32, model);
    liftConstants(model);
    const kind = kindOf(dtype, model);
    /** @type {EightBitPlan} */
    const plan = {
      kind,
      float32,
      report,
      passes: [],
      types: new ModelTypes(model),
      isPerChannel: perChannel,
      isReduced: reduceRange,
      isDeep: subgraphs,
      freeName: freeNames(namesIn(model.graph)),
    };
    new QuantizedGraph(model.graph, plan, undefined).run();
    dropUnused(model.graph);
    importMicrosoft(model);
    // Gemms and Constants are replaced even where no weight is quantized.
    return { isChanged: true, passes: plan.passes };
  },
});
