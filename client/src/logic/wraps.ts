// In which order the dice of a wrap are dealt: to the highest role first, and around again.

import type { Share } from "../wire";

/** For every share the numbers, from 0, of its dice in the dealing. */
export function dealOrder(shares: readonly Share[]): number[][] {
  const order: number[][] = shares.map(() => []);
  const most = Math.max(0, ...shares.map((share) => share.dice.length));
  let next = 0;
  for (let round = 0; round < most; round++)
    shares.forEach((share, role) => {
      if (round < share.dice.length) order[role]?.push(next++);
    });
  return order;
}
