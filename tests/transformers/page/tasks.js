/** Two pipelines of transformers.js with Python's numbers, in a page or a worker that Vite has built and minified. */
import * as hf from '@huggingface/transformers';
import { usePython } from 'onnx-layout/transformers';
import { boxList, pairs } from '../answers.js';

/** The answers about a picture, and by whom they were computed. Models and onnxruntime's wasm come from this server. */
export async function runTasks({ models, runtime, picture }) {
  Object.assign(hf.env, { localModelPath: models, allowLocalModels: true, allowRemoteModels: false });
  Object.assign(hf.env.backends.onnx.wasm, { wasmPaths: runtime, numThreads: 1 });
  const options = { dtype: 'fp32', device: 'wasm' };
  const python = usePython(hf);
  python.install();
  const classify = await hf.pipeline('image-classification', 'vit', options);
  const classes = pairs(await classify(picture, { top_k: 3 }));
  const detect = await hf.pipeline('object-detection', 'detr', options);
  const boxes = boxList(await detect(picture, { threshold: 0.9 }));
  return { classes, boxes: boxes.slice(0, 20), count: boxes.length, report: python.report() };
}
