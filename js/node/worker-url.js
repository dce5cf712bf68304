/** Where the thread of `preprocessFiles` lies. `dist/cli.js` imports this file as it is, not joined. */
export const workerUrl = new URL('../../dist/preprocess-worker.js', import.meta.url);
