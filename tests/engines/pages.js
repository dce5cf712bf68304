/** The suite of what needs a page. */
import { runTests } from '@jest/globals';
import './drawables.js';
import './together.js';

globalThis.report = runTests();
