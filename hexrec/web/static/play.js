// Entering turns: by clicks on the board, by name, or with a pass. What a click means is decided in clicks.js; this carries
// out what has been decided, each as a command after those before it. No DOM: entry.js connects it with the page.

import { claimed, ended, isLocal, nameOf, on, own, setMeaning, shownTurn, state, system, turnsPlayed, voice } from "./app.js";
import { candidates, chosen, click, CLOSED, meaningOf, stepBack } from "./clicks.js";
import { described } from "./document.js";
import { askForTurns, commands, edit, here, legalNow, playNow, spelled, undo } from "./editing.js";
import { positionAfter } from "./replay.js";
import { meaningOfCode } from "./reports.js";
import { ask, isAwake } from "./service.js";
import { messageOf } from "./words.js";

/** How long a position is shown before a service is asked for the legal turns in it, in milliseconds. */
const PAUSE = 120;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let arriving;
/** The position that the meaning of clicks is about. */
let place = placeShown();
/** Who takes the turns in place of the game, and says what has become of clicks. @type {Referee | null} */
let referee = null;
/** What was said of the last click; null where the meaning of the next one says more. @type {string | null} */
let told = null;
/** What shows the meaning of clicks, and draws marks. */
const view = {
  show: () => {},
  /** Tells those who do not see it of the turn under way. */
  tell: () => {},
  /** Draws a mark on cells. @type {(kind: string, cells: number[]) => unknown} */
  draw: () => {},
  /** The cells that are written, before they are entered. @returns {number[]} */
  written: () => [],
};

/** @param {Referee | null} given */
export function setReferee(given) {
  referee = given;
}

export const hasReferee = () => referee !== null;
export const toldOf = () => told;

/** @param {Partial<typeof view>} given */
export function beginPlay(given) {
  Object.assign(view, given);
  on("record", () => {
    if (!state.data?.board) setMeaning(CLOSED);
  });
  on("place", refresh);
  on("facts", refresh);
}

function placeShown() {
  const { document: game, path } = state;
  return { document: game, path: String(path), turns: turnsPlayed().join(" ") };
}

/** @param {object} one @param {object} other */
const alike = (one, other) => Object.entries(one).every(([name, value]) => /** @type {any} */ (other)[name] === value);

/** @returns {Facts} */
function facts() {
  const { line, ply, setting, document: game } = state;
  return {
    board: true,
    mark: state.marking,
    opening: setting ? /** @type {Colour[]} */ (Object.keys(game.record.opening ?? {})) : null,
    over: whyOver(),
    turns: legalNow() ?? null,
    goesOn: state.inserting ? "insert" : line[ply]?.changes ? "variation" : null,
  };
}

/** Return why no turn can be played in the position that is shown; null if one can. */
function whyOver() {
  if (referee && state.ply) return "No turn is asked for here.";
  if (ended()) return "The game is over.";
  const { path, ply, document: game } = state;
  const { result, moves } = game.record;
  if (!result || path.length || ply < moves.length) return null;
  return `The game ended here: ${claimed(result)}. Remove its result to play on.`;
}

/** Decide what a click means in the position that is shown, or that more is known of. */
export function refresh() {
  if (!state.data?.board) return;
  const before = place;
  place = placeShown();
  const same = alike(before, place);
  if (!same) told = null;
  let meaning = meaningOf(facts(), state.meaning, same);
  // What was written while the turns were not known is what is chosen now.
  if (same && meaning.kind === "turn" && state.meaning.kind === "waiting") meaning = { ...meaning, parts: view.written() };
  clearTimeout(arriving);
  if (meaning.kind === "waiting" && !commands.isBusy) arriving = setTimeout(() => learn().catch(sayError), PAUSE);
  become(meaning);
}

/** @param {Meaning} meaning */
function become(meaning) {
  if (!alike(meaning, state.meaning)) {
    told = null;
    setMeaning(meaning);
  }
  view.show();
}

/**
 * Say what has become of a click.
 * @param {string} text @param {string} [rule] the rule that it breaks
 */
function note(text, rule) {
  told = text;
  if (referee) referee.note(text, "refusal", rule);
  else voice.note(text, rule);
  return false;
}

/** @param {unknown} error */
const sayError = (error) => note(messageOf(error));

/** Ask for the legal turns of the position that is shown. Throws an Error if they cannot be had. */
async function learn() {
  clearTimeout(arriving);
  const asked = placeShown();
  await askForTurns();
  if (alike(asked, placeShown())) refresh();
}

/**
 * Do something when the legal turns are known: at once, by the rules of the page.
 * @param {() => unknown} act
 */
function knowing(act) {
  if (state.meaning.kind !== "waiting") return act();
  return learn().then(act, (error) => {
    commands.drop();
    return sayError(error);
  });
}

/**
 * Click on a cell.
 * @param {number} cell
 */
export const press = (cell) => commands.add(() => knowing(() => clickNow(cell)), cell);

/** @param {number} cell */
function clickNow(cell) {
  const { meaning, effect } = click(state.meaning, cell);
  const before = chosen(state.meaning);
  become(meaning);
  if (effect) return perform(effect, meaning);
  if (String(before) !== String(chosen(meaning))) view.tell();
}

/** @param {Effect} effect @param {Meaning} meaning */
function perform(effect, meaning) {
  if ("play" in effect) return enter(effect.play);
  if ("setOpening" in effect) return void setOpening(effect.setOpening);
  if ("mark" in effect) return void view.draw(effect.mark, effect.cells);
  if ("say" in effect) return note(effect.say);
  if (meaning.kind !== "turn") return false;
  if ("refuse" in effect) refuse(meaning.turns, effect.refuse);
  else refuse(meaning.turns, effect.anew, referee ? "" : `${nameOf(/** @type {number} */ (effect.anew.at(-1)))} begins another turn: `);
  return "anew" in effect;
}

/**
 * Make some cells those of the opening stones.
 * @param {Partial<Record<Colour, number>>} cells
 */
function setOpening(cells) {
  state.setting = null;
  const opening = Object.fromEntries(Object.entries(cells).map(([color, cell]) => [color, state.names.single(cell, own())]));
  return edit((record, at) => described(record, at, { opening: { .../** @type {object} */ (record.opening), ...opening } }));
}

/** Take back the last part of a turn, or the last command that waits; return whether there was one. */
export function takeBack() {
  if (commands.takeBack()) return true;
  const meaning = stepBack(state.meaning);
  if (meaning) become(meaning);
  return meaning !== null;
}

/** Undo the last edit. What still waits is the last thing that was done. */
export function undoLast() {
  if (!commands.takeBack()) undo();
}

/** Pass, if that is legal. */
export const pass = () => commands.add(() => knowing(passNow));

function passNow() {
  const { meaning } = state;
  if (meaning.kind === "over") return note(meaning.reason);
  const found = legalNow()?.find((turn) => !turn.parts.length);
  return found ? enter(found.turn) : note("A pass is not legal here.");
}

/** Play a turn that is legal in the position that is shown. @param {string} turn */
export const choose = (turn) => commands.add(() => enter(turn));

/**
 * Play a turn, unless the reader of a lesson is asked for another one.
 * @param {string} turn
 */
function enter(turn) {
  if (!referee) return playNow(turn);
  if (referee.judge(turn)) return true;
  refresh();
  return false;
}

/**
 * Say why no legal turn begins with some parts: by the rule that they break, and when a service has answered by what it says
 * of the turn.
 * @param {Choice[]} turns @param {number[]} parts @param {string} before words before that
 */
async function refuse(turns, parts, before = "") {
  const clicked = spelled(turns, parts);
  const text = referee?.meant(clicked) ?? clicked;
  const where = placeShown();
  let reason = `no legal turn begins with ${shownTurn(text)}`;
  if (isLocal()) {
    const code = positionAfter(state.document.record, turnsPlayed()).refusal(text) ?? "";
    if (code) reason = `${shownTurn(text)} is not legal. ${meaningOfCode(code)}`;
  }
  const said = `${before}${reason}.`;
  note(said);
  if (!isAwake()) return;
  const { position, ...rules } = here();
  try {
    /** @type {Replay} */
    const { moves, report, codes } = await ask("v1/replay", JSON.stringify({ hexrec: "1", ...rules, setup: position, moves: [text] }));
    // What has been said of another click since stays.
    if (told !== said || !alike(where, placeShown())) return;
    note(`${before}${shownTurn(text)} is not legal: ${moves[0].illegal}.`, codes[report.diagnostics[0].code]?.rule);
  } catch {
    // The rule that it breaks has been said.
  }
}

/**
 * Take cells that are written for the parts of a turn.
 * @param {string} text
 */
export function write(text) {
  if (state.meaning.kind === "turn") become({ ...state.meaning, parts: state.names.read(text, system()) });
}

/**
 * Play a turn as it is written, or the only one that goes through the cells that are written; return whether it was played.
 * @param {string} text
 */
export const writeTurn = (text) => commands.add(() => knowing(() => playWritten(text)));

/** @param {string} text */
function playWritten(text) {
  const { meaning } = state;
  const written = text.trim().toLowerCase();
  if (meaning.kind === "over") return note(meaning.reason);
  if (meaning.kind !== "turn") return false;
  const { turns } = meaning;
  const parts = state.names.read(written, system());
  const found = parts.length ? candidates(turns, parts, through) : [];
  const turn = turns.find((each) => shownTurn(each.turn) === written) ?? (found.length === 1 ? found[0] : undefined);
  if (turn) return enter(turn.turn);
  if (found.length) return note(`${found.length} turns go through these cells: write the rest too.`);
  if (!parts.length) return note(written === "pass" ? "A pass is not legal here." : `There is no turn ${written} here.`);
  refuse(turns, parts);
  return false;
}

/** The cells of a turn. @param {string} turn */
export const through = (turn) => state.names.through(turn, own());
