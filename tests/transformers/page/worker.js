/** The tasks in a worker. */
import { runTasks } from './tasks.js';

globalThis.onmessage = async ({ data }) => globalThis.postMessage(await runTasks(data));
