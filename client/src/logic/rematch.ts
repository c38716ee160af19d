// Who wants another game after this one, and who is missing.

import type { ChairView } from "../wire";
import { canBeAway } from "./players";

export interface Consent {
  ours: boolean; // everybody at this screen has agreed
  others: string[]; // who have agreed at other screens
  missing: string[]; // who are here but have not agreed
  away: string[]; // who are not here and have not agreed
}

/** `here` are the chairs that connections hold; null while ours is lost and we cannot know. */
export function consent(
  chairs: readonly ChairView[],
  agreed: readonly number[],
  held: readonly number[],
  here: readonly number[] | null,
): Consent {
  const holders = chairs.filter(canBeAway);
  const names = (which: (chair: ChairView) => boolean) => holders.filter(which).map(({ name }) => name);
  const has = (chair: ChairView) => agreed.includes(chair.id);
  const isAway = (chair: ChairView) => here !== null && !here.includes(chair.id);
  return {
    ours: held.length > 0 && held.every((chair) => agreed.includes(chair)),
    others: names((chair) => has(chair) && !held.includes(chair.id)),
    missing: names((chair) => !has(chair) && !isAway(chair)),
    away: names((chair) => !has(chair) && isAway(chair)),
  };
}
