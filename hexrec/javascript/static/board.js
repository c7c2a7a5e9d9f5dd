// Hexagonal boards: their cells as the rules number them, the names of these, and their symmetries.

import { Tables } from "./rules.js";

const STEPS = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];
const LETTERED = "(?:aa|[a-z])[1-9][0-9]?";
const NUMBER = "(?:0|-?[1-9][0-9]?)";
/** By coordinate system, the pattern of the name of a cell in a turn, to be used for either case. */
const CELL_PATTERNS = { row: LETTERED, skew: LETTERED, axial: `\\(${NUMBER},${NUMBER}\\)` };
const boards = new Map();

/** Returns the letters of the index of a line: a, b, …, z, aa. */
const letters = (index) => (index < 26 ? "" : "a") + String.fromCharCode(97 + (index % 26));

/** Returns a string without whitespace around it, in lower case unless it has letters of other alphabets. */
export function trim(text) {
  const trimmed = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
  // Some other letters become a to z in lower case.
  return /^[\0-\x7f]*$/.test(trimmed) ? trimmed.toLowerCase() : trimmed;
}

/** Returns the pattern of the names of cells in a coordinate system. */
export const cellPattern = (system) => CELL_PATTERNS[system];

/** Names of the cells of a board in one coordinate system, with the tables of the rules for it. */
class Names {
  constructor(board, system) {
    this.system = system;
    this.names = new Map();
    this.cells = new Map();
    for (const row of board.rows.toReversed()) {
      row.forEach((cell, index) => {
        const [q, r] = board.axial.get(cell);
        const line = r + board.size - 1;
        let name = `${letters(line)}${index + 1}`;
        if (system === "axial") name = `(${q},${r})`;
        if (system === "skew") name = `${letters(line + q)}${line + 1}`;
        this.names.set(cell, name);
        this.cells.set(name, cell);
      });
    }
    const steps = STEPS.map(([q, r]) => q + r * board.width);
    this.tables = new Tables(board.span, board.cells, steps, [...this.names.values()]);
  }

  /** Returns the name of a cell outside of a turn: `0,0` instead of `(0,0)`. */
  single(cell) {
    return this.names.get(cell).replace(/[()]/g, "");
  }

  /** Returns the cell with a name, or undefined. */
  find(name) {
    const trimmed = trim(name);
    return this.cells.get(this.system === "axial" && !trimmed.startsWith("(") ? `(${trimmed})` : trimmed);
  }
}

/** A board with `size` cells along each side. `boardOf` returns them. */
class Board {
  #names = new Map();
  #symmetries = null;

  constructor(size) {
    this.size = size;
    this.width = 2 * size;
    this.span = this.width * (2 * size + 1);
    /** The axial coordinates of the cells, in board order. */
    this.axial = new Map();
    /** The rows from the top, as cells from the left. */
    this.rows = [];
    for (let r = 1 - size; r < size; r++) {
      const row = [];
      for (let q = Math.max(1 - size, 1 - size - r); q < Math.min(size, size - r); q++) {
        row.push((r + size) * this.width + q + size);
        this.axial.set(row.at(-1), [q, r]);
      }
      this.rows.unshift(row);
    }
    this.cells = [...this.axial.keys()];
  }

  names(system) {
    if (!Object.hasOwn(CELL_PATTERNS, system)) {
      throw new RangeError(`unknown coordinate system ${system}; known: ${Object.keys(CELL_PATTERNS).join(", ")}`);
    }
    if (!this.#names.has(system)) this.#names.set(system, new Names(this, system));
    return this.#names.get(system);
  }

  /** The rotations and reflections of the board, as maps from a cell to its image; the first is the identity. */
  get symmetries() {
    this.#symmetries ??= [false, true].flatMap((isReflected) => {
      let places = this.cells.map((cell) => [cell, isReflected ? this.axial.get(cell).toReversed() : this.axial.get(cell)]);
      return STEPS.map(() => {
        const images = new Map(places.map(([cell, [q, r]]) => [cell, (r + this.size) * this.width + q + this.size]));
        places = places.map(([cell, [q, r]]) => [cell, [-r, q + r]]);
        return images;
      });
    });
    return this.#symmetries;
  }
}

/** Returns the board of a size. */
export function boardOf(size) {
  if (!boards.has(size)) boards.set(size, new Board(size));
  return boards.get(size);
}
