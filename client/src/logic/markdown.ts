// The part of Markdown that the rules use: headings, paragraphs, lists, tables, bold, italics, code.

export type Inline = { kind: "text" | "strong" | "em" | "code"; text: string };
export type Block =
  | { kind: "heading"; level: number; text: string; id: string }
  | { kind: "paragraph"; parts: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][]; start?: number }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] };

export function inline(text: string): Inline[] {
  const parts: Inline[] = [];
  for (const [whole, strong, em, code] of text.matchAll(/\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|[^*`]+|[*`]/gs)) {
    if (strong !== undefined) parts.push({ kind: "strong", text: strong });
    else if (em !== undefined) parts.push({ kind: "em", text: em });
    else if (code !== undefined) parts.push({ kind: "code", text: code });
    else parts.push({ kind: "text", text: whole });
  }
  return parts;
}

const cells = (line: string): Inline[][] =>
  line
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => inline(cell.trim()));

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

export function blocks(text: string): Block[] {
  return text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(block);
}

function block(part: string): Block {
  const lines = part.split("\n");
  const heading = /^(#+) (.*)/.exec(part);
  if (heading)
    return {
      kind: "heading",
      level: (heading[1] as string).length,
      text: heading[2] as string,
      id: slug(heading[2] as string),
    };
  if (part.startsWith("|")) {
    const [head = "", , ...rows] = lines;
    return { kind: "table", head: cells(head), rows: rows.map(cells) };
  }
  const item = /^(- |\d+\. )/;
  if (item.test(part)) {
    const items = part.split(/\n(?=- |\d+\. )/).map((one) => inline(one.replace(item, "").replace(/\n\s*/g, " ")));
    return { kind: "list", ordered: /^\d/.test(part), items };
  }
  return { kind: "paragraph", parts: inline(lines.join(" ")) };
}

export const plainText = (one: Block): string => {
  const join = (parts: Inline[]) => parts.map((part) => part.text).join("");
  if (one.kind === "heading") return one.text;
  if (one.kind === "paragraph") return join(one.parts);
  if (one.kind === "list") return one.items.map(join).join(" ");
  return [one.head, ...one.rows].map((row) => row.map(join).join(" ")).join(" ");
};

/** The blocks that a search finds, each with the headings above it. */
export function find(all: readonly Block[], wanted: string): Block[] {
  const word = wanted.trim().toLowerCase();
  if (!word) return [...all];
  const found: Block[] = [];
  let heading: Block | null = null;
  for (const one of all) {
    const fits = plainText(one).toLowerCase().includes(word);
    if (one.kind === "heading") heading = one;
    else if (fits) {
      if (heading) found.push(heading);
      heading = null;
      found.push(one);
    }
  }
  return found;
}
