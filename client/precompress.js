import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXTS = /\.(css|js|json|svg|webmanifest)$/; // not the document: the server gives every page its own head
const ENCODERS = {
  ".br": (data) => promisify(brotliCompress)(data, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: data.length } }),
  ".gz": (data) => promisify(gzip)(data, { level: constants.Z_BEST_COMPRESSION }),
};

async function compress(path) {
  const data = await readFile(path);
  for (const [ending, encode] of Object.entries(ENCODERS)) {
    const encoded = await encode(data);
    if (encoded.length < data.length) await writeFile(path + ending, encoded);
  }
}

/** A plugin for Vite: every text that is served as it was built is written in each encoding that makes it smaller, too. */
export function precompress() {
  return {
    name: "precompress",
    async writeBundle({ dir }) {
      const names = await readdir(dir, { recursive: true });
      await Promise.all(names.filter((name) => TEXTS.test(name)).map((name) => compress(join(dir, name))));
    },
  };
}
