// A use of each part of <hexrec-board>, for tsc alone: `nox -s npm`.

import { type BoardError, HexrecBoard, type HexrecBoardAttributes } from "./package/hexrec-board.js";

const board: HexrecBoard = document.createElement("hexrec-board");
const attributes: HexrecBoardAttributes = { src: "game.json", ply: 3, coordinates: "skew", playable: "" };
for (const [name, value] of Object.entries(attributes)) board.setAttribute(name, String(value));
board.record = { game: "sunspot", size: 5, moves: [] };
board.addEventListener("turn", ({ detail }) => {
  const turns: readonly (string | { readonly turn: string })[] = detail.record.moves;
  void [turns, detail.result?.winner, detail.toPlay.toUpperCase()];
});
board.addEventListener("error", ({ detail }: CustomEvent<BoardError>) => void [detail.code, detail.ply?.toFixed()]);
board.addEventListener("load", ({ detail }) => board.goTo(detail.plies - 1));
board.play("a1");
board.undo();
board.reset();
board.ply = 0;
const seen: HexrecBoard | null = document.querySelector("hexrec-board");
void [seen?.position, board.turns.length, board.error?.message, HexrecBoard];
