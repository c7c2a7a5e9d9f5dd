// Entering turns: the first steps of a game, then clicks on the board.

import { current, ended, nameOf, on, own, setMeaning, shownTurn, state, system, tell, toPlay } from "./app.js";
import { candidates, chosen, clickAll, CLOSED, isPlaying, meaningOf, queued, stepBack, wholeTurn } from "./clicks.js";
import { described, follow } from "./document.js";
import { edit, editsMade, here, legalNow, legalTurns, playTurn, spelled, undo } from "./editing.js";
import { $, cellAt, EMBEDDED, enable, make, messageOf, redrawn, say, titled } from "./elements.js";
import { drawMark, MARKS, stopMarking } from "./notes.js";
import { ask } from "./service.js";
import { claimed } from "./turns.js";

// The first steps of a new game: the opening stones, and who plays which color.


export function beginOpening() {
  on("record", showOpening);
  $("opening").addEventListener("click", () => setUp(!state.setting));
}

/** Return whether the opening can be set: before the first turn of a game that has one. */
function canSet() {
  const { record } = state.document ?? {};
  return Boolean(!EMBEDDED && state.data?.board && record?.opening && !record.moves.length);
}

function showOpening() {
  if (state.setting && (state.setting !== state.document || !canSet())) state.setting = null;
  $("opening").hidden = !canSet();
  $("opening").textContent = state.setting ? "Keep opening" : "Set opening";
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

/**
 * Make some cells those of the opening stones.
 * @param {Partial<Record<Colour, number>>} cells
 */
function setOpening(cells) {
  state.setting = null;
  const opening = Object.fromEntries(Object.entries(cells).map(([color, cell]) => [color, state.names.single(cell, own())]));
  return edit((record, place) => described(record, place, { opening }));
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

// Entering turns: by clicks on the board, by name, from the list, or with the button that passes. What a click means is
// decided in clicks.js; this carries out what has been decided, and shows it.


/** How long a position is shown before the legal turns in it are asked for, in milliseconds. */
const PAUSE = 120;
/** @type {number | undefined} */
let arriving;
/** The position that the meaning of clicks is about. */
let place = placeShown();
/** What was said of the last click; null where the meaning of the next one says more. @type {string | null} */
let told = null;
/** What is said of clicks that did nothing in the position that is shown, until the next click. */
let lost = "";
/** Whether Enter was pressed on a turn that waits for the legal turns. */
let entering = false;
/** Who takes the turns in place of the game, and says what has become of clicks. @type {Referee | null} */
let referee = null;
/** Called when clicks mean something else, once. @type {(() => void)[]} */
let listening = [];

/** @param {Referee | null} given */
export function setReferee(given) {
  referee = given;
}

export function beginEntry() {
  on("record", () => {
    $("legal").hidden = !state.data?.board;
    if (!state.data?.board) setMeaning(CLOSED);
  });
  on("place", refresh);
  on("facts", refresh);
  on("meaning", () => {
    const free = listening;
    listening = [];
    for (const go of free) go();
  });
  on("look", () => {
    if (state.data?.board) showTurn();
  });
  $("board").addEventListener("pointerdown", (event) => {
    // The focus stays where it is; a field that is left for the board tells what was written in it first.
    event.preventDefault();
    if (document.activeElement?.matches("input, textarea")) /** @type {HTMLElement} */ (document.activeElement).blur();
  });
  $("board").addEventListener("click", (event) => {
    const cell = cellAt(event);
    if (cell !== null) press(cell);
  });
  $("cells").addEventListener("input", write);
  $("cells").addEventListener("keydown", (event) => {
    if (event.key === "Enter") playWritten();
  });
  $("clear").addEventListener("click", takeBack);
  $("undo").addEventListener("click", undoLast);
  $("pass").addEventListener("click", () => {
    const pass = legalNow()?.find((turn) => !turn.parts.length);
    if (pass) enter(pass.turn);
  });
}

function placeShown() {
  const { document: game, path, ply } = state;
  return { document: game, path, ply, position: state.data?.board ? current().position : undefined };
}

/** @param {object} one @param {object} other */
const alike = (one, other) => Object.entries(one).every(([name, value]) => /** @type {any} */ (other)[name] === value);

/** @returns {Facts} */
function facts() {
  const { line, ply, setting, document: game } = state;
  return {
    board: true,
    mark: $("mark-kind").value,
    opening: setting ? /** @type {Colour[]} */ (Object.keys(game.record.opening ?? {})) : null,
    over: whyOver(),
    turns: legalNow() ?? null,
    goesOn: state.inserting ? "insert" : line[ply]?.changes ? "variation" : null,
  };
}

/** Return why no turn can be played in the position that is shown; null if one can. */
function whyOver() {
  if (referee && state.ply) return "This step is done.";
  if (ended()) return "The game is over.";
  const { path, ply, document: game } = state;
  const { result, moves } = game.record;
  if (!result || path.length || ply < moves.length) return null;
  return `The game ended here: ${claimed(result)}. Remove its result to play on.`;
}

/** Decide what a click means in the position that is shown, or that more is known of. Clicks that waited are made. */
function refresh() {
  if (!state.data?.board) return;
  const { position, ...where } = place;
  place = placeShown();
  const moved = !alike(where, place);
  const same = !moved && position === place.position;
  if (moved) $("cells").value = "";
  const before = same || state.following ? state.meaning : CLOSED;
  const dropped = queued(state.meaning).length - queued(before).length;
  let meaning = meaningOf(facts(), before, same);
  // What was written while the turns were not known is what is chosen now.
  if (meaning.kind === "turn" && before.kind !== "turn") meaning = { ...meaning, parts: partsWritten() };
  clearTimeout(arriving);
  if (meaning.kind === "waiting") {
    become(meaning);
    arriving = setTimeout(learn, meaning.queue.length ? 0 : PAUSE);
  } else carryOut(clickAll(meaning, queued(before)));
  if (dropped) tellNote((lost = `${clicks(dropped)} did nothing: another position is shown.`));
  else if (!same) lost = "";
  else if (lost) {
    told = lost;
    showTurn();
  }
  if (meaning.kind !== "waiting" && entering) playWritten();
}

/** @param {number} count */
const clicks = (count) => (count === 1 ? "1 click" : `${count} clicks`);

/** @param {Meaning} meaning */
function become(meaning) {
  if (!alike(meaning, state.meaning)) {
    told = null;
    setMeaning(meaning);
  }
  showTurn();
}

/** Ask for the legal turns of the position that is shown. */
async function learn() {
  clearTimeout(arriving);
  // The answer to the turn that led to a position is what says which position that is.
  if (!current().position) return;
  const { document: game, path, ply, position } = place;
  const stays = () => alike({ document: game, path, ply, position }, placeShown());
  try {
    await legalTurns();
    if (stays()) refresh();
  } catch (error) {
    if (!stays()) return;
    forget();
    tellNote(messageOf(error));
  }
}

/** Drop the clicks that wait. */
function forget() {
  entering = false;
  if (state.meaning.kind === "waiting") become({ kind: "waiting", queue: [], playing: false });
}

/**
 * Click on a cell.
 * @param {number} cell
 */
export function press(cell) {
  lost = "";
  carryOut(clickAll(state.meaning, [cell]));
  if (state.meaning.kind === "waiting") learn();
}

/** @param {ReturnType<typeof clickAll>} clicked */
function carryOut({ meaning, effects, dropped }) {
  const before = chosen(state.meaning);
  become(meaning);
  for (const effect of effects) perform(effect, meaning, dropped);
  if (!effects.length && String(before) !== String(chosen(meaning))) say($("legal-note").textContent);
}

/** @param {Effect} effect @param {Meaning} meaning @param {number} dropped */
function perform(effect, meaning, dropped) {
  const rest = dropped ? ` ${clicks(dropped)} after it did nothing.` : "";
  if ("play" in effect) enter(effect.play);
  else if ("setOpening" in effect) placeOpening(effect.setOpening);
  else if ("mark" in effect) drawMark(effect.mark, effect.cells);
  else if ("say" in effect) tellNote(effect.say + rest);
  else if (meaning.kind === "turn" && "anew" in effect) beginAnew(meaning.turns, effect.anew);
  else if (meaning.kind === "turn" && "refuse" in effect) refuse(meaning.turns, effect.refuse, rest);
}

/** Take back the last part of a turn, or the last click that waits. */
export function takeBack() {
  const meaning = stepBack(state.meaning);
  if (!meaning) return;
  become(meaning);
  say($("legal-note").textContent);
}

/** Undo the last edit. A click that still waits is the last thing that was done. */
export function undoLast() {
  if (queued(state.meaning).length) takeBack();
  else undo();
}

/**
 * Wait until all that was clicked and written is played or refused, and the game is validated after it; return whether it
 * could be validated.
 */
export async function settled() {
  for (;;) {
    const validated = await editsMade();
    const { meaning } = state;
    if (!isPlaying(meaning) && !(meaning.kind === "waiting" && entering)) return validated;
    await new Promise((go) => {
      listening.push(() => go(undefined));
    });
  }
}

/** @param {string} turn */
async function enter(turn) {
  if (EMBEDDED && !follow(state.data.moves, state.path, state.ply, turn)) {
    forget();
    refresh();
    return tellNote(`${shownTurn(turn)} is legal. This file shows what was recorded: to play on, open the record with hexrec serve.`);
  }
  if (referee) {
    if (await referee.judge(turn)) return;
    forget();
    return refresh();
  }
  const played = await playTurn(turn, legalNow()?.find((each) => each.turn === turn)?.changes);
  if (played) return;
  forget();
  refresh();
}

/** @param {Partial<Record<Colour, number>>} cells */
async function placeOpening(cells) {
  const before = place;
  await setOpening(cells);
  // The stones are where they were, or may not be there.
  if (!alike(before, placeShown())) return;
  forget();
  refresh();
}

/**
 * Say that the last of some parts begins another turn, and why it does not go on with the one before.
 * @param {Choice[]} turns @param {number[]} parts
 */
async function beginAnew(turns, parts) {
  const anew = `${nameOf(/** @type {number} */ (parts.at(-1)))} begins another turn`;
  if (!referee) tellNote(`${anew}.`);
  const { meaning } = state;
  const refused = await refusal(turns, parts);
  if (refused && meaning === state.meaning) tellNote(`${referee ? "" : `${anew}: `}${refused.reason}.`, refused.rule);
}

/**
 * Say why no legal turn begins with some parts.
 * @param {Choice[]} turns @param {number[]} parts
 */
async function refuse(turns, parts, rest = "") {
  const refused = await refusal(turns, parts);
  if (refused) tellNote(`${refused.reason}.${rest}`, refused.rule);
}

/**
 * Return why no legal turn begins with some parts, and the rule about it; null if another position is shown by then.
 * @param {Choice[]} turns @param {number[]} parts
 * @returns {Promise<{ reason: string, rule?: string } | null>}
 */
async function refusal(turns, parts) {
  const clicked = spelled(turns, parts);
  const text = referee?.meant(clicked) ?? clicked;
  if (EMBEDDED) return { reason: `no legal turn begins with ${shownTurn(text)}` };
  const { position, ...rules } = here();
  const before = place;
  const asked = { hexrec: "1", ...rules, setup: position, moves: [text] };
  /** @type {{ reason?: string, rule?: string }} */
  const { reason, rule } = await ask("v1/replay", JSON.stringify(asked)).then(
    ({ moves, report, codes }) => ({ reason: moves?.[0].illegal, rule: codes[report.diagnostics[0]?.code]?.rule }),
    (error) => ({ reason: messageOf(error) }),
  );
  return reason && alike(before, placeShown()) ? { reason: `${shownTurn(text)} is not legal: ${reason}`, rule } : null;
}

/** Take the cells that are written for the parts of a turn. */
function write() {
  entering = false;
  if (state.meaning.kind === "turn") become({ ...state.meaning, parts: partsWritten() });
}

const partsWritten = () => state.names.read($("cells").value, system());

/** Play the turn that is written, or the only one that what is written can be. */
function playWritten() {
  const written = $("cells").value.trim().toLowerCase();
  const { meaning } = state;
  entering = meaning.kind === "waiting" && Boolean(written);
  if (entering) learn();
  if (meaning.kind === "over") tellNote(meaning.reason);
  if (meaning.kind !== "turn" || !written) return;
  const { turns, parts } = meaning;
  const found = parts.length ? candidates(turns, parts, through) : [];
  const turn = turns.find((each) => shownTurn(each.turn) === written) ?? (found.length === 1 ? found[0] : undefined);
  if (turn) enter(turn.turn);
  else if (found.length) tellNote(`${found.length} turns go through these cells: write the rest too.`);
  else if (parts.length) refuse(turns, parts);
  else tellNote(`There is no turn ${written} here.`);
}

/** @param {string} turn */
const through = (turn) => state.names.through(turn, own());

/** @param {string} text @param {string} [rule] */
function tellNote(text, rule) {
  if (referee) return referee.note(text, "refusal", rule);
  told = text;
  $("legal-note").textContent = text;
  say(text);
}

/** Show what can be done here, and the turns that what is chosen can become. */
function showTurn() {
  const { meaning } = state;
  const parts = chosen(meaning);
  const named = meaning.kind === "turn" ? parts : [];
  if (meaning.kind !== "waiting" && String(partsWritten()) !== String(named)) $("cells").value = named.map(nameOf).join(" ");
  $("cells").readOnly = meaning.kind === "opening" || meaning.kind === "mark";
  enable($("clear"), Boolean(stepBack(meaning)));
  const found = meaning.kind === "turn" && parts.length ? candidates(meaning.turns, parts, through) : [];
  redrawn(
    $("legal"),
    () => {
      $("pass").hidden = meaning.kind !== "turn" || !meaning.turns.some((turn) => !turn.parts.length);
      $("legal-note").textContent = told ?? noteOf(meaning, found);
      $("legal-turns").replaceChildren(...buttonsOf(meaning, found));
    },
    () => $("board"),
  );
}

/** @param {Meaning} meaning @param {Choice[]} found */
function noteOf(meaning, found) {
  switch (meaning.kind) {
    case "opening":
      return `Click on the cell of ${titled(meaning.colors[meaning.cells.length])}'s opening ${state.data.game.piece}, or keep the opening.`;
    case "mark":
      return `Clicks ${MARKS[meaning.mark]}${meaning.from === null ? "" : `, from ${nameOf(meaning.from)} to the next cell`}.`;
    case "over":
      return referee ? "" : meaning.reason;
    case "waiting":
      return meaning.queue.length ? `Waiting for the answer. To be played: ${meaning.queue.map(nameOf).join(", ")}.` : "";
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
  if (!parts.length && referee) return "";
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
  if (referee) return []; // they would give the turn away
  if (meaning.kind === "turn" && !meaning.parts.length) return pieButtons();
  return found.map(({ turn }) => turnButton(turn));
}

/** @param {string} turn */
function turnButton(turn) {
  const button = make("button", { type: "button", textContent: shownTurn(turn) });
  button.disabled = Boolean(EMBEDDED) && !follow(state.data.moves, state.path, state.ply, turn);
  button.addEventListener("click", () => enter(turn));
  return button;
}
