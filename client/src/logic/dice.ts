// How the dice look: eight colours, each with its own shape of pips, so that colour is never the only cue.

export interface Paint {
  body: string;
  edge: string;
  pips: string;
  mark: string; // the shape of the pips, in coordinates from -1 to 1
}

export const PAINTS: Record<string, Paint> = {
  red: {
    body: "#c23a2b",
    edge: "#7d1f16",
    pips: "#fff3df",
    mark: "M0 .95L-.9 .05A.52 .52 0 0 1 0 -.62A.52 .52 0 0 1 .9 .05Z",
  },
  blue: { body: "#2f6690", edge: "#173a57", pips: "#f2f7fa", mark: "M0 -1L.9 0L0 1L-.9 0Z" },
  green: { body: "#4d7c3a", edge: "#2a4a1d", pips: "#f4f8e6", mark: "M0 -.9A.9 .9 0 1 1 -.01 -.9Z" },
  yellow: {
    body: "#e9bd3c",
    edge: "#97701a",
    pips: "#4a3208",
    mark: "M0 -1.05L.29 -.36L1 -.3L.46 .18L.62 .9L0 .52L-.62 .9L-.46 .18L-1 -.3L-.29 -.36Z",
  },
  purple: { body: "#7b4a93", edge: "#452458", pips: "#f8effb", mark: "M0 -.95L.95 .8H-.95Z" },
  orange: { body: "#dd7a2a", edge: "#8c4510", pips: "#fff4e2", mark: "M-.8 -.8H.8V.8H-.8Z" },
  white: {
    body: "#f3ecdc",
    edge: "#a3967c",
    pips: "#5a4a38",
    mark: "M0 -1A1 1 0 1 1 -.01 -1ZM0 -.45A.45 .45 0 1 0 .01 -.45Z",
  },
  black: {
    body: "#37322f",
    edge: "#0f0d0c",
    pips: "#f0e6d2",
    mark: "M-.32 -.95H.32V-.32H.95V.32H.32V.95H-.32V.32H-.95V-.32H-.32Z",
  },
  ivory: { body: "#fbf3df", edge: "#a58e63", pips: "#3a2618", mark: "M0 -.9A.9 .9 0 1 1 -.01 -.9Z" },
};

export const paintOf = (colour: string): Paint => PAINTS[colour] ?? (PAINTS.ivory as Paint);

const [near, middle, far] = [27, 50, 73];
export const PIPS: Record<number, readonly (readonly [number, number])[]> = {
  1: [[middle, middle]],
  2: [
    [near, far],
    [far, near],
  ],
  3: [
    [near, far],
    [middle, middle],
    [far, near],
  ],
  4: [
    [near, near],
    [far, near],
    [near, far],
    [far, far],
  ],
  5: [
    [near, near],
    [far, near],
    [middle, middle],
    [near, far],
    [far, far],
  ],
  6: [
    [near, near],
    [far, near],
    [near, middle],
    [far, middle],
    [near, far],
    [far, far],
  ],
};
