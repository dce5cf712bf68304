/** web/service-worker.js with caches and a network of this test. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { root } from '../support/packed.js';

const source = readFileSync(join(root, 'web/service-worker.js'), 'utf8');

/** @type {Record<string, Map<string, object>>} */
let stored;
/** @type {Record<string, number>} statuses by path */
let network;

/** Starts the worker of a version. @returns {Record<string, (event: object) => Promise<any>>} */
function start(version) {
  const listeners = {};
  const open = async (name) => {
    const entries = (stored[name] ??= new Map());
    return {
      addAll: async (files) => files.forEach((file) => entries.set(`http://page/${file}`, { kept: version })),
      match: async (request) => entries.get(request.url ?? `http://page/${request}`),
      put: async (request, response) => {
        if (response.status === 206) throw new TypeError('Partial response (status code 206) is unsupported');
        entries.set(request.url, response);
      },
    };
  };
  const caches = { open, keys: async () => Object.keys(stored), delete: async (name) => delete stored[name] };
  const fetch = async ({ url }) => {
    const status = network[url];
    const response = { status, ok: status >= 200 && status < 300 };
    return { ...response, clone: () => response };
  };
  const globals = { caches, fetch, clients: { claim: async () => {} }, location: { origin: 'http://page' }, URL };
  const addEventListener = (name, listener) => {
    listeners[name] = async (event) => {
      let done;
      listener({ ...event, waitUntil: (work) => (done = work), respondWith: (work) => (done = work) });
      return done;
    };
  };
  vm.runInNewContext(`const version = '${version}', files = ['index.html'];${source}`, {
    ...globals,
    addEventListener,
  });
  return listeners;
}

const get = (path) => ({ request: { method: 'GET', mode: 'cors', url: `http://page/${path}` } });

beforeEach(() => {
  stored = {};
  network = {};
});

describe('the service worker', () => {
  test('leaves the cache of an open old page alone until it is active', async () => {
    await start('1').install({});
    const next = start('2');
    await next.install({});
    expect(Object.keys(stored)).toEqual(['onnx-layout-1', 'onnx-layout-2']);
    await next.activate({});
    expect(Object.keys(stored)).toEqual(['onnx-layout-2']);
  });

  test('does not take over at once: skipWaiting is no function here', () =>
    expect(source).not.toContain('skipWaiting()'));

  test.each([200, 206, 404])('answers with status %d of the network', async (status) => {
    const worker = start('1');
    network['http://page/app.js'] = status;
    expect((await worker.fetch(get('app.js'))).status).toBe(status);
    expect(stored['onnx-layout-1'].has('http://page/app.js')).toBe(status === 200);
  });

  test('loads a file that gave 404 once', async () => {
    const worker = start('1');
    network['http://page/app.js'] = 404;
    await worker.fetch(get('app.js'));
    network['http://page/app.js'] = 200;
    expect((await worker.fetch(get('app.js'))).status).toBe(200);
  });
});
