// Keeps the site in the browser, so that it can be installed and works offline. A new version of the site is fetched
// whole, next to the old one, and takes over when no page of the old one is open: page and engines always fit together.

/** @type {{ version: string, files: string[] }} */
const { version, files } = /* site */ { version: "", files: [] };

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldVersions());
});

async function dropOldVersions() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("hexrec ") && name !== version).map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(version);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
