/** Memory that the results of one call may take: a file of a few bytes can ask for terabytes. */
import { rangeError, show, typeError } from '../arguments/index.js';

/** 1 GiB. */
export const maxBytesByDefault = 2 ** 30;

/** A count of bytes down from `maxBytes`. */
export class Budget {
  /** @param {unknown} [maxBytes] as the caller gives it */
  constructor(maxBytes = maxBytesByDefault) {
    if (typeof maxBytes !== 'number') typeError(`maxBytes must be a number, got ${show(maxBytes)}`);
    if (!(maxBytes >= 0)) rangeError(`maxBytes must be a number from 0, got ${maxBytes}`);
    this.maxBytes = maxBytes;
    this.left = maxBytes;
  }

  /** @type {(what: string, bytes: number) => void} */
  take(what, bytes) {
    if (!(bytes <= this.left)) {
      const total = this.left < this.maxBytes ? `${bytes} bytes after ${this.maxBytes - this.left}` : `${bytes} bytes`;
      rangeError(`${what} must fit in the option maxBytes, ${this.maxBytes}, got ${total}`);
    }
    this.left -= bytes;
  }
}
