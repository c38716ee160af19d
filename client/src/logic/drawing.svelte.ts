// A board is drawn part by part: walls, doors, places, the areas that the camera sees, the pieces, then other areas.

import { untrack } from "svelte";
import { reaches, type Box, type PlacedArea } from "./geometry";
import { piecemeal } from "./piecemeal.svelte";

const [WALLS, DOORS, PLACES] = [1, 2, 3]; // parts
const HALVES = 2; // of an area: its floor, and what stands on it
const PIECES = 1;

interface Sight {
  areas: () => readonly PlacedArea[];
  visible: () => Box; // read once for each board: what was drawn stays
  isSized: () => boolean; // the size of the board decides how much is written out
}

export function drawBoard({ areas, visible, isSized }: Sight) {
  const sight = $derived.by(() => {
    const box = untrack(visible);
    const seen = areas().filter(({ geometry }) => reaches(geometry.outline, box));
    return { seen: seen.length * HALVES, order: [...new Set([...seen, ...areas()])].map(({ id }) => id) };
  });
  const parts = piecemeal(
    () => (isSized() ? PLACES + areas().length * HALVES + PIECES : 0),
    () => PLACES + sight.seen + PIECES,
  );
  const halves = $derived(Math.max(0, parts() - PLACES)); // including the pieces, which come after the visible areas
  const hasPieces = $derived(halves > 0 && halves > sight.seen);
  const drawn = $derived(hasPieces ? halves - PIECES : halves);
  const floored = $derived(new Set(drawn ? sight.order.slice(0, Math.ceil(drawn / HALVES)) : []));
  const furnished = $derived(new Set(drawn ? sight.order.slice(0, Math.floor(drawn / HALVES)) : []));
  return {
    get hasWalls() {
      return parts() >= WALLS;
    },
    get hasDoors() {
      return parts() >= DOORS;
    },
    get hasPlaces() {
      return parts() >= PLACES;
    },
    /** The areas whose floors are drawn by now. */
    get floored(): ReadonlySet<string> {
      return floored;
    },
    /** The areas that are drawn with everything on them. */
    get furnished(): ReadonlySet<string> {
      return furnished;
    },
    get hasPieces() {
      return hasPieces;
    },
  };
}
