#!/usr/bin/env node
// An engine that speaks the protocol of `hexrec conformance`: a request a line on stdin, an answer a line on stdout.

import process from "node:process";
import { createInterface } from "node:readline";
import { gameHash, games, IllegalOpening, IllegalSetup, IllegalTurn, newGame } from "./hexrec.js";

let position = null;

const known = Object.values(games).flatMap((game) =>
  game.rulesets.flatMap(({ name, sizes, readings }) =>
    [undefined, ...game.variants].map((variant) => ({ game: game.name, ruleset: name, variant, sizes, readings })),
  ),
);

const commands = {
  hello: () => ({ protocol: 1, name: "hexrec in JavaScript", games: known }),
  start: ({ game, setup, size, opening, variant, ruleset, readings }) => {
    position = null;
    position = newGame(game, { size, opening, variant, ruleset, readings, position: setup });
    return { position: position.text() };
  },
  legal: () => ({ turns: position.legalTurns() }),
  play: ({ turn }) => {
    position.play(turn);
    return { position: position.text() };
  },
  result: () => {
    const result = position.result();
    return { result: result && { winner: result.winner, score: result.score } };
  },
  // Not of the protocol: the hash of the game of a record.
  hash: ({ record, symmetric }) => ({ hash: gameHash(record, { symmetric }) }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = commands[request.command](request);
  } catch (error) {
    if (!(error instanceof IllegalTurn || error instanceof IllegalOpening || error instanceof IllegalSetup)) throw error;
    answer = { illegal: error.code, column: error.column };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
