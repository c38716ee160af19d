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

// --- notices while no page is open

const NOTICES = "deadwood-notices"; // where the page keeps what this browser gets notices with
const KEPT = "/kept-for-notices";
const JSON_HEADERS = { "content-type": "application/json" };

/** One notice for each table: newer news replaces older. */
async function show({ title, body, tag, table }) {
  for (const older of await self.registration.getNotifications())
    if (older.data?.table === table && older.tag !== tag) older.close();
  await self.registration.showNotification(title, { body, tag, data: { table }, icon: "/icon-192.png" });
}

const read = (data) => {
  try {
    return data.json();
  } catch {
    return { title: "Deadwood", body: "", tag: "deadwood" };
  }
};

/** The page of a table: the one that is open, or a new one. */
async function openTable(table) {
  const path = table ? `/t/${encodeURIComponent(table)}` : "/games";
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((page) => new URL(page.url).pathname === path);
  return open ? open.focus() : self.clients.openWindow(path);
}

/** The push service gave this browser another address; the server knows us by the old one. */
async function move(event) {
  const cache = await caches.open(NOTICES);
  const kept = await cache.match(KEPT).then((found) => found?.json());
  if (!kept) return;
  const options = { userVisibleOnly: true, applicationServerKey: kept.key };
  const fresh = event.newSubscription ?? (await self.registration.pushManager.subscribe(options));
  const { endpoint, keys } = fresh.toJSON();
  const now = { type: "push", endpoint, p256dh: keys.p256dh, auth: keys.auth };
  const body = JSON.stringify({ was: event.oldSubscription?.endpoint ?? kept.endpoint, now });
  const answer = await fetch("/api/notices/moved", { method: "POST", headers: JSON_HEADERS, body });
  if (answer.ok) await cache.put(KEPT, new Response(JSON.stringify({ ...kept, endpoint })));
}

self.addEventListener("push", (event) => event.waitUntil(show(read(event.data))));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openTable(event.notification.data?.table));
});
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(move(event)));
