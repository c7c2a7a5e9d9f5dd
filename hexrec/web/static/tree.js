// The game as a tree. A path names a line of it: for each branch [ply, number of the variation], from the trunk on.
// A ply counts the turns played; steps[ply] is the turn that may follow.

/** @param {Step[]} trunk @param {Path} path */
export function lineOf(trunk, path) {
  let rest = trunk;
  let base = 0;
  const line = [];
  for (const [ply, variation] of path) {
    line.push(...rest.slice(0, ply - base));
    rest = branchOf(rest[ply - base], variation);
    base = ply;
  }
  return line.concat(rest);
}

/**
 * How many turns of a line can be played.
 * @param {Step[]} line
 */
export function playable(line) {
  const end = line.findIndex((step) => !step.changes);
  return end < 0 ? line.length : end;
}

/**
 * The stones on all cells after some turns: heights, negative for white.
 * @param {Start} start @param {Step[]} line @param {number} ply @param {number} cells
 * @returns {number[]}
 */
export function stonesAfter(start, line, ply, cells) {
  const stones = new Array(cells).fill(0);
  for (const step of [start, ...line.slice(0, ply)]) {
    for (const [cell, value] of step.changes ?? []) stones[cell] = value;
  }
  return stones;
}

/**
 * The path and ply reached by a turn that the tree has already, or null.
 * @param {Step[]} trunk @param {Path} path @param {number} ply @param {string} turn
 * @returns {{path: Path, ply: number} | null}
 */
export function follow(trunk, path, ply, turn) {
  const line = lineOf(trunk, path);
  if (line[ply]?.turn === turn && line[ply].changes) return { path, ply: ply + 1 };
  const parent = before(path, ply);
  const step = lineOf(trunk, parent)[ply];
  if (!step) return null;
  if (step.turn === turn && step.changes) return { path: parent, ply: ply + 1 };
  const number = (step.variations ?? []).findIndex((each) => each[0]?.turn === turn);
  return number < 0 ? null : { path: [...parent, [ply, number]], ply: ply + 1 };
}

/**
 * The tree with a step added after some turns of a line, as `extended` adds the turn to the record.
 * @param {Step[]} trunk @param {Place} place where the step is to be, as an edit says it @param {Step} step
 */
export function grow(trunk, { path, ply }, step) {
  let line = trunk;
  let base = 0;
  for (const [branch, variation] of path) {
    const parent = line[branch - base];
    parent.variations ??= [];
    line = parent.variations[variation] ??= [];
    base = branch;
  }
  line[ply - 1 - base] = step;
}

/**
 * The tree without the last step of a line, as it was before `grow`.
 * @param {Step[]} trunk @param {Place} place
 */
export function prune(trunk, { path, ply }) {
  const parent = lineOf(trunk, path.slice(0, -1));
  const last = path.at(-1);
  if (last && last[0] === ply - 1) parent[last[0]].variations?.splice(last[1], 1);
  else if (last) branchOf(parent[last[0]], last[1]).pop();
  else trunk.pop();
}

/**
 * A variation of a turn. Throws for one that is not there: the path came from outside.
 * @template {Step | Move} T
 * @param {T} move @param {number} variation
 * @returns {T[]}
 */
export function branchOf(move, variation) {
  const line = typeof move === "string" ? undefined : move?.variations?.[variation];
  if (!line) throw new RangeError("the path leads to no variation");
  return /** @type {T[]} */ (line);
}

/**
 * A path with the branches that a position before a ply needs.
 * @param {Path} path @param {number} ply
 */
export function before(path, ply) {
  return path.filter(([branch]) => branch < ply);
}
