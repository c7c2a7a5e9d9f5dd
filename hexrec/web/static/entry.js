// Entering turns: the first steps of a game, then clicks on the board.

import { nameOf, on, shownTurn, state, system, tell, toPlay, turnsPlayed, voice } from "./app.js";
import { cellAt } from "./board.js";
import { candidates, chosen, stepBack, wholeTurn } from "./clicks.js";
import { described } from "./document.js";
import { commands, edit, redo } from "./editing.js";
import { $, enable, make, redrawn, say } from "./elements.js";
import { drawMark, MARKS, stopMarking } from "./notes.js";
import { beginPlay, choose, hasReferee, pass, press, takeBack, through, toldOf, undoLast, write, writeTurn } from "./play.js";
import { titled } from "./words.js";

// The first steps of a new game: the opening stones, and who plays which color.

export function beginOpening() {
  on("record", showOpening);
  $("opening").addEventListener("click", () => setUp(!state.setting));
}

/** Return whether the opening can be set: before the first turn of a game that has one. */
function canSet() {
  const { record } = state.document ?? {};
  return Boolean(state.data?.board && record?.opening && !record.moves.length);
}

function showOpening() {
  if (state.setting && (state.setting !== state.document || !canSet())) state.setting = null;
  $("opening").hidden = !canSet();
  $("opening").textContent = state.setting ? "Keep opening" : "Set opening";
  $("stage").classList.toggle("setting", Boolean(state.setting));
}

/**
 * Begin to set the opening stones, or leave them where they are.
 * @param {boolean} wanted
 */
export function setUp(wanted) {
  if (!canSet()) return;
  state.setting = wanted ? state.document : null;
  showOpening();
  tell("facts");
}

/** Return the buttons of the pie rule; none once it was used, or a turn was played. */
function pieButtons() {
  const { record } = state.document;
  if (!canSet() || record.pie || record.setup) return [];
  return /** @type {Colour[]} */ (["black", "white"]).map((color) => {
    const title = color === "black" ? "Black" : "White";
    const button = make("button", { type: "button", textContent: `Second player takes ${title}` });
    button.addEventListener("click", () => edit((each, place) => described(each, place, { pie: { chosen: color } })));
    return button;
  });
}

// Entering turns: the board, the field, the button that passes, and what they say.

/** How long after a click another one on the same cell is the second of a double click, in milliseconds. */
const DOUBLE = 350;
/** The last click on the board. */
let last = { cell: -1, time: -Infinity };
/** The place that was shown last. @type {unknown[]} */
let shownPlace = [];

export function beginEntry() {
  beginPlay({ show: showTurn, tell: sayTurn, draw: drawMark, written: cellsWritten });
  voice.note = (text) => {
    $("legal-note").textContent = text;
    say(text);
  };
  on("record", () => {
    $("legal").hidden = !state.data?.board;
    showHistory();
  });
  on("edit", showHistory);
  for (const event of /** @type {const} */ (["look", "queue"])) {
    on(event, () => {
      if (state.data?.board) showTurn();
    });
  }
  $("board").addEventListener("pointerdown", (event) => {
    // The focus stays where it is; a field that is left for the board tells what was written in it first.
    event.preventDefault();
    if (document.activeElement?.matches("input, textarea")) /** @type {HTMLElement} */ (document.activeElement).blur();
  });
  $("board").addEventListener("click", (event) => {
    const cell = cellAt(event);
    if (cell === null) return;
    const isSecond = event.detail > 1 && cell === last.cell && event.timeStamp - last.time < DOUBLE;
    last = { cell, time: event.timeStamp };
    if (!isSecond) press(cell);
  });
  $("cells").addEventListener("input", () => write($("cells").value));
  $("cells").addEventListener("keydown", (event) => {
    if (event.key === "Enter") enterWritten();
  });
  $("clear").addEventListener("click", takeBackPart);
  $("undo").addEventListener("click", undoLast);
  $("redo").addEventListener("click", redo);
  $("pass").addEventListener("click", pass);
}

function showHistory() {
  enable($("undo"), Boolean(state.document?.canUndo));
  enable($("redo"), Boolean(state.document?.canRedo));
}

/** The cells in the field, before they are entered. */
const cellsWritten = () => state.names.read($("cells").value, system());

/** Take back the last part of a turn, or the last click that waits, and say what is left. */
export function takeBackPart() {
  if (takeBack()) sayTurn();
}

function sayTurn() {
  say($("legal-note").textContent);
}

/** Play the turn that is written. */
async function enterWritten() {
  const text = $("cells").value;
  if (!text.trim()) return;
  const made = writeTurn(text);
  // Another one may be written while this one waits. If it is refused, it is there to be mended.
  if (commands.isBusy) $("cells").value = "";
  if (!(await made) && !$("cells").value) $("cells").value = text;
}

/** Show what can be done here, and the turns that what is chosen can become. */
function showTurn() {
  const { meaning, document: game, path } = state;
  const now = [game, String(path), turnsPlayed().join(" ")];
  const isNew = now.some((part, index) => part !== shownPlace[index]);
  shownPlace = now;
  if (isNew) $("cells").value = "";
  const parts = chosen(meaning);
  const named = meaning.kind === "turn" ? parts : [];
  if (meaning.kind !== "waiting" && String(cellsWritten()) !== String(named)) $("cells").value = named.map(nameOf).join(" ");
  $("cells").readOnly = meaning.kind === "opening" || meaning.kind === "mark";
  enable($("clear"), Boolean(commands.cells.length || stepBack(meaning)));
  const found = meaning.kind === "turn" && parts.length ? candidates(meaning.turns, parts, through) : [];
  redrawn(
    $("legal"),
    () => {
      $("pass").hidden = meaning.kind !== "turn" || !meaning.turns.some((turn) => !turn.parts.length);
      $("legal-note").textContent = toldOf() ?? noteOf(meaning, found);
      $("legal-turns").replaceChildren(...buttonsOf(meaning, found));
    },
    () => $("board"),
  );
}

/** @param {Meaning} meaning @param {Choice[]} found */
function noteOf(meaning, found) {
  switch (meaning.kind) {
    case "opening":
      return `Click on the cell of ${titled(meaning.colors[meaning.cells.length])}'s opening ${state.data.game.piece}, or keep the opening. Then the second player may choose a color.`;
    case "mark":
      return `Clicks ${MARKS[meaning.mark]}${meaning.from === null ? "" : `, from ${nameOf(meaning.from)} to the next cell`}.`;
    case "over":
      return hasReferee() ? "" : meaning.reason;
    case "waiting":
      return commands.cells.length ? `Waiting for the answer. To be played: ${commands.cells.map(nameOf).join(", ")}.` : "";
    case "turn":
      return noteOfTurn(meaning, found);
    default:
      return "";
  }
}

const GOES_ON = { variation: " Another one than the next becomes a variation.", insert: " It is inserted here." };

/** @param {Turning} meaning @param {Choice[]} found */
function noteOfTurn({ turns, parts, goesOn }, found) {
  const player = titled(toPlay());
  if (!parts.length && hasReferee()) return "";
  if (!parts.length) {
    if (turns.every((turn) => !turn.parts.length)) return `There is nothing for ${player} but to pass.`;
    return `${counted(turns.length)} for ${player}.${goesOn ? GOES_ON[goesOn] : ""}`;
  }
  const cells = parts.map(nameOf);
  const whole = wholeTurn(turns, parts);
  const again = whole && found.length > 1 ? ` ${cells.at(-1)} again plays ${shownTurn(whole.turn)}.` : "";
  return `${counted(found.length)} for ${player} with ${cells.join(" and ")}.${again}`;
}

/** @param {number} turns */
const counted = (turns) => (turns === 1 ? "1 legal turn" : `${turns || "No"} legal turns`);

/** @param {Meaning} meaning @param {Choice[]} found */
function buttonsOf(meaning, found) {
  if (meaning.kind === "mark") {
    const stop = make("button", { type: "button", textContent: "Play turns again" });
    stop.addEventListener("click", stopMarking);
    return [stop];
  }
  if (hasReferee()) return []; // they would give the turn away
  if (meaning.kind === "turn" && !meaning.parts.length) return pieButtons();
  return found.map(({ turn }) => turnButton(turn));
}

/** @param {string} turn */
function turnButton(turn) {
  const button = make("button", { type: "button", textContent: shownTurn(turn) });
  button.addEventListener("click", () => choose(turn));
  return button;
}
