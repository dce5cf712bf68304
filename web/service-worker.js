/*
 * Keeps the page for when there is no network. The build writes two constants above this text: `files`, the list of all
 * files to keep, and `version`, a hash over them.
 *
 * Pages come from the network while there is one, so that the next load shows a new build. Everything else comes from
 * the cache of this version.
 */
const cacheName = `onnx-layout-${version}`;
/** Some hosts vary by encoding or by origin; what was kept suits every request of this page. */
const anyVariant = { ignoreVary: true };

// No skipWaiting: a page of the last version is open and loads from its cache, so that this one waits for its end.
addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)));
});

addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith('onnx-layout-') && name !== cacheName) await caches.delete(name);
      await clients.claim();
    })(),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  event.respondWith(request.mode === 'navigate' ? page(request) : asset(request));
});

/**
 * Answers for a page. The state of our own page is in the query string, so one file answers for all its addresses; the
 * pages of the API reference are files of their own.
 */
async function page(request) {
  const cache = await caches.open(cacheName);
  try {
    return await fetch(request);
  } catch {
    const kept = await cache.match(request, { ...anyVariant, ignoreSearch: true });
    return kept ?? cache.match('index.html', anyVariant);
  }
}

async function asset(request) {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request, anyVariant);
  if (kept) return kept;
  const response = await fetch(request);
  // A cache takes no part of a file (206), and should keep no error.
  if (response.status === 200) await cache.put(request, response.clone());
  return response;
}
