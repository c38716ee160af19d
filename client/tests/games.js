// Recorded games from the engine itself; build.py says which Python has it.
import { execFileSync } from "node:child_process";

const program = new URL("games.py", import.meta.url).pathname;
export const recorded = () =>
  JSON.parse(execFileSync(process.env.PYTHON ?? "python3", [program], { encoding: "utf-8", maxBuffer: 2 ** 28 }));
