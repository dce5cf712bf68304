/** Files of a server on this machine, which answers ranges in the right way and in every wrong one. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { openNpy, urlSource, writeNpy } from 'onnx-layout/io';
import { expectTensor, expectRejection, rejects } from '../support/assertions.js';

const x = Tensor.from(
  'int16',
  Int16Array.from({ length: 6000 }, (_, i) => i),
  [60, 100],
);
const file = Buffer.from(writeNpy(x));
const size = file.length;

/** How a server answers the range from `first` to `last`; the number counts its answers. */
const right = (response, first, last) =>
  response
    .writeHead(206, { 'Content-Range': `bytes ${first}-${last}/${size}`, ETag: '"1"' })
    .end(file.subarray(first, last + 1));
const answers = {
  right,
  'no ranges': (response) => response.writeHead(200).end(file),
  missing: (response) => response.writeHead(404).end(),
  'no Content-Range': (response, first, last) =>
    response.writeHead(206, { 'Content-Length': last - first + 1 }).end(file.subarray(first, last + 1)),
  'another size': (response, first, last, count) =>
    response
      .writeHead(206, { 'Content-Range': `bytes ${first}-${last}/${count > 1 ? size + 1 : size}` })
      .end(file.subarray(first, last + 1)),
  'no size': (response, first, last) =>
    response.writeHead(206, { 'Content-Range': `bytes ${first}-${last}/*` }).end(file.subarray(first, last + 1)),
  'another start': (response, first, last) =>
    response
      .writeHead(206, { 'Content-Range': `bytes ${first + 1}-${last + 1}/${size}` })
      .end(file.subarray(first + 1, last + 2)),
  'a shorter range': (response, first, last) => {
    const end = Math.min(last, first + 99);
    response.writeHead(206, { 'Content-Range': `bytes ${first}-${end}/${size}` }).end(file.subarray(first, end + 1));
  },
  'fewer bytes': (response, first, last) =>
    response
      .writeHead(206, { 'Content-Range': `bytes ${first}-${last}/${size}` })
      .end(file.subarray(first, Math.max(first + 1, last))),
  'more bytes': (response, first, last) =>
    response.writeHead(206, { 'Content-Range': `bytes ${first}-${last}/${size}` }).end(file.subarray(first, last + 2)),
  compressed: (response, first, last) =>
    response
      .writeHead(206, { 'Content-Range': `bytes ${first}-${last}/${size}`, 'Content-Encoding': 'x-own' })
      .end(file.subarray(first, last + 1)),
  'another file': (response, first, last, count) =>
    response
      .writeHead(206, { 'Content-Range': `bytes ${first}-${last}/${size}`, ETag: `"${count > 1 ? 2 : 1}"` })
      .end(file.subarray(first, last + 1)),
  'another date': (response, first, last, count) =>
    response
      .writeHead(206, {
        'Content-Range': `bytes ${first}-${last}/${size}`,
        'Last-Modified': `Mon, 23 Nov 2026 00:00:0${count > 1 ? 2 : 1} GMT`,
      })
      .end(file.subarray(first, last + 1)),
  nonsense: (response) => response.writeHead(206, { 'Content-Range': 'bytes a-b/c' }).end('x'),
  nothing: () => {},
};

const requests = [];
const counts = new Map();
const server = createServer((request, response) => {
  const name = decodeURIComponent(request.url.slice(1));
  requests.push([request.method, request.headers.range, request.headers.extra]);
  counts.set(name, (counts.get(name) ?? 0) + 1);
  if (request.method === 'HEAD') {
    response.writeHead(name === 'missing' ? 404 : 200, { 'Content-Length': size }).end();
    return;
  }
  const [first, last] = request.headers.range.slice(6).split('-').map(Number);
  answers[name](response, first, last, counts.get(name));
});
let base;
beforeAll(async () => {
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${server.address().port}/`;
});
afterAll(() => server.closeAllConnections() ?? server.close());

const at = (name) => new URL(encodeURIComponent(name), base);

test('reads ranges: one byte for the size, then what is asked for', async () => {
  requests.length = 0;
  const source = await urlSource(at('right'), { headers: { Extra: 'yes' } });
  expect(source.byteLength).toBe(size);
  const entry = await openNpy(source);
  expectTensor(await entry.read({ rows: [58, 60] }), 'int16', [2, 100], x.data.slice(5800));
  expect(requests).toEqual([
    ['GET', 'bytes=0-0', 'yes'],
    ['GET', 'bytes=0-10011', 'yes'],
    ['GET', `bytes=${size - 400}-${size - 1}`, 'yes'],
  ]);
  expect([...(await source.slice(0, 6))]).toEqual([...file.subarray(0, 6)]);
  expect((await source.slice(5, 5)).length).toBe(0);
  // A range that ends past the file makes some servers answer with all of it.
  expect((await source.slice(size - 2, size + 5)).length).toBe(2);
  expect(await source.read(new Uint8Array(0), 0)).toBe(0);
});

test('a fetch that gives no response is refused', () =>
  expect(urlSource('https://example.com/file', { fetch: () => undefined })).rejects.toThrow(
    new TypeError('urlSource: fetch must give a Response, got undefined'),
  ));

const ends = 'start and end must be whole numbers with 0 <= start <= end';
test.each([
  ['slice', [[1], 2], new RangeError(`urlSource: ${ends}, got [1] and 2`)],
  ['slice', [0, Symbol('s')], new RangeError(`urlSource: ${ends}, got 0 and Symbol(s)`)],
  ['slice', [3, 2], new RangeError(`urlSource: ${ends}, got 3 and 2`)],
  ['slice', [0, 2 ** 52], new RangeError(`urlSource: there is no memory for ${2 ** 52} bytes`)],
  ['read', [{ length: 5 }, 0], new TypeError('urlSource: target must be a Uint8Array, got an object')],
  ['read', [new Uint8Array(5), -1], new RangeError('urlSource: start must be a whole number from 0, got -1')],
])('%s of no part of the file is refused, without a request: %p', async (method, args, error) => {
  requests.length = 0;
  const source = await urlSource(String(at('right')), { size: 2 ** 53 - 1 });
  await expect(source[method](...args)).rejects.toThrow(error);
  expect(requests).toEqual([]);
});

test('a size that is known saves the first request', async () => {
  requests.length = 0;
  const source = await urlSource(String(at('right')), { size });
  expect([source.byteLength, requests]).toEqual([size, []]);
  expectTensor(await (await openNpy(source)).read(), 'int16', [60, 100], x.data);
});

test('a page of another origin, which sees no Content-Range, asks by HEAD', async () => {
  requests.length = 0;
  const source = await urlSource(at('no Content-Range'));
  expect([source.byteLength, requests.map(([method]) => method)]).toEqual([size, ['GET', 'HEAD']]);
  expectTensor(await (await openNpy(source)).read(), 'int16', [60, 100], x.data);
});

test('a server that does not say the size is asked by HEAD', async () => {
  const source = await urlSource(at('no size'));
  expectTensor(await (await openNpy(source)).read(), 'int16', [60, 100], x.data);
});

describe('a wrong answer', () => {
  const rules = {
    'no ranges': 'must answer a range with status 206, got 200',
    missing: 'must answer a range with status 206, got 404',
    'another size': `must give bytes 0-10011/${size}, got 'bytes 0-10011/${size + 1}'`,
    'another start': `must give bytes 0-0/*, got 'bytes 1-1/${size}'`,
    'a shorter range': `must give bytes 0-10011/${size}, got 'bytes 0-99/${size}'`,
    'fewer bytes': 'must give 10012 bytes from 0, got 10011',
    'more bytes': 'must give 1 bytes from 0, got more',
    compressed: "must have no content encoding, got 'x-own'",
    'another file': `must stay as it is, version '"1"', got '"2"'`,
    'another date': "must stay as it is, version 'Mon, 23 Nov 2026 00:00:01 GMT', got 'Mon, 23 Nov 2026 00:00:02 GMT'",
    nonsense: "must give bytes 0-0/*, got 'bytes a-b/c'",
  };
  test.each(Object.entries(rules))('%s', async (name, rule) => {
    const message = `urlSource: '${at(name)}' ${rule}`;
    await expectRejection(async () => openNpy(await urlSource(at(name))), RangeError, message);
  });

  /** An answer with a body that has no end, which notes that nobody reads it any more. */
  const endless = (status, headers, cancelled) =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(1)),
        cancel: () => {
          cancelled.push(status);
        },
      }),
      { status, headers },
    );

  test.each([
    ['another status', 200, {}],
    ['no file', 404, {}],
    ['an encoding', 206, { 'Content-Encoding': 'gzip' }],
    ['another range', 206, { 'Content-Range': 'bytes 1-4/9' }],
    ['another file', 206, { 'Content-Range': 'bytes 0-3/9', ETag: '"2"' }],
    ['more bytes', 206, { 'Content-Range': 'bytes 0-3/9', ETag: '"1"' }],
  ])('%s: its body is not left open', async (_, status, headers) => {
    const cancelled = [];
    const first = new Response(Uint8Array.of(1), {
      status: 206,
      headers: { 'Content-Range': 'bytes 0-0/9', ETag: '"1"' },
    });
    const answered = [first, endless(status, headers, cancelled)];
    const source = await urlSource('x', { fetch: async () => answered.shift() });
    await expect(source.slice(0, 4)).rejects.toThrow(RangeError);
    expect(cancelled).toEqual([status]);
  });

  test('is every one that the server has', () => {
    const fine = ['right', 'no Content-Range', 'no size', 'nothing'];
    expect([...Object.keys(rules), ...fine].sort()).toEqual(Object.keys(answers).sort());
  });

  test('none at all: the signal ends it', async () => {
    const end = new AbortController();
    setTimeout(() => end.abort(), 20);
    await expect(urlSource(at('nothing'), { signal: end.signal })).rejects.toThrow('aborted');
  });

  test('no server, and no address: with the cause, and the beginning of the address', async () => {
    const error = await urlSource('http://127.0.0.1:1/').catch((thrown) => thrown);
    const message = "urlSource: 'http://127.0.0.1:1/' must be there, got bad port";
    expect(error).toMatchObject({ constructor: RangeError, message });
    expect(error.cause).toMatchObject({ name: 'TypeError', message: 'fetch failed' });
    const long = 'x'.repeat(100_000);
    const none = await urlSource(long).catch((thrown) => thrown);
    expect(none.message).toBe(`urlSource: '${long.slice(0, 60)}…' must be there, got Invalid URL`);
  });

  test('a page in the place of the file is called one', async () => {
    const fetch = async () => new Response('<html>', { status: 404, headers: { 'content-type': 'text/html' } });
    await expect(urlSource('https://example.com/file', { fetch })).rejects.toThrow(
      new RangeError(
        "urlSource: 'https://example.com/file' must answer a range with status 206, got 404 and a web page",
      ),
    );
  });
});

rejects('urlSource', {
  'TypeError: url must be a string, got 1': () => urlSource(1),
  'TypeError: fetch must be a function, got 1': () => urlSource('x', { fetch: 1 }),
  'RangeError: size must be a whole number from 0, got -1': () => urlSource('x', { size: -1 }),
  'TypeError: signal must be an AbortSignal, got an object': () => urlSource('x', { signal: {} }),
  "TypeError: unknown option 'header', did you mean 'headers'? Known: fetch, headers, size, signal": () =>
    urlSource('x', { header: {} }),
});

test('a HEAD without a length', () =>
  expectRejection(
    () =>
      urlSource('x', {
        fetch: async (_, { method }) =>
          method === 'HEAD' ? new Response(null, { status: 200 }) : new Response(Uint8Array.of(1), { status: 206 }),
      }),
    RangeError,
    "urlSource: 'x' must tell its size, got status 200 and length ''",
  ));
