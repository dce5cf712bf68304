/** Runs the suite in the page, or with `?worker` in a module worker. */
const here = async () => (await import('./suite.mjs')).runTests();

const inWorker = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`worker: ${message}`));
  });

globalThis.report = location.search === '?worker' ? inWorker() : here();
