// The shell of the client works without the network; what a table says always comes from the server.
const SHELL = "deadwood-shell";
const DOCUMENT = "/";
const ALWAYS = [DOCUMENT, "/icon.svg", "/manifest.webmanifest"];

/** Keep a document with all that it names, and forget what only earlier ones named. */
async function keep(document) {
  const shell = await caches.open(SHELL);
  const text = await document.clone().text();
  const named = new Set([...ALWAYS, ...(text.match(/\/assets\/[^"]+/g) ?? [])]);
  const kept = (await shell.keys()).map((request) => new URL(request.url).pathname);
  await shell.addAll([...named].filter((path) => path !== DOCUMENT && !kept.includes(path)));
  await shell.put(DOCUMENT, document);
  for (const path of kept) if (!named.has(path)) await shell.delete(path);
}

async function openPage(event) {
  try {
    const fresh = await fetch(event.request);
    if (fresh.ok) event.waitUntil(keep(fresh.clone()).catch(() => undefined));
    return fresh;
  } catch (error) {
    const kept = await caches.match(DOCUMENT);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("install", (event) =>
  event.waitUntil(
    fetch(DOCUMENT)
      .then(keep)
      .then(() => self.skipWaiting()),
  ),
);
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(openPage(event));
  else event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
});
