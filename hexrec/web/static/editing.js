// What people do to the game that is shown: each command changes the document, and what has become of the game is shown.
// The rules of the games that hexrec knows are here, so that is at once; for others the service is asked first. Whether the
// record is valid otherwise is asked behind. No DOM.

import { current, goTo, isLocal, on, own, positionText, show, state, tell, turnsPlayed, voice } from "./app.js";
import { forgetPlaces } from "./archive.js";
import { beginning } from "./clicks.js";
import { Commands } from "./commands.js";
import { extended, follow, inserted, replaced } from "./document.js";
import { choicesIn, knows, positionAfter, replayed } from "./replay.js";
import { asRecorded, remember, reportOn } from "./reports.js";
import { ask, hasService, released } from "./service.js";
import { messageOf } from "./words.js";

/** @typedef {import("./document.js").GameDocument} GameDocument */

/** What people do, in order. */
export const commands = new Commands(
  () => tell("queue"),
  (error) => voice.complain(messageOf(error)),
);

export function beginEditing() {
  on("place", () => {
    // Clicks that wait were meant for the position that was shown.
    if (state.following || !commands.cells.length) return;
    const count = commands.drop();
    voice.note(`${count === 1 ? "1 click" : `${count} clicks`} did nothing: another position is shown.`);
  });
}

// The legal turns in the position that is shown, as they are entered on the board.

/** How many positions are remembered of which a service has told the legal turns. */
const REMEMBERED = 500;
/** The legal turns of positions, by the request for them. @type {Map<string, Choice[]>} */
const known = new Map();
/** The legal turns of the position that is shown, by the rules here. @type {{ key: string, turns: Choice[] } | null} */
let listed = null;

/** The position that is shown, as the service is asked about it. */
export function here() {
  const { game, ruleset, readings, variant, size, coordinates } = state.data.record;
  return { game, ruleset, readings, variant, size, coordinates, position: positionText() };
}

/** The legal turns in the position that is shown; undefined if a service has to be asked for them. */
export function legalNow() {
  if (!isLocal()) return known.get(JSON.stringify(here())) ?? listedInFile();
  const { game, ruleset, readings, variant, size, coordinates, opening, setup } = state.document.record;
  const key = JSON.stringify([game, ruleset, readings, variant, size, coordinates, opening, setup, turnsPlayed()]);
  if (listed?.key !== key) listed = { key, turns: choicesIn(positionAfter(state.document.record, turnsPlayed())) };
  return listed.turns;
}

/** The legal turns that a file lists, of a game whose rules are not here. @returns {Choice[] | undefined} */
function listedInFile() {
  return current().legal?.map((turn) => ({ turn, parts: state.names.named(turn, own()).map(({ cell }) => [cell]) }));
}

/** Ask the service for the legal turns in the position that is shown. Throws an Error if they cannot be had. */
export async function askForTurns() {
  const key = JSON.stringify(here());
  const { legal, entry } = await ask("v1/positions?drawing=false&entry=true", key);
  if (known.size >= REMEMBERED) known.clear();
  const { parts, changes } = /** @type {PositionAnswer["entry"]} */ (entry);
  known.set(key, legal.map((/** @type {string} */ turn, /** @type {number} */ index) => ({ turn, parts: parts[index], changes: changes[index] })));
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

// Edits.

/**
 * Play a turn in the position that is shown: follow the game where it goes on with it, replace an illegal turn, else make
 * a variation or go on with the line. This is part of a command; see `play`.
 * @param {string} turn
 */
export function playNow(turn) {
  const { document: game, path, ply } = state;
  const place = { path, ply };
  if (state.inserting) return carryOut(keepClaim(game, inserted(game.record, place, turn)), place, false);
  const existing = follow(state.data.moves, path, ply, turn);
  if (existing) return goTo(existing.path, existing.ply, { following: true });
  if (state.line[ply]?.illegal) return carryOut(keepClaim(game, replaced(game.record, place, turn)), place, false);
  return carryOut(extended(game.record, place, turn), place, false);
}

/** @param {string} turn */
export const play = (turn) => commands.add(() => playNow(turn));

/**
 * Make an edit at the place that is shown, and show what is there after it.
 * @param {(record: GameRecord, place: Place) => Edit} change
 */
export function edit(change) {
  return commands.add(() => {
    const { document: game, path, ply } = state;
    return carryOut(keepClaim(game, change(game.record, { path, ply })));
  });
}

/**
 * Make an edit that moves no turn, at a place that was shown when it was written; what is shown stays.
 * @param {Place & { document: GameDocument }} at @param {(record: GameRecord, place: Place) => Edit} change
 */
export function note({ document: game, path, ply }, change) {
  const act = () => {
    if (state.document !== game) return false;
    const { record } = change(game.record, { path, ply });
    return carryOut({ record, path: state.path, ply: state.ply }, { path, ply });
  };
  // Whoever leaves a field for something else presses that already.
  return commands.add(() => released()?.then(act) ?? act());
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

/** @param {Edit} made @param {Place} from */
function carryOut(made, from = { path: state.path, ply: state.ply }, quiet = true) {
  const { document: game } = state;
  game.apply(made, from);
  return shown(game, made, quiet, () => game.withdraw());
}

export const undo = () => commands.add(() => travel("undo"));
export const redo = () => commands.add(() => travel("redo"));

/** @param {"undo" | "redo"} way */
function travel(way) {
  const { document: game } = state;
  const place = game?.[way]();
  if (!place) return false;
  const done = shown(game, place, true, () => game[way === "undo" ? "redo" : "undo"]());
  const told = () => voice.did(way === "undo" ? "Undone." : "Redone.");
  return done ? done.then(told) : told();
}

/**
 * Show what has become of a game: at once by the rules here, else after the service has replayed it.
 * @param {GameDocument} game @param {Place} place @param {boolean} quiet @param {() => void} takeBack called if it cannot be
 */
function shown(game, place, quiet, takeBack) {
  const { record } = game;
  /** @param {unknown} error */
  const failed = (error) => {
    takeBack();
    tell("edit");
    throw error;
  };
  if (knows(record.game)) {
    const drawn = replayed(record);
    if (!drawn.board) return failed(new Error("No game can begin like this."));
    return present(game, drawn, place, quiet);
  }
  const answered = ask("v1/replay", JSON.stringify(record)).then((/** @type {Replay} */ data) => {
    if (!data.board) throw new Error(data.report.diagnostics[0].message);
    remember(record, data);
    const { valid, result } = data.report;
    if (state.document === game) present(game, { ...data, result: valid ? result : null }, place, quiet);
  });
  return answered.catch(failed);
}

/**
 * @param {GameDocument} game @param {Partial<Replay> & { result?: Result | null }} drawn @param {Place} place @param {boolean} quiet
 */
function present(game, { result = null, ...drawn }, place, quiet) {
  // A game that the turns have brought to its end gets its result.
  if (result && !game.record.result) game.amend({ ...game.record, result: asRecorded(result) });
  const { record } = game;
  const { report, codes, isSure } = reportOn(record, { ...drawn, result }, state.data, game.sound);
  if (isSure && !report.diagnostics.length) game.sound = record;
  state.data = { ...state.data, ...drawn, record, report, codes };
  voice.complain("");
  tell("edit");
  show(state.data, place, game, quiet);
  if (!isSure) validateSoon(game);
}

// Validation, behind what is shown.

/** How long after an edit the record is validated, if there is no other, in milliseconds. */
const QUIET = 300;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
/** @type {((game: GameDocument, answer: Answer) => void)[]} */
const listening = [];

/**
 * Have something done whenever a service has validated the record of a document as it is.
 * @param {(game: GameDocument, answer: Answer) => void} view
 */
export function onValidated(view) {
  listening.push(view);
}

/** @param {GameDocument} game */
function validateSoon(game) {
  clearTimeout(waiting);
  if (hasService()) waiting = setTimeout(() => validate(game), QUIET);
}

/**
 * Have the record of a document validated as it is, while people go on.
 * @param {GameDocument} game
 */
export async function validate(game) {
  clearTimeout(waiting);
  if (!hasService()) return;
  const { record } = game;
  const isLatest = () => game.record === record;
  /** @type {Answer} */
  let answer;
  try {
    answer = await ask(`v1/replay?drawing=${!knows(record.game)}`, JSON.stringify(record));
  } catch (error) {
    if (isLatest() && state.document === game) voice.complain(`The record is not validated: ${messageOf(error)}`);
    return;
  }
  if (!isLatest()) return;
  if (!answer.record && game.takesBack(record)) return void commands.add(() => refuseEdit(game, record, answer));
  forgetPlaces(answer);
  if (answer.record && JSON.stringify(answer.record) !== JSON.stringify(record)) game.settle(answer.record);
  remember(game.record, answer);
  if (!answer.report.diagnostics.length) game.sound = game.record;
  for (const view of listening) view(game, answer);
  if (state.document !== game) return;
  const isNews = answer.report.diagnostics.some(({ message }) => !state.data.report.diagnostics.some((each) => each.message === message));
  const drawn = knows(record.game) ? replayed(game.record) : answer;
  state.data = /** @type {Replay} */ ({ ...state.data, ...drawn, record: game.record, report: answer.report, codes: answer.codes });
  show(state.data, state, game);
  if (isNews) voice.report();
}

/**
 * Take back an edit after which a service cannot read the record, and say why.
 * @param {GameDocument} game @param {GameRecord} record @param {Answer} answer
 */
function refuseEdit(game, record, answer) {
  if (state.document !== game || game.record !== record) return false;
  game.withdraw();
  const done = shown(game, state, true, () => {});
  const why = () => voice.complain(answer.report.diagnostics[0].message);
  return done ? done.then(why) : why();
}
