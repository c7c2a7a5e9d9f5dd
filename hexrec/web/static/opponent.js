// A player of all games: values proved near the end by a search of all turns, estimates by random games elsewhere. The
// same position has the same answer: random numbers have a seed, and the work is bounded by its amount, never by the clock.
// `hexrec analyze` does the same in Python. No DOM, no service.

/**
 * @typedef {import("./rules.js").Grid} Grid
 * @typedef {import("./rules.js").Position} Position
 */

/**
 * The levels, the weakest first: the number of random games for a turn, and of positions that a proof may look at.
 * benchmarks/opponent.mjs measures how often each wins against the one before.
 * @type {{ playouts: number, positions: number }[]}
 */
export const LEVELS = [
  { playouts: 2, positions: 0 },
  { playouts: 50, positions: 0 },
  { playouts: 400, positions: 2_000 },
];

/** By winner, the value of a finished game. */
const VALUES = [1, -1, 0];
const NOBODY = 3;
/** The positions in a row, from the end backwards, without a proof before no further proof is tried. */
const FAILURES = 2;

/** @param {Grid} grid */
const isOver = (grid) => grid.winner !== NOBODY;
/** The value of a win for the side to move. @param {Grid} grid */
const signOf = (grid) => (grid.side === 0 ? 1 : -1);

/**
 * Return a function that draws whole numbers below others. @param {number} seed
 * @returns {(below: number) => number}
 */
export function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** A proof looks at more positions than are allowed. */
class LimitReached extends Error {}

/** Proves values by searching all turns. It remembers what it has proved, so solve a game from its end. */
export class Solver {
  /** The values and best moves of positions. @type {Map<string, [value: number, move: number]>} */
  #known = new Map();
  #positions;
  #left = 0;

  /** @param {number} positions the number of positions that each proof may look at */
  constructor(positions) {
    this.#positions = positions;
  }

  /**
   * Return the value of a position, for best play by both sides, with moves that lead to it; null if the proof takes too
   * many positions.
   * @param {Grid} grid @returns {{ value: number, line: number[] } | null}
   */
  solve(grid) {
    this.#left = this.#positions;
    const saved = grid.save();
    try {
      return { value: this.#value(grid), line: this.#line(grid) };
    } catch (error) {
      if (error instanceof LimitReached) return null;
      throw error;
    } finally {
      grid.restore(saved);
    }
  }

  /** @param {Grid} grid @returns {number} */
  #value(grid) {
    if (isOver(grid)) return VALUES[grid.winner];
    const key = keyOf(grid);
    const known = this.#known.get(key) ?? this.#best(grid);
    this.#known.set(key, known);
    return known[0];
  }

  /** Return the value of a game in progress, and a move that leads to it. @param {Grid} grid @returns {[number, number]} */
  #best(grid) {
    const sign = signOf(grid);
    const saved = grid.save();
    /** @type {[number, number]} */
    let best = [-2, 0];
    const others = [];
    for (const move of grid.moves()) {
      if (this.#left-- <= 0) throw new LimitReached();
      grid.play(move);
      if (!isOver(grid)) others.push({ move, replies: grid.moves().length });
      else if (sign * VALUES[grid.winner] > best[0]) best = [sign * VALUES[grid.winner], move];
      grid.restore(saved);
      if (best[0] === 1) return [sign, move];
    }
    // Moves that leave the enemy few replies come first: these proofs are small, and often they win.
    others.sort((one, other) => one.replies - other.replies);
    for (const { move } of others) {
      grid.play(move);
      const value = sign * this.#value(grid);
      grid.restore(saved);
      if (value > best[0]) best = [value, move];
      if (value === 1) break;
    }
    return [sign * best[0], best[1]];
  }

  /** Return the best moves from a position on, as far as they are known. @param {Grid} grid */
  #line(grid) {
    const line = [];
    for (let known = this.#known.get(keyOf(grid)); known && !isOver(grid); known = this.#known.get(keyOf(grid))) {
      line.push(known[1]);
      grid.play(known[1]);
    }
    return line;
  }
}

/** A string that positions of a game share if they go on in the same way. @param {Grid} grid */
const keyOf = (grid) => [grid.side, grid.passed, grid.last, grid.fields(), grid.contents()].join();

/** A position in the tree of `estimate`. */
class Node {
  /** @type {Node[]} */
  children = [];
  visits = 0;
  total = 0;

  /** @param {number} move the move that led here @param {Grid} grid @param {(below: number) => number} draw */
  constructor(move, grid, draw) {
    this.move = move;
    this.sign = -signOf(grid);
    /** The moves without a child. @type {number[]} */
    this.untried = isOver(grid) ? [] : grid.moves();
    for (let left = this.untried.length; left > 1; left--) {
      const drawn = draw(left);
      [this.untried[left - 1], this.untried[drawn]] = [this.untried[drawn], this.untried[left - 1]];
    }
  }

  /** The average for the player who moved here. */
  get mean() {
    return (this.sign * this.total) / this.visits;
  }

  /** Return the child with the largest upper bound of its average (UCT). */
  promising() {
    const explored = 2 * Math.log(this.visits);
    const bound = (/** @type {Node} */ child) => child.mean / 2 + Math.sqrt(explored / child.visits);
    return this.children.reduce((best, child) => (bound(child) > bound(best) ? child : best));
  }
}

/**
 * Return the value of a game in progress, estimated by UCT with a number of random games, and the best move.
 * @param {Grid} grid @param {(below: number) => number} draw @param {number} playouts
 */
export function estimate(grid, draw, playouts) {
  const saved = grid.save();
  const root = new Node(0, grid, draw);
  for (let count = 0; count < playouts; count++) {
    const path = [root];
    let node = root;
    while (!node.untried.length && node.children.length) {
      node = node.promising();
      grid.play(node.move);
      path.push(node);
    }
    const move = node.untried.pop();
    if (move !== undefined) {
      grid.play(move);
      const child = new Node(move, grid, draw);
      node.children.push(child);
      path.push(child);
    }
    while (!isOver(grid)) {
      const moves = grid.moves();
      grid.play(moves[draw(moves.length)]);
    }
    for (const each of path) {
      each.visits++;
      each.total += VALUES[grid.winner];
    }
    grid.restore(saved);
  }
  const best = root.children.reduce((one, other) => (other.visits - one.visits || other.mean - one.mean) > 0 ? other : one);
  return { value: root.total / root.visits, line: [best.move] };
}

/**
 * Return the turn that a level plays in a position of a game in progress, with its value.
 * @param {Position} position @param {number} level its index @returns {ChosenTurn}
 */
export function chooseTurn({ grid }, level) {
  const { playouts, positions } = LEVELS[level];
  const proof = positions ? new Solver(positions).solve(grid) : null;
  // A lost game is played on as if it were not: the enemy may not see it.
  if (proof && proof.value !== -signOf(grid)) return { turn: grid.write(proof.line[0]), value: proof.value, playouts: 0 };
  const { value, line } = estimate(grid, generator(seedOf(grid)), playouts);
  return { turn: grid.write(line[0]), ...(proof ? { value: proof.value, playouts: 0 } : { value, playouts }) };
}

/** Return a seed that differs from position to position. @param {Grid} grid */
const seedOf = (grid) => [...keyOf(grid)].reduce((seed, char) => Math.imul(seed, 31) + char.charCodeAt(0), grid.plies);

/** The amount of work on each position of a game. */
const ALONG = { playouts: 200, positions: 2_000 };

/**
 * Yield the values of the positions of a line, the last first: after all turns, then after all but one, and so on.
 * @param {Position} position before the first turn; it is changed @param {string[]} turns
 * @returns {Generator<PositionValue>}
 */
export function* evaluateLine(position, turns) {
  const { grid } = position;
  const reached = [grid.save()];
  for (const turn of turns) {
    position.play(turn);
    reached.push(grid.save());
  }
  const solver = new Solver(ALONG.positions);
  let failures = 0;
  for (let ply = turns.length; ply >= 0; ply--) {
    grid.restore(reached[ply]);
    const proof = failures < FAILURES ? solver.solve(grid) : null;
    failures = proof ? 0 : failures + 1;
    if (proof) yield { ply, value: proof.value, playouts: 0, best: proof.line.length ? grid.write(proof.line[0]) : null };
    else {
      const { value, line } = estimate(grid, generator(ply), ALONG.playouts);
      yield { ply, value, playouts: ALONG.playouts, best: grid.write(line[0]) };
    }
  }
}
