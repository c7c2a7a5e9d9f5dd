// The list of turns, the report, and the explanation of a turn.

import { claimed, ended, goTo, isLocal, nameOf, on, own, shownTurn, state } from "./app.js";
import { cellAt } from "./board.js";
import { $, EMBEDDED, linked, make, redrawn } from "./elements.js";
import { GLYPHS } from "./notes.js";
import { meaningOfCode } from "./reports.js";
import { ask, isAwake } from "./service.js";
import { messageOf, titled } from "./words.js";

// The report on the record, and its details.

/** The game that is shown. @type {object | null} */
let shownGame = null;

export function beginReport() {
  on("record", () => {
    if (!state.data) return;
    showReport();
    if (state.document !== shownGame) $("panel").scrollTop = 0;
    shownGame = state.document;
  });
}

function showReport() {
  const { report, record, game, board } = state.data;
  $("report").classList.toggle("invalid", !report.valid);
  const isNew = report.valid && record?.moves.length === 0;
  $("report").classList.toggle("new", isNew);
  $("report-title").textContent = isNew ? "New game" : report.valid ? "Valid" : "Invalid";
  const parts = [];
  if (record) {
    const rules = [record.ruleset, record.variant].filter(Boolean).join(", ");
    parts.push(`${game.title} on size ${record.size}${rules && ` (${rules})`}`);
    const players = [record.players?.black?.name, record.players?.white?.name];
    // Where there is a board, they are beside it.
    if (!board && (players[0] || players[1])) parts.push(`${players[0] ?? "?"} (Black) against ${players[1] ?? "?"} (White)`);
    const round = /^\d/.test(String(record.round ?? "")) ? `round ${record.round}` : record.round;
    parts.push(...[record.event, round, record.site, record.date].filter(Boolean));
    if (!report.result)
      parts.push(report.valid ? "unfinished" : `${report.plies} of ${record.moves.length} turns are legal`);
    else if (report.result.termination !== "rules") parts.push(claimed(report.result));
    if (record.comment) parts.push(begun(record.comment));
  }
  $("about").replaceChildren(...linked(parts.join(" · ")));
  document.title = record ? `${game.title} – hexrec` : "hexrec";
  $("diagnostics").replaceChildren(...report.diagnostics.map(diagnostic));
}

/** The longest comment that is shown whole, in characters. */
const LONGEST = 2000;

/**
 * Return the beginning of a long comment: the field for notes has all of it.
 * @param {string} comment
 */
function begun(comment) {
  if (comment.length <= LONGEST) return comment;
  return `${comment.slice(0, LONGEST)} … (${comment.length.toLocaleString("en")} characters: see the notes)`;
}

/** @param {Diagnostic} each */
function diagnostic(each) {
  const place = [each.line && `line ${each.line}, column ${each.column}`, each.ply && `ply ${each.ply}`, each.turn];
  const item = make("li", { className: each.severity }, make("span", { className: "code", textContent: each.code }));
  if (each.severity !== "error") item.append(` (${each.severity})`);
  item.append(make("div", { textContent: each.message }));
  item.append(make("div", { className: "place", textContent: place.filter(Boolean).join(" · ") }));
  const about = state.data.codes?.[each.code];
  if (about) {
    const help = make("details", { className: "help" }, make("summary", { textContent: "The rule, and what to do" }));
    help.append(make("p", {}, ...withCode(about.rule)), make("p", {}, ...withCode(about.fix)));
    item.append(help);
  }
  const { ply } = each;
  if (ply && state.data.board) {
    const button = make("button", { type: "button", textContent: "Show the position" });
    button.addEventListener("click", () => {
      goTo([], ply - 1);
      $("stage").scrollIntoView({ block: "nearest" });
    });
    item.append(button);
  }
  return item;
}

/**
 * Text in which code stands between backticks.
 * @param {string} text
 */
function withCode(text) {
  return text.split("`").map((part, index) => (index % 2 ? make("code", { textContent: part }) : part));
}

// The list of turns, with variations and comments.

/** Whether the list is another one than that which is drawn. */
let turnsChanged = true;
/**
 * What stands for the turns that were played.
 * @type {Map<Step | null, HTMLElement>}
 */
const turnItems = new Map();

/** The variations that are folded, by their paths. @type {Set<string>} */
const folded = new Set();
/** The document whose variations these are. @type {object | null} */
let foldedIn = null;

/** The frame in which the list is scrolled. */
let scrolling = 0;

export function beginTurns() {
  on("record", () => ($("list").hidden = !state.data?.board));
  for (const event of /** @type {const} */ (["record", "edit", "look"])) on(event, () => (turnsChanged = true));
  on("place", showTurns);
  $("turns").addEventListener("keydown", keysInList);
  on("look", () => {
    if (state.data?.board) showTurns();
  });
}

const shownItem = () => turnItems.get(state.ply ? state.line[state.ply - 1] : null) ?? null;

/** Shows which turn was the last one. A long list is drawn anew only if it has changed. */
function showTurns() {
  const box = $("turns");
  const draw = () => {
    // A turn that is shown is in the list.
    if (unfold(state.path) || turnsChanged) drawTurns();
    const before = box.querySelector("[aria-current]");
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    shownItem()?.setAttribute("aria-current", "true");
    shownItem()?.setAttribute("tabindex", "0");
  };
  redrawn(box, draw, shownItem);
  if (box.contains(document.activeElement)) shownItem()?.focus({ preventScroll: true });
  // To ask where things are makes the browser lay them out: once for a frame is enough.
  cancelAnimationFrame(scrolling);
  scrolling = requestAnimationFrame(scrollToShown);
}

function scrollToShown() {
  const box = $("turns");
  const at = shownItem();
  if (!at) return;
  const { offsetTop, offsetHeight } = at;
  const { scrollTop, clientHeight } = box;
  if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) {
    box.scrollTop = offsetTop - clientHeight / 2;
  }
}

function drawTurns() {
  const { moves, report } = state.data;
  turnsChanged = false;
  turnItems.clear();
  $("turns").replaceChildren(make("div", { className: "line" }, startButton(), ...lineItems(moves, [], 0)));
  if (report.result && !report.result.termination.startsWith("rules")) {
    $("turns").append(make("div", { className: "remark", textContent: claimed(report.result) }));
  }
}

/**
 * Goes from turn to turn in the order in which they are listed, variations too: one of them is a tab stop. Shift with the
 * left or right arrow key folds and unfolds a variation.
 * @param {KeyboardEvent} event
 */
function keysInList(event) {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const fold = event.shiftKey ? { ArrowLeft: true, ArrowRight: false }[event.key] : undefined;
  const box = /** @type {HTMLElement | null} */ (focused.closest(".variation"));
  if (fold !== undefined && box) {
    event.preventDefault();
    event.stopPropagation();
    const [first] = box.getElementsByClassName("turn");
    if (fold) /** @type {HTMLElement} */ (first).click();
    setFolded(JSON.parse(String(box.dataset.path)), fold);
    return;
  }
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const items = /** @type {HTMLElement[]} */ ([...$("turns").querySelectorAll("button.turn")]);
  const seen = items.filter((item) => item.offsetParent);
  seen[seen.indexOf(focused) + by]?.click();
}

/**
 * Go to the first turn of the next variation in the order of the list, or of the one before.
 * @param {1 | -1} by
 */
export function nextVariation(by) {
  const wanted = by > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const firsts = /** @type {HTMLElement[]} */ ([...$("turns").querySelectorAll(".fold + .turn")]);
  firsts.filter((item) => (shownItem()?.compareDocumentPosition(item) ?? 0) & wanted).at(by > 0 ? 0 : -1)?.click();
}

/** @param {Path} path @param {boolean} fold */
function setFolded(path, fold) {
  if (fold) folded.add(JSON.stringify(path));
  else folded.delete(JSON.stringify(path));
  turnsChanged = true;
  showTurns();
}

/**
 * Unfold the variations around a place, but for one of which it is the first turn; return whether any was folded.
 * @param {Path} path
 */
function unfold(path) {
  const before = folded.size;
  if (foldedIn !== state.document) folded.clear();
  foldedIn = state.document;
  path.forEach(([ply], index) => {
    const isFirst = index === path.length - 1 && state.ply === ply + 1;
    if (!isFirst) folded.delete(JSON.stringify(path.slice(0, index + 1)));
  });
  return folded.size < before;
}

function startButton() {
  const button = make("button", { type: "button", className: "turn wide", tabIndex: -1, textContent: "Before the first turn" });
  button.addEventListener("click", () => goTo([], 0));
  turnItems.set(null, button);
  return button;
}

/**
 * @param {Step[]} steps @param {Path} path @param {number} base
 * @returns {Generator<HTMLElement>}
 */
function* lineItems(steps, path, base) {
  for (const [index, each] of steps.entries()) {
    const ply = base + index;
    yield turnItem(each, path, ply);
    if (each.comment) yield make("div", { className: "remark wide" }, ...linked(begun(each.comment)));
    for (const [number, line] of (each.variations ?? []).entries()) {
      const inner = /** @type {Path} */ ([...path, [ply, number]]);
      const box = make("div", { className: "line variation wide" }, foldButton(inner, line.length), ...lineItems(line, inner, ply));
      box.classList.toggle("folded", folded.has(JSON.stringify(inner)));
      box.dataset.path = JSON.stringify(inner);
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", `Variation at ply ${ply + 1}`);
      yield box;
    }
  }
}

/** @param {Path} path @param {number} turns */
function foldButton(path, turns) {
  const fold = !folded.has(JSON.stringify(path));
  const title = `${fold ? "Fold" : "Unfold"} the variation`;
  const button = make("button", { type: "button", className: "fold wide", tabIndex: -1, title, textContent: fold ? "▾" : `▸ ${turns}` });
  button.ariaLabel = title;
  button.ariaExpanded = String(fold);
  button.addEventListener("click", () => {
    if (fold && state.path.length >= path.length) goTo(path.slice(0, -1), /** @type {[number, number]} */ (path.at(-1))[0]);
    setFolded(path, fold);
  });
  return button;
}

/** @param {Step} each @param {Path} path @param {number} ply */
function turnItem(each, path, ply) {
  const live = each.changes || each.illegal;
  const item = live ? make("button", { type: "button", tabIndex: -1 }) : make("span");
  item.className = `turn ${each.color}`;
  item.append(make("span", { className: "ply", textContent: String(ply + 1) }), make("span", { className: "dot" }));
  item.append(make("span", { className: "unseen", textContent: `${titled(each.color)} ` }));
  const why = whyIllegal(each, path, ply);
  item.append((each.illegal ? "✗ " : "") + shownTurn(each.turn) + (each.nag ?? []).map(glyph).join(""));
  if (!live) {
    item.append(make("span", { className: "unseen", textContent: " (not played)" }));
    return item;
  }
  const after = each.changes ? ply + 1 : ply;
  if (each.illegal) {
    item.classList.add("illegal");
    item.title = why;
    item.append(make("span", { className: "unseen", textContent: ` (illegal: ${why})` }));
  } else turnItems.set(each, item);
  item.addEventListener("click", () => goTo(path, after));
  return item;
}

/**
 * Return why a turn is illegal: in the words of the report where that is about it, else by the rule.
 * @param {Step} each @param {Path} path @param {number} ply
 */
function whyIllegal({ illegal = "" }, path, ply) {
  if (!isLocal()) return illegal;
  const { report } = state.data;
  const said = path.length ? undefined : report.diagnostics.find((each) => each.ply === ply + 1 && each.code === illegal);
  return said?.message ?? meaningOfCode(illegal);
}

/** @param {number} nag */
const glyph = (nag) => (GLYPHS[nag] ? ` ${GLYPHS[nag][0]}` : ` $${nag}`);

// Why the game ended as it did: the tables of the explanation, which point to the board, and the board to them.

/** How many lines a table has at most that is shown at once. */
const FEW_LINES = 12;
/** How long a position is looked at before its explanation is asked for, in milliseconds. */
const EXPLAIN_AFTER = 120;

/**
 * The rows that are shown, by the buttons that stand for them.
 * @type {Map<HTMLElement, ExplainedRow>}
 */
const explainedRows = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let explanationTimer;
/**
 * Stands for the position that is explained; another one is another object.
 * @type {object | null}
 */
let explaining = null;

export function beginExplanation() {
  on("record", () => {
    $("explanation").hidden = !state.data?.board;
    explainSoon();
  });
  on("place", explainSoon);
  on("look", () => {
    if (state.data?.board) explainSoon();
  });
  $("explained").open = matchMedia("(min-width: 60rem)").matches && isAwake();
  $("explained").addEventListener("toggle", explainSoon);
  const tables = $("explanation-tables");
  for (const event of ["pointerover", "focusin"]) tables.addEventListener(event, followPointer);
  for (const event of ["pointerleave", "focusout"]) tables.addEventListener(event, () => pointOut([], []));
  tables.addEventListener("keydown", walkRows);
  $("board").addEventListener("pointerover", (event) => pointBack(cellAt(event)));
  $("board").addEventListener("pointerleave", () => pointBack(null));
}

function explainSoon() {
  clearTimeout(explanationTimer);
  explaining = null;
  explainedRows.clear();
  for (const part of [$("conclusions"), $("explanation-tables")]) part.replaceChildren();
  $("explanation-note").textContent = "";
  if ($("explained").open && state.data?.board) explanationTimer = setTimeout(explain, EXPLAIN_AFTER);
}

async function explain() {
  const place = (explaining = {});
  try {
    const explanation = await explanationHere();
    if (place === explaining) showExplanation(explanation);
  } catch (error) {
    if (place === explaining) $("explanation-note").textContent = messageOf(error);
  }
}

/** @returns {Promise<Explanation>} */
async function explanationHere() {
  const { explanation } = state.data;
  if (explanation && !state.path.length && state.ply === explanation.ply) return explanation;
  if (EMBEDDED) throw new Error("This file explains the last position of the game: `hexrec explain-result` any.");
  return ask("v1/explain", JSON.stringify(gameHere()));
}

/** The game up to the position that is shown, with nothing else in it: a variation as if it had been played. */
function gameHere() {
  const { hexrec, game, ruleset, readings, variant, size, coordinates, opening, setup } = state.data.record;
  const moves = state.line.slice(0, state.ply).map((step) => step.turn);
  return { hexrec, game, ruleset, readings, variant, size, coordinates, opening, setup, moves };
}

/** @param {Explanation} explanation */
function showExplanation({ conclusions, tables }) {
  $("conclusions").replaceChildren(...conclusions.map(({ text }) => make("li", { textContent: text })));
  $("explanation-tables").replaceChildren(...tables.map(foldedTable));
  const first = explainedRows.keys().next().value;
  if (first) first.tabIndex = 0;
}

/**
 * A table is folded while the game goes on, if there is more to read in it than most people want.
 * @param {ExplainedTable} table
 */
function foldedTable(table) {
  const lines = table.rows.reduce((sum, { reasons }) => sum + 1 + reasons.length, 0);
  const head = make("summary", { textContent: `${titled(table.name)}: ${table.rows.length}` });
  return make("details", { className: "table", open: Boolean(ended()) || lines <= FEW_LINES }, head, explainedTable(table));
}

/** @param {ExplainedTable} given */
function explainedTable({ name, columns, rows: given }) {
  const heads = [name, ...columns].map((text) => make("th", { scope: "col", textContent: text }));
  const body = make("tbody", {}, ...given.flatMap((row) => explainedLines(row, columns)));
  return make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body);
}

/** @param {ExplainedRow} row @param {string[]} columns */
function explainedLines(row, columns) {
  const cells = numbersOf(row.cells).map(nameOf);
  const words = cells.length > 6 ? `${cells.slice(0, 4).join(" ")} … (${cells.length})` : cells.join(" ");
  const button = make("button", { type: "button", className: `told ${row.color ?? ""}`, tabIndex: -1 });
  button.append(make("span", { className: "dot" }), `${row.color ? titled(row.color) : ""} ${words}`.trim());
  explainedRows.set(button, row);
  const values = columns.map((column) => make("td", { textContent: shownValue(row.values[column]) }));
  const line = make("tr", {}, make("th", { scope: "row", className: "about" }, button), ...values);
  if (!row.reasons.length) return [line];
  const reasons = row.reasons.map(({ text }) => make("li", { textContent: text }));
  const told = make("td", { colSpan: columns.length + 1 }, make("ul", {}, ...reasons));
  return [line, make("tr", { className: "reasons" }, told)];
}

/** @param {ExplainedRow["values"][string]} value */
const shownValue = (value) => (value === null ? "–" : String(value));

/**
 * The numbers of cells that are named in the coordinates of the record.
 * @param {string[]} names
 */
function numbersOf(names) {
  const all = state.data.board.names[own()];
  return names.map((name) => all.indexOf(name));
}

/**
 * Points out the cells of the row that the pointer or the focus is on; of a reason, the cells through which it holds.
 * @param {Event} event
 */
function followPointer(event) {
  const target = /** @type {Element} */ (event.target);
  const line = target.closest("tbody tr");
  const button = /** @type {HTMLElement | null | undefined} */ (
    line?.querySelector("button") ?? line?.previousElementSibling?.querySelector("button")
  );
  const row = button && explainedRows.get(button);
  if (!row) return pointOut([], []);
  const item = target.closest("li");
  const reasons = item ? [row.reasons[[...(item.parentElement?.children ?? [])].indexOf(item)]] : row.reasons;
  pointOut(numbersOf(row.cells), numbersOf(reasons.flatMap(({ cells }) => cells)));
}

/**
 * Marks cells on the board: those of a row, and those through which its reasons hold.
 * @param {number[]} cells @param {number[]} through
 */
function pointOut(cells, through) {
  for (const hit of /** @type {NodeListOf<SVGElement>} */ ($("board").querySelectorAll("[data-cell]"))) {
    const cell = Number(hit.dataset.cell);
    hit.classList.toggle("pointed", cells.includes(cell));
    hit.classList.toggle("through", through.includes(cell));
  }
}

/**
 * Marks the rows that hold a cell of the board.
 * @param {number | null} cell
 */
function pointBack(cell) {
  for (const [button, row] of explainedRows) {
    button.classList.toggle("pointed", cell !== null && numbersOf(row.cells).includes(cell));
  }
}

/**
 * The up and down keys go from row to row, so that all of them are one stop for the tab key.
 * @param {KeyboardEvent} event
 */
function walkRows(event) {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const buttons = [...explainedRows.keys()];
  const at = buttons.indexOf(/** @type {HTMLElement} */ (event.target));
  if (!by || at < 0) return;
  event.preventDefault();
  const next = buttons[Math.min(Math.max(at + by, 0), buttons.length - 1)];
  buttons[at].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
