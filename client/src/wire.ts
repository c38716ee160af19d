// Written by `python -m deadwood.server.protocol.typescript > client/src/wire.ts`; a test holds it.

export interface About {
  bots: readonly (string)[];
  colours: readonly (string)[];
  decks: readonly (string)[];
  languages: readonly (string)[];
}

export interface ActOddsView {
  needed: number;
  chance: number;
  success: Purse;
  failure: Purse;
  wraps: boolean;
  bonus: number;
}

export interface Acted {
  type: "Acted";
  player: string;
  area: string;
  title: string;
  kind: "extra" | "star";
  role: string;
  line: string;
  die: number;
  chips: number;
  budget: number;
  success: boolean;
  dollars: number;
  credits: number;
  shots_left: number;
  area_id: string;
  dollars_after: number;
  credits_after: number;
}

export interface ActionUndone {
  type: "ActionUndone";
  player: string;
  action: string;
}

export interface AddBot {
  type: "add_bot";
  id: string;
  level: string;
  name?: string | null;
  colour?: string | null;
}

export interface Advised {
  action: string;
  value: number;
  reason: string;
}

export interface Area {
  name: string;
  kind: "casting office" | "set" | "trailers";
  geometry: Geometry;
  shots: number;
  extras: readonly (Role)[];
}

export interface AreaView {
  id: string;
  name: string;
  kind: string;
  shots: number;
  extras: readonly (Role)[];
}

export interface Asked {
  type: "pending";
  pending: Pending;
}

export interface Board {
  name: string;
  prices: Prices;
  doorways: Doorways;
  layouts: Record<string, string>;
  sections: readonly [Section, Section, Section, Section];
}

export interface BoardView {
  areas: readonly (AreaView)[];
  board: Board;
}

export interface BonusPaid {
  type: "BonusPaid";
  player: string;
  area: string;
  title: string;
  kind: "extra" | "star";
  role: string;
  rank: number;
  dice: readonly (number)[];
  dollars: number;
  area_id: string;
  dollars_after: number;
}

export interface Card {
  number: number;
  title: string;
  scene: number;
  description: string;
  budget: number;
  roles: readonly (Role)[];
}

export interface CardTurned {
  type: "CardTurned";
  player: string;
  area: string;
  card: number;
  title: string;
  scene: number;
  description: string;
  budget: number;
  area_id: string;
}

export interface Choices {
  type: "choices";
  id: string;
}

export interface ChoicesView {
  type: "choices";
  id: string;
  seq: number;
  choices: readonly (Offer)[];
  undo: string | null;
}

export interface Choose {
  type: "choose";
  id: string;
  options: Options;
}

export interface Corners {
  top_left: string;
  top_right: string;
  bottom_right: string;
  bottom_left: string;
}

export interface DayEnded {
  type: "DayEnded";
  day: number;
  days: number;
  area: string;
  title: string | null;
  area_id: string;
  players: readonly (PlayerAfter)[];
  sets: readonly (SetAfter)[];
}

export interface DayStarted {
  type: "DayStarted";
  day: number;
  days: number;
  scenes: number;
  player: string;
  sets: readonly (SetAfter)[];
}

export interface Deck {
  name: string;
  cards: readonly (Card)[];
}

export interface Done {
  type: "done";
  id: string;
  seq: number;
  seat?: number | null;
}

export interface Doorways {
  horizontal: readonly [number, number];
  vertical: readonly [number, number];
  width: number;
}

export interface GameEnded {
  type: "GameEnded";
  standings: readonly (Standing)[];
  winners: readonly (string)[];
}

export interface GameList {
  games: readonly (GameSummary)[];
  next: number | null;
}

export interface GameStarted {
  type: "GameStarted";
  players: readonly (string)[];
  first: string;
  layout: string;
  deck: string;
  days: number;
  drawn: readonly (string)[];
}

export interface GameSummary {
  game: number;
  players: readonly (SeatView)[];
  options: Options;
  standings: readonly (Standing)[];
  winners: readonly (string)[];
  finished: number;
  actions: number;
  commitment: string;
  salts: readonly (string)[];
  seed: string;
}

export interface Geometry {
  outline: readonly (readonly [number, number])[];
  label: readonly [number, number, number, number];
  standing: readonly (readonly [number, number])[];
  card: readonly [number, number, number, number] | null;
  shots: readonly (readonly [number, number])[];
  extras: readonly (readonly [number, number])[];
  prices: readonly [number, number, number, number] | null;
}

export interface Goodbye {
  type: "goodbye";
  retry_after: number;
}

export interface Hello {
  type: "hello";
  tokens?: readonly (string)[];
  since?: number | null;
  language?: string;
}

export interface Hint {
  type: "hint";
  id: string;
}

export interface Hints {
  type: "hints";
  id: string;
  seq: number;
  bot: string;
  advice: readonly (Advised)[];
}

export interface InnerDoorway {
  between: readonly [string, string];
  at: readonly [number, number];
  wall: "horizontal" | "vertical";
}

export interface Leave {
  type: "leave";
  id: string;
  seat: number;
}

export interface ListedTable {
  code: string;
  status: "finished" | "running" | "waiting";
  options: Options;
  seats: readonly (SeatView)[];
  created: number;
}

export interface Made {
  table: TableView;
  seat: number | null;
}

export interface Move {
  type: "move";
  id: string;
  seq: number;
  action: string;
  outcome?: string | null;
}

export interface Moved {
  type: "Moved";
  player: string;
  origin: string;
  area: string;
  origin_id: string;
  area_id: string;
}

export interface NewBot {
  level: string;
  name?: string | null;
  colour?: string | null;
}

export interface NewPerson {
  name: string;
  token: string;
  colour?: string | null;
}

export interface NewTable {
  host?: NewPerson | null;
  bots?: readonly (NewBot)[];
  options?: Options;
  public?: boolean;
}

export interface Offer {
  action: string;
  chance?: number | null;
  odds?: ActOddsView | null;
  refusal?: string | null;
  rule?: string | null;
}

export interface Options {
  deck: string;
  layout: string;
  first: string;
  ties: "later" | "shared";
  bonus: "actors" | "roles";
  days: number | null;
  dice: "fair" | "table";
}

export interface OptionsChosen {
  type: "OptionsChosen";
  options: Options;
}

export interface Pending {
  seat: number;
  action: string;
  kind: "card" | "dice";
  count: number;
}

export interface Ping {
  type: "ping";
  id: string;
}

export interface PlayerAfter {
  player: string;
  area_id: string;
  role_number: number | null;
  chips: number;
}

export interface PlayerReady {
  type: "PlayerReady";
  player: string;
  ready: boolean;
}

export interface PlayerSnapshot {
  area: string;
  rank: number;
  dollars: number;
  credits: number;
  role: number | null;
  chips: number;
}

export interface Pong {
  type: "pong";
  id: string;
  seq: number;
}

export interface Present {
  type: "present";
  seats: readonly (number)[];
}

export interface Prices {
  dollars: readonly [number, number, number, number, number];
  credits: readonly [number, number, number, number, number];
}

export interface Problem {
  type: "refused";
  code: string;
  sentence: string;
  id?: string | null;
  rule?: string | null;
  needed?: string | null;
  table?: TableView | null;
}

export interface Purse {
  dollars: number;
  credits: number;
}

export interface Ready {
  type: "ready";
  id: string;
  seat: number;
  salt?: string | null;
}

export interface Rehearsed {
  type: "Rehearsed";
  player: string;
  area: string;
  role: string;
  chips: number;
  budget: number;
  certain: boolean;
  area_id: string;
}

export interface Rematch {
  type: "rematch";
  id: string;
}

export interface Remove {
  type: "remove";
  id: string;
  seat: number;
}

export interface Replay {
  names: readonly (string)[];
  seats: readonly (Seat)[];
  options: Options;
  drawn: readonly (string)[];
  total: number;
  steps: readonly (ReplayStep)[];
  next: number | null;
}

export interface ReplayStep {
  number: number;
  player: string | null;
  action: string | null;
  events: readonly (GameStarted | DayStarted | Moved | CardTurned | RoleTaken | Acted | Rehearsed | SceneWrapped | BonusPaid | Upgraded | DayEnded | TurnEnded | GameEnded)[];
  told: readonly (string)[];
  state: Snapshot;
}

export interface Role {
  rank: number;
  name: string;
  line: string;
}

export interface RoleTaken {
  type: "RoleTaken";
  player: string;
  area: string;
  title: string;
  kind: "extra" | "star";
  number: number;
  role: string;
  rank: number;
  area_id: string;
  role_number: number;
}

export interface SceneWrapped {
  type: "SceneWrapped";
  player: string;
  area: string;
  card: number;
  title: string;
  budget: number;
  dice: readonly (number)[];
  shares: readonly (Share)[];
  scenes_left: number;
  area_id: string;
  players: readonly (PlayerAfter)[];
  sets: readonly (SetAfter)[];
}

export interface Seat {
  colour: string;
  bot: string | null;
}

export interface SeatLeft {
  type: "SeatLeft";
  player: string;
  kicked: boolean;
  host: string | null;
}

export interface SeatTaken {
  type: "SeatTaken";
  player: string;
  colour: string;
  bot: string | null;
}

export interface SeatView {
  seat: number;
  name: string;
  colour: string;
  bot: string | null;
  ready: boolean;
}

export interface Section {
  name: string;
  initial: string;
  corners: Corners;
  areas: readonly [Area, Area, Area];
  doorways: readonly (InnerDoorway)[];
}

export interface SetAfter {
  area_id: string;
  scene: number | "face down" | null;
  shots: number;
}

export interface SetSnapshot {
  scene: number | "face down" | null;
  shots: number;
}

export interface Share {
  type: "Share";
  role: string;
  rank: number;
  player: string | null;
  dice: readonly (number)[];
}

export interface Sit {
  type: "sit";
  id: string;
  name: string;
  token: string;
  colour?: string | null;
}

export interface Snapshot {
  day: number;
  active: number | null;
  moved: boolean;
  players: readonly (PlayerSnapshot)[];
  sets: Record<string, SetSnapshot>;
  unseen: readonly (number)[];
}

export interface Standing {
  type: "Standing";
  place: number;
  name: string;
  score: number;
  dollars: number;
  credits: number;
  rank: number;
  rank_points: number;
}

export interface Start {
  type: "start";
  id: string;
}

export interface Sync {
  type: "sync";
  id: string;
  since: number;
}

export interface TableList {
  tables: readonly (ListedTable)[];
  next: string | null;
}

export interface TableOpened {
  type: "TableOpened";
  game: number;
}

export interface TableView {
  code: string;
  link: string;
  public: boolean;
  status: "finished" | "running" | "waiting";
  seq: number;
  game: number;
  options: Options;
  drawn: readonly (string)[];
  host: number | null;
  seats: readonly (SeatView)[];
  commitment: string;
  salts: readonly (string)[];
  seed: string | null;
  state: Snapshot | null;
  offers: readonly (Offer)[];
  standings: readonly (Standing)[];
  pending: Pending | null;
}

export interface TurnEnded {
  type: "TurnEnded";
  player: string;
  next: string;
}

export interface Undo {
  type: "undo";
  id: string;
  seq: number;
}

export interface Update {
  type: "update";
  seq: number;
  kind: string;
  seat?: number | null;
  action?: string | null;
  events?: readonly (GameStarted | DayStarted | Moved | CardTurned | RoleTaken | Acted | Rehearsed | SceneWrapped | BonusPaid | Upgraded | DayEnded | TurnEnded | GameEnded | TableOpened | SeatTaken | SeatLeft | OptionsChosen | PlayerReady | ActionUndone)[];
  told?: readonly (string)[];
  state?: Snapshot | null;
  offers?: readonly (Offer)[];
  table?: TableView | null;
}

export interface Upgraded {
  type: "Upgraded";
  player: string;
  old_rank: number;
  rank: number;
  price: number;
  currency: "credits" | "dollars";
  dollars_after: number;
  credits_after: number;
}

export interface Welcome {
  type: "welcome";
  id: string | null;
  table: TableView;
  held: readonly (number)[];
  missed: readonly (Update)[];
  unknown: readonly (number)[];
  present: readonly (number)[];
}

export type Command = Sit | Leave | Remove | AddBot | Choose | Ready | Start | Move | Undo | Rematch | Hint | Choices | Sync | Ping;

export type GameEvent = GameStarted | DayStarted | Moved | CardTurned | RoleTaken | Acted | Rehearsed | SceneWrapped | BonusPaid | Upgraded | DayEnded | TurnEnded | GameEnded;

export type Message = Done | Hints | ChoicesView | Welcome | Pong | Update | Problem | Asked | Present | Goodbye;
