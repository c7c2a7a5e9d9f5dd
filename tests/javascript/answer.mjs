// Answers questions about games: `node answer.mjs MODULE` reads an array of them from stdin, and prints the answers.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { gameHash, IllegalOpening, IllegalSetup, IllegalTurn, newGame } = await import(pathToFileURL(process.argv[2]));

function answer({ game, options, turns, tries, record, symmetric }) {
  if (record) return gameHash(record, { symmetric });
  const position = newGame(game, options);
  const start = position.text();
  if (!turns) {
    const { cells, steps, span, name_of: names } = position.grid;
    return { cells, steps, span, names: cells.map((cell) => names[cell]), start };
  }
  const played = turns.map((turn) => {
    const canonical = position.canonical(turn);
    if (position.play(turn) !== canonical) throw new Error(`two spellings of ${turn}`);
    return [position.text(), position.hash()];
  });
  const refusals = tries.map((turn) => [position.refusal(turn), position.isLegal(turn)]);
  const end = { turns: position.turns, text: position.text(), legal: position.legalTurns(), result: position.result() };
  const twin = position.copy();
  while (position.undo() !== null);
  const stones = position.stones;
  return { played, refusals, ...end, stones, back: position.text() === start, twin: twin.text() === end.text };
}

const answers = JSON.parse(readFileSync(0, "utf8")).map((question) => {
  try {
    return answer(question);
  } catch (error) {
    if (error instanceof IllegalTurn) return { turn: error.code };
    if (error instanceof IllegalOpening) return { code: error.code, color: error.color };
    if (error instanceof IllegalSetup) return { code: error.code, column: error.column };
    if (error instanceof RangeError) return { wrong: true };
    throw error;
  }
});
process.stdout.write(JSON.stringify(answers));
