// QR codes for links: bytes, error correction level M, versions 1 to 6; as ISO/IEC 18004 says.

const SIZES = [
  { data: 16, check: 10, blocks: 1 },
  { data: 28, check: 16, blocks: 1 },
  { data: 44, check: 26, blocks: 1 },
  { data: 64, check: 18, blocks: 2 },
  { data: 86, check: 24, blocks: 2 },
  { data: 108, check: 16, blocks: 4 },
];

const EXP: number[] = [];
const LOG: number[] = [];
for (let power = 0, value = 1; power < 255; power++) {
  EXP[power] = value;
  LOG[value] = power;
  value = value & 128 ? (value << 1) ^ 285 : value << 1;
}
const times = (a: number, b: number): number => (a && b ? (EXP[((LOG[a] as number) + (LOG[b] as number)) % 255] as number) : 0);

function checkBytes(data: readonly number[], count: number): number[] {
  let generator = [1];
  for (let k = 0; k < count; k++) {
    const next = [...generator, 0];
    generator.forEach((term, at) => (next[at + 1] = (next[at + 1] as number) ^ times(term, EXP[k] as number)));
    generator = next;
  }
  const rest = [...data, ...Array<number>(count).fill(0)];
  for (let at = 0; at < data.length; at++) {
    const factor = rest[at] as number;
    generator.forEach((term, k) => (rest[at + k] = (rest[at + k] as number) ^ times(term, factor)));
  }
  return rest.slice(data.length);
}

function codewords(bytes: Uint8Array, data: number): number[] {
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let k = length - 1; k >= 0; k--) bits.push((value >> k) & 1);
  };
  push(4, 4);
  push(bytes.length, 8);
  bytes.forEach((byte) => push(byte, 8));
  push(0, Math.min(4, data * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const words = Array.from({ length: bits.length / 8 }, (_, k) => bits.slice(k * 8, k * 8 + 8).reduce((value, bit) => value * 2 + bit, 0));
  for (let pad = 236; words.length < data; pad ^= 236 ^ 17) words.push(pad);
  return words;
}

function interleaved(words: readonly number[], blocks: number, check: number): number[] {
  const size = words.length / blocks;
  const parts = Array.from({ length: blocks }, (_, k) => words.slice(Math.floor(k * size), Math.floor((k + 1) * size)));
  const checks = parts.map((part) => checkBytes(part, check));
  const across = (rows: readonly number[][]) => rows[0]?.flatMap((_, k) => rows.map((row) => row[k] as number)) ?? [];
  return [...across(parts), ...across(checks)];
}

type Grid = (boolean | null)[][];

function frame(version: number): Grid {
  const size = 17 + 4 * version;
  const grid: Grid = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const set = (row: number, column: number, dark: boolean) => {
    if (row >= 0 && column >= 0 && row < size && column < size) (grid[row] as (boolean | null)[])[column] = dark;
  };
  for (const [top, left] of [[0, 0], [0, size - 7], [size - 7, 0]] as const)
    for (let row = -1; row < 8; row++)
      for (let column = -1; column < 8; column++) {
        const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3));
        set(top + row, left + column, ring !== 2 && ring < 4);
      }
  if (version > 1) {
    const middle = size - 7;
    for (let row = -2; row < 3; row++) for (let column = -2; column < 3; column++) set(middle + row, middle + column, Math.max(Math.abs(row), Math.abs(column)) !== 1);
  }
  for (let k = 8; k < size - 8; k++) {
    set(6, k, k % 2 === 0);
    set(k, 6, k % 2 === 0);
  }
  formatCells(size).flat().forEach(([row, column]) => set(row, column, false));
  set(size - 8, 8, true);
  return grid;
}

function formatCells(size: number): [number, number][][] {
  const first: [number, number][] = [];
  const second: [number, number][] = [];
  for (let k = 0; k < 15; k++) {
    first.push(k < 6 ? [8, k] : k < 8 ? [8, k + 1] : k === 8 ? [7, 8] : [14 - k, 8]);
    second.push(k < 7 ? [size - 1 - k, 8] : [8, size - 15 + k]);
  }
  return [first, second];
}

function formatBits(mask: number): number {
  const data = mask; // level M is 00
  let rest = data << 10;
  for (let k = 14; k >= 10; k--) if ((rest >> k) & 1) rest ^= 0b10100110111 << (k - 10);
  return ((data << 10) | rest) ^ 0b101010000010010;
}

const MASK = 0; // rows and columns that add up to an even number
const flips = (row: number, column: number): boolean => (row + column) % 2 === 0;

/** The dark and light cells of a text's code, or null if the text is too long. */
export function qr(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  const version = SIZES.findIndex(({ data }) => data >= bytes.length + 2) + 1;
  const size = SIZES[version - 1];
  if (!size) return null;
  const words = interleaved(codewords(bytes, size.data), size.blocks, size.check);
  const grid = frame(version);
  fill(grid, words.flatMap((word) => Array.from({ length: 8 }, (_, k) => ((word >> (7 - k)) & 1) === 1)));
  const format = formatBits(MASK);
  for (const cells of formatCells(grid.length)) cells.forEach(([row, column], k) => ((grid[row] as boolean[])[column] = ((format >> (14 - k)) & 1) === 1));
  return grid as boolean[][];
}

function fill(grid: Grid, bits: readonly boolean[]): void {
  const size = grid.length;
  let next = 0;
  let up = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let k = 0; k < size; k++) {
      const row = up ? size - 1 - k : k;
      for (const column of [right, right - 1])
        if (grid[row]?.[column] === null) (grid[row] as boolean[])[column] = (bits[next++] ?? false) !== flips(row, column);
    }
    up = !up;
  }
}
