/** A model to float16: which weights to read first, and the passes. */
import { rangeError, show } from '../../arguments/index.js';
import { float16Bytes } from '../../engines/tensors/index.js';
import { dtypes } from '../../tensor/index.js';
import { freeNames } from '../model/scopes.js';
import { eachGraph, namesIn } from '../model/walk.js';
import { checkNodeNames } from '../read-choice.js';
import { ModelTypes } from '../types/infer-types.js';
import { classifyGraph } from './classify.js';
import { nameValues } from './name-values.js';
import { rewriteGraph } from './rewrite.js';
import { settleTypes } from './settle.js';

/** @import { Change, Model, Weight } from '../model/types.js' */
/** @import { Choice, ReportRow, Step, ReadPass } from '../types.js' */
/** @import { HalfPlan } from './types.js' */
/** @import { HalfScope } from './values.js' */

/** Numbers of a weight beyond float16, and those too small for it, as ReportRow has them.
 * @typedef {{ clipped: number, raised: number }} Counts */

/** Makes the step to float16, which first counts the numbers of all weights that float16 does not hold.
 * @type {(choice: Choice) => Step} */
export function float16Step(choice) {
  /** @type {Map<Weight, Counts>} */
  const counts = new Map();
  return {
    before: (model) => countBeyond(model, counts),
    apply: (model, report) => {
      checkKeptNames(choice, model);
      checkNodeNames(choice.float32, model);
      return { isChanged: convertGraphs(model, choice, counts, report), passes: [] };
    },
  };
}

/** Makes a pass over each float32 weight. `counts` gets an entry for each, which the pass fills.
 * @type {(model: Model, counts: Map<Weight, Counts>) => ReadPass[]} */
function countBeyond(model, counts) {
  const weights = Array.from(eachGraph(model.graph), ({ initializers }) => [...initializers.values()]).flat();
  return weights
    .filter(({ dtype }) => dtype === dtypes.float32)
    .map((weight) => {
      const sums = { clipped: 0, raised: 0 };
      counts.set(weight, sums);
      /** float16Bytes only counts, because it gets no memory to write to. @type {ReadPass['visit']} */
      const visit = (data) => {
        const { clipped, raised } = float16Bytes(data.length, /** @type {Float32Array} */ (data));
        sums.clipped += clipped;
        sums.raised += raised;
      };
      return { weight, visit };
    });
}

/** Refuses names in the option `keepIo` that no input or output of the model has.
 * @type {(choice: Choice, model: Model) => void} */
function checkKeptNames({ keepIo }, { graph }) {
  const ends = new Set([...graph.inputs, ...graph.outputs].map(({ name }) => name));
  const keptNames = typeof keepIo === 'boolean' ? [] : keepIo;
  for (const name of keptNames)
    if (!ends.has(name)) rangeError(`keepIo must name inputs and outputs of the model, got ${show(name)}`);
}

/** Converts all graphs by three passes. Returns whether any value became float16.
 * @type {(model: Model, choice: Choice, counts: ReadonlyMap<Weight, Counts>, report: ReportRow[]) => boolean} */
function convertGraphs(model, { keepIo, float32 }, counts, report) {
  /** @type {HalfPlan} */
  const plan = {
    model,
    float32,
    report,
    records: [],
    freeName: freeNames(namesIn(model.graph)),
    limitNames: new Map(),
    types: new ModelTypes(model),
    isKept: (name) => (typeof keepIo === 'boolean' ? keepIo : keepIo.has(name)),
    isHuge: (weight) => (counts.get(weight)?.clipped ?? 0) > 0,
    toHalf: (weight, name) => {
      report.push({ value: weight.name, from: 'float32', to: 'float16', ...counts.get(weight) });
      return halfWeight(weight, name);
    },
  };
  const scope = classifyGraph(plan, model.graph, undefined);
  settleTypes(plan);
  nameValues(plan, scope);
  const isChanged = isAnyHalf(scope);
  if (isChanged) rewriteGraph(plan, scope);
  return isChanged;
}

/** Makes a float16 weight whose numbers are computed from a float32 one when they are written.
 * @type {(weight: Weight, name: string) => Weight} */
const halfWeight = (weight, name) => ({
  name,
  dtype: dtypes.float16,
  dims: weight.dims,
  content: { kind: 'made', source: weight, change: writeHalves },
});

/** Writes float32 numbers as float16: those beyond its range become 65504 or -65504, and none becomes 0.
 * @type {Change} */
function writeHalves(source, data) {
  float16Bytes(source.length, /** @type {Float32Array} */ (source), /** @type {Uint16Array} */ (data));
}

/** Whether a value of a graph, or of a graph inside, exists as float16.
 * @type {(scope: HalfScope) => boolean} */
const isAnyHalf = ({ values, bodies }) =>
  [...values.values()].some(({ nameAs }) => nameAs.float16 !== undefined) ||
  [...bodies.values()].some((list) => list.some(isAnyHalf));
