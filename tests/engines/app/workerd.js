/** Runs the suite where compiling is forbidden: a condition of the package's `imports` gives the modules. */
import { runTests } from './suite.mjs';

export default {
  async fetch() {
    return Response.json(await runTests());
  },
};
