// A drawing of the page as a picture: saved as a file, or shared with other apps of the device.

const SIZE = { width: 1000, height: 1500 };

/** The drawing as a PNG. It must not depend on the page's style sheets: it is drawn alone. */
export async function pictureOf(svg: SVGSVGElement): Promise<Blob> {
  const image = new Image(SIZE.width, SIZE.height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, SIZE);
  canvas.getContext("2d")?.drawImage(image, 0, 0, SIZE.width, SIZE.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}

/** A name that every file system accepts. */
export const fileName = (title: string): string =>
  `deadwood-${
    title
      .normalize("NFKD")
      .replace(/\p{Mark}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "poster"
  }.png`;

export function save(picture: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(picture);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may still be reading it
}

const fileOf = (picture: Blob, name: string) => new File([picture], name, { type: "image/png" });

/** Whether this device can share pictures. */
export function canShare(): boolean {
  return navigator.canShare?.({ files: [fileOf(new Blob(["x"]), "x.png")] }) ?? false;
}

/** Share a picture; cancelling is not an error. */
export async function share(picture: Blob, name: string, text: string): Promise<void> {
  await navigator.share({ files: [fileOf(picture, name)], text }).catch((error: Error) => {
    if (error.name !== "AbortError") throw error;
  });
}
