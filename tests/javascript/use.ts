// A use of each part of the package, for tsc alone: `nox -s npm`.

import { gameHash, games, type Grid, IllegalSetup, IllegalTurn, newGame, type GameName, type Position } from "./package/hexrec.js";

const names: GameName[] = ["sundraval", "sunspot", "frasvel", "valaturna", "nadraz"];
const sizes: readonly number[] = games.nadraz.rulesets[0]!.sizes;
const game: Position = newGame("nadraz", { size: sizes[0], opening: { black: "a1", white: "c3" }, variant: "reverse" });
try {
  const turn: string = game.play(game.legalTurns()[0]!);
  const back: string | null = game.undo();
  void [turn, back, names];
} catch (error) {
  if (error instanceof IllegalTurn) void error.code.toUpperCase();
  if (error instanceof IllegalSetup) void error.column.toFixed();
}
const grid: Grid = game.grid;
const moves: number[] = grid.moves();
const score = game.result()?.score?.black;
const height: number | undefined = game.stones["a1"]?.height;
const hash: string = gameHash({ game: "sunspot", size: 4, moves: ["a1", { turn: "b1" }] }, { symmetric: true });
void [moves, score, height, hash, game.isOver, game.turn === "black", game.copy().text()];

// @ts-expect-error: there is no such game
newGame("chess");
// @ts-expect-error: a turn is a string
game.play(5);
// @ts-expect-error: positions are changed by turns alone
game.turn = "white";
