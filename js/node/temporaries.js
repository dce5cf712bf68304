/** Says which temporary files are there. The command line listens, and deletes them when a signal ends it. */
import { channel } from 'node:diagnostics_channel';

const temporaries = channel('onnx-layout.temporary');

export const announceTemporary = (/** @type {string} */ path) =>
  temporaries.publish({ temporary: path, isThere: true });

/** A file that was deleted, or has its final name now. */
export const announceTemporaryGone = (/** @type {string} */ path) =>
  temporaries.publish({ temporary: path, isThere: false });
