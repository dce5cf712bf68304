import { runTests } from './suite.mjs';

postMessage(await runTests());
