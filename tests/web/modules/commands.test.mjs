// The queue of commands, and what clicks, turns that are written, undo and others do to the game, at once by the rules of the
// page or after a service has answered: no browser, no service.

import assert from "node:assert/strict";
import { test } from "node:test";
import { goTo, show, state, voice } from "../../../hexrec/web/static/app.js";
import { Commands } from "../../../hexrec/web/static/commands.js";
import { described, removed, shortened } from "../../../hexrec/web/static/document.js";
import { beginEditing, commands, edit, redo, undo } from "../../../hexrec/web/static/editing.js";
import { beginPlay, pass, press, writeTurn } from "../../../hexrec/web/static/play.js";
import { choicesIn, replayed } from "../../../hexrec/web/static/replay.js";
import { startOf } from "../../../hexrec/web/static/start.js";
import { soundReport } from "../../../hexrec/web/static/reports.js";

const pause = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));

/** Return a generator of numbers below another one, the same for the same seed. */
function chance(seed) {
  let number = seed;
  return (below) => {
    number = (number * 48271) % 2147483647;
    return number % below;
  };
}

test("commands are carried out in their order, also those that take time", async () => {
  const done = [];
  const failures = [];
  const queue = new Commands(() => {}, (error) => failures.push(error.message));
  const made = [
    queue.add(() => void done.push("at once")),
    queue.add(() => pause(5).then(() => done.push("later"))),
    queue.add(() => pause(1).then(() => Promise.reject(new Error("refused"))), 7),
    queue.add(() => void done.push("last"), 8),
  ];
  assert.deepEqual([done, queue.cells], [["at once"], [7, 8]]);
  await queue.settled();
  assert.deepEqual([done, failures], [["at once", "later", "last"], ["refused"]]);
  assert.deepEqual(await Promise.all(made), [true, true, false, true]);
});

test("a command that waits can be taken back, and all that wait dropped", async () => {
  const done = [];
  const queue = new Commands(() => {}, () => {});
  queue.add(() => pause(2));
  for (const name of ["a", "b", "c"]) queue.add(() => void done.push(name));
  assert.equal(queue.takeBack(), true);
  await queue.settled();
  assert.deepEqual(done, ["a", "b"]);
  queue.add(() => pause(2));
  queue.add(() => void done.push("d"));
  assert.equal(queue.drop(), 1);
  await queue.settled();
  assert.deepEqual([done, queue.takeBack()], [["a", "b"], false]);
});

// What people do, against a plain model of it.

const NOTHING = () => 0;
let latency = NOTHING;
globalThis.document = { documentElement: { dataset: {} } };

/** A game whose rules the page does not have: the service plays it by those of another. */
const FAR = "far ";
const near = (record) => ({ ...record, game: record.game.replace(FAR, "") });

/** Answers as the service does, late. */
globalThis.fetch = async (address, { body }) => {
  const asked = near(JSON.parse(body));
  await pause(latency());
  let data;
  if (address.startsWith("v1/positions")) {
    const choices = choicesIn(startOf({ ...asked, setup: asked.position }));
    data = { legal: choices.map(({ turn }) => turn), entry: { parts: choices.map(({ parts }) => parts), changes: choices.map(({ changes }) => changes) } };
  } else {
    const drawn = replayed(asked);
    const steps = [drawn.start, ...drawn.moves].filter((step) => step.changes);
    steps.forEach((step, ply) => {
      const position = startOf(asked);
      for (const each of drawn.moves.slice(0, ply)) position.play(each.turn);
      step.position = position.text();
    });
    const { illegal: code } = drawn.moves.find((step) => step.illegal) ?? {};
    const report = { ...soundReport(asked), valid: !code, result: drawn.result, diagnostics: code ? [{ code, message: code }] : [] };
    data = { ...drawn, record: JSON.parse(body), report, codes: {} };
  }
  return { ok: true, json: async () => structuredClone(data) };
};

/** What a person has done, when everything is done at once and nothing waits: the turns, and the parts of the next one. */
class Model {
  constructor(record) {
    this.record = record;
    this.states = [{ turns: [], resigned: false, comment: "" }];
    this.at = 0;
    this.parts = [];
  }

  get now() {
    return this.states[this.at];
  }

  get position() {
    const position = startOf(this.record);
    for (const turn of this.now.turns) position.play(turn);
    return position;
  }

  /** The legal turns; none where the game has ended. */
  get turns() {
    return this.now.resigned ? [] : choicesIn(this.position);
  }

  become(change, isTurn = true) {
    const next = { ...this.now, ...change };
    this.states.splice(++this.at, Infinity, next);
    if (isTurn) this.parts = [];
  }

  play(turn) {
    this.become({ turns: [...this.now.turns, turn] });
  }

  click(cell) {
    const { turns } = this;
    const begin = (parts) => turns.filter((turn) => parts.every((part, index) => turn.parts[index]?.includes(part)));
    const more = [...this.parts, cell];
    const found = begin(more);
    const whole = begin(this.parts).find((turn) => turn.parts.length === this.parts.length);
    if (!turns.length) return;
    if (found.length === 1) this.play(found[0].turn);
    else if (found.length) this.parts = more;
    else if (cell === this.parts.at(-1) && whole) this.play(whole.turn);
    else if (this.parts.includes(cell)) this.parts = this.parts.slice(0, this.parts.indexOf(cell));
    else if (this.parts.length && begin([cell]).length) this.parts = [cell];
  }

  write(text) {
    if (this.turns.some(({ turn }) => turn === text)) this.play(text);
  }

  move(by) {
    if (!this.states[this.at + by]) return;
    const { turns, resigned } = this.now;
    this.at += by;
    if (String(turns) !== String(this.now.turns) || resigned !== this.now.resigned) this.parts = [];
  }
}

const RECORDS = [
  { game: "sundraval", size: 3, opening: { black: "b2", white: "d3" } },
  { game: "sunspot", size: 4 },
  { game: "frasvel", size: 3, opening: { black: "c3" } },
  { game: "valaturna", size: 4, opening: { black: "d4", white: "c1" } },
  { game: "nadraz", size: 4, opening: { black: "d4", white: "c1" } },
];

/** Do something at random, and the same to the model. */
function act(model, random) {
  const { turns, now } = model;
  const one = turns[random(Math.max(turns.length, 1))];
  const kinds = ["click", "click", "turn", "turn", "turn", "written", "nonsense", "pass", "undo", "redo", "remove", "delete", "comment", "resign"];
  switch (kinds[random(kinds.length)]) {
    case "click": {
      const cell = random(state.data.board.cells.length);
      press(cell);
      return model.click(cell);
    }
    case "turn":
      for (const cells of one?.parts ?? []) {
        const cell = cells[random(cells.length)];
        press(cell);
        model.click(cell);
      }
      return;
    case "written":
      if (!one) return;
      writeTurn(` ${one.turn.toUpperCase()}`);
      return model.write(one.turn);
    case "nonsense":
      return void writeTurn("z9");
    case "pass":
      pass();
      return model.write("pass");
    case "undo":
      undo();
      return model.move(-1);
    case "redo":
      redo();
      return model.move(1);
    case "remove":
    case "delete": {
      if (!now.turns.length) return;
      const isRemoved = random(2);
      edit((record, { path, ply }) => (isRemoved ? removed(record, { path, ply }) : shortened(record, { path, ply: ply - 1 })));
      return model.become({ turns: now.turns.slice(0, -1) });
    }
    case "comment": {
      const comment = `comment ${random(1000)}`;
      edit((record, place) => described(record, place, { comment }));
      return model.become({ comment }, false);
    }
    case "resign":
      if (random(4) || model.position.isOver || now.resigned) return;
      edit((record, place) => described(record, place, { result: { winner: "black", termination: "resignation" } }));
      return model.become({ resigned: true });
  }
}

const told = [];
voice.complain = (text) => text && told.push(text);
beginEditing();
beginPlay({});

/** Open a game without turns. */
function open(record) {
  const begun = { hexrec: "1", ...record, moves: [] };
  const drawn = replayed(near(begun));
  drawn.start.position = startOf(near(begun)).text();
  show({ ...drawn, record: begun, report: soundReport(begun), codes: {} });
  state.document.sound = state.document.record;
  goTo([], 0);
  return new Model(near(begun));
}

function compare(model, message) {
  const { record } = state.document;
  assert.deepEqual(record.moves, model.now.turns, message);
  assert.equal(record.comment ?? "", model.now.comment, message);
  assert.deepEqual(state.line.map((step) => step.turn), model.now.turns, message);
  assert.equal(state.ply, model.now.turns.length, message);
  assert.deepEqual(state.meaning.parts ?? [], model.parts, message);
  const ending = model.now.resigned ? "resignation" : model.position.isOver ? "rules" : undefined;
  assert.equal(record.result && (record.result.termination ?? "rules"), ending, message);
  assert.deepEqual([state.document.canUndo, state.document.canRedo], [model.at > 0, model.at < model.states.length - 1], message);
}

for (const given of RECORDS) {
  test(`${given.game}: everything is done at once by the rules of the page`, async () => {
    for (const seed of [11, 23, 47]) {
      latency = NOTHING;
      const random = chance(seed);
      const model = open(given);
      for (let count = 0; count < 150; count++) {
        act(model, random);
        assert.equal(commands.isBusy, false);
        compare(model, `seed ${seed}, command ${count}`);
      }
    }
    assert.deepEqual(told, []);
  });

  test(`${given.game}: what waits for a service is done in its order, however late the answers are`, async () => {
    for (const seed of [5, 17]) {
      const [random, late] = [chance(seed), chance(seed + 1)];
      latency = () => late(4);
      const model = open({ ...given, game: FAR + given.game });
      for (let count = 0; count < 60; count++) {
        act(model, random);
        // Sometimes a person looks at the board before going on.
        if (!random(12)) await commands.settled();
        else if (!random(3)) await pause(random(5));
      }
      await commands.settled();
      compare(model, `seed ${seed}`);
    }
    assert.deepEqual(told, []);
  });
}
