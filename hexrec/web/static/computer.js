// The computer as a player of the game that is shown: it answers turns, gives hints, and evaluates the game. The search is in
// a worker, which is loaded when something is asked of it first.

import { ended, goTo, isLocal, on, shownTurn, state, toPlay, turnsPlayed } from "./app.js";
import { playable } from "./document.js";
import { $, make } from "./elements.js";
import { choose, hasReferee } from "./play.js";
import { messageOf, titled } from "./words.js";

/** The level of hints: the strongest. */
const STRONGEST = 2;
/** @type {Worker | null} */
let worker = null;
/** Where its script is. */
let address = "";
/** What is asked of the worker, by number. @type {Map<number, { resolve: (choice: any) => void, reject: (error: Error) => void, onValue: (value: PositionValue) => void }>} */
const asked = new Map();
let number = 0;
/** The game that the computer plays, and the number of its turns when it was last looked at. */
let seen = { document: /** @type {object | null} */ (null), plies: -1 };
/** The game whose values are shown, and its turns. */
let valued = "";

export function beginComputer() {
  on("record", show);
  on("place", show);
  on("facts", show);
  for (const id of /** @type {const} */ (["computer-side", "computer-level"])) $(id).addEventListener("change", () => answer(true));
  $("hint").addEventListener("click", hint);
  $("evaluate").addEventListener("click", evaluate);
}

/** Whether turns can be played in the position that is shown, by rules that are here. */
const isOpen = () => Boolean(state.data?.board) && isLocal() && !ended() && !state.document.record.result && !state.setting;

function show() {
  $("computer").hidden = !state.data?.board || !isLocal() || hasReferee();
  if ($("computer").hidden) return stop();
  $("hint").disabled = !isOpen();
  if (valued && valued !== nameOfLine()) {
    forget();
    stop();
  }
  for (const row of $("values").children) row.classList.toggle("current", row === $("values").children[state.ply]);
  answer(false);
}

/** A string that differs from line to line. */
const nameOfLine = () => JSON.stringify([state.document.record.game, lineShown()]);
const lineShown = () => state.line.slice(0, playable(state.line)).map(({ turn }) => turn);

function forget() {
  valued = "";
  $("values").replaceChildren();
}

/** End all work of the worker. */
function stop() {
  worker?.terminate();
  worker = null;
  for (const { reject } of asked.values()) reject(new Error("stopped"));
  asked.clear();
}

/** Load the worker: from the server, or from the file that the page is. */
function load() {
  const text = document.getElementById("opponent")?.textContent;
  address ||= text ? URL.createObjectURL(new Blob([JSON.parse(text)], { type: "text/javascript" })) : "opponent-worker.js";
  worker = new Worker(address);
  worker.onmessage = ({ data }) => {
    const waiting = asked.get(data.number);
    if (!waiting) return;
    if (data.value) return waiting.onValue(data.value);
    asked.delete(data.number);
    if (data.error) waiting.reject(new Error(data.error));
    else waiting.resolve(data.answer);
  };
  worker.onerror = () => {
    for (const { reject } of asked.values()) reject(new Error("The computer cannot be loaded: try again when you are online."));
    asked.clear();
    worker = null;
  };
  navigator.serviceWorker?.controller?.postMessage("opponent");
  return worker;
}

/**
 * Ask the worker for a turn of a level, or with null for the values of all positions; what it does otherwise ends.
 * @param {string[]} turns @param {number | null} level @param {(value: PositionValue) => void} [onValue]
 * @returns {Promise<any>}
 */
function ask(turns, level, onValue = () => {}) {
  if (asked.size) stop();
  const { game, size, opening, variant, ruleset, readings, coordinates, setup } = state.document.record;
  const record = { game, size, opening, variant, ruleset, readings, coordinates, setup, moves: [] };
  const running = worker ?? load();
  return new Promise((resolve, reject) => {
    asked.set(++number, { resolve, reject, onValue });
    running.postMessage({ number, record, turns, level });
  });
}

/** @param {string} text */
function note(text) {
  $("computer-note").textContent = text;
}

/** @param {unknown} error */
const noteError = (error) => messageOf(error) !== "stopped" && note(messageOf(error));

/**
 * Answer the turn that was just played, if the computer has the move; after a change of its settings, the position that is shown.
 * @param {boolean} isChosen
 */
function answer(isChosen) {
  const { document: game, ply, line } = state;
  // Whoever takes a turn back wants to play another one.
  const isPlayed = isChosen || (seen.document === game && ply > seen.plies);
  seen = { document: game, plies: ply };
  if (!isPlayed || !isOpen() || ply < line.length || toPlay() !== $("computer-side").value) return;
  const turns = turnsPlayed();
  note("The computer is thinking …");
  ask(turns, Number($("computer-level").value)).then(({ turn }) => {
    if (state.document !== game || String(turnsPlayed()) !== String(turns)) return;
    note(`The computer has played ${shownTurn(turn)}.`);
    choose(turn);
  }, noteError);
}

/** Return the best turn after others, with its value. @param {string[]} turns @returns {Promise<ChosenTurn>} */
export const reply = (turns) => ask(turns, STRONGEST);

function hint() {
  const turns = turnsPlayed();
  note("Looking for a good turn …");
  reply(turns).then((choice) => {
    if (String(turnsPlayed()) === String(turns)) note(`Hint: ${shownTurn(choice.turn)}. ${inWords(choice)}.`);
  }, noteError);
}

/** Return a value as words. @param {Pick<PositionValue, "value" | "playouts">} value */
export function inWords({ value, playouts }) {
  const color = value > 0 ? "black" : "white";
  if (!playouts) return value ? `${titled(color)} wins, proved` : "A draw, proved";
  const wins = Math.round(50 + 50 * Math.abs(value));
  return `${titled(color)} wins about ${wins} % of random games, an estimate`;
}

function evaluate() {
  const turns = lineShown();
  forget();
  valued = nameOfLine();
  const rows = ["", ...turns].map((turn, ply) => rowOf(turn, ply));
  $("values").replaceChildren(...rows);
  show();
  note("Evaluating the game from its end …");
  ask(turns, null, (value) => fill(rows[value.ply], value)).then(() => note("Every position has a value."), noteError);
}

/** @param {string} turn @param {number} ply */
function rowOf(turn, ply) {
  const button = make("button", { type: "button", textContent: ply ? `${ply}. ${shownTurn(turn)}` : "Start" });
  const { path } = state;
  button.addEventListener("click", () => goTo(path, ply));
  return make("li", {}, button, make("span", { className: "value", textContent: "…" }));
}

/** @param {HTMLElement} row @param {PositionValue} value */
function fill(row, value) {
  const bar = make("span", { className: `bar ${value.playouts ? "estimated" : "proved"}` });
  bar.style.setProperty("--value", value.value.toFixed(2));
  bar.append(make("span"));
  /** @type {HTMLElement} */ (row.lastElementChild).replaceChildren(bar, inWords(value));
}
