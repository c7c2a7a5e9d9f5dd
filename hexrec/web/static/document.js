// A record as a document: names of cells, the tree of its lines, and the changes that edits make.

/** The marks that lead from one cell to another. */
export const LEADING = ["arrow", "line"];

// Cells and their names in the three coordinate systems, and the cells that turns go through.

export class Names {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.pattern = new RegExp(board.pattern, "g");
    this.any = new RegExp(/\(?-?\d+,-?\d+\)?|(?:aa|[a-z])\d+/g);
    /** @param {System} system */
    const numbers = (system) => new Map(board.names[system].map((name, cell) => [name, cell]));
    this.numbers = { row: numbers("row"), skew: numbers("skew"), axial: numbers("axial") };
    this.places = new Map(board.cells.map(([q, r], cell) => [`${q},${r}`, cell]));
  }

  /**
   * The name of a cell outside of turns.
   * @param {number} cell @param {System} system
   */
  single(cell, system) {
    return this.board.names[system][cell].replace(/[()]/g, "");
  }

  /**
   * A turn text of the record in another coordinate system; what names no cell stays.
   * @param {string} turn @param {System} own @param {System} system
   */
  respell(turn, own, system) {
    if (own === system) return turn;
    return turn.replace(this.pattern, (name) => {
      const cell = this.numbers[own].get(name);
      return cell === undefined ? name : this.board.names[system][cell];
    });
  }

  /**
   * The cells that a text names, whatever else it says.
   * @param {string} text @param {System} system
   */
  read(text, system) {
    /** @type {number[]} */
    const found = [];
    for (const [name] of text.toLowerCase().matchAll(this.any)) {
      const full = system === "axial" ? `(${name.replace(/[()]/g, "")})` : name;
      const cell = this.numbers[system].get(full);
      if (cell !== undefined && !found.includes(cell)) found.push(cell);
    }
    return found;
  }

  /**
   * The cells that a turn of the record names, in order, and where in its text.
   * @param {string} turn @param {System} own
   */
  named(turn, own) {
    return [...turn.matchAll(this.pattern)].flatMap(({ 0: name, index }) => {
      const cell = this.numbers[own].get(name);
      return cell === undefined ? [] : [{ cell, index, end: index + name.length }];
    });
  }

  /**
   * The cells of a turn of the record: those that it names, and those between the two ends of a line.
   * @param {string} turn @param {System} own
   */
  through(turn, own) {
    const named = this.named(turn, own);
    return named.flatMap(({ cell, index }, number) => {
      const last = named[number - 1];
      const line = last && turn.slice(last.end, index) === "-";
      return [...(line ? this.between(last.cell, cell) : []), cell];
    });
  }

  /** @param {number} from @param {number} to */
  between(from, to) {
    const [q, r] = this.board.cells[from];
    const [dq, dr] = [this.board.cells[to][0] - q, this.board.cells[to][1] - r];
    if (dq !== 0 && dr !== 0 && dq !== -dr) return [];
    const length = Math.max(Math.abs(dq), Math.abs(dr));
    /** @type {number[]} */
    const cells = [];
    for (let step = 1; step < length; step++) {
      const cell = this.places.get(`${q + (dq / length) * step},${r + (dr / length) * step}`);
      if (cell !== undefined) cells.push(cell);
    }
    return cells;
  }
}

// The game as a tree. A path names a line of it: for each branch [ply, number of the variation], from the trunk on.
// A ply counts the turns played; steps[ply] is the turn that may follow.

/**
 * The turns of a line of a game, from the first on.
 * @template {Step | Move} T
 * @param {T[]} trunk @param {Path} path
 */
export function lineOf(trunk, path) {
  let rest = trunk;
  let base = 0;
  /** @type {T[]} */
  const line = [];
  for (const [ply, variation] of path) {
    line.push(...rest.slice(0, ply - base));
    rest = branchOf(rest[ply - base], variation);
    base = ply;
  }
  return line.concat(rest);
}

/**
 * How many turns of a line can be played.
 * @param {Step[]} line
 */
export function playable(line) {
  const end = line.findIndex((step) => !step.changes);
  return end < 0 ? line.length : end;
}

/**
 * The stones on all cells after some turns: heights, negative for white.
 * @param {Start} start @param {Step[]} line @param {number} ply @param {number} cells
 * @returns {number[]}
 */
export function stonesAfter(start, line, ply, cells) {
  const stones = new Array(cells).fill(0);
  for (const step of [start, ...line.slice(0, ply)]) {
    for (const [cell, value] of step.changes ?? []) stones[cell] = value;
  }
  return stones;
}

/**
 * The path and ply reached by a turn that the tree has already, or null.
 * @param {Step[]} trunk @param {Path} path @param {number} ply @param {string} turn
 * @returns {{path: Path, ply: number} | null}
 */
export function follow(trunk, path, ply, turn) {
  const line = lineOf(trunk, path);
  if (line[ply]?.turn === turn && line[ply].changes) return { path, ply: ply + 1 };
  const parent = before(path, ply);
  const step = lineOf(trunk, parent)[ply];
  if (!step) return null;
  if (step.turn === turn && step.changes) return { path: parent, ply: ply + 1 };
  const number = (step.variations ?? []).findIndex((each) => each[0]?.turn === turn);
  return number < 0 ? null : { path: [...parent, [ply, number]], ply: ply + 1 };
}

/**
 * A variation of a turn. Throws for one that is not there: the path came from outside.
 * @template {Step | Move} T
 * @param {T} move @param {number} variation
 * @returns {T[]}
 */
function branchOf(move, variation) {
  const line = typeof move === "string" ? undefined : move?.variations?.[variation];
  if (!line) throw new RangeError("the path leads to no variation");
  return /** @type {T[]} */ (line);
}

/**
 * A path with the branches that a position before a ply needs.
 * @param {Path} path @param {number} ply
 */
export function before(path, ply) {
  return path.filter(([branch]) => branch < ply);
}

// A game that is worked on: its record as a tree, the edits of it, undo and redo. No DOM, no service.
//
// A record is plain data in the record format, as the service writes it (`record` of `/v1/replay`). It is never changed
// in place: an edit makes a new one, so a record may be kept, compared by identity and stored as it is.
//
// A place in a record is a path (see above) and a ply: where somebody looks. Undo leads back to the place where the
// edit was made, redo to the place after it.
//
//   const game = new GameDocument(record);     the record as it was given
//   game.record                                the record as it is
//   game.apply(edit, place)                    an edit, such as extended(…) returns: the record and the place after it;
//                                              the place is where it was made
//   game.amend(record)                         what follows of itself from the last edit: no step of its own to undo
//   game.withdraw()                            the last edit was none: it cannot be redone
//   game.undo(), game.redo()                   the place to look at, or null if there is nothing to undo
//   game.canUndo, game.canRedo
//   game.changed                               whether the record differs from what was given or last saved
//   game.saved()                               what the record is is saved
//
// Any number of documents can be open; app.js knows which is shown (`state.document`).

export class GameDocument {
  /** @param {GameRecord} record @param {Place} place */
  constructor(record, place = { path: [], ply: 0 }) {
    /** @type {Edit[]} */
    this.states = [{ record, ...place }];
    /** The states that the last edit has replaced. @type {Edit[]} */
    this.cut = [];
    this.at = 0;
    this.kept = record;
    /** The record as it was when it was last known that nothing is wrong with it. @type {GameRecord | null} */
    this.sound = null;
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
    this.cut = this.states.splice(this.at, Infinity, { record: this.record, path, ply }, edit);
    this.at++;
  }

  /**
   * Changes the state as it is, without a new one to undo: what follows of itself from the last edit.
   * @param {GameRecord} record
   */
  amend(record) {
    this.states[this.at] = { ...this.states[this.at], record };
  }

  /**
   * Put the record as a service writes it in the place of what was given, if nobody has changed that since.
   * @param {GameRecord} record
   */
  settle(record) {
    if (this.changed || this.states.length > 1) return;
    this.states = [{ ...this.states[0], record }];
    this.kept = record;
  }

  /**
   * Return whether a record is that after the last edit, which can be taken back.
   * @param {GameRecord} record
   */
  takesBack(record) {
    return this.record === record && this.canUndo && !this.canRedo;
  }

  /** Take the last edit back for good: it turned out to be none. What could be redone before it can be redone again. */
  withdraw() {
    this.states.splice(--this.at, Infinity, ...this.cut);
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

// Edits: functions of a record and a place. The record given stays as it is.

/**
 * A turn added after the turns played: where the line goes on already, as a variation.
 * @param {GameRecord} record @param {Place} place @param {string} turn
 * @returns {Edit}
 */
export function extended(record, { path, ply }, turn) {
  const parent = before(path, ply);
  return edited(record, parent, ply, (moves, index) => {
    if (index === moves.length) {
      moves.push(turn);
      return { path: parent, ply: ply + 1 };
    }
    const move = (moves[index] = full(moves[index]));
    move.variations = [...(move.variations ?? []), [turn]];
    return { path: [...parent, [ply, move.variations.length - 1]], ply: ply + 1 };
  });
}

/**
 * The turn that comes next replaced by another; what is said of it and what follows stays.
 * @param {GameRecord} record @param {Place} place @param {string} turn
 * @returns {Edit}
 */
export function replaced(record, { path, ply }, turn) {
  const line = before(path, ply + 1);
  return edited(record, line, ply, (moves, index) => {
    moves[index] = slim({ ...full(moves[index]), turn });
    return { path: line, ply: ply + 1 };
  });
}

/**
 * All that comes after some turns taken away, and a variation whole of which nothing would be left.
 * @param {GameRecord} record @param {Place} place
 * @returns {Edit}
 */
export function shortened(record, { path, ply }) {
  const line = before(path, ply + 1);
  const last = line.at(-1);
  if (!last || last[0] < ply) {
    return edited(record, line, ply, (moves, index) => {
      moves.splice(index);
      return { path: line, ply };
    });
  }
  const parent = line.slice(0, -1);
  return edited(record, parent, ply, (moves, index) => {
    const move = full(moves[index]);
    moves[index] = slim({ ...move, variations: move.variations?.filter((_, number) => number !== last[1]) });
    return { path: parent, ply };
  });
}

/**
 * The last of some turns taken away alone; what follows it stays, and so do the variations beside it: they stand beside
 * the turn that comes next, or the first of them goes on with the line.
 * @param {GameRecord} record @param {Place} place
 * @returns {Edit}
 */
export function removed(record, { path, ply }) {
  const line = before(path, ply);
  // A variation of one turn goes whole.
  if (line.at(-1)?.[0] === ply - 1 && !turnAt(record, line, ply)) return shortened(record, { path: line, ply: ply - 1 });
  return edited(record, line, ply - 1, (moves, index) => {
    const { variations = [] } = full(moves[index]);
    const [[next, ...rest] = [], ...others] = index + 1 < moves.length ? [moves.slice(index + 1), ...variations] : variations;
    const heir = next === undefined ? [] : [slim({ ...full(next), variations: [...others, ...(full(next).variations ?? [])] })];
    moves.splice(index, Infinity, ...heir, ...rest);
    return { path: line, ply: ply - 1 };
  });
}

/**
 * A turn put after the turns played, before the one that comes next. Variations stay where they are: beside the turn that
 * is played in their position.
 * @param {GameRecord} record @param {Place} place @param {string} turn
 * @returns {Edit}
 */
export function inserted(record, { path, ply }, turn) {
  const line = before(path, ply + 1);
  return edited(record, line, ply, (moves, index) => {
    const { variations, ...next } = full(moves[index]);
    moves.splice(index, 1, slim({ turn, variations }), slim(next));
    return { path: line, ply: ply + 1 };
  });
}

/**
 * The last of some turns and the one before it exchanged, each with what is said of it. Variations stay where they are.
 * @param {GameRecord} record @param {Place} place
 * @returns {Edit}
 */
export function exchanged(record, { path, ply }) {
  const line = before(path, ply);
  return edited(record, line, ply - 2, (moves, index) => {
    const [one, other] = [full(moves[index]), full(moves[index + 1])];
    moves.splice(
      index,
      2,
      slim({ ...other, variations: one.variations }),
      slim({ ...one, variations: other.variations }),
    );
    return { path: line, ply: ply - 2 };
  });
}

/**
 * The variation in which a place is made the line that it leaves, which becomes a variation in its stead.
 * @param {GameRecord} record @param {Place} place
 * @returns {Edit}
 */
export function promoted(record, { path, ply }) {
  const line = before(path, ply);
  const [branch, number] = /** @type {Path[number]} */ (line.at(-1));
  const parent = line.slice(0, -1);
  return edited(record, parent, branch, (moves, index) => {
    const { variations = [], ...first } = full(moves[index]);
    const others = [...variations];
    const [{ variations: own = [], ...move }, ...rest] = others[number].map(full);
    others[number] = [slim(first), ...moves.slice(index + 1)];
    moves.splice(index, Infinity, slim({ ...move, variations: [...others, ...own] }), ...rest.map(slim));
    return { path: parent, ply };
  });
}

/**
 * The turn beside which a variation stands replaced by the first turn of that variation. What is said of it and what
 * follows stays; what follows in the variation stands beside that.
 * @param {GameRecord} record @param {Place} place in the variation
 * @returns {Edit}
 */
export function substituted(record, { path, ply }) {
  const line = before(path, ply);
  const [branch, number] = /** @type {Path[number]} */ (line.at(-1));
  const parent = line.slice(0, -1);
  return edited(record, parent, branch, (moves, index) => {
    const { variations = [], ...replacedTurn } = full(moves[index]);
    const [first, ...rest] = variations[number];
    const { variations: own = [], ...move } = full(first);
    const others = variations.filter((_, each) => each !== number);
    moves[index] = slim({ ...replacedTurn, ...move, variations: [...others, ...own] });
    if (index + 1 === moves.length) moves.push(...rest);
    else if (rest.length) {
      const next = full(moves[index + 1]);
      moves[index + 1] = { ...next, variations: [...(next.variations ?? []), rest] };
    }
    return { path: parent, ply: branch + 1 };
  });
}

/**
 * The variation in which a place is moved among the other variations of the same turn.
 * @param {GameRecord} record @param {Place} place @param {-1 | 1} by
 * @returns {Edit}
 */
export function reordered(record, { path, ply }, by) {
  const line = before(path, ply);
  const [branch, number] = /** @type {Path[number]} */ (line.at(-1));
  const parent = line.slice(0, -1);
  return edited(record, parent, branch, (moves, index) => {
    const move = full(moves[index]);
    const variations = [...(move.variations ?? [])];
    variations.splice(number + by, 0, ...variations.splice(number, 1));
    moves[index] = { ...move, variations };
    return { path: [...parent, [branch, number + by]], ply };
  });
}

/**
 * Something else said of the turn that was played last, or before the first turn of the game.
 * @param {GameRecord} record @param {Place} place @param {Pick<MoveObject, "comment" | "nag" | "marks">} said
 * @returns {Edit}
 */
export function annotated(record, { path, ply }, said) {
  if (!ply) return described(record, { path, ply }, said);
  return edited(record, before(path, ply), ply - 1, (moves, index) => {
    moves[index] = slim({ ...full(moves[index]), ...said });
    return { path, ply };
  });
}

/**
 * Fields of the record changed; those that are undefined are taken away.
 * @param {GameRecord} record @param {Place} place @param {Record<string, unknown>} fields
 * @returns {Edit}
 */
export function described(record, { path, ply }, fields) {
  return { record: /** @type {GameRecord} */ (without({ ...structuredClone(record), ...fields })), path, ply };
}

/**
 * What is said of the turn that was played last: a move, or before the first turn the record. Nothing where the record has
 * no such turn, as when an edit has just taken it away.
 * @param {GameRecord} record @param {Place} place
 * @returns {Pick<MoveObject, "comment" | "nag" | "marks">}
 */
export function saidAt(record, { path, ply }) {
  if (!ply) return /** @type {any} */ (record);
  return turnAt(record, before(path, ply), ply - 1) ?? {};
}

/**
 * How many variations there are beside a place's own, and which it is; null outside of variations.
 * @param {GameRecord} record @param {Place} place
 */
export function variationAt(record, { path, ply }) {
  const line = before(path, ply);
  const last = line.at(-1);
  if (!last) return null;
  const count = turnAt(record, line.slice(0, -1), last[0])?.variations?.length ?? 0;
  return last[1] < count ? { number: last[1], count } : null;
}

/** @param {GameRecord} record @param {Path} path @param {number} ply */
function turnAt(record, path, ply) {
  try {
    const { moves, index } = located(record, path, ply);
    return moves[index] === undefined ? null : full(moves[index]);
  } catch {
    return null; // the path leads to no variation
  }
}

/**
 * A copy of a record with a change in the line that a path leads to. A result by the rules is the result of the turns
 * that were played: it goes when these change.
 * @param {GameRecord} record @param {Path} path @param {number} ply
 * @param {(moves: Move[], index: number) => Place} change
 * @returns {Edit}
 */
function edited(record, path, ply, change) {
  const copy = structuredClone(record);
  const { moves, index } = located(copy, path, ply);
  const place = change(moves, index);
  const turns = (/** @type {GameRecord} */ { moves: trunk }) => String(trunk.map(turnOf));
  if (turns(record) !== turns(copy) && (copy.result?.termination ?? "rules") === "rules") delete copy.result;
  return { record: copy, ...place };
}

/**
 * The moves of the line that a path leads to, and the index of the turn after some plies there.
 * @param {GameRecord} record @param {Path} path @param {number} ply
 */
function located({ moves }, path, ply) {
  let base = 0;
  for (const [branch, variation] of path) {
    moves = branchOf(moves[branch - base], variation);
    base = branch;
  }
  return { moves, index: ply - base };
}

/** @param {Move} move @returns {MoveObject} */
export const full = (move) => (typeof move === "string" ? { turn: move } : move);
/** @param {Move} move */
export const turnOf = (move) => full(move).turn;

/**
 * A move as records write it: its turn alone where there is nothing else to say.
 * @param {MoveObject} move
 * @returns {Move}
 */
function slim(move) {
  const kept = /** @type {MoveObject} */ (without(move));
  return Object.keys(kept).length > 1 ? kept : kept.turn;
}

/**
 * An object without the fields that say nothing.
 * @param {object} fields
 */
function without(fields) {
  const empty = (/** @type {unknown} */ value) => value === undefined || value === "";
  const none = (/** @type {unknown} */ value) => Array.isArray(value) && !value.length;
  const kept = Object.entries(fields).filter(([name, value]) => !empty(value) && (name === "moves" || !none(value)));
  return Object.fromEntries(kept);
}
