// What a click on the board means, and how legal turns are entered on it: part by part. No DOM, no service.

import { LEADING } from "./document.js";

/**
 * Return the turns that begin with some parts.
 * @param {Choice[]} turns @param {number[]} parts
 */
export function beginning(turns, parts) {
  return turns.filter((turn) => parts.every((cell, index) => turn.parts[index]?.includes(cell)));
}

/**
 * Return the cells that may come after some parts.
 * @param {Choice[]} turns @param {number[]} parts
 */
export function nextCells(turns, parts) {
  return [...new Set(beginning(turns, parts).flatMap((turn) => turn.parts[parts.length] ?? []))];
}

/**
 * Return the turns that begin with some parts; where no turn does, those that go through all of these cells.
 * @param {Choice[]} turns @param {number[]} parts @param {(turn: string) => number[]} through
 */
export function candidates(turns, parts, through) {
  const found = beginning(turns, parts);
  if (found.length) return found;
  return turns.filter(({ turn }) => {
    const cells = through(turn);
    return parts.every((cell) => cells.includes(cell));
  });
}

/**
 * Return what all turns that begin with some parts do to the board: what is certain before the turn is complete.
 * @param {Choice[]} turns @param {number[]} parts
 * @returns {Change[]}
 */
export function certainChanges(turns, parts) {
  const [first, ...others] = parts.length ? beginning(turns, parts) : [];
  const same = (/** @type {Change} */ [cell, value]) =>
    others.every(({ changes }) => changes?.some((other) => other[0] === cell && other[1] === value));
  return (first?.changes ?? []).filter(same);
}

// What a click on the board means. One value says so, a `Meaning`, and nothing else does. No DOM, no service.
//
//   closed    no board is shown
//   waiting   the legal turns are not known yet: a service has been asked for them
//   over      no turn can be played here, for a reason
//   opening   clicks set the opening stones, one for each color
//   turn      clicks are the parts of a turn; where the line `goesOn`, it becomes a variation or is inserted
//   mark      clicks draw marks; `from` is where an arrow or a line begins
//
// `meaningOf` returns the value for a position, `click` and `stepBack` the value after something was done, with an effect
// that the caller carries out: play a turn, set the opening, draw a mark, have a refusal explained, say something.

/** @type {Meaning} */
export const CLOSED = { kind: "closed" };

/**
 * Return what clicks mean in a position. If it is the `same` as before, what was begun there goes on.
 * @param {Facts} facts @param {Meaning} before
 * @returns {Meaning}
 */
export function meaningOf(facts, before, same = false) {
  const fresh = freshMeaning(facts);
  if (!same || before.kind !== fresh.kind) return fresh;
  if (fresh.kind === "turn") return { ...fresh, parts: chosen(before) };
  return fresh.kind === "mark" && before.kind === "mark" && before.mark !== fresh.mark ? fresh : before;
}

/** @param {Facts} facts @returns {Meaning} */
function freshMeaning({ board, mark, opening, over, turns, goesOn }) {
  if (!board) return CLOSED;
  if (mark) return { kind: "mark", mark, from: null };
  if (opening) return { kind: "opening", colors: opening, cells: [] };
  if (over) return { kind: "over", reason: over };
  return turns ? { kind: "turn", turns, parts: [], goesOn } : { kind: "waiting" };
}

/**
 * Return what clicks mean after one on a cell, and what that has done.
 * @param {Meaning} meaning @param {number} cell
 * @returns {Clicked}
 */
export function click(meaning, cell) {
  switch (meaning.kind) {
    case "closed":
    case "waiting":
      return { meaning };
    case "over":
      return { meaning, effect: { say: meaning.reason } };
    case "opening":
      return setStone(meaning, cell);
    case "mark":
      return drawMark(meaning, cell);
    case "turn":
      return addPart(meaning, cell);
  }
}

/** @param {Opening} meaning @param {number} cell @returns {Clicked} */
function setStone(meaning, cell) {
  if (meaning.cells.includes(cell)) return { meaning, effect: { say: "The opening stones are on two different cells." } };
  const cells = [...meaning.cells, cell];
  if (cells.length < meaning.colors.length) return { meaning: { ...meaning, cells } };
  const opening = Object.fromEntries(meaning.colors.map((color, index) => [color, cells[index]]));
  return { meaning: { ...meaning, cells: [] }, effect: { setOpening: opening } };
}

/** @param {Marking} meaning @param {number} cell @returns {Clicked} */
function drawMark(meaning, cell) {
  const { mark, from } = meaning;
  if (!LEADING.includes(mark)) return { meaning, effect: { mark, cells: [cell] } };
  if (from === null) return { meaning: { ...meaning, from: cell } };
  return { meaning: { ...meaning, from: null }, effect: from === cell ? undefined : { mark, cells: [from, cell] } };
}

/**
 * A cell becomes the next part of the turn, and the turn is played when it can be no other. The last part again plays the
 * turn that ends there, or takes the part back, as an earlier part does.
 * @param {Turning} meaning @param {number} cell
 * @returns {Clicked}
 */
function addPart(meaning, cell) {
  const { turns, parts } = meaning;
  const more = [...parts, cell];
  const found = beginning(turns, more);
  if (found.length === 1) return played(meaning, found[0].turn);
  if (found.length) return { meaning: { ...meaning, parts: more } };
  const at = parts.indexOf(cell);
  const whole = at === parts.length - 1 && wholeTurn(turns, parts);
  if (at >= 0) return whole ? played(meaning, whole.turn) : { meaning: { ...meaning, parts: parts.slice(0, at) } };
  // Another turn begins there. It is not played at once, even if it can be no other: the click may have been a slip.
  if (parts.length && beginning(turns, [cell]).length) return { meaning: { ...meaning, parts: [cell] }, effect: { anew: more } };
  return { meaning, effect: { refuse: more } };
}

/**
 * Return the turn that consists of some parts, and of no more.
 * @param {Choice[]} turns @param {number[]} parts
 */
export const wholeTurn = (turns, parts) => beginning(turns, parts).find((turn) => turn.parts.length === parts.length);

/** @param {Turning} meaning @param {string} turn @returns {Clicked} */
const played = (meaning, turn) => ({ meaning: { ...meaning, parts: [] }, effect: { play: turn } });

/**
 * Return what clicks mean after the last of them was taken back; null if there is none to take back.
 * @param {Meaning} meaning
 * @returns {Meaning | null}
 */
export function stepBack(meaning) {
  switch (meaning.kind) {
    case "opening":
      return meaning.cells.length ? { ...meaning, cells: meaning.cells.slice(0, -1) } : null;
    case "turn":
      return meaning.parts.length ? { ...meaning, parts: meaning.parts.slice(0, -1) } : null;
    case "mark":
      return meaning.from === null ? null : { ...meaning, from: null };
    default:
      return null;
  }
}

/**
 * Return the cells that are chosen so far.
 * @param {Meaning} meaning
 */
export function chosen(meaning) {
  switch (meaning.kind) {
    case "turn":
      return meaning.parts;
    case "opening":
      return meaning.cells;
    case "mark":
      return meaning.from === null ? [] : [meaning.from];
    default:
      return [];
  }
}

/**
 * Return the cells where a turn can begin or go on.
 * @param {Meaning} meaning
 */
export const offered = (meaning) => (meaning.kind === "turn" ? nextCells(meaning.turns, meaning.parts) : []);
