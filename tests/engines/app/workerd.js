/** Runs the suite where compiling is forbidden: the module is handed in. */
import { init } from 'onnx-layout/image';
import * as audio from 'onnx-layout/audio';
import audioWasm from 'onnx-layout/audio.wasm';
import wasm from 'onnx-layout/image.wasm';
import * as postprocess from 'onnx-layout/postprocess';
import postprocessWasm from 'onnx-layout/postprocess.wasm';
import { runTests } from './suite.mjs';

export default {
  async fetch() {
    await Promise.all([init({ wasm }), audio.init({ wasm: audioWasm }), postprocess.init({ wasm: postprocessWasm })]);
    return Response.json(await runTests());
  },
};
