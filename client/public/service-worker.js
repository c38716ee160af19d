// The shell of the client works without the network; what a table says always comes from the server.
const SHELL = "deadwood-shell";
const DOCUMENT = "/";
const CHUNKS = "/chunks.json"; // all parts of the client, those that only some pages need, too
const ALWAYS = [DOCUMENT, "/icon.svg", "/manifest.webmanifest"];

/** Keep a document with all that any page needs, and forget what only earlier ones needed. */
async function keep(document) {
  const [shell, chunks] = await Promise.all([caches.open(SHELL), fetch(CHUNKS).then((list) => list.json())]);
  const text = await document.clone().text();
  const parts = Object.values(chunks).flatMap(({ file, css = [] }) => [file, ...css]);
  const scripts = parts.filter((path) => /\.(js|css)$/.test(path)).map((path) => `/${path}`);
  const named = new Set([...ALWAYS, ...scripts, ...(text.match(/\/assets\/[^"]+/g) ?? [])]);
  const kept = (await shell.keys()).map((request) => new URL(request.url).pathname);
  await shell.addAll([...named].filter((path) => path !== DOCUMENT && !kept.includes(path)));
  await shell.put(DOCUMENT, document);
  for (const path of kept) if (!named.has(path)) await shell.delete(path);
}

/** What opens without the network is a document whose preview fits everywhere, and that has nobody to ask. */
const update = () => fetch("/index.html").then(keep);

async function openPage(event) {
  try {
    const fresh = await fetch(event.request);
    if (fresh.ok) event.waitUntil(update().catch(() => undefined));
    return fresh;
  } catch (error) {
    const kept = await caches.match(DOCUMENT);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("install", (event) => event.waitUntil(update().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(openPage(event));
  else event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
});
