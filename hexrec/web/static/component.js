// <hexrec-board>: a game on the page of any site, to step through and to play on. The rules are here: a server is asked for
// nothing but the conversion of other formats.

import { BoardPicture, boardInWords, cellAt, cellInWords, Cursor, sample, setInMotion } from "./board.js";
import { beginning, certainChanges, chosen, click, CLOSED, meaningOf, offered, stepBack, wholeTurn } from "./clicks.js";
import { Names, playable, stonesAfter, turnOf } from "./document.js";
import { markupOf } from "./markup.js";
import { MEANINGS } from "./meanings.js";
import { choicesIn, inWords, knows, marksAfter, positionAfter, replayed } from "./replay.js";
import { games } from "./rules.js";
import { SHAPES } from "./shapes.js";
import { startOf } from "./start.js";
import { STYLES } from "./styles.js";
import { claimInWords, titled } from "./words.js";

/**
 * @typedef {{ code: string, message: string, ply?: number, turn?: string }} Problem
 * @typedef {ReturnType<typeof replayed> & { board: Board, start: Start, moves: Step[] }} Shown
 */

const ICONS = {
  first: "M4 3v14M17 3L7 10l10 7z",
  back: "M15 3L5 10l10 7z",
  forward: "M5 3l10 7L5 17z",
  last: "M16 3v14M3 3l10 7-10 7z",
};
/** @param {keyof typeof ICONS} name @param {string} words */
const stepper = (name, words) =>
  `<button type="button" data-step="${name}" aria-label="${words}" title="${words}"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="${ICONS[name]}"/></svg></button>`;
const CONTENT = `
<slot id="content"></slot>
<div id="game" hidden>
  <p id="players" part="players"></p>
  <div id="board" part="board" tabindex="0" role="application" aria-label="Board" aria-describedby="keys"></div>
  <p id="keys" class="unseen">Arrow keys go from cell to cell, Enter points at one. Page Up and Page Down step through the game.</p>
  <p id="caption" part="caption"></p>
  <p id="comment" part="comment"></p>
  <ul id="legend" part="legend"></ul>
  <div id="controls" part="controls" role="group" aria-label="Step through the game">
    ${stepper("first", "First position")}${stepper("back", "Back")}${stepper("forward", "Forward")}${stepper("last", "Last position")}
    <input id="slider" type="range" min="0" value="0" aria-label="Turn">
  </div>
  <div id="entry" part="entry" role="group" aria-label="Play">
    <button type="button" id="undo">Undo</button>
    <button type="button" id="pass">Pass</button>
    <button type="button" id="reset">Back to the record</button>
    <span id="note"></span>
    <span id="turns"></span>
  </div>
</div>
<div id="error" part="error" role="alert"></div>
<p id="live" class="unseen" role="status"></p>`;

/** How many turns are listed as buttons, and the least width of a cell beside which names are drawn, in pixels. */
const MOST_LISTED = 24;
const LEAST_NAMED = 20;

/** @type {CSSStyleSheet | undefined} */
let sheet;

/** An error in a record, or where it should come from. */
class RecordError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class HexrecBoard extends HTMLElement {
  static observedAttributes = ["src", "record", "server", "ply", "coordinates", "labels", "theme", "playable", "controls"];

  /** The record as it was given. @type {GameRecord | null} */
  #given = null;
  /** The record with the turns that are shown. @type {GameRecord | null} */
  #record = null;
  /** @type {Shown | null} */
  #shown = null;
  #ply = 0;
  /** What was shown before each turn that was played. @type {{ record: GameRecord, ply: number }[]} */
  #past = [];
  /** @type {Meaning} */
  #meaning = CLOSED;
  /** @type {Problem | null} */
  #problem = null;
  #note = "";
  /** @type {Names | null} */
  #names = null;
  /** @type {BoardPicture | null} */
  #picture = null;
  #cursor = new Cursor();
  /** The cells of the keyboard and of the pointer. @type {{ cursor: number | null, hovered: number | null }} */
  #at = { cursor: null, hovered: null };
  /** The number of the last load, and whether one waits to begin. */
  #load = 0;
  #waiting = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = CONTENT;
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLES);
    }
    root.adoptedStyleSheets = [sheet];
    const board = this.#part("board");
    board.addEventListener("pointerdown", (event) => event.preventDefault());
    board.addEventListener("click", (event) => {
      const cell = cellAt(event);
      // The second click of a double click is not meant.
      if (cell !== null && event.detail < 2) this.#press(cell);
    });
    board.addEventListener("pointerover", (event) => this.#hover(event.pointerType === "mouse" ? cellAt(event) : null));
    board.addEventListener("pointerleave", () => this.#hover(null));
    board.addEventListener("focus", () => this.#point(this.#at.cursor ?? (this.#picture ? this.#cursor.first(this.#picture) : null)));
    board.addEventListener("blur", () => this.#point(null));
    root.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
    for (const button of root.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.#step(/** @type {HTMLElement} */ (button).dataset.step ?? ""));
    }
    this.#part("slider").addEventListener("input", () => this.goTo(Number(/** @type {HTMLInputElement} */ (this.#part("slider")).value)));
    this.#part("undo").addEventListener("click", () => this.undo());
    this.#part("pass").addEventListener("click", () => this.play("pass"));
    this.#part("reset").addEventListener("click", () => this.reset());
    new ResizeObserver(() => this.#fit()).observe(board);
  }

  connectedCallback() {
    this.#reload();
  }

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    if (!this.isConnected || before === value) return;
    if (name === "src" || name === "record" || name === "server") this.#reload();
    else if (name === "ply" && value !== null) this.goTo(Number(value));
    else if (this.#shown) this.#enterAnew();
  }

  // What scripts use.

  /** The record with the turns that are shown, those that were played too; null before there is one. */
  get record() {
    return this.#record && structuredClone(this.#record);
  }

  /** @param {object | string | null} value */
  set record(value) {
    this.#load++;
    this.#waiting = false;
    if (value !== null) this.#open(() => (typeof value === "string" ? parsed(value) : structuredClone(value)));
  }

  /** The number of turns that are shown. */
  get ply() {
    return this.#ply;
  }

  set ply(value) {
    this.goTo(Number(value));
  }

  /** The number of turns that can be shown: those of the record up to an illegal one. */
  get plies() {
    return this.#shown ? playable(this.#shown.moves) : 0;
  }

  /** The turns that are shown, in canonical form. */
  get turns() {
    return this.#position?.turns ?? [];
  }

  /** The text of the position that is shown, or null. */
  get position() {
    return this.#position?.text() ?? null;
  }

  /** The error in the record, or null. */
  get error() {
    return this.#problem && { ...this.#problem };
  }

  /**
   * Show the position after some turns.
   * @param {number} ply
   */
  goTo(ply) {
    const next = Math.min(Math.max(Math.trunc(ply) || 0, 0), this.plies);
    if (!this.#shown || next === this.#ply) return;
    this.#ply = next;
    this.#enterAnew();
    this.#tell("ply", this.#place());
  }

  /**
   * Play a turn in the position that is shown. Another turn than the next of the record begins another line. Throws
   * IllegalTurn.
   * @param {string} turn
   */
  play(turn) {
    const position = this.#position;
    if (!position || !this.#record) throw new RangeError("no game is shown: there is no position to play in");
    const canonical = position.canonical(turn);
    const next = this.#record.moves[this.#ply];
    if (next !== undefined && this.#shown?.moves[this.#ply].changes && turnOf(next) === canonical) return this.goTo(this.#ply + 1);
    this.#past.push({ record: this.#record, ply: this.#ply });
    this.#record = { ...this.#record, moves: [...this.#record.moves.slice(0, this.#ply), canonical] };
    // It was the result of the turns that came next.
    delete this.#record.result;
    this.#replay(this.#ply + 1);
    this.#tell("ply", this.#place());
    this.#tell("turn", { ...this.#place(), record: this.record });
  }

  /** Take back the last part of a turn, or the last turn that was played. */
  undo() {
    const meaning = stepBack(this.#meaning);
    if (meaning) {
      this.#meaning = meaning;
      return this.#showEntry();
    }
    const before = this.#past.pop();
    if (!before) return;
    this.#record = before.record;
    this.#replay(before.ply);
    this.#tell("ply", this.#place());
  }

  /** Show the record again as it was given, where the first turn was played that it does not have. */
  reset() {
    const [first] = this.#past;
    if (!first) return;
    this.#past = [];
    this.#record = first.record;
    this.#replay(first.ply);
    this.#tell("ply", this.#place());
  }

  // Loading.

  #reload() {
    if (this.#waiting) return;
    this.#waiting = true;
    const load = ++this.#load;
    queueMicrotask(async () => {
      // The content of an element is not there yet while the page is read.
      if (!this.hasAttribute("src") && !this.hasAttribute("record") && document.readyState === "loading") {
        await new Promise((go) => {
          document.addEventListener("DOMContentLoaded", go, { once: true });
        });
      }
      if (load !== this.#load) return;
      this.#waiting = false;
      try {
        const record = await this.#find();
        if (load === this.#load && record !== undefined) this.#open(() => record);
      } catch (error) {
        if (load === this.#load) this.#fail(error);
      }
    });
  }

  /** Return the record that the attributes or the content name; undefined if there is none. */
  async #find() {
    const src = this.getAttribute("src");
    const inline = this.getAttribute("record") ?? this.querySelector('script[type="application/json"]')?.textContent;
    if (src === null && !inline?.trim()) return undefined;
    let text = inline ?? "";
    if (src !== null) {
      const answer = await fetch(new URL(src, this.baseURI)).catch((error) => error);
      if (!answer.ok) throw new RecordError("load", `${src} cannot be read (${answer.status ?? answer.message}).`);
      text = await answer.text();
    }
    const server = this.getAttribute("server");
    try {
      return parsed(text);
    } catch (error) {
      if (server === null || src === null) throw error;
      return parsed(await converted(text, new URL(server, this.baseURI)));
    }
  }

  /** @param {() => any} find */
  #open(find) {
    try {
      const record = checked(find());
      this.#given = this.#record = record;
      this.#past = [];
      this.#problem = null;
      const wanted = this.getAttribute("ply");
      this.#replay(wanted === null ? Infinity : Number(wanted) || 0, true);
      this.#problem = this.#findProblem();
      this.#showProblem();
    } catch (error) {
      return this.#fail(error);
    }
    this.#tell("load", { record: this.record, plies: this.plies, error: this.error });
    if (this.#problem) this.#tell("error", this.error);
  }

  /** @param {unknown} error */
  #fail(error) {
    const { code = "load", message } = /** @type {{ code?: string, message: string }} */ (error);
    this.#given = this.#record = this.#shown = null;
    this.#meaning = CLOSED;
    this.#problem = { code, message: MEANINGS[code] ?? message };
    this.#reveal(false);
    this.#showProblem();
    this.#tell("error", this.error);
  }

  /** Return what is wrong with the turns or the result of the record; null if nothing is. @returns {Problem | null} */
  #findProblem() {
    const { moves } = /** @type {Shown} */ (this.#shown);
    const { result, moves: given } = /** @type {GameRecord & { result?: Result & { score?: unknown } }} */ (this.#given);
    const at = moves.findIndex((step) => step.illegal !== undefined);
    if (at >= 0) {
      const position = this.#positionAt(at);
      const turn = turnOf(given[at]);
      const code = position?.refusal(turn) ?? "move/malformed";
      return { code, message: MEANINGS[code] ?? "The turn is illegal.", ply: at + 1, turn };
    }
    const computed = this.#positionAt(moves.length)?.result();
    if (!result) return null;
    const byRules = (result.termination ?? "rules") === "rules";
    let code = null;
    if (computed && !byRules) code = "result/already-over";
    else if (!computed && byRules) code = "result/not-over";
    else if (computed && result.winner !== computed.winner) code = "result/winner-mismatch";
    else if (computed && result.score && !alike(result.score, computed.score)) code = "result/score-mismatch";
    return code ? { code, message: MEANINGS[code], ply: moves.length } : null;
  }

  // The position that is shown.

  get #position() {
    return this.#shown ? this.#positionAt(this.#ply) : null;
  }

  /** @param {number} ply */
  #positionAt(ply) {
    const record = /** @type {GameRecord} */ (this.#record);
    return positionAfter(record, record.moves.slice(0, ply).map(turnOf));
  }

  #place() {
    const step = this.#ply ? this.#shown?.moves[this.#ply - 1] : undefined;
    const position = this.#position;
    return {
      ply: this.#ply,
      turn: step?.turn ?? null,
      color: step?.color ?? null,
      toPlay: position?.turn ?? null,
      position: position?.text() ?? null,
      result: position?.result() ?? null,
    };
  }

  /** @param {string} name @param {unknown} detail */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** @param {number} ply @param {boolean} [fresh] whether the board may be another */
  #replay(ply, fresh = false) {
    const record = /** @type {GameRecord} */ (this.#record);
    const shown = /** @type {Shown} */ (replayed(record));
    if (fresh) {
      this.#names = new Names(shown.board);
      this.#picture = new BoardPicture(shown.board, shown.game.surface, this.#names);
      this.#at = { cursor: null, hovered: null };
    }
    this.#shown = shown;
    this.#ply = Math.min(Math.max(ply, 0), playable(shown.moves));
    this.#reveal(true);
    this.#enterAnew(fresh);
  }

  /** Show a position in which no turn is begun. @param {boolean} [quiet] */
  #enterAnew(quiet = false) {
    const position = this.#position;
    const over = position?.isOver ? "The game is over." : null;
    const turns = this.hasAttribute("playable") && position ? choicesIn(position) : null;
    const facts = { board: true, mark: "", opening: null, over, turns: turns ?? [], goesOn: null };
    this.#meaning = turns ? meaningOf(facts, CLOSED) : CLOSED;
    this.#note = "";
    this.#show(quiet);
  }

  get #system() {
    const asked = this.getAttribute("coordinates");
    const own = this.#given?.coordinates ?? "row";
    return /** @type {System} */ (["row", "skew", "axial"].includes(asked ?? "") ? asked : own);
  }

  get #theme() {
    const asked = this.getAttribute("theme") ?? "";
    return ["light", "dark"].includes(asked) ? asked : "auto";
  }

  get #labels() {
    const asked = this.getAttribute("labels") ?? "";
    if (["all", "none"].includes(asked)) return asked;
    const { clientWidth: width } = this.#part("board");
    const picture = /** @type {BoardPicture} */ (this.#picture);
    const box = picture.box({ labels: "ends", system: this.#system }, width || undefined);
    return width && (SHAPES.layout.pitch * width) / box[2] < LEAST_NAMED ? "none" : "ends";
  }

  /** @param {number} cell */
  #nameOf = (cell) => /** @type {Names} */ (this.#names).single(cell, this.#system);

  /** @param {string} turn */
  #spelled = (turn) => /** @type {Names} */ (this.#names).respell(turn, this.#given?.coordinates ?? "row", this.#system);

  #stones() {
    const { start, moves, board } = /** @type {Shown} */ (this.#shown);
    return stonesAfter(start, moves, this.#ply, board.cells.length);
  }

  #marks() {
    const record = /** @type {GameRecord} */ (this.#record);
    const { marks, parts } = marksAfter(record, record.moves.slice(0, this.#ply).map(turnOf));
    return [...marks, ...parts];
  }

  /** @param {boolean} quiet */
  #show(quiet) {
    const { start, moves, board } = /** @type {Shown} */ (this.#shown);
    const record = /** @type {GameRecord} */ (this.#record);
    const picture = /** @type {BoardPicture} */ (this.#picture);
    const [stones, marks, system, theme] = [this.#stones(), this.#marks(), this.#system, this.#theme];
    const said = this.#ply ? record.moves[this.#ply - 1] : record;
    const about = /** @type {MoveObject} */ (typeof said === "string" ? {} : said);
    const markup = markupOf(about.marks, board, stones, record.coordinates ?? "row");
    const next = moves[this.#ply];
    const illegal = next?.illegal === undefined ? [] : /** @type {Names} */ (this.#names).through(next.turn.toLowerCase(), record.coordinates ?? "row");
    const words = (markup?.words ?? []).map(({ name, cells, joiner }) => `${name}: ${cells.map(this.#nameOf).join(joiner)}`);
    const caption = this.#caption(next);
    const description = [boardInWords(stones, marks, this.#nameOf), ...words.map((line) => `${line}.`)].join(" ");
    const view = { stones, marks, markup, illegal, system, labels: this.#labels, theme, title: caption, description };
    const drawn = picture.draw({ ...view, ...this.#pointers() });
    if (drawn.parentNode !== this.#part("board")) this.#part("board").replaceChildren(drawn);
    this.#fit();
    setInMotion(picture, stones, start, moves, this.#ply);
    this.#part("game").dataset.theme = theme;
    this.#part("caption").textContent = caption;
    this.#part("comment").textContent = about.comment ?? "";
    this.#part("players").textContent = playersOf(record);
    const kinds = new Map(marks.map((mark) => [mark.name, mark]));
    this.#part("legend").replaceChildren(
      ...[...kinds.values()].map((mark) => item(sample(mark, theme), mark.name)),
      ...words.map((line) => item(line)),
    );
    this.#showControls();
    this.#showEntry();
    if (!quiet) this.#say(caption);
  }

  /** @param {Step | undefined} next */
  #caption(next) {
    const last = this.#ply ? this.#shown?.moves[this.#ply - 1] : undefined;
    const position = this.#position;
    const result = position?.result();
    const recorded = this.#record?.result;
    const ended = recorded && this.#ply === this.#record?.moves.length;
    const when = last ? `After ply ${this.#ply}, ${titled(last.color)} ${this.#spelled(last.turn)}` : "Before the first turn";
    if (next?.illegal !== undefined) return `${when}; ${titled(next.color)} ${this.#spelled(next.turn)} is illegal here`;
    if (result) return `${when}; ${inWords(result)}`;
    return `${when}; ${ended ? claimInWords(recorded) : `${titled(position?.turn ?? "black")} to play`}`;
  }

  #showControls() {
    const most = this.plies;
    this.#part("controls").hidden = !this.hasAttribute("controls");
    const slider = /** @type {HTMLInputElement} */ (this.#part("slider"));
    slider.max = String(most);
    slider.value = String(this.#ply);
    slider.setAttribute("aria-valuetext", this.#ply ? `after ply ${this.#ply}` : "before the first turn");
    for (const button of this.#part("controls").querySelectorAll("[data-step]")) {
      const back = ["first", "back"].includes(/** @type {HTMLElement} */ (button).dataset.step ?? "");
      button.setAttribute("aria-disabled", String(back ? this.#ply === 0 : this.#ply === most));
    }
  }

  /** Show what can be entered, on the board and below it. */
  #showEntry() {
    const meaning = this.#meaning;
    this.#picture?.point({ ...this.#pointers(), stones: this.#stones() });
    this.#part("entry").hidden = meaning.kind === "closed";
    this.#part("undo").setAttribute("aria-disabled", String(!this.#past.length && !chosen(meaning).length));
    this.#part("reset").hidden = !this.#past.length;
    const turns = meaning.kind === "turn" ? meaning.turns : [];
    this.#part("pass").hidden = !turns.some((turn) => !turn.parts.length);
    const parts = chosen(meaning);
    const found = parts.length ? beginning(turns, parts) : [];
    this.#part("note").textContent = this.#note || this.#counted(turns, parts, found);
    this.#part("turns").replaceChildren(
      ...found.slice(0, MOST_LISTED).map(({ turn }) => {
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: this.#spelled(turn) });
        button.addEventListener("click", () => this.play(turn));
        return button;
      }),
    );
  }

  /** @param {Choice[]} turns @param {number[]} parts @param {Choice[]} found */
  #counted(turns, parts, found) {
    if (this.#meaning.kind === "over") return this.#meaning.reason;
    const whose = titled(this.#position?.turn ?? "black");
    const count = (/** @type {number} */ number) => `${number} legal turn${number === 1 ? "" : "s"} for ${whose}`;
    if (!parts.length) return `${count(turns.length)}.`;
    const names = parts.map(this.#nameOf);
    const whole = wholeTurn(turns, parts);
    return `${count(found.length)} with ${names.join(" and ")}.${whole ? ` ${names.at(-1)} again plays ${this.#spelled(whole.turn)}.` : ""}`;
  }

  /** @returns {Pointers} */
  #pointers() {
    const meaning = this.#meaning;
    const { cursor, hovered } = this.#at;
    const next = offered(meaning);
    const parts = hovered !== null && next.includes(hovered) ? [...chosen(meaning), hovered] : chosen(meaning);
    const changes = meaning.kind === "turn" ? certainChanges(meaning.turns, parts) : [];
    return { chosen: chosen(meaning), queued: [], next, cursor, changes };
  }

  #showProblem() {
    const { code, message, ply, turn } = this.#problem ?? { code: "", message: "" };
    const color = ply && turn !== undefined ? `${titled(this.#shown?.moves[ply - 1]?.color ?? "")} ` : "";
    const where = [ply && `Ply ${ply}`, turn !== undefined && `${color}${turn}`].filter(Boolean).join(", ");
    const parts = this.#problem ? [where && `${where}: `, message, " (", code, ")"] : [];
    this.#part("error").replaceChildren(...parts.filter((part) => part));
  }

  // What people do.

  /** @param {number} cell */
  #press(cell) {
    const { meaning, effect } = click(this.#meaning, cell);
    this.#meaning = meaning;
    this.#note = "";
    if (effect && "play" in effect) return this.play(effect.play);
    if (effect && "refuse" in effect) this.#note = this.#whyNot(effect.refuse);
    if (effect && "anew" in effect) this.#note = `${this.#nameOf(cell)} begins another turn.`;
    if (effect && "say" in effect) this.#note = effect.say;
    this.#showEntry();
    if (this.#meaning.kind !== "closed") this.#say(this.#part("note").textContent ?? "");
  }

  /** Say why no legal turn begins with some cells. @param {number[]} cells */
  #whyNot(cells) {
    const names = cells.map(this.#nameOf).join(" and ");
    const own = this.#given?.coordinates ?? "row";
    const code = cells.length === 1 && this.#position?.refusal(this.#shown?.board.names[own][cells[0]] ?? "");
    return code ? `${names}: ${MEANINGS[code]} (${code})` : `No legal turn begins with ${names}.`;
  }

  /** @param {number | null} cell */
  #hover(cell) {
    if (cell === this.#at.hovered) return;
    this.#at.hovered = cell;
    if (this.#shown) this.#picture?.point({ ...this.#pointers(), stones: this.#stones() });
  }

  /** Move the keyboard's cell. @param {number | null} cell */
  #point(cell) {
    this.#at.cursor = cell;
    if (!this.#shown) return;
    this.#picture?.point({ ...this.#pointers(), stones: this.#stones() });
    if (cell === null) return;
    const entry = [chosen(this.#meaning).includes(cell) && "chosen", offered(this.#meaning).includes(cell) && "can be played"];
    this.#say([cellInWords(cell, this.#stones(), this.#marks(), this.#nameOf), ...entry.filter(Boolean)].join(", "));
  }

  /** @param {string} name */
  #step(name) {
    const by = { first: -Infinity, back: -1, forward: 1, last: Infinity }[name] ?? 0;
    this.goTo(Math.min(Math.max(this.#ply + by, 0), this.plies));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.#shown || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    const isOnBoard = target === this.#part("board");
    const { cursor } = this.#at;
    /** @type {Record<string, () => unknown>} */
    const actions = { Escape: () => chosen(this.#meaning).length && this.undo() };
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "z" || event.shiftKey) return;
      actions[event.key] = () => this.undo();
    } else if (isOnBoard && cursor !== null && this.#picture) {
      const next = this.#cursor.next(this.#picture, cursor, event.key);
      if (next !== undefined) actions[event.key] = () => this.#point(next);
      const press = () => this.#press(cursor);
      const pass = () => this.#part("pass").hidden || this.play("pass");
      Object.assign(actions, { Enter: press, " ": press, p: pass, Home: () => this.#step("first"), End: () => this.#step("last") });
      Object.assign(actions, { PageUp: () => this.#step("back"), PageDown: () => this.#step("forward") });
    } else if (target.id !== "slider") {
      Object.assign(actions, { ArrowLeft: () => this.#step("back"), ArrowRight: () => this.#step("forward") });
    }
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  // The page.

  /** Show the game, or what the element has as content. @param {boolean} isShown */
  #reveal(isShown) {
    this.#part("game").hidden = !isShown;
    this.#part("content").hidden = isShown;
  }

  /** @param {string} id */
  #part(id) {
    return /** @type {HTMLElement} */ (this.shadowRoot?.getElementById(id));
  }

  /** Tell those who do not see the board. @param {string} text */
  #say(text) {
    this.#part("live").textContent = text;
  }

  /** Keep names readable at the width that there is. */
  #fit() {
    const drawn = this.#part("board").querySelector("svg");
    const { clientWidth: width } = this.#part("board");
    const picture = this.#picture;
    if (!drawn || !picture || !width) return;
    if (picture.shown.labels !== this.#labels) return this.#show(true);
    const box = picture.box(picture.shown, width);
    drawn.setAttribute("viewBox", box.map((value) => value.toFixed(2)).join(" "));
    picture.letter(width / box[2]);
  }
}

/** @param {any} one @param {any} other */
const alike = (one, other) => ["black", "white"].every((color) => String(one[color]) === String(other?.[color]));

/** @param {...(Node | string)} content */
function item(...content) {
  const made = document.createElement("li");
  made.append(...content);
  return made;
}

/** @param {GameRecord} record */
function playersOf({ players }) {
  const { black, white } = players ?? {};
  return black?.name || white?.name ? `Black: ${black?.name ?? "?"}. White: ${white?.name ?? "?"}.` : "";
}

/** Return the first record of a text in JSON or JSON Lines. Throws RecordError. @param {string} text */
function parsed(text) {
  for (const part of [text, text.trim().split("\n", 1)[0]]) {
    try {
      const data = JSON.parse(part);
      return Array.isArray(data) ? data[0] : data;
    } catch {
      // Another try, or an error.
    }
  }
  throw new RecordError("syntax/json", "");
}

/** Return a record in JSON by a service of hexrec. @param {string} text @param {URL} server */
async function converted(text, server) {
  const address = new URL("v1/convert?to=json", server.href.endsWith("/") ? server : `${server}/`);
  const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "text/plain" }, body: text }).catch((error) => error);
  if (answer.ok) return answer.text();
  const detail = answer.status && (await answer.json().catch(() => null))?.detail;
  throw new RecordError("load", `${server} could not convert the record (${detail ?? answer.status ?? answer.message}).`);
}

/**
 * Return a record in which a game can begin, with all the fields that are needed. Throws an Error with a code.
 * @param {any} data
 * @returns {GameRecord}
 */
function checked(data) {
  if (!data || typeof data !== "object") throw new RecordError("syntax/json", "");
  if (!knows(data.game)) throw new RecordError("schema/unknown-game", "");
  const moves = data.moves ?? [];
  if (!Array.isArray(moves) || !moves.every((move) => typeof turnOf(move ?? {}) === "string")) throw new RecordError("schema/turn", "");
  const record = { ...data, moves };
  const { size } = record;
  if (size !== undefined && !Number.isInteger(size)) throw new RecordError("schema/type", "");
  try {
    record.size = startOf(record).size;
  } catch (error) {
    // The rules name what they do not know; a missing opening is the field that games need most.
    if (error instanceof RangeError) throw new RecordError("schema/value", `${games[/** @type {import("./rules.js").GameName} */ (data.game)].title}: ${error.message}.`);
    throw error;
  }
  return record;
}

if (!customElements.get("hexrec-board")) customElements.define("hexrec-board", HexrecBoard);
