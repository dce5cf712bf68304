/** The threads that move bytes. The panel that measures has one of its own, so that nothing else runs in it. */
import { wrap } from 'comlink';

/** @returns {import('comlink').Remote<typeof import('../worker.js').tasks>} */
export const startWorker = () => wrap(new Worker(new URL('../worker.js', import.meta.url), { type: 'module' }));

let shared;

/** The worker that the other panels share. */
export const sharedWorker = () => (shared ??= startWorker());
