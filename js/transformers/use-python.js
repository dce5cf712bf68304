/** Python's inputs and results inside transformers.js. */
import * as args from '../arguments/index.js';
import { linkModel, patchObject, patchProcessor } from './apply.js';
import { installPatches } from './loading.js';
import { readModule, readPythonOptions, warnOfVersion } from './options.js';
import { PatchedObjects } from './patches.js';
import { processorByFiles } from './processor-files.js';

/** @import { PatchContext } from './apply.js' */
/** @import { Patchable, Python, ReportRow, TransformersModule, UsePythonOptions } from './types.js' */

/** Gives a pipeline for which transformers.js found no processor the one that the files of the model `id` name, with
 * Python's numbers.
 * @type {(context: PatchContext, pipe: Patchable, id: unknown) => Promise<void>} */
async function addProcessor(context, pipe, id) {
  if (typeof id !== 'string')
    args.typeError(`model must be the id of a pipeline without a processor, got ${args.show(id)}`);
  const processor = await processorByFiles(context, id, {}, pipe.tokenizer);
  if (!processor) args.rangeError(`model must have files of a processor, got ${args.show(id)}`);
  await patchProcessor(context, processor);
  linkModel(context, processor, pipe.model);
  context.patched.patch(pipe, { processor });
}

/** Tells whether a pipeline of pictures or sounds, by its task, has no processor.
 * @type {(pipe: Patchable) => boolean} */
const lacksProcessor = (pipe) => /image|object|depth|audio|speech|background/.test(pipe?.task ?? '') && !pipe.processor;

/**
 * Gives transformers.js the inputs and results that transformers has in Python. Its objects stay: `config`,
 * `instanceof`, chat templates and the expansion of prompts are theirs, and results are its `Tensor`s in its own forms.
 * Only what computes pixels, features and results is replaced.
 *
 * - `await use(object)` gives a pipeline, a Processor, an image or video processor or a feature extractor Python's
 *   numbers. A processor on its own takes the model that its outputs go to beside it, whose sessions say types and
 *   sizes. A pipeline for which transformers.js found no `preprocessor_config.json` takes the id of its model.
 * - `install()` does so for all that is loaded from then on, and loads classes that transformers.js lacks.
 *   `uninstall()` puts everything back, objects too.
 * - `report()` says what is computed by whom. Classes that Python lacks, and files that it refuses, stay those of
 *   transformers.js.
 * - `await compare(pipe, ...input)` runs a pipeline or processor by transformers.js alone and with Python's numbers.
 * - `decode` reads files of pictures: `readImage` of `onnx-layout/node`. In a page, leave it out. `backend` is that of
 *   {@link imageProcessor}.
 * @param {TransformersModule} hf the module `@huggingface/transformers`
 * @param {UsePythonOptions} [options]
 * @returns {Python}
 * @example
 * const python = usePython(hf); // import * as hf from '@huggingface/transformers'
 * const processor = new hf.ViTImageProcessor({ image_processor_type: 'ViTImageProcessor' });
 * await python.use(processor);
 * python.report()[0].by; // 'python'
 */
export function usePython(hf, options) {
  return args.named('usePython', () => {
    /** @type {Map<string, ReportRow>} */
    const rows = new Map();
    const patched = new PatchedObjects();
    /** @type {PatchContext} */
    const context = {
      ...readPythonOptions(options),
      hf: readModule(hf),
      sessions: new WeakMap(),
      // Each row is reported once.
      note: (row) => void rows.set(JSON.stringify(row), row),
      patched,
    };
    warnOfVersion(hf);
    return {
      /** Gives an object Python's numbers, and gives it back. `model`: the model that takes its outputs; or the id of a
       * pipeline's model, by which a processor that it lacks is made. */
      use: (object, model) =>
        args.namedAsync('use', async () => {
          if (lacksProcessor(object)) await addProcessor(context, object, model);
          const isId = typeof model === 'string';
          await patchObject(context, object, isId ? undefined : model);
          return object;
        }),
      install: () => installPatches(context),
      uninstall: () => patched.restoreAll(),
      report: () => [...rows.values()].map((row) => ({ ...row })),
      /** Calls a pipeline or Processor with `input` twice, by transformers.js alone and with Python's numbers, and
       * compares the tensors that each call makes for the model. */
      compare: (object, ...input) =>
        args.namedAsync('compare', async () => {
          const { compareCalls } = await import('./compare.js');
          return compareCalls(context, object, input, { isOfSounds: takesSounds(object) });
        }),
    };
  });
}

/** Tells whether the input of a pipeline or Processor is sounds.
 * @type {(object: Patchable) => boolean} */
function takesSounds(object) {
  const processor = object?.processor ?? object;
  return Boolean(processor?.components?.feature_extractor) || /audio|speech/.test(object?.task ?? '');
}
