// The legal turns of a position as they are entered on a board: part by part. No DOM, no service.

/**
 * Return the turns that begin with some parts.
 * @param {Choice[]} turns @param {number[]} parts
 */
export function beginning(turns, parts) {
  return turns.filter((turn) => parts.every((cell, index) => turn.parts[index]?.includes(cell)));
}

/**
 * Return the cells that may come after some parts.
 * @param {Choice[]} turns @param {number[]} parts
 */
export function nextCells(turns, parts) {
  return [...new Set(beginning(turns, parts).flatMap((turn) => turn.parts[parts.length] ?? []))];
}

/**
 * Return the turns that begin with some parts; where no turn does, those that go through all of these cells.
 * @param {Choice[]} turns @param {number[]} parts @param {(turn: string) => number[]} through
 */
export function candidates(turns, parts, through) {
  const found = beginning(turns, parts);
  if (found.length) return found;
  return turns.filter(({ turn }) => {
    const cells = through(turn);
    return parts.every((cell) => cells.includes(cell));
  });
}

/**
 * Return what all turns that begin with some parts do to the board: what is certain before the turn is complete.
 * @param {Choice[]} turns @param {number[]} parts
 * @returns {Change[]}
 */
export function certainChanges(turns, parts) {
  const [first, ...others] = parts.length ? beginning(turns, parts) : [];
  const same = (/** @type {Change} */ [cell, value]) =>
    others.every(({ changes }) => changes?.some((other) => other[0] === cell && other[1] === value));
  return (first?.changes ?? []).filter(same);
}
