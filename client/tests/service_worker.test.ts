// The service worker while no page is open: it shows notices, opens tables, and follows a push service that moves it.

import { beforeEach, expect, test, vi } from "vitest";
import SOURCE from "../public/service-worker.js?raw";

interface Notice {
  title: string;
  tag: string;
  data: { table: string };
  close: () => void;
}

let heard: Map<string, (event: object) => void>;
let shown: Notice[];
let pages: { url: string; focus: () => string }[];
let stored: string | undefined;
const opened = vi.fn((path: string) => Promise.resolve(path));
const fetched = vi.fn((_path: string, _options: { body: string }) => Promise.resolve({ ok: true }));
const subscription = (endpoint: string) => ({
  endpoint,
  toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
});
const subscribed = vi.fn((_options: object) => Promise.resolve(subscription("https://push.example/new")));

beforeEach(() => {
  [heard, shown, pages, stored] = [new Map(), [], [], undefined];
  for (const spy of [opened, fetched, subscribed]) spy.mockClear();
  const cache = {
    match: () =>
      Promise.resolve(stored === undefined ? undefined : { json: () => JSON.parse(stored as string) as object }),
    put: async (_key: string, kept: Response) => void (stored = await kept.text()),
  };
  const self = {
    addEventListener: (name: string, listener: (event: object) => void) => heard.set(name, listener),
    registration: {
      getNotifications: () => Promise.resolve([...shown]),
      showNotification: (title: string, options: { tag: string; data: { table: string } }) => {
        shown = shown.filter(({ tag }) => tag !== options.tag);
        const notice: Notice = { title, ...options, close: () => (shown = shown.filter((one) => one !== notice)) };
        shown.push(notice);
        return Promise.resolve();
      },
      pushManager: { subscribe: subscribed },
    },
    clients: { matchAll: () => Promise.resolve(pages), openWindow: opened },
  };
  const run = new Function("self", "caches", "fetch", "location", SOURCE) as (...given: unknown[]) => void;
  run(self, { open: () => Promise.resolve(cache) }, fetched, { origin: "https://here" });
});

/** Let an event happen, and wait for what the worker makes of it. */
async function happens(name: string, event: object): Promise<void> {
  let work: Promise<unknown> = Promise.resolve();
  heard.get(name)?.({ ...event, waitUntil: (promised: Promise<unknown>) => (work = promised) });
  await work;
}

const push = (table: string, turn: number) =>
  happens("push", {
    data: { json: () => ({ title: "Deadwood", body: "Your turn", tag: `${table}-1-${turn}`, table }) },
  });
const click = (notice: Notice | undefined) => happens("notificationclick", { notification: notice });

test("a repeated notice is shown once, and a newer one of the same table replaces it", async () => {
  await push("A", 2);
  await push("A", 2);
  await push("B", 7);
  expect(shown.map(({ tag }) => tag)).toEqual(["A-1-2", "B-1-7"]);
  await push("A", 4);
  expect(shown.map(({ tag }) => tag)).toEqual(["B-1-7", "A-1-4"]);
});

test("a notice that cannot be read is shown all the same, because browsers insist", async () => {
  await happens("push", { data: null });
  expect(shown.map(({ title }) => title)).toEqual(["Deadwood"]);
});

test("a click leads to the open page of the table, or to a new one", async () => {
  await push("A", 2);
  await click(shown[0]);
  expect(opened).toHaveBeenCalledWith("/t/A");
  expect(shown).toEqual([]);
  const focus = vi.fn(() => "focused");
  pages = [
    { url: "https://here/t/B", focus: vi.fn() },
    { url: "https://here/t/A#log", focus },
  ];
  await push("A", 4);
  await click(shown[0]);
  expect(focus).toHaveBeenCalledOnce();
  expect(opened).toHaveBeenCalledOnce();
});

test("the server learns where this browser has moved to", async () => {
  await happens("pushsubscriptionchange", {});
  expect(fetched).not.toHaveBeenCalled(); // it had asked for nothing
  stored = JSON.stringify({ endpoint: "https://push.example/old", key: "k" });
  await happens("pushsubscriptionchange", {});
  expect(subscribed).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: "k" });
  const [path, { body }] = fetched.mock.calls[0] ?? ["", { body: "{}" }];
  const now = { type: "push", endpoint: "https://push.example/new", p256dh: "p", auth: "a" };
  expect([path, JSON.parse(body)]).toEqual(["/api/notices/moved", { was: "https://push.example/old", now }]);
  expect(JSON.parse(stored)).toEqual({ endpoint: "https://push.example/new", key: "k" });
});
