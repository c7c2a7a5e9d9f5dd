// What Python gives the page: how things on a board are drawn, and which games there are. It is in the page as JSON.

/** @type {Given} */
const given = JSON.parse(document.getElementById("given")?.textContent ?? "{}");

export const SHAPES = given.shapes;
/** How far from the middle of a cell the names at the rim begin. */
export const LABEL = given.label;
export const GAMES = given.games;
