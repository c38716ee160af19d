// Written by `python -m deadwood.server.protocol.typescript > client/src/wire.ts`; a test holds it.

export interface About {
  least_players: number;
  most_players: number;
  name_length: number;
  bots: readonly (BotView)[];
  usual_bot: string;
  colours: readonly (string)[];
  languages: readonly (string)[];
  options: readonly (OptionView)[];
  house: readonly (HouseRuleView)[];
  file_bytes: number;
  invitation_seconds: number;
  sharing: Sharing;
}

export interface ActOddsView {
  needed: number;
  chance: number;
  success: Purse;
  failure: Purse;
  wraps: boolean;
  bonus: number;
  expected: number;
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
  bot: string;
  name?: string | null;
  colour?: string | null;
}

export interface Advised {
  action: string;
  value: number;
  reason: string;
}

export interface Agree {
  type: "agree";
  id: string;
  chair: number;
  salt?: string | null;
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
  first_extra: number;
}

export interface Award {
  key: "bonus" | "hits" | "luck" | "misses" | "rank" | "rehearsals" | "scene" | "steps" | "streak" | "wraps";
  players: readonly (string)[];
  value: number;
  card: number | null;
}

export interface Billing {
  player: string;
  parts: readonly (Part)[];
  played: number;
}

export interface Board {
  name: string;
  prices: Prices;
  doorways: Doorways;
  layouts: Record<string, string>;
  sections: readonly [Section, Section, Section, Section];
}

export interface BoardChosen {
  type: "BoardChosen";
  board: string;
  custom: boolean;
}

export interface BoardLabel {
  name: string;
  fingerprint: string;
  key: string | null;
}

export interface BoardView {
  areas: readonly (AreaView)[];
  prices: readonly (Price)[];
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
  role_number: number;
}

export interface BotView {
  name: string;
  level: number;
  label: string;
  character: string;
  catchphrase: string;
  style: string;
}

export interface Bundle {
  version: number;
  sealed?: string | null;
  stored?: boolean;
}

export interface Card {
  number: number;
  title: string;
  scene: number;
  description: string;
  budget: number;
  roles: readonly (Role)[];
}

export interface CardLimits {
  budgets: readonly (number)[];
  ranks: readonly (number)[];
  least_roles: number;
  most_roles: number;
  title_length: number;
  text_length: number;
}

export interface CardTrial {
  taken: number;
  wrapped: number;
  bonus: number;
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

export interface CardsFound {
  type: "cards";
  id: string;
  cards: readonly (number)[];
  card: number | null;
  sentence: string | null;
}

export interface CashedOut {
  name: string;
  dollars: number;
  credits: number;
  rank: number;
  total: number;
}

export interface ChairLeft {
  type: "ChairLeft";
  player: string;
  removed: boolean;
  host: string | null;
  locked: boolean;
}

export interface ChairTaken {
  type: "ChairTaken";
  player: string;
  colour: string;
  bot: string | null;
  asks_again: boolean;
}

export interface ChairTakenOver {
  type: "ChairTakenOver";
  player: string;
}

export interface ChairView {
  id: number;
  name: string;
  colour: string;
  bot: string | null;
  ready: boolean;
  stand_in: string | null;
  left: boolean;
  remote: boolean;
}

export interface CheckedBoard {
  board: Board;
  fingerprint: string;
  toml: string;
}

export interface CheckedDeck {
  deck: Deck;
  fingerprint: string;
  toml: string;
}

export interface Choose {
  type: "choose";
  id: string;
  options: Record<string, string | number | null>;
}

export interface ClearTalk {
  type: "clear_talk";
  id: string;
}

export interface ClockView {
  chair: number;
  seconds: number;
  runs: boolean;
}

export interface Corners {
  top_left: string;
  top_right: string;
  bottom_right: string;
  bottom_left: string;
}

export interface Correct {
  type: "correct";
  id: string;
  seq: number;
  outcome: string;
}

export interface CorrectionView {
  chairs: readonly (number)[];
  action: string;
  outcome: string;
  needs: OutcomeNeed;
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

export interface DeckBalance {
  cards: readonly (readonly (RoleBalance)[])[];
  ranks: readonly (RankAverage)[];
  budgets: Record<string, number>;
}

export interface DeckChosen {
  type: "DeckChosen";
  deck: string;
  custom: boolean;
}

export interface DeckLabel {
  name: string;
  cards: number;
  fingerprint: string;
  key: string | null;
}

export interface Done {
  type: "done";
  id: string;
  seq: number;
  chair?: number | null;
}

export interface Doorway {
  between: readonly [string, string | null];
  at: readonly [number, number];
  wall: "horizontal" | "vertical";
}

export interface Doorways {
  horizontal: readonly [number, number];
  vertical: readonly [number, number];
  width: number;
}

export interface DraftView {
  problems: readonly (ProblemView)[];
  days: number;
  toml: string | null;
  fingerprint: string | null;
  balance: DeckBalance | null;
  classic: readonly (RankAverage)[];
  limits: CardLimits;
}

export interface Finale {
  cashed_out: readonly (CashedOut)[];
  poster: Poster;
  billing: readonly (Billing)[];
  awards: readonly (Award)[];
  shoot: Shoot;
  left: string;
}

export interface FindCards {
  type: "find_cards";
  id: string;
  text: string;
  correcting?: boolean;
}

export interface FindHandover {
  type: "find_handover";
  id: string;
  secret: string;
}

export interface FloorPlan {
  layout: string;
  width: number;
  height: number;
  sections: readonly (PlacedSection)[];
  areas: Record<string, Geometry>;
  doorways: readonly (Doorway)[];
  doorway_width: number;
}

export interface GameCalledOff {
  type: "GameCalledOff";
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

export interface GamePaused {
  type: "GamePaused";
}

export interface GameResumed {
  type: "GameResumed";
  player: string;
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
  players: readonly (ChairView)[];
  options: Options;
  standings: readonly (Standing)[];
  winners: readonly (string)[];
  finished: number;
  actions: number;
  commitment: string;
  salts: readonly (string)[];
  seed: string;
  called_off: boolean;
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

export interface HandOver {
  type: "hand_over";
  id: string;
  chair: number;
  secret: string;
}

export interface Handover {
  type: "handover";
  id: string;
  chairs: readonly (number)[];
  seconds: number;
}

export interface HandoverOpened {
  type: "HandoverOpened";
  player: string;
  by: string | null;
}

export interface Heard {
  type: "heard";
  id: string;
  number: number;
}

export interface Hello {
  type: "hello";
  tokens?: readonly (string)[];
  since?: number | null;
  language?: string;
  explain?: boolean;
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
  unit: "chance" | "points";
  advice: readonly (Advised)[];
}

export interface HostChanged {
  type: "HostChanged";
  was: string;
  host: string;
}

export interface HouseRuleView {
  name: string;
  label: string;
  explanation: string;
  default: string | number | boolean | null;
  values: readonly (HouseValueView)[];
}

export interface HouseRules {
  grace: number | null;
  stand_in: string;
  clock: number | null;
  locked: boolean;
  talk: boolean;
}

export interface HouseRulesSet {
  type: "HouseRulesSet";
  house: HouseRules;
  asks_again: boolean;
  locked: boolean;
  talk: boolean | null;
}

export interface HouseValueView {
  value: string | number | boolean | null;
  label: string;
}

export interface InnerDoorway {
  between: readonly [string, string];
  at: readonly [number, number];
  wall: "horizontal" | "vertical";
}

export interface InvitationMade {
  type: "InvitationMade";
  kept: number;
}

export interface Invite {
  type: "invite";
  id: string;
  secret?: string | null;
}

export interface KitFiles {
  deck?: string | null;
  board?: string | null;
}

export interface KitView {
  deck: Deck;
  board: BoardView;
  sections: readonly (SectionPlan)[];
  setups: readonly (Setup)[];
  colours: readonly (string)[];
  ranks: readonly (number)[];
  aid: string;
  checklist: string;
}

export interface KnownTable {
  code: string;
  tokens?: readonly (string)[];
}

export interface KnownTables {
  tables: readonly (KnownTable)[];
}

export interface Leave {
  type: "leave";
  id: string;
  chair: number;
}

export interface LessonChoice {
  step: number;
  action: string;
}

export interface LessonList {
  lessons: readonly (LessonSummary)[];
}

export interface LessonSummary {
  name: string;
  title: string;
  description: string;
  steps: number;
  seconds: number;
}

export interface LessonView {
  type: "lesson";
  name: string;
  title: string;
  step: number;
  steps: number;
  chair: number;
  table: TableView;
  happened: readonly (Update)[];
  caption: string;
  highlights: readonly (string)[];
  learned: readonly (string)[];
  next: string | null;
}

export interface ListedTable {
  code: string;
  status: "finished" | "running" | "waiting";
  options: Options;
  chairs: readonly (ChairView)[];
  created: number;
  locked: boolean;
}

export interface Made {
  table: TableView;
  chairs: readonly (number)[];
}

export interface Moved {
  type: "Moved";
  player: string;
  origin: string;
  area: string;
  origin_id: string;
  area_id: string;
}

export interface MyTable {
  code: string;
  status: "finished" | "running" | "waiting" | null;
  game?: number;
  chairs?: readonly (ChairView)[];
  held?: readonly (number)[];
  active?: number | null;
  mine?: boolean;
  paused?: boolean;
  day?: number | null;
  days?: number | null;
  standings?: readonly (Standing)[];
  finished?: number | null;
}

export interface MyTables {
  tables: readonly (MyTable)[];
}

export interface NamesReplaced {
  type: "NamesReplaced";
}

export interface NewBot {
  type: "bot";
  bot: string;
  name?: string | null;
  colour?: string | null;
}

export interface NewBundle {
  version: number;
  sealed: string;
}

export interface NewPerson {
  type: "person";
  name: string;
  token: string;
  colour?: string | null;
  salt?: string | null;
  bot?: string | null;
}

export interface NewTable {
  chairs: readonly (NewPerson | NewBot)[];
  options?: Options;
  house?: HouseRules;
  public?: boolean;
  start?: boolean;
}

export interface NotNow {
  type: "not_now";
  sentence: string;
  rule: string | null;
}

export interface NoticeTest {
  id: string;
}

export interface NoticeTried {
  delivered: boolean;
  sentence: string;
  sent: string;
}

export interface NoticesView {
  chair: number;
  allowed: boolean;
  key: string;
  most: number;
  subscriptions: readonly (SubscriptionView)[];
}

export interface Offer {
  action: string;
  chance?: number | null;
  odds?: ActOddsView | null;
  cost?: Purse | null;
  needs?: OutcomeNeed | null;
  roles?: number | null;
  upgrades?: number | null;
  points?: number | null;
}

export interface OptionList {
  options: readonly (OptionView)[];
}

export interface OptionValueView {
  value: string | number | null;
  label: string;
}

export interface OptionView {
  name: string;
  rule: string;
  label: string;
  explanation: string;
  default: string | number | null;
  values: readonly (OptionValueView)[];
  names: boolean;
  examples: readonly (string)[];
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

export interface OutcomeCorrected {
  type: "OutcomeCorrected";
  player: string;
  kind: "card" | "dice";
  outcome: string;
  was: string;
  earlier: readonly (string)[];
  by: string | null;
}

export interface OutcomeNeed {
  kind: "card" | "dice";
  count: number;
  wraps: boolean;
  bonus_dice: number;
  faces: number;
}

export interface OutcomeWanted {
  type: "pending";
  pending: PendingOutcome;
}

export interface OwnBoard {
  board: BoardView;
  plan: FloorPlan;
}

export interface Part {
  player: string;
  card: number;
  area_id: string;
  role_number: number;
  takes: number;
  hits: number;
  earned: number;
}

export interface PendingOutcome {
  chair: number;
  action: string;
  needs: OutcomeNeed;
}

export interface Pile {
  value: number;
  count: number;
}

export interface Ping {
  type: "ping";
  id: string;
}

export interface PlacedSection {
  initial: string;
  row: number;
  column: number;
  turned: boolean;
  left: number;
  top: number;
  areas: readonly (string)[];
}

export interface Play {
  type: "play";
  id: string;
  seq: number;
  action: string;
  outcome?: string | null;
}

export interface PlayerAfter {
  player: string;
  area_id: string;
  role_number: number | null;
  chips: number;
}

export interface PlayerAgreed {
  type: "PlayerAgreed";
  player: string;
  agreed: boolean;
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

export interface PlayerWentHome {
  type: "PlayerWentHome";
  player: string;
  bot: string;
  host: string | null;
}

export interface PlayersReturned {
  type: "PlayersReturned";
  players: readonly (string)[];
}

export interface PlayersVoted {
  type: "PlayersVoted";
  players: readonly (string)[];
  to: "end" | "pause";
  agrees: boolean;
}

export interface Pong {
  type: "pong";
  id: string;
  seq: number;
}

export interface Position {
  state: Snapshot;
  scores: readonly (number)[];
  leaders: readonly (number)[];
  wraps_left: number;
  offers: readonly (Offer)[];
  reasons: readonly (Reason)[];
  undo: UndoView | null;
  correction: CorrectionView | null;
  stand_in: string | null;
  clock: ClockView | null;
  paused: boolean;
  votes: VotesView;
}

export interface Poster {
  player: string;
  part: Part | null;
  cast: readonly (Part)[];
  scenes: readonly (number)[];
}

export interface Present {
  type: "present";
  chairs: readonly (number)[];
}

export interface Price {
  rank: number;
  dollars: number;
  credits: number;
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
  needs?: OutcomeNeed | null;
  line?: number | null;
  table?: TableView | null;
}

export interface ProblemView {
  card: number | null;
  text: string;
}

export interface Purse {
  dollars: number;
  credits: number;
}

export interface PushMoved {
  was: string;
  now: PushTarget;
}

export interface PushTarget {
  type: "push";
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface RankAverage {
  rank: number;
  roles: number;
  chance: number;
  bonus: number;
}

export interface React {
  type: "react";
  id: string;
  chair?: number | null;
  name?: string | null;
  voice?: string | null;
  reaction: "badge" | "bang" | "cactus" | "hat" | "horseshoe" | "mug" | "skull" | "tumbleweed";
}

export interface Ready {
  type: "ready";
  id: string;
  chair: number;
  salt?: string | null;
}

export interface Reason {
  actions: readonly (string)[];
  sentence: string;
  rule: string;
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
  gained: number;
}

export interface Rematch {
  type: "rematch";
  id: string;
}

export interface Remove {
  type: "remove";
  id: string;
  chair: number;
}

export interface Replay {
  names: readonly (string)[];
  seats: readonly (Seat)[];
  options: Options;
  drawn: readonly (string)[];
  total: number;
  steps: readonly (ReplayStep)[];
  next: number | null;
  deck: Deck | null;
  board: OwnBoard | null;
  called_off: boolean;
  finale: Finale | null;
}

export interface ReplayStep {
  number: number;
  player: string | null;
  action: string | null;
  by: string | null;
  events: readonly (GameStarted | DayStarted | Moved | CardTurned | RoleTaken | Acted | Rehearsed | SceneWrapped | BonusPaid | Upgraded | DayEnded | TurnEnded | GameEnded | OutcomeCorrected | StoodIn)[];
  sentences: readonly (string)[];
  state: Snapshot;
  scores: readonly (number)[];
  leaders: readonly (number)[];
}

export interface Resume {
  type: "resume";
  id: string;
}

export interface Role {
  rank: number;
  name: string;
  line: string;
}

export interface RoleBalance {
  rank: number;
  chance: number;
  success: Purse;
  failure: Purse;
  bonus: number;
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

export interface Said {
  type: "said";
  line: TalkLine;
}

export interface Say {
  type: "say";
  id: string;
  chair?: number | null;
  name?: string | null;
  voice?: string | null;
  text: string;
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
  stand_in: string | null;
}

export interface Section {
  name: string;
  initial: string;
  corners: Corners;
  areas: readonly [Area, Area, Area];
  doorways: readonly (InnerDoorway)[];
}

export interface SectionPlan {
  name: string;
  plan: FloorPlan;
}

export interface SetAfter {
  area_id: string;
  scene: number | "face down" | null;
  shots: number;
}

export interface SetHouse {
  type: "set_house";
  id: string;
  house: Record<string, string | boolean | number | null>;
}

export interface SetSnapshot {
  scene: number | "face down" | null;
  shots: number;
}

export interface Setup {
  players: number;
  days: number;
  cards: number;
  rank: number;
  credits: number;
  chips: number;
  bills: readonly (Pile)[];
  credit_tokens: readonly (Pile)[];
}

export interface Share {
  type: "Share";
  role: string;
  rank: number;
  player: string | null;
  dice: readonly (number)[];
  role_number: number;
  order: readonly (number)[];
  dollars: number;
}

export interface Sharing {
  reachable: boolean;
  command: string | null;
}

export interface Shoot {
  days: number;
  scenes: number;
  unfinished: number;
  budget: number;
  takes: number;
  hits: number;
  rehearsals: number;
  steps: number;
  bonus: number;
}

export interface Sit {
  type: "sit";
  id: string;
  name: string;
  token: string;
  colour?: string | null;
  invitation?: string | null;
  bot?: string | null;
}

export interface Snapshot {
  day: number;
  active: number | null;
  moved: boolean;
  players: readonly (PlayerSnapshot)[];
  sets: Record<string, SetSnapshot>;
  unseen: readonly (number)[];
}

export interface StandIn {
  type: "stand_in";
  id: string;
  chair: number;
}

export interface StandInCame {
  type: "StandInCame";
  player: string;
  bot: string;
  reason: "away" | "host" | "time";
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
  stand_in: string | null;
  credit_points: number;
}

export interface Start {
  type: "start";
  id: string;
}

export interface StoodIn {
  type: "StoodIn";
  player: string;
  bot: string;
}

export interface SubscriptionView {
  id: string;
  kind: "discord" | "json" | "ntfy" | "push" | "slack";
  host: string;
  mark: string;
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
  house: HouseRules;
  layout: string | null;
  deck: DeckLabel;
  board: BoardLabel;
  drawn: readonly (string)[];
  host: number | null;
  chairs: readonly (ChairView)[];
  commitment: string;
  salts: readonly (string)[];
  seed: string | null;
  position: Position | null;
  standings: readonly (Standing)[];
  finale: Finale | null;
  pending: PendingOutcome | null;
  agreed: readonly (number)[];
  kept: number;
  called_off: boolean;
  talk: boolean;
  start_refusal: string | null;
  sit_refusal: string | null;
  bot_refusal: string | null;
}

export interface TakeOver {
  type: "take_over";
  id: string;
  secret: string;
  token: string;
}

export interface TakenChair {
  number: number;
  chair: number;
}

export interface TalkCleared {
  type: "talk_cleared";
  number: number;
}

export interface TalkLine {
  number: number;
  name: string;
  chair?: number | null;
  voice?: string | null;
  text?: string;
  reaction?: "badge" | "bang" | "cactus" | "hat" | "horseshoe" | "mug" | "skull" | "tumbleweed" | null;
}

export interface Trial {
  games: number;
  players: number;
  days: number;
  turns: number;
  acts: number;
  successes: number;
  wraps: number;
  bonus: number;
  points: number;
  winner_points: number;
  ranks: number;
  cards: Record<string, CardTrial>;
}

export interface TrialView {
  bot: string;
  own: Trial;
  classic: Trial;
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

export interface UndoView {
  chair: number | null;
  sentence: string;
}

export interface Update {
  type: "update";
  seq: number;
  kind: string;
  chair?: number | null;
  action?: string | null;
  by?: string | null;
  events?: readonly (GameStarted | DayStarted | Moved | CardTurned | RoleTaken | Acted | Rehearsed | SceneWrapped | BonusPaid | Upgraded | DayEnded | TurnEnded | GameEnded | OutcomeCorrected | StoodIn | TableOpened | ChairTaken | ChairLeft | OptionsChosen | DeckChosen | BoardChosen | PlayerReady | PlayerAgreed | ActionUndone | HouseRulesSet | InvitationMade | StandInCame | PlayersReturned | PlayerWentHome | HostChanged | HandoverOpened | ChairTakenOver | PlayersVoted | GamePaused | GameResumed | GameCalledOff | NamesReplaced)[];
  sentences?: readonly (string)[];
  position?: Position | null;
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

export interface Vote {
  type: "vote";
  id: string;
  to: "end" | "pause";
  agrees?: boolean;
}

export interface VotesView {
  pause: readonly (number)[];
  end: readonly (number)[];
}

export interface Waiting {
  type: "waiting";
  waiting: ClockView | null;
}

export interface WebhookTarget {
  type: "webhook";
  url: string;
  kind?: "discord" | "json" | "ntfy" | "slack" | null;
}

export interface Welcome {
  type: "welcome";
  id: string | null;
  table: TableView;
  held: readonly (number)[];
  missed: readonly (Update)[];
  unknown: readonly (number)[];
  taken: readonly (TakenChair)[];
  present: readonly (number)[];
  waiting: ClockView | null;
  talk: readonly (TalkLine)[] | null;
}

export type Command = Sit | Remove | AddBot | Choose | SetHouse | Invite | Ready | Start | Rematch | Agree | Play | Undo | Correct | Leave | StandIn | HandOver | TakeOver | Vote | Resume | Hint | FindCards | FindHandover | Sync | Ping | Say | React | ClearTalk;

export type GameEvent = GameStarted | DayStarted | Moved | CardTurned | RoleTaken | Acted | Rehearsed | SceneWrapped | BonusPaid | Upgraded | DayEnded | TurnEnded | GameEnded | OutcomeCorrected | StoodIn;

export type Message = Done | Hints | CardsFound | Handover | Welcome | Pong | Heard | Update | Problem | OutcomeWanted | Present | Waiting | Said | TalkCleared | Goodbye;

export type NoticeTarget = PushTarget | WebhookTarget;
