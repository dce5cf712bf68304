/** Files of a web server, read by ranges (RFC 9110, section 14). Each answer is checked: servers may send the whole
 * file, another part, or a part of the compressed file. */
import {
  brief,
  later,
  namedAsync,
  rangeError,
  readFunction,
  readSignal,
  readTable,
  refusal,
  row,
  show,
  typeError,
} from '../arguments/index.js';
import { checkEnds, checkTarget, newBytes } from './source.js';

/** @import { ByteSource, UrlOptions } from './types.js' */

/** How requests are sent.
 * @typedef {Required<Pick<UrlOptions, 'fetch' | 'headers'>> & Pick<UrlOptions, 'signal'>} RequestOptions */

const table = {
  fetch: row(readFunction, undefined),
  headers: later,
  size: row((name, value) => {
    if (!Number.isSafeInteger(value) || value < 0)
      rangeError(`${name} must be a whole number from 0, got ${show(value)}`);
    return value;
  }, undefined),
  signal: readSignal,
};

/**
 * A file at a URL as a source: its parts are read by range requests, one after another.
 *
 * The server has to respond with status 206 and exactly the bytes that were asked for, without a content encoding. The
 * file may not change: the first response's ETag or Last-Modified is compared with that of each other one. From another
 * origin, a page sees the size by Content-Range if the server exposes that header, else by Content-Length of a HEAD
 * request.
 *
 * HTTP range requests: RFC 9110, section 14.
 * @param {string | URL} url
 * @param {UrlOptions} [options]
 * @returns {Promise<ByteSource & Required<Pick<ByteSource, 'read'>>>}
 * @example
 * const whole = Uint8Array.of(1, 2, 3, 4);
 * const fetch = async (url, { headers }) => {
 *   const [first, last] = headers.Range.slice(6).split('-').map(Number);
 *   const range = { 'Content-Range': `bytes ${first}-${last}/4` };
 *   return new Response(whole.slice(first, last + 1), { status: 206, headers: range });
 * };
 * const source = await urlSource('https://example.com/file', { fetch });
 * source.byteLength; // 4
 * await source.slice(1, 3); // Uint8Array [2, 3]
 */
export async function urlSource(url, options) {
  return namedAsync('urlSource', async () => {
    const { fetch = globalThis.fetch, headers, size, signal } = readTable(options, table);
    if (typeof url !== 'string' && !(url instanceof URL)) typeError(`url must be a string, got ${show(url)}`);
    const request = { fetch, headers: { ...headers }, signal };
    const file = new UrlFile(String(url), request, size);
    if (size === undefined) await file.measure();
    const byteLength = /** @type {number} */ (file.size);
    /** @type {(target: Uint8Array, start: number) => Promise<number>} */
    const read = async (target, start) =>
      namedAsync('urlSource', async () => {
        checkTarget(target, start);
        const { length } = target;
        // No range has 0 bytes.
        if (length > 0) await file.fetchRange(target, start);
        return length;
      });
    /** Reads the bytes from `start` up to `end`, or up to the end of the file, as slices do.
     * @type {(start: number, end: number) => Promise<Uint8Array>} */
    const slice = async (start, end) =>
      namedAsync('urlSource', async () => {
        checkEnds(start, end);
        const target = newBytes(Math.max(0, Math.min(end, byteLength) - start));
        if (target.length > 0) await file.fetchRange(target, start);
        return target;
      });
    return { byteLength, slice, read };
  });
}

/** A file at a URL, and what its server has said of it. */
class UrlFile {
  /** @param {string} url @param {RequestOptions} request @param {number | undefined} size */
  constructor(url, request, size) {
    this.url = url;
    this.name = `'${brief(url)}'`;
    this.request = request;
    this.size = size;
    /** The first response's ETag or Last-Modified. @type {string | null} */
    this.version = null;
  }

  /** Asks for the file's size, and sets `size`: by a range request of one byte, because some servers answer a range
   * that ends past the file with the whole file; by a HEAD request where that answer does not tell it. No server
   * answers a range of an empty file with status 206, so such a file is refused. */
  async measure() {
    const byte = new Uint8Array(1);
    const total = await this.fetchRange(byte, 0);
    this.size = total ?? (await this.measureByHead());
  }

  /** Sends a request, and gives its response. A failure of the global fetch becomes an error that names the file; the
   * caller's own fetch throws what it likes.
   * @type {(init: RequestInit) => Promise<Response>} */
  async sendRequest(init) {
    const { fetch, signal } = this.request;
    try {
      const response = await fetch(this.url, init);
      if (typeof response !== 'object' || response === null)
        typeError(`fetch must give a Response, got ${show(response)}`);
      return response;
    } catch (error) {
      // An abort keeps its reason.
      if (signal?.aborted || fetch !== globalThis.fetch) throw error;
      const { message, cause } = /** @type {Error & { cause?: Error }} */ (error);
      const reason = brief(cause?.message || message);
      throw refusal(new RangeError(`${this.name} must be there, got ${reason}`, { cause: error }));
    }
  }

  /** Asks for the file's size by a HEAD request; refuses an answer that does not tell it.
   * @type {() => Promise<number>} */
  async measureByHead() {
    const { headers, signal } = this.request;
    const response = await this.sendRequest({ headers, signal, method: 'HEAD' });
    const text = response.headers.get('content-length') ?? '';
    // Numbers of up to 15 digits are exact.
    if (!response.ok || !/^\d{1,15}$/.test(text))
      rangeError(`${this.name} must tell its size, got status ${response.status} and length ${show(text)}`);
    return Number(text);
  }

  /** Fills `target` with the bytes from `start` on by one range request, and gives the file's size if the answer tells
   * it.
   * @type {(target: Uint8Array, start: number) => Promise<number | undefined>} */
  async fetchRange(target, start) {
    const last = start + target.length - 1;
    const { headers, signal } = this.request;
    const rangeHeaders = { ...headers, Range: `bytes=${start}-${last}` };
    const response = await this.sendRequest({ headers: rangeHeaders, signal });
    try {
      const total = this.checkHeaders(response, start, last);
      await this.receiveBody(response, target, start);
      return total;
    } catch (error) {
      // A body that nobody reads would hold the connection.
      await response.body?.cancel().catch(() => {});
      throw error;
    }
  }

  /** Refuses an answer unless its headers say that it has the bytes `start` to `last` of the same, unencoded file.
   * Gives the file's size if they tell it.
   * @type {(response: Response, start: number, last: number) => number | undefined} */
  checkHeaders({ status, headers }, start, last) {
    if (status !== 206) {
      const page = headers.get('content-type')?.includes('html') ? ' and a web page' : '';
      rangeError(`${this.name} must answer a range with status 206, got ${status}${page}`);
    }
    const encoding = headers.get('content-encoding') ?? 'identity';
    // A range counts encoded bytes.
    if (encoding !== 'identity') rangeError(`${this.name} must have no content encoding, got ${show(encoding)}`);
    const version = headers.get('etag') ?? headers.get('last-modified');
    this.version ??= version;
    if (version !== this.version)
      rangeError(`${this.name} must stay as it is, version ${show(this.version)}, got ${show(version)}`);
    const range = headers.get('content-range');
    if (range === null) return undefined;
    const { first, last: end, total } = parseContentRange(range);
    const isOtherRange = first !== start || end !== last;
    const isOtherSize = this.size !== undefined && total !== undefined && total !== this.size;
    if (isOtherRange || isOtherSize)
      rangeError(`${this.name} must give bytes ${start}-${last}/${this.size ?? '*'}, got ${show(range)}`);
    return total;
  }

  /** Writes the body of an answer to `target`, and refuses one of another length. `start`, the place of its bytes in
   * the file, is for messages.
   * @type {(response: Response, target: Uint8Array, start: number) => Promise<void>} */
  async receiveBody({ body }, target, start) {
    const { length } = target;
    let done = 0;
    for await (const chunk of chunksOf(body)) {
      // The caller may have transferred or shrunk the target's memory meanwhile; then nothing is written, and a Source
      // that reads to it refuses it.
      if (done + chunk.length <= length && target.length === length) target.set(chunk, done);
      done += chunk.length;
      if (done > length) break;
    }
    if (done !== length) {
      const got = done > length ? 'more' : done;
      rangeError(`${this.name} must give ${length} bytes from ${start}, got ${got}`);
    }
  }
}

/** Parses a Content-Range header, `bytes FIRST-LAST/TOTAL`. The total may be `*`, unknown, which gives undefined; a
 * text of another form gives nothing.
 * @type {(text: string) => { first?: number, last?: number, total?: number }} */
function parseContentRange(text) {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(text);
  if (!match) return {};
  const [, first, last, total] = match;
  return { first: Number(first), last: Number(last), total: total === '*' ? undefined : Number(total) };
}

/** Yields the chunks of a body. By a reader, because some browsers lack `for await` over the stream.
 * @type {(body: ReadableStream<Uint8Array> | null) => AsyncGenerator<Uint8Array>} */
async function* chunksOf(body) {
  const reader = body?.getReader();
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) yield next.value;
  } finally {
    reader?.releaseLock();
  }
}
