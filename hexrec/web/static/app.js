// What the page knows and shows: the record, the place in it, the cells chosen. Views are told when one of them changes. No
// DOM: page.js connects it with the page.

import { CLOSED } from "./clicks.js";
import { GameDocument, lineOf, Names, playable, saidAt, stonesAfter } from "./document.js";
import { markupOf } from "./markup.js";
import { knows, marksAfter, positionAfter } from "./replay.js";
import { claimInWords } from "./words.js";

/** @type {State} */
export const state = /** @type {any} */ ({
  document: null, // the game that is shown, which edits change
  data: null, // its report, and what is drawn of it
  path: [],
  ply: 0,
  line: [],
  marked: { marks: [], parts: [] }, // what is marked on the position that is shown
  meaning: CLOSED, // what a click on the board means
  marking: "", // the kind of marks that clicks draw
  setting: null, // the document whose opening is being set
  following: false, // whether the place was reached by what was played or edited, not by looking elsewhere
  lesson: null, // the step of a lesson that is shown
  match: null, // the game that came by a link or was sent, and how many turns it had then
  offer: null, // the color that offers a draw to the side to move
  inserting: false, // whether the next turn is put before the one that comes next
  hovered: null, // the cell that the pointer is over
  cursor: null, // the cell that the keyboard is on
  system: "row", // the coordinates that are shown
  systemChosen: false, // whether somebody chose them; else they are those of the record
  names: null,
  picture: null,
});

/** @type {Record<AppEvent, ((quiet: boolean) => void)[]>} */
const views = { record: [], edit: [], place: [], facts: [], meaning: [], look: [], queue: [] };
const silent = () => {};
/**
 * How people are told what has become of what they did: at the board, at the head of the page, in words alone, with the
 * position that is shown, or with the report.
 * @type {{
 *   note: (text: string, rule?: string) => void,
 *   complain: (text: string) => void,
 *   say: (text: string) => void,
 *   did: (text: string) => void,
 *   report: () => void,
 * }}
 */
export const voice = { note: silent, complain: silent, say: silent, did: silent, report: silent };

/**
 * Has something done whenever something changes: what is known of the `record` (another one, or the same after an edit),
 * the record itself by an `edit`, the `place` in it, the `facts` that decide what a click means, that `meaning`, the
 * `queue` of commands that wait, or the `look` (coordinates, names, theme). A view that is told of a record is told of its
 * place next.
 * @param {AppEvent} event @param {(quiet: boolean) => void} view
 */
export function on(event, view) {
  views[event].push(view);
}

/** @param {AppEvent} event @param {boolean} quiet */
export function tell(event, quiet = false) {
  for (const view of views[event]) view(quiet);
}

export const system = () => state.system;
export const own = () => state.data.record.coordinates ?? "row";
/** @param {string} turn */
export const shownTurn = (turn) => (state.names ? state.names.respell(turn, own(), system()) : turn);
/** @param {number} cell */
export const nameOf = (cell) => state.names.single(cell, system());

/** The result that the record claims, in words. @param {Result} result */
export const claimed = (result) => claimInWords({ ...result, illegal: state.data.record?.result?.illegal });

/** The turns up to the position that is shown. */
export const turnsPlayed = () => state.line.slice(0, state.ply).map((step) => step.turn);
/** Whether the rules of the game that is shown are here; else a service is asked. */
export const isLocal = () => knows(state.data.record.game);
/** The text of the position that is shown. */
export const positionText = () => (isLocal() ? positionAfter(state.document.record, turnsPlayed()).text() : current().position);
/** @returns {Start} */
export const current = () => /** @type {Start} */ (state.ply ? state.line[state.ply - 1] : state.data.start);
export const ended = () => current().over;
export const toPlay = () => current().to_play;

/**
 * Shows a record, at a place in it or where it is most of interest: its illegal turn, or its end.
 * @param {Replay} data @param {Place | null} place @param {GameDocument | null} opened the document, if it is open
 * @param {boolean} quiet whether nothing is said of the place
 */
export function show(data, place = null, opened = null, quiet = true) {
  state.data = data;
  state.document = opened ?? new GameDocument(data.record);
  if (data.record && !state.systemChosen) state.system = own();
  if (data.board && state.names?.board !== data.board) state.names = new Names(data.board);
  tell("record");
  if (data.board) goTo(place?.path ?? [], place?.ply ?? playable(data.moves), { quiet, following: Boolean(opened) });
}

/** @param {Path} path @param {number} ply @param {{ quiet?: boolean, following?: boolean }} how */
export function goTo(path, ply, { quiet = false, following = false } = {}) {
  state.following = following;
  state.path = path;
  state.line = lineOf(state.data.moves, path);
  state.ply = Math.min(Math.max(ply, 0), playable(state.line));
  state.marked = isLocal() ? markedHere() : { parts: [], ...current() };
  tell("place", quiet);
}

/** What is marked on the position that is shown, by the rules here. */
function markedHere() {
  const { document: game, data, line } = state;
  const stones = stonesAfter(data.start, line, state.ply, data.board.cells.length);
  const markup = markupOf(saidAt(game.record, state).marks, data.board, stones, own());
  const marked = marksAfter(game.record, turnsPlayed());
  // Stones move along the path of their turn, there and back.
  if (state.ply) line[state.ply - 1].parts = marked.parts;
  return { ...marked, markup };
}

/** @param {number} by */
export const step = (by) => goTo(state.path, state.ply + by);

/** @param {Meaning} meaning */
export function setMeaning(meaning) {
  state.meaning = meaning;
  tell("meaning");
}

/** Shows nothing any more: what was shown is not what was asked for. */
export function close() {
  state.data = state.document = /** @type {any} */ (null);
  tell("record");
}

/** Tells that coordinates, names or theme are others. */
export function relook() {
  tell("look");
}
