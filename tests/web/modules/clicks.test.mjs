// What a click means: no browser, no service.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CLOSED, chosen, click, meaningOf, offered, stepBack } from "../../../hexrec/web/static/clicks.js";

const turn = (text, ...parts) => ({ turn: text, parts: parts.map((cells) => [cells].flat()) });
/** A position: two single stones; a stack on 4 that lands on 5 or 6, then a stone, on the cell that it has left too. */
const TURNS = [
  turn("a", 0),
  turn("b", 1),
  turn("4-5/2", 4, 5, 2),
  turn("4-5/4", 4, 5, 4),
  turn("4-6/3", 4, 6, 3),
  turn("7", 7),
  turn("7x8", 7, 8),
  turn("7x9", 7, 9),
  turn("pass"),
];
const FACTS = { board: true, mark: "", opening: null, over: null, turns: TURNS, goesOn: null };
const at = (facts = {}, before = CLOSED, same = false) => meaningOf({ ...FACTS, ...facts }, before, same);
/** Click on cells; return the meaning and the last effect. */
function clicks(meaning, ...cells) {
  let effect;
  for (const cell of cells) ({ meaning, effect } = click(meaning, cell));
  return { meaning, effect };
}

test("facts decide what a click means, the first that holds", () => {
  const rows = [
    [{ board: false, mark: "circle", turns: null }, "closed"],
    [{ mark: "circle", opening: ["black"], over: "ended" }, "mark"],
    [{ opening: ["black"], turns: null }, "opening"],
    [{ over: "ended", turns: null }, "over"],
    [{ turns: null }, "waiting"],
    [{}, "turn"],
  ];
  for (const [facts, kind] of rows) assert.equal(at(facts).kind, kind);
});

test("every cell where a turn can begin or go on is offered, in every position that is known", () => {
  assert.deepEqual(offered(at()), [0, 1, 4, 7]);
  // The opening was kept as it was: the turns are offered at once.
  assert.deepEqual(offered(meaningOf(FACTS, at({ opening: ["black", "white"] }))), [0, 1, 4, 7]);
  for (const facts of [{ over: "ended" }, { turns: null }, { opening: ["black"] }, { mark: "cross" }]) {
    assert.deepEqual(offered(at(facts)), []);
  }
});

test("a turn is played as soon as it can be no other", () => {
  const rows = [
    [[0], "a"],
    [[4, 6], "4-6/3"],
    [[4, 5, 2], "4-5/2"],
    // The cell that the stack has left is a next part before it is a part to be taken back.
    [[4, 5, 4], "4-5/4"],
    [[7, 8], "7x8"],
    // The last part again plays the turn that ends there.
    [[7, 7], "7"],
    [[4, 7, 9], "7x9"],
  ];
  for (const [cells, played] of rows) {
    const { meaning, effect } = clicks(at(), ...cells);
    assert.deepEqual([effect, meaning.kind, chosen(meaning)], [{ play: played }, "turn", []]);
  }
});

test("a part is taken back by a click on it, or one after the other", () => {
  assert.deepEqual(chosen(clicks(at(), 4, 4).meaning), []);
  const { meaning } = clicks(at(), 4, 5);
  assert.deepEqual(chosen(meaning), [4, 5]);
  assert.deepEqual(chosen(clicks(meaning, 5).meaning), [4]);
  assert.deepEqual(chosen(stepBack(meaning)), [4]);
  assert.equal(stepBack(at()), null);
});

test("a cell that goes on with no turn is refused, and one that begins another is the first part of that", () => {
  const refused = clicks(at(), 4, 3);
  assert.deepEqual([refused.effect, chosen(refused.meaning)], [{ refuse: [4, 3] }, [4]]);
  const anew = clicks(at(), 4, 0);
  assert.deepEqual([anew.effect, chosen(anew.meaning)], [{ anew: [4, 0] }, [0]]);
});

test("the opening takes a stone of each color on cells of its own", () => {
  const begun = at({ opening: ["black", "white"], turns: null });
  assert.deepEqual(clicks(begun, 3, 8).effect, { setOpening: { black: 3, white: 8 } });
  const twice = clicks(begun, 3, 3);
  assert.deepEqual([twice.meaning.cells, Object.keys(twice.effect)], [[3], ["say"]]);
  assert.deepEqual(clicks(stepBack(twice.meaning), 5, 3).effect, { setOpening: { black: 5, white: 3 } });
});

test("a mark is drawn on a cell, an arrow from one to another", () => {
  assert.deepEqual(clicks(at({ mark: "circle" }), 3).effect, { mark: "circle", cells: [3] });
  const begun = clicks(at({ mark: "arrow" }), 3).meaning;
  assert.deepEqual(chosen(begun), [3]);
  assert.deepEqual(clicks(begun, 5).effect, { mark: "arrow", cells: [3, 5] });
  assert.equal(clicks(begun, 3).effect, undefined);
  assert.deepEqual(chosen(stepBack(begun)), []);
});

test("what was begun goes on in the same position, and in no other", () => {
  const { meaning } = clicks(at(), 4, 5);
  assert.deepEqual(chosen(at({}, meaning, true)), [4, 5]);
  assert.deepEqual(chosen(at({}, meaning)), []);
  const arrow = clicks(at({ mark: "arrow" }), 3).meaning;
  assert.deepEqual(chosen(at({ mark: "arrow" }, arrow, true)), [3]);
  assert.deepEqual(chosen(at({ mark: "line" }, arrow, true)), []);
});

test("nothing is played where the game is over, and why is said", () => {
  assert.deepEqual(click(at({ over: "It has ended." }), 0).effect, { say: "It has ended." });
  assert.deepEqual(click(CLOSED, 0), { meaning: CLOSED });
});
