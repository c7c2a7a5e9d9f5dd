// The arrow keys on the board, and the keyboard shortcuts of the page.

import { nameOf, state, step } from "./app.js";
import { cellInWords, Cursor } from "./board.js";
import { chosen, offered } from "./clicks.js";
import { stonesAfter } from "./document.js";
import { commands, redo } from "./editing.js";
import { $, say } from "./elements.js";
import { takeBackPart } from "./entry.js";
import { turnPage } from "./lesson.js";
import { stopMarking } from "./notes.js";
import { nextOverlay, overlayMarks } from "./overlays.js";
import { pass, press, undoLast } from "./play.js";
import { reveal, rotate, showPointers, stop } from "./stage.js";
import { nextVariation } from "./turns.js";

// The keyboard on the board: arrow keys go from cell to cell, Enter points at the cell.

const cursorOfKeys = new Cursor();

export function beginCursor() {
  $("board").addEventListener("focus", () => point(state.cursor ?? cursorOfKeys.first(state.picture)));
  $("board").addEventListener("blur", () => {
    state.cursor = null;
    showPointers();
  });
  $("board").addEventListener("keydown", keysOnBoard);
}

/** @param {KeyboardEvent} event */
function keysOnBoard(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !state.data?.board) return;
  const { cursor } = state;
  if (cursor === null || !state.data.board.cells[cursor]) return;
  const next = cursorOfKeys.next(state.picture, cursor, event.key);
  /** @type {Record<string, () => void>} */
  const actions = {
    Enter: () => press(cursor),
    " ": () => press(cursor),
    Home: () => go(-Infinity),
    End: () => go(Infinity),
    PageUp: () => go(-1),
    PageDown: () => go(1),
    p: pass,
  };
  const action = next === undefined ? actions[event.key] : () => point(next);
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

/** @param {number} cell */
function point(cell) {
  state.cursor = cell;
  showPointers();
  reveal(state.picture.at[cell]);
  say(spoken(cell));
}

/** @param {number} cell */
function spoken(cell) {
  const { board, start } = state.data;
  const stones = stonesAfter(start, state.line, state.ply, board.cells.length);
  const marks = [...state.marked.marks, ...overlayMarks()];
  const { meaning } = state;
  const entry = [
    chosen(meaning).includes(cell) && "chosen",
    commands.cells.includes(cell) && "waiting",
    offered(meaning).includes(cell) && "can be played",
  ];
  return [cellInWords(cell, stones, marks, nameOf), ...entry.filter(Boolean)].join(", ");
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
    const begun = chosen(state.meaning).length || commands.cells.length;
    return begun ? takeBackPart() : stopMarking();
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
  go(steps[event.key]);
}
