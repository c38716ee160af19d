// Storage that survives a crash: every write is appended to a file, and all pending writes are made durable at once. The
// states themselves stay in memory, so that reading costs nothing. It stores the whole state, as boardgame.io's own storage does.
import { closeSync, fdatasync, openSync, readFileSync, write } from "node:fs";
import { promisify } from "node:util";

const writeTo = promisify(write);
const makeDurable = promisify(fdatasync);

export class DurableLog {
  constructor(path) {
    this.matches = new Map();
    this.path = path;
    this.lines = [];
    this.waiting = [];
    this.writing = false;
  }

  type() {
    return 1; // asynchronous
  }

  async connect() {
    this.file = openSync(this.path, "a+");
    const [, ...whole] = readFileSync(this.path, "utf8").split("\n").reverse(); // after the last line end: a torn line
    for (const line of whole.reverse()) {
      const { id, deltalog, ...changes } = JSON.parse(line);
      this.matches.set(id, { ...this.matches.get(id), ...changes });
      this.matches.get(id).log.push(...(deltalog ?? []));
    }
  }

  close() {
    closeSync(this.file);
  }

  async createMatch(id, { initialState, metadata }) {
    await this.change(id, { initialState, state: initialState, metadata, log: [] });
  }

  async setState(id, state, deltalog = []) {
    this.matches.get(id).log.push(...deltalog);
    await this.change(id, { state }, deltalog);
  }

  async setMetadata(id, metadata) {
    await this.change(id, { metadata });
  }

  async fetch(id, wanted) {
    const match = this.matches.get(id) ?? {};
    return Object.fromEntries(Object.keys(wanted).filter((key) => wanted[key]).map((key) => [key, match[key]]));
  }

  async wipe(id) {
    this.matches.delete(id);
  }

  async listMatches() {
    return [...this.matches.keys()];
  }

  async change(id, changes, deltalog) {
    this.matches.set(id, { ...this.matches.get(id), ...changes });
    this.lines.push(JSON.stringify({ id, ...changes, deltalog }));
    const durable = new Promise((done, failed) => this.waiting.push({ done, failed }));
    if (!this.writing) this.writeAll();
    await durable;
  }

  async writeAll() {
    this.writing = true;
    while (this.lines.length > 0) {
      const [lines, waiting] = [this.lines, this.waiting];
      [this.lines, this.waiting] = [[], []];
      try {
        await writeTo(this.file, `${lines.join("\n")}\n`);
        await makeDurable(this.file);
        waiting.forEach(({ done }) => done());
      } catch (error) {
        waiting.forEach(({ failed }) => failed(error));
      }
    }
    this.writing = false;
  }
}
