// The legal turns through the cells that are chosen, and playing them.

import { choose, current, ended, goTo, nameOf, on, own, shownTurn, show, state, system, toPlay } from "./app.js";
import { extended, played } from "./document.js";
import { $, EMBEDDED, complain, make, messageOf, say } from "./elements.js";
import { ask, asking } from "./service.js";
import { follow } from "./tree.js";

/**
 * Legal turns, by what was played before them.
 * @type {Map<string, Promise<string[]>>}
 */
const legal = new Map();

export function beginLegal() {
  on("record", () => {
    legal.clear();
    $("legal").hidden = !state.data.board;
  });
  on("place", showLegal);
  on("chosen", () => {
    if ($("cells") !== document.activeElement) $("cells").value = state.chosen.map(nameOf).join(" ");
    showLegal();
  });
  on("look", () => {
    if (state.data?.board) choose(state.chosen);
  });
  $("board").addEventListener("click", (event) => {
    const hit = /** @type {SVGElement} */ (event.target).closest("[data-cell]");
    const { cell } = /** @type {SVGElement | null} */ (hit)?.dataset ?? {};
    if (cell === undefined) return;
    const number = Number(cell);
    choose(state.chosen.includes(number) ? state.chosen.filter((each) => each !== number) : [...state.chosen, number]);
  });
  $("cells").addEventListener("input", () => choose(state.names.read($("cells").value, system())));
  $("clear").addEventListener("click", () => choose([]));
}

async function legalTurns() {
  const listed = current().legal;
  if (listed) return listed;
  if (EMBEDDED) throw new Error("This file does not list the legal turns of such a long game: `hexrec legal` does.");
  const game = played(state.data.record, state.line, state.ply);
  const key = JSON.stringify(game.moves);
  if (!legal.has(key)) {
    legal.set(
      key,
      ask("v1/legal", JSON.stringify(game)).then((answer) => answer.legal),
    );
    legal.get(key)?.catch(() => legal.delete(key));
  }
  return legal.get(key) ?? [];
}

async function showLegal() {
  const place = [state.data, state.path, state.ply, state.chosen];
  const stale = () => [state.data, state.path, state.ply, state.chosen].some((now, index) => now !== place[index]);
  $("legal-turns").replaceChildren();
  if (ended()) {
    $("legal-note").textContent = "The game is over.";
    return;
  }
  if (!state.chosen.length) {
    $("legal-note").textContent = EMBEDDED
      ? ""
      : "A turn chosen here is played, as a variation where the game continues differently.";
    return;
  }
  /** @type {string[]} */
  let turns;
  try {
    turns = await legalTurns();
  } catch (error) {
    if (!stale()) $("legal-note").textContent = messageOf(error);
    return;
  }
  if (stale()) return;
  const found = turns.filter((turn) => {
    const cells = state.names.through(turn, own());
    return state.chosen.every((cell) => cells.includes(cell));
  });
  const names = state.chosen.map((cell) => state.names.single(cell, system())).join(" and ");
  const many = found.length === 1 ? "1 legal turn" : `${found.length || "No"} legal turns`;
  const served = EMBEDDED ? " Playing on takes a server: hexrec serve." : "";
  $("legal-note").textContent = `${many} for ${toPlay()} through ${names}.${served}`;
  $("legal-turns").replaceChildren(...found.map(legalButton));
  say($("legal-note").textContent);
}

/** @param {string} turn */
function legalButton(turn) {
  const button = make("button", { type: "button", textContent: shownTurn(turn) });
  button.disabled = Boolean(EMBEDDED) && !follow(state.data.moves, state.path, state.ply, turn);
  button.addEventListener("click", () => playTurn(turn));
  return button;
}

/** @param {string} turn */
async function playTurn(turn) {
  const known = follow(state.data.moves, state.path, state.ply, turn);
  choose([]);
  if (known) return goTo(known.path, known.ply);
  const { record } = state.data;
  if (record.result && state.ply === record.moves.length && !state.path.length) {
    $("legal-note").textContent = "The record says that the game ended here: go back to play another turn.";
    return;
  }
  const grown = extended(record, state.path, state.ply, turn);
  const { document: game } = state;
  const latest = asking();
  try {
    const text = JSON.stringify(grown.record);
    const data = await ask("v1/replay", text);
    if (!latest()) return;
    state.text = text;
    game.apply(grown, state);
    show(data, grown, game);
    say($("caption").textContent);
    $("board").focus({ preventScroll: true });
  } catch (error) {
    complain(messageOf(error));
  }
}
