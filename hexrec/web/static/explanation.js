// Why the game ended as it did: the tables of the explanation, which point to the board, and the board to them.

import { nameOf, on, own, state } from "./app.js";
import { $, EMBEDDED, cellAt, make, messageOf } from "./elements.js";
import { ask } from "./service.js";

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
  $("explained").open = matchMedia("(min-width: 60rem)").matches;
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
  const { hexrec, game, ruleset, variant, size, coordinates, opening, setup } = state.data.record;
  const moves = state.line.slice(0, state.ply).map((step) => step.turn);
  return { hexrec, game, ruleset, variant, size, coordinates, opening, setup, moves };
}

/** @param {Explanation} explanation */
function showExplanation({ conclusions, tables }) {
  $("conclusions").replaceChildren(...conclusions.map(({ text }) => make("li", { textContent: text })));
  $("explanation-tables").replaceChildren(...tables.map(explainedTable));
  const first = explainedRows.keys().next().value;
  if (first) first.tabIndex = 0;
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
  const button = make("button", { type: "button", className: `told ${row.colour ?? ""}`, tabIndex: -1 });
  button.append(make("span", { className: "dot" }), `${row.colour ?? ""} ${words}`.trim());
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
