// The bundled typefaces. Whatever was measured before they arrived is measured again.

let arrivals = $state(0);

const faces = typeof document === "undefined" ? undefined : document.fonts;
faces?.addEventListener("loadingdone", () => (arrivals += 1));

/** How often typefaces have arrived; a text's size that depends on it is found anew. */
export const arrived = (): number => arrivals;

const ALL = ["800 1em Rokkitt", "400 1em Bitter", "italic 400 1em Bitter"];

/** When everything can be set in its typeface, or must be without: paper is printed once. */
export const allArrived = async (): Promise<void> => {
  await Promise.allSettled(ALL.map((face) => faces?.load(face)));
};
