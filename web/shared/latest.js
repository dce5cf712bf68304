/** Work that is asked for more often than it can be done. No DOM. */

/**
 * Does work one piece at a time. Of the requests that come meanwhile, only the last one is done.
 * @param {() => Promise<void>} work
 * @returns {() => Promise<void>} asks for the work
 */
export function latestOnly(work) {
  let isBusy = false;
  let isWanted = false;
  return async () => {
    isWanted = true;
    if (isBusy) return;
    isBusy = true;
    while (isWanted) {
      isWanted = false;
      await work();
    }
    isBusy = false;
  };
}
