// What the page knows and shows: the record, the place in it, the cells chosen. Views are told when one of them changes.

import { BoardPicture } from "./board.js";
import { CLOSED } from "./clicks.js";
import { GameDocument, lineOf, Names, playable } from "./document.js";
import { $ } from "./elements.js";


/** @type {State} */
export const state = /** @type {any} */ ({
  document: null, // the game that is shown, which edits change
  data: null, // what the service, or this file, knows of the record
  path: [],
  ply: 0,
  line: [],
  meaning: CLOSED, // what a click on the board means
  setting: null, // the document whose opening is being set
  following: false, // whether the place was reached by what was played or edited, not by looking elsewhere
  lesson: null, // the step of a lesson that is shown
  offer: null, // the color that offers a draw to the side to move
  inserting: false, // whether the next turn is put before the one that comes next
  hovered: null, // the cell that the pointer is over
  cursor: null, // the cell that the keyboard is on
  systemChosen: false, // whether somebody chose the coordinates; else they are those of the record
  names: null,
  picture: null,
});

/** @type {Record<AppEvent, ((quiet: boolean) => void)[]>} */
const views = { record: [], edit: [], place: [], facts: [], meaning: [], look: [] };

/**
 * Has something done whenever something changes: what is known of the `record` (another one, or the same after an edit),
 * the record itself by an `edit`, the `place` in it, the `facts` that decide what a click means, that `meaning`, or the
 * `look` (coordinates, names, theme). A view that is told of a record is told of its place next.
 * @param {AppEvent} event @param {(quiet: boolean) => void} view
 */
export function on(event, view) {
  views[event].push(view);
}

/** @param {AppEvent} event @param {boolean} quiet */
export function tell(event, quiet = false) {
  for (const view of views[event]) view(quiet);
}

export const system = () => /** @type {System} */ ($("coordinates").value);
export const own = () => state.data.record.coordinates ?? "row";
/** @param {string} turn */
export const shownTurn = (turn) => (state.names ? state.names.respell(turn, own(), system()) : turn);
/** @param {number} cell */
export const nameOf = (cell) => state.names.single(cell, system());
/** @returns {Start} */
export const current = () => /** @type {Start} */ (state.ply ? state.line[state.ply - 1] : state.data.start);
export const ended = () => current().over;
export const toPlay = () => current().to_play;

/**
 * Shows a record, at a place in it or where it is most of interest: its illegal turn, or its end.
 * @param {Replay} data @param {Place | null} place @param {GameDocument | null} opened the document, if it is open
 */
export function show(data, place = null, opened = null) {
  state.data = data;
  state.document = opened ?? new GameDocument(data.record);
  if (data.record && !state.systemChosen) $("coordinates").value = own();
  if (data.board) {
    state.names = new Names(data.board);
    state.picture = new BoardPicture(data.board, data.game.surface, state.names);
  }
  tell("record");
  if (data.board) goTo(place?.path ?? [], place?.ply ?? playable(data.moves), { quiet: true, following: Boolean(opened) });
}

/** @param {Path} path @param {number} ply @param {{ quiet?: boolean, following?: boolean }} how */
export function goTo(path, ply, { quiet = false, following = false } = {}) {
  state.following = following;
  state.path = path;
  state.line = lineOf(state.data.moves, path);
  state.ply = Math.min(Math.max(ply, 0), playable(state.line));
  tell("place", quiet);
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
