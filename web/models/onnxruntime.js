/** onnxruntime-web in the calling thread. It is loaded where it is asked for, because its wasm has 14 MB. */
import { InferenceSession, Tensor, env } from 'onnxruntime-web/wasm';

env.logLevel = 'fatal';
env.wasm.numThreads = 1;

export { Tensor };

/** @type {(model: Uint8Array) => Promise<InferenceSession>} */
export const openSession = (model) => InferenceSession.create(model, { logSeverityLevel: 4 });
