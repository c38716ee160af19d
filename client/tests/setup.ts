// As much of a browser as the client's logic needs.

const kept = new Map<string, string>();
const nothing = () => undefined;

Object.assign(globalThis, {
  window: globalThis,
  location: { protocol: "http:", host: "here", pathname: "/", hash: "" },
  document: { hidden: false },
  matchMedia: () => ({ matches: false, addEventListener: nothing }),
  addEventListener: nothing,
  removeEventListener: nothing,
});
Object.defineProperty(globalThis, "localStorage", {
  value: {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    clear: () => kept.clear(),
  },
});

// texts come in a file for each language, and tests read the English ones
const { catalogue } = await import("../src/logic/catalogue.svelte");
await catalogue.load();

export {};
