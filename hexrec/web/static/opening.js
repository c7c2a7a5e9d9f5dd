// The opening stones, set by pointing at their cells before the first turn.

import { choose, on, own, state } from "./app.js";
import { described } from "./document.js";
import { edit } from "./editing.js";
import { $, EMBEDDED } from "./elements.js";

/**
 * The cells that were pointed at; null while turns are entered.
 * @type {number[] | null}
 */
let pointed = null;
/** @type {object | null} */
let game = null;

export function beginOpening() {
  on("record", () => {
    const { record } = state.document ?? {};
    if (state.document !== game || record?.moves.length) pointed = null;
    game = state.document;
    $("opening").hidden = Boolean(EMBEDDED) || !state.data?.board || !record?.opening || record.moves.length > 0;
    showMode();
  });
  $("opening").addEventListener("click", () => setUp(!settingUp()));
}

/**
 * Begins to set the opening stones, or leaves them where they are.
 * @param {boolean} wanted
 */
export function setUp(wanted) {
  if ($("opening").hidden) return;
  pointed = wanted ? [] : null;
  showMode();
  choose([], []);
}

function showMode() {
  $("opening").setAttribute("aria-pressed", String(settingUp()));
}

/** Whether the cells that are pointed at are those of the opening stones. */
export const settingUp = () => pointed !== null;

/** Whose stone is to be set next. */
const colours = () => /** @type {Colour[]} */ (Object.keys(state.document.record.opening ?? {}));

/** What is to be pointed at next, in words. */
export function openingPrompt() {
  const colour = colours()[pointed?.length ?? 0];
  return `Point at the cell of ${colour}'s opening ${state.data.game.piece}, or press Set the opening to leave it.`;
}

/**
 * Sets the next opening stone on a cell; the last one makes the opening that of the game.
 * @param {number} cell
 */
export function setStone(cell) {
  const cells = [...(pointed ?? []), cell];
  const all = colours();
  if (cells.length < all.length) {
    pointed = cells;
    return choose(cells, []);
  }
  pointed = null;
  showMode();
  choose([], []);
  const named = cells.map((each) => state.names.single(each, own()));
  const opening = Object.fromEntries(all.map((colour, index) => [colour, named[index]]));
  return edit((record, place) => described(record, place, { opening }));
}
