// Keeps the site in the browser, so that it can be installed and works offline: the page at once, the engines and the
// opponent when they have been used. A new version of the site is fetched whole, next to the old one, and takes over when no page of the old one is
// open: page and engines always fit together.

/** @type {{ version: string, files: string[], [used: string]: any }} */
const { version, files, ...used } = /* site */ { version: "", files: [], engines: [], opponent: [] };

self.addEventListener("install", (event) => {
  event.waitUntil(keep(files));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldVersions());
});

self.addEventListener("message", (event) => {
  event.waitUntil(keep(used[event.data]));
});

/** @param {string[]} names */
async function keep(names) {
  const cache = await caches.open(version);
  const kept = await Promise.all(names.map((name) => cache.match(name)));
  await cache.addAll(names.filter((_, index) => !kept[index]));
}

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
