/** Signals: how one is read, and waiting that one ends. */
import { show, typeError } from './errors.js';

/** Waits for a promise, or rejects with the signal's reason. The work itself goes on after the signal, and its result
 * is dropped.
 * @type {<T>(promise: Promise<T>, signal: AbortSignal | undefined) => Promise<T>} */
export function abortable(promise, signal) {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Reads an AbortSignal, which may be omitted.
 * @type {(name: string, signal: unknown) => AbortSignal | undefined} */
export function readSignal(name, signal) {
  if (signal === undefined) return undefined;
  const isSignal = typeof signal === 'object' && signal !== null && 'aborted' in signal && 'throwIfAborted' in signal;
  if (!isSignal) typeError(`${name} must be an AbortSignal, got ${show(signal)}`);
  return /** @type {AbortSignal} */ (signal);
}
