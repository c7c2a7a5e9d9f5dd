// The buttons that edit lines of turns: delete, promote and reorder variations.

import { on, state } from "./app.js";
import { promoted, reordered, shortened, variationAt } from "./document.js";
import { edit } from "./editing.js";
import { $, EMBEDDED, enable } from "./elements.js";

export function beginLines() {
  on("record", () => ($("edits").hidden = Boolean(EMBEDDED)));
  on("place", showLines);
  $("delete").addEventListener("click", () => {
    if (deletable()) edit((record, { path, ply }) => shortened(record, { path, ply: Math.max(ply - 1, 0) }));
  });
  $("promote").addEventListener("click", () => {
    if (variation()) edit(promoted);
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

const variation = () => state.data?.board && variationAt(state.document.record, state);
/** Before the first turn there is the whole game to be deleted, an illegal turn too. */
const deletable = () => state.line.length > 0;

/** @param {-1 | 1} by */
function movable(by) {
  const found = variation();
  return found && found.number + by >= 0 && found.number + by < found.count;
}

function showLines() {
  enable($("delete"), deletable());
  for (const button of [$("promote"), $("earlier"), $("later")]) button.hidden = !variation();
  enable($("earlier"), Boolean(movable(-1)));
  enable($("later"), Boolean(movable(1)));
}
