// The shell of the client works without the network; what a table says always comes from the server.
const SHELL = "deadwood-shell";

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function fromNetworkFirst(request, key) {
  const shell = await caches.open(SHELL);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await shell.put(key, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await shell.match(key);
    if (kept) return kept;
    throw error;
  }
}

async function fromShellFirst(request) {
  const kept = await (await caches.open(SHELL)).match(request);
  return kept ?? fromNetworkFirst(request, request);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(fromNetworkFirst(request, "/"));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(fromShellFirst(request));
});
