/*
 * Keeps the page for when there is no network. The build puts two constants above: `version`, a hash over all files, and `files`.
 *
 * The page itself comes from the network while there is one, so that a new build is seen at the next load; everything else has a
 * hash in its name and never changes.
 */
const cacheName = `onnx-layout-${version}`;
/** Hosts vary by what packing the browser takes, and some by origin: what was kept suits each request here. */
const anyVariant = { ignoreVary: true };

addEventListener('install', (event) => {
  skipWaiting();
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

/** The state is in the query string: one page answers for all of them. */
async function page(request) {
  const cache = await caches.open(cacheName);
  try {
    return await fetch(request);
  } catch {
    return cache.match('index.html', anyVariant);
  }
}

async function asset(request) {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request, anyVariant);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}
