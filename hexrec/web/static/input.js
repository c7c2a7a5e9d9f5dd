// The arrow keys on the board, and the keyboard shortcuts of the page.

import { current, nameOf, state, step } from "./app.js";
import { chosen, offered, queued } from "./clicks.js";
import { stonesAfter } from "./document.js";
import { redo } from "./editing.js";
import { $, say } from "./elements.js";
import { press, takeBack, undoLast } from "./entry.js";
import { turnPage } from "./lesson.js";
import { stopMarking } from "./notes.js";
import { nextOverlay, overlayMarks } from "./overlays.js";
import { reveal, rotate, showPointers, stop } from "./stage.js";
import { nextVariation } from "./turns.js";

// The keyboard on the board: arrow keys go from cell to cell, Enter points at the cell.


/** Where the cursor goes up and down from: it keeps to its column as well as the rows let it. */
let column = 0;

export function beginCursor() {
  $("board").addEventListener("focus", () => point(state.cursor ?? nearestToTheMiddle()));
  $("board").addEventListener("blur", () => {
    state.cursor = null;
    showPointers();
  });
  $("board").addEventListener("keydown", keysOnBoard);
}

function nearestToTheMiddle() {
  return state.data.board.cells.findIndex(([q, r]) => !q && !r);
}

/** @param {KeyboardEvent} event */
function keysOnBoard(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !state.data?.board) return;
  const { cursor } = state;
  if (cursor === null || !state.data.board.cells[cursor]) return;
  /** @type {Record<string, () => void>} */
  const actions = {
    ArrowLeft: () => along(cursor, -1),
    ArrowRight: () => along(cursor, 1),
    ArrowUp: () => across(cursor, -1),
    ArrowDown: () => across(cursor, 1),
    Enter: () => press(cursor),
    " ": () => press(cursor),
    Home: () => go(-Infinity),
    End: () => go(Infinity),
    PageUp: () => go(-1),
    PageDown: () => go(1),
    p: () => $("pass").hidden || $("pass").click(),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

/** @param {number} by */
function go(by) {
  stop();
  if (state.lesson) turnPage(Math.sign(by));
  else step(by);
}

/** The row of the picture in which a cell is. @param {number} cell */
const rowOf = (cell) => /** @type {number[]} */ (state.picture.rows.find((row) => row.includes(cell)));

/** @param {number} cell @param {number} by */
function along(cell, by) {
  const row = rowOf(cell);
  const next = row[row.indexOf(cell) + by];
  if (next !== undefined) point(next);
}

/** @param {number} cell @param {number} by */
function across(cell, by) {
  const { at, rows } = state.picture;
  const row = rows[rows.indexOf(rowOf(cell)) + by];
  if (!row) return;
  const far = (/** @type {number} */ other) => Math.abs(at[other][0] - column);
  point(row.reduce((best, other) => (far(other) < far(best) - 0.01 ? other : best)), false);
}

/** @param {number} cell */
function point(cell, aside = true) {
  state.cursor = cell;
  if (aside) [column] = state.picture.at[cell];
  showPointers();
  reveal(state.picture.at[cell]);
  say(spoken(cell));
}

/** @param {number} cell */
function spoken(cell) {
  const { board, start } = state.data;
  const value = stonesAfter(start, state.line, state.ply, board.cells.length)[cell];
  const height = Math.abs(value) > 1 ? `, height ${Math.abs(value)}` : "";
  const marked = [...(current().marks ?? []), ...overlayMarks()].filter((mark) => mark.cells.includes(cell));
  const marks = [...new Set(marked.map((mark) => mark.name))];
  const { meaning } = state;
  const entry = [
    chosen(meaning).includes(cell) && "chosen",
    queued(meaning).includes(cell) && "waiting",
    offered(meaning).includes(cell) && "can be played",
  ];
  const standing = value ? (value > 0 ? "black" : "white") + height : "empty";
  return [nameOf(cell), standing, ...marks, ...entry.filter(Boolean)].join(", ");
}

// The keys that mean the same everywhere outside of fields: stepping, undo and redo, taking a part of a turn back.


export function beginKeyboard() {
  document.addEventListener("keydown", keys);
}

/** @param {KeyboardEvent} event */
function keys(event) {
  if (!state.data?.board || event.altKey) return;
  const target = /** @type {Element} */ (event.target);
  if (event.key === "Escape") {
    const begun = chosen(state.meaning).length || queued(state.meaning).length;
    return begun ? takeBack() : stopMarking();
  }
  if (target.closest("input, textarea, select")) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() === "z") {
      event.preventDefault();
      (event.shiftKey ? redo : undoLast)();
    } else if (event.key.toLowerCase() === "y") {
      event.preventDefault();
      redo();
    }
    return;
  }
  /** @type {Record<string, () => void>} */
  const actions = {
    o: nextOverlay,
    r: () => rotate(event.shiftKey ? -1 : 1),
    v: () => nextVariation(event.shiftKey ? -1 : 1),
  };
  if (event.key.toLowerCase() in actions) return actions[event.key.toLowerCase()]();
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  if (target.closest("#stage")) Object.assign(steps, { Home: -Infinity, End: Infinity });
  if (!(event.key in steps)) return;
  event.preventDefault();
  stop();
  if (state.lesson) turnPage(Math.sign(steps[event.key]));
  else step(steps[event.key]);
}
