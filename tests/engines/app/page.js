/** Runs the operators' suite in the page, with `?worker` in a module worker; with `?drawables` the one of pictures. */
const inWorker = () => new Promise((resolve, reject) => {
  const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(`worker: ${message}`));
});

const here = async () => (location.search === '?drawables' ? await import('./drawables.mjs') : await import('./suite.mjs')).runTests();

globalThis.report = location.search === '?worker' ? inWorker() : here();
