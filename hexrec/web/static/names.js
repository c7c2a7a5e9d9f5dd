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
