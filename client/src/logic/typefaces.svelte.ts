// The bundled typefaces. Texts that were measured before they arrived are measured again.

let arrivals = $state(0);

const faces = typeof document === "undefined" ? undefined : document.fonts;
faces?.addEventListener("loadingdone", () => (arrivals += 1));

/** How often typefaces have arrived; sizes of texts depend on it, so they are computed again. */
export const arrived = (): number => arrivals;

const ALL = ["800 1em Rokkitt", "400 1em Bitter", "italic 400 1em Bitter"];

/** Wait until all typefaces have arrived or failed: paper is printed once. */
export const allArrived = async (): Promise<void> => {
  await Promise.allSettled(ALL.map((face) => faces?.load(face)));
};
