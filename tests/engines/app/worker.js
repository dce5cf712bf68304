import { runTests } from './suite.mjs';

runTests().then((report) => postMessage(report));
