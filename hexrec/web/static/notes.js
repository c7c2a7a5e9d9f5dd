// What is said of a turn: a comment, a glyph, marks on the board.

import { on, own, shownTurn, state, tell } from "./app.js";
import { annotated, saidAt } from "./document.js";
import { note } from "./editing.js";
import { $, EMBEDDED, make } from "./elements.js";

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
/** The marks that lead from one cell to another. */
const LEADING = ["arrow", "line"];

/** Where the comment is being written. */
let at = place();
/** The document that was shown last. @type {object | null} */
let annotatedGame = null;

function place() {
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
  $("comment").addEventListener("input", () => (at = place()));
  $("comment").addEventListener("change", () => {
    const comment = $("comment").value.trim() || undefined;
    note(at, (record, where) => annotated(record, where, { comment }));
  });
  $("glyph").addEventListener("change", () => {
    const chosen = Number($("glyph").value);
    note(place(), (record, where) => {
      const others = (saidAt(record, where).nag ?? []).filter((nag) => !GLYPHS[nag]);
      return annotated(record, where, { nag: chosen ? [chosen, ...others] : others });
    });
  });
  $("mark-kind").addEventListener("change", showMarking);
  showMarking();
}

function showMarking() {
  const kind = $("mark-kind").value;
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
 * Draw a mark on cells, or take it away again.
 * @param {string} kind @param {number[]} numbers
 */
export function drawMark(kind, numbers) {
  const cells = numbers.map((cell) => state.names.single(cell, own()));
  const colour = $("mark-colour").value || undefined;
  const text = (kind === "label" && $("mark-text").value.trim()) || undefined;
  return note(place(), (record, where) => {
    const marks = saidAt(record, where).marks ?? [];
    return annotated(record, where, { marks: toggled(marks, { kind, cells, colour, text }) });
  });
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
