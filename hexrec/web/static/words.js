// Words that the page and `<hexrec-board>` share.

/** Return a word as it begins a sentence; so are the names of the colors written in any. @param {string} word */
export const titled = (word) => word[0].toUpperCase() + word.slice(1);

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** Return the result that a record claims as a sentence, with the illegal turn that lost the game. @param {Result} result */
export function claimInWords({ winner, termination = "rules", illegal }) {
  const ending = winner === "draw" ? "a draw" : winner ? `${titled(winner)} wins` : "no winner named";
  const cause = termination === "illegal" ? `illegal turn ${illegal?.turn ?? ""}`.trim() : termination;
  return `${ending} (${cause})`;
}
