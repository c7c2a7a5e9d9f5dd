// The first steps of a new game: the opening stones, and who plays which color.

import { on, own, state, tell } from "./app.js";
import { described } from "./document.js";
import { edit } from "./editing.js";
import { $, EMBEDDED, make } from "./elements.js";

export function beginOpening() {
  on("record", showOpening);
  $("opening").addEventListener("click", () => setUp(!state.setting));
}

/** Return whether the opening can be set: before the first turn of a game that has one. */
function canSet() {
  const { record } = state.document ?? {};
  return Boolean(!EMBEDDED && state.data?.board && record?.opening && !record.moves.length);
}

function showOpening() {
  if (state.setting && (state.setting !== state.document || !canSet())) state.setting = null;
  $("opening").hidden = !canSet();
  $("opening").textContent = state.setting ? "Keep opening" : "Set opening";
}

/**
 * Begin to set the opening stones, or leave them where they are.
 * @param {boolean} wanted
 */
export function setUp(wanted) {
  if (!canSet()) return;
  state.setting = wanted ? state.document : null;
  showOpening();
  tell("facts");
}

/**
 * Make some cells those of the opening stones.
 * @param {Partial<Record<Colour, number>>} cells
 */
export function setOpening(cells) {
  state.setting = null;
  const opening = Object.fromEntries(Object.entries(cells).map(([color, cell]) => [color, state.names.single(cell, own())]));
  return edit((record, place) => described(record, place, { opening }));
}

/** Return the buttons of the pie rule; none once it was used, or a turn was played. */
export function pieButtons() {
  const { record } = state.document;
  if (!canSet() || record.pie || record.setup) return [];
  return /** @type {Colour[]} */ (["black", "white"]).map((chosen) => {
    const title = chosen === "black" ? "Black" : "White";
    const button = make("button", { type: "button", textContent: `Second player takes ${title}` });
    button.addEventListener("click", () => edit((each, place) => described(each, place, { pie: { chosen } })));
    return button;
  });
}
