// A game that is worked on: its record as a tree, the edits of it, undo and redo. No DOM, no service.
//
// A record is plain data in the record format, as the service writes it (`record` of `/v1/replay`). It is never changed
// in place: an edit makes a new one, so a record may be kept, compared by identity and stored as it is.
//
// A place in a record is a path (see tree.js) and a ply: where somebody looks. Undo leads back to the place where the
// edit was made, redo to the place after it.
//
//   const game = new GameDocument(record);     the record as it was given
//   game.record                                the record as it is
//   game.apply(edit, place)                    an edit, such as extended(…) returns: the record and the place after it;
//                                              the place is where it was made
//   game.undo(), game.redo()                   the place to look at, or null if there is nothing to undo
//   game.canUndo, game.canRedo
//   game.changed                               whether the record differs from what was given or last saved
//   game.saved()                               what the record is is saved
//
// Any number of documents can be open; app.js knows which is shown (`state.document`).

import { before, branchOf } from "./tree.js";

export class GameDocument {
  /** @param {GameRecord} record @param {Place} place */
  constructor(record, place = { path: [], ply: 0 }) {
    /** @type {Edit[]} */
    this.states = [{ record, ...place }];
    this.at = 0;
    this.kept = record;
  }

  get record() {
    return this.states[this.at].record;
  }

  get changed() {
    return this.record !== this.kept;
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at < this.states.length - 1;
  }

  /** @param {Edit} edit @param {Place} from */
  apply(edit, { path, ply }) {
    this.states.splice(this.at, Infinity, { record: this.record, path, ply }, edit);
    this.at++;
  }

  /** @returns {Place | null} */
  undo() {
    return this.canUndo ? this.states[--this.at] : null;
  }

  /** @returns {Place | null} */
  redo() {
    return this.canRedo ? this.states[++this.at] : null;
  }

  saved() {
    this.kept = this.record;
  }
}

/**
 * The record with a turn added after some turns of a line, and where that turn is. The record given stays as it is.
 * @param {GameRecord} record @param {Path} path @param {number} ply @param {string} turn
 * @returns {Edit}
 */
export function extended(record, path, ply, turn) {
  const grown = structuredClone(record);
  const parent = before(path, ply);
  let moves = grown.moves;
  let base = 0;
  for (const [branch, variation] of parent) {
    moves = branchOf(moves[branch - base], variation);
    base = branch;
  }
  const index = ply - base;
  if (index === moves.length) {
    moves.push(turn);
    return { record: grown, path: parent, ply: ply + 1 };
  }
  const given = moves[index];
  const move = typeof given === "string" ? { turn: given } : given;
  moves[index] = move;
  const variations = (move.variations ??= []);
  variations.push([turn]);
  return { record: grown, path: [...parent, [ply, variations.length - 1]], ply: ply + 1 };
}

/**
 * The record of the game up to a ply of a line, with nothing else in it.
 * @param {GameRecord} record @param {Step[]} line @param {number} ply
 */
export function played(record, line, ply) {
  const kept = ["hexrec", "game", "ruleset", "variant", "size", "coordinates", "opening", "setup"];
  const bare = Object.fromEntries(kept.filter((name) => name in record).map((name) => [name, record[name]]));
  return { ...bare, moves: line.slice(0, ply).map((step) => step.turn) };
}
