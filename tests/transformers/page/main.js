/** The page: the tasks on its own thread, and in a worker. */
import { runTasks } from './tasks.js';

globalThis.runTasks = runTasks;

globalThis.runTasksInWorker = (addresses) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(addresses);
  });
