// What a record says besides turns: comments, marks, details and variations.

import { on, own, shownTurn, state, tell, voice } from "./app.js";
import { cellAt } from "./board.js";
import { annotated, before, described, exchanged, LEADING, lineOf, promoted, removed, reordered, saidAt, shortened, substituted, variationAt } from "./document.js";
import { edit, note } from "./editing.js";
import { $, EMBEDDED, enable, make } from "./elements.js";

// What is said of a turn: a comment, a glyph, marks on the board.

/**
 * Glyphs that have a name, by their number.
 * @type {Record<number, [glyph: string, name: string]>}
 */
export const GLYPHS = {
  1: ["!", "good"],
  2: ["?", "a mistake"],
  3: ["!!", "brilliant"],
  4: ["??", "a blunder"],
  5: ["!?", "interesting"],
  6: ["?!", "dubious"],
};
/**
 * What clicks do while marks are drawn, by the kind of mark.
 * @type {Record<string, string>}
 */
export const MARKS = {
  circle: "mark with a circle",
  square: "mark with a square",
  triangle: "mark with a triangle",
  cross: "mark with a cross",
  label: "mark with a label",
  area: "mark as an area",
  arrow: "draw an arrow",
  line: "draw a line",
};

/** Where the comment is being written. */
let at = currentPlace();
/** The document that was shown last. @type {object | null} */
let annotatedGame = null;

function currentPlace() {
  const { document: game, path, ply } = state;
  return { document: game, path, ply };
}

export function beginNotes() {
  $("glyph").append(make("option", { value: "", textContent: "none" }));
  for (const [nag, [glyph, name]] of Object.entries(GLYPHS)) {
    $("glyph").append(make("option", { value: nag, textContent: `${glyph} ${name}` }));
  }
  for (const [kind, does] of Object.entries(MARKS)) $("mark-kind").append(make("option", { value: kind, textContent: does }));
  on("record", () => {
    // Another game is opened to be looked at and played, whatever was drawn on the last one.
    if (state.document !== annotatedGame) stopMarking();
    annotatedGame = state.document;
    $("notes").hidden = Boolean(EMBEDDED) || !state.data?.board;
  });
  on("place", showNotes);
  $("comment").addEventListener("input", () => (at = currentPlace()));
  $("comment").addEventListener("change", () => {
    const comment = $("comment").value.trim() || undefined;
    note(at, (record, where) => annotated(record, where, { comment }));
  });
  $("glyph").addEventListener("change", () => {
    const chosen = Number($("glyph").value);
    note(currentPlace(), (record, where) => {
      const others = (saidAt(record, where).nag ?? []).filter((nag) => !GLYPHS[nag]);
      return annotated(record, where, { nag: chosen ? [chosen, ...others] : others });
    });
  });
  $("mark-kind").addEventListener("change", showMarking);
  showMarking();
  if (!EMBEDDED) beginDrawing();
}

/** The cell on which the right button of the mouse went down. @type {number | null} */
let drawnFrom = null;

/** The right button draws a circle on a cell, or an arrow from one to another, whatever clicks do. */
function beginDrawing() {
  const board = $("board");
  board.addEventListener("pointerdown", (event) => {
    if (event.button === 2) drawnFrom = state.data?.board ? cellAt(event) : null;
  });
  board.addEventListener("pointerup", (event) => {
    if (event.button !== 2 || drawnFrom === null) return;
    const to = cellAt(event);
    if (to === drawnFrom) drawMark("circle", [to], colourOf(event));
    else if (to !== null) drawMark("arrow", [drawnFrom, to], colourOf(event));
  });
  board.addEventListener("contextmenu", (event) => {
    if (drawnFrom !== null) event.preventDefault();
  });
}

/** The color of a mark by the keys that are held, as on Lichess. @param {PointerEvent} event */
function colourOf({ shiftKey, ctrlKey, altKey }) {
  const [red, blue] = [shiftKey || ctrlKey, altKey];
  if (red && blue) return "yellow";
  return red ? "red" : blue ? "blue" : "green";
}

function showMarking() {
  const kind = $("mark-kind").value;
  state.marking = kind;
  $("mark-colour-label").hidden = !kind;
  $("mark-text-label").hidden = kind !== "label";
  tell("facts");
}

/** Let clicks on the board play turns again. */
export function stopMarking() {
  if (!$("mark-kind").value) return;
  $("mark-kind").value = "";
  showMarking();
}

function showNotes() {
  if (!state.data?.board || !state.document) return;
  const said = saidAt(state.document.record, state);
  const last = state.ply && state.line[state.ply - 1];
  $("notes-title").textContent = last ? `Notes on ply ${state.ply}, ${shownTurn(last.turn)}` : "Notes on the game";
  if (document.activeElement !== $("comment")) $("comment").value = said.comment ?? "";
  $("glyph").disabled = !last;
  $("glyph").value = String((last && said.nag?.find((nag) => GLYPHS[nag])) || "");
}

/**
 * Draw a mark on cells, or take it away again. The label that is drawn next counts on.
 * @param {string} kind @param {number[]} numbers @param {string} colour empty for the usual one
 */
export function drawMark(kind, numbers, colour = $("mark-colour").value) {
  const cells = numbers.map((cell) => state.names.single(cell, own()));
  const text = (kind === "label" && $("mark-text").value.trim()) || undefined;
  const mark = { kind, cells, color: colour || undefined, text };
  const { marks = [] } = saidAt(state.document.record, state);
  if (text && toggled(marks, mark).length > marks.length) $("mark-text").value = following(text);
  return note(currentPlace(), (record, where) =>
    annotated(record, where, { marks: toggled(saidAt(record, where).marks ?? [], mark) }),
  );
}

/**
 * The label after one: the next number or letter, or the same.
 * @param {string} text
 */
function following(text) {
  if (/^\d+$/.test(text)) return String(Number(text) + 1);
  return /^[A-Ya-y]$/.test(text) ? String.fromCharCode(text.charCodeAt(0) + 1) : text;
}

/**
 * Marks without those of a kind on some cells; with the mark, if there was none.
 * @param {RecordMark[]} marks @param {RecordMark} wanted
 */
function toggled(marks, wanted) {
  const { kind, cells } = wanted;
  if (LEADING.includes(kind)) {
    const rest = marks.filter((each) => each.kind !== kind || String(each.cells) !== String(cells));
    return rest.length < marks.length ? rest : [...marks, wanted];
  }
  const marked = marks.some((each) => each.kind === kind && each.cells.includes(cells[0]));
  if (!marked) return [...marks, wanted];
  return marks.flatMap((each) => {
    const left = each.kind === kind ? each.cells.filter((cell) => cell !== cells[0]) : each.cells;
    return left.length ? [{ ...each, cells: left }] : [];
  });
}

// What is said of the game as a whole: players, event, date, the pie rule, the result.

/** The fields of the form; each names its field of the record, with those that it is in before it. */
const inputs = () =>
  /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ ([...$("details").querySelectorAll("[data-field]")]);

export function beginDetails() {
  on("record", () => {
    $("details").hidden = Boolean(EMBEDDED) || !state.data?.board;
    if (state.data?.board) showDetails();
  });
  for (const input of inputs()) {
    input.addEventListener("change", () => {
      const { document: game, path, ply } = state;
      note({ document: game, path, ply }, (record, place) => described(record, place, changed(record, input)));
    });
  }
}

/** @param {HTMLElement} input */
const fieldOf = (input) => /** @type {string} */ (input.dataset.field).split(".");

function showDetails() {
  for (const input of inputs()) {
    if (input === document.activeElement && input.matches("input")) continue;
    const fields = /** @type {any} */ (state.document.record);
    if (input.dataset.field === "result.winner") input.disabled = !fields.result;
    const value = fieldOf(input).reduce((part, name) => part?.[name], fields);
    // A result that does not say what ended the game means the rules.
    const rules = input.dataset.field === "result.termination" && fields.result;
    input.value = value ?? (rules ? "rules" : "");
  }
}

/**
 * The field of the record that an input changes, whole.
 * @param {GameRecord} record @param {HTMLInputElement | HTMLSelectElement} input
 */
function changed(record, input) {
  const [top, ...rest] = fieldOf(input);
  const text = input.value.trim();
  const value = input.type === "number" && text ? Number(text) : text || undefined;
  if (top === "result") return { result: changedResult(record.result, rest[0], text) };
  return { [top]: withValue(record[top], rest, value) };
}

/**
 * A result with another ending or winner. The score is of the rules alone; who resigns or has no time left is by default
 * the one who has the turn, and an agreement is a draw.
 * @param {Result | undefined} result @param {string} name @param {string} value
 * @returns {Result | undefined}
 */
function changedResult(result, name, value) {
  if (name === "winner") return { termination: "rules", ...result, winner: value || undefined };
  if (!value) return undefined;
  const kept = /** @type {Partial<Result> & { score?: unknown, illegal?: { turn?: string, by: string } }} */ ({ ...result });
  delete kept.score;
  if (kept.winner === "draw" && ["resignation", "time", "forfeit", "illegal"].includes(value)) delete kept.winner;
  const toMove = (state.data.moves.at(-1) ?? state.data.start).to_play;
  const opponent = opponentOf(toMove);
  const usual = { resignation: opponent, time: opponent, illegal: opponent, agreement: "draw" }[value];
  if (value !== "illegal") delete kept.illegal;
  else kept.illegal ??= { by: String(toMove) };
  return { winner: usual, ...kept, termination: value };
}

/** @param {Colour | undefined} colour */
const opponentOf = (colour) => (colour === "black" ? "white" : "black");

/**
 * A value with another one somewhere in it; undefined where nothing is left.
 * @param {any} part @param {string[]} names @param {unknown} value
 * @returns {any}
 */
function withValue(part, names, value) {
  if (!names.length) return value;
  const [name, ...rest] = names;
  const made = { ...part, [name]: withValue(part?.[name], rest, value) };
  if (made[name] === undefined) delete made[name];
  return Object.keys(made).length ? made : undefined;
}

// The buttons that edit lines of turns: delete, promote and reorder variations, replace a turn.

export function beginLines() {
  on("record", () => ($("edits").hidden = Boolean(EMBEDDED)));
  on("place", showLines);
  $("delete").addEventListener("click", () => {
    if (deletable()) edit((record, { path, ply }) => shortened(record, { path, ply: Math.max(ply - 1, 0) }));
  });
  $("remove").addEventListener("click", () => {
    if (target()) edit((record, { path }) => removed(record, { path, ply: target() })).then(voice.report);
  });
  $("exchange").addEventListener("click", () => {
    if ($("exchange").ariaDisabled !== "true") edit((record, { path }) => exchanged(record, { path, ply: target() })).then(voice.report);
  });
  $("insert").addEventListener("click", () => {
    if (state.line[state.ply]) insertNext(!state.inserting);
  });
  $("promote").addEventListener("click", () => {
    if (variation()) edit(promoted);
  });
  $("substitute").addEventListener("click", () => {
    if (variation()) edit(substituted).then(voice.report);
  });
  for (const [button, by] of /** @type {const} */ ([
    [$("earlier"), -1],
    [$("later"), 1],
  ])) {
    button.addEventListener("click", () => {
      if (movable(by)) edit((record, place) => reordered(record, place, by));
    });
  }
}

/** The ply of the turn that is removed or exchanged: the illegal one that comes next, or the last that was played. */
const target = () => (state.line[state.ply]?.illegal ? state.ply + 1 : state.ply);

/** @param {boolean} wanted */
function insertNext(wanted) {
  state.inserting = wanted;
  $("insert").setAttribute("aria-pressed", String(wanted));
  tell("facts");
}

const variation = () => state.data?.board && variationAt(state.document.record, state);
/** Before the first turn there is the whole game to be deleted, an illegal turn too. */
const deletable = () => state.line.length > 0;

/** The turn beside which the variation that is shown stands. */
function besideTurn() {
  const line = before(state.path, state.ply);
  const [branch] = /** @type {Path[number]} */ (line.at(-1));
  return lineOf(state.data.moves, line.slice(0, -1))[branch].turn;
}

/** @param {-1 | 1} by */
function movable(by) {
  const found = variation();
  return found && found.number + by >= 0 && found.number + by < found.count;
}

function showLines() {
  if (state.inserting) insertNext(false);
  enable($("delete"), deletable());
  const [one, other] = [state.line[target() - 2], state.line[target() - 1]];
  // Turns of two lines are no neighbors in the record; to exchange equal ones changes nothing.
  const neighbors = one && one.turn !== other?.turn && before(state.path, target()).at(-1)?.[0] !== target() - 1;
  enable($("remove"), Boolean(other));
  enable($("exchange"), Boolean(neighbors));
  enable($("insert"), Boolean(state.line[state.ply]));
  nameTurns($("remove"), other ? `Remove ${shownTurn(other.turn)}` : "Remove");
  nameTurns($("exchange"), neighbors ? `Exchange ${shownTurn(one.turn)} and ${shownTurn(other.turn)}` : "Exchange");
  const next = state.line[state.ply];
  nameTurns($("insert"), next ? `Insert before ${shownTurn(next.turn)}` : "Insert");
  const inVariation = variation();
  for (const button of [$("promote"), $("substitute"), $("earlier"), $("later")]) button.hidden = !inVariation;
  if (inVariation) nameTurns($("substitute"), `Replace ${shownTurn(besideTurn())}`);
  enable($("earlier"), Boolean(movable(-1)));
  enable($("later"), Boolean(movable(1)));
}

/**
 * Name the turns that a button is about where its width does not change with them.
 * @param {HTMLButtonElement} button @param {string} words
 */
function nameTurns(button, words) {
  button.title = button.ariaLabel = words;
}
