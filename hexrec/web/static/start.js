// The beginning of a record by the rules in JavaScript, for the page and for workers.

import { games, newGame } from "./rules.js";

/** @typedef {import("./rules.js").Position} Position */

/**
 * Return the position before the first turn of a record. Throws an Error if no game can begin there.
 * @param {GameRecord} record @returns {Position}
 */
export function startOf(record) {
  const { game, size, opening, variant, ruleset, readings, coordinates, setup } = /** @type {any} */ (record);
  // A record may have more fields there.
  const stones = opening && Object.fromEntries(games[/** @type {import("./rules.js").GameName} */ (game)].opening.map((color) => [color, opening[color]]));
  return newGame(game, { size, opening: stones, variant, ruleset, readings, coordinates, position: setup });
}
