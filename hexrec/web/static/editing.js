// Edits of the record, and the legal turns at its position.

import { current, goTo, on, own, show, state, tell } from "./app.js";
import { forgetPlaces } from "./archive.js";
import { beginning } from "./clicks.js";
import { extended, follow, grow, inserted, prune, replaced } from "./document.js";
import { $, complain, EMBEDDED, enable, messageOf, say } from "./elements.js";
import { ask, asking } from "./service.js";

// The legal turns in the position that is shown, as they are entered on the board.


/** How many positions are remembered. */
const REMEMBERED = 500;

/** @typedef {{ turns?: Choice[], asked: Promise<Choice[]> }} Known */

/**
 * What is known of positions, by their description.
 * @type {Map<string, Known>}
 */
const known = new Map();

/** The description of the position that is shown, for the service. */
export function here() {
  return positionAsked(current().position);
}

/** @param {string | undefined} position */
function positionAsked(position) {
  const { game, ruleset, variant, size, coordinates } = state.data.record;
  return { game, ruleset, variant, size, coordinates, position };
}

/** The legal turns, if they are known already. */
export function legalNow() {
  return EMBEDDED ? listed() : known.get(JSON.stringify(here()))?.turns;
}

/** The legal turns. Throws an Error with words for people if they cannot be had. */
export async function legalTurns() {
  if (EMBEDDED) {
    const turns = listed();
    if (turns) return turns;
    throw new Error("This file does not list the legal turns of such a long game: `hexrec legal` does.");
  }
  const key = JSON.stringify(here());
  const before = known.get(key);
  if (before) return before.asked;
  const asked = ask("v1/positions?drawing=false&entry=true", key).then(choices);
  remember(key, { asked });
  asked.then(
    (turns) => remember(key, { turns, asked }),
    () => known.delete(key),
  );
  return asked;
}

/**
 * Remembers what the service has said of a position.
 * @param {string} position @param {PositionAnswer} answer
 */
function know(position, answer) {
  const turns = choices(answer);
  remember(JSON.stringify(positionAsked(position)), { turns, asked: Promise.resolve(turns) });
}

/** @param {string} key @param {Known} found */
function remember(key, found) {
  if (known.size >= REMEMBERED) known.clear();
  known.set(key, found);
}

/** @param {PositionAnswer} answer @returns {Choice[]} */
const choices = ({ legal, entry: { parts, changes } }) =>
  legal.map((turn, index) => ({ turn, parts: parts[index], changes: changes[index] }));

/** The legal turns that a file lists. @returns {Choice[] | undefined} */
function listed() {
  return current().legal?.map((turn) => ({ turn, parts: state.names.named(turn, own()).map(({ cell }) => [cell]) }));
}

/**
 * The text of parts that begin no legal turn: like that of a turn that goes as they do until the last.
 * @param {Choice[]} turns @param {number[]} parts
 */
export function spelled(turns, parts) {
  const name = state.data.board.names[own()][/** @type {number} */ (parts.at(-1))];
  const like = beginning(turns, parts.slice(0, -1)).find((turn) => turn.parts.length >= parts.length);
  const at = like && state.names.named(like.turn, own())[parts.length - 1];
  return at ? like.turn.slice(0, at.index) + name : name;
}

// Editing the game that is shown. An edit changes the document; the service says what has become of the game.

/** @typedef {import("./document.js").GameDocument} GameDocument */


/** How long after a turn the whole game is validated again, if no other is played, in milliseconds. */
const QUIET = 300;

/** Edits are made one after the other: each is of what the one before it has made. */
let last = Promise.resolve(true);
/** Ends when the game is validated again after the turns played so far. */
let validated = Promise.resolve();
/** @type {number | undefined} */
let waiting;
/** The record that the report shown is about. @type {GameRecord | undefined} */
let reported;

export function beginEditing() {
  $("redo").addEventListener("click", redo);
  on("record", () => {
    reported = state.document?.record;
    showHistory();
  });
  on("edit", showHistory);
}

function showHistory() {
  enable($("undo"), Boolean(state.document?.canUndo));
  enable($("redo"), Boolean(state.document?.canRedo));
}

/**
 * Make an edit after those before it; return whether it was made.
 * @param {() => Promise<unknown>} change
 */
function inTurn(change) {
  const made = last.then(change).then(
    (result) => result !== false,
    (error) => {
      complain(messageOf(error));
      return false;
    },
  );
  last = made;
  return made;
}

/**
 * Play a turn in the position that is shown: follow the game where it goes on with it, replace an illegal turn, else make
 * a variation or go on with the line. What it changes, if that is known, is shown at once; the service confirms it, or the
 * turn is taken back with the reason.
 * @param {string} turn @param {Change[] | undefined} changes
 */
export function playTurn(turn, changes) {
  const { document: game, path, ply } = state;
  return inTurn(async () => {
    if (state.document !== game || state.path !== path || state.ply !== ply) return false;
    if (state.inserting) {
      const made = keepClaim(game, inserted(game.record, { path, ply }, turn));
      return carryOut(game, made, { path, ply });
    }
    const existing = follow(state.data.moves, path, ply, turn);
    if (existing) return goTo(existing.path, existing.ply, { following: true });
    if (EMBEDDED) return false;
    const from = { path, ply };
    if (state.line[ply]?.illegal) return carryOut(game, keepClaim(game, replaced(game.record, from, turn)), from);
    await addTurn(game, { path, ply }, turn, changes);
    validateSoon();
  });
}

/**
 * Add a turn to the line, or as a variation to it.
 * @param {GameDocument} game @param {Place} from @param {string} turn @param {Change[] | undefined} changes
 */
async function addTurn(game, from, turn, changes) {
  const made = extended(game.record, from, turn);
  const asked = ask("v1/positions?drawing=false&entry=true", JSON.stringify({ ...here(), moves: [turn] }));
  clearTimeout(waiting);
  game.apply(made, from);
  if (changes) {
    const color = current().to_play ?? "black";
    grow(state.data.moves, made, { turn, color, changes, to_play: color === "black" ? "white" : "black" });
    tell("edit");
    goTo(made.path, made.ply, { following: true });
  }
  try {
    const answer = await asked;
    const [step] = answer.entry.steps;
    know(step.position, answer);
    grow(state.data.moves, made, step);
  } catch (error) {
    game.withdraw();
    if (changes) prune(state.data.moves, made);
    tell("edit");
    goTo(from.path, from.ply);
    validateSoon();
    throw new Error(`${turn} is not played: ${messageOf(error)}`, { cause: error });
  }
  complain("");
  tell("edit");
  // Somebody may look at another turn by now.
  if (state.path === from.path) goTo(made.path, made.ply, { following: true });
  else if (state.path === made.path) goTo(made.path, state.ply, { following: true });
}

function validateSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(validateAgain, QUIET);
}

/** Have the game validated again, while other turns may be played. */
function validateAgain() {
  clearTimeout(waiting);
  waiting = undefined;
  validated = revalidate().catch((error) => complain(messageOf(error)));
}

/**
 * Makes an edit at the place that is shown, and shows what is there after it.
 * @param {(record: GameRecord, place: Place) => Edit} change
 */
export function edit(change) {
  const { document: game, path, ply } = state;
  return inTurn(async () => {
    if (state.document !== game || state.path !== path || state.ply !== ply) return; // pressed twice
    await carryOut(game, keepClaim(game, change(game.record, { path, ply })), { path, ply });
  });
}

/**
 * An edit that keeps the recorded result of an invalid game: the result may be right, and the turns wrong.
 * @param {GameDocument} game @param {Edit} made
 * @returns {Edit}
 */
function keepClaim(game, made) {
  const { result } = game.record;
  if (!result || made.record.result || state.data.report.valid) return made;
  return { ...made, record: { ...made.record, result } };
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
    await revalidate(stay ? null : made);
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
    const { document: game } = state;
    const place = game?.[way]();
    if (!place) return;
    tell("edit");
    try {
      await revalidate(place);
    } catch (error) {
      game[way === "undo" ? "redo" : "undo"]();
      tell("edit");
      throw error;
    }
    say(`${way === "undo" ? "Undone" : "Redone"}. ${$("caption").textContent}`);
  });
}

/**
 * Has the game validated again and shows the report, at a place or where it was shown. A game that the turns
 * played have brought to its end gets its result.
 * @param {Place | null} place
 */
async function revalidate(place = null) {
  clearTimeout(waiting);
  waiting = undefined;
  const { document: game } = state;
  const { record } = game;
  const latest = asking();
  const data = await ask("v1/replay", JSON.stringify(record));
  if (!latest() || state.document !== game || game.record !== record) return;
  if (!data.board) throw new Error(data.report.diagnostics[0].message);
  if (game.changed) forgetPlaces(data);
  complain("");
  show(data, place ?? state, game);
  const { valid, result } = data.report;
  if (!valid || !result || record.result) return;
  game.amend({ ...record, result });
  tell("edit");
  await revalidate();
}

/**
 * Wait until all edits are made and the game is validated after them; return whether it could be validated. Turns that
 * are still to be played are none yet: see `settled` in entry.js.
 */
export async function editsMade() {
  let before;
  do {
    before = last;
    await before;
    await validated;
    if (waiting !== undefined || !isReported()) validateAgain();
    await validated;
  } while (before !== last || waiting !== undefined);
  return isReported();
}

const isReported = () => state.document?.record === reported;

/** Say whether the record is valid after an edit. */
export function sayReport() {
  const told = state.data.report.diagnostics.map((each) => each.message).join(" ");
  say(`${$("caption").textContent}. ${$("report-title").textContent}. ${told}`);
}
