// Editing the game that is shown. An edit changes the document; the service says what has become of the game.

/** @typedef {import("./document.js").GameDocument} GameDocument */

import { goTo, on, show, state, tell } from "./app.js";
import { extended, replaced } from "./document.js";
import { $, EMBEDDED, complain, enable, messageOf, say } from "./elements.js";
import { here, know } from "./legal.js";
import { ask, asking } from "./service.js";
import { follow, grow } from "./tree.js";

/** How long after a turn the whole game is judged again, if no other is played, in milliseconds. */
const QUIET = 300;

/** Edits are made one after the other: each is of what the one before it has made. */
let last = Promise.resolve();
/** @type {number | undefined} */
let waiting;

export function beginEditing() {
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  on("record", showHistory);
  on("edit", showHistory);
}

function showHistory() {
  enable($("undo"), Boolean(state.document?.canUndo));
  enable($("redo"), Boolean(state.document?.canRedo));
}

/** @param {() => Promise<void>} change */
function inTurn(change) {
  last = last.then(() => change()).catch((error) => complain(messageOf(error)));
  return last;
}

/**
 * Plays a turn in the position that is shown: follows the game where it goes on with it, takes the place of an illegal
 * turn, else makes a variation or goes on with the line.
 * @param {string} turn
 */
export function playTurn(turn) {
  const { document: game, path, ply } = state;
  return inTurn(async () => {
    if (state.document !== game || state.path !== path || state.ply !== ply) return; // pressed twice
    const { data, line } = state;
    const known = follow(data.moves, path, ply, turn);
    if (known) return goTo(known.path, known.ply);
    if (EMBEDDED) return;
    const { record } = game;
    if (record.result && ply === record.moves.length && !path.length) {
      const refused = "The record says that the game ended here: take its result away to play on.";
      $("legal-note").textContent = refused;
      return say(refused);
    }
    const wrong = line[ply]?.illegal;
    const made = wrong ? replaced(record, state, turn) : extended(record, state, turn);
    const answer = await ask("v1/positions?drawing=false&entry=true", JSON.stringify({ ...here(), moves: [turn] }));
    if (state.document !== game) return;
    complain("");
    game.apply(made, { path, ply });
    tell("edit");
    if (wrong) return judge(made);
    const [step] = answer.entry.steps;
    know(step.position, answer);
    grow(data.moves, made, step);
    goTo(made.path, made.ply);
    clearTimeout(waiting);
    waiting = setTimeout(() => inTurn(judge), QUIET);
  });
}

/**
 * Makes an edit at the place that is shown, and shows what is there after it.
 * @param {(record: GameRecord, place: Place) => Edit} change
 */
export function edit(change) {
  const { document: game, path, ply } = state;
  return inTurn(async () => {
    if (state.document !== game || state.path !== path || state.ply !== ply) return; // pressed twice
    await carryOut(game, change(game.record, { path, ply }), { path, ply });
  });
}

/**
 * Makes an edit that moves no turn, at a place that was shown when it was written; what is shown stays.
 * @param {Place & { document: GameDocument }} at @param {(record: GameRecord, place: Place) => Edit} change
 */
export function note({ document: game, path, ply }, change) {
  return inTurn(async () => {
    if (state.document === game) await carryOut(game, change(game.record, { path, ply }), { path, ply }, true);
  });
}

/** @param {GameDocument} game @param {Edit} made @param {Place} from */
async function carryOut(game, made, from, stay = false) {
  game.apply(made, from);
  tell("edit");
  try {
    await judge(stay ? null : made);
  } catch (error) {
    game.withdraw();
    tell("edit");
    throw error;
  }
}

export const undo = () => travel("undo");
export const redo = () => travel("redo");

/** @param {"undo" | "redo"} way */
function travel(way) {
  return inTurn(async () => {
    const place = state.document?.[way]();
    if (!place) return;
    tell("edit");
    await judge(place);
    say(`${way === "undo" ? "Undone" : "Redone"}. ${$("caption").textContent}`);
  });
}

/**
 * Has the game judged anew and shows what has become of it, at a place or where it was shown. A game that the turns
 * played have brought to its end gets its result.
 * @param {Place | null} place
 */
async function judge(place = null) {
  clearTimeout(waiting);
  waiting = undefined;
  const { document: game } = state;
  const { record } = game;
  const latest = asking();
  const data = await ask("v1/replay", JSON.stringify(record));
  if (!latest() || state.document !== game || game.record !== record) return;
  if (!data.board) throw new Error(data.report.diagnostics[0].message);
  complain("");
  show(data, place ?? state, game);
  const { valid, result } = data.report;
  if (!valid || !result || record.result) return;
  game.amend({ ...record, result });
  tell("edit");
  await judge();
}

/** Waits until all edits are made and judged. */
export async function settled() {
  if (waiting !== undefined) inTurn(judge);
  await last;
}
