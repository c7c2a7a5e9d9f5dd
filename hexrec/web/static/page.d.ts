// What the page's script works with, for tsc: hexrec/web/README.md says what each part means.

/** Markup by color: black, white. */
type ByColour = [black: string, white: string];
interface Shapes {
  /** Distances on a board, and the width of a character of its labels. */
  layout: Record<"pitch" | "row" | "reach" | "frame" | "ledge" | "padding" | "label" | "character" | "gap" | "stone", number>;
  /** The colors of marks of records, by name. */
  tones: Record<string, string>;
  defs: Record<string, string>;
  cell: string;
  edge: string;
  body: string;
  shades: number;
  hit: string;
  chosen: string;
  next: [empty: string, stone: string];
  cursor: string;
  illegal: string;
  areas: ByColour;
  stacks: [black: string[], white: string[]];
  lifts: number[];
  marks: Record<string, ByColour>;
  samples: Record<string, ByColour>;
}
/** The rules in a few sentences. */
interface Brief {
  goal: string;
  turn: string;
  end: string;
  credit?: string;
}
/** What can be chosen for a new game: the fields of its record for the rules, and the sizes. */
interface GameChoices {
  title: string;
  /** The designers and the year. */
  about: string;
  beginning: GameRecord;
  rules: { fields: Record<string, string>; sizes: number[] }[];
  brief: Brief | null;
  /** The names of the overlays. */
  overlays: string[];
  /** The address of the page of its rules, where that is known. */
  page: string | null;
}
/** What Python gives the page: hexrec/web/assembly.py. */
interface Given {
  games: Record<string, GameChoices>;
  /** The name of a file in each format. */
  formats: Record<string, string>;
  limits: ReadLimits;
}
/** The limits on compressed files and archives: hexrec/util/limits.py. */
interface ReadLimits {
  members: number;
  name: number;
  directory: number;
  decompressed: number;
  ratio: number;
  records: number;
}
/** A file that somebody has opened or dropped, with its path from there. */
interface GivenFile {
  path: string;
  blob: Blob;
}
/** A picture of a game as SVG, and records as texts. */
interface Sample {
  picture: string;
  game: string | null;
  broken: string | null;
  lesson: Lesson | null;
  puzzles: boolean;
}

type System = "row" | "skew" | "axial";
type Colour = "black" | "white";
type Point = [x: number, y: number];
/** For each branch: the ply at which it leaves its line, and the number of the variation. */
type Path = [ply: number, variation: number][];
/** A position of the game: a line of it, and how many turns of that line were played. */
interface Place {
  path: Path;
  ply: number;
}
/** What an edit makes of a record, and the place to look at after it. */
interface Edit extends Place {
  record: GameRecord;
}
/** What views are told of. */
type AppEvent = "record" | "edit" | "place" | "facts" | "meaning" | "look" | "queue";
/** A cell, and what is there after a turn: a height, negative for White, or 0 for nothing. */
type Change = [cell: number, value: number];
/** A legal turn, for each part in which it is entered the cells any of which stands for it, and what it changes. */
interface Choice {
  turn: string;
  parts: number[][];
  changes?: Change[];
}
/** What becomes of a turn where the line goes on already. */
type GoesOn = "variation" | "insert" | null;
/** What decides what a click means: see clicks.js. */
interface Facts {
  board: boolean;
  mark: string;
  opening: Colour[] | null;
  over: string | null;
  turns: Choice[] | null;
  goesOn: GoesOn;
}
interface Opening {
  kind: "opening";
  colors: Colour[];
  cells: number[];
}
interface Turning {
  kind: "turn";
  turns: Choice[];
  parts: number[];
  goesOn: GoesOn;
}
interface Marking {
  kind: "mark";
  mark: string;
  from: number | null;
}
type Meaning =
  | { kind: "closed" }
  | { kind: "waiting" }
  | { kind: "over"; reason: string }
  | Opening
  | Turning
  | Marking;
type Effect =
  | { play: string }
  | { setOpening: Partial<Record<Colour, number>> }
  | { mark: string; cells: number[] }
  | { refuse: number[] }
  | { anew: number[] }
  | { say: string };
interface Clicked {
  meaning: Meaning;
  effect?: Effect;
}
/** What the board shows of the turn under way. */
interface Pointers {
  chosen: number[];
  queued: number[];
  next: number[];
  cursor: number | null;
  changes: Change[];
}
/** The answers of the service, as its OpenAPI document describes them: `nox -s page` writes api.d.ts. */
type Schemas = import("./api").components["schemas"];
type Board = Schemas["DrawnBoard"];
type Mark = Schemas["DrawnMark"];
type Markup = Schemas["DrawnMarkup"];
type Diagnostic = Schemas["DiagnosticData"];
type Reports = Schemas["Reports"];
type Suggestion = Schemas["SuggestionData"];
type Explanation = Schemas["ExplanationData"];
type ExplainedRow = Schemas["ExplainedRow"];
type ExplainedTable = Schemas["ExplainedTable"];
/** What the service lists of a record, and where that stands in a file. */
type Listed = Schemas["ListedRecord"];
type ListedPositions = Pick<Listed, "game" | "positions" | "result">;
type Extent = Schemas["RecordExtent"];
/** A position, with how turns are entered in it. */
type PositionAnswer = Required<Pick<Schemas["PositionData"], "legal" | "entry">>;
interface Lesson {
  steps: LessonStep[];
  end: string;
}
/** A lesson, or puzzles: a step has their address with its number at the end; `end` is said after the last one. */
interface Course {
  game: string;
  kind: "Lesson" | "Puzzle";
  address: string;
  count: number;
  end: string;
}
/**
 * Takes turns in place of the game: returns whether it has played one, which illegal turn a text begins, and says what has
 * become of clicks.
 */
interface Referee {
  judge(turn: string): boolean;
  meant(text: string): string | undefined;
  note(text: string, kind: "refusal", rule?: string): void;
}
/** A step of a lesson: a position, the question, patterns of the turns that answer it, and what is said to other turns. */
interface LessonStep {
  record: Record<string, unknown>;
  prompt: string;
  turns: string[];
  refusals?: Record<string, string>;
  hint: string;
  success: string;
  overlay?: string;
  /** Takes a legal turn that does not answer the question; without it, the hint is shown. */
  refute?: (step: LessonStep, turn: string) => void;
}

/** A turn; one that could not be played has no changes. Files that hold the page list the legal turns. */
type Step = Omit<Schemas["Step"], "variations"> & { legal?: string[]; variations?: Step[][] };
/** The state before the first turn. */
type Start = Schemas["DrawnPosition"] & Pick<Step, "legal" | "parts">;

interface Result {
  winner?: string | null;
  termination: string;
  illegal?: { turn?: string; by: string };
}
interface RecordMark {
  kind: string;
  cells: string[];
  text?: string;
  color?: string;
}
interface MoveObject {
  turn: string;
  clock?: number;
  comment?: string;
  nag?: number[];
  marks?: RecordMark[];
  variations?: Move[][];
}
type Move = string | MoveObject;

interface GameRecord {
  game: string;
  size: number;
  variant?: string;
  coordinates?: System;
  players?: Partial<Record<Colour, { name?: string }>>;
  comment?: string;
  result?: Result;
  moves: Move[];
  [field: string]: unknown;
}

/** What the service, or the file that holds the page, tells of a record that can be shown. */
type Replay = Required<Pick<Schemas["ReplayData"], "codes" | "report" | "game" | "board">> & {
  /** In a file: the record in each format, and what that has no place for. */
  texts?: Record<string, { text: string; lost: string[] }>;
  explanation?: Explanation;
  records?: number;
  record: GameRecord;
  start: Start;
  moves: Step[];
};
/** The same of any record: one that cannot be read has nothing but a report, one that cannot start has no board. */
type Answer = Pick<Replay, "report" | "records" | "codes"> & { [part in keyof Replay]?: Replay[part] | null };

/** A file of records; the format is known when it has been listed. */
interface ArchiveFile {
  name: string;
  blob: Blob;
  notation: string | null;
  /** The number of records that may come from the compressed file that holds it, and from others in that. */
  packed?: { most: number };
}
/** What a record has become: its text, its data, or its data after its text. */
interface RecordEdit {
  text?: string;
  record?: GameRecord;
  listed: Listed;
}
/** A record of the open files: as it was read, as it is now, and the document in which it is edited on the board. */
interface Entry {
  file: ArchiveFile;
  extent: Extent;
  read: Listed;
  edit: RecordEdit | null;
  /** What the edit was when the document was made. */
  base: RecordEdit | null;
  document: import("./document.js").GameDocument | null;
}
/** A piece of a file that is saved: bytes that it has, or those that take the place of a record's. */
interface Piece {
  content: Blob;
  replaces: Entry | null;
}
/** Files with edits, as they are stored. */
interface Draft {
  id: string;
  /** Which of its states it is. */
  stamp: string | null;
  name: string;
  time: number;
  files: ArchiveFile[];
  edits: { file: number; index: number; record?: GameRecord; text?: string; listed?: Listed }[];
}

/** What a picture of a position shows. */
interface View extends Pointers {
  stones: number[];
  marks: Mark[];
  markup?: Markup;
  illegal: number[];
  system: System;
  labels: string;
  theme: string;
  title: string;
  description: string;
}

/** What the page remembers. Before the first record is shown, `document`, `data`, `names` and `picture` are null: see `?.` there. */
interface State extends Place {
  document: import("./document.js").GameDocument;
  data: Replay;
  line: Step[];
  marked: { marks: Mark[]; parts: Mark[]; markup?: Markup };
  system: System;
  meaning: Meaning;
  marking: string;
  setting: object | null;
  following: boolean;
  offer: Colour | null;
  match: { document: object; plies: number; note: string } | null;
  inserting: boolean;
  hovered: number | null;
  cursor: number | null;
  systemChosen: boolean;
  lesson: LessonStep | null;
  names: import("./document.js").Names;
  picture: import("./board.js").BoardPicture;
}

/** The elements of page.html that the script works with, by id. */
interface PageElements extends Record<ButtonId, HTMLButtonElement>, Record<ChoiceId, HTMLSelectElement> {
  about: HTMLElement;
  away: HTMLElement;
  beginnings: HTMLFormElement;
  black: HTMLElement;
  board: HTMLElement;
  "by-link": HTMLElement;
  "by-link-note": HTMLElement;
  caption: HTMLElement;
  cells: HTMLInputElement;
  comment: HTMLTextAreaElement;
  conclusions: HTMLElement;
  details: HTMLDetailsElement;
  edits: HTMLElement;
  entry: HTMLElement;
  explained: HTMLDetailsElement;
  explanation: HTMLElement;
  "explanation-note": HTMLElement;
  "explanation-tables": HTMLElement;
  computer: HTMLDetailsElement;
  "computer-note": HTMLElement;
  explorer: HTMLDetailsElement;
  "explorer-games": HTMLElement;
  "explorer-note": HTMLElement;
  "explorer-turns": HTMLTableElement;
  file: HTMLInputElement;
  folder: HTMLInputElement;
  diagnostics: HTMLElement;
  drafts: HTMLElement;
  "drafts-list": HTMLElement;
  "file-note": HTMLElement;
  form: HTMLFormElement;
  games: HTMLElement;
  headline: HTMLElement;
  "games-list": HTMLElement;
  kept: HTMLElement;
  "kept-note": HTMLElement;
  legal: HTMLElement;
  "legal-note": HTMLElement;
  "lesson-answer": HTMLElement;
  "lesson-note": HTMLElement;
  "lesson-progress": HTMLProgressElement;
  "lesson-prompt": HTMLElement;
  "lesson-rule": HTMLElement;
  "lesson-step": HTMLElement;
  "lesson-title": HTMLElement;
  "legal-turns": HTMLElement;
  legend: HTMLElement;
  panel: HTMLElement;
  position: HTMLInputElement;
  list: HTMLElement;
  "mark-colour-label": HTMLElement;
  "mark-text": HTMLInputElement;
  "mark-text-label": HTMLElement;
  notes: HTMLElement;
  "notes-title": HTMLElement;
  live: HTMLElement;
  "overlay-label": HTMLElement;
  problem: HTMLElement;
  records: HTMLElement;
  "records-list": HTMLElement;
  "records-none": HTMLElement;
  "records-progress": HTMLProgressElement;
  "records-rows": HTMLElement;
  "records-title": HTMLElement;
  replay: HTMLElement | null;
  rules: HTMLDetailsElement;
  "rules-brief": HTMLElement;
  "rules-lesson": HTMLElement;
  "rules-title": HTMLElement;
  save: HTMLElement;
  score: HTMLElement;
  search: HTMLInputElement;
  "save-note": HTMLElement;
  match: HTMLDetailsElement;
  "match-note": HTMLElement;
  offer: HTMLInputElement;
  outcome: HTMLElement;
  "offer-label": HTMLElement;
  shown: HTMLElement;
  source: HTMLDetailsElement;
  "source-note": HTMLElement;
  "source-text": HTMLTextAreaElement;
  slider: HTMLInputElement;
  stage: HTMLElement;
  text: HTMLTextAreaElement;
  turns: HTMLElement;
  report: HTMLElement;
  "report-title": HTMLElement;
  view: HTMLDetailsElement;
  white: HTMLElement;
  values: HTMLElement;
}
type ButtonId =
  | ("apply" | "back" | "clear" | "delete" | "discard" | "download" | "earlier" | "exchange" | "first" | "forward" | "go-back" | "home" | "insert" | "next-invalid")
  | ("lesson-back" | "lesson-next" | "lesson-play" | "lesson-show")
  | ("larger" | "last" | "later" | "link" | "opening" | "pass" | "pick" | "pick-folder" | "play" | "promote" | "redo" | "remove")
  | ("accept" | "accept-draw" | "again" | "evaluate" | "hint" | "copy-picture" | "copy-position" | "give-up" | "resign" | "rotate" | "send" | "send-back")
  | ("repair-all" | "restore" | "save-file" | "save-report" | "smaller" | "solve" | "substitute" | "undo" | "whole");
type ChoiceId =
  | ("computer-level" | "computer-side" | "coordinates" | "dots" | "file-format" | "format" | "game-filter" | "glyph" | "labels" | "mark-colour" | "mark-kind")
  | ("new-game" | "new-rules" | "new-size" | "order" | "overlay")
  | ("sound" | "speed" | "theme" | "status-filter");

/** What the worker of the opponent is asked: for a turn of a level, or for the values of all positions after these turns. */
interface Question {
  number: number;
  record: GameRecord;
  turns: string[];
  level: number | null;
}
/** A turn with the value of its position: 1 if Black wins, -1 if White does; proved if there are no random games. */
interface ChosenTurn {
  turn: string;
  value: number;
  playouts: number;
}
/** The value of a position of a line, and a best turn in it. */
interface PositionValue {
  ply: number;
  value: number;
  playouts: number;
  best: string | null;
}

/** An event of the service worker. TypeScript cannot check scripts of pages and of workers together. */
type WorkerEvent = Event & {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
  waitUntil(done: Promise<unknown>): void;
};
interface WindowEventMap {
  install: WorkerEvent;
  activate: WorkerEvent;
  fetch: WorkerEvent;
  message: WorkerEvent & MessageEvent;
}
