// The address says which page is shown.

export type Page =
  | { name: "landing" }
  | { name: "games" }
  | { name: "table"; code: string }
  | { name: "screen"; code: string }
  | { name: "game"; code: string; game: number; step: number }
  | { name: "replay" }
  | { name: "rules" }
  | { name: "print" }
  | { name: "decks"; id: string }
  | { name: "learn"; lesson: string };

/** The moment of a replay that an address names. */
export const stepOf = (hash: string): number => Number(hash.replace("#", "")) || 0;

export function pageOf(path: string, hash = ""): Page {
  const [, first = "", code = "", kind = "", game = ""] = path.split("/");
  if (first === "t" && kind === "screen") return { name: "screen", code };
  if (first === "t" && game) return { name: "game", code, game: Number(game), step: stepOf(hash) };
  if (first === "t" && code) return { name: "table", code };
  if (first === "replay" || first === "rules" || first === "print" || first === "games") return { name: first };
  if (first === "decks") return { name: "decks", id: code };
  if (first === "learn") return { name: "learn", lesson: code };
  return { name: "landing" };
}

let current = $state<Page>(pageOf(location.pathname, location.hash));
addEventListener("popstate", () => (current = pageOf(location.pathname, location.hash)));

export const route = {
  get page(): Page {
    return current;
  },
  go(path: string): void {
    history.pushState(null, "", path);
    current = pageOf(location.pathname, location.hash);
    scrollTo(0, 0);
  },
  /** Go there and replace the present address in the history. */
  replace(path: string): void {
    history.replaceState(null, "", path);
    current = pageOf(location.pathname, location.hash);
  },
};

/** For links: navigate without reloading the page. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.defaultPrevented;
  if (!link || !plain || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/") || (link.pathname === location.pathname && link.hash)) return;
  event.preventDefault();
  route.go(link.pathname + link.search + link.hash);
}
