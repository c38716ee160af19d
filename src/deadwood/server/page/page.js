// The page: a start with all tables, a table, a finished game. All texts go in as text, never as markup.

import { ask, randomHex, Table, tokens } from "./net.js";

const main = document.getElementById("main");
const notice = (text = "") => { document.getElementById("notice").textContent = text; };
const where = (text) => { document.getElementById("where").textContent = text; };

export function el(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const shown = (code) => `${code.slice(0, 4)}-${code.slice(4)}`;
const button = (text, onclick, className = "") => el("button", { type: "button", onclick, className }, text);
const field = (label, input) => el("label", {}, label, input);
const pick = (name, choices) => el("select", { name }, choices.map(([value, text]) => el("option", { value }, text ?? value)));
const dot = (colour) => el("span", { className: `dot ${colour}`, title: colour });

async function attempt(work) {
  notice();
  try {
    return await work();
  } catch (error) {
    notice(error.message);
    return null;
  }
}

// --- the start

async function start() {
  where("tables");
  const [about, waiting, running] = await Promise.all([
    ask("GET", "/api/about"), ask("GET", "/api/tables?status=waiting"), ask("GET", "/api/tables?status=running"),
  ]);
  main.replaceChildren(el("div", { className: "columns" },
    el("section", {}, el("h2", {}, "A new table"), newTable(about)),
    el("section", {}, el("h2", {}, "Join by code"), joinByCode(), el("h2", {}, "Waiting for people"), tableList(waiting.tables),
      el("h2", {}, "Running, to be watched"), tableList(running.tables), el("h2", {}, "See a record again"), uploadRecord())));
}

function uploadRecord() {
  const file = el("input", { type: "file", accept: ".deadwood,text/plain", name: "record" });
  file.onchange = () => attempt(async () => {
    const text = await file.files[0].text();
    const steps = await allSteps((query) => ask("POST", `/api/replays${query}`, text));
    main.replaceChildren(el("h2", {}, "The whole game"), toldSteps(steps), el("p", {}, el("a", { href: "/" }, "Back")));
  });
  return field("A file that a game was saved in", file);
}

// A replay comes a part at a time.
async function allSteps(part) {
  const steps = [];
  for (let first = 0; first !== null; ) {
    const got = await part(`?first=${first}`);
    steps.push(...got.steps);
    first = got.next;
  }
  return steps;
}

const toldSteps = (steps) => el("div", { className: "log" }, steps.flatMap((step) => step.told).map((sentence) => el("p", {}, sentence)));

function newTable(about) {
  const name = el("input", { name: "name", required: true, maxLength: 40, autocomplete: "nickname" });
  const colour = pick("colour", about.colours.map((one) => [one]));
  const bot = pick("bot", [["", "no bot"], ...about.bots.map((level) => [level])]);
  const count = el("input", { name: "count", type: "number", min: 1, max: 7, value: 1 });
  const days = pick("days", [["", "as usual"], ["1"], ["2"], ["3"], ["4"]]);
  const deck = pick("deck", about.decks.map((one) => [one]));
  const layout = pick("layout", [["standard"], ["second"], ["random"]]);
  const open = el("input", { type: "checkbox", name: "public" });
  const form = el("form", {}, field("Your name", name), field("Your colour", colour), field("Bots", bot), field("How many bots", count),
    field("Days", days), field("Deck", deck), field("Layout", layout), el("label", { className: "tick" }, open, "Show it in the list"),
    el("button", { className: "main" }, "Make the table"));
  form.onsubmit = (event) => {
    event.preventDefault();
    const token = randomHex();
    const bots = bot.value ? Array.from({ length: Number(count.value) }, () => ({ level: bot.value })) : [];
    const options = { deck: deck.value, layout: layout.value, days: days.value ? Number(days.value) : null };
    attempt(async () => {
      const made = await ask("POST", "/api/tables", { host: { name: name.value, token, colour: colour.value }, bots, options, public: open.checked });
      tokens.keep(made.table.code, token);
      location.href = `/t/${made.table.code}`;
    });
  };
  return form;
}

function joinByCode() {
  const code = el("input", { name: "code", required: true, placeholder: "K7RM-4TXC", autocomplete: "off" });
  const form = el("form", {}, field("Code", code), el("button", {}, "Go there"));
  form.onsubmit = (event) => {
    event.preventDefault();
    attempt(async () => { location.href = `/t/${(await ask("GET", `/api/tables/${encodeURIComponent(code.value.trim())}`)).code}`; });
  };
  return form;
}

function tableList(tables) {
  if (!tables.length) return el("p", { className: "quiet" }, "None just now.");
  return el("ul", { className: "plain" }, tables.map((table) => el("li", {},
    el("a", { href: `/t/${table.code}` }, shown(table.code)), " ", table.seats.map((seat) => seat.name).join(", "))));
}

// --- a table

async function table(code) {
  const [about, board, first] = await Promise.all([ask("GET", "/api/about"), ask("GET", "/api/board"), ask("GET", `/api/tables/${code}`)]);
  const deck = await ask("GET", `/api/decks/${first.options.deck}`);
  const games = await ask("GET", `/api/tables/${first.code}/games`);
  const known = { about, areas: new Map(board.areas.map((area) => [area.id, area])), cards: new Map(deck.cards.map((card) => [card.number, card])) };
  where(`table ${shown(first.code)}`);
  const here = new Table(first.code, () => here.table && keepTyped(() => main.replaceChildren(...drawTable(here, known, games.games))), notice);
}

// Draw anew, but leave what somebody is just typing.
function keepTyped(draw) {
  const typed = [...main.querySelectorAll("input, select")].map((input) => [input.name, input.value]);
  const focused = main.contains(document.activeElement) ? document.activeElement.name : "";
  draw();
  for (const [name, value] of typed) {
    const input = main.querySelector(`[name="${name}"]`);
    if (input && (input.tagName !== "SELECT" || [...input.options].some((option) => option.value === value))) input.value = value;
  }
  if (focused) main.querySelector(`[name="${focused}"]`)?.focus();
}

function drawTable(here, known, games) {
  const parts = { waiting: drawWaiting, running: drawGame, finished: drawEnd }[here.table.status](here, known);
  return [...parts, drawLog(here), drawGames(here, games)];
}

function drawWaiting(here, known) {
  const { table } = here;
  const host = here.held.includes(table.host);
  const seats = el("ul", { className: "plain" }, table.seats.map((seat) => el("li", {}, dot(seat.colour), seat.name,
    seat.bot ? ` (bot, ${seat.bot})` : "", seat.seat === table.host ? " — host" : "", seat.ready ? " — ready " : " ", seatButtons(here, seat, host))));
  return [
    el("h2", {}, "Tell your friends: ", el("span", { className: "code" }, shown(table.code)), " or ", el("a", { href: table.link }, table.link)),
    el("div", { className: "columns" }, el("section", {}, el("h2", {}, "Who plays"), seats, host ? hostTools(here, known) : null),
      el("section", {}, el("h2", {}, "Take a seat"), sitDown(here, known)), el("section", {}, el("h2", {}, "Options"), options(table))),
    el("p", { className: "quiet" }, `Fair dice: the SHA-256 of the seed is ${table.commitment}; your browser adds salt of its own when you say ready.`),
  ];
}

function seatButtons(here, seat, host) {
  const mine = here.held.includes(seat.seat);
  return [
    mine && !seat.ready && button("Ready", () => here.wish("ready", { seat: seat.seat, salt: randomHex() }), "main"),
    mine && seat.ready && button("Not ready", () => here.wish("ready", { seat: seat.seat, salt: null })),
    mine && button("Leave", () => here.wish("leave", { seat: seat.seat })),
    host && !mine && button("Send away", () => here.wish("remove", { seat: seat.seat })),
    host && button("Goes first", () => here.wish("choose", { options: { ...here.table.options, first: seat.name } })),
  ];
}

function hostTools(here, known) {
  const level = pick("level", known.about.bots.map((one) => [one]));
  return el("p", { className: "choices" }, level, button("Add a bot", () => here.wish("add_bot", { level: level.value })),
    button("Start the game", () => here.wish("start"), "main"));
}

function sitDown(here, known) {
  const name = el("input", { name: "name", required: true, maxLength: 40 });
  const taken = here.table.seats.map((seat) => seat.colour);
  const colour = pick("colour", known.about.colours.filter((one) => !taken.includes(one)).map((one) => [one]));
  const form = el("form", {}, field("Name", name), field("Colour", colour), el("button", {}, "Sit down"));
  form.onsubmit = async (event) => {
    event.preventDefault();
    notice();
    const token = randomHex();
    tokens.keep(here.code, token);
    const answer = await here.wish("sit", { name: name.value, colour: colour.value, token });
    if (answer.type === "done") here.held.push(answer.seat);
    here.changed();
  };
  return form;
}

const options = (table) => el("ul", { className: "plain" }, Object.entries(table.options).map(([name, value]) => el("li", {}, `${name}: ${value ?? "as usual"}`)));

function drawGame(here, known) {
  const { table } = here;
  const active = table.seats[table.state.active];
  const mine = here.held.includes(active.seat);
  const last = el("p", { className: "choices" }, button("Undo", () => here.wish("undo", { seq: here.seq + 1 })), mine && button("Hint", () => hint(here)));
  return [
    el("h2", {}, `Day ${table.state.day}: ${mine ? `${active.name}, it is your turn` : `${active.name} is up`}`),
    el("div", { className: "choices" }, mine || table.pending ? drawOffers(here, known) : null), last, drawPlayers(table), drawAreas(table, known),
  ];
}

function drawOffers(here, known) {
  const play = (action, outcome) => { notice(); here.wish("move", { seq: here.seq + 1, action, outcome }); };
  const roll = (action) => (here.table.options.dice === "table" ? askOutcome(action, play) : play(action, null));
  const offers = here.table.pending ? [{ action: here.table.pending.action }] : here.table.offers;
  return offers.map((offer) => button(label(offer, known, here.table), () => roll(offer.action)));
}

function askOutcome(action, play) {
  const came = prompt(`${action}: what came up? As in "card 17", "5" or "5 / 6 5 3"; leave it empty if nothing is rolled or turned.`);
  if (came !== null) play(action, came.trim() || null);
}

function label(offer, known, table) {
  const [verb, ...rest] = offer.action.split(" ");
  const chance = offer.chance === undefined ? "" : ` (${Math.round(100 * offer.chance)} %)`;
  if (verb === "move") return `Move to ${known.areas.get(rest[0]).name}`;
  if (verb === "take") return `Take ${roleName(known, table, rest[0], Number(rest[1]))}`;
  return { act: "Act", rehearse: "Rehearse", end: "End the turn" }[verb]?.concat(chance) ?? `Upgrade to rank ${rest[0]} for ${rest[1]}`;
}

function roleName(known, table, kind, number) {
  const area = table.state.players[table.state.active].area;
  const roles = kind === "star" ? known.cards.get(table.state.sets[area].scene).roles : known.areas.get(area).extras;
  return `“${roles[number - 1].name}” (${kind === "star" ? "starring" : "extra"}, rank ${roles[number - 1].rank})`;
}

async function hint(here) {
  const answer = await here.wish("hint");
  if (answer.type === "hints") notice(answer.advice.filter((one) => one.reason).slice(0, 3).map((one) => `${one.action}: ${one.reason}`).join("  ·  "));
}

function drawPlayers(table) {
  const rows = table.seats.map((seat, number) => {
    const player = table.state.players[number];
    return el("tr", { className: number === table.state.active ? "up" : "" }, el("td", {}, dot(seat.colour), seat.name),
      ...[player.rank, player.dollars, player.credits, player.chips].map((value) => el("td", { className: "number" }, String(value))));
  });
  const head = ["Rank", "Dollars", "Credits", "Chips"].map((text) => el("th", { className: "number", scope: "col" }, text));
  return el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Player"), head)), el("tbody", {}, rows));
}

function drawAreas(table, known) {
  const active = table.state.active === null ? null : table.state.players[table.state.active].area;
  return el("div", { className: "areas" }, [...known.areas.values()].map((area) => el("div", { className: area.id === active ? "area here" : "area" },
    el("h3", {}, area.name), drawScene(table.state.sets[area.id], known), drawWho(table, area, known))));
}

function drawScene(set, known) {
  if (!set) return null;
  if (set.scene === null) return el("p", { className: "quiet" }, "wrapped");
  const card = known.cards.get(set.scene);
  return el("p", {}, card ? `“${card.title}”, $${card.budget}M, ` : "face down, ", set.shots === 1 ? "1 shot left" : `${set.shots} shots left`);
}

function drawWho(table, area, known) {
  return table.seats.flatMap((seat, number) => {
    const player = table.state.players[number];
    if (player.area !== area.id) return [];
    const stars = known.cards.get(table.state.sets[area.id]?.scene)?.roles ?? [];
    const role = player.role === null ? "" : ` as “${(player.role < 3 ? stars[player.role] : area.extras[player.role - 3]).name}”`;
    return [el("p", {}, dot(seat.colour), seat.name, role)];
  });
}

function drawEnd(here) {
  const again = here.held.length ? button("Play again", () => here.wish("rematch"), "main") : null;
  const game = `/t/${here.code}/games/${here.table.game}`;
  return [el("h2", {}, "The game is over"), standings(here.table.standings), el("p", { className: "choices" }, again, el("a", { href: game }, "See it again, verify its dice"))];
}

function standings(lines) {
  const head = ["Place", "Player", "Score", "Dollars", "Credits", "Rank"].map((text) => el("th", { scope: "col" }, text));
  const rows = lines.map((line) => el("tr", {}, [line.place, line.name, line.score, line.dollars, line.credits, line.rank].map((value) => el("td", {}, String(value)))));
  return el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows));
}

const drawLog = (here) => el("section", {}, el("h2", {}, "What happened"),
  el("div", { className: "log", tabIndex: 0 }, here.told.slice(-200).reverse().map((sentence) => el("p", {}, sentence))));

const drawGames = (here, games) => games.length ? el("section", {}, el("h2", {}, "Earlier games"), el("ul", { className: "plain" },
  games.map((game) => el("li", {}, el("a", { href: `/t/${here.code}/games/${game.game}` }, `Game ${game.game}`), ` won by ${game.winners.join(", ")}`)))) : "";

// --- a finished game

async function finished(code, number) {
  const path = `/api/tables/${code}/games/${number}`;
  const game = await ask("GET", path);
  where(`table ${shown(code)}, game ${number}`);
  const steps = await allSteps((query) => ask("GET", `${path}/replay${query}`));
  main.replaceChildren(el("h2", {}, `${game.winners.join(" and ")} won`), standings(game.standings),
    el("p", {}, el("a", { href: `${path}/record`, download: "" }, "Download the record"), ", and check it: ", el("code", {}, "deadwood verify FILE")),
    el("dl", { className: "quiet" }, ["commitment", "seed"].flatMap((name) => [el("dt", {}, name), el("dd", {}, game[name])]),
      el("dt", {}, "salts"), game.salts.map((salt) => el("dd", {}, salt))),
    el("h2", {}, "The whole game"), toldSteps(steps),
    el("p", {}, el("a", { href: `/t/${code}` }, "Back to the table")));
}

const [, kind, code, , number] = location.pathname.split("/");
attempt(() => (kind === "t" ? (number ? finished(code, number) : table(code)) : start()));
