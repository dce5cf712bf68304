/** Runs the suite where compiling is forbidden: the module is handed in. */
import { init } from 'onnx-layout';
import wasm from 'onnx-layout/layout.wasm';
import { runTests } from './suite.mjs';

export default {
  async fetch() {
    await init({ wasm });
    return Response.json(await runTests());
  },
};
