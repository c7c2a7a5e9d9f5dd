// The legal turns in the position that is shown, as they are entered on the board.

import { current, own, state } from "./app.js";
import { beginning } from "./choices.js";
import { EMBEDDED } from "./elements.js";
import { ask } from "./service.js";

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
export function know(position, answer) {
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
