/** Runs the suite in a runtime that has a console. */
import { runTests } from './suite.mjs';

console.log(JSON.stringify(await runTests()));
