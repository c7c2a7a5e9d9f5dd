// The game as a tree, the cells of its turns, and the legal turns part by part.

import assert from "node:assert/strict";
import { test } from "node:test";
import { candidates, certainChanges, nextCells } from "../../../hexrec/web/static/clicks.js";
import { Names } from "../../../hexrec/web/static/document.js";
import { follow, lineOf, playable, stonesAfter } from "../../../hexrec/web/static/document.js";

const step = (turn, changes, more = {}) => ({ turn, changes, ...more });
/** Two turns of the game; beside the second a variation of two, and beside the second of those one more. */
const TREE = () => [
  step("a", [[0, 1]]),
  step("b", [[1, -1]], {
    variations: [[step("c", [[2, -1]]), step("d", [[3, 1]], { variations: [[step("e", [[4, 2]])]] })]],
  }),
];
const INNER = [
  [1, 0],
  [2, 0],
];

test("a path leads to a line, and a wrong one nowhere", () => {
  assert.deepEqual(lineOf(TREE(), INNER).map((each) => each.turn), ["a", "c", "e"]);
  assert.throws(() => lineOf(TREE(), [[1, 3]]), RangeError);
});

test("stones are those of the turns played, as far as these are legal", () => {
  assert.deepEqual(stonesAfter({ changes: [[5, -3]] }, lineOf(TREE(), INNER), 3, 6), [1, 0, -1, 0, 2, -3]);
  assert.equal(playable([step("a", []), { turn: "b", illegal: "no" }]), 1);
});

test("a turn that the tree has is followed, in the line or beside it", () => {
  assert.deepEqual(follow(TREE(), [], 1, "b"), { path: [], ply: 2 });
  assert.deepEqual(follow(TREE(), [], 1, "c"), { path: [[1, 0]], ply: 2 });
  assert.deepEqual(follow(TREE(), [[1, 0]], 2, "e"), { path: INNER, ply: 3 });
  assert.deepEqual(follow(TREE(), [[1, 0]], 1, "b"), { path: [], ply: 2 });
  assert.equal(follow(TREE(), [], 2, "f"), null);
});

/** A row of four cells. */
const BOARD = {
  cells: [0, 1, 2, 3].map((q) => [q, 0]),
  names: {
    row: ["a1", "a2", "a3", "a4"],
    skew: ["a1", "b1", "c1", "d1"],
    axial: ["(0,0)", "(1,0)", "(2,0)", "(3,0)"],
  },
  pattern: "[a-z]\\d+",
};

test("cells are read from texts, and turns are written in other coordinates", () => {
  const names = new Names(BOARD);
  assert.equal(names.respell("a1-a3", "row", "skew"), "a1-c1");
  assert.equal(names.respell("pass", "row", "axial"), "pass");
  assert.deepEqual(names.read("A1, a3 z9 a1", "row"), [0, 2]);
  assert.deepEqual(names.read("1,0 (3,0)", "axial"), [1, 3]);
  assert.deepEqual(names.through("a1-a4", "row"), [0, 1, 2, 3]);
  assert.deepEqual(names.through("a1xa4", "row"), [0, 3]);
});

test("what all turns do that a part begins is certain", () => {
  const turns = [
    { turn: "a", parts: [[0], [1]], changes: [[0, 1], [1, -1]] },
    { turn: "b", parts: [[0], [2]], changes: [[0, 1], [2, -1]] },
    { turn: "c", parts: [[3]], changes: [[3, 1]] },
  ];
  assert.deepEqual(certainChanges(turns, []), []);
  assert.deepEqual(certainChanges(turns, [0]), [[0, 1]]);
  assert.deepEqual(certainChanges(turns, [0, 2]), [[0, 1], [2, -1]]);
  assert.deepEqual(nextCells(turns, [0]), [1, 2]);
  // Cells that begin no turn are those that a turn goes through.
  const through = (text) => ({ a: [0, 1], b: [0, 2], c: [3] })[text];
  assert.deepEqual(candidates(turns, [2, 0], through).map(({ turn }) => turn), ["b"]);
});
