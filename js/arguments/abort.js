/** AbortSignals: how one is read, and how one ends waiting. */
import { show, typeError } from './errors.js';

/** Waits for a promise, but rejects with the signal's reason as soon as the signal aborts. The work behind the promise
 * goes on then, and its result is dropped.
 * @type {<T>(promise: Promise<T>, signal: AbortSignal | undefined) => Promise<T>} */
export function abortable(promise, signal) {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    // A caller's iterator may give a thenable, which need not have `finally`.
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Reads an option that is an AbortSignal, of any realm, or omitted.
 * @type {(name: string, signal: unknown) => AbortSignal | undefined} */
export function readSignal(name, signal) {
  if (signal === undefined) return undefined;
  const isSignal = typeof signal === 'object' && signal !== null && 'aborted' in signal && 'throwIfAborted' in signal;
  if (!isSignal) typeError(`${name} must be an AbortSignal, got ${show(signal)}`);
  return /** @type {AbortSignal} */ (signal);
}
