// What is said of a turn: a comment, a glyph, marks on the board.

import { nameOf, on, own, shownTurn, state } from "./app.js";
import { annotated, saidAt } from "./document.js";
import { note } from "./editing.js";
import { $, EMBEDDED, make, say } from "./elements.js";

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
/** The marks that lead from one cell to another. */
const LEADING = ["arrow", "line"];

/** Where the comment is being written. */
let at = place();
/**
 * Where an arrow or a line begins.
 * @type {number | null}
 */
let from = null;

function place() {
  const { document: game, path, ply } = state;
  return { document: game, path, ply };
}

export function beginNotes() {
  $("glyph").append(make("option", { value: "", textContent: "none" }));
  for (const [nag, [glyph, name]] of Object.entries(GLYPHS)) {
    $("glyph").append(make("option", { value: nag, textContent: `${glyph} ${name}` }));
  }
  on("record", () => {
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
  from = null;
  $("mark-colour-label").hidden = !marking();
  $("mark-text-label").hidden = marking() !== "label";
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

/** The kind of mark that clicks on the board draw; empty if they enter turns. */
export const marking = () => $("mark-kind").value;

/**
 * Draws a mark on a cell, or takes it away again.
 * @param {number} cell
 */
export function mark(cell) {
  const kind = marking();
  const name = (/** @type {number} */ each) => state.names.single(each, own());
  if (LEADING.includes(kind) && from === null) {
    from = cell;
    return say(`From ${nameOf(cell)}: point at the other end.`);
  }
  const cells = from === null ? [name(cell)] : [name(from), name(cell)];
  from = null;
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
