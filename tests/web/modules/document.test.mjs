// A game that is worked on: edits of its record, undo and redo.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  GameDocument,
  annotated,
  described,
  exchanged,
  extended,
  inserted,
  promoted,
  removed,
  reordered,
  replaced,
  shortened,
  substituted,
  variationAt,
} from "../../../hexrec/web/static/document.js";

const RECORD = {
  hexrec: "1",
  game: "sunspot",
  size: 4,
  moves: ["a1", { turn: "a2", comment: "so", variations: [["b1", "b2"], ["c1"]] }, "a3"],
  result: { winner: "black", termination: "rules" },
};
const IN_FIRST = { path: [[1, 0]], ply: 3 };
const START = { path: [], ply: 0 };
const moves = (edit) => edit.record.moves;

const EDITS = {
  "a turn at the end goes on with the game": [
    extended(RECORD, { path: [], ply: 3 }, "a4"),
    { moves: [...RECORD.moves, "a4"], path: [], ply: 4 },
  ],
  "a turn where the game goes on is a variation": [
    extended(RECORD, { path: [], ply: 2 }, "b3"),
    { moves: [...RECORD.moves.slice(0, 2), { turn: "a3", variations: [["b3"]] }], path: [[2, 0]], ply: 3 },
  ],
  "a turn is replaced, and what was said of it stays": [
    replaced(RECORD, { path: [], ply: 1 }, "d1"),
    { moves: ["a1", { ...RECORD.moves[1], turn: "d1" }, "a3"], path: [], ply: 2 },
  ],
  "what follows a turn is deleted": [
    shortened(RECORD, { path: [], ply: 1 }),
    { moves: ["a1"], path: [], ply: 1 },
  ],
  "a variation is deleted whole": [
    shortened(RECORD, { path: [[1, 1]], ply: 1 }),
    { moves: ["a1", { turn: "a2", comment: "so", variations: [["b1", "b2"]] }, "a3"], path: [], ply: 1 },
  ],
  "a turn is removed alone, and its variations stand beside the next": [
    removed(RECORD, { path: [], ply: 2 }),
    { moves: ["a1", { turn: "a3", variations: [["b1", "b2"], ["c1"]] }], path: [], ply: 1 },
  ],
  "the last turn is removed, and its variation goes on": [
    removed({ ...RECORD, moves: RECORD.moves.slice(0, 2) }, { path: [], ply: 2 }),
    { moves: ["a1", { turn: "b1", variations: [["c1"]] }, "b2"], path: [], ply: 1 },
  ],
  "a variation of one turn is removed whole": [
    removed(RECORD, { path: [[1, 1]], ply: 2 }),
    { moves: ["a1", { turn: "a2", comment: "so", variations: [["b1", "b2"]] }, "a3"], path: [], ply: 1 },
  ],
  "a turn is inserted, and variations stay in their position": [
    inserted(RECORD, { path: [], ply: 1 }, "d1"),
    {
      moves: ["a1", { turn: "d1", variations: [["b1", "b2"], ["c1"]] }, { turn: "a2", comment: "so" }, "a3"],
      path: [],
      ply: 2,
    },
  ],
  "two turns are exchanged, and variations stay in their position": [
    exchanged(RECORD, { path: [], ply: 3 }),
    { moves: ["a1", { turn: "a3", variations: [["b1", "b2"], ["c1"]] }, { turn: "a2", comment: "so" }], path: [], ply: 1 },
  ],
  "a variation is made the game": [
    promoted(RECORD, IN_FIRST),
    { moves: ["a1", { turn: "b1", variations: [[{ turn: "a2", comment: "so" }, "a3"], ["c1"]] }, "b2"], path: [], ply: 3 },
  ],
  "a turn is replaced by that of its variation": [
    substituted(RECORD, IN_FIRST),
    {
      moves: ["a1", { turn: "b1", comment: "so", variations: [["c1"]] }, { turn: "a3", variations: [["b2"]] }],
      path: [],
      ply: 2,
    },
  ],
  "variations change places": [
    reordered(RECORD, IN_FIRST, 1),
    { moves: ["a1", { ...RECORD.moves[1], variations: [["c1"], ["b1", "b2"]] }, "a3"], path: [[1, 1]], ply: 3 },
  ],
  "a turn is annotated in a variation": [
    annotated(RECORD, IN_FIRST, { comment: "oh", nag: [] }),
    {
      moves: ["a1", { ...RECORD.moves[1], variations: [["b1", { turn: "b2", comment: "oh" }], ["c1"]] }, "a3"],
      ...IN_FIRST,
    },
  ],
};

for (const [name, [edit, { moves: wanted, path, ply }]] of Object.entries(EDITS)) {
  test(name, () => assert.deepEqual([moves(edit), edit.path, edit.ply], [wanted, path, ply]));
}

test("a result by the rules goes with the turns that led to it, and no other does", () => {
  const resigned = { ...RECORD, result: { winner: "white", termination: "resignation" } };
  assert.equal(extended(RECORD, { path: [], ply: 3 }, "a4").record.result, undefined);
  assert.deepEqual(extended(resigned, { path: [], ply: 3 }, "a4").record.result, resigned.result);
  assert.deepEqual(extended(RECORD, { path: [], ply: 2 }, "b3").record.result, RECORD.result);
});

test("an edit leaves the record before it as it was, and can be undone and redone", () => {
  const game = new GameDocument(RECORD);
  const before = structuredClone(RECORD);
  game.apply(extended(game.record, { path: [], ply: 2 }, "b3"), { path: [], ply: 2 });
  game.apply(described(game.record, START, { event: "Cup" }), START);
  assert.deepEqual(RECORD, before);
  assert.equal(game.changed, true);
  game.undo();
  assert.deepEqual(game.undo().ply, 2);
  assert.deepEqual([game.record, game.undo(), game.changed], [RECORD, null, false]);
  game.redo();
  assert.equal(game.redo().record.event, "Cup");
  assert.equal(game.redo(), null);
});

test("an edit that turned out to be none leaves no step to redo", () => {
  const game = new GameDocument(RECORD);
  game.apply(described(RECORD, START, { event: "Cup" }), START);
  game.withdraw();
  assert.deepEqual([game.record, game.canUndo, game.canRedo], [RECORD, false, false]);
  // What was undone before it can be redone all the same.
  game.apply(described(RECORD, START, { event: "Cup" }), START);
  game.undo();
  game.apply(described(RECORD, START, { event: "Match" }), START);
  game.withdraw();
  assert.equal(game.redo().record.event, "Cup");
});

test("a place knows its variation", () => {
  assert.deepEqual(variationAt(RECORD, IN_FIRST), { number: 0, count: 2 });
  assert.equal(variationAt(RECORD, { path: [[1, 0]], ply: 1 }), null);
});
