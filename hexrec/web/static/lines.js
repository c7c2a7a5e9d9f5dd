// The buttons that edit lines of turns: delete, promote and reorder variations, replace a turn.

import { on, shownTurn, state, tell } from "./app.js";
import { exchanged, promoted, removed, reordered, shortened, substituted, variationAt } from "./document.js";
import { edit } from "./editing.js";
import { $, EMBEDDED, enable, say } from "./elements.js";
import { before, lineOf } from "./tree.js";

export function beginLines() {
  on("record", () => ($("edits").hidden = Boolean(EMBEDDED)));
  on("place", showLines);
  $("delete").addEventListener("click", () => {
    if (deletable()) edit((record, { path, ply }) => shortened(record, { path, ply: Math.max(ply - 1, 0) }));
  });
  $("remove").addEventListener("click", () => {
    if (target()) edit((record, { path }) => removed(record, { path, ply: target() })).then(sayVerdict);
  });
  $("exchange").addEventListener("click", () => {
    if ($("exchange").ariaDisabled !== "true") edit((record, { path }) => exchanged(record, { path, ply: target() })).then(sayVerdict);
  });
  $("insert").addEventListener("click", () => {
    if (state.line[state.ply]) insertNext(!state.inserting);
  });
  $("promote").addEventListener("click", () => {
    if (variation()) edit(promoted);
  });
  $("substitute").addEventListener("click", () => {
    if (variation()) edit(substituted).then(sayVerdict);
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

/** Says whether what follows a turn that was replaced is still legal. */
function sayVerdict() {
  const told = state.data.report.diagnostics.map((each) => each.message).join(" ");
  say(`${$("caption").textContent}. ${$("verdict-title").textContent}. ${told}`);
}

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
  // Turns of two lines are no neighbors in the record.
  const neighbors = one && before(state.path, target()).at(-1)?.[0] !== target() - 1;
  enable($("remove"), Boolean(other));
  enable($("exchange"), Boolean(neighbors));
  enable($("insert"), Boolean(state.line[state.ply]));
  $("remove").textContent = other ? `Remove ${shownTurn(other.turn)}` : "Remove";
  $("exchange").textContent = neighbors ? `Exchange ${shownTurn(one.turn)} and ${shownTurn(other.turn)}` : "Exchange";
  const next = state.line[state.ply];
  $("insert").textContent = next ? `Insert before ${shownTurn(next.turn)}` : "Insert";
  const inVariation = variation();
  for (const button of [$("promote"), $("substitute"), $("earlier"), $("later")]) button.hidden = !inVariation;
  if (inVariation) $("substitute").textContent = `Replace ${shownTurn(besideTurn())}`;
  enable($("earlier"), Boolean(movable(-1)));
  enable($("later"), Boolean(movable(1)));
}
