// Boards as the page draws them: the same data as `board` of the service, for a board of any size.

import { boardOf, cellPattern } from "./rules.js";
import { SHAPES } from "./shapes.js";

const { pitch: PITCH, row: ROW, reach: REACH, frame: FRAME, ledge: LEDGE, padding: PADDING, label: LABEL, character, gap } =
  SHAPES.layout;
/** @type {System[]} */
const SYSTEMS = ["row", "skew", "axial"];
/** The steps along three of the six directions. @type {Point[]} */
const DIRECTIONS = [[1, 0], [0, 1], [-1, 1]];

/**
 * Return the geometry of a board. Its cells are in the order of the rules.
 * @param {number} size @param {string} surface @param {System} system that of the turns
 * @returns {Board}
 */
export function drawnBoard(size, surface, system) {
  const board = boardOf(size);
  const cells = /** @type {Point[]} */ ([...board.axial.values()]);
  const names = /** @type {Board["names"]} */ ({});
  const boxes = /** @type {Board["boxes"]} */ ({ none: boxOf(size, 0) });
  for (const each of SYSTEMS) {
    names[each] = [...board.names(each).names.values()];
    const longest = Math.max(...names[each].map((name) => name.replace(/[()]/g, "").length));
    boxes[each] = boxOf(size, longest * character + gap);
  }
  return {
    size,
    cells,
    places: cells.map((cell) => /** @type {Point} */ (placeOf(cell).map((value) => rounded(value, 1e4)))),
    boxes,
    ground: groundOf(size, surface, cells),
    edge: cells.map((cell) => (isEdge(cell, size) ? 1 : 0)),
    names,
    // In either case, as turns of records may be.
    pattern: cellPattern(system).replace("aa", "[Aa][Aa]").replace("[a-z]", "[A-Za-z]"),
  };
}

/** @param {Point} cell @returns {Point} */
const placeOf = ([q, r]) => [(q + r / 2) * PITCH, -r * ROW];

/** @param {Point} cell @param {number} size */
const isEdge = ([q, r], size) => Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r)) === size - 1;

/** @param {number} size @param {number} margin for labels @returns {[number, number, number, number]} */
function boxOf(size, margin) {
  const half = (size - 1) * PITCH + LABEL + margin;
  const high = (size - 1) * ROW + REACH + FRAME + PADDING;
  return [rounded(-half), rounded(-high), rounded(2 * half), rounded(2 * high)];
}

/** @param {number} value */
const rounded = (value, parts = 100) => Math.round(value * parts) / parts || 0;

/**
 * Return the plate as SVG, with the grid if stones are on its points.
 * @param {number} size @param {string} surface @param {Point[]} cells
 */
function groundOf(size, surface, cells) {
  // The sides of the plate are at a distance from the edge cells.
  const stretch = 1 + (REACH + FRAME) / ((size - 1) * ROW);
  const far = size - 1;
  /** @type {Point[]} */
  const corners = [[-far, 0], [0, -far], [far, -far], [far, 0], [0, far], [-far, far]];
  const points = corners.map((corner) => placeOf(corner).map((value) => value * stretch));
  const plate = (/** @type {string} */ kind, down = 0) =>
    `<polygon points="${points.map(([x, y]) => `${rounded(x)},${rounded(y + down)}`).join(" ")}" class="${kind}"/>`;
  return plate("ledge", LEDGE) + plate("plate") + (surface === "points" ? gridOf(size, cells) : "");
}

/** @param {number} size @param {Point[]} cells */
function gridOf(size, cells) {
  const on = (/** @type {Point} */ [q, r]) => Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r)) < size;
  // Each line once, from where it enters the board.
  const lines = cells.flatMap(([q, r]) =>
    DIRECTIONS.filter(([dq, dr]) => !on([q - dq, r - dr]) && on([q + dq, r + dr])).map(([dq, dr]) => {
      let [endQ, endR] = [q, r];
      while (on([endQ + dq, endR + dr])) [endQ, endR] = [endQ + dq, endR + dr];
      return [placeOf([q, r]), placeOf([endQ, endR])];
    }),
  );
  const drawn = lines.map((line) => `M${line.map((point) => point.map((value) => rounded(value)).join(",")).join("L")}`);
  return `<path d="${drawn.join("")}" class="grid"/>`;
}
