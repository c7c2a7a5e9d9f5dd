// What pictures mark on a position: the effects of the last turn, and what players look for or what decided the game. The
// names and the order are those of the words of each game in Python; a test compares them on whole games.

/**
 * @typedef {any} Grid a grid of the rules: see hexrec/rules/grid.py
 * @typedef {{ role: string, name: string, cells: number[], color?: number | null, label?: string, shade?: number }} Marked cells as
 *   the rules number them
 */

const PLAYERS = ["Black", "White"];
const COLORS = ["black", "white"];
const EMPTY = 2;
const NOBODY = 3;
const NONE = 0;
/** The ruleset of Valaturna without secure stacks. */
const FIRST = "2023-first";

/** @param {number} move */
const partsOf = (move) => [move & 1023, (move >> 10) & 1023, move >> 20];

/**
 * Return what a legal turn does to the board, part by part.
 * @param {string} game @param {Grid} grid before the turn; it stays as it is @param {number} move @returns {Marked[]}
 */
export function effectsOf(game, grid, move) {
  const known = /** @type {Record<string, (grid: Grid, move: number) => Marked[]>} */ (EFFECTS)[game] ?? anyEffects;
  return known(grid, move).filter(({ cells }) => cells.length);
}

/**
 * Return the features of a position that are marked on it.
 * @param {import("./rules.js").Position} position @returns {Marked[]}
 */
export function highlightsOf({ game, ruleset, grid }) {
  const known = /** @type {Record<string, (grid: Grid, ruleset: string) => Marked[]>} */ (HIGHLIGHTS)[game];
  return known ? known(grid, ruleset).filter(({ cells }) => cells.length) : [];
}

/**
 * Return the cells by which each part of a legal turn is entered on a board.
 * @param {string} game @param {Grid} grid @param {number} move @returns {number[][]}
 */
export function partsEntered(game, grid, move) {
  if (game === "sunspot") return flips(grid, move).map(({ cells }) => cells);
  return grid.named_cells(move).map((/** @type {number} */ cell) => [cell]);
}

/** @param {Grid} grid @param {(cell: number) => boolean} test @returns {number[]} */
const where = (grid, test) => grid.cells.filter(test);

const EFFECTS = { frasvel: absorptions, nadraz: cuts, sunspot: flips, valaturna: captures };

/** @param {Grid} grid @param {number} move */
function anyEffects(grid, move) {
  const [before, saved] = [grid.contents(), grid.save()];
  grid.play(move);
  const after = grid.contents();
  grid.restore(saved);
  return [
    { role: "placed", name: "placed", cells: where(grid, (cell) => !before[cell] && after[cell] > 0) },
    { role: "changed", name: "changed", cells: where(grid, (cell) => before[cell] > 0 && after[cell] > 0 && before[cell] !== after[cell]) },
    { role: "removed", name: "gone", cells: where(grid, (cell) => before[cell] > 0 && !after[cell]) },
  ];
}

/** @param {Grid} grid @param {number} move */
function flips(grid, move) {
  const [placed, flipped, back] = partsOf(move);
  /** @type {Marked[]} */
  const found = [];
  if (placed !== NONE) found.push({ role: "placed", name: "placed", cells: [placed] });
  if (flipped !== NONE) found.push({ role: "changed", name: "flipped", cells: [flipped] });
  if (back !== NONE) {
    const count = grid.find_subgroup_after(placed, back);
    found.push({ role: "returned", name: "flipped back", cells: sorted(grid.subgroup.slice(0, count)) });
  }
  return found;
}

/** @param {Grid} grid @param {number} move */
function absorptions(grid, move) {
  const [start, landing, placed] = partsOf(move);
  /** @type {Marked[]} */
  const found = [];
  if (start !== NONE) {
    const { side } = grid;
    const [at, heights, saved] = [[...grid.at], [...grid.heights], grid.save()];
    grid.move_code(start, landing);
    grid.carry_out(start, landing);
    const changed = where(grid, (cell) => at[cell] < EMPTY && grid.at[cell] !== EMPTY && grid.heights[cell] !== heights[cell]);
    const gone = where(grid, (cell) => at[cell] === 1 - side && grid.at[cell] === EMPTY);
    grid.restore(saved);
    const step = grid.steps.find((/** @type {number} */ each) => start + heights[start] * each === landing);
    const path = Array.from({ length: heights[start] + 1 }, (_, index) => start + index * step);
    found.push(
      { role: "path", name: "moved", cells: path },
      { role: "removed", name: "start of the move", cells: [start] },
      { role: "placed", name: "landing", cells: [landing] },
      { role: "removed", name: "absorbed", cells: gone },
      { role: "changed", name: "lowered", cells: changed.filter((cell) => at[cell] !== side) },
      { role: "changed", name: "raised", cells: changed.filter((cell) => at[cell] === side) },
    );
  }
  if (placed !== NONE) found.push({ role: "placed", name: "placed", cells: [placed] });
  return found;
}

/** @param {Grid} grid @param {number} move */
function captures(grid, move) {
  if (move === NONE) return [];
  grid.look(move, grid.side);
  const captured = grid.queue.slice(0, grid.flanked);
  return [
    { role: "placed", name: "placed", cells: [move] },
    { role: "changed", name: "captured", cells: captured },
  ];
}

/** @param {Grid} grid @param {number} move */
function cuts(grid, move) {
  const [first, last, direction] = partsOf(move);
  if (move === NONE) return [];
  const step = grid.steps[direction - 1];
  const cells = Array.from({ length: (last - first) / step + 1 }, (_, index) => first + index * step);
  const isFlipped = (/** @type {number} */ cell) => grid.at[cell] === 1 - grid.side;
  const isCut = (/** @type {number} */ cell) => cell !== first && isFlipped(cell - step) && !isFlipped(cell);
  return [
    { role: "placed", name: "placed", cells: cells.filter((cell) => !isFlipped(cell) && !isCut(cell)) },
    { role: "changed", name: "flipped", cells: cells.filter(isFlipped) },
    { role: "cut", name: "cut cell", cells: cells.filter(isCut) },
  ];
}

const HIGHLIGHTS = { frasvel: closedCells, nadraz: snakes, sundraval: settlement, sunspot: loops, valaturna: secureStacks };

/** @param {Grid} grid @returns {Marked[]} */
function closedCells(grid) {
  if (grid.winner === NOBODY) return [];
  const cells = where(grid, (cell) => grid.at[cell] === EMPTY);
  return [{ role: "forbidden", name: `closed to ${PLAYERS[grid.winner]}`, cells, color: grid.winner }];
}

/** @param {Grid} grid @param {string} ruleset @returns {Marked[]} */
function secureStacks(grid, ruleset) {
  if (ruleset === FIRST) return [];
  grid.prove();
  return [{ role: "secure", name: "secure", cells: where(grid, (cell) => grid.is_proved(cell)) }];
}

/** @param {Grid} grid @returns {Marked[]} */
function snakes(grid) {
  return [0, 1].flatMap((color) => {
    const stones = where(grid, (cell) => grid.at[cell] === color);
    /** @type {Map<number, number[]>} */
    const bodies = new Map();
    for (const cell of stones) bodies.set(grid.snakes[cell], [...(bodies.get(grid.snakes[cell]) ?? []), cell]);
    const found = [...bodies.values()];
    found.sort((one, other) => other.length - one.length || one[0] - other[0]);
    return found.flatMap((cells, index) => {
      const heads = cells.filter((cell) => grid.is_end(cell, color));
      if (grid.winner === NOBODY) return [{ role: "end", name: "head", cells: heads, color }];
      const label = String(cells.length);
      return [
        { role: "body", name: "snake (each in one shade)", cells, color, shade: 2 * index + color },
        { role: "end", name: "head (the number: length of the snake)", cells: heads, color, label },
      ];
    });
  });
}

/** @param {Grid} grid @returns {Marked[]} */
function settlement(grid) {
  if (grid.winner === NOBODY) return [];
  grid.settle();
  const stones = where(grid, (cell) => grid.at[cell] !== EMPTY && grid.strangled[grid.group_at[cell]]);
  const order = (/** @type {number} */ cell) => grid.at[cell] * 1e6 + grid.group_at[cell];
  const dead = stones.sort((one, other) => order(one) - order(other) || one - other);
  const empty = where(grid, (cell) => grid.ground[cell] === EMPTY);
  const territories = connected(grid, empty).flatMap((cells) => {
    const touched = new Set(cells.flatMap((cell) => around(grid, cell)).filter((cell) => grid.ground[cell] < EMPTY).map((cell) => grid.at[cell]));
    const [color] = touched;
    return touched.size === 1 ? [{ role: "area", name: `${COLORS[color]} territory`, cells, color }] : [];
  });
  return [{ role: "dead", name: "strangled", cells: dead }, ...territories];
}

/** @param {Grid} grid @returns {Marked[]} */
function loops(grid) {
  const { winner } = grid;
  if (winner > 1) return [];
  return connected(grid, grid.enclosed(winner)).flatMap((enclosed) => {
    let loop = new Set(enclosed.flatMap((cell) => around(grid, cell)).filter((cell) => !enclosed.includes(cell)));
    for (const cell of sorted([...loop])) {
      // Stones that are not needed for the loop are left out.
      const fewer = new Set([...loop].filter((other) => other !== cell));
      const inside = connected(grid, where(grid, (other) => !fewer.has(other))).find((cells) => cells.includes(enclosed[0]));
      if (inside?.every((other) => !grid.tables.edge[other])) loop = fewer;
    }
    return [
      { role: "area", name: `enclosed by ${PLAYERS[winner]}`, cells: enclosed, color: winner },
      { role: "chain", name: `${COLORS[winner]} loop`, cells: sorted([...loop]), color: winner },
    ];
  });
}

/** @param {number[]} cells */
const sorted = (cells) => cells.sort((one, other) => one - other);

/** Return the neighbors of a cell. @param {Grid} grid @param {number} cell @returns {number[]} */
const around = (grid, cell) => grid.steps.map((/** @type {number} */ step) => cell + step).filter((/** @type {number} */ other) => grid.at[other] <= EMPTY);

/**
 * Return the connected parts of some cells, each in the order of the board.
 * @param {Grid} grid @param {number[]} cells
 */
function connected(grid, cells) {
  const left = new Set(cells);
  const found = [];
  for (const start of cells) {
    if (!left.delete(start)) continue;
    const part = [start];
    for (const cell of part) {
      for (const other of around(grid, cell)) if (left.delete(other)) part.push(other);
    }
    found.push(sorted(part));
  }
  return found;
}
