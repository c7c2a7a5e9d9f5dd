// Positions, and hashes of games: the public face of the rules.

import { blake2b } from "./blake2b.js";
import { boardOf, cellPattern, trim } from "./board.js";
import { IllegalOpening, IllegalSetup, IllegalTurn } from "./errors.js";
import { games, RULES } from "./games.js";
import { countRows, readPosition, writePosition } from "./position-text.js";

const COLORS = ["black", "white"];
const WINNERS = [...COLORS, "draw"];
const NOBODY = 3;
const PASS = 0;
const UNREAD = -1;
const patterns = new Map();

/** Returns the pattern of turns of a game in a coordinate system. */
function turnPattern(game, system) {
  const key = `${game.name} ${system}`;
  if (!patterns.has(key)) {
    patterns.set(key, new RegExp(`^(?:${game.turn.replaceAll("{cell}", cellPattern(system))})$`, "i"));
  }
  return patterns.get(key);
}

/** A position of a game. `newGame` returns positions. */
export class Position {
  #board;
  #names;
  #description;
  #past = [];

  /** Use `newGame` instead. */
  constructor(description, board, names, ruleset, variant, readings) {
    this.#description = description;
    this.#board = board;
    this.#names = names;
    this.game = description.name;
    this.size = board.size;
    this.ruleset = ruleset;
    this.variant = variant;
    this.readings = readings;
    this.coordinates = names.system;
    this.grid = new RULES[`${description.name} ${ruleset}`](names.tables, variant ?? "");
    this.grid.readings = readings;
  }

  /** The number of turns played. */
  get plies() {
    return this.grid.plies;
  }

  /** The side to move; after the end, the color that would be next. */
  get turn() {
    return COLORS[this.grid.side];
  }

  /** Whether the rules have ended the game. */
  get isOver() {
    return this.grid.winner !== NOBODY;
  }

  /** The turns played, in canonical form. */
  get turns() {
    return this.#past.map(([, turn]) => turn);
  }

  /** The stones or stacks, by the name of the cell. */
  get stones() {
    const stones = {};
    for (const cell of this.#board.cells) {
      const color = COLORS[this.grid.at[cell]];
      if (color) stones[this.#names.single(cell)] = { color, height: this.grid.heights[cell] };
    }
    return stones;
  }

  /** Plays a turn and returns it in canonical form. Throws IllegalTurn; the position is unchanged then. */
  play(turn) {
    const grid = this.grid;
    const known = this.isOver ? UNREAD : grid.read(turn);
    // A canonical turn is tried at once.
    const isKnown = known !== UNREAD && grid.canonical(known) === known;
    const move = isKnown ? known : this.#legalMove(turn);
    const before = grid.save();
    const code = grid.play(move);
    if (code !== 0) throw new IllegalTurn(turn, this.#code(code));
    const text = grid.write(move);
    this.#past.push([before, text]);
    return text;
  }

  /** Takes back the last turn and returns it; null if there is none. */
  undo() {
    const [before, turn] = this.#past.pop() ?? [null, null];
    if (before) this.grid.restore(before);
    return turn;
  }

  /** Returns whether a turn is legal. */
  isLegal(turn) {
    return this.refusal(turn) === null;
  }

  /** Returns the code of the first rule that a turn breaks, or null if it is legal. */
  refusal(turn) {
    try {
      this.#legalMove(turn);
      return null;
    } catch (error) {
      if (error instanceof IllegalTurn) return error.code;
      throw error;
    }
  }

  /** Returns the canonical form of a legal turn. Throws IllegalTurn. */
  canonical(turn) {
    return this.grid.write(this.#legalMove(turn));
  }

  /** Returns the legal turns in canonical form, sorted; an empty array after the end. */
  legalTurns() {
    return this.isOver ? [] : this.grid.legal_turns();
  }

  /** Returns the result, or null while the game is in progress. */
  result() {
    if (!this.isOver) return null;
    const result = { winner: WINNERS[this.grid.winner], termination: "rules" };
    const kind = this.#description.score;
    const score = (color) => (kind === "number" ? this.grid.points(color) : this.grid.ranking(color));
    if (kind) result.score = { black: score(0), white: score(1) };
    return result;
  }

  /** Returns the position text. */
  text() {
    const fields = this.grid.fields().map((value, index) => this.#description.positionFields[index][value]);
    return writePosition(this.#board, this.grid.contents(), this.grid.side, Number(this.grid.passed), fields);
  }

  /** Returns a hash of 16 hexadecimal digits, which is the same for equal positions everywhere. */
  hash() {
    const isOver = this.isOver ? "True" : "False";
    const rules = [this.ruleset, ...this.readings].join(" ");
    return blake2b(`${this.game} ${this.variant ?? ""} ${rules} ${isOver} ${this.text()}`, 8);
  }

  /** Returns an independent copy, with the turns that `undo` can take back. */
  copy() {
    const { ruleset, variant, readings } = this;
    const twin = new Position(this.#description, this.#board, this.#names, ruleset, variant, readings);
    twin.grid.restore(this.grid.save());
    twin.#past = [...this.#past];
    return twin;
  }

  #legalMove(turn) {
    const move = this.isOver ? PASS : this.#read(turn);
    const code = this.grid.code(move);
    if (code !== 0) throw new IllegalTurn(turn, this.#code(code));
    return this.grid.canonical(move);
  }

  /** Returns the name of a code of the rules. */
  #code(code) {
    return ["", "move/game-over", "move/occupied", ...this.grid.constructor.codes()][code];
  }

  /** Returns the move that a turn means, legal or not. Throws IllegalTurn if it is malformed or off the board. */
  #read(turn) {
    if (typeof turn !== "string") throw new TypeError("a turn is a string");
    const known = this.grid.read(turn);
    if (known !== UNREAD) return known;
    const text = trim(turn);
    if (!turnPattern(this.#description, this.coordinates).test(text)) throw new IllegalTurn(turn, "move/malformed");
    for (const [name] of text.matchAll(new RegExp(cellPattern(this.coordinates), "g"))) {
      if (!this.#names.cells.has(name)) throw new IllegalTurn(turn, "move/off-board");
    }
    const move = this.grid.read(text);
    if (move === UNREAD) throw new IllegalTurn(turn, "move/malformed");
    return move;
  }

  /** Puts the stones of an opening, given as names of cells by color. */
  _open(opening) {
    const colors = this.#description.opening;
    const given = Object.keys(opening);
    if (given.length !== colors.length || !colors.every((color) => given.includes(color))) {
      const stones = colors.length ? `an opening with one cell for ${colors.join(" and for ")}` : "no opening";
      throw new RangeError(`${this.#description.title} has ${stones}`);
    }
    for (const color of colors) {
      const cell = this.#names.find(String(opening[color]));
      if (cell === undefined) throw new IllegalOpening(color, opening[color], "opening/off-board");
      if (COLORS[this.grid.at[cell]]) throw new IllegalOpening(color, opening[color], "opening/same-cell");
      this.grid.put(cell, COLORS.indexOf(color), 1);
    }
  }

  /** Sets up the position of a text on the empty board. */
  _setUp(text) {
    const grid = this.grid;
    const setup = readPosition(text, this.#board, this.#description);
    for (const [cell, { color, height }] of setup.stacks) grid.put(cell, color, height);
    grid.set_fields(setup.fields);
    grid.side = setup.side;
    const fault = grid.fault();
    if (fault !== 0) {
      const column = setup.stacks.get(grid.fault_cell())?.column ?? setup.sideColumn;
      throw new IllegalSetup(this.#code(fault), column);
    }
    if (setup.passes) {
      // A pass changes no stones, so it was legal if it is legal now.
      grid.side = 1 - setup.side;
      const isIllegal = grid.code(PASS) !== 0;
      grid.side = setup.side;
      if (isIllegal) throw new IllegalSetup("setup/pass", setup.passesColumn);
      grid.passed = true;
    }
  }
}

/** Returns the member of an object of games, rulesets or others. Throws RangeError if it is unknown. */
function choose(known, name, kind) {
  const found = known.find((each) => (each.name ?? each) === name);
  if (found === undefined) {
    throw new RangeError(`unknown ${kind} ${name}; known: ${known.map((each) => each.name ?? each).join(", ")}`);
  }
  return found;
}

/** Starts a game from its opening or from a position text. Throws IllegalOpening, IllegalSetup or RangeError. */
export function newGame(name, options = {}) {
  const { size = null, opening, variant = null, ruleset, coordinates = "row", position = null } = options;
  const { readings = [] } = options;
  const game = choose(Object.values(games), name, "game");
  const rules = choose(game.rulesets, ruleset ?? game.rulesets[0].name, "ruleset");
  if (variant !== null) choose(game.variants, variant, "variant");
  for (const reading of readings) choose(rules.readings, reading, "reading");
  // A reading has the name of its ruling and a letter.
  if (new Set(readings.map((reading) => reading.slice(0, -1))).size < readings.length) {
    throw new RangeError("two readings of one ruling");
  }
  let chosen = size;
  if (position !== null && opening) throw new RangeError("a game starts from an opening or from a position text");
  if (position !== null) {
    chosen ??= (countRows(position) + 1) / 2;
    if (size === null && !rules.sizes.includes(chosen)) throw new IllegalSetup("setup/size", 1);
  }
  chosen ??= game.recommended.find((each) => rules.sizes.includes(each)) ?? rules.sizes[0];
  choose(rules.sizes, chosen, "size");
  const board = boardOf(chosen);
  const ordered = rules.readings.filter((reading) => readings.includes(reading));
  const start = new Position(game, board, board.names(coordinates), rules.name, variant, ordered);
  if (position === null) start._open(opening ?? {});
  else start._setUp(position);
  return start;
}

/**
 * Returns the hash of the game of a record, of 32 hexadecimal digits; with `symmetric`, the one that rotated and
 * mirrored games share. Throws IllegalOpening, IllegalSetup or IllegalTurn.
 */
export function gameHash(record, { symmetric = false } = {}) {
  const { game, variant = null, opening, setup = null, coordinates = "row" } = record;
  const turns = record.moves.map((move) => (typeof move === "string" ? move : move.turn));
  const position = newGame(game, { ...record, variant, opening, coordinates, position: setup });
  const board = boardOf(position.size);
  const rows = board.names("row").names;
  const names = board.names(coordinates);
  const renamed = (text, image) => {
    const pattern = new RegExp(cellPattern(coordinates), "g");
    return text.replace(pattern, (name) => rows.get(image.get(names.cells.get(name)) ?? 0));
  };
  for (const turn of turns) position.play(turn);
  const hashes = (symmetric ? board.symmetries : board.symmetries.slice(0, 1)).map((image, number) => {
    const stones = games[game].opening.map((color) => opening && [color, rows.get(image.get(names.find(opening[color])))]);
    const identity = {
      game,
      ruleset: position.ruleset,
      variant,
      size: position.size,
      opening: setup === null && stones.length ? Object.fromEntries(stones) : null,
      setup: setup === null ? null : setupImage(setup, board, games[game], image),
      moves: position.turns.map((turn) => renamed(turn, image)),
    };
    if (games[game].synonyms && number > 0) {
      const start = { opening: identity.opening ?? undefined, position: identity.setup, readings: position.readings };
      const twin = newGame(game, { ...identity, ...start });
      identity.moves = identity.moves.map((turn) => twin.play(turn));
    }
    return blake2b(JSON.stringify(identity), 16);
  });
  return hashes.sort()[0];
}

/** Returns the image of a position text under a symmetry. */
function setupImage(text, board, game, image) {
  const contents = Array(board.span).fill(0);
  for (const [cell, { color, height }] of readPosition(text, board, game).stacks) {
    contents[image.get(cell)] = 2 * height - 1 + color;
  }
  return [writePosition(board, contents, 0, 0, []).split(" ")[0], ...text.split(" ").slice(1)].join(" ");
}
